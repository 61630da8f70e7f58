/* Scans of functions whose changes, roots and extremes are known in closed form. */
#include <math.h>

#include "num/scan.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

/* A function of one number, with a parameter. */
typedef struct subject {
    void (*at)(double parameter, imp_probe *probe);
    double parameter;
    int calls;
} subject;

static void measure(void *context, bool witnesses, size_t n, imp_probe *probes) {
    (void)witnesses;
    subject *subjects = context;
    for (size_t i = 0; i < n; i++) {
        subject *s = &subjects[probes[i].line];
        probes[i] = (imp_probe){
            .x = probes[i].x, .line = probes[i].line, .value = NAN, .witness = {NAN, NAN}};
        s->at(s->parameter, &probes[i]);
        s->calls++;
    }
}

static imp_interval interval_of(subject *subjects, double from, double to, int samples,
                                double tolerance) {
    return (imp_interval){.measure = measure,
                          .context = subjects,
                          .from = from,
                          .to = to,
                          .samples = samples,
                          .tolerance = tolerance};
}

static imp_scan scan_open(int lines, int samples) {
    imp_scan scan;
    CHECK(imp_scan_open(&scan, lines, samples), "memory");
    return scan;
}

static void look(imp_scan *scan, const imp_interval *interval, double aim) {
    CHECK(imp_scan_look(scan, interval, 1, aim), "memory");
}

static int targets(imp_scan *scan, double aim, imp_crossing *found, int most) {
    int count;
    CHECK(imp_scan_targets(scan, aim, found, most, &count), "memory");
    return count;
}

static imp_summit extreme(imp_scan *scan, double sign) {
    imp_summit summit;
    CHECK(imp_scan_extremes(scan, sign, &summit), "memory");
    return summit;
}

static bool is_one(const void *context, const imp_probe *probe) {
    (void)context;
    return probe->code == 1;
}

/* ---- boundaries ---- */

/* Code 1 where sin x > parameter, with sin x as a witness. */
static void above_level(double level, imp_probe *probe) {
    probe->witness[0] = sin(probe->x);
    probe->code = probe->witness[0] > level;
}

static void every_boundary_to_the_last_bit(void) {
    enum { MOST = 16 };
    subject s = {above_level, 0.3, 0};
    imp_scan scan = scan_open(1, 64);
    imp_interval interval = interval_of(&s, 0, 20, 64, 0);
    imp_crossing found[MOST];
    look(&scan, &interval, NAN);
    int n = imp_scan_boundaries(&scan, 0, is_one, NULL, found, MOST);
    CHECK(n == 7, "%d boundaries of sin x > 0.3 up to 20", n);
    for (int k = 0; k < n; k++) {
        double turn = 2 * pi * (k / 2);
        double exact = k % 2 ? turn + pi - asin(0.3) : turn + asin(0.3);
        CHECK(nextafter(found[k].below.x, INFINITY) == found[k].above.x, "bracket %d", k);
        CHECK_NEAR(found[k].below.x, exact, 4e-15, "boundary %d", k);
        CHECK((found[k].above.code == 1) == (k % 2 == 0), "side of boundary %d", k);
    }
    CHECK(imp_scan_boundaries(&scan, 0, is_one, NULL, found, 3) == 7, "all are counted");
    imp_scan_free(&scan);
}

/* A window far narrower than the distance of the samples shows in the witness around it. */
static void hidden_windows(void) {
    static const double depths[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14};
    imp_scan scan = scan_open(1, 17);
    for (int k = 0; k < SUITE_COUNT(depths); k++) {
        imp_crossing found[4];
        subject s = {above_level, 1 - depths[k], 0};
        imp_interval interval = interval_of(&s, 0.1, 3.1, 17, 1e-15);
        look(&scan, &interval, NAN);
        int n = imp_scan_boundaries(&scan, 0, is_one, NULL, found, 4);
        double half = acos(1 - depths[k]);
        CHECK(n == 2, "%d boundaries of a window of half width %g", n, half);
        if (n == 2) {
            CHECK_NEAR(found[0].above.x, pi / 2 - half, 1e-8 * half + 1e-15 / half, "opens");
            CHECK_NEAR(found[1].below.x, pi / 2 + half, 1e-8 * half + 1e-15 / half, "closes");
            CHECK(imp_scan_crowded(&scan, found[0].below.x, found[1].below.x) == (2 * half < 0.1),
                  "%g is called crowded or not", half);
        }
    }
    subject none = {above_level, 1, 0};
    imp_interval interval = interval_of(&none, 0.1, 3.1, 17, 1e-15);
    imp_crossing found[1];
    look(&scan, &interval, NAN);
    CHECK(imp_scan_boundaries(&scan, 0, is_one, NULL, found, 1) == 0, "no window, no boundary");
    imp_scan_free(&scan);
}

