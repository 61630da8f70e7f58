/* Scans of functions whose changes and roots are known in closed form. */
#include <math.h>

#include "scans.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- boundaries ---- */

static void every_boundary_to_the_last_bit(void) {
    enum { MOST = 16 };
    subject s = {above_level, 0.3, 0};
    imp_scan scan = scan_open(1, 64);
    imp_scan_interval interval = interval_of(&s, 0, 20, 64, 0);
    imp_scan_crossing found[MOST];
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
        imp_scan_crossing found[4];
        subject s = {above_level, 1 - depths[k], 0};
        imp_scan_interval interval = interval_of(&s, 0.1, 3.1, 17, 1e-15);
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
    imp_scan_interval interval = interval_of(&none, 0.1, 3.1, 17, 1e-15);
    imp_scan_crossing found[1];
    look(&scan, &interval, NAN);
    CHECK(imp_scan_boundaries(&scan, 0, is_one, NULL, found, 1) == 0, "no window, no boundary");
    imp_scan_free(&scan);
}

static void third_codes_are_followed(void) {
    imp_scan scan = scan_open(1, 5);
    for (int k = 0; k < 40; k++) {
        double width = ldexp(0.2, -k);
        subject s = {sliver, width, 0};
        imp_scan_interval interval = interval_of(&s, 0, 1, 5, 0);
        imp_scan_crossing found[4];
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

static void narrow_holes_are_brackets(void) {
    imp_scan scan = scan_open(1, 11);
    for (int k = 0; k < 6; k++) {
        double width = pow(10, -k - 0.5);
        subject s = {holed, width, 0};
        imp_scan_interval interval = interval_of(&s, 0, 1, 11, 0);
        imp_scan_crossing found[2];
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

/* Between two places without a value nothing is looked for, whatever the reasons; the edge of the
 * gap, which no bracket can reach across, is found once, to 1e-9 of the interval, and in less steps
 * where these are dear. */
static void wide_gaps_are_left_alone(void) {
    enum { SAMPLES = 100, STEPS = 30 };
    static const double rims[] = {0, 1e-3, 1e-6};
    imp_scan scan = scan_open(1, SAMPLES);
    for (int k = 0; k < SUITE_COUNT(rims); k++) {
        subject s = {half, rims[k], 0};
        imp_scan_interval interval = interval_of(&s, 0, 1, SAMPLES, 0);
        interval.counted = -3;
        look(&scan, &interval, NAN);
        const imp_line *at = &scan.line[0];
        int edge = 0, dear = 0, counted = 0;
        for (int i = 0; i < at->n; i++) {
            edge = at->probe[i].gap ? i : edge;
            dear += at->probe[i].dear;
        }
        for (int i = 0; i < SAMPLES; i++) {
            imp_probe sample = {.x = (double)i / (SAMPLES - 1)};
            half(rims[k], &sample);
            counted += sample.code == -3;
        }
        double width = at->probe[edge + 1].x - at->probe[edge].x;
        CHECK(s.calls <= SAMPLES + STEPS, "%d calls, rim %g", s.calls, rims[k]);
        CHECK(at->probe[edge].x < 0.5 + rims[k] && at->probe[edge + 1].x >= 0.5, "rim %g", rims[k]);
        CHECK(width <= (rims[k] > 0 ? 1.0 / SAMPLES : 1e-9), "edge to %g, rim %g", width, rims[k]);
        CHECK(dear <= 2, "%d dear places, rim %g", dear, rims[k]);
        CHECK(at->counted == counted, "%d of %d are counted", at->counted, counted);
    }
    imp_scan_free(&scan);
}

static void noise_ends(void) {
    imp_scan scan = scan_open(1, 100);
    subject s = {noise, 1, 0};
    imp_scan_interval interval = interval_of(&s, 0, 1, 100, 0);
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
    imp_scan_interval interval = interval_of(&s, 1e-3, 1e3, 7, 0);
    interval.logarithmic = true;
    look(&scan, &interval, NAN);
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(scan.line[0].probe[i].x / pow(10, i - 3), 1, 1e-14, "sample %d", i);
    }
    CHECK(scan.line[0].probe[0].x == 1e-3 && scan.line[0].probe[6].x == 1e3, "both ends are exact");
    imp_scan_free(&scan);
}

/* ---- targets ---- */

/* Roots 1, 2, 2 + p of which the last two come close to each other. */
static void close_roots(void) {
    static const double distances[] = {0.5, 1e-2, 1e-4, 1e-6};
    imp_scan scan = scan_open(1, 16);
    for (int k = 0; k < SUITE_COUNT(distances); k++) {
        double d = distances[k], exact[] = {1, 2, 2 + d};
        subject s = {cubic, d, 0};
        imp_scan_interval interval = interval_of(&s, 0, 4, 16, 0);
        imp_scan_crossing found[4];
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

static void jumps_are_told_from_roots(void) {
    imp_scan scan = scan_open(1, 33);
    for (int hidden = 0; hidden < 2; hidden++) {
        subject s = {broken, hidden, 0};
        imp_scan_interval interval = interval_of(&s, 0, 4, 33, 1e-9);
        imp_scan_crossing found[4];
        look(&scan, &interval, 0);
        int n = targets(&scan, 0, found, 4);
        CHECK(n == 2, "%d passages", n);
        CHECK(!found[0].jump && found[1].jump, "a root, then a jump");
        CHECK_NEAR(found[0].below.x, 0.5, 1e-9, "root");
        CHECK(found[1].below.x < 2 && found[1].above.x == 2, "the jump is at 2");
    }
    imp_scan_free(&scan);
}

static void small_jumps_are_jumps(void) {
    imp_scan scan = scan_open(1, 10);
    for (int k = 0; k < 6; k++) {
        double jump = pow(10, -k - 1);
        subject s = {small_jump, jump, 0};
        imp_scan_interval interval = interval_of(&s, 0, 1, 10, 1e-2);
        imp_scan_crossing found[2];
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
    imp_scan_interval interval = interval_of(&s, 0, 1, 20, 1e-3);
    imp_scan_crossing found[2];
    look(&scan, &interval, 0);
    CHECK(targets(&scan, 0, found, 2) == 1 && !found[0].jump, "a root of a square root");
    CHECK_NEAR(found[0].below.x, 0.123456789, 1e-3, "where it is");
    imp_scan_free(&scan);
}

/* A function and where it comes to 0 or leaves it. */
typedef struct stretch {
    void (*at)(double parameter, imp_probe *probe);
    double parameter, from, to;
    bool steps;
    int n;
    double root[3];
} stretch;

/* 0 between -p and p, rising with slope 1 above. */
static inline void flat(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->value = x > parameter ? x - parameter : x < -parameter ? x + parameter : 0;
}

/* The same, but above 0 on both sides; no value below -8. */
static inline void trough(double parameter, imp_probe *probe) {
    flat(parameter, probe);
    probe->value = probe->x < -8 ? (double)NAN : fabs(probe->value);
    probe->code = probe->x < -8 ? -1 : 0;
}

static void fallen(double parameter, imp_probe *probe) {
    flat(parameter, probe);
    probe->value = -probe->value;
}

static void ridge(double parameter, imp_probe *probe) {
    trough(parameter, probe);
    probe->value = -probe->value;
}

static void constant(double parameter, imp_probe *probe) {
    probe->value = parameter;
}

static const stretch stretches[] = {
    {flat, 0, 0, 8, false, 1, {0}},
    {flat, 0, -8, 0, false, 1, {0}},
    {flat, 0, -8, 8, false, 1, {0}},
    {flat, 4.25, -8, 8, false, 2, {-4.25, 4.25}},
    {flat, 4.25, -8, 8, true, 1, {-4.25}},
    {flat, 4.25, 0, 8, false, 2, {0, 4.25}},
    {flat, 4.25, 0, 8, true, 1, {4.25}},
    {flat, 4.25, -8, 1, false, 2, {-4.25, 1}},
    {flat, 0.125, 0, 8, false, 2, {0, 0.125}},
    {trough, 0, -8, 8, false, 2, {0, 0}},
    {trough, 2, -8, 8, false, 2, {-2, 2}},
    {trough, 9, -16, 4, false, 2, {-8, 4}},
    {constant, 0, -1, 3, false, 2, {-1, 3}},
    {constant, 0, -1, 3, true, 2, {-1, 3}},
    {constant, 1, -1, 3, false, 0, {0}},
    {flat, 1e-12, -8, 8, false, 1, {0}},
};

/* 17 samples; stretches at the value begin and end between samples, at samples, at the ends of the
 * range and of the domain; each rule holds for a function and the same turned over. */
static void stretches_at_the_value_tell_their_ends(void) {
    imp_scan scan = scan_open(1, 17);
    for (int k = 0; k < 2 * SUITE_COUNT(stretches); k++) {
        const stretch *t = &stretches[k / 2];
        bool turned = k % 2;
        void (*at)(double, imp_probe *) = t->at;
        at = turned && at == flat ? fallen : turned && at == trough ? ridge : at;
        subject s = {at, t->parameter, 0};
        imp_scan_interval interval = interval_of(&s, t->from, t->to, 17, 1e-11);
        imp_scan_crossing found[3];
        look(&scan, &interval, 0);
        int n;
        CHECK(imp_scan_targets(&scan, 0, t->steps, found, 3, &n), "memory");
        CHECK(n == t->n, "%d places of stretch %d, turned over: %d", n, k / 2, turned);
        for (int r = 0; r < n && r < 3; r++) {
            const imp_probe *low = &found[r].below, *high = &found[r].above;
            /* One that is passed through has the end beyond which the value is smaller. */
            double root =
                t->steps && turned && t->from < 0 && at == fallen ? -t->root[r] : t->root[r];
            CHECK_NEAR(low->value == 0 ? low->x : high->x, root, 1e-8, "place %d of %d", r, k);
            CHECK(low->value == 0 || high->value == 0, "one end is at the value: %d of %d", r, k);
            CHECK(!found[r].jump && high->x - low->x <= 1e-11, "bracket %d of %d", r, k);
        }
    }
    imp_scan_free(&scan);
}

SUITE("scan", every_boundary_to_the_last_bit, hidden_windows, third_codes_are_followed,
      narrow_holes_are_brackets, wide_gaps_are_left_alone, noise_ends, logarithmic_samples,
      close_roots, jumps_are_told_from_roots, small_jumps_are_jumps, steep_roots_are_no_jumps,
      stretches_at_the_value_tell_their_ends)
