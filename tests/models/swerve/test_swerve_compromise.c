/* Rigid impact in space under the compromise between the laws poisson and energetic (Baruh): its
 * limits, the plane, and whether it is the least of the weighted squares. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* The same random cells for each law; without the columns b12 and b23 the body is symmetric to the
 * plane of slip. */
static void draw(const batch *b, uint64_t seed, bool planar) {
    random_source source = {seed};
    for (size_t i = 0; i < b->n; i++) {
        inertia m = inertia_random(&source, 20);
        if (planar) {
            m.b[0][1] = m.b[1][0] = m.b[1][2] = m.b[2][1] = 0;
        }
        inertia_set(b, i, &m);
        double heading = random_between(&source, -pi, pi);
        batch_in(b, "heading")[i] = planar ? (heading < 0 ? pi : 0) : heading;
        batch_in(b, "velocity_ratio")[i] = i % 10 == 0 ? 0 : random_log(&source, 0.05, 5);
        batch_in(b, "friction")[i] = i % 17 == 0 ? 0 : random_between(&source, 0.05, 1.5);
        batch_in(b, "restitution")[i] = random_between(&source, 0.05, 1);
    }
}

/* Impulse and work of the plane's path may not cross where v3 falls again, so few cells are
 * outside. */
static const double most_outside = 0.02;

/* ---- a weight of 0 ---- */

static bool same_bits(const batch *b, const batch *law, size_t i) {
    for (int k = 0; k < b->theory->n_outputs; k++) {
        size_t length = batch_length(b, k);
        if (memcmp(b->out[k] + i * length, law->out[k] + i * length, length * sizeof(double)) !=
            0) {
            return false;
        }
    }
    return b->outcome[i] == law->outcome[i];
}

static void without_one_weight(void) {
    enum { CELLS = 4000 };
    static const char *const rows[][2] = {{"weight_energetic", "body=matrix3d law=poisson"},
                                          {"weight_poisson", "body=matrix3d law=energetic"}};
    for (int k = 0; k < SUITE_COUNT(rows); k++) {
        batch b = batch_open("swerve", "body=matrix3d law=compromise", CELLS);
        batch law = batch_open("swerve", rows[k][1], CELLS);
        draw(&b, 7601, false);
        draw(&law, 7601, false);
        batch_set(&b, rows[k][0], 0);
        BATCH_SOLVE(&b, &law);
        for (size_t i = 0; i < CELLS; i++) {
            CHECK(same_bits(&b, &law, i), "%s=0: %s", rows[k][0], batch_text(&b, i));
        }
        BATCH_CLOSE(&b, &law);
    }
}

static void without_both_weights(void) {
    batch b = batch_open("swerve", "body=matrix3d law=compromise", 1);
    draw(&b, 7602, false);
    BATCH_SET(&b, {"weight_poisson", 0}, {"weight_energetic", 0});
    batch_solve(&b);
    CHECK(b.outcome[0] == IMP_OUTSIDE, "outcome %d", b.outcome[0]);
    batch_close(&b);
}

/* ---- the plane: the theory rigid solves it in closed form ---- */

static void set_planar(const batch *plane, const batch *b, size_t i) {
    inertia m = inertia_get(b, i);
    double sign = batch_in(b, "heading")[i] == 0 ? 1 : -1;
    batch_in(plane, "b11")[i] = m.b[0][0];
    batch_in(plane, "b12")[i] = m.b[0][2];
    batch_in(plane, "b22")[i] = m.b[2][2];
    batch_in(plane, "velocity_ratio")[i] = sign * batch_in(b, "velocity_ratio")[i];
    batch_in(plane, "friction")[i] = batch_in(b, "friction")[i];
    batch_in(plane, "restitution")[i] = batch_in(b, "restitution")[i];
}