/* Codes 0 | 1 | 2 with a sliver of code 1 between 0 and 2: the change from 0 to 2 is followed, and the
 * third code is met on the way. Below 0.2 the function has no code. */
static void sliver(double width, imp_probe *probe) {
    probe->code = probe->x < 0.2 ? -2 : probe->x < 0.7 ? 0 : probe->x < 0.7 + width ? 1 : 2;
}

static void third_codes_are_followed(void) {
    imp_scan scan = scan_open(1, 5);
    for (int k = 0; k < 40; k++) {
        double width = ldexp(0.2, -k);
        subject s = {sliver, width, 0};
        imp_interval interval = interval_of(&s, 0, 1, 5, 0);
        imp_crossing found[4];
        look(&scan, &interval, NAN);
        int n = imp_scan_boundaries(&scan, 0, is_one, NULL, found, 4);
        bool met = false;
        for (int i = 0; i < scan.line[0].n; i++) {
            met = met || scan.line[0].probe[i].code == 1;
        }
        CHECK(n == (met ? 2 : 0), "%d boundaries of a sliver of width %g", n, width);
        CHECK(met || width < 0.26, "a sliver as wide as a sample is met");
        if (n == 2) {
            CHECK(found[0].above.x == 0.7 && found[1].above.x == 0.7 + width, "ends");
        }
    }
    imp_scan_free(&scan);
}

/* Code 0 up to 0.5, then no code over a width, then code 1. */
static void holed(double width, imp_probe *probe) {
    probe->code = probe->x < 0.5 ? 0 : probe->x < 0.5 + width ? -4 : 1;
}

static void narrow_holes_are_brackets(void) {
    imp_scan scan = scan_open(1, 11);
    for (int k = 0; k < 6; k++) {
        double width = pow(10, -k - 0.5);
        subject s = {holed, width, 0};
        imp_interval interval = interval_of(&s, 0, 1, 11, 0);
        imp_crossing found[2];
        look(&scan, &interval, NAN);
        int n = imp_scan_boundaries(&scan, 0, is_one, NULL, found, 2);
        CHECK(n == (width < 0.1), "%d boundaries across a hole of %g", n, width);
        if (n == 1) {
            CHECK(found[0].above.x == 0.5 + width && nextafter(found[0].below.x, 1) == 0.5,
                  "bracket of a hole of %g", width);
        }
    }
    imp_scan_free(&scan);
}

/* A code that changes at every double: the scan stops when its room is full. */
static void noise(double parameter, imp_probe *probe) {
    random_source source = {(uint64_t)(probe->x * 1e9 + parameter)};
    probe->code = random_index(&source, 40);
}

static void noise_ends(void) {
    imp_scan scan = scan_open(1, 100);
    subject s = {noise, 1, 0};
    imp_interval interval = interval_of(&s, 0, 1, 100, 0);
    look(&scan, &interval, NAN);
    CHECK(scan.line[0].overflow && scan.line[0].n <= scan.room, "%d probes in room for %d",
          scan.line[0].n, scan.room);
    for (int i = 0; i + 1 < scan.line[0].n; i++) {
        CHECK(scan.line[0].probe[i].x < scan.line[0].probe[i + 1].x, "order at %d", i);
    }
    imp_scan_free(&scan);
}

