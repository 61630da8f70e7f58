/* Cells of uncertain parameters: the solver of the theory, the draws of a cell, and what they
 * add up to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stop.h"
#include "solve/uncertain/uncertain_impl.h"

enum { DRAWN = IMP_MAX_PARAMETERS };

typedef struct work {
    const imp_uncertain *uncertain;
    imp_solver *solver; /* of the theory whose parameters are uncertain */
    imp_draws draws;
    imp_draw_tallies tallies;
    int n_inputs, replicate;
    int source[IMP_MAX_PARAMETERS]; /* of the solver's inputs: an input of the cell; DRAWN + number
                                       of an uncertain parameter; -1: none */
    int centre[IMP_MAX_UNCERTAIN];  /* input about which a parameter scatters; -1: it does not */
    double constant[IMP_MAX_PARAMETERS][IMP_BATCH];
    const double *column[IMP_MAX_UNCERTAIN]; /* of the draws at hand */
    double result[IMP_MAX_OF][IMP_BATCH];
    uint8_t outcome[IMP_BATCH];
} work;

static bool wants_quantiles(const imp_uncertain *u) {
    return u->plan.n_quantiles > 0;
}

static bool is_followed(const imp_uncertain_plan *plan, const char *name) {
    for (int f = 0; f < plan->n_followers; f++) {
        if (strcmp(plan->followers[f].parameter->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void find_sources(work *w, const int *chosen) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_signature outer = imp_signature_of(&w->uncertain->theory, chosen);
    w->n_inputs = imp_input_count(w->solver);
    w->replicate = imp_signature_find(&outer, imp_parameter_replicate.name);
    for (int p = 0; p < w->n_inputs; p++) {
        const char *name = imp_input_at(w->solver, p)->name;
        w->source[p] = is_followed(plan, name) ? -1 : imp_signature_find(&outer, name);
        for (int k = 0; k < plan->n_parameters; k++) {
            if (strcmp(plan->parameter[k].parameter->name, name) == 0) {
                w->centre[k] = plan->parameter[k].scatter == IMP_REPLACES ? -1 : w->source[p];
                w->source[p] = DRAWN + k;
            }
        }
    }
}

imp_err imp_uncertain_cell_open(imp_instance *instance) {
    work *w = calloc(1, sizeof *w);
    instance->work = w;
    if (!w) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    w->uncertain = (const imp_uncertain *)instance->theory;
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_signature inner = imp_signature_of(plan->theory, instance->chosen);
    imp_err error = imp_solver_open(&inner, &w->solver);
    if (!error && plan->n_followers > 0) {
        error = imp_solver_follow(w->solver, plan->followers, plan->n_followers);
    }
    const imp_parameter *variant[IMP_MAX_UNCERTAIN];
    for (int k = 0; k < plan->n_parameters; k++) {
        int at = imp_signature_find(&inner, plan->parameter[k].parameter->name);
        variant[k] = at < 0 ? plan->parameter[k].parameter : inner.parameter[at];
    }
    if (!error && !(imp_draws_open(&w->draws, plan, variant) &&
                    imp_tallies_open(&w->tallies, plan, wants_quantiles(w->uncertain)))) {
        error = imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    if (error) {
        imp_uncertain_cell_close(instance);
        return error;
    }
    find_sources(w, instance->chosen);
    return IMP_OK;
}

void imp_uncertain_cell_close(imp_instance *instance) {
    work *w = instance->work;
    if (!w) {
        return;
    }
    imp_close(&w->solver);
    imp_draws_close(&w->draws);
    imp_tallies_close(&w->tallies);
    free(w);
    instance->work = NULL;
}

/* ---- a cell ---- */

/* A hash of the inputs of a cell: FNV-1a over their bits. */
static uint64_t hash_of(const work *w, const double *const *in, size_t i) {
    imp_signature outer =
        imp_signature_of(&w->uncertain->theory, imp_solver_signature(w->solver)->chosen);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int p = 0; p < outer.n_parameters; p++) {
        uint64_t bits = 0;
        if (in[p]) {
            memcpy(&bits, &in[p][i], sizeof bits);
        }
        for (int b = 0; b < 8; b++) {
            hash = (hash ^ (bits >> (8 * b) & 0xFF)) * UINT64_C(0x100000001B3);
        }
    }
    return hash;
}

static void begin(work *w, const double *const *in, size_t i) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    double centre[IMP_MAX_UNCERTAIN] = {0};
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        bool given = source >= 0 && source < DRAWN && in[source];
        for (int k = 0; given && k < IMP_BATCH; k++) {
            w->constant[p][k] = in[source][i];
        }
    }
    for (int k = 0; k < plan->n_parameters; k++) {
        centre[k] = w->centre[k] >= 0 ? in[w->centre[k]][i] : 0;
    }
    uint64_t replicate = w->replicate >= 0 ? (uint64_t)in[w->replicate][i] : 0;
    imp_draws_begin(&w->draws, centre, plan->independent ? hash_of(w, in, i) : 0, replicate);
    imp_tallies_begin(&w->tallies);
}

/* Solves n draws, whose values stand in the columns of the workspace. */
static imp_err solve_columns(work *w, const double *const *in, int n) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    const double *asked[IMP_MAX_PARAMETERS];
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        asked[p] = source >= DRAWN             ? w->column[source - DRAWN]
                   : source >= 0 && in[source] ? w->constant[p]
                                               : NULL;
    }
    for (int of = 0; of < plan->n_of; of++) {
        if (plan->of[of] >= 0) {
            wanted[plan->of[of]] = w->result[of];
        }
    }
    return imp_solve(w->solver, (size_t)n, asked, wanted, w->outcome);
}

