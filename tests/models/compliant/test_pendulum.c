/* The pendulum against its closed form (linear springs): the impact of a body with one degree of
 * freedom is solved by hand. T = tan(angle), k = friction stiffness_ratio; energies are fractions
 * of M w0^2 / 2. Source of the published numbers: Birlik 2012, tables 4.3 and 4.4, figures 4.16 and
 * 4.17; where they differ from the correct value the difference is stated. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const double degree = IMP_PI / 180;
static const char *const back = "slip_stick_slip_reversed";

/* One cell in closed form. */
typedef struct oracle {
    const char *mode, *sequence;
    double squared; /* kinematic restitution squared; not set if wedged */
    double loss;
} oracle;

static oracle closed_form(double angle, double friction, double ratio) {
    long double t = tanl(angle), mu = friction, eta = ratio, k = mu * eta;
    if (k * t >= 1) {
        return (oracle){"gross_stick", "stick", 1, 0};
    }
    /* Slip until v_n = 0, the swing in stick to the other face, slip back. */
    long double first = mu * (1 - k * t) / (mu + t), r = (1 - k * t) / (1 + k * t);
    if (k * t * t + (1 + 3 * k * mu) * t - mu > 0) {
        long double squared = 1 - 2 * mu * (1 - k * t) / ((t + mu) * (1 + k * t));
        return (oracle){back, "slip- stick slip+", (double)squared, (double)(first * (1 + r))};
    }
    /* The motion that friction and the springs leave at the other face is never 0: it is
     * T (1 + mu k) (1 - r^2) / (T + mu). The slip back stops where friction has used it up. */
    long double springs = t / (t + mu) * r * r * (1 + mu * k), motion = 1 - first - springs;
    long double second = mu * (1 + k * t) * motion / (mu - t);
    return (oracle){"wedge", "slip- stick slip+ stick", NAN, (double)(first + second)};
}

static void check_restitution(const batch *b, size_t i, const oracle *expected) {
    double e = batch_out(b, "kinematic_restitution")[i];
    CHECK_NEAR(e * e, expected->squared, 1e-12, "e^2 of %s", batch_text(b, i));
    CHECK_NEAR(batch_out(b, "energy_loss")[i], 1 - e * e, 1e-12, "loss of %s", batch_text(b, i));
    /* The tip moves across the link: v_t / v_n = cot(angle) at all times. */
    double across = e / tan(batch_in(b, "angle")[i]);
    CHECK_NEAR(batch_out(b, "velocity_ratio_out")[i], across, 1e-12 * (1 + fabs(across)),
               "velocity of %s", batch_text(b, i));
}

/* Mass, stiffness and speed are all 1 in these cells. */
static void check_duration(const batch *b, size_t i) {
    double c = cos(batch_in(b, "angle")[i]), s = sin(batch_in(b, "angle")[i]);
    double frequency = sqrt(c * c / batch_in(b, "stiffness_ratio")[i] + s * s);
    double duration = pi / frequency;
    CHECK_OUTPUT(b, i, "duration", duration, 1e-12 * duration);
    CHECK_OUTPUT(b, i, "compression_time", duration / 2, 1e-12 * duration);
}

static void check_cell(const batch *b, size_t i) {
    oracle expected = closed_form(batch_in(b, "angle")[i], batch_in(b, "friction")[i],
                                  batch_in(b, "stiffness_ratio")[i]);
    CHECK(b->outcome[i] == IMP_SOLVED, "not solved: %s", batch_text(b, i));
    CHECK_MODE(b, i, expected.mode);
    CHECK(strcmp(batch_sequence(b, i), expected.sequence) == 0, "sequence %s instead of %s: %s",
          batch_sequence(b, i), expected.sequence, batch_text(b, i));
    CHECK_NEAR(batch_out(b, "energy_loss")[i], expected.loss, 1e-12, "loss of %s",
               batch_text(b, i));
    if (isnan(expected.squared)) {
        CHECK(isnan(batch_out(b, "kinematic_restitution")[i]), "wedge separates: %s",
              batch_text(b, i));
        return;
    }
    check_restitution(b, i, &expected);
    if (strcmp(expected.mode, "gross_stick") == 0) {
        check_duration(b, i);
    }
}

static void random_cells(void) {
    enum { CELLS = 200000 };
    batch b = batch_open("compliant", "body=pendulum law=linear", CELLS);
    double *angle = batch_in(&b, "angle"), *friction = batch_in(&b, "friction");
    double *ratio = batch_in(&b, "stiffness_ratio");
    random_source source = {20121};
    for (size_t i = 0; i < CELLS; i++) {
        angle[i] = random_between(&source, 0.1, 89.9) * degree;
        friction[i] = random_between(&source, 0, 1.5);
        ratio[i] = random_log(&source, 0.001, 10);
    }
    batch_solve(&b);
    int seen[3] = {0};
    for (size_t i = 0; i < CELLS; i++) {
        check_cell(&b, i);
        const char *mode = batch_mode(&b, i);
        seen[mode[0] == 'g' ? 0 : mode[0] == 'w' ? 1 : 2]++;
    }
    CHECK(seen[0] > 1000 && seen[1] > 1000 && seen[2] > 1000, "a mode hardly occurs: %d %d %d",
          seen[0], seen[1], seen[2]);
    batch_close(&b);
}