static void logarithmic_samples(void) {
    imp_scan scan = scan_open(1, 7);
    subject s = {above_level, 2, 0};
    imp_interval interval = interval_of(&s, 1e-3, 1e3, 7, 0);
    interval.logarithmic = true;
    look(&scan, &interval, NAN);
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(scan.line[0].probe[i].x / pow(10, i - 3), 1, 1e-14, "sample %d", i);
    }
    CHECK(scan.line[0].probe[0].x == 1e-3 && scan.line[0].probe[6].x == 1e3, "both ends are exact");
    imp_scan_free(&scan);
}

/* ---- targets ---- */

static void cubic(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->value = (x - 1) * (x - 2) * (x - 2 - parameter) + 5;
}

/* Roots 1, 2, 2 + p of which the last two come close to each other. */
static void close_roots(void) {
    static const double distances[] = {0.5, 1e-2, 1e-4, 1e-6};
    imp_scan scan = scan_open(1, 16);
    for (int k = 0; k < SUITE_COUNT(distances); k++) {
        double d = distances[k], exact[] = {1, 2, 2 + d};
        subject s = {cubic, d, 0};
        imp_interval interval = interval_of(&s, 0, 4, 16, 0);
        imp_crossing found[4];
        look(&scan, &interval, 5);
        int n = targets(&scan, 5, found, 4);
        CHECK(n == 3, "%d roots at distance %g", n, d);
        for (int r = 0; r < n && r < 3; r++) {
            CHECK_NEAR(found[r].below.x, exact[r], 4e-15 / d, "root %d at distance %g", r, d);
            CHECK(!found[r].jump, "root %d is no jump", r);
            CHECK((found[r].above.value >= 5) == (r != 1), "direction of root %d", r);
        }
    }
    imp_scan_free(&scan);
}

/* Rises through 0 at 0.5 (slope 1), has a kink at 1 and a jump from 0.5 + p to -0.5 at 2, where the
 * code changes or not, then a hole, then -1. */
static void broken(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->code = x < 1 ? 0 : x < 2 || parameter > 0 ? 1 : 2;
    probe->value = x < 1 ? x - 0.5 : x < 2 ? 0.5 : x < 3 ? -0.5 + (x - 2) * 0.1 : -1;
    if (x > 2.5 && x < 2.8) {
        probe->value = NAN;
        probe->code = 3;
    }
}

static void jumps_are_told_from_roots(void) {
    imp_scan scan = scan_open(1, 33);
    for (int hidden = 0; hidden < 2; hidden++) {
        subject s = {broken, hidden, 0};
        imp_interval interval = interval_of(&s, 0, 4, 33, 1e-9);
        imp_crossing found[4];
        look(&scan, &interval, 0);
        int n = targets(&scan, 0, found, 4);
        CHECK(n == 2, "%d passages", n);
        CHECK(!found[0].jump && found[1].jump, "a root, then a jump");
        CHECK_NEAR(found[0].below.x, 0.5, 1e-9, "root");
        CHECK(found[1].below.x < 2 && found[1].above.x == 2, "the jump is at 2");
    }
    imp_scan_free(&scan);
}

/* Over 0 by jumps of a few thousandths. */
static void small_jump(double parameter, imp_probe *probe) {
    probe->value = probe->x - 0.5 + (probe->x < 0.5 ? -parameter : parameter);
}

static void small_jumps_are_jumps(void) {
    imp_scan scan = scan_open(1, 10);
    for (int k = 0; k < 6; k++) {
        double jump = pow(10, -k - 1);
        subject s = {small_jump, jump, 0};
        imp_interval interval = interval_of(&s, 0, 1, 10, 1e-2);
        imp_crossing found[2];
        look(&scan, &interval, 0);
        int n = targets(&scan, 0, found, 2);
        CHECK(n == 1 && found[0].jump == (jump > 3e-6), "a jump of %g", jump);
    }
    imp_scan_free(&scan);
}

/* A root whose slope is infinite, as restitution has at the angle where it wedges. */
static void root_function(double parameter, imp_probe *probe) {
    probe->value = copysign(sqrt(fabs(probe->x - parameter)), probe->x - parameter);
}

