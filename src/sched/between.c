#include "sched/between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sched/pointwise.h"

struct imp_between_work {
    imp_sweep sweep; /* that of the run, but for the values of the event axis */
    imp_pointwise points;
    double *values; /* of the columns of the event axis, one after the other */
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

/* Columns of the event axis that can be changed. */
static imp_err own_values(imp_between_work *w) {
    size_t size = (size_t)w->axis->size, columns = (size_t)w->axis->n_columns;
    w->values = malloc(columns * size * sizeof *w->values);
    for (size_t c = 0; w->values && c < columns; c++) {
        double *own = w->values + c * size;
        memcpy(own, w->axis->columns[c].values, size * sizeof *own);
        w->axis->columns[c].values = own;
    }
    return w->values ? IMP_OK : imp_out_of_memory();
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
    imp_err error = own_values(w);
    return error ? error : imp_pointwise_open(&w->sweep, &w->points);
}

/* Sets the value of the event axis at one of its places, and what follows from it. */
static void set(imp_between_work *w, int64_t at, double value) {
    double values[IMP_MAX_COLUMNS] = {value};
    imp_sweep_follow_axis(&w->sweep, (int)(w->axis - w->sweep.grid.axes), values);
    for (int c = 0; c < w->axis->n_columns; c++) {
        w->axis->columns[c].values[at] = values[c];
    }
}

imp_err imp_between_refine(void *context, int64_t cell, double value, imp_refinement **refinement) {
    imp_between_work *w = context;
    imp_refine_plan plan = w->sweep.refine;
    imp_refine_round round = {.n = 1};
    plan.audit = 0; /* only the flat grid is looked at */
    plan.boundary = 0;
    set(w, cell / w->stride % w->axis->size, value);
    imp_err error = imp_refine_open(&plan, refinement);
    while (!error && round.n > 0) {
        error = imp_refine_next(*refinement, &round);
        error =
            error ? error
                  : imp_pointwise_solve(&w->points, cell, &round, w->stop, w->context, *refinement);
    }
    return error;
}
