#include "num/scan.h"

#include <math.h>
#include <stdlib.h>

#include "num/exponential.h"
#include "num/scan_impl.h"

/* EXTRA: room for points beyond the samples. */
enum { EXTRA = 1024, SUBDIVISIONS = 8 };

bool imp_scan_open(imp_scan *scan, int samples) {
    *scan = (imp_scan){.room = 2 * samples + EXTRA};
    size_t room = (size_t)scan->room;
    scan->probe = calloc(room, sizeof *scan->probe);
    scan->sample = calloc(room, sizeof *scan->sample);
    scan->gap = calloc(room, sizeof *scan->gap);
    return scan->probe && scan->sample && scan->gap;
}

void imp_scan_free(imp_scan *scan) {
    free(scan->probe);
    free(scan->sample);
    free(scan->gap);
    *scan = (imp_scan){.n = 0};
}

/* ---- samples ---- */

static double sample_at(const imp_line *line, int i) {
    double part = (double)i / (line->samples - 1);
    if (i == 0 || i == line->samples - 1) {
        return i == 0 ? line->from : line->to;
    }
    return line->logarithmic ? line->from * imp_power(line->to / line->from, part)
                             : line->from + (line->to - line->from) * part;
}

static void measure_all(imp_scan *scan, imp_probe *probes, int n) {
    for (int done = 0; done < n; done += IMP_PROBES_AT_ONCE) {
        int count = n - done < IMP_PROBES_AT_ONCE ? n - done : IMP_PROBES_AT_ONCE;
        scan->line.measure(scan->line.context, (size_t)count, probes + done);
    }
}

static void add_sample(imp_scan *scan, imp_probe probe) {
    if (scan->n_samples < scan->room) {
        scan->sample[scan->n_samples++] = probe;
    } else {
        scan->overflow = true;
    }
}

/* Adds samples beside a code that only one sample has: it may hide further changes. */
static void refine_flips(imp_scan *scan, int n) {
    for (int i = 0; i + 1 < n; i++) {
        bool alone = false;
        for (int k = i; k <= i + 1; k++) {
            alone |= k > 0 && k + 1 < n && scan->sample[k].code != scan->sample[k - 1].code &&
                     scan->sample[k].code != scan->sample[k + 1].code;
        }
        double width = scan->sample[i + 1].x - scan->sample[i].x;
        for (int d = 1; alone && d < SUBDIVISIONS; d++) {
            add_sample(scan, imp_scan_probe(scan, scan->sample[i].x + width * d / SUBDIVISIONS));
        }
    }
}

/* The quantity that is followed to its extremum: a witness, or the distance of the value from the
 * aim. */
typedef struct follow {
    int witness; /* -1: the value */
    double aim, sign;
} follow;

static double height(const follow *f, const imp_probe *probe) {
    return f->sign * (f->witness >= 0 ? probe->witness[f->witness] : probe->value - f->aim);
}

/* Whether the probe shows a change that its surroundings do not. */
static bool reveals(const follow *f, const imp_probe *around, const imp_probe *probe) {
    return probe->code != around->code ||
           (f->witness < 0 && (probe->value >= f->aim) != (around->value >= f->aim));
}

/* Descends to the least height between two probes by golden section; true if a probe on the way
 * reveals a change, which is then *found. */
static bool descend(const imp_scan *scan, const follow *f, const imp_probe *around, double a,
                    double b, imp_probe *found) {
    imp_probe left = imp_scan_probe(scan, b - imp_scan_golden * (b - a)),
              right = imp_scan_probe(scan, a + imp_scan_golden * (b - a));
    double enough = 1e-11 * (scan->line.to - scan->line.from);
    for (int step = 0; step < IMP_SCAN_GOLDEN_STEPS; step++) {
        *found = reveals(f, around, &left) ? left : right;
        if (reveals(f, around, found)) {
            return true;
        }
        if (b - a <= enough) {
            return false;
        }
        if (height(f, &left) < height(f, &right)) {
            b = right.x;
            right = left;
            left = imp_scan_probe(scan, b - imp_scan_golden * (b - a));
        } else {
            a = left.x;
            left = right;
            right = imp_scan_probe(scan, a + imp_scan_golden * (b - a));
        }
    }
    return false;
}

/* Whether a sample is lower than both its neighbours, all of one code. */
static bool is_low(const follow *f, const imp_probe *at) {
    double least = height(f, at);
    return at[-1].code == at[0].code && at[1].code == at[0].code && at[0].code >= 0 &&
           least < height(f, at - 1) && least < height(f, at + 1);
}

