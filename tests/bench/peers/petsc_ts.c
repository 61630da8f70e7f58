/* PETSc TS: explicit Runge-Kutta with events. usage: petsc_ts CELLS TOLERANCE */
#include <petscts.h>

#include "pendulum.h"

typedef struct integrator {
    TS ts;
    Vec y;
    pendulum *p;
    int fell;
} integrator;

static PetscErrorCode rates(TS ts, PetscReal t, Vec y, Vec rate, void *context) {
    const double *from;
    double *to;
    (void)ts, (void)t;
    VecGetArrayRead(y, &from);
    VecGetArrayWrite(rate, &to);
    pendulum_rates(((integrator *)context)->p, from, to);
    VecRestoreArrayWrite(rate, &to);
    return VecRestoreArrayRead(y, &from);
}

static PetscErrorCode margins(TS ts, PetscReal t, Vec y, PetscScalar *margin, void *context) {
    const double *from;
    (void)ts, (void)t;
    VecGetArrayRead(y, &from);
    pendulum_margins(((integrator *)context)->p, from, margin);
    return VecRestoreArrayRead(y, &from);
}

static PetscErrorCode take(TS ts, PetscInt n, PetscInt list[], PetscReal t, Vec y,
                           PetscBool forward, void *context) {
    (void)ts, (void)t, (void)y, (void)forward;
    for (PetscInt k = 0; k < n; k++) {
        integrator *with = context;
        with->fell = with->fell < 0 || list[k] < with->fell ? (int)list[k] : with->fell;
    }
    return 0;
}

static int phase(pendulum *p, double horizon, void *context) {
    integrator *with = context;
    double *y;
    with->p = p;
    with->fell = -1;
    VecGetArrayWrite(with->y, &y);
    for (int k = 0; k < STATES; k++) {
        y[k] = p->y[k];
    }
    VecRestoreArrayWrite(with->y, &y);
    TSSetTime(with->ts, 0);
    TSSetStepNumber(with->ts, 0);
    TSSetTimeStep(with->ts, 0.05);
    TSSetMaxTime(with->ts, horizon);
    TSSetConvergedReason(with->ts, TS_CONVERGED_ITERATING);
    TSSolve(with->ts, with->y);
    const double *end;
    VecGetArrayRead(with->y, &end);
    for (int k = 0; k < STATES; k++) {
        p->y[k] = end[k];
    }
    VecRestoreArrayRead(with->y, &end);
    return with->fell;
}

static void open(integrator *with, double tolerance) {
    PetscInt direction[MARGINS] = {-1, -1, -1};
    PetscBool terminate[MARGINS] = {PETSC_TRUE, PETSC_TRUE, PETSC_TRUE};
    TSAdapt adapt;
    VecCreateSeq(PETSC_COMM_SELF, STATES, &with->y);
    TSCreate(PETSC_COMM_SELF, &with->ts);
    TSSetProblemType(with->ts, TS_NONLINEAR);
    TSSetType(with->ts, TSRK);
    TSRKSetType(with->ts, TSRK8VR);
    TSSetRHSFunction(with->ts, NULL, rates, with);
    TSSetExactFinalTime(with->ts, TS_EXACTFINALTIME_MATCHSTEP);
    TSSetTolerances(with->ts, tolerance, NULL, tolerance, NULL);
    TSSetEventHandler(with->ts, MARGINS, direction, terminate, margins, take, with);
    TSSetEventTolerances(with->ts, 1e-11, NULL);
    TSSetMaxSteps(with->ts, 100000);
    TSGetAdapt(with->ts, &adapt);
    TSAdaptSetType(adapt, TSADAPTBASIC);
    TSSetFromOptions(with->ts);
}

int main(int n, char **words) {
    if (n < 3) {
        return 2;
    }
    PetscInitialize(&n, &words, NULL, NULL);
    cells c = cells_read(words[1]);
    integrator with;
    open(&with, atof(words[2]));
    double start = seconds_now();
    for (size_t i = 0; i < c.n; i++) {
        c.result[i] =
            pendulum_solve(pendulum_at(c.angle[i], c.friction[i], c.ratio[i]), phase, &with);
    }
    cells_print(&c, seconds_now() - start);
    TSDestroy(&with.ts);
    VecDestroy(&with.y);
    return PetscFinalize();
}
