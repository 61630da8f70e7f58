#include "num/scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Changes that are followed besides the samples. */
enum { EXTRA = 1024, SUBDIVISIONS = 8, GOLDEN_STEPS = 64, BISECTIONS = 2200 };

static const double golden = 0.61803398874989485;

/* Less than this part of the largest value is no leap. */
static const double leap = 1e-5;

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

static imp_probe probe_at(const imp_scan *scan, double x) {
    imp_probe probe = {.x = x};
    scan->line.measure(scan->line.context, 1, &probe);
    return probe;
}

/* The point between two others; either of them when there is no double between. */
static double middle(double a, double b) {
    return a + (b - a) / 2;
}

/* ---- samples ---- */

static double sample_at(const imp_line *line, int i) {
    double part = (double)i / (line->samples - 1);
    if (i == 0 || i == line->samples - 1) {
        return i == 0 ? line->from : line->to;
    }
    return line->logarithmic ? line->from * pow(line->to / line->from, part)
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

/* Where a code is met in one sample only, there may be more to see beside it. */
static void refine_flips(imp_scan *scan, int n) {
    for (int i = 0; i + 1 < n; i++) {
        bool alone = false;
        for (int k = i; k <= i + 1; k++) {
            alone |= k > 0 && k + 1 < n && scan->sample[k].code != scan->sample[k - 1].code &&
                     scan->sample[k].code != scan->sample[k + 1].code;
        }
        double width = scan->sample[i + 1].x - scan->sample[i].x;
        for (int d = 1; alone && d < SUBDIVISIONS; d++) {
            add_sample(scan, probe_at(scan, scan->sample[i].x + width * d / SUBDIVISIONS));
        }
    }
}

/* What is followed to its extremum: a witness, or the value's distance from the aim. */
typedef struct follow {
    int witness; /* -1: the value */
    double aim, sign;
} follow;

static double height(const follow *f, const imp_probe *probe) {
    return f->sign * (f->witness >= 0 ? probe->witness[f->witness] : probe->value - f->aim);
}

/* Whether the probe shows what its surroundings hid. */
static bool reveals(const follow *f, const imp_probe *around, const imp_probe *probe) {
    return probe->code != around->code ||
           (f->witness < 0 && (probe->value >= f->aim) != (around->value >= f->aim));
}

/* Climbs down to the least height between two probes, by golden section; true if something is
 * revealed on the way. */
static bool descend(const imp_scan *scan, const follow *f, const imp_probe *around, double a,
                    double b, imp_probe *found) {
    imp_probe left = probe_at(scan, b - golden * (b - a)),
              right = probe_at(scan, a + golden * (b - a));
    double enough = 1e-11 * (scan->line.to - scan->line.from);
    for (int step = 0; step < GOLDEN_STEPS; step++) {
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
            left = probe_at(scan, b - golden * (b - a));
        } else {
            a = left.x;
            left = right;
            right = probe_at(scan, a + golden * (b - a));
        }
    }
    return false;
}

/* A sample that lies lower than both its neighbours, all of one code. */
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

/* Narrows a change down to the tolerance (or to neighbouring doubles); stops at a third code. */
static bool narrow(const imp_scan *scan, double tolerance, imp_probe *low, imp_probe *high,
                   imp_probe *third) {
    for (int step = 0; step < BISECTIONS && high->x - low->x > tolerance; step++) {
        double x = middle(low->x, high->x);
        if (x <= low->x || x >= high->x) {
            break;
        }
        imp_probe probe = probe_at(scan, x);
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

/* Appends everything from one probe (which is there already) to another. */
static void append_change(imp_scan *scan, imp_probe low, imp_probe high) {
    const imp_probe end = high;
    imp_probe third;
    while (low.code != high.code && scan->n + 2 < scan->room) {
        bool narrowed = narrow(scan, scan->line.tolerance, &low, &high, &third);
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

/* ---- boundaries ---- */

/* How far apart samples are at a place. */
static double spacing_at(const imp_line *line, double x) {
    return line->logarithmic ? x * (pow(line->to / line->from, 1.0 / (line->samples - 1)) - 1)
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
    return chord ? low->x + width * part : middle(low->x, high->x);
}

/* Narrows a passage down; each end keeps its side of the aim. */
static void close_in(const imp_scan *scan, double aim, double tolerance, imp_probe *low,
                     imp_probe *high) {
    bool low_side = low->value >= aim;
    for (int step = 0; step < BISECTIONS && high->x - low->x > tolerance; step++) {
        double x = next_point(low, high, aim, step);
        x = x <= low->x || x >= high->x ? middle(low->x, high->x) : x;
        if (x <= low->x || x >= high->x) {
            break;
        }
        imp_probe probe = probe_at(scan, x);
        if (isnan(probe.value)) {
            break;
        }
        *((probe.value >= aim) == low_side ? low : high) = probe;
    }
}

/* A leap is one that stays, however near its ends are brought. */
static bool is_leap(const imp_scan *scan, double aim, double scale, imp_crossing *c, bool gap) {
    imp_probe third;
    if (fabs(c->above.value - c->below.value) <= leap * scale) {
        return false;
    }
    if (gap) {
        narrow(scan, 0, &c->below, &c->above, &third);
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

/* ---- extremes ---- */

/* Best probe so far, of all that were ever measured. */
static void keep_best(double sign, const imp_probe *probe, imp_probe *best) {
    if (!isnan(probe->value) && (isnan(best->value) || sign * probe->value > sign * best->value)) {
        *best = *probe;
    }
}

/* Golden section between two probes of one piece. */
static void climb(const imp_scan *scan, double sign, double a, double b, imp_probe *best) {
    double enough = fmax(scan->line.tolerance, 1e-14 * fmax(fabs(a), fabs(b)));
    imp_probe left = probe_at(scan, b - golden * (b - a)),
              right = probe_at(scan, a + golden * (b - a));
    for (int step = 0; step < 2 * GOLDEN_STEPS && b - a > enough; step++) {
        keep_best(sign, &left, best);
        keep_best(sign, &right, best);
        if (!(sign * left.value <= sign * right.value)) {
            b = right.x;
            right = left;
            left = probe_at(scan, b - golden * (b - a));
        } else {
            a = left.x;
            left = right;
            right = probe_at(scan, a + golden * (b - a));
        }
    }
    keep_best(sign, &left, best);
    keep_best(sign, &right, best);
}

/* How far the value may rise beyond a probe, judged by its neighbours in the same piece. */
static bool may_win(double sign, const imp_probe *at, const imp_probe *left, const imp_probe *right,
                    double best) {
    double height = sign * at->value, fall = 0;
    if (height < sign * left->value || height < sign * right->value) {
        return false;
    }
    fall = fmax(height - sign * left->value, height - sign * right->value);
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

bool imp_scan_crowded(const imp_scan *scan, double one, double other) {
    for (int i = 0; i + 1 < scan->line.samples; i++) {
        double a = sample_at(&scan->line, i), b = sample_at(&scan->line, i + 1);
        if (one >= a && one < b) {
            return other >= a && other < b;
        }
    }
    return false;
}
