/* Where a real output is largest or smallest, over one parameter or two. */
#include <math.h>
#include <string.h>

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
    const imp_output *of = &s->plan.theory->outputs[s->plan.of];
    imp_output extreme = imp_search_value(s, "extreme", of->meaning);
    bool largest = is_maximum(s);
    extreme.label = imp_search_label(s->label, sizeof s->label, largest ? "largest " : "smallest ",
                                     of->name, "");
    extreme.exact = true;
    imp_search_add(s, IMP_FOUND_EXTREME, extreme);
    for (int k = 0; k < s->plan.n_over; k++) {
        imp_search_add(s, (imp_search_found)(IMP_FOUND_AT + k),
                       imp_search_at(s, k, "value of the searched parameter at the extreme",
                                     largest ? " of the maximum" : " of the minimum"));
    }
    imp_search_add(s, IMP_FOUND_PLACE,
                   imp_search_category("extreme_place",
                                       "whether the extreme is inside the range, at a change of "
                                       "mode or at an end of the range",
                                       places, 3));
    imp_search_add_outside(s);
    imp_search_add_modes(s, "mode just below the extreme", "mode just above the extreme");
}

/* Finds the best values of n lines of scan 0, over the last parameter, or of scan 1, over the first
 * of two. */
static void climb(imp_search_work *w, int scan, const imp_scan_interval *interval, int n,
                  imp_summit *summits) {
    double sign = is_maximum(w->search) ? 1 : -1;
    imp_search_check(w, imp_scan_look(&w->scan[scan], interval, n, NAN) &&
                            imp_scan_extremes(&w->scan[scan], sign, summits));
}

static void climb_lines(imp_search_work *w, int n) {
    imp_scan_interval interval = imp_search_interval(w, w->search->plan.n_over - 1);
    climb(w, 0, &interval, n, w->summit);
}

/* A sample of the first of two parameters: the best over the second. */
static void take_summit(const imp_search_work *w, int line, imp_probe *probe) {
    const imp_summit *s = &w->summit[line];
    const imp_line *at = &w->scan[0].line[line];
    probe->code = s->exists                              ? 0
                  : imp_search_scanned(at) == IMP_SOLVED ? -1 - IMP_NOT_FINITE
                                                         : at->probe[0].code;
    probe->value = s->exists ? s->best.value : NAN;
    for (int k = 0; k < IMP_WITNESSES; k++) {
        probe->witness[k] = NAN;
    }
}

/* imp_scan_interval.measure over the first of two parameters; of this one only samples have
 * witnesses. */
static void measure_summits(void *context, bool witnesses, size_t n, imp_probe *probes) {
    imp_search_work *w = context;
    int samples = w->search->plan.over[0].samples;
    for (size_t done = 0; done < n; done += (size_t)w->at_once) {
        int count = n - done < (size_t)w->at_once ? (int)(n - done) : w->at_once;
        for (int k = 0; k < count; k++) {
            const imp_probe *probe = &probes[done + (size_t)k];
            w->line[k] =
                (imp_search_line){.cell = w->first + (size_t)probe->line, .outer = probe->x};
        }
        climb_lines(w, count);
        for (int k = 0; k < count; k++) {
            imp_probe *probe = &probes[done + (size_t)k];
            take_summit(w, k, probe);
            double outside = imp_search_outside(&w->scan[0], k);
            w->outside[probe->line] += witnesses ? outside / samples : 0;
        }
    }
}

static bool at_end(const imp_search_work *w, int k, double x) {
    return x == w->search->plan.over[k].from || x == w->search->plan.over[k].to;
}

static void put_summit(imp_search_work *w, const imp_search_line *line, const imp_summit *s,
                       double outside) {
    int n = w->search->plan.n_over;
    size_t cell = line->cell;
    imp_search_spot spot = {.cell = cell, .k = -1, .at = {line->outer}};
    spot.at[n - 1] = s->best.x;
    bool boundary = s->below.code != s->best.code || s->above.code != s->best.code;
    bool end = at_end(w, 0, spot.at[0]) || at_end(w, n - 1, spot.at[n - 1]);
    imp_search_put(w, cell, IMP_FOUND_EXTREME, 0, s->best.value);
    for (int k = 0; k < n; k++) {
        imp_search_put(w, cell, (imp_search_found)(IMP_FOUND_AT + k), 0, spot.at[k]);
    }
    imp_search_put(w, cell, IMP_FOUND_OUTSIDE, 0, outside);
    imp_search_put(w, cell, IMP_FOUND_PLACE, 0, boundary ? BOUNDARY : end ? END : INTERIOR);
    imp_search_put(w, cell, IMP_FOUND_BELOW, 0, imp_search_mode(w, &s->below));
    imp_search_put(w, cell, IMP_FOUND_ABOVE, 0, imp_search_mode(w, &s->above));
    imp_search_put_others(w, &spot);
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    imp_summit outer[IMP_SEARCHES_AT_ONCE] = {{.exists = true}};
    bool two = w->search->plan.n_over == 2;
    memset(w->outside, 0, sizeof w->outside);
    if (two) {
        imp_scan_interval interval = imp_search_interval(w, 0);
        interval.measure = measure_summits;
        climb(w, 1, &interval, n, outer);
    }
    for (int k = 0; k < n; k++) {
        w->line[k] = (imp_search_line){.cell = w->first + (size_t)k, .outer = outer[k].best.x};
    }
    climb_lines(w, n);
    for (int k = 0; k < n && !w->error; k++) {
        const imp_summit *s = &w->summit[k];
        imp_outcome scanned = imp_search_scanned(&w->scan[0].line[k]);
        if (two && !outer[k].exists) {
            outcome[k] = (uint8_t)(-1 - w->scan[1].line[k].probe[0].code);
        } else if (!s->exists) {
            outcome[k] = (uint8_t)(scanned == IMP_SOLVED ? IMP_NOT_FINITE : scanned);
        } else {
            outcome[k] = IMP_SOLVED;
            put_summit(w, &w->line[k], s, two ? w->outside[k] : imp_search_outside(&w->scan[0], k));
        }
    }
}

#define EXTREME(word)                                                                              \
    {                                                                                              \
        .name = word, .looks_at = IMP_REAL, .least_over = 1, .most_over = IMP_MAX_OVER,            \
        .samples = 128, .tolerance = 1e-9, .add_outputs = add_extreme, .solve = solve              \
    }

const imp_search_kind imp_search_maximum = EXTREME("maximum");
const imp_search_kind imp_search_minimum = EXTREME("minimum");
