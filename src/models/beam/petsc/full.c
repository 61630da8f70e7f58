#include "models/beam/petsc/collision.h"

#include <math.h>

#include "models/beam/petsc/freedoms.h"
#include "models/beam/march.h"
#include "models/beam/sums.h"

typedef struct full {
    imp_beam_march march;
    imp_beam_freedoms freedoms;
    TS ts;
    Vec place, speed;
    double indentation, rate, velocity, curve, impulse; /* at the end of the last step */
} full;

/* ---- the integrator ---- */

static PetscErrorCode open_solver(full *w) {
    const imp_beam_problem *p = w->march.problem;
    double force = p->effective_mass * p->approach / p->contact_time;
    SNES snes;
    KSP ksp;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(TSGetSNES(w->ts, &snes));
    PetscCall(SNESSetTolerances(snes, 1e-11 * force, 1e-10, 1e-14, 30, 1000));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    PetscFunctionReturn(0);
}

static PetscErrorCode open_integrator(full *w, double step) {
    Vec *vectors[] = {&w->place, &w->speed};
    TSAdapt adapt;
    PetscFunctionBeginUser;
    for (int i = 0; i < 2; i++) {
        PetscCall(VecCreateSeq(PETSC_COMM_SELF, w->freedoms.size, vectors[i]));
        PetscCall(VecSet(*vectors[i], 0));
    }
    PetscCall(imp_beam_freedoms_set_speeds(&w->freedoms, w->speed));
    PetscCall(TSCreate(PETSC_COMM_SELF, &w->ts));
    PetscCall(TSSetProblemType(w->ts, TS_NONLINEAR));
    PetscCall(TSSetType(w->ts, TSALPHA2));
    PetscCall(TSAlpha2SetRadius(w->ts, 1));
    PetscCall(imp_beam_freedoms_attach(&w->freedoms, w->ts));
    PetscCall(TS2SetSolution(w->ts, w->place, w->speed));
    PetscCall(TSSetExactFinalTime(w->ts, TS_EXACTFINALTIME_STEPOVER));
    PetscCall(TSSetMaxTime(w->ts, PETSC_MAX_REAL / 2));
    PetscCall(TSSetMaxSteps(w->ts, PETSC_MAX_INT - 1));
    PetscCall(TSSetErrorIfStepFails(w->ts, PETSC_FALSE));
    PetscCall(TSGetAdapt(w->ts, &adapt));
    PetscCall(TSAdaptSetType(adapt, TSADAPTNONE));
    PetscCall(TSSetTimeStep(w->ts, step));
    PetscCall(open_solver(w));
    PetscFunctionReturn(0);
}

static PetscErrorCode close_all(full *w) {
    PetscFunctionBeginUser;
    PetscErrorCode errors[] = {TSDestroy(&w->ts), VecDestroy(&w->place), VecDestroy(&w->speed),
                               imp_beam_freedoms_close(&w->freedoms)};
    for (int i = 0; i < 4; i++) {
        PetscCall(errors[i]);
    }
    PetscFunctionReturn(0);
}

/* ---- events ---- */

/* Bisections of a step until rounding. */
static const int to_rounding = 50;

/* The time in the last step at which the indentation is 0. */
static double time_of_touch(const full *w, const full *before) {
    double h = w->march.step;
    imp_beam_cubic c = {
        .f0 = before->indentation, .g0 = before->rate, .f1 = w->indentation, .g1 = w->rate, .h = h};
    return w->march.time - h + imp_beam_cubic_root(&c, to_rounding);
}

/* Notes the events of the last step, which began with the values `before`. */
static void note(full *w, const full *before) {
    imp_beam_march *march = &w->march;
    double h = march->step, peak = march->result->peak_force;
    march->result->peak_force = fmax(peak, imp_beam_force(march->problem, w->indentation));
    if (!march->contact && w->indentation > 0) {
        imp_beam_march_touch(march, time_of_touch(w, before));
    }
    if (!march->compressed && w->velocity <= 0) {
        imp_beam_cubic c = {
            .f0 = before->velocity, .g0 = before->curve, .f1 = w->velocity, .g1 = w->curve, .h = h};
        double at = imp_beam_cubic_root(&c, to_rounding);
        double impulse = before->impulse + at / h * (w->impulse - before->impulse);
        imp_beam_march_compress(march, march->time - h + at, impulse);
    }
    if (march->contact && w->indentation <= 0) {
        imp_beam_march_separate(march, time_of_touch(w, before));
    }
    imp_beam_march_show_rest(march);
}