/* Draws, solves and counts n draws of a replicate. */
static imp_err solve_batch(work *w, const double *const *in, int replicate, int64_t first, int n) {
    const double *value[IMP_MAX_OF];
    for (int of = 0; of < IMP_MAX_OF; of++) {
        value[of] = w->result[of];
    }
    imp_draws_take(&w->draws, replicate, first, n, w->column);
    imp_err error = solve_columns(w, in, n);
    if (!error) {
        imp_tallies_add(&w->tallies, replicate, first, n, value, w->outcome, w->column);
    }
    return error;
}

static imp_err solve_cell(work *w, const double *const *in, size_t i) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    int64_t draws = imp_uncertain_replicate_draws(plan);
    int group = imp_uncertain_group(plan), batch = IMP_BATCH / group * group;
    imp_err error = IMP_OK;
    begin(w, in, i);
    for (int r = 0; !error && r < plan->replicates; r++) {
        for (int64_t first = 0; !error && first < draws; first += batch) {
            int n = draws - first < batch ? (int)(draws - first) : batch;
            error = imp_stop_wanted() ? imp_fail(IMP_ERR_STOPPED, "stopped within a cell")
                                      : solve_batch(w, in, r, first, n);
        }
        imp_tallies_end_replicate(&w->tallies, r);
    }
    return error;
}

/* ---- extremes ---- */

/* The search for one extreme of one output. */
typedef struct errand {
    work *cell;
    const double *const *in;
    int of;
    imp_err error;
} errand;

/* The value of a parameter at a coordinate of the unit cube, and the other way round. */
static double value_at(const work *w, int k, double t) {
    const imp_uncertain_parameter *p = &w->uncertain->plan.parameter[k];
    const imp_distribution *range = &w->draws.here[k];
    double value = imp_uncertain_value(p, w->draws.centre[k], range->a + (range->b - range->a) * t);
    double least = w->draws.least[k], most = w->draws.most[k];
    return !p->truncate ? value : value < least ? least : value > most ? most : value;
}

static double coordinate_of(const work *w, int k, double value) {
    double one = value_at(w, k, 0), other = value_at(w, k, 1), t = (value - one) / (other - one);
    return !(t >= 0) ? 0 : t > 1 ? 1 : t;
}

/* imp_pursuit.measure */
static bool measure(void *context, int n, imp_summit_place *place) {
    errand *e = context;
    work *w = e->cell;
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    for (int first = 0; !e->error && first < n; first += IMP_BATCH) {
        int count = n - first < IMP_BATCH ? n - first : IMP_BATCH;
        for (int k = 0; k < plan->n_parameters; k++) {
            for (int i = 0; i < count; i++) {
                w->draws.value[k][i] = value_at(w, k, place[first + i].t[k]);
            }
            w->column[k] = w->draws.value[k];
        }
        e->error = imp_stop_wanted() ? imp_fail(IMP_ERR_STOPPED, "stopped within a cell")
                                     : solve_columns(w, e->in, count);
        for (int i = 0; !e->error && i < count; i++) {
            place[first + i].value = w->outcome[i] == IMP_SOLVED ? w->result[e->of][i] : NAN;
        }
    }
    return !e->error;
}

/* Seeks the extremes of an output from the best draws of the replicates. */
static imp_err pursue(work *w, const double *const *in, int of, int which) {
    imp_draw_tally *t = &w->tallies.of[of];
    errand e = {w, in, of, IMP_OK};
    imp_pursuit pursuit = {.measure = measure,
                           .context = &e,
                           .n_axes = w->uncertain->plan.n_parameters,
                           .n_starts = t->n_best[which],
                           .sign = which ? 1 : -1};
    if (t->n_best[which] == 0) {
        return IMP_OK;
    }
    for (int s = 0; s < pursuit.n_starts; s++) {
        for (int k = 0; k < pursuit.n_axes; k++) {
            pursuit.start[s].t[k] = coordinate_of(w, k, t->best[which][s].t[k]);
        }
    }
    if (!measure(&e, pursuit.n_starts, pursuit.start)) { /* with the rounding of coordinates */
        return e.error;
    }
    imp_summit_place best = imp_pursue(&pursuit);
    t->best[which][0].value = best.value;
    for (int k = 0; k < pursuit.n_axes; k++) {
        t->best[which][0].t[k] = value_at(w, k, best.t[k]);
    }
    return e.error;
}

static imp_err pursue_all(work *w, const double *const *in) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_err error = IMP_OK;
    for (int of = 0; of < plan->n_of; of++) {
        for (int which = 0; !error && which < 2; which++) {
            error = plan->give[which] ? pursue(w, in, of, which) : IMP_OK;
        }
    }
    return error;
}

static void put(const work *w, double *const *out, size_t i) {
    const imp_uncertain *u = w->uncertain;
    for (int o = 0; o < u->theory.n_outputs; o++) {
        size_t length = imp_output_length(&u->outputs[o]);
        if (out[o]) {
            imp_tallies_put(&w->tallies, &u->source[o], (int)length, out[o] + i * length);
        }
    }
}

imp_err imp_uncertain_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                                 double *const *out, uint8_t *outcome) {
    work *w = instance->work;
    imp_err error = IMP_OK;
    imp_set_budget(w->solver, instance->budget);
    for (size_t i = 0; !error && i < n; i++) {
        error = solve_cell(w, in, i);
        error = !error && imp_uncertain_gives(&w->uncertain->plan) ? pursue_all(w, in) : error;
        outcome[i] = IMP_SOLVED;
        put(w, out, i);
    }
    return error;
}
