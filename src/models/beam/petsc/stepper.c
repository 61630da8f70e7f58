#include "models/beam/petsc/stepper.h"

#include <math.h>
#include <string.h>

#include "models/beam/sums.h"

/* Product of the step and the greatest rate of the modes, up to which explicit steps are stable and
 * no oscillation fits into one step. */
static const double stable = 2.5;

static double fastest(const imp_beam_problem *problem) {
    double most = 0;
    for (int j = 0; j < problem->n; j++) {
        most = fmax(most, problem->omega[j] + problem->damping[j]);
    }
    return most;
}

imp_beam_scheme imp_beam_choose_scheme(const imp_beam_problem *problem) {
    const double most_steps = 2000;
    double damping = 0;
    if (!problem->damped) {
        return IMP_BEAM_RK8;
    }
    for (int j = 0; j < problem->n; j++) {
        damping = fmax(damping, problem->damping[j]);
    }
    return damping * problem->contact_time > most_steps * stable ? IMP_BEAM_ARKIMEX : IMP_BEAM_RK5;
}

/* ---- equations ---- */

/* The state's rate. */
static void rates(const imp_beam_problem *problem, const double *restrict y,
                  double *restrict rate) {
    int n = problem->n;
    const double *v = y + n;
    double force = imp_beam_force(problem, imp_beam_indentation(problem, y)), lost = 0;
    for (int j = 0; j < n; j++) {
        rate[j] = v[j];
        rate[n + j] = problem->shape[j] * force - problem->lambda[j] * y[j];
    }
    for (int j = 0; problem->damped && j < n; j++) {
        double own = problem->damping[j] * v[j];
        rate[n + j] -= own;
        lost += own * v[j];
    }
    rate[2 * n] = force;
    rate[2 * n + 1] = lost;
}

/* The rate of the state without the beam's own forces, which the implicit scheme has on the left
 * side. */
static void contact_rates(const imp_beam_problem *problem, const double *y, double *rate) {
    int n = problem->n;
    double force = imp_beam_force(problem, imp_beam_indentation(problem, y)), lost = 0;
    for (int j = 0; j < n; j++) {
        rate[j] = 0;
        rate[n + j] = problem->shape[j] * force;
        lost += problem->damping[j] * y[n + j] * y[n + j];
    }
    rate[2 * n] = force;
    rate[2 * n + 1] = lost;
}

static PetscErrorCode right_side(TS ts, PetscReal time, Vec state, Vec rate, void *context) {
    const imp_beam_stepper *stepper = context;
    const PetscScalar *y;
    PetscScalar *f;
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    PetscCall(VecGetArrayRead(state, &y));
    PetscCall(VecGetArrayWrite(rate, &f));
    (stepper->implicit ? contact_rates : rates)(stepper->problem, y, f);
    PetscCall(VecRestoreArrayWrite(rate, &f));
    PetscCall(VecRestoreArrayRead(state, &y));
    PetscFunctionReturn(0);
}

/* y' minus the rates that the beam's own forces cause. */
static PetscErrorCode left_side(TS ts, PetscReal time, Vec state, Vec rate, Vec value,
                                void *context) {
    const imp_beam_problem *problem = ((const imp_beam_stepper *)context)->problem;
    const PetscScalar *y, *dy;
    PetscScalar *f;
    int n = problem->n;
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    PetscCall(VecGetArrayRead(state, &y));
    PetscCall(VecGetArrayRead(rate, &dy));
    PetscCall(VecGetArrayWrite(value, &f));
    for (int j = 0; j < n; j++) {
        f[j] = dy[j] - y[n + j];
        f[n + j] = dy[n + j] + problem->damping[j] * y[n + j] + problem->lambda[j] * y[j];
    }
    f[2 * n] = dy[2 * n];
    f[2 * n + 1] = dy[2 * n + 1];
    PetscCall(VecRestoreArrayWrite(value, &f));
    PetscCall(VecRestoreArrayRead(rate, &dy));
    PetscCall(VecRestoreArrayRead(state, &y));
    PetscFunctionReturn(0);
}

