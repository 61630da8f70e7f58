/* One cell of a search: its workspace, its probes, its results. */
#include "solve/search/search_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/solver.h"

/* Outputs whose extremes reveal hidden changes of mode, in theories that have these outputs. */
static const char *const witnesses[IMP_WITNESSES] = {"kinematic_restitution", "energy_loss"};

enum { OVER = IMP_MAX_PARAMETERS, NOWHERE = -1 };

/* ---- workspace ---- */

static void find_sources(imp_search_work *w, const int *chosen) {
    imp_signature outer = imp_signature_of(&w->search->theory, chosen);
    w->n_inputs = imp_input_count(w->solver);
    for (int p = 0; p < w->n_inputs; p++) {
        const char *name = imp_input_at(w->solver, p)->name;
        w->source[p] = imp_signature_find(&outer, name);
        for (int k = 0; k < w->search->plan.n_over; k++) {
            if (strcmp(w->search->plan.over[k].parameter->name, name) == 0) {
                w->source[p] = OVER + k;
            }
        }
    }
}

static void want(imp_search_work *w, int output) {
    if (output >= 0) {
        w->wanted[output] = w->measured[output];
    }
}

static void find_outputs(imp_search_work *w) {
    const imp_search_plan *plan = &w->search->plan;
    bool category = plan->kind->needs_set;
    w->mode = imp_output_index(w->solver, "mode");
    w->code = category ? plan->of : w->mode;
    w->value = category ? -1 : plan->of;
    for (int k = 0; k < IMP_WITNESSES; k++) {
        w->witness[k] = plan->kind->finds_roots ? imp_output_index(w->solver, witnesses[k]) : -1;
        want(w, w->witness[k]);
    }
    want(w, w->mode);
    want(w, w->code);
    want(w, w->value);
}

static bool allocate(imp_search_work *w) {
    const imp_theory *inner = w->search->plan.theory;
    size_t all = 0;
    for (int o = 0; o < inner->n_outputs; o++) {
        all += imp_output_length(&inner->outputs[o]);
    }
    w->values = calloc(all + 1, sizeof *w->values);
    double *at = w->values;
    for (int o = 0; w->values && o < inner->n_outputs; o++) {
        w->others[o] = at;
        at += imp_output_length(&inner->outputs[o]);
    }
    bool good = w->values;
    for (int k = 0, n = w->search->plan.n_over; good && k < n; k++) {
        good = imp_scan_open(&w->scan[k], w->search->plan.over[n - 1 - k].samples);
    }
    return good;
}