/* One cell. The caller closes it. */
static batch solve_one(double angle, double friction, double ratio) {
    batch b = batch_open("compliant", "body=pendulum law=linear", 1);
    BATCH_SET(&b, {"angle", angle}, {"friction", friction}, {"stiffness_ratio", ratio});
    batch_solve(&b);
    return b;
}

static bool wedges(double angle, double friction, double ratio) {
    batch b = solve_one(angle, friction, ratio);
    bool wedge = batch_has_mode(&b, 0, "wedge");
    bool separates = batch_has_mode(&b, 0, back);
    CHECK(wedge != separates, "mode %s: %s", batch_mode(&b, 0), batch_text(&b, 0));
    batch_close(&b);
    return wedge;
}

static void one_cell(void) {
    double t = 1 / sqrt(3.0), mu = 0.3, k = 0.3 * 1.21;
    double squared = 1 - 2 * mu * (1 - k * t) / ((t + mu) * (1 + k * t));
    batch b = solve_one(30 * degree, 0.3, 1.21);
    CHECK(batch_has_mode(&b, 0, back), "mode %s", batch_mode(&b, 0));
    CHECK(strcmp(batch_sequence(&b, 0), "slip- stick slip+") == 0, "%s", batch_sequence(&b, 0));
    CHECK_NEAR(*batch_out(&b, "kinematic_restitution"), sqrt(squared), 1e-12, "restitution");
    CHECK_NEAR(*batch_out(&b, "velocity_ratio_out"), sqrt(3 * squared), 1e-12, "velocity");
    CHECK_NEAR(*batch_out(&b, "energy_loss"), 1 - squared, 1e-12, "loss");
    CHECK_NEAR(*batch_out(&b, "energetic_restitution"), 1, 1e-12, "energetic restitution");
    batch_close(&b);
}

static void wedge_loss(void) {
    batch b = solve_one(10 * degree, 0.6, 1.21);
    CHECK(batch_has_mode(&b, 0, "wedge"), "mode %s", batch_mode(&b, 0));
    CHECK(strcmp(batch_sequence(&b, 0), "slip- stick slip+ stick") == 0, "%s",
          batch_sequence(&b, 0));
    CHECK_NEAR(*batch_out(&b, "energy_loss"), 0.883551, 0.5e-6, "loss");
    CHECK_NEAR(*batch_out(&b, "energy_loss"), closed_form(10 * degree, 0.6, 1.21).loss, 1e-12,
               "loss");
    static const char *const undefined[] = {"kinematic_restitution",
                                            "kinetic_restitution",
                                            "energetic_restitution",
                                            "velocity_ratio_out",
                                            "normal_impulse",
                                            "tangential_impulse",
                                            "duration",
                                            "compression_time"};
    for (int i = 0; i < SUITE_COUNT(undefined); i++) {
        CHECK(isnan(*batch_out(&b, undefined[i])), "%s of a wedge is a number", undefined[i]);
    }
    batch_close(&b);
}

/* Half a period of the only motion, with all units given: duration pi / W,
 * W^2 = (k1 c^2 + k3 s^2) / M; impulse of a spring = stiffness times the area 2 (speed / W) / W. */
static void gross_stick_in_units(void) {
    const double mass = 0.37, stiffness = 5.2e4, speed = 2.5, ratio = 1.7, angle = 61 * degree;
    batch b = batch_open("compliant", "body=pendulum", 1);
    BATCH_SET(&b, {"angle", angle}, {"friction", 0.9}, {"stiffness_ratio", ratio}, {"mass", mass},
              {"normal_stiffness", stiffness}, {"normal_speed", speed});
    batch_solve(&b);
    double c = cos(angle), s = sin(angle);
    double square = stiffness * (c * c / ratio + s * s) / mass;
    double normal = 2 * stiffness * speed / square;
    double tangential = normal * c / s / ratio;
    CHECK(batch_has_mode(&b, 0, "gross_stick"), "mode %s", batch_mode(&b, 0));
    CHECK_NEAR(*batch_out(&b, "duration") * sqrt(square) / pi, 1, 1e-12, "duration");
    CHECK_NEAR(*batch_out(&b, "normal_impulse") / normal, 1, 1e-12, "normal impulse");
    CHECK_NEAR(*batch_out(&b, "tangential_impulse") / tangential, 1, 1e-12, "tangential impulse");
    batch_close(&b);
}

static void mode_switches(void) {
    CHECK(wedges(11.585123 * degree, 1, 1.21), "no wedge below the critical angle, ratio 1.21");
    CHECK(!wedges(11.585126 * degree, 1, 1.21), "wedge above the critical angle, ratio 1.21");
    CHECK(wedges(36.070198 * degree, 1, 0.1), "no wedge below the critical angle, ratio 0.1");
    CHECK(!wedges(36.070200 * degree, 1, 0.1), "wedge above the critical angle, ratio 0.1");
}

