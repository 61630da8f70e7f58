/* One cell of a search: its workspace, its probes, its results. */
#include "solve/search/search_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "solve/solver.h"

/* Outputs whose extremes reveal hidden changes of mode, in theories that have these outputs. */
static const char *const witness_names[IMP_WITNESSES] = {"kinematic_restitution", "energy_loss"};

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

static void find_outputs(imp_search_work *w) {
    const imp_search_plan *plan = &w->search->plan;
    bool category = plan->kind->needs_set || plan->kind->takes_values;
    w->mode = imp_output_index(w->solver, "mode");
    w->code = category ? plan->of : w->mode;
    w->value = category ? -1 : plan->of;
    for (int k = 0; k < IMP_WITNESSES; k++) {
        w->witness[k] =
            plan->kind->finds_roots ? imp_output_index(w->solver, witness_names[k]) : -1;
    }
}

/* Lines of many samples are searched alone, for the sake of memory. */
static void choose_at_once(imp_search_work *w) {
    enum { SAMPLES = 1 << 13 };
    const imp_search_plan *plan = &w->search->plan;
    int most = plan->over[0].samples;
    most = plan->n_over > 1 && plan->over[1].samples > most ? plan->over[1].samples : most;
    w->at_once = SAMPLES / most < 1 ? 1 : SAMPLES / most;
    w->at_once = w->at_once < IMP_SEARCHES_AT_ONCE ? w->at_once : IMP_SEARCHES_AT_ONCE;
}

static bool allocate(imp_search_work *w) {
    const imp_theory *inner = w->search->plan.theory;
    size_t all = 0;
    for (int o = 0; o < inner->n_outputs; o++) {
        all += IMP_PROBES_AT_ONCE * imp_output_length(&inner->outputs[o]);
    }
    w->values = calloc(all + 1, sizeof *w->values);
    double *at = w->values;
    for (int o = 0; w->values && o < inner->n_outputs; o++) {
        w->others[o] = at;
        at += IMP_PROBES_AT_ONCE * imp_output_length(&inner->outputs[o]);
    }
    choose_at_once(w);
    bool good = w->values;
    /* Searches of a rectangle, which follow its boundaries, have no lines. */
    int n = w->search->plan.kind->least_over == 2 ? 0 : w->search->plan.n_over;
    for (int k = 0; good && k < n; k++) {
        good = imp_scan_open(&w->scan[k], w->at_once, w->search->plan.over[n - 1 - k].samples);
    }
    return good;
}

imp_err imp_search_cell_open(imp_instance *instance) {
    imp_search_work *w = calloc(1, sizeof *w);
    instance->work = w;
    if (!w) {
        return imp_out_of_memory();
    }
    w->search = (const imp_search *)instance->theory;
    imp_err error = imp_reduced_open(&w->search->lists, instance->chosen, &w->solver);
    if (!error && !allocate(w)) {
        error = imp_out_of_memory();
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

/* The inputs that a call gives, which keep their values along a line, and those searched over. */
static void find_asked(imp_search_work *w) {
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        bool follows = imp_reduced_follows(&w->search->lists, imp_input_at(w->solver, p)->name);
        bool asked = source >= OVER || (source >= 0 && w->given[source] && !follows);
        w->asked[p] = asked ? w->in[p] : NULL;
    }
}

/* Solves the first n probes. After a failure every sample counts as outside, so that the search
 * comes to an end. */
static void solve(imp_search_work *w, size_t n, double *const *out) {
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        for (size_t i = 0; w->asked[p] && i < n; i++) {
            w->in[p][i] = source >= OVER ? w->at[source - OVER][i] : w->given[source][w->cell[i]];
        }
    }
    w->error = w->error ? w->error : imp_solve(w->solver, n, w->asked, out, w->outcome);
    if (w->error) {
        memset(w->outcome, IMP_OUTSIDE, n);
    }
}

static double measured(const imp_search_work *w, int output, size_t i) {
    return output >= 0 ? w->measured[output][i] : NAN;
}

bool imp_search_in_set(const imp_search_plan *plan, double value) {
    if (plan->theory->outputs[plan->of].kind == IMP_CATEGORY) {
        return plan->inside >> (int)value & 1;
    }
    for (int k = 0; k < plan->n_set; k++) {
        if (value == plan->set[k].value || value == plan->set[k].wide) {
            return true;
        }
    }
    return false;
}

