#include "refine/generator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

/* ---- points ---- */

static imp_err grow_points(imp_refinement *r, size_t n) {
    imp_err error = imp_grow(&r->class_of, &r->room, n, sizeof *r->class_of);
    return error || r->n_jumps == 0
               ? error
               : imp_grow(&r->jumps, &r->jump_room, n * (size_t)r->n_jumps, sizeof *r->jumps);
}

uint32_t imp_refine_ask(imp_refinement *r, const uint32_t *key) {
    size_t before = r->points.n;
    uint32_t point = imp_key_set_add(&r->points, key);
    if (point == before) {
        if (grow_points(r, before + 1)) {
            return IMP_KEY_NONE;
        }
        r->class_of[point] = IMP_KEY_NONE;
    }
    return point;
}

const uint32_t *imp_refine_key(const imp_refinement *refinement, int64_t point) {
    assert(point >= 0 && point <= (int64_t)refinement->points.n); /* the last round is empty */
    return refinement->points.keys + point * refinement->n_axes;
}

/* ---- the life of a refinement ---- */

static void take_plan(imp_refinement *r, const imp_refine_plan *plan) {
    r->plan = *plan;
    r->n_axes = plan->lattice.n_axes;
    r->n_corners = 1 << r->n_axes;
    r->bits = imp_lattice_bits(r->n_axes);
    r->width = imp_refine_width(plan);
    r->unprobed = r->width * (plan->unprobed > 1 ? (uint32_t)plan->unprobed : 1);
    r->tolerance = plan->boundary * (double)(UINT64_C(1) << r->bits);
    for (int i = 0; i < plan->n_rules; i++) {
        if (plan->rules[i].kind == IMP_RULE_JUMP) {
            r->jump[r->n_jumps++] = plan->rules[i].number;
        }
    }
}

imp_err imp_refine_open(const imp_refine_plan *plan, imp_refinement **refinement) {
    imp_refinement *r = calloc(1, sizeof *r);
    *refinement = r;
    if (!r) {
        return imp_out_of_memory();
    }
    take_plan(r, plan);
    assert(plan->budget == 0 || plan->budget >= imp_refine_base_points(plan, r->n_axes));
    r->points = imp_key_set_of(r->n_axes);
    r->class_keys = imp_key_set_of(1 + 2 * IMP_MAX_RULES);
    r->edges.keys = imp_key_set_of(r->n_axes + 1);
    r->filaments.seeds = imp_key_set_of(r->n_axes);
    r->filaments.rings = imp_key_set_of(r->n_axes);
    r->filaments.covered = imp_key_set_of(r->n_axes + 1);
    for (int level = 0; level < IMP_LEVELS; level++) {
        imp_level *l = &r->levels.level[level];
        l->examined = l->mixed = l->divided = r->tree.cells[level] = imp_key_set_of(r->n_axes);
    }
    r->audit_first = INT64_MAX;
    return IMP_OK;
}

void imp_refine_close(imp_refinement **refinement) {
    imp_refinement *r = *refinement;
    if (!r) {
        return;
    }
    imp_key_set *sets[] = {&r->points,          &r->class_keys,      &r->edges.keys,
                           &r->filaments.seeds, &r->filaments.rings, &r->filaments.covered};
    void *arrays[] = {r->class_of,
                      r->jumps,
                      r->classes,
                      r->outcome,
                      r->values,
                      r->edges.edges,
                      r->filaments.walks,
                      r->filaments.covers,
                      r->tree.active.places,
                      r->tree.checks.places};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        imp_key_set_free(sets[i]);
    }
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    for (int level = 0; level < IMP_LEVELS; level++) {
        imp_level *l = &r->levels.level[level];
        imp_key_set_free(&l->examined);
        imp_key_set_free(&l->mixed);
        imp_key_set_free(&l->divided);
        free(l->corners);
        imp_key_set_free(&r->tree.cells[level]);
        free(r->tree.leaf[level]);
        free(r->tree.strips[level]);
    }
    free(r);
    *refinement = NULL;
}

/* ---- rounds ---- */

