/* Cells of uncertain parameters: the solver of the theory, the draws of a cell, and what they
 * add up to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/uncertain/cell_impl.h"

static void find_sources(imp_uncertain_work *w, const int *chosen) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_signature outer = imp_signature_of(&w->uncertain->theory, chosen);
    w->n_inputs = imp_input_count(w->solver);
    w->replicate = imp_signature_find(&outer, imp_parameter_replicate.name);
    for (int p = 0; p < w->n_inputs; p++) {
        const char *name = imp_input_at(w->solver, p)->name;
        bool follows = imp_reduced_follows(&w->uncertain->lists, name);
        w->source[p] = follows ? -1 : imp_signature_find(&outer, name);
        for (int k = 0; k < plan->n_parameters; k++) {
            if (strcmp(plan->parameter[k].parameter->name, name) == 0) {
                w->centre[k] = plan->parameter[k].scatter == IMP_REPLACES ? -1 : w->source[p];
                w->source[p] = IMP_DRAWN + k;
            }
        }
    }
}

imp_err imp_uncertain_cell_open(imp_instance *instance) {
    imp_uncertain_work *w = calloc(1, sizeof *w);
    instance->work = w;
    if (!w) {
        return imp_out_of_memory();
    }
    w->uncertain = (const imp_uncertain *)instance->theory;
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_signature inner = imp_signature_of(plan->theory, instance->chosen);
    imp_err error = imp_reduced_open(&w->uncertain->lists, instance->chosen, &w->solver);
    const imp_parameter *variant[IMP_MAX_UNCERTAIN];
    for (int k = 0; k < plan->n_parameters; k++) {
        int at = imp_signature_find(&inner, plan->parameter[k].parameter->name);
        variant[k] = at < 0 ? plan->parameter[k].parameter : inner.parameter[at];
    }
    if (!error && !(imp_draws_open(&w->draws, plan, variant) &&
                    imp_tallies_open(&w->tallies, plan, plan->n_quantiles > 0))) {
        error = imp_out_of_memory();
    }
    if (error) {
        imp_uncertain_cell_close(instance);
        return error;
    }
    find_sources(w, instance->chosen);
    return IMP_OK;
}

void imp_uncertain_cell_close(imp_instance *instance) {
    imp_uncertain_work *w = instance->work;
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
static uint64_t hash_of(const imp_uncertain_work *w, const double *const *in, size_t i) {
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

static void begin(imp_uncertain_work *w, const double *const *in, size_t i) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    double centre[IMP_MAX_UNCERTAIN] = {0};
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        bool given = source >= 0 && source < IMP_DRAWN && in[source];
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

/* Draws, solves and counts n draws of a replicate. */
static imp_err solve_batch(imp_uncertain_work *w, const double *const *in, int replicate,
                           int64_t first, int n) {
    const double *value[IMP_MAX_OF];
    for (int of = 0; of < IMP_MAX_OF; of++) {
        value[of] = w->result[of];
    }
    imp_draws_take(&w->draws, replicate, first, n, w->column);
    imp_err error = imp_uncertain_solve_columns(w, in, n);
    if (!error) {
        imp_tallies_add(&w->tallies, replicate, first, n, value, w->outcome, w->column);
    }
    return error;
}

static imp_err solve_cell(imp_uncertain_work *w, const double *const *in, size_t i) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    int64_t draws = imp_uncertain_replicate_draws(plan);
    int group = imp_uncertain_group(plan), batch = IMP_BATCH / group * group;
    imp_err error = IMP_OK;
    begin(w, in, i);
    for (int r = 0; !error && r < plan->replicates; r++) {
        for (int64_t first = 0; !error && first < draws; first += batch) {
            int n = draws - first < batch ? (int)(draws - first) : batch;
            error = solve_batch(w, in, r, first, n);
        }
        imp_tallies_end_replicate(&w->tallies, r);
    }
    return error;
}

static void put(imp_uncertain_work *w, double *const *out, size_t i) {
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
    imp_uncertain_work *w = instance->work;
    imp_err error = IMP_OK;
    imp_set_budget(w->solver, instance->budget);
    for (size_t i = 0; !error && i < n; i++) {
        error = solve_cell(w, in, i);
        error = !error && w->uncertain->plan.by_replicate ? imp_uncertain_cross(w, in) : error;
        error = !error && imp_uncertain_gives(&w->uncertain->plan) ? imp_uncertain_pursue(w, in)
                                                                   : error;
        outcome[i] = IMP_SOLVED;
        put(w, out, i);
    }
    return error;
}