static void steep_roots_are_no_jumps(void) {
    imp_scan scan = scan_open(1, 20);
    subject s = {root_function, 0.123456789, 0};
    imp_interval interval = interval_of(&s, 0, 1, 20, 1e-3);
    imp_crossing found[2];
    look(&scan, &interval, 0);
    CHECK(targets(&scan, 0, found, 2) == 1 && !found[0].jump, "a root of a square root");
    CHECK_NEAR(found[0].below.x, 0.123456789, 1e-3, "where it is");
    imp_scan_free(&scan);
}

/* ---- extremes ---- */

/* Two hills, a kink and a jump; which of them is the highest depends on the parameter. */
static void hills(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->value = x < 1   ? 1 - (x - 0.437) * (x - 0.437)
                   : x < 2 ? 1.1 - fabs(x - 1.618) + parameter * 0.2
                           : 0.9 + 0.05 * (x - 2);
    probe->code = x < 1 ? 0 : x < 2 ? 1 : 2;
    if (parameter < 0 && x < 1) {
        probe->value += 0.5;
    }
    if (parameter > 1 && x >= 2) {
        probe->value += 2 - 0.3 * (x - 2);
    }
}

static void highest_hill(void) {
    static const struct {
        double parameter, at, value;
        int below, code, above;
    } cases[] = {
        {-1, 0.437, 1.5, 0, 0, 0}, /* smooth */
        {1, 1.618, 1.3, 1, 1, 1},  /* a kink inside a piece */
        {2, 2, 2.9, 1, 2, 2},      /* the near side of a jump */
    };
    imp_scan scan = scan_open(1, 37);
    for (int k = 0; k < SUITE_COUNT(cases); k++) {
        subject s = {hills, cases[k].parameter, 0};
        imp_interval interval = interval_of(&s, 0, 3, 37, 1e-9);
        look(&scan, &interval, NAN);
        imp_summit top = extreme(&scan, 1);
        CHECK(top.exists, "no extreme");
        CHECK_NEAR(top.best.value, cases[k].value, 1e-8, "value of hill %d", k);
        CHECK_NEAR(top.best.x, cases[k].at, k == 0 ? 1e-7 : 1e-8, "place of hill %d", k);
        CHECK(top.below.code == cases[k].below && top.best.code == cases[k].code &&
                  top.above.code == cases[k].above,
              "sides of hill %d: %d %d %d", k, top.below.code, top.best.code, top.above.code);
    }
    imp_scan_free(&scan);
}

static void wavy(double parameter, imp_probe *probe) {
    probe->value = sin(parameter * probe->x) + 0.1 * probe->x;
}

/* Among many hills the right one is climbed; and the least is the negative of the largest. */
static void among_many(void) {
    imp_scan scan = scan_open(1, 400);
    for (int k = 1; k <= 20; k++) {
        subject s = {wavy, k, 0};
        imp_interval interval = interval_of(&s, 0, 6, 400, 1e-10);
        look(&scan, &interval, NAN);
        imp_summit summit = extreme(&scan, 1);
        /* cos(k x) = -0.1 / k, the last such place with a falling sine, or the end */
        double top = acos(-0.1 / k) / k, at = top;
        while (at + 2 * pi / k <= 6) {
            at += 2 * pi / k;
        }
        double end = sin(6.0 * k) + 0.6, value = sin(k * at) + 0.1 * at;
        CHECK_NEAR(summit.best.value, fmax(value, end), 1e-15 * 8, "largest of wave %d", k);
        summit = extreme(&scan, -1);
        double low = 2 * pi / k - top;
        CHECK_NEAR(summit.best.value, fmin(sin(k * low) + 0.1 * low, fmin(0, end)), 1e-14,
                   "least of wave %d", k);
    }
    imp_scan_free(&scan);
}

static void nothing(double parameter, imp_probe *probe) {
    (void)parameter;
    probe->code = -3;
}