imp_err imp_search_cell_open(imp_instance *instance) {
    imp_search_work *w = calloc(1, sizeof *w);
    instance->work = w;
    if (!w) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    w->search = (const imp_search *)instance->theory;
    imp_signature inner = imp_signature_of(w->search->plan.theory, instance->chosen);
    imp_err error = imp_solver_open(&inner, &w->solver);
    if (!error && !allocate(w)) {
        error = imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    if (error) {
        imp_search_cell_close(instance);
        return error;
    }
    find_sources(w, instance->chosen);
    find_outputs(w);
    return IMP_OK;
}

void imp_search_cell_close(imp_instance *instance) {
    imp_search_work *w = instance->work;
    if (!w) {
        return;
    }
    imp_close(&w->solver);
    for (int k = 0; k < IMP_MAX_OVER; k++) {
        imp_scan_free(&w->scan[k]);
    }
    free(w->values);
    free(w);
    instance->work = NULL;
}

/* ---- measuring ---- */

/* The inputs of the cell at hand, which stay the same in all its probes. */
static void set_cell(imp_search_work *w, size_t i, const double *const *in) {
    for (int p = 0; p < w->n_inputs; p++) {
        const double *from = w->source[p] >= 0 && w->source[p] < OVER ? in[w->source[p]] : NULL;
        w->asked[p] = from || w->source[p] >= OVER ? w->in[p] : NULL;
        for (int k = 0; from && k < IMP_PROBES_AT_ONCE; k++) {
            w->in[p][k] = from[i];
        }
    }
    w->failed = false;
}

void imp_search_set_over(imp_search_work *w, int k, size_t n, double value) {
    for (int p = 0; p < w->n_inputs; p++) {
        for (size_t i = 0; w->source[p] == OVER + k && i < n; i++) {
            w->in[p][i] = value;
        }
    }
}

/* After a failure every sample counts as outside, so that the search comes to an end. */
static void solve(imp_search_work *w, size_t n, double *const *out) {
    w->error = w->error ? w->error : imp_solve(w->solver, n, w->asked, out, w->outcome);
    if (w->error) {
        memset(w->outcome, IMP_OUTSIDE, n);
    }
}

static double measured(const imp_search_work *w, int output, size_t i) {
    return output >= 0 ? w->measured[output][i] : NAN;
}

/* The code of the searched output: of a category its own; of a sequence or a count 1 in the set, 0
 * outside. */
static int searched_code(const imp_search_work *w, size_t i) {
    const imp_search_plan *plan = &w->search->plan;
    double value = w->measured[w->code][i];
    if (plan->theory->outputs[plan->of].kind == IMP_CATEGORY) {
        return (int)value;
    }
    for (int k = 0; k < plan->n_set; k++) {
        if (value == plan->set[k].value || value == plan->set[k].wide) {
            return 1;
        }
    }
    return 0;
}

/* A code for both the mode and the searched output: a piece has one of each. */
static int code_of(const imp_search_work *w, size_t i) {
    if (w->outcome[i] != IMP_SOLVED) {
        return -1 - w->outcome[i];
    }
    int mode = w->mode >= 0 ? (int)w->measured[w->mode][i] : 0;
    return w->code == w->mode ? mode : mode * 64 + searched_code(w, i);
}

/* imp_line.measure over the last parameter. */
static void measure(void *context, size_t n, imp_probe *probes) {
    imp_search_work *w = context;
    int last = OVER + w->search->plan.n_over - 1;
    for (int p = 0; p < w->n_inputs; p++) {
        for (size_t i = 0; w->source[p] == last && i < n; i++) {
            w->in[p][i] = probes[i].x;
        }
    }
    solve(w, n, w->wanted);
    for (size_t i = 0; i < n; i++) {
        probes[i].code = code_of(w, i);
        probes[i].value = measured(w, w->value, i);
        for (int k = 0; k < IMP_WITNESSES; k++) {
            probes[i].witness[k] = measured(w, w->witness[k], i);
        }
        w->failed |= w->outcome[i] != IMP_SOLVED && w->outcome[i] != IMP_OUTSIDE;
    }
}

imp_line imp_search_line(imp_search_work *w, int k) {
    const imp_search_plan *plan = &w->search->plan;
    const imp_over *over = &plan->over[k];
    return (imp_line){
        .measure = measure,
        .context = w,
        .from = over->from,
        .to = over->to,
        .samples = over->samples,
        .logarithmic = over->logarithmic,
        .tolerance = plan->tolerance * (over->to - over->from),
    };
}

/* Computes all outputs of the theory at these values of the parameters searched over. */
static void solve_others(imp_search_work *w, const double *at) {
    for (int k = 0; k < w->search->plan.n_over; k++) {
        imp_search_set_over(w, k, 1, at[k]);
    }
    solve(w, 1, w->others);
}

/* ---- results ---- */

/* The values of an output for cell i; NULL if it is not wanted. */
static double *slot(const imp_search_work *w, double *const *out, int output, size_t i) {
    return out[output] ? out[output] + i * imp_output_length(&w->search->outputs[output]) : NULL;
}

/* Sets every output to its value without a root. */
static void blank(const imp_search_work *w, double *const *out, size_t i) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = slot(w, out, o, i);
        size_t length = imp_output_length(&w->search->outputs[o]);
        for (size_t k = 0; values && k < length; k++) {
            values[k] = w->search->outputs[o].kind == IMP_REAL ? NAN : 0;
        }
    }
}

int imp_search_mode(const imp_search_work *w, const imp_probe *probe) {
    return probe->code < 0 ? 0 : w->code == w->mode ? probe->code : probe->code / 64;
}

int imp_search_code_at(const imp_search_work *w, const imp_probe *probe) {
    return probe->code < 0 ? -1 : w->code == w->mode ? probe->code : probe->code % 64;
}

void imp_search_put(const imp_search_work *w, double *const *out, size_t i, imp_found found, int k,
                    double value) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = w->search->found[o] == found ? slot(w, out, o, i) : NULL;
        if (values) {
            values[k] = value;
        }
    }
}

void imp_search_put_others(imp_search_work *w, double *const *out, size_t i, int k,
                           const double *at) {
    bool any = false;
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        any |= w->search->found[o] == IMP_FOUND_OTHER && out[o];
    }
    if (!any) {
        return;
    }
    solve_others(w, at);
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = w->search->found[o] == IMP_FOUND_OTHER ? slot(w, out, o, i) : NULL;
        const double *from = w->others[w->search->inner_output[o]];
        size_t length = imp_output_length(&w->search->outputs[o]);
        if (values && k >= 0) {
            values[k] = from[0];
        } else if (values) {
            memcpy(values, from, length * sizeof *values);
        }
    }
}

imp_outcome imp_search_scanned(const imp_scan *scan) {
    for (int i = 0; i < scan->n; i++) {
        if (scan->probe[i].code >= 0) {
            return IMP_SOLVED;
        }
    }
    return (imp_outcome)(-1 - scan->probe[0].code);
}

imp_err imp_search_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                              double *const *out, uint8_t *outcome) {
    imp_search_work *w = instance->work;
    imp_set_budget(w->solver, instance->budget);
    w->error = IMP_OK;
    for (size_t i = 0; !w->error && i < n; i++) {
        set_cell(w, i, in);
        blank(w, out, i);
        outcome[i] = (uint8_t)(w->search->plan.kind->solve(w, out, i));
    }
    return w->error;
}