/* The code of the searched output: of a category its own; of a sequence or a count 1 in the set, 0
 * outside. */
static int searched_code(const imp_search_work *w, size_t i) {
    const imp_search_plan *plan = &w->search->plan;
    double value = w->measured[w->code][i];
    bool category = plan->theory->outputs[plan->of].kind == IMP_CATEGORY;
    return category ? (int)value : imp_search_in_set(plan, value);
}

/* A code for both the mode and the searched output: a piece has one of each. */
static int code_of(const imp_search_work *w, size_t i) {
    if (w->outcome[i] != IMP_SOLVED) {
        return -1 - w->outcome[i];
    }
    int mode = w->mode >= 0 ? (int)w->measured[w->mode][i] : 0;
    return w->code == w->mode ? mode : mode * 64 + searched_code(w, i);
}

static void want(imp_search_work *w, int output, double **wanted) {
    if (output >= 0) {
        wanted[output] = w->measured[output];
    }
}

/* imp_scan_interval.measure over the last parameter. */
static void measure(void *context, bool witnesses, size_t n, imp_probe *probes) {
    imp_search_work *w = context;
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    want(w, w->mode, wanted);
    want(w, w->code, wanted);
    want(w, w->value, wanted);
    for (int k = 0; witnesses && k < IMP_WITNESSES; k++) {
        want(w, w->witness[k], wanted);
    }
    for (size_t i = 0; i < n; i++) {
        const imp_search_line *line = &w->line[probes[i].line];
        w->cell[i] = line->cell;
        w->at[0][i] = line->outer;
        w->at[w->search->plan.n_over - 1][i] = probes[i].x;
    }
    solve(w, n, wanted);
    for (size_t i = 0; i < n; i++) {
        probes[i].code = code_of(w, i);
        probes[i].dear = w->outcome[i] == IMP_BUDGET;
        probes[i].value = measured(w, w->value, i);
        for (int k = 0; k < IMP_WITNESSES; k++) {
            probes[i].witness[k] = witnesses ? measured(w, w->witness[k], i) : NAN;
        }
        w->line[probes[i].line].failed |=
            w->outcome[i] != IMP_SOLVED && w->outcome[i] != IMP_OUTSIDE;
    }
}

/* Kernels take least time for cells with the body of the cell before: lines side by side have the
 * same where a parameter of an option, for instance of a body, is searched over. */
static bool is_of_option(const imp_theory *theory, const imp_parameter *parameter) {
    for (int p = 0; p < theory->n_parameters; p++) {
        if (theory->parameters[p] == parameter) {
            return false;
        }
    }
    return true;
}

imp_scan_interval imp_search_interval(imp_search_work *w, int k) {
    const imp_search_plan *plan = &w->search->plan;
    const imp_over *over = &plan->over[k];
    return (imp_scan_interval){
        .measure = measure,
        .context = w,
        .from = over->from,
        .to = over->to,
        .samples = over->samples,
        .logarithmic = over->logarithmic,
        .side_by_side = is_of_option(plan->theory, over->parameter),
        .tolerance = plan->tolerance * (over->to - over->from),
        .counted = -1 - IMP_OUTSIDE,
    };
}

void imp_search_check(imp_search_work *w, bool good) {
    if (!good && !w->error) {
        w->error = imp_out_of_memory();
    }
}

bool imp_search_grow(imp_search_work *w, void *array, size_t *room, size_t n, size_t size) {
    bool good = !imp_grow(array, room, n, size);
    imp_search_check(w, good);
    return good;
}

void imp_search_measure(imp_search_work *w, size_t n, int parts) {
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    want(w, w->search->plan.of, wanted);
    imp_set_budget(w->solver, parts > w->budget ? 1 : w->budget / parts);
    solve(w, n, wanted);
    imp_set_budget(w->solver, w->budget);
}

/* ---- results ---- */

/* The values of an output for a cell; NULL if it is not wanted. */
static double *slot(const imp_search_work *w, int output, size_t cell) {
    size_t length = imp_output_length(&w->search->outputs[output]);
    return w->out[output] ? w->out[output] + cell * length : NULL;
}

