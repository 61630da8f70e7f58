/* Where a scanned function is largest or smallest. */
#include <math.h>

#include "num/larger.h"
#include "num/scan_impl.h"

/* Keeps the best of all probes measured so far. */
static void keep_best(double sign, const imp_probe *probe, imp_probe *best) {
    if (!isnan(probe->value) && (isnan(best->value) || sign * probe->value > sign * best->value)) {
        *best = *probe;
    }
}

/* Golden section between two probes of one piece. */
static void climb(const imp_scan *scan, double sign, double a, double b, imp_probe *best) {
    double enough = imp_larger(1e-14 * imp_larger(fabs(b), fabs(a)), scan->line.tolerance);
    imp_probe left = imp_scan_probe(scan, b - imp_scan_golden * (b - a)),
              right = imp_scan_probe(scan, a + imp_scan_golden * (b - a));
    for (int step = 0; step < 2 * IMP_SCAN_GOLDEN_STEPS && b - a > enough; step++) {
        keep_best(sign, &left, best);
        keep_best(sign, &right, best);
        if (!(sign * left.value <= sign * right.value)) {
            b = right.x;
            right = left;
            left = imp_scan_probe(scan, b - imp_scan_golden * (b - a));
        } else {
            a = left.x;
            left = right;
            right = imp_scan_probe(scan, a + imp_scan_golden * (b - a));
        }
    }
    keep_best(sign, &left, best);
    keep_best(sign, &right, best);
}

/* Whether the value may rise above `best` beside a probe, judged by its neighbours in the same
 * piece. */
static bool may_win(double sign, const imp_probe *at, const imp_probe *left, const imp_probe *right,
                    double best) {
    double height = sign * at->value;
    if (height < sign * left->value || height < sign * right->value) {
        return false;
    }
    double fall = imp_larger(height - sign * left->value, 0);
    fall = imp_larger(height - sign * right->value, fall);
    return fall > 0 && height + 2 * fall >= best;
}

static void beside(const imp_scan *scan, const imp_probe *best, imp_probe *below,
                   imp_probe *above) {
    *below = *above = *best;
    for (int i = 0; i + 1 < scan->n; i++) {
        if (scan->gap[i] && scan->probe[i + 1].x == best->x) {
            *below = scan->probe[i];
        }
        if (scan->gap[i] && scan->probe[i].x == best->x) {
            *above = scan->probe[i + 1];
        }
    }
}

bool imp_scan_extreme(imp_scan *scan, double sign, imp_probe *best, imp_probe *below,
                      imp_probe *above) {
    *best = (imp_probe){.value = NAN};
    for (int i = 0; i < scan->n; i++) {
        keep_best(sign, &scan->probe[i], best);
    }
    if (isnan(best->value)) {
        return false;
    }
    double highest = sign * best->value;
    for (int i = 0; i < scan->n; i++) {
        int left = i > 0 && !scan->gap[i - 1] ? i - 1 : i;
        int right = i + 1 < scan->n && !scan->gap[i] ? i + 1 : i;
        if (left < right &&
            may_win(sign, &scan->probe[i], &scan->probe[left], &scan->probe[right], highest)) {
            climb(scan, sign, scan->probe[left].x, scan->probe[right].x, best);
        }
    }
    beside(scan, best, below, above);
    return true;
}