static void no_value_no_extreme(void) {
    imp_scan scan = scan_open(1, 9);
    subject s = {nothing, 0, 0};
    imp_interval interval = interval_of(&s, 0, 1, 9, 1e-9);
    imp_crossing found[1];
    look(&scan, &interval, 0);
    CHECK(!extreme(&scan, 1).exists, "an extreme of nothing");
    CHECK(targets(&scan, 0, found, 1) == 0, "a root of nothing");
    CHECK(imp_scan_boundaries(&scan, 0, is_one, NULL, found, 1) == 0, "a boundary of nothing");
    imp_scan_free(&scan);
}

/* ---- many lines ---- */

static bool same_probe(const imp_probe *one, const imp_probe *other) {
    bool both_nan = isnan(one->value) && isnan(other->value);
    return one->x == other->x && one->code == other->code && one->gap == other->gap &&
           (one->value == other->value || both_nan);
}

static bool same_line(const imp_line *one, const imp_line *other) {
    bool same = one->n == other->n && one->overflow == other->overflow;
    for (int i = 0; same && i < one->n; i++) {
        same = same_probe(&one->probe[i], &other->probe[i]);
    }
    return same;
}

/* Lines that are searched together, more than fit into one batch, find what each finds alone. */
static void lines_do_not_mix(void) {
    enum { LINES = 40, SAMPLES = 33, MOST = 8 };
    static void (*const functions[])(double, imp_probe *) = {
        above_level, sliver, holed, noise, cubic, broken, small_jump, hills, wavy, nothing};
    subject subjects[LINES] = {{NULL}};
    imp_scan together = scan_open(LINES, SAMPLES), alone = scan_open(1, SAMPLES);
    imp_crossing crossings[LINES][MOST], crossing[MOST];
    imp_summit summits[LINES];
    int counts[LINES];
    for (int k = 0; k < LINES; k++) {
        subjects[k] = (subject){functions[k % SUITE_COUNT(functions)], 0.9 - 0.011 * k, 0};
    }
    imp_interval interval = interval_of(subjects, 0, 4, SAMPLES, 1e-12);
    CHECK(imp_scan_look(&together, &interval, LINES, 0.3), "memory");
    CHECK(imp_scan_targets(&together, 0.3, crossings[0], MOST, counts), "memory");
    CHECK(imp_scan_extremes(&together, 1, summits), "memory");
    int found = 0;
    for (int k = 0; k < LINES; k++) {
        interval.context = &subjects[k];
        look(&alone, &interval, 0.3);
        CHECK(same_line(&together.line[k], &alone.line[0]), "line %d", k);
        CHECK(targets(&alone, 0.3, crossing, MOST) == counts[k], "targets of line %d", k);
        for (int c = 0; c < counts[k] && c < MOST; c++) {
            found++;
            CHECK(same_probe(&crossing[c].below, &crossings[k][c].below) &&
                      same_probe(&crossing[c].above, &crossings[k][c].above) &&
                      crossing[c].jump == crossings[k][c].jump,
                  "target %d of line %d", c, k);
        }
        imp_summit summit = extreme(&alone, 1);
        CHECK(summit.exists == summits[k].exists && same_probe(&summit.best, &summits[k].best),
              "extreme of line %d", k);
    }
    CHECK(found > LINES / 2, "%d targets", found);
    imp_scan_free(&together);
    imp_scan_free(&alone);
}

int main(void) {
    static const suite_test tests[] = {
        SUITE_TEST(every_boundary_to_the_last_bit),
        SUITE_TEST(hidden_windows),
        SUITE_TEST(third_codes_are_followed),
        SUITE_TEST(narrow_holes_are_brackets),
        SUITE_TEST(noise_ends),
        SUITE_TEST(logarithmic_samples),
        SUITE_TEST(close_roots),
        SUITE_TEST(jumps_are_told_from_roots),
        SUITE_TEST(small_jumps_are_jumps),
        SUITE_TEST(steep_roots_are_no_jumps),
        SUITE_TEST(highest_hill),
        SUITE_TEST(among_many),
        SUITE_TEST(no_value_no_extreme),
        SUITE_TEST(lines_do_not_mix),
    };
    return suite_run("scan", tests, SUITE_COUNT(tests));
}
