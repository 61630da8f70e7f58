/* The edges between cells that slip throughout and cells whose slip halts, found by bisection to
 * neighbouring doubles: what the sequence, the velocity and the impulses say of the last slip
 * agrees, and where stick may break nothing jumps. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 700 };

static void draw(const batch *b) {
    static const double exponents[] = {1, 1.5, 2.2};
    random_source source = {548};
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "friction")[i] = random_between(&source, 0.02, 1.5);
        batch_in(b, "damping")[i] = i % 3 ? random_between(&source, 0, i % 2 ? 0.1 : 1.5) : 0;
        batch_in(b, "exponent")[i] = exponents[random_index(&source, SUITE_COUNT(exponents))];
        batch_in(b, "normal_stiffness")[i] = random_log(&source, 100, 1e5);
        batch_in(b, "initial_spin")[i] = i % 2 ? random_between(&source, -1.5, 1.5) : 0;
        double angle = random_between(&source, -1.3, 1.3);
        if (imp_input(b->solver, "length") >= 0) {
            batch_in(b, "angle")[i] = angle;
        } else {
            batch_in(b, "offset_t")[i] = sin(angle);
            batch_in(b, "offset_n")[i] = -random_between(&source, 0, 1) * cos(angle);
        }
    }
}

static bool slips_throughout(const batch *b, size_t i) {
    return b->outcome[i] == IMP_SOLVED && strcmp(batch_mode(b, i), "slip") == 0;
}

/* Moves the velocities at first contact of both batches, of which those of `fast` slip throughout
 * and those of `slow` do not, together until no double lies between them. */
static void bisect(const char *choices, const batch *slow, const batch *fast) {
    batch middle = batch_again(slow, choices);
    double *low = batch_in(slow, "velocity_ratio"), *high = batch_in(fast, "velocity_ratio"),
           *at = batch_in(&middle, "velocity_ratio");
    for (int trial = 0; trial < 60; trial++) {
        for (size_t i = 0; i < slow->n; i++) {
            at[i] = (low[i] + high[i]) / 2;
        }
        batch_solve(&middle);
        for (size_t i = 0; i < slow->n; i++) {
            *(slips_throughout(&middle, i) ? &high[i] : &low[i]) = at[i];
        }
    }
    batch_close(&middle);
}

/* Direction of the last phase in a sequence; 0: stick. */
static int last_slip(const char *sequence) {
    char last = sequence[strlen(sequence) - 1];
    return last == '+' ? 1 : last == '-' ? -1 : 0;
}

static void check_side(const batch *b, size_t i, bool breaks) {
    static const char *const twice[] = {"slip+ slip+", "slip- slip-", "stick stick"};
    const char *sequence = batch_sequence(b, i);
    double v_t = batch_out(b, "velocity_ratio_out")[i];
    double most = batch_in(b, "friction")[i] * batch_out(b, "normal_impulse")[i];
    int slip = last_slip(sequence);
    CHECK(slip == 0 ? v_t == 0 : slip * v_t >= 0, "%s and %.3g: %s", sequence, v_t,
          batch_text(b, i));
    for (int k = 0; k < SUITE_COUNT(twice); k++) {
        CHECK(!strstr(sequence, twice[k]), "%s: %s", sequence, batch_text(b, i));
    }
    CHECK_CELL(b, i, !breaks || fabs(batch_out(b, "tangential_impulse")[i]) <= most * (1 + 1e-9));
    CHECK_OUTPUT(b, i, "residual", 0, 1e-11);
}

/* A contact that ends later, because the tip almost left before, has other results. */
static void check_jump(const batch *slow, const batch *fast, size_t i) {
    static const char *const outputs[] = {"velocity_ratio_out", "kinematic_restitution",
                                          "tangential_impulse", "body_energy_loss"};
    double ratio = batch_out(slow, "duration")[i] / batch_out(fast, "duration")[i];
    for (int k = 0; k < SUITE_COUNT(outputs) && fabs(ratio - 1) < 1e-6; k++) {
        double expected = batch_out(fast, outputs[k])[i];
        CHECK_NEAR(batch_out(slow, outputs[k])[i], expected, 1e-6 * fmax(1, fabs(expected)),
                   "%s of %s", outputs[k], batch_text(slow, i));
    }
}

static int check_edges(const char *choices, bool breaks, double side) {
    batch slow = batch_open("viscoelastic", choices, CELLS), fast = batch_again(&slow, choices);
    bool edge[CELLS];
    int edges = 0;
    draw(&slow);
    draw(&fast);
    batch_set(&slow, "velocity_ratio", side * 1e-3);
    batch_set(&fast, "velocity_ratio", side * 8);
    BATCH_SOLVE(&slow, &fast);
    for (size_t i = 0; i < CELLS; i++) {
        edge[i] = slow.outcome[i] == IMP_SOLVED && !slips_throughout(&slow, i) &&
                  slips_throughout(&fast, i);
        if (!edge[i]) { /* nothing is left to bisect */
            batch_in(&slow, "velocity_ratio")[i] = batch_in(&fast, "velocity_ratio")[i];
        }
    }
    bisect(choices, &slow, &fast);
    BATCH_SOLVE(&slow, &fast);
    for (size_t i = 0; i < CELLS; i++) {
        if (edge[i] && slow.outcome[i] == IMP_SOLVED) {
            check_side(&slow, i, breaks);
            check_side(&fast, i, breaks);
            edges++;
        }
        if (edge[i] && slow.outcome[i] == IMP_SOLVED && breaks) {
            check_jump(&slow, &fast, i);
        }
    }
    BATCH_CLOSE(&slow, &fast);
    return edges;
}

static void edges(void) {
    static const struct {
        const char *choices;
        bool breaks;
    } kinds[] = {{"body=rod stick_rule=latched", false},
                 {"body=rod stick_rule=coulomb", true},
                 {"body=lamina stick_rule=latched", false},
                 {"body=lamina stick_rule=coulomb", true}};
    for (int k = 0; k < SUITE_COUNT(kinds); k++) {
        int found = check_edges(kinds[k].choices, kinds[k].breaks, k % 2 ? 1 : -1);
        CHECK(found > CELLS / 2, "%s: only %d edges", kinds[k].choices, found);
    }
}

SUITE("viscoelastic edges", edges)