/* Sets every output to its value without a root. */
static void blank(const imp_search_work *w, size_t n) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double nothing = w->search->outputs[o].kind == IMP_REAL ? NAN : 0;
        size_t all = n * imp_output_length(&w->search->outputs[o]);
        for (size_t k = 0; w->out[o] && k < all; k++) {
            w->out[o][k] = nothing;
        }
    }
}

int imp_search_mode(const imp_search_work *w, const imp_probe *probe) {
    return probe->code < 0 ? 0 : w->code == w->mode ? probe->code : probe->code / 64;
}

int imp_search_code_at(const imp_search_work *w, const imp_probe *probe) {
    return probe->code < 0 ? -1 : w->code == w->mode ? probe->code : probe->code % 64;
}

void imp_search_put(const imp_search_work *w, size_t cell, imp_search_found found, int k,
                    double value) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = w->search->found[o] == found ? slot(w, o, cell) : NULL;
        if (values) {
            values[k] = value;
        }
    }
}

void imp_search_put_flag(const imp_search_work *w, size_t cell, bool more, bool hidden, bool failed,
                         double outside) {
    int flag = 1 + more + 2 * hidden + 4 * failed + 8 * (outside > 0);
    imp_search_put(w, cell, IMP_FOUND_FLAG, 0, flag);
    imp_search_put(w, cell, IMP_FOUND_OUTSIDE, 0, outside);
}

static bool is_other(const imp_search_work *w, int output) {
    return w->search->found[output] == IMP_FOUND_OTHER && w->out[output];
}

static void put_spot(imp_search_work *w, size_t i) {
    const imp_search_spot *spot = &w->spot[i];
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        if (!is_other(w, o)) {
            continue;
        }
        int inner = w->search->inner_output[o];
        size_t length = imp_output_length(&w->search->plan.theory->outputs[inner]);
        const double *from = w->others[inner] + i * length;
        double *values = slot(w, o, spot->cell);
        if (spot->k >= 0) {
            values[spot->k] = from[0];
        } else {
            memcpy(values, from, length * sizeof *values);
        }
    }
}

/* Solves the spots that wait and writes the theory's outputs there. */
static void put_spots(imp_search_work *w) {
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        if (is_other(w, o)) {
            wanted[w->search->inner_output[o]] = w->others[w->search->inner_output[o]];
        }
    }
    for (size_t i = 0; i < w->n_spots; i++) {
        w->cell[i] = w->spot[i].cell;
        for (int k = 0; k < w->search->plan.n_over; k++) {
            w->at[k][i] = w->spot[i].at[k];
        }
    }
    solve(w, w->n_spots, wanted);
    for (size_t i = 0; i < w->n_spots; i++) {
        put_spot(w, i);
    }
    w->n_spots = 0;
}

void imp_search_put_others(imp_search_work *w, const imp_search_spot *spot) {
    bool any = false;
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        any |= is_other(w, o);
    }
    if (any && w->n_spots == IMP_PROBES_AT_ONCE) {
        put_spots(w);
    }
    if (any) {
        w->spot[w->n_spots++] = *spot;
    }
}

double imp_search_outside(const imp_scan *scan, int line) {
    return (double)scan->line[line].counted / scan->interval.samples;
}

imp_outcome imp_search_scanned(const imp_line *line) {
    for (int i = 0; i < line->n; i++) {
        if (line->probe[i].code >= 0) {
            return IMP_SOLVED;
        }
    }
    return (imp_outcome)(-1 - line->probe[0].code);
}

imp_err imp_search_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                              double *const *out, uint8_t *outcome) {
    imp_search_work *w = instance->work;
    w->budget = instance->budget;
    imp_set_budget(w->solver, w->budget);
    w->error = IMP_OK;
    w->given = in;
    w->out = out;
    w->n_spots = 0;
    find_asked(w);
    blank(w, n);
    for (w->first = 0; !w->error && w->first < n; w->first += (size_t)w->at_once) {
        size_t left = n - w->first, most = (size_t)w->at_once;
        w->search->plan.kind->solve(w, (int)(left < most ? left : most), outcome + w->first);
    }
    put_spots(w);
    return w->error;
}
