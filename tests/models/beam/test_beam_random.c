/* Random beams of all kinds by collocation: what is not flagged as grazing is off by at most twice
 * its uncertainty from the solution at a thousandth of the tolerance. Not solved are only
 * collisions that may have no end, because drag slows the beam and the striker stays behind it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

/* Beams of all kinds together; test_beam_random_long.c has more. */
#ifndef BEAMS
#define BEAMS 300
#endif

static const char *const kinds[] = {"boundary=pinned",
                                    "boundary=pinned striker=free",
                                    "boundary=free",
                                    "boundary=free striker=free",
                                    "boundary=clamped striker=free",
                                    "boundary=pinned_pinned striker=free"};

static const double modes[] = {2, 3, 5, 10, 15, 25, 40, 60, 80};

static void set(const batch *b, const char *parameter, size_t i, double value) {
    if (imp_input(b->solver, parameter) >= 0) {
        batch_in(b, parameter)[i] = value;
    }
}

/* One of three beams has no internal damping, one of two no external. */
static void draw(const batch *b, size_t i, random_source *source) {
    bool pinned = imp_input(b->solver, "pin_position") >= 0;
    double along = random_between(source, 0, 1);
    double internal = random_log(source, 1e3, 1e9), external = random_log(source, 0.01, 1e3);
    set(b, "position", i, pinned ? 0.1 + 0.9 * along : 0.51 + 0.49 * along);
    set(b, "length", i, random_log(source, 0.2, 2));
    set(b, "radius", i, random_log(source, 0.003, 0.03));
    set(b, "striker_modulus", i, 68.3e9 * random_log(source, 1e-6, 10));
    set(b, "angular_velocity", i, -random_log(source, 0.1, 20));
    set(b, "striker_mass", i, random_log(source, 1e-3, 10));
    set(b, "speed", i, random_log(source, 0.05, 5));
    set(b, "internal_damping", i, random_index(source, 3) == 0 ? 0 : internal);
    set(b, "external_damping", i, random_index(source, 2) == 0 ? 0 : external);
    set(b, "mode_count", i, modes[random_index(source, SUITE_COUNT(modes))]);
}

/* How many of the beams are what. */
static int solved, endless, spent, flagged, off;

static void compare(const batch *coarse, const batch *fine, size_t i) {
    const char *text = batch_text(coarse, i);
    if (coarse->outcome[i] != IMP_SOLVED || fine->outcome[i] != IMP_SOLVED) {
        CHECK(batch_in(coarse, "external_damping")[i] > 0, "%s", text);
        endless += coarse->outcome[i] == IMP_NO_CONVERGENCE;
        spent += coarse->outcome[i] == IMP_BUDGET;
        return;
    }
    double difference = fabs(batch_out(coarse, "kinematic_restitution")[i] -
                             batch_out(fine, "kinematic_restitution")[i]);
    double uncertainty = batch_out(coarse, "uncertainty")[i];
    bool grazes = batch_out(coarse, "grazing")[i] != 0;
    bool wrong = !grazes && difference > 2 * uncertainty;
    CHECK(!wrong, "%g off, uncertainty %g: %s", difference, uncertainty, text);
    CHECK(grazes || batch_out(coarse, "residual")[i] <= 1e-6, "residual: %s", text);
    solved++;
    flagged += grazes;
    off += wrong;
}

static void random_beams(void) {
    random_source source = {36};
    for (int k = 0; k < SUITE_COUNT(kinds); k++) {
        char choices[120];
        size_t n = BEAMS / SUITE_COUNT(kinds);
        snprintf(choices, sizeof choices, "%s solver=collocation", kinds[k]);
        batch coarse = batch_open("beam", choices, n), fine = batch_open("beam", choices, n);
        for (size_t i = 0; i < n; i++) {
            random_source same = source;
            draw(&coarse, i, &source);
            draw(&fine, i, &same);
        }
        batch_set(&fine, "tolerance", 1e-3 * batch_in(&coarse, "tolerance")[0]);
        BATCH_SOLVE(&coarse, &fine);
        for (size_t i = 0; i < n; i++) {
            compare(&coarse, &fine, i);
        }
        BATCH_CLOSE(&coarse, &fine);
    }
    printf("%d random beams: %d solved, %d without end, %d budgets spent; %d flagged, %d of the "
           "others off by more than twice their uncertainty\n",
           BEAMS, solved, endless, spent, flagged, off);
    CHECK(7 * flagged <= BEAMS, "%d flagged", flagged);
    CHECK(8 * (endless + spent) <= BEAMS, "%d without end, %d spent", endless, spent);
}

SUITE("beam, random", random_beams)
