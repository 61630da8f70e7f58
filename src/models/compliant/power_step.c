/* Steps of the laws of power 1.5. */
#include "models/compliant/power_impl.h"

/* Error of a step relative to 1 + |y|. */
static const double tolerance = 1e-12;

static inline double normal_force(const springs *k, double delta, double v_n) {
    double d = positive(delta);
    return d * sqrt(d) * positive(1 - k->damping * v_n);
}

/* Rates in time of stick, where the tangential force is known, and of slip. */
static inline void stick_rates(const springs *k, const imp_rk_row *y, double f_t,
                               imp_rk_row *rate) {
    double v_n = y->x[V_N], f_n = normal_force(k, y->x[DELTA], v_n);
    *rate = (imp_rk_row){
        {y->x[V_T], -v_n, k->a * f_t + k->c * f_n, k->c * f_t + f_n, f_t, f_n, f_n * v_n, 1}};
}

static inline void slip_rates(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    double v_n = y->x[V_N], f_n = normal_force(k, y->x[DELTA], v_n);
    *rate =
        (imp_rk_row){{0, -v_n, k->g * f_n, k->q * f_n, -k->mu * k->slip * f_n, f_n, f_n * v_n, 1}};
}

static inline void scale_rates(imp_rk_row *rate, double pace) {
    for (int p = 0; p < IMP_RK_PAIRS; p++) {
        rate->pair[p] *= pace;
    }
}

static void hertz_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    stick_rates(system, y, -y->x[U] * sqrt(fabs(y->x[U])), rate);
}

static void coupled_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    stick_rates(system, y, -y->x[U] * sqrt(positive(y->x[DELTA])), rate);
}

static void slip_by_time(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    slip_rates(system, y, rate);
}

/* The row has x in the place of u, u = x |x|. */
static void hertz_by_u(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    const springs *k = system;
    double x = y->x[U];
    stick_rates(k, y, -x * x * x, rate);
    scale_rates(rate, 2 * fabs(x / y->x[V_T]));
    rate->x[U] = k->sense;
}

/* The row has the square root of delta in the place of delta. */
static inline imp_rk_row squared(const imp_rk_row *y) {
    imp_rk_row natural = *y;
    natural.x[DELTA] *= natural.x[DELTA];
    return natural;
}

static inline void by_delta(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    scale_rates(rate, 2 * fabs(y->x[DELTA] / y->x[V_N]));
    rate->x[DELTA] = k->sense;
}

static void hertz_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    hertz_by_time(system, &natural, rate);
    by_delta(system, y, rate);
}

static void coupled_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    coupled_by_time(system, &natural, rate);
    by_delta(system, y, rate);
}

static void slip_by_delta(const void *system, const imp_rk_row *y, imp_rk_row *rate) {
    imp_rk_row natural = squared(y);
    slip_rates(system, &natural, rate);
    by_delta(system, y, rate);
}

void imp_power_rates(const springs *k, const imp_rk_row *y, imp_rk_row *rate) {
    if (k->slip != 0) {
        slip_rates(k, y, rate);
    } else if (k->coupled) {
        coupled_by_time(k, y, rate);
    } else {
        hertz_by_time(k, y, rate);
    }
}

double imp_power_pace(variable by, const imp_rk_row *y) {
    return by == BY_TIME        ? 1
           : by == BY_ROOT_OF_U ? 2 * sqrt(fabs(y->x[U])) / fabs(y->x[V_T])
                                : 2 * sqrt(y->x[DELTA]) / fabs(y->x[V_N]);
}

static imp_rk_end step_by_time(const march *m, double h) {
    if (m->k.slip != 0) {
        return imp_rk_step(slip_by_time, &m->k, &m->y, &m->rate, h);
    }
    return m->k.coupled ? imp_rk_step(coupled_by_time, &m->k, &m->y, &m->rate, h)
                        : imp_rk_step(hertz_by_time, &m->k, &m->y, &m->rate, h);
}

static imp_rk_end step_by_u(const march *m, double h) {
    imp_rk_row y = m->y, rate;
    y.x[U] = copysign(sqrt(fabs(y.x[U])), y.x[U]);
    hertz_by_u(&m->k, &y, &rate);
    imp_rk_end end = imp_rk_step(hertz_by_u, &m->k, &y, &rate, h);
    double x = y.x[U] + m->k.sense * h;
    end.y.x[U] = x * fabs(x);
    return end;
}

