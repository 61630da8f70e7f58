/* Steps with the coefficients of runge_kutta.h: a system in each lane, with its own length. */
#ifndef IMP_NUM_LANES_RUNGE_KUTTA_H
#define IMP_NUM_LANES_RUNGE_KUTTA_H

#include "num/lanes/lanes.h"
#include "num/lanes/width.h"
#include "num/runge_kutta.h"

typedef struct imp_rk_lanes {
    imp_lanes x[IMP_RK_SIZE];
} imp_rk_lanes;

IMP_LANE_CODE imp_rk_lanes imp_rk_lanes_load(imp_lane_column *from) {
    imp_rk_lanes y;
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        y.x[p] = imp_lanes_load(from[p]);
    }
    return y;
}

IMP_LANE_CODE void imp_rk_lanes_store(imp_lane_column *to, const imp_rk_lanes *y) {
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        imp_lanes_store(to[p], y->x[p]);
    }
}

/* dy/dt. Only y->x[0 .. IMP_RK_COUPLED-1] may be read; all of rate is set. */
typedef void imp_rk_lanes_rates(const void *system, const imp_rk_lanes *y, imp_rk_lanes *rate);

typedef struct imp_rk_lanes_end {
    imp_rk_lanes y, error5, error3; /* the errors without the factor h */
} imp_rk_lanes_end;

/* y + h times the sum of the rates so far, in the coupled variables, with the coefficients of a
 * stage. The newest rates, for which the next ones wait, stay in registers. */
IMP_LANE_CODE void imp_rk_lanes_stage(const imp_rk_lanes *k, const imp_rk_lanes *newest, int stage,
                                      const imp_rk_lanes *y, imp_lanes h, imp_rk_lanes *at) {
    const double *by = imp_rk_stage[stage - 1];
    imp_lanes sum[IMP_RK_COUPLED];
    for (int p = 0; p < IMP_RK_COUPLED; p++) {
        sum[p] = by[0] * k[0].x[p];
    }
    for (int j = stage > 4 ? 3 : 1; j < stage - 1; j++) {
        for (int p = 0; p < IMP_RK_COUPLED; p++) {
            sum[p] += by[j] * k[j].x[p];
        }
    }
    for (int p = 0; p < IMP_RK_COUPLED; p++) {
        sum[p] = stage > 1 ? sum[p] + by[stage - 1] * newest->x[p] : sum[p];
        at->x[p] = y->x[p] + h * sum[p];
    }
}

/* The end of a step in four of the variables, from `first` on; half of the registers of most
 * processors are enough. */
IMP_LANE_CODE void imp_rk_lanes_finish(const imp_rk_lanes *k, const imp_rk_lanes *y, imp_lanes h,
                                       int first, imp_rk_lanes_end *end) {
    enum { TOGETHER = IMP_RK_SIZE / 2 };
    imp_lanes sum[TOGETHER], third[TOGETHER], fifth[TOGETHER];
    for (int p = 0; p < TOGETHER; p++) {
        sum[p] = third[p] = fifth[p] = imp_lanes_of(0);
    }
    for (int j = 0; j < IMP_RK_STAGES; j = j == 0 ? 5 : j + 1) {
        for (int p = 0; p < TOGETHER; p++) {
            imp_lanes rate = k[j].x[first + p];
            sum[p] += imp_rk_stage[IMP_RK_STAGES - 1][j] * rate;
            third[p] += imp_rk_third[j] * rate;
            fifth[p] += imp_rk_fifth[j] * rate;
        }
    }
    for (int p = 0; p < TOGETHER; p++) {
        end->y.x[first + p] = y->x[first + p] + h * sum[p];
        end->error3.x[first + p] = third[p];
        end->error5.x[first + p] = fifth[p];
    }
}

/* The state after a step that starts where the rates are known. Stages 1 and 2 are not used after
 * stage 4. `rates` is a constant that the compiler inlines. */
IMP_LANE_CODE void imp_rk_lanes_step(imp_rk_lanes_rates *rates, const void *system,
                                     const imp_rk_lanes *y, const imp_rk_lanes *rate, imp_lanes h,
                                     imp_rk_lanes_end *end) {
    imp_rk_lanes k[IMP_RK_STAGES], at, newest = *rate;
    k[0] = newest;
    for (int i = 1; i < IMP_RK_STAGES; i++) {
        imp_rk_lanes_stage(k, &newest, i, y, h, &at);
        rates(system, &at, &newest);
        k[i] = newest;
    }
    imp_rk_lanes_finish(k, y, h, 0, end);
    imp_rk_lanes_finish(k, y, h, IMP_RK_SIZE / 2, end);
}

/* Estimated error of a step relative to the tolerance, weight 1 / tolerance of y, with the sign of
 * h. A step is good if its size is at most 1; NaN or infinite if the step left the domain. */
IMP_LANE_CODE imp_lanes imp_rk_lanes_error(const imp_rk_lanes_end *end, const imp_rk_lanes *weight,
                                           imp_lanes h) {
    imp_lanes fifth = imp_lanes_of(0), third = fifth;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        imp_lanes e5 = end->error5.x[i] * weight->x[i], e3 = end->error3.x[i] * weight->x[i];
        fifth += e5 * e5;
        third += e3 * e3;
    }
    imp_lanes both = fifth + 0.01 * third;
    return imp_lanes_pick(both > 0, h * fifth / imp_lanes_sqrt(both * IMP_RK_SIZE), both);
}

/* Length of the next step after one of length h with this error. */
IMP_LANE_CODE imp_lanes imp_rk_lanes_next(imp_lanes h, imp_lanes error) {
    imp_lanes size = imp_lanes_larger(error, imp_lanes_of(1e-12));
    /* The eighth root. */
    imp_lanes factor = 0.9 / imp_lanes_sqrt(imp_lanes_sqrt(imp_lanes_sqrt(size)));
    factor = imp_lanes_smaller(imp_lanes_of(6), factor);
    factor = imp_lanes_pick(factor < 0.2, imp_lanes_of(0.2), factor);
    return imp_lanes_pick(error < 1e300, h * factor, h / 10);
}

#endif
