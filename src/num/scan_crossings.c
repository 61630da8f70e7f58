/* Where a scanned function passes a boundary or takes a value. */
#include <assert.h>
#include <math.h>

#include "num/exponential.h"
#include "num/scan_impl.h"

/* A leap is larger than this part of the largest value. */
static const double leap = 1e-5;

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

static void take_passage(imp_pursuit *p, const imp_probe *probe) {
    bool same = (probe->value >= p->follow.aim) == (p->low.value >= p->follow.aim);
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

/* Adds the passages between probes of a line; changes of code are narrow by now. Returns how
 * many. */
static int add_passages(imp_scan *scan, int line, double aim) {
    const imp_line *at = &scan->line[line];
    double least_leap = leap * largest_value(at, aim);
    int n = 0;
    for (int i = 0; i + 1 < at->n; i++) {
        const imp_probe *low = &at->probe[i], *high = low + 1;
        if (isnan(low->value) || isnan(high->value) ||
            (low->value >= aim) == (high->value >= aim)) {
            continue;
        }
        imp_scan_add(scan, &(imp_pursuit){.line = line,
                                          .place = n++,
                                          .low = *low,
                                          .high = *high,
                                          .tolerance = scan->interval.tolerance,
                                          .follow = {.witness = -1, .aim = aim, .sign = 1},
                                          .leap = least_leap,
                                          .changes_code = low->gap,
                                          .ended = low->gap});
    }
    return n;
}

bool imp_scan_targets(imp_scan *scan, double aim, imp_scan_crossing *found, int most, int *count) {
    scan->n_pursuits = 0;
    for (int k = 0; k < scan->n; k++) {
        count[k] = add_passages(scan, k, aim);
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
        if (p->place < most) {
            found[p->line * most + p->place] =
                (imp_scan_crossing){.below = p->low, .above = p->high, .jump = leaps(p)};
        }
    }
    return !scan->failed;
}
