/* Hardly any friction: the body moves as without any, and all that friction does is in proportion
 * to it. Rods, almost flat on the plane, rock with forces along the plane that are hardly
 * larger. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

enum { DROPS = 200 };

static const double small = 1e-10; /* the friction `little` */

static batch drops(const char *choices, double restitution, double friction) {
    static const double heights[] = {0, 0.5, 1}, spins[] = {0, 0.5};
    batch b = batch_open("bounce", choices, DROPS);
    random_source source = {7821};
    for (size_t i = 0; i < DROPS; i++) {
        batch_in(&b, "drop")[i] = heights[i % 3];
        batch_in(&b, "spin")[i] = spins[i % 2];
        batch_in(&b, "tilt")[i] = random_between(&source, -1.2, 1.2);
    }
    BATCH_SET(&b, {"velocity_n", 0}, {"velocity_t", 0}, {"restitution", restitution},
              {"friction", friction}, {"gravity", 1});
    batch_solve(&b);
    return b;
}

/* Friction alone moves the mass centre sideways, in proportion to `little` friction, which is far
 * from rounding, but for the last hops: friction holds their slip of alpha times spin once this is
 * below it, and until then drives the body to and fro. They last a time of the order of
 * friction^(1/3), 5e-4 here. */
static void compare(const batch *b, const batch *none, const batch *little, double part) {
    for (size_t i = 0; i < DROPS; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        CHECK(strcmp(batch_mode(b, i), "rest") == 0, "%s: %s", batch_mode(b, i), batch_text(b, i));
        CHECK_CELL(b, i, batch_out(b, "impacts")[i] == batch_out(none, "impacts")[i]);
        CHECK_OUTPUT(b, i, "settle_time", batch_out(none, "settle_time")[i], 1e-8);
        CHECK_OUTPUT(b, i, "energy_loss", batch_out(none, "energy_loss")[i], 1e-14);
        double there = batch_out(little, "rest_x")[i] * part;
        CHECK_OUTPUT(b, i, "rest_x", there, 5e-3 * (fabs(there) + part * small));
        double rest = batch_out(little, "rest_time")[i];
        CHECK_OUTPUT(b, i, "rest_time", rest, 5e-3 * rest);
    }
}

static void hardly_any(void) {
    static const char *const choices[] = {"body=rod law=energetic", "body=rod law=newton",
                                          "body=rod law=poisson"};
    static const double friction[] = {1e-300, 1e-16, 1e-14, 1e-13, 1e-12};
    const double restitution[] = {0.5, 0.3, 0.7};
    for (int k = 0; k < SUITE_COUNT(choices); k++) {
        double e = restitution[k];
        batch none = drops(choices[k], e, 0), little = drops(choices[k], e, small);
        for (int j = 0; j < SUITE_COUNT(friction); j++) {
            batch b = drops(choices[k], e, friction[j]);
            compare(&b, &none, &little, friction[j] / small);
            batch_close(&b);
        }
        BATCH_CLOSE(&none, &little);
    }
}

/* Rods that stand on an end fall to the plane with (3 g / length)^(1/2), whatever the end does; an
 * impact there is that of a quarter of the mass. Friction holds the end up to an angle of its own
 * size, and turns with the end from one way to the other. */
static void upright(void) {
    static const char *const choices[] = {"body=rod law=energetic", "body=rod law=newton"};
    static const double friction[] = {1e-300, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10,
                                      1e-9,   1e-8,  1e-7,  1e-6,  1e-5,  3e-5};
    enum { FRICTIONS = SUITE_COUNT(friction) };
    for (int k = 0; k < SUITE_COUNT(choices) * 2; k++) {
        batch b = batch_open("bounce", choices[k / 2], FRICTIONS);
        BATCH_SET(&b, {"gravity", 1}, {"drop", 0}, {"velocity_n", 0}, {"velocity_t", 0},
                  {"spin", 0}, {"tilt", k % 2 ? -IMP_PI / 2 : IMP_PI / 2}, {"restitution", 0.5});
        for (size_t i = 0; i < FRICTIONS; i++) {
            batch_in(&b, "friction")[i] = friction[i];
        }
        batch_solve(&b);
        for (size_t i = 0; i < FRICTIONS; i++) {
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_OUTPUT(&b, i, "first_speed", sqrt(3), friction[i] + 1e-13);
            CHECK_OUTPUT(&b, i, "first_impulse", 1.5 * sqrt(3) / 4, friction[i] + 1e-13);
            CHECK_OUTPUT(&b, i, "residual", 0, 1e-13);
        }
        batch_close(&b);
    }
}