static imp_rk_end step_by_delta(const march *m, double h) {
    imp_rk_row y = m->y, rate;
    imp_rk_end end;
    y.x[DELTA] = sqrt(y.x[DELTA]);
    if (m->k.slip != 0) {
        slip_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(slip_by_delta, &m->k, &y, &rate, h);
    } else if (m->k.coupled) {
        coupled_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(coupled_by_delta, &m->k, &y, &rate, h);
    } else {
        hertz_by_delta(&m->k, &y, &rate);
        end = imp_rk_step(hertz_by_delta, &m->k, &y, &rate, h);
    }
    double x = y.x[DELTA] + m->k.sense * h;
    end.y.x[DELTA] = x * x;
    return end;
}

/* A step by h of the variable. */
static imp_rk_end step_of(const march *m, double h) {
    return m->by == BY_TIME        ? step_by_time(m, h)
           : m->by == BY_ROOT_OF_U ? step_by_u(m, h)
                                   : step_by_delta(m, h);
}

static point point_at(const march *m, double h, const imp_rk_row *y) {
    point p = {.h = h, .y = *y};
    imp_power_rates(&m->k, y, &p.rate);
    return p;
}

point imp_power_point_after(const march *m, double h) {
    imp_rk_end end = step_of(m, h);
    return point_at(m, h, &end.y);
}

/* Whether x, under the force x^1.5, passes 0 so fast that its speed hardly changes. */
static bool passes(double x, double v, double stiffness) {
    return v * v > 4 * stiffness * x * x * sqrt(x);
}

/* Chooses the variable of the next step. Returns the length of the step, which takes at most the
 * time h and ends at 0 of the variable at the latest. */
static double choose_variable(march *m) {
    const double *y = m->y.x;
    double u = fabs(y[U]), across = u < 4 * m->h * fabs(y[V_T]);
    double stiffness = 1 + m->k.mu * fabs(m->k.c) + fabs(m->k.c);
    bool toward;
    double x, way;
    if (y[DELTA] < 4 * m->h * fabs(y[V_N]) && passes(y[DELTA], y[V_N], stiffness)) {
        m->by = BY_ROOT_OF_DELTA;
        toward = y[V_N] > 0;
        m->k.sense = toward ? -1 : 1;
        x = sqrt(y[DELTA]);
        way = fabs(y[V_N]) * m->h;
    } else if (m->k.slip == 0 && !m->k.coupled && across != 0 &&
               passes(u, y[V_T], m->k.a + fabs(m->k.c))) {
        m->by = BY_ROOT_OF_U;
        toward = y[U] * y[V_T] < 0;
        m->k.sense = y[V_T] < 0 ? -1 : 1;
        x = sqrt(u);
        way = fabs(y[V_T]) * m->h;
    } else {
        m->by = BY_TIME;
        return m->h;
    }
    if (toward) {
        return way >= 0.99 * x * x ? x : x - sqrt(x * x - way);
    }
    return sqrt(x * x + way) - x;
}

/* The estimated error of a step is too small where a force of power 1.5 passes through 0 within the
 * step. */
static double doubt(const march *m, const imp_rk_row *end) {
    bool by_u = m->by == BY_ROOT_OF_U || m->k.coupled || m->k.slip != 0;
    bool across = !by_u && m->y.x[U] * end->x[U] < 0;
    return across || (m->by == BY_TIME && end->x[DELTA] < 0) ? 1e4 : 1;
}

point imp_power_good_step(march *m, int64_t *budget, bool *spent) {
    double weight[IMP_RK_SIZE];
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        weight[i] = 1 / (tolerance * (1 + fabs(m->y.x[i])));
    }
    while ((*budget -= IMP_RK_STAGES) > 0) {
        double h = choose_variable(m);
        imp_rk_end end = step_of(m, h);
        double error = imp_rk_error(&end, weight, h) * doubt(m, &end.y);
        double next = imp_rk_next(h, error) / h;
        if (error <= 1) {
            double took = end.y.x[TIME] - m->y.x[TIME];
            m->h = took < 0.5 * m->h ? imp_larger(m->h, took * next) : took * next;
            return point_at(m, h, &end.y);
        }
        m->h *= m->by == BY_TIME ? next : next * next;
    }
    *spent = true;
    return (point){.h = NAN};
}
