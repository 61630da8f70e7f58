#include "sched/between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/pointwise.h"

struct imp_between_work {
    imp_sweep sweep; /* that of the run, but for the values of the event axis */
    imp_pointwise points;
    double *values; /* of the event axis */
    int64_t stride; /* outer cells from one of its values to the next */
    imp_axis *axis;
    bool (*stop)(const void *context);
    const void *context;
};

void imp_between_close(imp_between_work **work) {
    imp_between_work *w = *work;
    if (w) {
        imp_pointwise_close(&w->points);
        free(w->values);
    }
    free(w);
    *work = NULL;
}

imp_err imp_between_open(const imp_sweep *sweep, bool (*stop)(const void *context),
                         const void *context, imp_between_work **work) {
    imp_between_work *w = calloc(1, sizeof *w);
    *work = w;
    if (!w) {
        return imp_out_of_memory();
    }
    int a = imp_sweep_event_axis(sweep);
    w->sweep = *sweep;
    w->axis = &w->sweep.grid.axes[a];
    w->stride = imp_sweep_outer_stride(sweep, a);
    w->stop = stop;
    w->context = context;
    w->values = malloc((size_t)w->axis->size * sizeof *w->values);
    if (!w->values) {
        return imp_out_of_memory();
    }
    memcpy(w->values, w->axis->columns[0].values, (size_t)w->axis->size * sizeof *w->values);
    w->axis->columns[0].values = w->values;
    return imp_pointwise_open(&w->sweep, &w->points);
}

imp_err imp_between_refine(void *context, int64_t cell, double value, imp_refinement **refinement) {
    imp_between_work *w = context;
    imp_refine_plan plan = w->sweep.refine;
    imp_refine_round round = {.n = 1};
    plan.audit = 0; /* only the flat grid is looked at */
    plan.boundary = 0;
    w->values[cell / w->stride % w->axis->size] = value;
    imp_err error = imp_refine_open(&plan, refinement);
    while (!error && round.n > 0) {
        error = imp_refine_next(*refinement, &round);
        error =
            error ? error
                  : imp_pointwise_solve(&w->points, cell, &round, w->stop, w->context, *refinement);
    }
    return error;
}
