/* A rod that stands on one end, almost flat, rocks from end to end until it rests. Its end falls
 * with 3/2 g, whatever the friction, because the forces along the plane have no arm. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

/* The speed at which an end rises after the other one, which had rested, has taken over, over the
 * speed of its fall; an impact at one end changes the velocity there by twice as much as that of
 * the other, which it drives down. Hops of the end that rests next do not change the sum of the
 * velocity of one end and half that of the other, but for gravity. Negative if these hops last
 * until the other end comes down, or longer. */
static double rise_of(double e) {
    double v[2] = {-1, 0};
    for (int k = 0; v[k] < 0; k = 1 - k) {
        v[1 - k] += (1 + e) * v[k] / 2;
        v[k] *= -e;
    }
    double hops = fmin(v[0], v[1]), rise = fmax(v[0], v[1]) + hops / 2;
    return 2 * hops / (1 - e) < 4 * rise / 3 ? rise : -1;
}

/* The time from the start at rest, with the length of the rod and gravity 1. */
static double time_to_rest(double tilt, double rise) {
    double fall = sqrt(2 * tilt / 1.5);
    return fall * (1 + 2 * rise / (1 - rise));
}

static void rocks(const char *law, double friction, double tilt) {
    enum { CELLS = 35 };
    char choices[40] = "body=rod law=";
    batch b = batch_open("bounce", strcat(choices, law), CELLS);
    BATCH_SET(&b, {"gravity", 1}, {"drop", 0}, {"velocity_n", 0}, {"velocity_t", 0}, {"spin", 0},
              {"tilt", tilt}, {"friction", friction});
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "restitution")[i] = 0.08 + 0.024 * (double)i;
    }
    batch_solve(&b);
    int known = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double rise = rise_of(batch_in(&b, "restitution")[i]);
        CHECK(b.outcome[i] == IMP_SOLVED, "%s: %s", law, batch_text(&b, i));
        if (rise >= 0 && friction > 1e-6) {
            double expected = time_to_rest(tilt, rise);
            CHECK_NEAR(batch_out(&b, "rest_time")[i], expected, 1e-9 * expected, "%s: %s", law,
                       batch_text(&b, i));
            known++;
        }
    }
    CHECK(known > CELLS / 2 || friction < 1e-6, "%d", known);
    batch_close(&b);
}

static void rods(void) {
    static const char *const laws[] = {"energetic", "newton", "poisson", "compliant"};
    static const double friction[] = {0, 1e-13, 0.3}, tilt[] = {1e-5, 1e-6};
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (int j = 0; j < SUITE_COUNT(friction); j++) {
            for (int i = 0; i < SUITE_COUNT(tilt); i++) {
                rocks(laws[k], friction[j], tilt[i]);
            }
        }
    }
}

/* Rods that fall: all rest before the budget is spent. */
static void fall(const char *law, double friction) {
    enum { CELLS = 100 };
    char choices[40] = "body=rod law=";
    batch b = batch_open("bounce", strcat(choices, law), CELLS);
    random_source source = {7831};
    BATCH_SET(&b, {"restitution", 0.9}, {"friction", friction}, {"gravity", 1});
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "tilt")[i] = random_between(&source, -1.2, 1.2);
        batch_in(&b, "drop")[i] = random_between(&source, 0, 1);
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED && strcmp(batch_mode(&b, i), "rest") == 0, "%s: %s", law,
              batch_text(&b, i));
    }
    batch_close(&b);
}

static void drops(void) {
    fall("compliant", 0.3);
    fall("energetic", 0.3);
    fall("energetic", 0);
}

SUITE("bounce, rods that rock to rest", rods, drops)
