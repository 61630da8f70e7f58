/* Where a scanned function passes a boundary or takes a value. */
#include <assert.h>
#include <math.h>

#include "num/exponential.h"
#include "num/larger.h"
#include "num/scan_impl.h"

/* A leap is larger than this part of the largest value. */
static const double leap = 1e-5;

/* Values that are equal over less than this part of the interval may be so by rounding, as those of
 * a parabola are at its vertex over 1e-8. */
static const double point = 1e-6;

/* Rounding takes values on a stretch at the aim from it by less than this part. */
static const double rounding = 1e-14;

/* ---- boundaries ---- */

double imp_scan_spacing(const imp_scan_interval *interval, double x) {
    double from = interval->from, to = interval->to;
    return interval->logarithmic ? x * (imp_power(to / from, 1.0 / (interval->samples - 1)) - 1)
                                 : (to - from) / (interval->samples - 1);
}

int imp_scan_boundaries(const imp_scan *scan, int line,
                        bool (*inside)(const void *context, const imp_probe *), const void *context,
                        imp_scan_crossing *found, int most) {
    assert(line >= 0 && line < scan->n);
    const imp_line *at = &scan->line[line];
    const imp_probe *low = NULL;
    int n = 0;
    for (int i = 0; i < at->n; i++) {
        const imp_probe *high = &at->probe[i];
        if (high->code < 0) {
            continue;
        }
        bool near = low && (low + 1 == high ||
                            high->x - low->x <= imp_scan_spacing(&scan->interval, low->x));
        if (near && inside(context, low) != inside(context, high)) {
            if (n < most) {
                found[n] = (imp_scan_crossing){.below = *low, .above = *high, .jump = true};
            }
            n++;
        }
        low = high;
    }
    return n;
}

/* ---- targets ---- */

/* -1, 0, 1: below the aim, at it, above. */
static int side_of(double value, double aim, double slack) {
    return (value > aim + slack) - (value < aim - slack);
}

static double largest_value(const imp_line *at, double aim) {
    double largest = fabs(aim);
    for (int i = 0; i < at->n; i++) {
        double value = fabs(at->probe[i].value - aim);
        largest = isfinite(value) && value > largest ? value : largest;
    }
    return largest;
}

/* One step towards the root: along the chord, or to the middle where that gains too little. */
static double next_point(const imp_pursuit *p) {
    double a = p->low.value - p->follow.aim, b = p->high.value - p->follow.aim,
           width = p->high.x - p->low.x;
    double part = a / (a - b);
    bool chord = p->step % 3 != 2 && part > 1e-3 && part < 1 - 1e-3;
    return chord ? p->low.x + width * part : imp_scan_middle(p->low.x, p->high.x);
}

/* Narrows a passage down; each end keeps its side of the aim. imp_chord does not fit here: the
 * value may leap or have a kink, and both probes are results. Ends where there is no value. */
static bool next_passage(imp_pursuit *p) {
    double x = next_point(p);
    p->x = x <= p->low.x || x >= p->high.x ? imp_scan_middle(p->low.x, p->high.x) : x;
    return !p->met && p->step++ < IMP_SCAN_BISECTIONS && p->high.x - p->low.x > p->tolerance &&
           p->x > p->low.x && p->x < p->high.x;
}

static bool is_over(const imp_pursuit *p, double value) {
    return side_of(value, p->follow.aim, p->slack) > (p->above_aim ? 0 : -1);
}

static void take_passage(imp_pursuit *p, const imp_probe *probe) {
    bool same = is_over(p, probe->value) == is_over(p, p->low.value);
    p->met = isnan(probe->value);
    if (!p->met) {
        *(same ? &p->low : &p->high) = *probe;
    }
}

/* Whether a leap remains, however near the ends come to each other. */
static bool next_leap(imp_pursuit *p) {
    return p->changes_code ? imp_narrow_next(p) : next_passage(p);
}

static void take_leap(imp_pursuit *p, const imp_probe *probe) {
    (p->changes_code ? imp_narrow_take : take_passage)(p, probe);
}

static bool leaps(const imp_pursuit *p) {
    return fabs(p->high.value - p->low.value) > p->leap;
}

static bool has_value(const imp_line *at, int i) {
    return i >= 0 && i < at->n && !isnan(at->probe[i].value);
}

static bool is_close(const imp_line *at, int i, double aim) {
    return has_value(at, i) && fabs(at->probe[i].value - aim) <= rounding * fabs(aim);
}