static PetscErrorCode left_jacobian(TS ts, PetscReal time, Vec state, Vec rate, PetscReal shift,
                                    Mat matrix, Mat used, void *context) {
    const imp_beam_problem *problem = ((const imp_beam_stepper *)context)->problem;
    PetscInt n = problem->n;
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    (void)state;
    (void)rate;
    (void)matrix;
    for (PetscInt j = 0; j < n; j++) {
        PetscInt pair[2] = {j, n + j};
        PetscScalar value[4] = {shift, -1, problem->lambda[j], shift + problem->damping[j]};
        PetscCall(MatSetValues(used, 2, pair, 2, pair, value, INSERT_VALUES));
    }
    for (PetscInt j = 2 * n; j < 2 * n + 2; j++) {
        PetscCall(MatSetValue(used, j, j, shift, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(used, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(used, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* ---- the integrator ---- */

/* Sets the absolute tolerance of each variable of the state. */
static PetscErrorCode set_tolerances(imp_beam_stepper *stepper, double tolerance) {
    const double share = 0.2; /* of the tolerance; see set_errors of models/beam/problem.c */
    const imp_beam_problem *problem = stepper->problem;
    double part = share * tolerance, speed = part * sqrt(2 * problem->energy);
    int n = problem->n;
    PetscScalar *weight;
    PetscFunctionBeginUser;
    PetscCall(VecDuplicate(stepper->solution, &stepper->tolerance));
    PetscCall(VecGetArrayWrite(stepper->tolerance, &weight));
    for (int j = 0; j < n; j++) {
        weight[j] = speed * problem->place_error[j];
        weight[n + j] = speed * problem->speed_error[j];
    }
    weight[2 * n] = part * problem->effective_mass * problem->approach;
    weight[2 * n + 1] = part * problem->energy;
    PetscCall(VecRestoreArrayWrite(stepper->tolerance, &weight));
    PetscCall(TSSetTolerances(stepper->ts, 0, stepper->tolerance, 0, NULL));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_explicit(imp_beam_stepper *stepper, imp_beam_scheme scheme) {
    PetscFunctionBeginUser;
    PetscCall(TSSetType(stepper->ts, TSRK));
    PetscCall(TSRKSetType(stepper->ts, scheme == IMP_BEAM_RK8 ? TSRK8VR : TSRK5DP));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_implicit(imp_beam_stepper *stepper) {
    SNES snes;
    KSP ksp;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(TSSetType(stepper->ts, TSARKIMEX));
    PetscCall(TSARKIMEXSetType(stepper->ts, TSARKIMEX4));
    PetscCall(TSSetEquationType(stepper->ts, TS_EQ_ODE_EXPLICIT));
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, stepper->size, stepper->size, 2, NULL,
                              &stepper->jacobian));
    PetscCall(TSSetIFunction(stepper->ts, NULL, left_side, stepper));
    PetscCall(
        TSSetIJacobian(stepper->ts, stepper->jacobian, stepper->jacobian, left_jacobian, stepper));
    /* The implicit part is linear: one LU solution. */
    PetscCall(TSGetSNES(stepper->ts, &snes));
    PetscCall(SNESSetType(snes, SNESKSPONLY));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_steps(imp_beam_stepper *stepper) {
    const double most_growth = 10, least_growth = 0.1, least = 1e-12;
    const imp_beam_problem *problem = stepper->problem;
    TSAdapt adapt;
    PetscFunctionBeginUser;
    double rate = fastest(problem), contact = problem->contact_time / 10;
    stepper->cap = stepper->implicit || rate * contact < stable ? contact : stable / rate;
    PetscCall(TSSetExactFinalTime(stepper->ts, TS_EXACTFINALTIME_STEPOVER));
    PetscCall(TSSetMaxTime(stepper->ts, PETSC_MAX_REAL / 2));
    PetscCall(TSSetMaxSteps(stepper->ts, PETSC_MAX_INT - 1));
    PetscCall(TSSetErrorIfStepFails(stepper->ts, PETSC_FALSE));
    PetscCall(TSSetMaxStepRejections(stepper->ts, 50));
    PetscCall(TSGetAdapt(stepper->ts, &adapt));
    PetscCall(TSAdaptSetType(adapt, TSADAPTBASIC));
    PetscCall(TSAdaptSetClip(adapt, least_growth, most_growth));
    PetscCall(TSAdaptSetStepLimits(adapt, least * stepper->cap, stepper->cap));
    PetscFunctionReturn(0);
}

/* Evaluations of the forces in a step; those of the implicit method include its linear equations,
 * as measured. */
static int64_t cost_of(imp_beam_scheme scheme) {
    return scheme == IMP_BEAM_RK8 ? 13 : scheme == IMP_BEAM_RK5 ? 7 : 80;
}

PetscErrorCode imp_beam_stepper_open(imp_beam_stepper *stepper, const imp_beam_problem *problem,
                                     imp_beam_scheme scheme, double tolerance, int64_t budget) {
    PetscFunctionBeginUser;
    stepper->problem = problem;
    stepper->size = 2 * problem->n + 2;
    stepper->ts = NULL;
    stepper->solution = stepper->tolerance = NULL;
    stepper->jacobian = NULL;
    stepper->implicit = scheme == IMP_BEAM_ARKIMEX;
    stepper->strayed = stepper->failed = false;
    stepper->cost = cost_of(scheme) * imp_beam_work(problem);
    stepper->left = budget;
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, stepper->size, &stepper->solution));
    PetscCall(TSCreate(PETSC_COMM_SELF, &stepper->ts));
    PetscCall(TSSetProblemType(stepper->ts, TS_NONLINEAR));
    PetscCall(TSSetRHSFunction(stepper->ts, NULL, right_side, stepper));
    PetscCall(stepper->implicit ? set_implicit(stepper) : set_explicit(stepper, scheme));
    PetscCall(TSSetSolution(stepper->ts, stepper->solution));
    PetscCall(set_tolerances(stepper, tolerance));
    PetscCall(set_steps(stepper));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_stepper_close(imp_beam_stepper *stepper) {
    PetscFunctionBeginUser;
    PetscErrorCode errors[] = {TSDestroy(&stepper->ts), VecDestroy(&stepper->solution),
                               VecDestroy(&stepper->tolerance), MatDestroy(&stepper->jacobian)};
    for (int i = 0; i < 4; i++) {
        PetscCall(errors[i]);
    }
    PetscFunctionReturn(0);
}

void imp_beam_stepper_start(imp_beam_stepper *stepper, double time, const double *state,
                            double first_step) {
    stepper->time = time;
    stepper->next = fmin(first_step, stepper->cap);
    memcpy(stepper->now, state, (size_t)stepper->size * sizeof *state);
    stepper->strayed = true;
}

/* Puts TS at a state. */
static PetscErrorCode put(imp_beam_stepper *stepper, double time, double step,
                          const double *state) {
    PetscScalar *y;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayWrite(stepper->solution, &y));
    memcpy(y, state, (size_t)stepper->size * sizeof *y);
    PetscCall(VecRestoreArrayWrite(stepper->solution, &y));
    PetscCall(TSSetTime(stepper->ts, time));
    PetscCall(TSSetTimeStep(stepper->ts, step));
    PetscCall(TSRestartStep(stepper->ts));
    PetscFunctionReturn(0);
}

/* One step of TS; *time and state: its end. */
static PetscErrorCode advance(imp_beam_stepper *stepper, double *time, double *state) {
    const PetscScalar *y;
    TSConvergedReason reason;
    PetscInt before, after;
    PetscFunctionBeginUser;
    PetscCall(TSGetStepRejections(stepper->ts, &before));
    PetscCall(TSStep(stepper->ts));
    PetscCall(TSGetStepRejections(stepper->ts, &after));
    PetscCall(TSGetConvergedReason(stepper->ts, &reason));
    stepper->failed |= reason < 0;
    stepper->left -= stepper->cost * (1 + after - before);
    PetscCall(TSGetTime(stepper->ts, time));
    PetscCall(VecGetArrayRead(stepper->solution, &y));
    memcpy(state, y, (size_t)stepper->size * sizeof *y);
    PetscCall(VecRestoreArrayRead(stepper->solution, &y));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_stepper_step(imp_beam_stepper *stepper) {
    PetscFunctionBeginUser;
    if (stepper->strayed) {
        PetscCall(put(stepper, stepper->time, stepper->next, stepper->now));
        stepper->strayed = false;
    }
    stepper->before_time = stepper->time;
    memcpy(stepper->before, stepper->now, (size_t)stepper->size * sizeof *stepper->now);
    PetscCall(advance(stepper, &stepper->time, stepper->now));
    PetscCall(TSGetTimeStep(stepper->ts, &stepper->next));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_stepper_try(imp_beam_stepper *stepper, double length) {
    double at = 0;
    PetscFunctionBeginUser;
    stepper->strayed = true;
    memcpy(stepper->trial, stepper->before, (size_t)stepper->size * sizeof *stepper->trial);
    /* Usually one step; more only if a step of this length is rejected. Time counts from 0, because
     * the equations do not depend on time and a short step would be lost next to a large time. */
    while (at < length && !stepper->failed && stepper->left >= 0) {
        double ended;
        PetscCall(put(stepper, 0, length - at, stepper->trial));
        PetscCall(advance(stepper, &ended, stepper->trial));
        at += ended;
        if (!(ended > 0)) {
            break;
        }
    }
    PetscFunctionReturn(0);
}
