#include "models/beam/full.h"

#include <math.h>
#include <petscts.h>
#include <string.h>

/* Freedoms that are not held, then the striker's displacement, if it can move. */
typedef struct whole {
    const imp_beam_problem *problem;
    const imp_beam_modes *modes;
    imp_beam_result *result;
    imp_beam_witness *witness;
    TS ts;
    Vec place, speed, force, work, beam_part, beam_result;
    Mat jacobian;
    PetscInt size, beam;      /* freedoms; those of the beam */
    PetscInt touched[5];      /* freedoms at the contact; -1: held or absent */
    PetscScalar direction[5]; /* of the indentation's growth with them */
    double time, touch;
    double indentation, rate, velocity, curve, impulse; /* at the end of the last step */
    double *state, *before; /* the same in modes; and at its beginning */
    bool contact, compressed;
} whole;

/* ---- equations ---- */

static PetscErrorCode indentation_of(const whole *w, Vec place, double *indentation) {
    const PetscScalar *u;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayRead(place, &u));
    *indentation = 0;
    for (int i = 0; i < 5; i++) {
        *indentation += w->touched[i] >= 0 ? w->direction[i] * u[w->touched[i]] : 0;
    }
    PetscCall(VecRestoreArrayRead(place, &u));
    PetscFunctionReturn(0);
}

/* out += matrix times (a + factor b), over the beam's freedoms. */
static PetscErrorCode add_product(const whole *w, Mat matrix, Vec a, double factor, Vec b,
                                  Vec out) {
    const PetscScalar *x, *y;
    PetscScalar *z;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayRead(a, &x));
    PetscCall(VecGetArrayRead(b, &y));
    PetscCall(VecGetArrayWrite(w->beam_part, &z));
    for (PetscInt i = 0; i < w->beam; i++) {
        z[i] = x[i] + factor * y[i];
    }
    PetscCall(VecRestoreArrayWrite(w->beam_part, &z));
    PetscCall(VecRestoreArrayRead(b, &y));
    PetscCall(VecRestoreArrayRead(a, &x));
    PetscCall(MatMult(matrix, w->beam_part, w->beam_result));
    PetscCall(VecGetArrayRead(w->beam_result, &x));
    PetscCall(VecGetArray(out, &z));
    for (PetscInt i = 0; i < w->beam; i++) {
        z[i] += x[i];
    }
    PetscCall(VecRestoreArray(out, &z));
    PetscCall(VecRestoreArrayRead(w->beam_result, &x));
    PetscFunctionReturn(0);
}

/* M (u'' + gamma_e u') + K (u + gamma_i u') + direction P = 0, and m s'' + P = 0. */
static PetscErrorCode balance(TS ts, PetscReal time, Vec place, Vec speed, Vec curve, Vec value,
                              void *context) {
    const whole *w = context;
    const imp_beam_problem *p = w->problem;
    double indentation;
    PetscScalar *f;
    const PetscScalar *a;
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    PetscCall(VecSet(value, 0));
    PetscCall(add_product(w, w->modes->mass, curve, p->external, speed, value));
    PetscCall(add_product(w, w->modes->stiffness, place, p->internal, speed, value));
    PetscCall(indentation_of(w, place, &indentation));
    PetscCall(VecGetArrayRead(curve, &a));
    PetscCall(VecGetArray(value, &f));
    if (w->size > w->beam) {
        f[w->beam] = p->mass * a[w->beam];
    }
    for (int i = 0; i < 5; i++) {
        if (w->touched[i] >= 0) {
            f[w->touched[i]] += w->direction[i] * imp_beam_force(p, indentation);
        }
    }
    PetscCall(VecRestoreArray(value, &f));
    PetscCall(VecRestoreArrayRead(curve, &a));
    PetscFunctionReturn(0);
}

