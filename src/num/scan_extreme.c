/* Where scanned lines are largest or smallest. */
#include <math.h>

#include "num/larger.h"
#include "num/scan_impl.h"

/* Keeps the best of all probes measured so far. */
static void keep_best(double sign, const imp_probe *probe, imp_probe *best) {
    if (!isnan(probe->value) && (isnan(best->value) || sign * probe->value > sign * best->value)) {
        *best = *probe;
    }
}

/* A climb between two probes of one piece; the best on the way is `found`. */
static bool next_climb(imp_pursuit *p) {
    bool falls = !(p->follow.sign * p->low.value <= p->follow.sign * p->high.value);
    return imp_golden_next(p, 2 * IMP_SCAN_GOLDEN_STEPS, falls);
}

static void take_climb(imp_pursuit *p, const imp_probe *probe) {
    imp_golden_take(p, probe);
    keep_best(p->follow.sign, probe, &p->found);
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

static void add_climbs(imp_scan *scan, int line, double sign, double highest) {
    const imp_line *at = &scan->line[line];
    for (int i = 0; i < at->n; i++) {
        const imp_probe *here = &at->probe[i];
        const imp_probe *left = i > 0 && !here[-1].gap ? here - 1 : here;
        const imp_probe *right = i + 1 < at->n && !here->gap ? here + 1 : here;
        if (left < right && may_win(sign, here, left, right, highest)) {
            double rounding = 1e-14 * imp_larger(fabs(right->x), fabs(left->x));
            imp_scan_add(scan,
                         &(imp_pursuit){.line = line,
                                        .a = left->x,
                                        .b = right->x,
                                        .follow = {.witness = -1, .aim = 0, .sign = sign},
                                        .tolerance = imp_larger(rounding, scan->interval.tolerance),
                                        .found = {.value = NAN}});
        }
    }
}

static void look_beside(const imp_line *at, imp_summit *s) {
    s->below = s->above = s->best;
    for (int i = 0; i + 1 < at->n; i++) {
        if (at->probe[i].gap && at->probe[i + 1].x == s->best.x) {
            s->below = at->probe[i];
        }
        if (at->probe[i].gap && at->probe[i].x == s->best.x) {
            s->above = at->probe[i + 1];
        }
    }
}

bool imp_scan_extremes(imp_scan *scan, double sign, imp_summit *summits) {
    scan->n_pursuits = 0;
    for (int k = 0; k < scan->n; k++) {
        imp_summit *s = &summits[k];
        *s = (imp_summit){.best = {.value = NAN}};
        for (int i = 0; i < scan->line[k].n; i++) {
            keep_best(sign, &scan->line[k].probe[i], &s->best);
        }
        s->exists = !isnan(s->best.value);
        if (s->exists) {
            add_climbs(scan, k, sign, sign * s->best.value);
        }
    }
    imp_scan_pursue(scan, false, next_climb, take_climb);
    for (int k = 0; k < scan->n_pursuits; k++) {
        const imp_pursuit *p = &scan->pursuit[k];
        keep_best(sign, &p->found, &summits[p->line].best);
    }
    for (int k = 0; k < scan->n; k++) {
        look_beside(&scan->line[k], &summits[k]);
    }
    return !scan->failed;
}
