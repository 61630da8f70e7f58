/* Collocation of the force against the integration by TSRK 8vr to 1e-12, with the same modes; its
 * account of energy, which is independent; histories; and what a cell may not depend on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/suite.h"

/* Positions of each case; test_beam_collocation_long.c has more. */
#ifndef POSITIONS
#define POSITIONS 12
#endif

typedef struct kind {
    const char *choices;
    double modes, internal, external, softness, low, high;
    double most; /* difference of the restitution */
    double tolerance;
} kind;

/* Grazing contacts amplify differences: at the tip of a clamped beam most of all. */
static const kind kinds[] = {
    {"boundary=pinned", 25, 0, 0, 1, 0.2, 1, 1e-6, 1e-8},
    {"boundary=pinned", 25, 1e6, 0, 1, 0.2, 1, 1e-8, 1e-8},
    {"boundary=pinned", 25, 1e6, 1e2, 1, 0.2, 1, 1e-8, 1e-8},
    {"boundary=pinned", 5, 1e8, 0, 1, 0.2, 1, 1e-8, 1e-8},
    {"boundary=pinned", 1, 0, 0, 1, 0.2, 1, 1e-9, 1e-8},
    {"boundary=pinned", 40, 0, 0, 1, 0.5, 0.9, 1e-5, 1e-8},
    {"boundary=pinned", 25, 0, 0, 1e-6, 0.2, 1, 1e-8, 1e-8},
    {"boundary=pinned striker=free", 25, 0, 10, 1, 0.3, 1, 1e-7, 1e-8},
    {"boundary=free", 25, 0, 0, 1, 0.55, 1, 1e-6, 1e-8},
    {"boundary=free striker=free", 25, 1e6, 0, 1, 0.55, 1, 1e-8, 1e-8},
    {"boundary=clamped striker=free", 25, 1e6, 0, 1, 0.3, 1, 1e-7, 1e-8},
    {"boundary=clamped striker=free", 25, 0, 0, 1, 0.3, 0.8, 1e-5, 1e-8},
    {"boundary=pinned_pinned striker=free", 25, 1e6, 0, 1, 0.1, 0.9, 1e-8, 1e-8},
#if POSITIONS >= 400
    {"boundary=pinned", 25, 0, 0, 1, 0.2, 1, 1e-4, 1e-6},
    {"boundary=pinned", 25, 1e6, 0, 1, 0.2, 1, 1e-6, 1e-6},
    {"boundary=pinned", 80, 0, 0, 1, 0.2, 1, 1e-4, 1e-8},
    {"boundary=pinned", 3, 1e9, 0, 1, 0.2, 1, 1e-8, 1e-8},
    {"boundary=free striker=free", 80, 0, 0, 1, 0.55, 1, 1e-5, 1e-8},
#endif
};

static batch solve(const kind *k, const char *solver, double tolerance) {
    char choices[120];
    strcpy(choices, k->choices);
    strcat(choices, solver);
    batch b = batch_open("beam", choices, POSITIONS);
    for (int i = 0; i < POSITIONS; i++) {
        double part = (double)i / (POSITIONS - 1);
        batch_in(&b, "position")[i] = fmin(k->high, k->low + (k->high - k->low) * part);
    }
    BATCH_SET(&b, {"mode_count", k->modes}, {"internal_damping", k->internal},
              {"external_damping", k->external}, {"striker_modulus", 68.3e9 * k->softness},
              {"tolerance", tolerance});
    if (strstr(choices, "striker=free")) {
        BATCH_SET(&b, {"striker_mass", 0.05}, {"speed", 0.3});
    }
    batch_solve(&b);
    return b;
}

