/* Rigid impacts at coefficients of restitution down to 1e-100: a rebound so small beside the
 * compression keeps its digits. Where slip has halted in compression the rebound is straight, and
 * all of it is proportional to the coefficient. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const double coefficients[] = {1e-3, 1e-9, 1e-15, 1e-100};
enum { SIZES = SUITE_COUNT(coefficients), BODIES = 300, CELLS = SIZES * BODIES };

static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};

static batch open_law(const char *theory, const char *body, const char *law) {
    char choices[80];
    snprintf(choices, sizeof choices, "body=%s law=%s", body, law);
    batch b = batch_open(theory, choices, CELLS);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "restitution")[i] = coefficients[i % SIZES];
    }
    return b;
}

/* Gives the cells of a body its values. */
static void set(const batch *b, size_t body, const char *parameter, double value) {
    for (size_t k = 0; k < SIZES; k++) {
        batch_in(b, parameter)[body * SIZES + k] = value;
    }
}

/* The lambdas of the smaller coefficients are those of the first. */
static void check_lambdas(const batch *b, size_t first) {
    static const char *const lambdas[] = {"lambda_newton", "lambda_poisson", "lambda_energetic"};
    for (int l = 0; l < SUITE_COUNT(lambdas); l++) {
        const double *lambda = batch_out(b, lambdas[l]) + first;
        for (size_t k = 1; k < SIZES; k++) {
            CHECK_NEAR(lambda[k], lambda[0], 1e-12 * lambda[0], "%s: %s", lambdas[l],
                       batch_text(b, first + k));
        }
    }
}

/* ---- in the plane ---- */

/* Tangential over normal impulse after compression, by the last phase. */
static double last_ratio(const batch *b, size_t i) {
    double b11 = batch_in(b, "b11")[i], b12 = batch_in(b, "b12")[i];
    const char *mode = batch_mode(b, i);
    if (strcmp(mode, "slide") == 0) {
        return copysign(batch_in(b, "friction")[i], -batch_in(b, "velocity_ratio")[i]);
    }
    return strcmp(mode, "compression_stick") == 0 ? -b12 / b11
                                                  : copysign(batch_in(b, "friction")[i], -b12);
}

static void in_the_plane(void) {
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = open_law("rigid", "matrix", laws[l]);
        random_source source = {8100};
        for (size_t i = 0; i < BODIES; i++) {
            double b11 = random_log(&source, 0.1, 10), b22 = random_log(&source, 0.1, 10);
            set(&b, i, "b11", b11);
            set(&b, i, "b22", b22);
            set(&b, i, "b12", random_between(&source, -0.95, 0.95) * sqrt(b11 * b22));
            set(&b, i, "velocity_ratio", random_between(&source, -3, 3));
            set(&b, i, "friction", random_between(&source, 0.05, 1.5));
        }
        batch_solve(&b);
        int sticks = 0;
        for (size_t i = 0; i < CELLS; i++) {
            double expected = last_ratio(&b, i);
            sticks += batch_has_mode(&b, i, "compression_stick");
            CHECK_NEAR(batch_out(&b, "rebound_impulse_ratio")[i], expected, 1e-14 * fabs(expected),
                       "%s: %s", batch_mode(&b, i), batch_text(&b, i));
            if (i % SIZES == 0) {
                check_lambdas(&b, i);
            }
        }
        CHECK(sticks > CELLS / 10, "only %d stick", sticks);
        batch_close(&b);
    }
}

/* ---- in space ---- */

static void in_space(void) {
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = open_law("swerve", "matrix3d", laws[l]);
        random_source source = {8101};
        for (size_t i = 0; i < BODIES; i++) {
            inertia m = inertia_random(&source, 20);
            for (size_t k = 0; k < SIZES; k++) {
                inertia_set(&b, i * SIZES + k, &m);
            }
            set(&b, i, "heading", random_between(&source, -pi, pi));
            set(&b, i, "velocity_ratio", random_log(&source, 0.01, 1));
            set(&b, i, "friction", random_between(&source, 0.05, 1.5));
        }
        batch_solve(&b);
        int straight = 0;
        for (size_t i = 0; i < CELLS; i += SIZES) {
            if (batch_out(&b, "halt_impulse")[i] < batch_out(&b, "compression_impulse")[i]) {
                straight++;
                check_lambdas(&b, i);
            }
        }
        CHECK(straight > BODIES / 4, "only %d halt in compression", straight);
        batch_close(&b);
    }
}

/* ---- the body as a whole ---- */

/* The mass centre of a sphere moves along the normal as its contact point does. */
static void sphere_in(const char *theory, const char *body) {
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = open_law(theory, body, laws[l]);
        BATCH_SET(&b, {"normal_speed", 2.5}, {"mass", 0.3});
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            double expected = 2.5 * batch_out(&b, "kinematic_restitution")[i];
            CHECK_NEAR(batch_out(&b, "body_velocity_n")[i], expected, 1e-15 * expected, "%s, %s",
                       theory, batch_text(&b, i));
        }
        batch_close(&b);
    }
}

static void spheres(void) {
    sphere_in("rigid", "sphere");
    sphere_in("swerve", "sphere3d");
}

SUITE("hardly rebounds", in_the_plane, in_space, spheres)