/* Calls the stages until one of them asks for points. */
static imp_err ask_more(imp_refinement *r) {
    bool curves = r->n_axes == 2 || r->n_axes == 3;
    size_t before = r->points.n;
    imp_err error = IMP_OK;
    while (!error && r->points.n == before && r->stage != IMP_STAGE_END) {
        switch (r->stage) {
        case IMP_STAGE_LEVELS:
            error = imp_levels_step(r);
            break;
        case IMP_STAGE_FILAMENTS:
            error = r->plan.filaments && r->n_axes == 2 ? imp_filaments_step(r) : IMP_OK;
            break;
        case IMP_STAGE_TRACE:
            r->statistics.tracing = r->plan.boundary > 0;
            error = !r->statistics.tracing ? IMP_OK
                    : curves               ? imp_trace_step(r)
                                           : imp_brackets_step(r);
            break;
        case IMP_STAGE_AUDIT:
            error = imp_audit_step(r);
            break;
        default:
            break;
        }
        r->stage += r->points.n == before;
    }
    return error;
}

/* Removes a round that exceeds the budget, and goes on to the audit. */
static imp_err stop_at_budget(imp_refinement *r, size_t before) {
    if (r->stage == IMP_STAGE_LEVELS) {
        imp_levels_stop(r);
    }
    r->state = IMP_REFINE_BUDGET;
    r->stage = IMP_STAGE_AUDIT;
    imp_key_set_cut(&r->points, before);
    return ask_more(r);
}

/* Makes room for the outcomes and values of a round. */
static imp_err begin_round(imp_refinement *r, size_t first) {
    size_t n = r->points.n - first;
    if (n > r->round_room) {
        free(r->outcome);
        free(r->values);
        r->round_room = n;
        r->outcome = malloc(n);
        r->values = malloc(n * (size_t)r->plan.n_rules * sizeof *r->values);
        if (!r->outcome || !r->values) {
            r->round_room = 0;
            return imp_out_of_memory();
        }
    }
    if (n > 0) {
        memset(r->outcome, IMP_PENDING, n);
    }
    r->round_first = (int64_t)first;
    r->round_n = n;
    r->round_told = 0;
    r->statistics.rounds += n > 0;
    return IMP_OK;
}

imp_err imp_refine_next(imp_refinement *r, imp_refine_round *round) {
    size_t before = r->points.n;
    *round = (imp_refine_round){.n = 0};
    if (r->round_told < r->round_n) {
        return imp_fail(IMP_ERR_INPUT,
                        "the next round was asked for before every point of the last one was told");
    }
    imp_err error = ask_more(r);
    bool main = r->stage < IMP_STAGE_AUDIT;
    if (!error && main && r->plan.budget > 0 && r->points.n > (size_t)r->plan.budget) {
        error = stop_at_budget(r, before);
    }
    error = error ? error : begin_round(r, before);
    if (error) {
        return error;
    }
    bool audit = r->stage == IMP_STAGE_AUDIT;
    r->statistics.points =
        audit || r->stage == IMP_STAGE_END ? r->statistics.points : (int64_t)r->points.n;
    r->statistics.audit_points = (int64_t)r->points.n - r->statistics.points;
    if (r->stage == IMP_STAGE_END && r->state == IMP_REFINE_RUNNING) {
        r->state = IMP_REFINE_DONE;
    }
    *round = (imp_refine_round){.first = r->round_first,
                                .n = r->round_n,
                                .keys = imp_refine_key(r, r->round_first),
                                .audit = audit};
    return IMP_OK;
}

imp_err imp_refine_tell(imp_refinement *r, int64_t first, size_t n, const uint8_t *outcome,
                        const double *values) {
    int64_t at = first - r->round_first;
    size_t rules = (size_t)r->plan.n_rules;
    if (at < 0 || (uint64_t)at + n > r->round_n) {
        return imp_fail(IMP_ERR_INPUT, "points were told that are not in the present round");
    }
    for (size_t i = 0; i < n; i++) {
        size_t to = (size_t)at + i;
        r->round_told += r->outcome[to] == IMP_PENDING;
        r->outcome[to] = outcome[i];
        memcpy(r->values + to * rules, values + i * rules, rules * sizeof *values);
    }
    return r->round_told == r->round_n && n > 0 ? imp_classes_take(r) : IMP_OK;
}

imp_refine_state imp_refine_state_of(const imp_refinement *refinement) {
    return refinement->state;
}

imp_refine_statistics imp_refine_statistics_of(const imp_refinement *refinement) {
    return refinement->statistics;
}