static void follow_witness(imp_scan *scan, const follow *f, int n) {
    for (int i = 1; i + 1 < n; i++) {
        imp_probe found;
        if (is_low(f, &scan->sample[i]) && descend(scan, f, &scan->sample[i], scan->sample[i - 1].x,
                                                   scan->sample[i + 1].x, &found)) {
            add_sample(scan, found);
        }
    }
}

/* The value is followed towards the aim from either side. */
static void follow_value(imp_scan *scan, double aim, int n) {
    for (int i = 1; i + 1 < n; i++) {
        const imp_probe *at = &scan->sample[i];
        follow f = {-1, aim, at->value >= aim ? 1 : -1};
        bool one_side = (at[-1].value >= aim) == (at[0].value >= aim) &&
                        (at[1].value >= aim) == (at[0].value >= aim);
        imp_probe found;
        if (one_side && is_low(&f, at) && descend(scan, &f, at, at[-1].x, at[1].x, &found)) {
            add_sample(scan, found);
        }
    }
}

static int by_place(const void *a, const void *b) {
    const imp_probe *one = a, *other = b;
    return (one->x > other->x) - (one->x < other->x);
}

static void take_samples(imp_scan *scan, double aim) {
    int n = scan->line.samples;
    scan->n_samples = n;
    for (int i = 0; i < n; i++) {
        scan->sample[i] = (imp_probe){.x = sample_at(&scan->line, i)};
    }
    measure_all(scan, scan->sample, n);
    refine_flips(scan, n);
    for (int w = 0; w < IMP_WITNESSES; w++) {
        follow_witness(scan, &(follow){w, 0, 1}, n);
        follow_witness(scan, &(follow){w, 0, -1}, n);
    }
    if (!isnan(aim)) {
        follow_value(scan, aim, n);
    }
    qsort(scan->sample, (size_t)scan->n_samples, sizeof *scan->sample, by_place);
}

bool imp_scan_crowded(const imp_scan *scan, double one, double other) {
    for (int i = 0; i + 1 < scan->line.samples; i++) {
        double a = sample_at(&scan->line, i), b = sample_at(&scan->line, i + 1);
        if (one >= a && one < b) {
            return other >= a && other < b;
        }
    }
    return false;
}

/* ---- changes ---- */

static void append(imp_scan *scan, const imp_probe *probe, bool gap) {
    if (scan->n > 0 && probe->x <= scan->probe[scan->n - 1].x) {
        return;
    }
    if (scan->n == scan->room) {
        scan->overflow = true;
        return;
    }
    if (scan->n > 0) {
        scan->gap[scan->n - 1] = gap;
    }
    scan->probe[scan->n++] = *probe;
}

bool imp_scan_narrow(const imp_scan *scan, double tolerance, imp_probe *low, imp_probe *high,
                     imp_probe *third) {
    for (int step = 0; step < IMP_SCAN_BISECTIONS && high->x - low->x > tolerance; step++) {
        double x = imp_scan_middle(low->x, high->x);
        if (x <= low->x || x >= high->x) {
            break;
        }
        imp_probe probe = imp_scan_probe(scan, x);
        if (probe.code == low->code) {
            *low = probe;
        } else if (probe.code == high->code) {
            *high = probe;
        } else {
            *third = probe;
            return false;
        }
    }
    return true;
}

/* Appends everything from one probe (which is given twice) to another. */
static void append_change(imp_scan *scan, imp_probe low, imp_probe high) {
    const imp_probe end = high;
    imp_probe third;
    while (low.code != high.code && scan->n + 2 < scan->room) {
        bool narrowed = imp_scan_narrow(scan, scan->line.tolerance, &low, &high, &third);
        if (narrowed) {
            append(scan, &low, false);
            append(scan, &high, true);
            break;
        }
        append_change(scan, low, third);
        low = third;
        high = end;
    }
    if (low.code != high.code && scan->n + 2 >= scan->room) {
        scan->overflow = true;
        return;
    }
    append(scan, &end, false);
}

void imp_scan_look(imp_scan *scan, const imp_line *line, double aim) {
    scan->line = *line;
    scan->overflow = false;
    scan->n = 0;
    take_samples(scan, aim);
    append(scan, &scan->sample[0], false);
    for (int i = 0; i + 1 < scan->n_samples; i++) {
        append_change(scan, scan->sample[i], scan->sample[i + 1]);
    }
}
