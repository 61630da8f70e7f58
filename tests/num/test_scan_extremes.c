/* Scans of functions whose extremes are known in closed form, and of many functions together. */
#include <math.h>

#include "scans.h"
#include "support/suite.h"

/* ---- extremes ---- */

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
        imp_scan_interval interval = interval_of(&s, 0, 3, 37, 1e-9);
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

/* Among many hills the right one is climbed; and the least is the negative of the largest. */
static void among_many(void) {
    imp_scan scan = scan_open(1, 400);
    for (int k = 1; k <= 20; k++) {
        subject s = {wavy, k, 0};
        imp_scan_interval interval = interval_of(&s, 0, 6, 400, 1e-10);
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

static void no_value_no_extreme(void) {
    imp_scan scan = scan_open(1, 9);
    subject s = {nothing, 0, 0};
    imp_scan_interval interval = interval_of(&s, 0, 1, 9, 1e-9);
    imp_scan_crossing found[1];
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
    imp_scan_crossing crossings[LINES][MOST], crossing[MOST];
    imp_summit summits[LINES];
    int counts[LINES];
    for (int k = 0; k < LINES; k++) {
        subjects[k] = (subject){functions[k % SUITE_COUNT(functions)], 0.9 - 0.011 * k, 0};
    }
    imp_scan_interval interval = interval_of(subjects, 0, 4, SAMPLES, 1e-12);
    CHECK(imp_scan_look(&together, &interval, LINES, 0.3), "memory");
    CHECK(imp_scan_targets(&together, 0.3, false, crossings[0], MOST, counts), "memory");
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

SUITE("scan extremes", highest_hill, among_many, no_value_no_extreme, lines_do_not_mix)
