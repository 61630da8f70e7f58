/* A slip however slow is no rest: where velocities have no scale of their own, the course of a
 * contact is the same for every slip speed that is small enough. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/rods.h"
#include "support/suite.h"

static const double speeds[] = {1e-10, 1e-12, 1e-13, 1e-16, 1e-40, 1e-300};

/* The same cells with a slower slip. */
static batch slower(const batch *b, const char *choices, double factor) {
    batch slow = batch_again(b, choices);
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        memcpy(slow.in[p], b->in[p], b->n * sizeof *b->in[p]);
    }
    for (size_t i = 0; i < b->n; i++) {
        batch_in(&slow, "velocity_ratio")[i] *= factor;
    }
    batch_solve(&slow);
    return slow;
}

static void check_course(const batch *b, const char *choices, double factor) {
    batch slow = slower(b, choices, factor);
    for (size_t i = 0; i < b->n; i++) {
        char expected[256];
        snprintf(expected, sizeof expected, "%s: %s", batch_mode(b, i), batch_sequence(b, i));
        CHECK(b->outcome[i] != IMP_SOLVED || strcmp(batch_mode(&slow, i), batch_mode(b, i)) == 0,
              "%s, not %s: %s", batch_mode(&slow, i), expected, batch_text(&slow, i));
        CHECK(batch_out(&slow, "sequence")[i] == batch_out(b, "sequence")[i], "%s, not %s: %s",
              batch_sequence(&slow, i), expected, batch_text(&slow, i));
    }
    batch_close(&slow);
}

static void rigid(void) {
    const char *choices = "body=matrix law=energetic";
    batch b = batch_open("rigid", choices, 2000);
    random_source source = {611};
    for (size_t i = 0; i < b.n; i++) {
        double b11 = random_log(&source, 0.1, 10), b22 = random_log(&source, 0.1, 10);
        batch_in(&b, "b11")[i] = b11;
        batch_in(&b, "b22")[i] = b22;
        batch_in(&b, "b12")[i] = random_between(&source, -0.95, 0.95) * sqrt(b11 * b22);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "velocity_ratio")[i] = i % 2 ? 1e-7 : -1e-7;
    }
    batch_solve(&b);
    for (int k = 0; k < SUITE_COUNT(speeds); k++) {
        check_course(&b, choices, speeds[k]);
    }
    batch_close(&b);
}

/* Under both rules of stick, with and without spin. A spin gives the velocities a scale: the tip is
 * drawn inward before the surface presses, and a slip is slow where that halts it first. */
static void viscoelastic(void) {
    for (int k = 0; k < 2; k++) {
        const char *choices = k ? "stick_rule=coulomb" : "stick_rule=latched";
        batch b = batch_open("viscoelastic", choices, 400);
        random_source source = {612};
        rods_draw(&b);
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&b, "velocity_ratio")[i] = i % 2 ? 1e-9 : -1e-9;
            batch_in(&b, "initial_spin")[i] = i % 4 < 2 ? 0 : random_between(&source, 3, 6);
            batch_in(&b, "angle")[i] =
                copysign(random_between(&source, 0.2, 1.2), i % 8 < 4 ? 1 : -1);
        }
        batch_solve(&b);
        for (int s = 0; s < SUITE_COUNT(speeds); s++) {
            check_course(&b, choices, speeds[s]);
        }
        batch_close(&b);
    }
}

SUITE("slow slip", rigid, viscoelastic)