static int by_size(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static void show(const kind *k, double tolerance, double *errors, int n, int differ) {
    qsort(errors, (size_t)n, sizeof *errors, by_size);
    printf("%s, %g modes, damping %g and %g, stiffness %g, tolerance %g: %d solved, off by %.1e in "
           "the median, %.1e at nine tenths, %.1e at most; %d counts differ\n",
           k->choices, k->modes, k->internal, k->external, k->softness, tolerance, n, errors[n / 2],
           errors[n * 9 / 10], errors[n - 1], differ);
}

static void against_the_integration(void) {
    for (int k = 0; k < SUITE_COUNT(kinds); k++) {
        batch right = solve(&kinds[k], " solver=modal_rk8", 1e-12);
        double tolerance = kinds[k].tolerance, errors[POSITIONS];
        batch found = solve(&kinds[k], " solver=collocation", tolerance);
        int differ = 0, n = 0;
        for (size_t i = 0; i < POSITIONS; i++) {
            CHECK_CELL(&found, i, found.outcome[i] == right.outcome[i]);
            if (found.outcome[i] != IMP_SOLVED || right.outcome[i] != IMP_SOLVED) {
                continue;
            }
            const char *text = batch_text(&found, i);
            double off = fabs(batch_out(&found, "kinematic_restitution")[i] -
                              batch_out(&right, "kinematic_restitution")[i]);
            double known = batch_out(&right, "uncertainty")[i];
            double said = batch_out(&found, "uncertainty")[i];
            bool grazes = batch_out(&found, "grazing")[i] != 0;
            errors[n++] = off;
            CHECK(off <= kinds[k].most + known || grazes, "%g off: %s", off, text);
            CHECK(off <= 2 * said + known || grazes, "%g of %g off: %s", off, said, text);
            CHECK_NEAR(batch_out(&found, "residual")[i], 0, 20 * tolerance, "%s", text);
            CHECK(batch_out(&found, "grazing")[i] != 0 ||
                      fabs(batch_out(&found, "energy_loss")[i] -
                           batch_out(&right, "energy_loss")[i]) <= 10 * tolerance + known,
                  "the loss: %s", text);
            differ += batch_out(&found, "sub_impacts")[i] != batch_out(&right, "sub_impacts")[i];
        }
        CHECK(100 * differ <= 2 * POSITIONS, "%s: %d counts differ", kinds[k].choices, differ);
        if (POSITIONS >= 400 && n > 0) {
            show(&kinds[k], tolerance, errors, n, differ);
        }
        BATCH_CLOSE(&right, &found);
    }
}

/* The bits of a cell do not depend on those before it. */
static void alone(void) {
    batch all = solve(&kinds[1], " solver=collocation", 1e-8);
    for (size_t i = 0; i < POSITIONS; i += 5) {
        batch one = batch_open("beam", "boundary=pinned solver=collocation", 1);
        batch_in(&one, "position")[0] = batch_in(&all, "position")[i];
        batch_set(&one, "internal_damping", kinds[1].internal);
        batch_solve(&one);
        CHECK_CELL(&one, 0,
                   batch_same(batch_out(&one, "kinematic_restitution")[0],
                              batch_out(&all, "kinematic_restitution")[i]));
        CHECK_CELL(
            &one, 0,
            batch_same(batch_out(&one, "energy_loss")[0], batch_out(&all, "energy_loss")[i]));
        batch_close(&one);
    }
    batch_close(&all);
}

/* The row of a history where something is checked, and the largest fault. */
typedef struct account {
    imp_recorder recorder;
    int rows;
    double last, fault;
} account;

static void add_row(imp_recorder *recorder, const double *row, int phase, int event) {
    account *a = (account *)recorder;
    (void)phase, (void)event;
    /* time, ..., rigid, vibration, dissipated and contact energy */
    double sum = row[5] + row[6] + row[7] + row[8];
    a->fault = fmax(a->fault, fabs(sum - 1));
    a->fault = fmax(a->fault, a->last - row[0]);
    a->last = row[0];
    a->rows++;
}

/* In each row of a history the energies add up to 1, within steps of every kind, too. */
static void histories(void) {
    static const double damping[] = {0, 1e6};
    for (int d = 0; d < SUITE_COUNT(damping); d++) {
        batch b = batch_open("beam", "boundary=pinned solver=collocation", 1);
        account a = {.recorder = {.samples = 301, .record = add_row}};
        batch_set(&b, "internal_damping", damping[d]);
        CHECK_CELL(&b, 0, batch_trace(&b, 0, &a.recorder) == IMP_SOLVED);
        CHECK(a.rows > 301, "%d rows", a.rows);
        CHECK_NEAR(a.fault, 0, 1e-6, "damping %g", damping[d]);
        batch_close(&b);
    }
}

/* Internal damping leaves the rigid modes of a free beam alone: a beam of these modes only rebounds
 * as an undamped one does, also where the undamped one was solved just before. */
static void rigid_modes_are_not_damped(void) {
    batch b = batch_open("beam", "boundary=free solver=collocation", 2);
    BATCH_SET(&b, {"mode_count", 2}, {"position", 0.8});
    batch_in(&b, "internal_damping")[0] = 0;
    batch_in(&b, "internal_damping")[1] = 1e6;
    batch_solve(&b);
    for (int i = 0; i < 2; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "outcome %d", b.outcome[i]);
        CHECK_NEAR(batch_out(&b, "kinematic_restitution")[i], 1, 1e-9, "cell %d", i);
        CHECK_NEAR(batch_out(&b, "energy_loss")[i], 0, 1e-9, "cell %d", i);
    }
    batch_close(&b);
}

SUITE("beam, collocation of the force", against_the_integration, alone, histories,
      rigid_modes_are_not_damped)
