#include "sched/pointwise.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

imp_err imp_pointwise_open(const imp_sweep *sweep, imp_pointwise *p) {
    *p = (imp_pointwise){.sweep = sweep, .layout = imp_layout_of(sweep)};
    p->block = malloc(imp_block_size(&p->layout, IMP_POINTS_AT_ONCE));
    for (int k = 0; k < sweep->refine.n_rules; k++) {
        p->part[k] = imp_sweep_rule_position(sweep, k);
    }
    return p->block ? imp_points_open(sweep, &p->line) : imp_out_of_memory();
}

void imp_pointwise_close(imp_pointwise *p) {
    imp_evaluator_close(&p->evaluator);
    imp_points_close(&p->line);
    free(p->block);
    *p = (imp_pointwise){.sweep = NULL};
}

/* Solves n points, at most IMP_POINTS_AT_ONCE, and tells them. */
static imp_err tell(imp_pointwise *p, const imp_point *points, size_t n, int64_t first,
                    imp_refinement *refinement) {
    const imp_refine_plan *plan = &p->sweep->refine;
    double values[IMP_POINTS_AT_ONCE * IMP_MAX_RULES];
    imp_points_set(p->sweep, points, n, &p->line);
    imp_err error = imp_evaluate(p->evaluator, 0, n, p->block, n, 0);
    for (int k = 0; !error && k < plan->n_rules; k++) {
        for (size_t i = 0; i < n; i++) {
            values[i * (size_t)plan->n_rules + (size_t)k] =
                imp_block_judged(p->sweep, &p->layout, k, p->part[k], n, p->block, i);
        }
    }
    return error ? error
                 : imp_refine_tell(refinement, first, n,
                                   imp_block_outcomes(&p->layout, n, p->block), values);
}

imp_err imp_pointwise_solve(imp_pointwise *p, int64_t cell, const imp_refine_round *round,
                            bool (*stop)(const void *context), const void *context,
                            imp_refinement *refinement) {
    size_t axes = (size_t)p->sweep->refine.lattice.n_axes;
    imp_err error = p->evaluator ? IMP_OK : imp_evaluator_open(&p->line, &p->evaluator);
    for (size_t first = 0, n; !error && first < round->n; first += n) {
        imp_point points[IMP_POINTS_AT_ONCE];
        n = round->n - first < IMP_POINTS_AT_ONCE ? round->n - first : IMP_POINTS_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            points[i] = (imp_point){.cell = cell};
            memcpy(points[i].key, round->keys + (first + i) * axes, axes * sizeof *round->keys);
        }
        error = stop(context) ? imp_fail(IMP_ERR_STOPPED, "stopped while points were solved")
                              : tell(p, points, n, round->first + (int64_t)first, refinement);
    }
    return error;
}
