#include "models/beam/petsc/freedoms.h"

#include <math.h>

#include "models/beam/sums.h"

/* ---- equations ---- */

PetscErrorCode imp_beam_freedoms_indentation(const imp_beam_freedoms *w, Vec place,
                                             double *indentation) {
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
static PetscErrorCode add_product(const imp_beam_freedoms *w, Mat matrix, Vec a, double factor,
                                  Vec b, Vec out) {
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
    const imp_beam_freedoms *w = context;
    const imp_beam_problem *p = w->problem;
    double indentation;
    PetscScalar *f;
    const PetscScalar *a;
    PetscFunctionBeginUser;
    (void)ts;
    (void)time;
    PetscCall(VecSet(value, 0));
    PetscCall(add_product(w, w->mass, curve, p->external, speed, value));
    PetscCall(add_product(w, w->stiffness, place, p->internal, speed, value));
    PetscCall(imp_beam_freedoms_indentation(w, place, &indentation));
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
static PetscErrorCode add_matrix(const imp_beam_freedoms *w, Mat matrix, double factor, Mat to) {
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
    const imp_beam_freedoms *w = context;
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
    PetscCall(add_matrix(w, w->mass, of_curve + of_speed * p->external, used));
    PetscCall(add_matrix(w, w->stiffness, 1 + of_speed * p->internal, used));
    if (w->size > w->beam) {
        PetscCall(MatSetValue(used, w->beam, w->beam, p->mass * of_curve, ADD_VALUES));
    }
    PetscCall(imp_beam_freedoms_indentation(w, place, &indentation));
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

PetscErrorCode imp_beam_freedoms_to_modes(const imp_beam_freedoms *w, Vec freedoms, double *modal) {
    const PetscScalar *u, *mu;
    size_t n = (size_t)w->beam;
    PetscFunctionBeginUser;
    PetscCall(VecSet(w->work, 0));
    PetscCall(add_product(w, w->mass, freedoms, 0, freedoms, w->work));
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

PetscErrorCode imp_beam_freedoms_set_speeds(const imp_beam_freedoms *w, Vec speed) {
    const imp_beam_problem *p = w->problem;
    PetscScalar *v;
    PetscFunctionBeginUser;
    PetscCall(VecGetArrayWrite(speed, &v));
    for (int i = 0; i < w->beam; i++) {
        v[i] = 0;
        for (int j = 0; j < p->rigid; j++) {
            v[i] += w->modes->shape[(size_t)j * (size_t)w->beam + (size_t)i] * p->speed[j];
        }
    }
    if (w->size > w->beam) {
        v[w->beam] = p->speed[p->beam] / sqrt(p->mass);
    }
    PetscCall(VecRestoreArrayWrite(speed, &v));
    PetscFunctionReturn(0);
}

/* ---- making ---- */

static void find_touched(imp_beam_freedoms *w, double position) {
    int first;
    double weight[4];
    imp_beam_weights(&w->modes->mesh, w->modes->node, position, &first, weight);
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

/* A matrix of the beam from its band. */
static PetscErrorCode make_matrix(int n, imp_beam_band *band, Mat *made) {
    PetscFunctionBeginUser;
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 2 * IMP_BEAM_SIDE + 1, NULL, made));
    for (PetscInt i = 0; i < n; i++) {
        for (PetscInt j = i; j >= 0 && i - j < IMP_BEAM_LOWER; j--) {
            double value = band[i][i - j].high;
            PetscCall(MatSetValue(*made, i, j, value, INSERT_VALUES));
            PetscCall(MatSetValue(*made, j, i, value, INSERT_VALUES));
        }
    }
    PetscCall(MatAssemblyBegin(*made, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*made, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_freedoms_open(imp_beam_freedoms *w, const imp_beam_problem *problem,
                                      const imp_beam_modes *modes, double position) {
    Vec *beam_size[] = {&w->beam_part, &w->beam_result};
    PetscFunctionBeginUser;
    *w = (imp_beam_freedoms){
        .problem = problem, .modes = modes, .size = problem->n, .beam = problem->beam};
    find_touched(w, position);
    PetscCall(make_matrix(modes->n, modes->elements.mass, &w->mass));
    PetscCall(make_matrix(modes->n, modes->elements.stiffness, &w->stiffness));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, w->size, &w->work));
    for (int i = 0; i < 2; i++) {
        PetscCall(VecCreateSeq(PETSC_COMM_SELF, w->beam, beam_size[i]));
    }
    PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, w->size, w->size, 12, NULL, &w->jacobian));
    PetscCall(MatSetOption(w->jacobian, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_freedoms_close(imp_beam_freedoms *w) {
    PetscFunctionBeginUser;
    PetscErrorCode errors[] = {MatDestroy(&w->mass),      MatDestroy(&w->stiffness),
                               MatDestroy(&w->jacobian),  VecDestroy(&w->work),
                               VecDestroy(&w->beam_part), VecDestroy(&w->beam_result)};
    for (int i = 0; i < 6; i++) {
        PetscCall(errors[i]);
    }
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_freedoms_attach(imp_beam_freedoms *w, TS ts) {
    PetscFunctionBeginUser;
    PetscCall(TSSetI2Function(ts, NULL, balance, w));
    PetscCall(TSSetI2Jacobian(ts, w->jacobian, w->jacobian, fill_jacobian, w));
    PetscFunctionReturn(0);
}
