#include "sched/between.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "refine/generator.h"
#include "solve/evaluator.h"

struct imp_between_work {
    imp_sweep sweep; /* that of the run, but for the values of the event axis */
    imp_sweep line;  /* of the points */
    imp_layout layout;
    imp_evaluator *evaluator; /* NULL: not needed yet */
    double *values;           /* of the event axis */
    int64_t stride;           /* outer cells from one of its values to the next */
    imp_axis *axis;
    int part[IMP_MAX_RULES]; /* of a block */
    void *block;
    bool (*stop)(const void *context);
    const void *context;
};

void imp_between_close(imp_between_work **work) {
    imp_between_work *w = *work;
    if (w) {
        imp_evaluator_close(&w->evaluator);
        imp_points_close(&w->line);
        free(w->values);
        free(w->block);
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
    w->layout = imp_layout_of(sweep);
    w->stride = imp_sweep_outer_stride(sweep, a);
    w->stop = stop;
    w->context = context;
    w->values = malloc((size_t)w->axis->size * sizeof *w->values);
    w->block = malloc(imp_block_size(&w->layout, IMP_POINTS_AT_ONCE));
    if (!w->values || !w->block) {
        return imp_out_of_memory();
    }
    memcpy(w->values, w->axis->columns[0].values, (size_t)w->axis->size * sizeof *w->values);
    w->axis->columns[0].values = w->values;
    for (int k = 0; k < sweep->refine.n_rules; k++) {
        w->part[k] = imp_sweep_rule_position(sweep, k);
    }
    return imp_points_open(sweep, &w->line);
}

/* Solves n points, at most IMP_POINTS_AT_ONCE, and tells them. */
static imp_err tell(imp_between_work *w, const imp_point *points, size_t n, int64_t first,
                    imp_refinement *refinement) {
    const imp_refine_plan *plan = &w->sweep.refine;
    double values[IMP_POINTS_AT_ONCE * IMP_MAX_RULES];
    imp_points_set(&w->sweep, points, n, &w->line);
    imp_err error = imp_evaluate(w->evaluator, 0, n, w->block, n, 0);
    for (int k = 0; !error && k < plan->n_rules; k++) {
        for (size_t i = 0; i < n; i++) {
            values[i * (size_t)plan->n_rules + (size_t)k] =
                imp_block_judged(&w->sweep, &w->layout, k, w->part[k], n, w->block, i);
        }
    }
    return error ? error
                 : imp_refine_tell(refinement, first, n,
                                   imp_block_outcomes(&w->layout, n, w->block), values);
}

static imp_err solve_round(imp_between_work *w, int64_t cell, const imp_refine_round *round,
                           imp_refinement *refinement) {
    size_t axes = (size_t)w->sweep.refine.lattice.n_axes;
    imp_err error = IMP_OK;
    for (size_t first = 0, n; !error && first < round->n; first += n) {
        imp_point points[IMP_POINTS_AT_ONCE];
        n = round->n - first < IMP_POINTS_AT_ONCE ? round->n - first : IMP_POINTS_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            points[i] = (imp_point){.cell = cell};
            memcpy(points[i].key, round->keys + (first + i) * axes, axes * sizeof *round->keys);
        }
        error = w->stop(w->context) ? imp_fail(IMP_ERR_STOPPED, "stopped while events were sought")
                                    : tell(w, points, n, round->first + (int64_t)first, refinement);
    }
    return error;
}

imp_err imp_between_refine(void *context, int64_t cell, double value, imp_refinement **refinement) {
    imp_between_work *w = context;
    imp_refine_plan plan = w->sweep.refine;
    imp_refine_round round = {.n = 1};
    plan.audit = 0; /* only the flat grid is looked at */
    plan.boundary = 0;
    w->values[cell / w->stride % w->axis->size] = value;
    imp_err error = w->evaluator ? IMP_OK : imp_evaluator_open(&w->line, &w->evaluator);
    error = error ? error : imp_refine_open(&plan, refinement);
    while (!error && round.n > 0) {
        error = imp_refine_next(*refinement, &round);
        error = error ? error : solve_round(w, cell, &round, *refinement);
    }
    return error;
}
