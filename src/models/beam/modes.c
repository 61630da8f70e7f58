#include "models/beam/modes.h"

#include <math.h>
#include <petscblaslapack.h>
#include <stdlib.h>
#include <string.h>

#include "models/beam/refine.h"

/* Symmetric generalised eigenproblem, divide and conquer. */
extern void PETSCBLAS(sygvd, SYGVD)(const PetscBLASInt *type, const char *job, const char *part,
                                    const PetscBLASInt *n, double *a, const PetscBLASInt *lda,
                                    double *b, const PetscBLASInt *ldb, double *w, double *work,
                                    const PetscBLASInt *lwork, PetscBLASInt *iwork,
                                    const PetscBLASInt *liwork, PetscBLASInt *info);

/* ---- modes ---- */

/* A matrix as columns of all its values. */
static void spread(int n, imp_beam_band *band, double *values) {
    memset(values, 0, (size_t)n * (size_t)n * sizeof *values);
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < IMP_BEAM_LOWER && d <= i; d++) {
            values[(i - d) * n + i] = values[i * n + i - d] = band[i][d].high;
        }
    }
}

/* Replaces the matrix a by the eigenvectors of a x = value b x, values ascending; b is
 * destroyed. */
static PetscErrorCode diagonalise(PetscBLASInt n, double *a, double *b, double *values) {
    PetscBLASInt type = 1, ask = -1, info = 0, lwork, liwork;
    double wanted;
    PetscFunctionBeginUser;
    PETSCBLAS(sygvd, SYGVD)
    (&type, "V", "L", &n, a, &n, b, &n, values, &wanted, &ask, &liwork, &ask, &info);
    lwork = (PetscBLASInt)wanted;
    double *work = malloc((size_t)lwork * sizeof *work);
    PetscBLASInt *integers = malloc((size_t)liwork * sizeof *integers);
    if (work && integers) {
        PETSCBLAS(sygvd, SYGVD)
        (&type, "V", "L", &n, a, &n, b, &n, values, work, &lwork, integers, &liwork, &info);
    }
    bool memory = work && integers;
    free(work);
    free(integers);
    PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the eigenproblem");
    PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK sygvd returned %d", (int)info);
    PetscFunctionReturn(0);
}

/* Shapes from M x = mu (K + shift M) x, mu = 1/(lambda + shift): the errors of slow modes are as
 * small as rounding, those of fast modes larger. K alone may be singular. */
static PetscErrorCode estimate(imp_beam_modes *modes) {
    const double shift = 1;
    int n = modes->n;
    size_t size = (size_t)n * (size_t)n;
    PetscFunctionBeginUser;
    double *stiffness = malloc(size * sizeof *stiffness), *vector = malloc(size * sizeof *vector);
    PetscErrorCode error = stiffness && vector ? 0 : PETSC_ERR_MEM;
    if (!error) {
        spread(n, modes->elements.stiffness, stiffness);
        spread(n, modes->elements.mass, vector);
        for (size_t i = 0; i < size; i++) {
            stiffness[i] += shift * vector[i];
        }
        error = diagonalise(n, vector, stiffness, modes->lambda);
    }
    for (int j = 0; !error && j < n; j++) {
        memcpy(modes->shape + j * n, vector + (n - 1 - j) * n, (size_t)n * sizeof *vector);
    }
    free(stiffness);
    free(vector);
    PetscCall(error);
    PetscFunctionReturn(0);
}

/* Rigid modes are known exactly; with them lambda = 0 and damping is diagonal. */
static void set_rigid(imp_beam_modes *modes) {
    for (int j = 0; j < modes->rigid; j++) {
        modes->lambda[j] = 0;
        double slope =
            imp_beam_rigid_mode(&modes->mesh, j, 1) - imp_beam_rigid_mode(&modes->mesh, j, 0);
        for (int i = 0; i < modes->n; i++) {
            double at = modes->node[modes->free[i] / 2];
            modes->shape[j * modes->n + i] =
                modes->free[i] % 2 ? slope : imp_beam_rigid_mode(&modes->mesh, j, at);
        }
    }
}