/* The angle at which the program's mode changes, between two angles of which the lower one
 * wedges. */
static double critical_angle(double low, double high, double friction, double ratio) {
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (wedges(middle, friction, ratio)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

typedef struct critical_row {
    double friction, ratio;
    double published, tolerance; /* degrees; NaN where the published number is known to be wrong */
    double correct;              /* to 1e-6 */
} critical_row;

static void critical_angles(void) {
    static const critical_row rows[] = {
        {1, 1.21, 11.69, NAN, 11.585124}, /* table 4.3, probably a misprint of 11.59 */
        {1, 0.1, 36.07, 0.006, 36.070199},
        {1, 0.01, 43.9, NAN, 43.887189}, /* rounded loosely */
        {1, 0.001, 44.89, 0.006, 44.885751},
        {0.1, 0.001, 5.71, 0.006, 5.710366}, /* table 4.4 */
        {0.25, 0.001, 14.03, 0.006, 14.032874},
        {0.5, 0.001, 26.57, NAN, 26.542157},  /* prints the rigid value atan(mu) */
        {0.75, 0.001, 36.82, NAN, 36.808142}, /* rounded loosely */
    };
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        const critical_row *row = &rows[i];
        double b = 1 + 3 * row->ratio * row->friction * row->friction;
        double square = 4 * row->ratio * row->friction * row->friction;
        double expected = atan(2 * row->friction / (b + sqrt(b * b + square)));
        CHECK(wedges((row->correct - 1e-6) * degree, row->friction, row->ratio), "row %d", i);
        CHECK(!wedges((row->correct + 1e-6) * degree, row->friction, row->ratio), "row %d", i);
        double found = critical_angle(0.01, 0.79, row->friction, row->ratio);
        CHECK_NEAR(found, expected, 1e-13, "critical angle of row %d", i);
        CHECK_NEAR(found / degree, row->correct, 0.6e-6, "critical angle of row %d", i);
        if (!isnan(row->tolerance)) {
            CHECK_NEAR(found / degree, row->published, row->tolerance, "published, row %d", i);
        }
    }
}

typedef struct window_row {
    double angle, ratio; /* degrees */
    double low, high;    /* friction, to one unit of the last digit */
    double low_digit, high_digit;
} window_row;

static void wedge_windows(void) {
    static const window_row rows[] = {
        {13, 1.21, 0.368295, 0.747993, 1e-6, 1e-6}, /* figure 4.16: 0.4 to 0.7 in steps of 0.1 */
        {26, 0.01, 0.492452, 67.688, 1e-6, 1e-3},   /* figure 4.17: above 0.4 in steps of 0.1 */
    };
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        double angle = rows[i].angle * degree, t = tan(angle), y2 = t * t * rows[i].ratio;
        double root = sqrt((1 - y2) * (1 - y2) - 12 * y2), scale = 6 * rows[i].ratio * t;
        double low = (1 - y2 - root) / scale, high = (1 - y2 + root) / scale;
        CHECK_NEAR(low, rows[i].low, rows[i].low_digit, "lower end, row %d", i);
        CHECK_NEAR(high, rows[i].high, rows[i].high_digit, "upper end, row %d", i);
        CHECK(!wedges(angle, low * (1 - 1e-12), rows[i].ratio), "below the window, row %d", i);
        CHECK(wedges(angle, low * (1 + 1e-12), rows[i].ratio), "in the window, row %d", i);
        CHECK(wedges(angle, high * (1 - 1e-12), rows[i].ratio), "in the window, row %d", i);
        CHECK(!wedges(angle, high * (1 + 1e-12), rows[i].ratio), "above the window, row %d", i);
    }
}

/* Wedging ends at T sqrt(ratio) = tan 15 deg, where only friction 1 / sqrt(3 ratio) wedges. */
static void end_of_wedging(void) {
    static const double ratios[] = {0.001, 0.3, 1, 1.21, 8};
    for (int i = 0; i < SUITE_COUNT(ratios); i++) {
        double limit = atan((2 - sqrt(3.0)) / sqrt(ratios[i]));
        double friction = 1 / sqrt(3 * ratios[i]);
        CHECK(wedges(limit * (1 - 1e-12), friction, ratios[i]), "ratio %g", ratios[i]);
        for (double other = 0.05; other < 5; other += 0.05) {
            CHECK(!wedges(limit * (1 + 1e-12), other * friction, ratios[i]), "ratio %g friction %g",
                  ratios[i], other * friction);
        }
    }
    CHECK_NEAR(atan((2 - sqrt(3.0)) / 1.1) / degree, 13.690, 0.0005, "the formula itself");
}

SUITE("pendulum", random_cells, one_cell, wedge_loss, mode_switches, critical_angles, wedge_windows,
      end_of_wedging, gross_stick_in_units)
