/* Where a scanned function passes a boundary or takes a value. */
#include <math.h>

#include "num/exponential.h"
#include "num/scan_impl.h"

/* A leap is larger than this part of the largest value. */
static const double leap = 1e-5;

/* ---- boundaries ---- */

/* The spacing of samples at a place. */
static double spacing_at(const imp_line *line, double x) {
    return line->logarithmic ? x * (imp_power(line->to / line->from, 1.0 / (line->samples - 1)) - 1)
                             : (line->to - line->from) / (line->samples - 1);
}

int imp_scan_boundaries(const imp_scan *scan,
                        bool (*inside)(const void *context, const imp_probe *), const void *context,
                        imp_crossing *found, int most) {
    const imp_probe *low = NULL;
    int n = 0;
    for (int i = 0; i < scan->n; i++) {
        const imp_probe *high = &scan->probe[i];
        if (high->code < 0) {
            continue;
        }
        bool near = low && (low + 1 == high || high->x - low->x <= spacing_at(&scan->line, low->x));
        if (near && inside(context, low) != inside(context, high)) {
            if (n < most) {
                found[n] = (imp_crossing){*low, *high, true};
            }
            n++;
        }
        low = high;
    }
    return n;
}

/* ---- targets ---- */

static double largest_value(const imp_scan *scan, double aim) {
    double largest = fabs(aim);
    for (int i = 0; i < scan->n; i++) {
        double value = fabs(scan->probe[i].value - aim);
        largest = isfinite(value) && value > largest ? value : largest;
    }
    return largest;
}

/* One step towards the root: along the chord, or to the middle where that gains too little. */
static double next_point(const imp_probe *low, const imp_probe *high, double aim, int step) {
    double a = low->value - aim, b = high->value - aim, width = high->x - low->x;
    double part = a / (a - b);
    bool chord = step % 3 != 2 && part > 1e-3 && part < 1 - 1e-3;
    return chord ? low->x + width * part : imp_scan_middle(low->x, high->x);
}

/* Narrows a passage down; each end keeps its side of the aim. imp_chord does not fit here: the
 * value may leap or have a kink, and both probes are results. */
static void close_in(const imp_scan *scan, double aim, double tolerance, imp_probe *low,
                     imp_probe *high) {
    bool low_side = low->value >= aim;
    for (int step = 0; step < IMP_SCAN_BISECTIONS && high->x - low->x > tolerance; step++) {
        double x = next_point(low, high, aim, step);
        x = x <= low->x || x >= high->x ? imp_scan_middle(low->x, high->x) : x;
        if (x <= low->x || x >= high->x) {
            break;
        }
        imp_probe probe = imp_scan_probe(scan, x);
        if (isnan(probe.value)) {
            break;
        }
        *((probe.value >= aim) == low_side ? low : high) = probe;
    }
}

/* Whether a leap remains, however near its ends come to each other. */
static bool is_leap(const imp_scan *scan, double aim, double scale, imp_crossing *c, bool gap) {
    imp_probe third;
    if (fabs(c->above.value - c->below.value) <= leap * scale) {
        return false;
    }
    if (gap) {
        imp_scan_narrow(scan, 0, &c->below, &c->above, &third);
    } else {
        close_in(scan, aim, 0, &c->below, &c->above);
    }
    return fabs(c->above.value - c->below.value) > leap * scale;
}

int imp_scan_targets(imp_scan *scan, double aim, imp_crossing *found, int most) {
    double scale = largest_value(scan, aim);
    int n = 0;
    for (int i = 0; i + 1 < scan->n; i++) {
        imp_crossing c = {scan->probe[i], scan->probe[i + 1], false};
        if (isnan(c.below.value) || isnan(c.above.value) ||
            (c.below.value >= aim) == (c.above.value >= aim)) {
            continue;
        }
        if (!scan->gap[i]) {
            close_in(scan, aim, scan->line.tolerance, &c.below, &c.above);
        }
        c.jump = is_leap(scan, aim, scale, &c, scan->gap[i]);
        if (n < most) {
            found[n] = c;
        }
        n++;
    }
    return n;
}