/* A rod at rest on one end, with the friction with which the end just slips: 3 sin(tilt) cos(tilt)
 * / (1 + 3 sin(tilt)^2). The time of the fall is from an integration by an explicit Runge-Kutta
 * method of order 8 to 1e-13, with stick and both directions of slip. */
static void at_the_limit(void) {
    static const struct {
        double tilt, time;
    } rods[] = {{0.8, 1.1795214735297}, {1, 1.4254900091064}, {1.3, 1.8829986181054}};
    static const double parts[] = {-1e-11, -9e-13, -1e-13, -2e-16, 0, 2e-16, 1e-13, 9e-13, 1e-11};
    enum { PARTS = SUITE_COUNT(parts) };
    for (int k = 0; k < SUITE_COUNT(rods); k++) {
        double s = sin(rods[k].tilt), limit = 3 * s * cos(rods[k].tilt) / (1 + 3 * s * s);
        batch b = batch_open("bounce", "body=rod law=energetic", PARTS);
        BATCH_SET(&b, {"gravity", 1}, {"drop", 0}, {"velocity_n", 0}, {"velocity_t", 0},
                  {"spin", 0}, {"tilt", rods[k].tilt}, {"restitution", 0.5});
        for (size_t i = 0; i < PARTS; i++) {
            batch_in(&b, "friction")[i] = limit * (1 + parts[i]);
        }
        batch_solve(&b);
        for (size_t i = 0; i < PARTS; i++) {
            CHECK_OUTPUT(&b, i, "first_time", rods[k].time, 1e-10);
        }
        batch_close(&b);
    }
}

/* A rod that stands on an end and hardly turns: when it falls over depends on the rounding of its
 * angle, as a cell and its mirror image show, however long it slides afterwards. */
static void uncertain_falls(void) {
    enum { SPINS = 40 };
    batch b[2];
    for (int k = 0; k < 2; k++) {
        double side = k ? -1 : 1;
        b[k] = batch_open("bounce", "body=rod law=newton", SPINS);
        BATCH_SET(&b[k], {"gravity", 1}, {"drop", 1e-9}, {"velocity_n", 0},
                  {"velocity_t", side * -1e-9}, {"tilt", side * IMP_PI / 2}, {"restitution", 1e-6},
                  {"friction", 1e-15});
        for (size_t i = 0; i < SPINS; i++) {
            batch_in(&b[k], "spin")[i] = side * 1e-9 * (1 + (double)i / SPINS);
        }
        batch_solve(&b[k]);
    }
    double most = 0;
    for (size_t i = 0; i < SPINS; i++) {
        double time = batch_out(&b[0], "second_time")[i];
        double error = batch_out(&b[0], "uncertainty")[i] * time;
        CHECK_OUTPUT(&b[1], i, "second_time", time, error);
        CHECK_CELL(&b[0], i, batch_out(&b[0], "rest_time")[i] > 1e5);
        most = fmax(most, fabs(batch_out(&b[1], "second_time")[i] - time));
    }
    CHECK(most > 1e-9, "%g", most);
    BATCH_CLOSE(&b[0], &b[1]);
}

SUITE("bounce, friction that is hardly any, or just the limit", hardly_any, upright, at_the_limit,
      uncertain_falls)
