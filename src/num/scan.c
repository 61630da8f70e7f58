#include "num/scan.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/exponential.h"
#include "num/larger.h"
#include "num/scan_impl.h"

/* EXTRA: room for points beyond the samples. */
enum { EXTRA = 1024, SUBDIVISIONS = 8 };

/* The edge of a gap that is too wide for a bracket is found to this part of the interval: it is no
 * result. */
static const double wide_edge = 1e-9;

bool imp_scan_open(imp_scan *scan, int lines, int samples) {
    assert(lines >= 1 && samples >= 2);
    *scan = (imp_scan){.room = 2 * samples + EXTRA};
    size_t room = (size_t)scan->room;
    scan->line = calloc((size_t)lines, sizeof *scan->line);
    scan->probes = calloc((size_t)lines * room, sizeof *scan->probes);
    scan->spare = calloc(room, sizeof *scan->spare);
    for (int k = 0; scan->line && k < lines; k++) {
        scan->line[k].probe = scan->probes ? scan->probes + (size_t)k * room : NULL;
    }
    return scan->line && scan->probes && scan->spare;
}

void imp_scan_free(imp_scan *scan) {
    free(scan->line);
    free(scan->probes);
    free(scan->spare);
    free(scan->pursuit);
    *scan = (imp_scan){.n = 0};
}

static void append(imp_line *at, const imp_probe *probe) {
    at->probe[at->n++] = *probe;
}

