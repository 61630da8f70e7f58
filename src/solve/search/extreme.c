/* Where a real output is largest or smallest, over one parameter or two. */
#include <math.h>
#include <stdio.h>

#include "solve/search/search_impl.h"

/* Codes of extreme_place in files: append only. */
enum { INTERIOR = 1, BOUNDARY, END };

static const imp_mode places[] = {
    {INTERIOR, "interior", "a smooth extreme or a kink within one mode"},
    {BOUNDARY, "mode_boundary",
     "at a change of mode; extreme is the value on the side of the better one"},
    {END, "end", "at an end of the range"},
};

static bool is_maximum(const imp_search *s) {
    return s->plan.kind == &imp_search_maximum;
}

static void add_extreme(imp_search *s) {
    static const imp_found founds[IMP_MAX_OVER] = {IMP_FOUND_AT, IMP_FOUND_AT_SECOND};
    const imp_theory *inner = s->plan.theory;
    imp_output extreme = inner->outputs[s->plan.of];
    bool largest = is_maximum(s);
    extreme.label = imp_search_label(s->label, sizeof s->label, largest ? "largest " : "smallest ",
                                     extreme.name, "");
    extreme.name = "extreme";
    extreme.undefined_in = 0;
    extreme.exact = true;
    imp_search_add(s, IMP_FOUND_EXTREME, extreme);
    for (int k = 0; k < s->plan.n_over; k++) {
        snprintf(s->at_name[k], sizeof s->at_name[k], "at_%s", s->plan.over[k].parameter->name);
        imp_output at = imp_search_place(s->plan.over[k].parameter, s->at_name[k],
                                         "value of the searched parameter at the extreme");
        at.label = imp_search_label(s->at_label[k], sizeof s->at_label[k], "",
                                    s->plan.over[k].parameter->name,
                                    largest ? " of the maximum" : " of the minimum");
        imp_search_add(s, founds[k], at);
    }
    imp_search_add(s, IMP_FOUND_PLACE,
                   imp_search_category("extreme_place",
                                       "whether the extreme is inside the range, at a change of "
                                       "mode or at an end of the range",
                                       places, 3));
    imp_search_add(s, IMP_FOUND_BELOW,
                   imp_search_category("mode_below", "mode just below the extreme", inner->modes,
                                       inner->n_modes));
    imp_search_add(s, IMP_FOUND_ABOVE,
                   imp_search_category("mode_above", "mode just above the extreme", inner->modes,
                                       inner->n_modes));
}

/* The best value over the last parameter, with the others set. */
typedef struct summit {
    imp_probe best, below, above;
    bool exists, end;
} summit;

static summit climb_line(imp_search_work *w) {
    double sign = is_maximum(w->search) ? 1 : -1;
    summit s;
    imp_line line = imp_search_line(w, w->search->plan.n_over - 1);
    imp_scan *scan = &w->scan[0];
    imp_scan_look(scan, &line, NAN);
    s.exists = imp_scan_extreme(scan, sign, &s.best, &s.below, &s.above);
    s.end = s.best.x == line.from || s.best.x == line.to;
    return s;
}

/* imp_line.measure over the first of two parameters: the best over the second. */
static void measure_summits(void *context, size_t n, imp_probe *probes) {
    imp_search_work *w = context;
    for (size_t i = 0; i < n; i++) {
        imp_search_set_over(w, 0, IMP_PROBES_AT_ONCE, probes[i].x);
        summit s = climb_line(w);
        probes[i].code = s.exists                                        ? 0
                         : imp_search_scanned(&w->scan[0]) == IMP_SOLVED ? -1 - IMP_NOT_FINITE
                                                                         : w->scan[0].probe[0].code;
        probes[i].value = s.exists ? s.best.value : NAN;
        for (int k = 0; k < IMP_WITNESSES; k++) {
            probes[i].witness[k] = NAN;
        }
    }
}

/* Finds the best value of the first of two parameters; false if no sample of the range was
 * solved. */
static bool climb_summits(imp_search_work *w, imp_probe *best, bool *end) {
    imp_line line = imp_search_line(w, 0);
    imp_probe below, above;
    line.measure = measure_summits;
    imp_scan_look(&w->scan[1], &line, NAN);
    bool exists =
        imp_scan_extreme(&w->scan[1], is_maximum(w->search) ? 1 : -1, best, &below, &above);
    *end = exists && (best->x == line.from || best->x == line.to);
    return exists;
}

static void put_summit(imp_search_work *w, double *const *out, size_t i, const summit *s,
                       const double *at) {
    int n = w->search->plan.n_over;
    bool boundary = s->below.code != s->best.code || s->above.code != s->best.code;
    imp_search_put(w, out, i, IMP_FOUND_EXTREME, 0, s->best.value);
    imp_search_put(w, out, i, IMP_FOUND_AT, 0, at[0]);
    imp_search_put(w, out, i, IMP_FOUND_AT_SECOND, 0, at[n - 1]);
    imp_search_put(w, out, i, IMP_FOUND_PLACE, 0, boundary ? BOUNDARY : s->end ? END : INTERIOR);
    imp_search_put(w, out, i, IMP_FOUND_BELOW, 0, imp_search_mode(w, &s->below));
    imp_search_put(w, out, i, IMP_FOUND_ABOVE, 0, imp_search_mode(w, &s->above));
    imp_search_put_others(w, out, i, -1, at);
}

static imp_outcome solve(imp_search_work *w, double *const *out, size_t i) {
    double at[IMP_MAX_OVER];
    bool end = false;
    int n = w->search->plan.n_over;
    if (n == 2) {
        imp_probe best;
        if (!climb_summits(w, &best, &end)) {
            return (imp_outcome)(-1 - w->scan[1].probe[0].code);
        }
        at[0] = best.x;
        imp_search_set_over(w, 0, IMP_PROBES_AT_ONCE, best.x);
    }
    summit s = climb_line(w);
    if (!s.exists) {
        imp_outcome outcome = imp_search_scanned(&w->scan[0]);
        return outcome == IMP_SOLVED ? IMP_NOT_FINITE : outcome;
    }
    at[n - 1] = s.best.x;
    s.end |= end;
    put_summit(w, out, i, &s, at);
    return IMP_SOLVED;
}

#define EXTREME(word)                                                                              \
    {                                                                                              \
        .name = word, .looks_at = IMP_REAL, .most_over = IMP_MAX_OVER, .tolerance = 1e-9,          \
        .add_outputs = add_extreme, .solve = solve                                                 \
    }

const imp_search_kind imp_search_maximum = EXTREME("maximum");
const imp_search_kind imp_search_minimum = EXTREME("minimum");