/* How far from the aim a value counts as at it: 0 unless two neighbours show a stretch. */
static double slack_at(const imp_line *at, int i, double aim) {
    bool shows = is_close(at, i, aim) && (is_close(at, i - 1, aim) || is_close(at, i + 1, aim));
    return shows ? rounding * fabs(aim) : 0;
}

/* Adds the passages between probes of a line, ascending; changes of code are narrow by now. Where
 * the value is at the aim and there is no value beside it, is an end without a passage. */
static void add_passages(imp_scan *scan, int line, double aim) {
    const imp_line *at = &scan->line[line];
    double least_leap = leap * largest_value(at, aim);
    for (int i = 0; i < at->n; i++) {
        const imp_probe *low = &at->probe[i], *high = low + 1;
        imp_pursuit p = {.line = line,
                         .low = *low,
                         .high = *low,
                         .tolerance = scan->interval.tolerance,
                         .follow = {.witness = -1, .aim = aim, .sign = 1},
                         .leap = least_leap,
                         .slack = slack_at(at, i, aim),
                         .ended = true};
        bool at_aim = has_value(at, i) && side_of(low->value, aim, p.slack) == 0;
        for (int beside = i - 1; beside <= i + 1 && at_aim; beside += 2) {
            if (!has_value(at, beside)) {
                imp_scan_add(scan, &p);
            }
        }
        if (!has_value(at, i) || !has_value(at, i + 1)) {
            continue;
        }
        p.slack = imp_larger(p.slack, slack_at(at, i + 1, aim));
        int below = side_of(low->value, aim, p.slack), above = side_of(high->value, aim, p.slack);
        if (below != above) {
            p.high = *high;
            p.above_aim = below + above == 1;
            p.changes_code = p.ended = low->gap;
            imp_scan_add(scan, &p);
        }
    }
}

static bool is_end(const imp_pursuit *p) {
    return p->low.x == p->high.x;
}

static int side_in(const imp_pursuit *p, const imp_probe *probe) {
    return side_of(probe->value, p->follow.aim, p->slack);
}

/* Whether two neighbours are the ends of values at the aim that count as one place. */
static bool is_one_place(const imp_scan_interval *interval, bool steps, const imp_pursuit *p,
                         const imp_pursuit *next) {
    double width = next->low.x - p->high.x;
    if (p->line != next->line || side_in(p, &p->high) || side_in(next, &next->low)) {
        return false;
    }
    if (is_end(p) && is_end(next)) {
        return width == 0;
    }
    double span = imp_scan_spacing(interval, p->high.x) * (interval->samples - 1);
    bool through = side_in(p, &p->low) * side_in(next, &next->high) < 0;
    bool narrow = steps || width <= imp_larger(point * span, interval->tolerance);
    return narrow && (through || is_end(p) || is_end(next));
}

/* Whether it is told by its neighbour: of one place the end goes, then the side above the aim. */
static bool is_told(const imp_scan *scan, int k, bool steps) {
    const imp_pursuit *p = &scan->pursuit[k];
    const imp_pursuit *last = scan->pursuit + scan->n_pursuits - 1;
    bool with_next = p < last && is_one_place(&scan->interval, steps, p, p + 1);
    bool with_previous = k > 0 && is_one_place(&scan->interval, steps, p - 1, p);
    if (is_end(p)) {
        return with_previous || (with_next && !is_end(p + 1));
    }
    return p->above_aim && ((with_previous && !is_end(p - 1)) || (with_next && !is_end(p + 1)));
}

bool imp_scan_targets(imp_scan *scan, double aim, bool steps, imp_scan_crossing *found, int most,
                      int *count) {
    scan->n_pursuits = 0;
    for (int k = 0; k < scan->n; k++) {
        count[k] = 0;
        add_passages(scan, k, aim);
    }
    imp_scan_pursue(scan, false, next_passage, take_passage);
    for (int k = 0; k < scan->n_pursuits; k++) {
        imp_pursuit *p = &scan->pursuit[k];
        p->ended = !leaps(p);
        p->met = false;
        p->step = 0;
        p->tolerance = 0;
    }
    imp_scan_pursue(scan, false, next_leap, take_leap);
    for (int k = 0; k < scan->n_pursuits; k++) {
        const imp_pursuit *p = &scan->pursuit[k];
        if (is_told(scan, k, steps)) {
            continue;
        }
        if (count[p->line] < most) {
            found[p->line * most + count[p->line]] =
                (imp_scan_crossing){.below = p->low, .above = p->high, .jump = leaps(p)};
        }
        count[p->line]++;
    }
    return !scan->failed;
}