/* ---- the march ---- */

/* Sets the state in modes and the values of the contact from the solution of TS. */
static PetscErrorCode measure(full *w) {
    const imp_beam_problem *p = w->march.problem;
    const imp_beam_freedoms *freedoms = &w->freedoms;
    double *state = w->march.state;
    PetscFunctionBeginUser;
    PetscCall(imp_beam_freedoms_to_modes(freedoms, w->place, state));
    PetscCall(imp_beam_freedoms_to_modes(freedoms, w->speed, state + p->n));
    PetscCall(imp_beam_freedoms_indentation(freedoms, w->place, &w->indentation));
    PetscCall(imp_beam_freedoms_indentation(freedoms, w->speed, &w->rate));
    w->velocity = imp_beam_relative_velocity(p, state + p->n);
    w->curve = imp_beam_relative_acceleration(p, state, w->indentation);
    PetscFunctionReturn(0);
}

/* Work of a step: linear equations, as often as they were solved, and products with the matrix of
 * the modes; as measured. */
static int64_t work_of(const imp_beam_freedoms *freedoms, PetscInt solutions) {
    int64_t n = freedoms->size;
    return 20 + n * solutions / 2 + n * n / 200;
}

/* One step; *outcome is not changed if it succeeds. */
static PetscErrorCode take_step(full *w, imp_outcome *outcome) {
    imp_beam_march *march = &w->march;
    const imp_beam_problem *p = march->problem;
    double *state = march->state, h = march->step;
    double force = imp_beam_force(p, w->indentation), lost = imp_beam_march_power(march);
    TSConvergedReason reason;
    PetscInt before, after;
    PetscFunctionBeginUser;
    imp_beam_march_keep(march);
    PetscCall(TSGetSNESIterations(w->ts, &before));
    PetscCall(TSStep(w->ts));
    PetscCall(TSGetSNESIterations(w->ts, &after));
    march->result->work += work_of(&w->freedoms, after - before);
    PetscCall(TSGetConvergedReason(w->ts, &reason));
    if (reason < 0) {
        *outcome = IMP_NO_CONVERGENCE;
        PetscFunctionReturn(0);
    }
    PetscCall(measure(w));
    march->time += h;
    w->impulse += h / 2 * (force + imp_beam_force(p, w->indentation));
    state[2 * p->n] = w->impulse;
    state[2 * p->n + 1] += h / 2 * (lost + imp_beam_march_power(march));
    PetscFunctionReturn(0);
}

static PetscErrorCode go(full *w, imp_beam_flight *flight, int64_t budget) {
    imp_beam_result *result = w->march.result;
    PetscFunctionBeginUser;
    PetscCall(measure(w));
    w->indentation = 0;
    for (bool over = false; !over && result->outcome == IMP_SOLVED;) {
        full before = *w;
        PetscCall(take_step(w, &result->outcome));
        result->steps++;
        if (result->outcome == IMP_SOLVED && result->work > budget) {
            result->outcome = IMP_BUDGET;
        }
        if (result->outcome == IMP_SOLVED) {
            note(w, &before);
            over = imp_beam_march_is_over(&w->march, flight, false);
        }
    }
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_full(imp_beam_workspace *work, const imp_beam_problem *problem,
                             const imp_beam_modes *modes, double position, double step,
                             int64_t budget, imp_observer *observer, imp_beam_result *result) {
    full w = {.march = {.problem = problem,
                        .result = result,
                        .observer = observer,
                        .state = work->state,
                        .before = work->before}};
    PetscFunctionBeginUser;
    imp_beam_flight_prepare(&work->flight, problem);
    imp_beam_march_begin(&w.march);
    w.march.step = step;
    PetscErrorCode error = imp_beam_freedoms_open(&w.freedoms, problem, modes, position);
    error = error ? error : open_integrator(&w, step);
    error = error ? error : go(&w, &work->flight, budget);
    PetscErrorCode closed = close_all(&w);
    PetscCall(error);
    PetscCall(closed);
    if (result->outcome == IMP_SOLVED && !w.march.compressed) {
        result->outcome = IMP_NO_CONVERGENCE;
    }
    PetscFunctionReturn(0);
}
