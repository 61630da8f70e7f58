/* yield_speed, a restitution that falls with speed, in every theory that has it. */
#include <math.h>

#include "models/yielding.h"
#include "support/batch.h"
#include "support/suite.h"

static const char *const theories[][2] = {
    {"rigid", "body=rod law=newton"},        {"rigid", "body=sphere law=poisson"},
    {"rigid", "body=lamina law=energetic"},  {"rigid", "body=rod law=compromise"},
    {"rigid", "body=rod law=impulse_ratio"}, {"swerve", "body=rod3d law=energetic"},
    {"swerve", "body=sphere3d law=newton"},  {"compliant", "body=rod law=linear"},
    {"compliant", "body=general law=linear"}};

/* Thornton's formula with the given numbers of the literature, and its limit for fast impacts. */
static void values(void) {
    static const double known[][2] = {{1.2, .993135}, {2, .930626},   {5, .773337},   {10, .658558},
                                      {20, .557109},  {100, .374299}, {1000, .210701}};
    for (int k = 0; k < SUITE_COUNT(known); k++) {
        CHECK_NEAR(imp_yielding(known[k][0] * 0.3, 0.3), known[k][1], 5.1e-7, "at %g", known[k][0]);
    }
    CHECK(imp_yielding(1, 1) == 1 && imp_yielding(0.5, 1) == 1 && imp_yielding(2, NAN) == 1,
          "below");
    CHECK_NEAR(imp_yielding(1 + 1e-9, 1), 1, 1e-8, "just above");
    CHECK_NEAR(imp_yielding(1e12, 1) * 1e3, 1.184993, 5.1e-7, "far above");
    CHECK(imp_yielding(1e308, 1e-308) > 0, "the least");
    double last = 1;
    for (double speed = 1.001; speed < 1e6; speed *= 1.01) {
        CHECK(imp_yielding(speed, 1) < last, "at %g", speed);
        last = imp_yielding(speed, 1);
    }
}

static void draw(const batch *b, random_source *source) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        for (size_t i = 0; i < b->n; i++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
    }
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "normal_speed")[i] = random_log(source, 0.01, 100);
        batch_in(b, "yield_speed")[i] = random_log(source, 0.01, 100);
    }
}

static void check_same(const batch *a, const batch *b, const char *says) {
    for (size_t i = 0; i < a->n; i++) {
        bool same = a->outcome[i] == b->outcome[i];
        for (int o = 0; o < a->theory->n_outputs; o++) {
            size_t length = batch_length(a, o);
            for (size_t k = i * length; k < (i + 1) * length; k++) {
                same &= batch_same(a->out[o][k], b->out[o][k]);
            }
        }
        CHECK(same, "%s: %s", says, batch_text(a, i));
    }
}

static void check_theory(const char *theory, const char *choices) {
    enum { CELLS = 300 };
    random_source source = {77};
    batch alone = batch_open(theory, choices, CELLS), beside, plain;
    draw(&alone, &source);
    beside = batch_again(&alone, choices);
    plain = batch_again(&alone, choices);
    int yield = imp_input(alone.solver, "yield_speed"),
        own = imp_input(alone.solver, "restitution");
    batch_stand_in(&alone, "yield_speed");
    batch_give(&beside, "yield_speed");
    for (size_t i = 0; i < CELLS; i++) {
        plain.in[own][i] *= imp_yielding(batch_in(&plain, "normal_speed")[i], plain.in[yield][i]);
    }
    BATCH_SOLVE(&beside, &plain);
    check_same(&beside, &plain, "a product");
    for (size_t i = 0; i < CELLS; i++) {
        plain.in[own][i] = imp_yielding(batch_in(&plain, "normal_speed")[i], plain.in[yield][i]);
    }
    BATCH_SOLVE(&alone, &plain);
    check_same(&alone, &plain, "alone");
    batch_set(&alone, "yield_speed", 100.5);
    batch_set(&plain, "restitution", 1);
    BATCH_SOLVE(&alone, &plain);
    check_same(&alone, &plain, "slow");
    BATCH_CLOSE(&alone, &beside, &plain);
}

static void every_theory(void) {
    for (int t = 0; t < SUITE_COUNT(theories); t++) {
        check_theory(theories[t][0], theories[t][1]);
    }
}

/* The speed is that of the contact point, also where the body makes it of its own rates. */
static void speed_of_a_mechanism(void) {
    batch b = batch_open("rigid", "body=double_pendulum law=newton", 2);
    int yield = imp_input(b.solver, "yield_speed");
    BATCH_SET(&b, {"restitution", 1}, {"friction", 0});
    batch_give(&b, "yield_speed");
    b.in[yield][0] = 1e6;
    b.in[yield][1] = 1e-3;
    batch_solve(&b);
    const double *e = batch_out(&b, "kinematic_restitution"), *p = batch_out(&b, "normal_impulse");
    double speed = p[0] / 2 * batch_out(&b, "inverse_mass_nn")[0];
    CHECK_NEAR(e[0], 1, 1e-14, "slow");
    CHECK_NEAR(e[1], imp_yielding(speed, 1e-3), 1e-12, "fast: %g", speed);
    CHECK(speed != batch_in(&b, "normal_speed")[1], "%g", speed);
    batch_close(&b);
}

/* A speed outside the range is outside; laws without a restitution have no yield speed. */
static void range(void) {
    batch b = batch_open("rigid", "body=sphere", 2);
    int yield = imp_input(b.solver, "yield_speed");
    batch_stand_in(&b, "yield_speed");
    b.in[yield][0] = 0;
    b.in[yield][1] = 0.5;
    batch_solve(&b);
    CHECK(b.outcome[0] == IMP_OUTSIDE && b.outcome[1] == IMP_SOLVED, "range");
    batch_close(&b);
    static const char *const without[] = {"body=rod law=hertz", "body=rod law=dashpot"};
    for (int k = 0; k < SUITE_COUNT(without); k++) {
        batch other = batch_open("compliant", without[k], 1);
        CHECK(imp_input(other.solver, "yield_speed") < 0, "%s", without[k]);
        batch_close(&other);
    }
}

SUITE("yielding", values, every_theory, speed_of_a_mechanism, range)