static void planar_limit(void) {
    enum { CELLS = 5000 };
    static const char *const outputs[] = {"kinematic_restitution", "kinetic_restitution",
                                          "energetic_restitution", "lambda_poisson",
                                          "lambda_energetic"};
    batch b = batch_open("swerve", "body=matrix3d law=compromise", CELLS);
    batch plane = batch_open("rigid", "body=matrix law=compromise", CELLS);
    random_source source = {7603};
    draw(&b, 7604, true);
    for (size_t i = 0; i < CELLS; i++) {
        set_planar(&plane, &b, i);
        double w1 = random_log(&source, 1e-3, 1e3), w2 = random_log(&source, 1e-3, 1e3);
        batch_in(&b, "weight_poisson")[i] = batch_in(&plane, "weight_poisson")[i] = w1;
        batch_in(&b, "weight_energetic")[i] = batch_in(&plane, "weight_energetic")[i] = w2;
    }
    BATCH_SOLVE(&b, &plane);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        for (int k = 0; k < SUITE_COUNT(outputs); k++) {
            double expected = batch_out(&plane, outputs[k])[i];
            CHECK_NEAR(batch_out(&b, outputs[k])[i], expected, 1e-9 * (1 + expected), "%s: %s",
                       outputs[k], batch_text(&b, i));
        }
    }
    BATCH_CLOSE(&b, &plane);
}

/* ---- the least ---- */

static double sum_of(const batch *b, size_t i, double poisson, double energetic, double e) {
    double one = batch_out(b, "kinetic_restitution")[i] / e - 1;
    double other = batch_out(b, "energetic_restitution")[i] / e - 1;
    return poisson * one * one + energetic * other * other;
}

/* Checks that cell i, solved under the compromise, has no larger sum than at the place of another
 * impulse. Returns whether the two laws differ in the cell. */
static bool check_sum_is_least(const batch *b, const batch *place, size_t i, double share) {
    double e = batch_in(b, "restitution")[i], w1 = batch_in(b, "weight_poisson")[i];
    double w2 = batch_in(b, "weight_energetic")[i], least = sum_of(b, i, w1, w2, e);
    CHECK(least <= sum_of(place, i, w1, w2, e) + 1e-12, "share %g: %s", share, batch_text(b, i));
    return least > 1e-6;
}

/* Every normal impulse is that of Poisson's law with some coefficient: none of those between both
 * laws, and a little beyond, makes the sum smaller. In a few of so many cells a step meets the goal
 * of one law only, and the compromise. */
static void nothing_is_less(void) {
    enum { CELLS = 16000, PLACES = 21 };
    batch b = batch_open("swerve", "body=matrix3d law=compromise", CELLS);
    batch law = batch_open("swerve", "body=matrix3d law=energetic", CELLS);
    batch place = batch_open("swerve", "body=matrix3d law=poisson", CELLS);
    random_source source = {7605};
    draw(&b, 7606, false);
    draw(&law, 7606, false);
    draw(&place, 7606, false);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "weight_poisson")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "weight_energetic")[i] = random_log(&source, 0.1, 10);
    }
    BATCH_SOLVE(&b, &law);
    int moved = 0, outside = 0;
    for (int k = 0; k < PLACES; k++) {
        double share = -0.05 + 1.1 * k / (PLACES - 1);
        for (size_t i = 0; i < CELLS; i++) {
            double e = batch_in(&b, "restitution")[i];
            double end = batch_out(&law, "kinetic_restitution")[i];
            batch_in(&place, "restitution")[i] = fmin(1, e + share * (end - e));
        }
        batch_solve(&place);
        for (size_t i = 0; i < CELLS; i++) {
            if (b.outcome[i] != IMP_SOLVED || place.outcome[i] != IMP_SOLVED) {
                outside++;
                continue;
            }
            moved += check_sum_is_least(&b, &place, i, share);
        }
    }
    CHECK(moved > CELLS * PLACES / 10, "the laws differ in %d cells only", moved);
    CHECK(outside <= most_outside * CELLS * PLACES, "%d cells are outside", outside);
    BATCH_CLOSE(&b, &law, &place);
}

SUITE("swerve_compromise", without_one_weight, without_both_weights, planar_limit, nothing_is_less)
