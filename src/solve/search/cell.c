#include "solve/search/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/scan.h"
#include "solve/solver.h"

/* Outputs whose extremes give hidden changes of mode away, where a theory has them. */
static const char *const witnesses[IMP_WITNESSES] = {"kinematic_restitution", "energy_loss"};

enum { OVER = IMP_MAX_PARAMETERS, NOWHERE = -1 };

typedef struct work {
    const imp_search *search;
    imp_solver *solver; /* of the theory that is searched */
    int n_inputs;
    int source[IMP_MAX_PARAMETERS]; /* of its inputs: the search's input, OVER + k, or NOWHERE */
    bool given[IMP_MAX_PARAMETERS]; /* not where another parameter stands for it */
    int mode, code, value, witness[IMP_WITNESSES]; /* its outputs; -1: none */
    double in[IMP_MAX_PARAMETERS][IMP_PROBES_AT_ONCE];
    double measured[IMP_MAX_OUTPUTS][IMP_PROBES_AT_ONCE];
    uint8_t outcome[IMP_PROBES_AT_ONCE];
    imp_err error; /* memory ran out in a sample: the first failure */
    bool failed;   /* a sample of the cell at hand was not solved, nor is it outside */
    imp_scan scan[IMP_MAX_OVER]; /* [0] over the last parameter, [1] over the first of two */
    imp_crossing crossing[2 * IMP_MAX_ROOTS];
    double *others[IMP_MAX_OUTPUTS]; /* values at one place, of the theory's outputs */
    double *values;
} work;

/* ---- workspace ---- */