/* Refines as many modes as a case can ask for; the rigid ones are exact. */
static PetscErrorCode refine(imp_beam_modes *modes) {
    bool converged = true;
    PetscFunctionBeginUser;
    imp_beam_refinement *refinement = imp_beam_refinement_create(&modes->elements);
    PetscCheck(refinement, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory to refine modes");
    for (int j = modes->rigid; j < modes->n && converged; j++) {
        double *shape = modes->shape + (size_t)j * (size_t)modes->n;
        if (j <= modes->mesh.elements) {
            converged = imp_beam_refine(refinement, &modes->lambda[j], shape);
        } else {
            imp_beam_estimate(refinement, &modes->lambda[j], shape);
        }
    }
    imp_beam_refinement_destroy(&refinement);
    PetscCheck(converged, PETSC_COMM_SELF, PETSC_ERR_NOT_CONVERGED, "a mode does not converge");
    PetscFunctionReturn(0);
}

void imp_beam_modes_destroy(imp_beam_modes **modes) {
    imp_beam_modes *gone = *modes;
    if (gone) {
        free(gone->free);
        free(gone->node);
        free(gone->lambda);
        free(gone->shape);
        imp_beam_elements_free(&gone->elements);
        free(gone);
    }
    *modes = NULL;
}

static PetscErrorCode compute(imp_beam_modes *modes) {
    size_t n = (size_t)modes->n;
    PetscFunctionBeginUser;
    modes->lambda = calloc(n, sizeof *modes->lambda);
    modes->shape = calloc(n * n, sizeof *modes->shape);
    bool memory = imp_beam_elements_make(&modes->mesh, modes->node, modes->n, modes->free,
                                         &modes->elements) &&
                  modes->lambda && modes->shape;
    PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for modes");
    PetscCall(estimate(modes));
    set_rigid(modes);
    PetscCall(refine(modes));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_modes_create(const imp_beam_mesh *mesh, imp_beam_modes **made) {
    PetscFunctionBeginUser;
    *made = NULL;
    imp_beam_modes *modes = calloc(1, sizeof *modes);
    PetscCheck(modes, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a mesh");
    modes->mesh = *mesh;
    modes->rigid = mesh->boundary == IMP_BEAM_FREE ? 2 : mesh->boundary == IMP_BEAM_PINNED;
    modes->node = calloc((size_t)mesh->elements + 1, sizeof *modes->node);
    modes->free = calloc(2 * (size_t)mesh->elements + 2, sizeof *modes->free);
    PetscErrorCode error = modes->node && modes->free ? 0 : PETSC_ERR_MEM;
    int pinned = error ? -1 : imp_beam_place_nodes(mesh, modes->node);
    if (pinned >= 0) {
        modes->n = imp_beam_list_free(mesh, pinned, modes->free);
        error = compute(modes);
    }
    if (error || pinned < 0) {
        imp_beam_modes_destroy(&modes);
    }
    PetscCall(error);
    *made = modes;
    PetscFunctionReturn(0);
}

void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value) {
    int first;
    double weight[4];
    imp_beam_weights(&modes->mesh, modes->node, position, &first, weight);
    for (int j = 0; j < modes->n; j++) {
        value[j] = 0;
    }
    for (int i = 0; i < modes->n; i++) {
        int corner = modes->free[i] - first;
        for (int j = 0; corner >= 0 && corner < 4 && j < modes->n; j++) {
            value[j] += weight[corner] * modes->shape[(size_t)j * (size_t)modes->n + (size_t)i];
        }
    }
    for (int j = 0; j < modes->rigid; j++) {
        value[j] = imp_beam_rigid_mode(&modes->mesh, j, position);
    }
}
