/* Hardly any friction: the body moves as without any, and all that friction does is in proportion
 * to it. Rods, almost flat on the plane, rock with forces along the plane that are hardly
 * larger. */
#include <math.h>
#include <string.h>

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

SUITE("bounce, hardly any friction", hardly_any)