static void find_sources(work *w, const int *chosen) {
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

static void find_outputs(work *w) {
    const imp_search_plan *plan = &w->search->plan;
    bool category = plan->theory->outputs[plan->of].kind == IMP_CATEGORY;
    w->mode = imp_output_index(w->solver, "mode");
    w->code = category ? plan->of : w->mode;
    w->value = category ? -1 : plan->of;
    for (int k = 0; k < IMP_WITNESSES; k++) {
        w->witness[k] = plan->find == IMP_FIND_MAXIMUM || plan->find == IMP_FIND_MINIMUM
                            ? -1
                            : imp_output_index(w->solver, witnesses[k]);
    }
}

static bool allocate(work *w) {
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

imp_err imp_search_cell_open(const imp_theory *self, const int *chosen, void **out) {
    work *w = calloc(1, sizeof *w);
    *out = w;
    if (!w) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    w->search = (const imp_search *)self;
    imp_signature inner = imp_signature_of(w->search->plan.theory, chosen);
    imp_err error = imp_solver_open(&inner, &w->solver);
    if (!error && !allocate(w)) {
        error = imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    if (error) {
        imp_search_cell_close(out);
        return error;
    }
    find_sources(w, chosen);
    find_outputs(w);
    return IMP_OK;
}

void imp_search_cell_close(void **out) {
    work *w = *out;
    if (!w) {
        return;
    }
    imp_close(&w->solver);
    for (int k = 0; k < IMP_MAX_OVER; k++) {
        imp_scan_free(&w->scan[k]);
    }
    free(w->values);
    free(w);
    *out = NULL;
}

/* ---- measuring ---- */

/* The inputs of the cell at hand, which stay the same in all its probes. */
static void set_cell(work *w, size_t i, const double *const *in) {
    for (int p = 0; p < w->n_inputs; p++) {
        const double *from = w->source[p] >= 0 && w->source[p] < OVER ? in[w->source[p]] : NULL;
        w->given[p] = from || w->source[p] >= OVER;
        for (int k = 0; from && k < IMP_PROBES_AT_ONCE; k++) {
            w->in[p][k] = from[i];
        }
    }
    w->failed = false;
}

static void set_over(work *w, int k, size_t n, double value) {
    for (int p = 0; p < w->n_inputs; p++) {
        for (size_t i = 0; w->source[p] == OVER + k && i < n; i++) {
            w->in[p][i] = value;
        }
    }
}

static void want(work *w, int output, double *out[IMP_MAX_OUTPUTS]) {
    if (output >= 0) {
        out[output] = w->measured[output];
    }
}

static void point_at(const work *w, const double *in[IMP_MAX_PARAMETERS]) {
    for (int p = 0; p < w->n_inputs; p++) {
        in[p] = w->given[p] ? w->in[p] : NULL;
    }
}

/* After a failure every sample counts as outside, so that the search comes to an end. */
static void solve(work *w, size_t n, const double *const *in, double *const *out) {
    w->error = w->error ? w->error : imp_solve(w->solver, n, in, out, w->outcome);
    if (w->error) {
        memset(w->outcome, IMP_OUTSIDE, n);
    }
}

/* Solves n probes, whose inputs are set. */
static void solve_probes(work *w, size_t n) {
    const double *in[IMP_MAX_PARAMETERS];
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    point_at(w, in);
    want(w, w->mode, out);
    want(w, w->code, out);
    want(w, w->value, out);
    for (int k = 0; k < IMP_WITNESSES; k++) {
        want(w, w->witness[k], out);
    }
    solve(w, n, in, out);
}

static double measured(const work *w, int output, size_t i) {
    return output >= 0 ? w->measured[output][i] : NAN;
}

/* Both the mode and the category that is looked at tell pieces apart. */
static int code_of(const work *w, size_t i) {
    if (w->outcome[i] != IMP_SOLVED) {
        return -1 - w->outcome[i];
    }
    int mode = w->mode >= 0 ? (int)w->measured[w->mode][i] : 0;
    return w->code == w->mode ? mode : mode * 64 + (int)w->measured[w->code][i];
}

/* imp_line.measure over the last parameter. */
static void measure(void *context, size_t n, imp_probe *probes) {
    work *w = context;
    int last = OVER + w->search->plan.n_over - 1;
    for (int p = 0; p < w->n_inputs; p++) {
        for (size_t i = 0; w->source[p] == last && i < n; i++) {
            w->in[p][i] = probes[i].x;
        }
    }
    solve_probes(w, n);
    for (size_t i = 0; i < n; i++) {
        probes[i].code = code_of(w, i);
        probes[i].value = measured(w, w->value, i);
        for (int k = 0; k < IMP_WITNESSES; k++) {
            probes[i].witness[k] = measured(w, w->witness[k], i);
        }
        w->failed |= w->outcome[i] != IMP_SOLVED && w->outcome[i] != IMP_OUTSIDE;
    }
}

static imp_line line_over(work *w, int k) {
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

/* Everything that the theory says where the parameters searched over have these values. */
static void solve_others(work *w, const double *at) {
    const double *in[IMP_MAX_PARAMETERS];
    for (int k = 0; k < w->search->plan.n_over; k++) {
        set_over(w, k, 1, at[k]);
    }
    point_at(w, in);
    solve(w, 1, in, w->others);
}

/* ---- results ---- */

/* Where the values of an output stand for cell i; NULL if it is not wanted. */
static double *slot(const work *w, double *const *out, int output, size_t i) {
    return out[output] ? out[output] + i * imp_output_length(&w->search->outputs[output]) : NULL;
}

/* Every list begins as one without a root. */
static void blank(const work *w, double *const *out, size_t i) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = slot(w, out, o, i);
        size_t length = imp_output_length(&w->search->outputs[o]);
        for (size_t k = 0; values && k < length; k++) {
            values[k] = w->search->outputs[o].kind == IMP_REAL ? NAN : 0;
        }
    }
}

static int mode_of(const work *w, const imp_probe *probe) {
    return probe->code < 0 ? 0 : w->code == w->mode ? probe->code : probe->code / 64;
}

/* Whether the category that is looked at lies in the set. */
static bool is_inside(const void *context, const imp_probe *probe) {
    const work *w = context;
    int code = w->code == w->mode ? probe->code : probe->code % 64;
    return probe->code >= 0 && (w->search->plan.inside >> code & 1);
}

/* The end of the bracket at which the theory's outputs are given. */
static const imp_probe *end_of(const work *w, const imp_crossing *c) {
    if (w->search->plan.find == IMP_FIND_BOUNDARY) {
        return is_inside(w, &c->above) ? &c->above : &c->below;
    }
    double aim = w->search->plan.value;
    return fabs(c->above.value - aim) < fabs(c->below.value - aim) ? &c->above : &c->below;
}

static double side_of(const work *w, const imp_crossing *c) {
    if (w->search->plan.find == IMP_FIND_BOUNDARY) {
        return is_inside(w, &c->above) ? IMP_SIDE_ENTERS : IMP_SIDE_LEAVES;
    }
    return c->above.value >= w->search->plan.value ? IMP_SIDE_RISES : IMP_SIDE_FALLS;
}

static void put_at(const work *w, double *const *out, size_t i, imp_found found, int k,
                   double value) {
    for (int o = 0; o < w->search->theory.n_outputs; o++) {
        double *values = w->search->found[o] == found ? slot(w, out, o, i) : NULL;
        if (values) {
            values[k] = value;
        }
    }
}

static void put_others(work *w, double *const *out, size_t i, int k, const double *at) {
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

static void put_root(work *w, double *const *out, size_t i, int k, const imp_crossing *c) {
    double at = end_of(w, c)->x;
    put_at(w, out, i, IMP_FOUND_ROOT, k, at);
    put_at(w, out, i, IMP_FOUND_SIDE, k, side_of(w, c));
    put_at(w, out, i, IMP_FOUND_BRACKET, k, c->above.x - c->below.x);
    put_at(w, out, i, IMP_FOUND_BELOW, k, mode_of(w, &c->below));
    put_at(w, out, i, IMP_FOUND_ABOVE, k, mode_of(w, &c->above));
    put_others(w, out, i, k, &at);
}

static bool any_crowded(const work *w, int n) {
    for (int k = 0; k + 1 < n; k++) {
        if (imp_scan_crowded(&w->scan[0], w->crossing[k].below.x, w->crossing[k + 1].below.x)) {
            return true;
        }
    }
    return false;
}

/* Sets roots and leaps apart, in their order. */
static void put_crossings(work *w, double *const *out, size_t i, int found) {
    int most = w->search->plan.max_roots, roots = 0, jumps = 0;
    int n = found < 2 * IMP_MAX_ROOTS ? found : 2 * IMP_MAX_ROOTS;
    bool leaps = w->search->plan.find == IMP_FIND_TARGET;
    for (int k = 0; k < n; k++) {
        const imp_crossing *c = &w->crossing[k];
        if (leaps && c->jump) {
            if (jumps < most) {
                put_at(w, out, i, IMP_FOUND_JUMP, jumps, end_of(w, c)->x);
            }
            jumps++;
        } else if (roots++ < most) {
            put_root(w, out, i, roots - 1, c);
        }
    }
    bool more = roots > most || jumps > most || found > n || w->scan[0].overflow;
    put_at(w, out, i, IMP_FOUND_COUNT, 0, roots + found - n);
    put_at(w, out, i, IMP_FOUND_JUMP_COUNT, 0, jumps);
    put_at(w, out, i, IMP_FOUND_FLAG, 0, 1 + more + 2 * any_crowded(w, n) + 4 * w->failed);
}

/* ---- the three kinds of search ---- */

/* The first reason when no sample is solved. */
static imp_outcome nothing_solved(const imp_scan *scan) {
    for (int i = 0; i < scan->n; i++) {
        if (scan->probe[i].code >= 0) {
            return IMP_SOLVED;
        }
    }
    return (imp_outcome)(-1 - scan->probe[0].code);
}

static imp_outcome solve_roots(work *w, double *const *out, size_t i) {
    const imp_search_plan *plan = &w->search->plan;
    bool target = plan->find == IMP_FIND_TARGET;
    imp_line line = line_over(w, 0);
    imp_scan_look(&w->scan[0], &line, target ? plan->value : NAN);
    imp_outcome outcome = nothing_solved(&w->scan[0]);
    if (outcome == IMP_SOLVED) {
        int most = 2 * IMP_MAX_ROOTS;
        int found = target ? imp_scan_targets(&w->scan[0], plan->value, w->crossing, most)
                           : imp_scan_boundaries(&w->scan[0], is_inside, w, w->crossing, most);
        put_crossings(w, out, i, found);
    }
    return outcome;
}

/* The best over the last parameter, the others being set. */
typedef struct summit {
    imp_probe best, below, above;
    bool exists, end;
} summit;

static summit climb_line(work *w) {
    const imp_search_plan *plan = &w->search->plan;
    double sign = plan->find == IMP_FIND_MAXIMUM ? 1 : -1;
    summit s;
    imp_line line = line_over(w, plan->n_over - 1);
    imp_scan *scan = &w->scan[0];
    imp_scan_look(scan, &line, NAN);
    s.exists = imp_scan_extreme(scan, sign, &s.best, &s.below, &s.above);
    s.end = s.best.x == line.from || s.best.x == line.to;
    return s;
}

/* imp_line.measure over the first of two parameters: the best over the second. */
static void measure_summits(void *context, size_t n, imp_probe *probes) {
    work *w = context;
    for (size_t i = 0; i < n; i++) {
        set_over(w, 0, IMP_PROBES_AT_ONCE, probes[i].x);
        summit s = climb_line(w);
        probes[i].code = s.exists                                    ? 0
                         : nothing_solved(&w->scan[0]) == IMP_SOLVED ? -1 - IMP_NOT_FINITE
                                                                     : w->scan[0].probe[0].code;
        probes[i].value = s.exists ? s.best.value : NAN;
        for (int k = 0; k < IMP_WITNESSES; k++) {
            probes[i].witness[k] = NAN;
        }
    }
}

static imp_outcome solve_extreme(work *w, double *const *out, size_t i) {
    const imp_search_plan *plan = &w->search->plan;
    double at[IMP_MAX_OVER];
    bool end = false;
    if (plan->n_over == 2) {
        double sign = plan->find == IMP_FIND_MAXIMUM ? 1 : -1;
        imp_line line = line_over(w, 0);
        imp_probe best, below, above;
        line.measure = measure_summits;
        imp_scan_look(&w->scan[1], &line, NAN);
        if (!imp_scan_extreme(&w->scan[1], sign, &best, &below, &above)) {
            return (imp_outcome)(-1 - w->scan[1].probe[0].code);
        }
        at[0] = best.x;
        end = best.x == line.from || best.x == line.to;
        set_over(w, 0, IMP_PROBES_AT_ONCE, best.x);
    }
    summit s = climb_line(w);
    if (!s.exists) {
        imp_outcome outcome = nothing_solved(&w->scan[0]);
        return outcome == IMP_SOLVED ? IMP_NOT_FINITE : outcome;
    }
    at[plan->n_over - 1] = s.best.x;
    bool boundary = s.below.code != s.best.code || s.above.code != s.best.code;
    put_at(w, out, i, IMP_FOUND_EXTREME, 0, s.best.value);
    put_at(w, out, i, IMP_FOUND_AT, 0, at[0]);
    put_at(w, out, i, IMP_FOUND_AT_SECOND, 0, at[plan->n_over - 1]);
    put_at(w, out, i, IMP_FOUND_PLACE, 0,
           boundary       ? IMP_PLACE_BOUNDARY
           : end || s.end ? IMP_PLACE_END
                          : IMP_PLACE_INTERIOR);
    put_at(w, out, i, IMP_FOUND_BELOW, 0, mode_of(w, &s.below));
    put_at(w, out, i, IMP_FOUND_ABOVE, 0, mode_of(w, &s.above));
    put_others(w, out, i, -1, at);
    return IMP_SOLVED;
}

imp_err imp_search_cell_solve(const int *chosen, void *work_of, int64_t budget, size_t n,
                              const double *const *in, double *const *out, uint8_t *outcome) {
    (void)chosen;
    work *w = work_of;
    bool roots =
        w->search->plan.find == IMP_FIND_BOUNDARY || w->search->plan.find == IMP_FIND_TARGET;
    imp_set_budget(w->solver, budget);
    w->error = IMP_OK;
    for (size_t i = 0; !w->error && i < n; i++) {
        set_cell(w, i, in);
        blank(w, out, i);
        outcome[i] = (uint8_t)(roots ? solve_roots(w, out, i) : solve_extreme(w, out, i));
    }
    return w->error;
}