/* Adds factor times one of the beam's matrices. */
static PetscErrorCode add_matrix(const whole *w, Mat matrix, double factor, Mat to) {
    PetscFunctionBeginUser;
    for (PetscInt i = 0; i < w->beam; i++) {
        enum { BAND = 8 };
        PetscInt count;
        const PetscInt *column;
        const PetscScalar *value;
        PetscScalar scaled[BAND];
        PetscCall(MatGetRow(matrix, i, &count, &column, &value));
        for (PetscInt c = 0; c < count && c < BAND; c++) {
            scaled[c] = factor * value[c];
        }
        PetscCall(MatSetValues(to, 1, &i, count, column, scaled, ADD_VALUES));
        PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode fill_jacobian(TS ts, PetscReal time, Vec place, Vec speed, Vec curve,
                                    PetscReal of_speed, PetscReal of_curve, Mat matrix, Mat used,
                                    void *context) {
    const whole *w = context;
    const imp_beam_problem *p = w->problem;
    double indentation;
    PetscScalar block[5][5];
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    (void)speed;
    (void)curve;
    (void)matrix;
    PetscCall(MatZeroEntries(used));
    PetscCall(add_matrix(w, w->modes->mass, of_curve + of_speed * p->external, used));
    PetscCall(add_matrix(w, w->modes->stiffness, 1 + of_speed * p->internal, used));
    if (w->size > w->beam) {
        PetscCall(MatSetValue(used, w->beam, w->beam, p->mass * of_curve, ADD_VALUES));
    }
    PetscCall(indentation_of(w, place, &indentation));
    double growth = 1.5 * p->stiffness * sqrt(fmax(0, indentation));
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++) {
            block[i][k] = growth * w->direction[i] * w->direction[k];
        }
    }
    PetscCall(MatSetValues(used, 5, w->touched, 5, w->touched, block[0], ADD_VALUES));
    PetscCall(MatAssemblyBegin(used, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(used, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* ---- between freedoms and modes ---- */

/* Coordinates of a displacement or speed in the modes: shape^T M u; the striker's times sqrt(m). */
static PetscErrorCode to_modes(const whole *w, Vec freedoms, double *modal) {
    const PetscScalar *u, *mu;
    size_t n = (size_t)w->beam;
    PetscFunctionBeginUser;
    PetscCall(VecSet(w->work, 0));
    PetscCall(add_product(w, w->modes->mass, freedoms, 0, freedoms, w->work));
    PetscCall(VecGetArrayRead(w->work, &mu));
    PetscCall(VecGetArrayRead(freedoms, &u));
    for (size_t j = 0; j < n; j++) {
        modal[j] = 0;
        for (size_t i = 0; i < n; i++) {
            modal[j] += w->modes->shape[j * n + i] * mu[i];
        }
    }
    if (w->size > w->beam) {
        modal[n] = sqrt(w->problem->mass) * u[n];
    }
    PetscCall(VecRestoreArrayRead(freedoms, &u));
    PetscCall(VecRestoreArrayRead(w->work, &mu));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_speeds(const whole *w) {
    const imp_beam_problem *p = w->problem;
    PetscScalar *v;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayWrite(w->speed, &v));
    for (int i = 0; i < w->beam; i++) {
        v[i] = 0;
        for (int j = 0; j < p->rigid; j++) {
            v[i] += w->modes->shape[(size_t)j * (size_t)w->beam + (size_t)i] * p->speed[j];
        }
    }
    if (w->size > w->beam) {
        v[w->beam] = p->speed[p->beam] / sqrt(p->mass);
    }
    PetscCall(VecRestoreArrayWrite(w->speed, &v));
    PetscFunctionReturn(0);
}

/* ---- the march ---- */

static void find_touched(whole *w, double position) {
    int first;
    double weight[4];
    imp_beam_weights(w->modes, position, &first, weight);
    for (int i = 0; i < 5; i++) {
        w->touched[i] = -1;
        w->direction[i] = i < 4 ? -weight[i] : 1;
    }
    for (int i = 0; i < w->beam; i++) {
        int corner = w->modes->free[i] - first;
        if (corner >= 0 && corner < 4) {
            w->touched[corner] = i;
        }
    }
    w->touched[4] = w->size > w->beam ? w->beam : -1;
}

static PetscErrorCode make_vectors(whole *w) {
    Vec *whole_size[] = {&w->place, &w->speed, &w->work};
    Vec *beam_size[] = {&w->beam_part, &w->beam_result};
    PetscFunctionBeginUser;
    for (int i = 0; i < 3; i++) {
        PetscCall(VecCreateSeq(PETSC_COMM_SELF, w->size, whole_size[i]));
        PetscCall(VecSet(*whole_size[i], 0));
    }
    for (int i = 0; i < 2; i++) {
        PetscCall(VecCreateSeq(PETSC_COMM_SELF, w->beam, beam_size[i]));
    }
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, w->size, w->size, 12, NULL, &w->jacobian));
    PetscCall(MatSetOption(w->jacobian, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscFunctionReturn(0);
}

static PetscErrorCode open_march(whole *w, double step) {
    SNES snes;
    KSP ksp;
    PC pc;
    TSAdapt adapt;
    const imp_beam_problem *p = w->problem;
    double force = p->effective_mass * p->approach / p->contact_time;
    PetscFunctionBeginUser;
    PetscCall(make_vectors(w));
    PetscCall(set_speeds(w));
    PetscCall(TSCreate(PETSC_COMM_SELF, &w->ts));
    PetscCall(TSSetProblemType(w->ts, TS_NONLINEAR));
    PetscCall(TSSetType(w->ts, TSALPHA2));
    PetscCall(TSAlpha2SetRadius(w->ts, 1));
    PetscCall(TSSetI2Function(w->ts, NULL, balance, w));
    PetscCall(TSSetI2Jacobian(w->ts, w->jacobian, w->jacobian, fill_jacobian, w));
    PetscCall(TS2SetSolution(w->ts, w->place, w->speed));
    PetscCall(TSSetExactFinalTime(w->ts, TS_EXACTFINALTIME_STEPOVER));
    PetscCall(TSSetMaxTime(w->ts, PETSC_MAX_REAL / 2));
    PetscCall(TSSetMaxSteps(w->ts, PETSC_MAX_INT - 1));
    PetscCall(TSSetErrorIfStepFails(w->ts, PETSC_FALSE));
    PetscCall(TSGetAdapt(w->ts, &adapt));
    PetscCall(TSAdaptSetType(adapt, TSADAPTNONE));
    PetscCall(TSSetTimeStep(w->ts, step));
    PetscCall(TSGetSNES(w->ts, &snes));
    PetscCall(SNESSetTolerances(snes, 1e-11 * force, 1e-10, 1e-14, 30, 1000));
    PetscCall(SNESGetKSP(snes, &ksp));
    PetscCall(KSPSetType(ksp, KSPPREONLY));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCSetType(pc, PCLU));
    PetscFunctionReturn(0);
}

static PetscErrorCode close_march(whole *w) {
    PetscFunctionBeginUser;
    PetscErrorCode errors[] = {TSDestroy(&w->ts),         VecDestroy(&w->place),
                               VecDestroy(&w->speed),     VecDestroy(&w->work),
                               VecDestroy(&w->beam_part), VecDestroy(&w->beam_result),
                               MatDestroy(&w->jacobian)};
    for (int i = 0; i < 7; i++) {
        PetscCall(errors[i]);
    }
    PetscFunctionReturn(0);
}

/* Where the cubic through values and slopes at both ends of a step falls through 0, as part of the
 * step. */
static double crossing(double f0, double g0, double f1, double g1, double h) {
    double low = 0, high = 1;
    for (int i = 0; i < 50; i++) {
        double x = (low + high) / 2, y = 1 - x;
        double value =
            y * y * ((1 + 2 * x) * f0 + x * h * g0) + x * x * ((3 - 2 * x) * f1 - y * h * g1);
        if ((value > 0) == (f0 > 0)) {
            low = x;
        } else {
            high = x;
        }
    }
    return (low + high) / 2;
}

/* The state at the end of the last step, in modes. */
static PetscErrorCode read_state(whole *w) {
    const imp_beam_problem *p = w->problem;
    PetscFunctionBeginUser;
    PetscCall(to_modes(w, w->place, w->state));
    PetscCall(to_modes(w, w->speed, w->state + p->n));
    PetscFunctionReturn(0);
}

/* An event within the last step, after the samples before it. */
static void see(whole *w, double h, double time, bool contact, int code) {
    imp_beam_step step = {w->problem, w->time - h, w->time, w->before, w->state};
    imp_beam_see_samples(w->witness, &step, time, !contact);
    imp_beam_see_instant(w->witness, &step, time, contact, code);
}

/* The end of compression, which may be in contact or in flight. */
static void see_compressed(whole *w, double h) {
    double time = w->result->compression_time;
    imp_beam_step step = {w->problem, w->time - h, w->time, w->before, w->state};
    imp_beam_see_samples(w->witness, &step, time, w->contact);
    imp_beam_see_instant(w->witness, &step, time, w->contact, IMP_BEAM_GREATEST_COMPRESSION);
}

/* What changed in a step of length h from the values before it. */
static void note(whole *w, const whole *before, double h) {
    const imp_beam_problem *p = w->problem;
    imp_beam_result *r = w->result;
    double begin = w->time - h;
    r->peak_force = fmax(r->peak_force, imp_beam_force(p, w->indentation));
    if (!w->contact && w->indentation > 0) {
        double x = crossing(before->indentation, before->rate, w->indentation, w->rate, h);
        w->contact = true;
        w->touch = begin + x * h;
        see(w, h, w->touch, true, IMP_BEAM_TOUCH);
    }
    if (!w->compressed && w->velocity <= 0) {
        double x = crossing(before->velocity, before->curve, w->velocity, w->curve, h);
        w->compressed = true;
        r->compression_time = begin + x * h;
        r->impulse_compression = before->impulse + x * (w->impulse - before->impulse);
        see_compressed(w, h);
    }
    if (w->contact && w->indentation <= 0) {
        double x = crossing(before->indentation, before->rate, w->indentation, w->rate, h);
        w->contact = false;
        imp_beam_result_count(w->touch, begin + x * h, r);
        imp_beam_result_separate(p, begin + x * h, w->state, r);
        r->closeness = fmin(r->closeness, imp_beam_closeness(p, w->rate, 0, 0));
        see(w, h, r->duration, false, IMP_BEAM_SEPARATION);
    }
    imp_beam_step step = {p, begin, w->time, w->before, w->state};
    imp_beam_see_samples(w->witness, &step, w->time, w->contact);
}

static double power_of_damping(const whole *w) {
    const imp_beam_problem *p = w->problem;
    double sum = 0;
    for (int j = 0; p->damped && j < p->n; j++) {
        sum += p->damping[j] * w->state[p->n + j] * w->state[p->n + j];
    }
    return sum;
}

static PetscErrorCode measure(whole *w) {
    const imp_beam_problem *p = w->problem;
    PetscFunctionBeginUser;
    PetscCall(read_state(w));
    PetscCall(indentation_of(w, w->place, &w->indentation));
    PetscCall(indentation_of(w, w->speed, &w->rate));
    w->velocity = imp_beam_relative_velocity(p, w->state);
    w->curve = -imp_beam_force(p, w->indentation) / p->effective_mass;
    for (int j = 0; p->external > 0 && j < p->rigid; j++) {
        w->curve += p->shape[j] * p->damping[j] * w->state[p->n + j];
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode march(whole *w, imp_beam_flight *flight, double step, int64_t budget) {
    enum { BETWEEN_PROOFS = 64 };
    const imp_beam_problem *p = w->problem;
    int n = p->n;
    PetscFunctionBeginUser;
    PetscCall(measure(w));
    w->indentation = 0;
    imp_beam_step start = {p, 0, 0, w->state, w->state};
    imp_beam_see_instant(w->witness, &start, 0, true, IMP_BEAM_TOUCH);
    for (bool over = false; !over;) {
        TSConvergedReason reason;
        whole before = *w;
        double lost = power_of_damping(w);
        memcpy(w->before, w->state, (2 * (size_t)n + 2) * sizeof *w->state);
        PetscCall(TSStep(w->ts));
        PetscCall(TSGetConvergedReason(w->ts, &reason));
        if (reason < 0 || ++w->result->steps > budget) {
            w->result->outcome = reason < 0 ? IMP_NO_CONVERGENCE : IMP_BUDGET;
            break;
        }
        PetscCall(measure(w));
        w->time += step;
        w->impulse +=
            step / 2 * (imp_beam_force(p, before.indentation) + imp_beam_force(p, w->indentation));
        w->state[2 * n] = w->impulse;
        w->state[2 * n + 1] += step / 2 * (lost + power_of_damping(w));
        note(w, &before, step);
        if (!w->contact && w->result->steps % BETWEEN_PROOFS == 0) {
            imp_beam_flight_start(flight, w->state);
            over = imp_beam_flight_is_over(flight);
        }
    }
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_full(imp_beam_room *room, const imp_beam_problem *problem,
                             const imp_beam_modes *modes, double position, double step,
                             int64_t budget, imp_beam_witness *witness, imp_beam_result *result) {
    whole w = {.problem = problem,
               .modes = modes,
               .result = result,
               .witness = witness,
               .size = problem->n,
               .beam = problem->beam,
               .state = room->state,
               .before = room->before,
               .contact = true};
    PetscFunctionBeginUser;
    imp_beam_result_begin(problem, result);
    imp_beam_flight_prepare(&room->flight, problem);
    memset(w.state, 0, (2 * (size_t)problem->n + 2) * sizeof *w.state);
    find_touched(&w, position);
    PetscErrorCode error = open_march(&w, step);
    error = error ? error : march(&w, &room->flight, step, budget);
    PetscErrorCode closed = close_march(&w);
    PetscCall(error);
    PetscCall(closed);
    if (result->outcome == IMP_SOLVED && !w.compressed) {
        result->outcome = IMP_NO_CONVERGENCE;
    }
    PetscFunctionReturn(0);
}