static int by_place(const void *a, const void *b) {
    const imp_probe *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

/* Puts the probes of a line that were appended, which are in no order, among those before. */
static void settle(imp_scan *scan, imp_line *at) {
    int sorted = at->sorted, late = at->n - sorted, n = 0;
    memcpy(scan->spare, at->probe + sorted, (size_t)late * sizeof *scan->spare);
    qsort(scan->spare, (size_t)late, sizeof *scan->spare, by_place);
    for (int to = at->n - 1; late > 0; to--) {
        bool early = sorted > 0 && at->probe[sorted - 1].x > scan->spare[late - 1].x;
        at->probe[to] = early ? at->probe[--sorted] : scan->spare[--late];
    }
    for (int i = 0; i < at->n; i++) {
        if (n > 0 && at->probe[n - 1].x == at->probe[i].x) {
            at->probe[n - 1].gap |= at->probe[i].gap;
        } else {
            at->probe[n++] = at->probe[i];
        }
    }
    at->n = at->sorted = n;
}

/* ---- samples ---- */

static double sample_at(const imp_scan_interval *interval, int i) {
    double part = (double)i / (interval->samples - 1), from = interval->from, to = interval->to;
    if (i == 0 || i == interval->samples - 1) {
        return i == 0 ? from : to;
    }
    return interval->logarithmic ? from * imp_power(to / from, part) : from + (to - from) * part;
}

/* Sample m of all, in the order in which they are measured. */
static imp_probe *nth_sample(const imp_scan *scan, int m) {
    int samples = scan->interval.samples;
    return scan->interval.side_by_side ? &scan->line[m % scan->n].probe[m / scan->n]
                                       : &scan->line[m / samples].probe[m % samples];
}

static void measure_samples(imp_scan *scan) {
    imp_probe probe[IMP_PROBES_AT_ONCE];
    int all = scan->n * scan->interval.samples;
    for (int done = 0, n; done < all; done += n) {
        n = all - done < IMP_PROBES_AT_ONCE ? all - done : IMP_PROBES_AT_ONCE;
        for (int m = 0; m < n; m++) {
            probe[m] = *nth_sample(scan, done + m);
        }
        scan->interval.measure(scan->interval.context, true, (size_t)n, probe);
        for (int m = 0; m < n; m++) {
            *nth_sample(scan, done + m) = probe[m];
        }
    }
}

static void take_samples(imp_scan *scan) {
    int samples = scan->interval.samples;
    for (int k = 0; k < scan->n; k++) {
        imp_line *at = &scan->line[k];
        *at = (imp_line){.probe = at->probe, .n = samples, .sorted = samples};
        for (int i = 0; i < samples; i++) {
            double x = k ? scan->line[0].probe[i].x : sample_at(&scan->interval, i);
            at->probe[i] = (imp_probe){.x = x, .line = k};
        }
    }
    measure_samples(scan);
    for (int m = 0; m < scan->n * samples; m++) {
        const imp_probe *probe = nth_sample(scan, m);
        scan->line[probe->line].counted += probe->code == scan->interval.counted;
    }
}

static void add_sample(imp_scan *scan, const imp_probe *probe) {
    imp_line *at = &scan->line[probe->line];
    if (at->n < scan->room) {
        append(at, probe);
    } else {
        at->overflow = true;
    }
}

/* Adds samples beside a code that only one sample has: it may hide further changes. */
static void refine_flips(imp_scan *scan, int k) {
    imp_line *at = &scan->line[k];
    int n = at->n;
    for (int i = 0; i + 1 < n; i++) {
        bool alone = false;
        for (int j = i; j <= i + 1; j++) {
            alone |= j > 0 && j + 1 < n && at->probe[j].code != at->probe[j - 1].code &&
                     at->probe[j].code != at->probe[j + 1].code;
        }
        alone &= at->probe[i].code >= 0 || at->probe[i + 1].code >= 0;
        double width = at->probe[i + 1].x - at->probe[i].x;
        for (int d = 1; alone && d < SUBDIVISIONS; d++) {
            double x = at->probe[i].x + width * d / SUBDIVISIONS;
            add_sample(scan, &(imp_probe){.x = x, .line = k});
        }
    }
    for (int done = n; done < at->n; done += IMP_PROBES_AT_ONCE) {
        int count = at->n - done < IMP_PROBES_AT_ONCE ? at->n - done : IMP_PROBES_AT_ONCE;
        scan->interval.measure(scan->interval.context, false, (size_t)count, at->probe + done);
    }
}

/* ---- pairs of changes between samples ---- */

static double height(const imp_scan_follow *f, const imp_probe *probe) {
    return f->sign * (f->witness >= 0 ? probe->witness[f->witness] : probe->value - f->aim);
}

/* Whether the probe shows a change that its surroundings do not. */
static bool reveals(const imp_pursuit *p, const imp_probe *probe) {
    double aim = p->follow.aim;
    return probe->code != p->around->code ||
           (p->follow.witness < 0 && (probe->value >= aim) != (p->around->value >= aim));
}

/* A descent to the least height between two probes ends where one on the way reveals a change. */
static bool next_descent(imp_pursuit *p) {
    bool falls = height(&p->follow, &p->low) < height(&p->follow, &p->high);
    return !p->met && imp_golden_next(p, IMP_SCAN_GOLDEN_STEPS, falls);
}

static void take_descent(imp_pursuit *p, const imp_probe *probe) {
    imp_golden_take(p, probe);
    p->met = reveals(p, probe);
    bool touches =
        p->follow.witness < 0 && probe->value == p->follow.aim && p->around->value > p->follow.aim;
    if (p->met || (touches && !p->touched)) {
        p->found = *probe;
        p->touched = !p->met;
    }
}

/* Adds a descent if a sample is lower than both its neighbours. */
static void add_descent(imp_scan *scan, const imp_scan_follow *f, const imp_probe *at) {
    double least = height(f, at);
    if (least < height(f, at - 1) && least < height(f, at + 1)) {
        double narrow = 1e-11 * (scan->interval.to - scan->interval.from);
        imp_scan_add(scan, &(imp_pursuit){.line = at->line,
                                          .a = at[-1].x,
                                          .b = at[1].x,
                                          .around = at,
                                          .follow = *f,
                                          .tolerance = narrow});
    }
}

/* Adds the descents from a sample, whose neighbours have the same code. */
static void add_descents(imp_scan *scan, double aim, const imp_probe *at) {
    for (int w = 0; w < IMP_WITNESSES; w++) {
        add_descent(scan, &(imp_scan_follow){.witness = w, .aim = 0, .sign = 1}, at);
        add_descent(scan, &(imp_scan_follow){.witness = w, .aim = 0, .sign = -1}, at);
    }
    /* The value is followed towards the aim from either side. */
    bool above = at->value >= aim;
    if (!isnan(aim) && (at[-1].value >= aim) == above && (at[1].value >= aim) == above) {
        add_descent(scan, &(imp_scan_follow){.witness = -1, .aim = aim, .sign = above ? 1 : -1},
                    at);
    }
}

static void follow(imp_scan *scan, double aim) {
    scan->n_pursuits = 0;
    for (int k = 0; k < scan->n; k++) {
        for (int i = 1; i + 1 < scan->interval.samples; i++) {
            const imp_probe *at = &scan->line[k].probe[i];
            if (at->code >= 0 && at[-1].code == at->code && at[1].code == at->code) {
                add_descents(scan, aim, at);
            }
        }
    }
    imp_scan_pursue(scan, true, next_descent, take_descent);
    for (int k = 0; k < scan->n_pursuits; k++) {
        if (scan->pursuit[k].met || scan->pursuit[k].touched) {
            add_sample(scan, &scan->pursuit[k].found);
        }
    }
}

bool imp_scan_crowded(const imp_scan *scan, double one, double other) {
    for (int i = 0; i + 1 < scan->interval.samples; i++) {
        double a = sample_at(&scan->interval, i), b = sample_at(&scan->interval, i + 1);
        if (one >= a && one < b) {
            return other >= a && other < b;
        }
    }
    return false;
}

/* ---- changes ---- */

/* The tolerance for the edge of the gap that a probe without a value is in. */
static double edge_of(const imp_scan *scan, const imp_line *at, const imp_probe *probe) {
    const imp_scan_interval *interval = &scan->interval;
    const imp_probe *first = probe, *last = probe, *end = at->probe + at->n - 1;
    while (first > at->probe && first[-1].code < 0) {
        first--;
    }
    while (last < end && last[1].code < 0) {
        last++;
    }
    bool wide = first == at->probe || last == end ||
                last->x - first->x >= imp_scan_spacing(interval, first->x);
    double span = imp_scan_spacing(interval, first->x) * (interval->samples - 1);
    return wide ? imp_larger(wide_edge * span, interval->tolerance) : interval->tolerance;
}

/* Begins to narrow a change, if the line has room for what will be found. edge: see imp_pursuit. */
static void add_change(imp_scan *scan, const imp_probe *low, const imp_probe *high, double edge) {
    imp_line *at = &scan->line[low->line];
    bool from_gap = low->code < 0, to_gap = high->code < 0;
    if (low->code == high->code || (from_gap && to_gap)) {
        return;
    }
    if (at->n + at->reserved + 2 > scan->room) {
        at->overflow = true;
        return;
    }
    at->reserved += 2;
    imp_scan_add(scan,
                 &(imp_pursuit){.line = low->line,
                                .low = *low,
                                .high = *high,
                                .top = *high,
                                .edge = edge,
                                .tolerance = from_gap || to_gap ? edge : scan->interval.tolerance});
}

/* Takes the end of a pursuit: two neighbours, or a third code with a change on either side. */
static void take_change(imp_scan *scan, imp_pursuit p) {
    imp_line *at = &scan->line[p.line];
    at->reserved -= 2;
    if (!p.met) {
        p.low.gap = true;
        append(at, &p.low);
        append(at, &p.high);
    } else if (at->n + at->reserved < scan->room) {
        append(at, &p.found);
        add_change(scan, &p.low, &p.found, p.edge);
        add_change(scan, &p.found, p.high.code < 0 ? &p.high : &p.top, p.edge);
    } else {
        at->overflow = true;
    }
}

static void find_changes(imp_scan *scan) {
    scan->n_pursuits = 0;
    for (int k = 0; k < scan->n; k++) {
        for (int i = 0, n = scan->line[k].n; i + 1 < n; i++) {
            const imp_line *at = &scan->line[k];
            const imp_probe *low = &at->probe[i], *high = low + 1;
            double edge = low->code < 0    ? edge_of(scan, at, low)
                          : high->code < 0 ? edge_of(scan, at, high)
                                           : scan->interval.tolerance;
            add_change(scan, low, high, edge);
        }
    }
    while (scan->n_pursuits > 0) {
        int n = scan->n_pursuits;
        imp_scan_pursue(scan, false, imp_narrow_next, imp_narrow_take);
        for (int k = 0; k < n; k++) {
            take_change(scan, scan->pursuit[k]);
        }
        scan->n_pursuits -= n;
        memmove(scan->pursuit, scan->pursuit + n, (size_t)scan->n_pursuits * sizeof *scan->pursuit);
    }
}

bool imp_scan_look(imp_scan *scan, const imp_scan_interval *interval, int n, double aim) {
    assert(interval->from < interval->to && interval->samples >= 2);
    assert(2 * interval->samples + EXTRA <= scan->room);
    scan->interval = *interval;
    scan->n = n;
    scan->failed = false;
    take_samples(scan);
    for (int k = 0; k < n; k++) {
        refine_flips(scan, k);
    }
    follow(scan, aim);
    for (int k = 0; k < n; k++) {
        settle(scan, &scan->line[k]);
    }
    find_changes(scan);
    for (int k = 0; k < n; k++) {
        settle(scan, &scan->line[k]);
    }
    return !scan->failed;
}
