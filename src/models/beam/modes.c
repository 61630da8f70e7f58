#include "models/beam/modes.h"

#include <math.h>
#include <petscblaslapack.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEPT = 4096 };
static const size_t most_bytes = (size_t)256 << 20;

/* A ring of the meshes that were made last, the oldest at `first`. */
struct imp_beam_store {
    imp_beam_modes *kept[MOST_KEPT];
    int first, n;
    size_t bytes; /* of their shapes, nearly all that they need */
};

/* Symmetric generalised eigenproblem, divide and conquer. */
extern void PETSCBLAS(sygvd, SYGVD)(const PetscBLASInt *type, const char *job, const char *part,
                                    const PetscBLASInt *n, double *a, const PetscBLASInt *lda,
                                    double *b, const PetscBLASInt *ldb, double *w, double *work,
                                    const PetscBLASInt *lwork, PetscBLASInt *iwork,
                                    const PetscBLASInt *liwork, PetscBLASInt *info);

/* ---- the mesh ---- */

double imp_beam_rigid_mode(const imp_beam_mesh *mesh, int number, double position) {
    if (mesh->boundary == IMP_BEAM_FREE) {
        return number == 0 ? 1 : sqrt(12.0) * (position - 0.5);
    }
    double left = mesh->pin, right = 1 - mesh->pin;
    return (position - mesh->pin) / sqrt((left * left * left + right * right * right) / 3);
}

/* Nodes at even distances on either side of the pin. Returns the node of the pin, -1 if the elements
 * do not suffice or one would be too short. */
static int place_nodes(const imp_beam_mesh *mesh, double *node) {
    int n = mesh->elements;
    int left = (int)lround(mesh->pin * n);
    bool inside = mesh->pin > 0 && mesh->pin < 1;
    left += inside && left == 0;
    left -= inside && left == n;
    if (inside && (left == 0 || mesh->pin * n < 0.01 || (1 - mesh->pin) * n < 0.01)) {
        return -1;
    }
    for (int i = 0; i <= n; i++) {
        node[i] = i < left
                      ? mesh->pin * i / left
                      : mesh->pin + (1 - mesh->pin) * (i - left) / (n - left > 0 ? n - left : 1);
    }
    node[left] = mesh->pin;
    node[n] = 1;
    return left;
}

/* Writes the freedoms that are not held; returns their number. */
static int list_free(const imp_beam_mesh *mesh, int pinned, int *list) {
    int last = mesh->elements, n = 0;
    for (int i = 0; i <= last; i++) {
        bool end = i == 0 || i == last;
        bool held = (mesh->boundary == IMP_BEAM_PINNED && i == pinned) ||
                    (mesh->boundary == IMP_BEAM_CLAMPED && i == 0) ||
                    (mesh->boundary == IMP_BEAM_PINNED_PINNED && end);
        bool stiff = mesh->boundary == IMP_BEAM_CLAMPED && i == 0;
        if (!held) {
            list[n++] = 2 * i;
        }
        if (!stiff) {
            list[n++] = 2 * i + 1;
        }
    }
    return n;
}

/* ---- matrices ---- */

/* Stiffness and mass of one element of length h. */
static void element(double h, double k[4][4], double m[4][4]) {
    const double a = 12 / (h * h * h), b = 6 / (h * h), c = 4 / h, d = 2 / h, u = h / 420;
    const double stiffness[4][4] = {{a, b, -a, b}, {b, c, -b, d}, {-a, -b, a, -b}, {b, d, -b, c}};
    const double mass[4][4] = {{156 * u, 22 * h * u, 54 * u, -13 * h * u},
                               {22 * h * u, 4 * h * h * u, 13 * h * u, -3 * h * h * u},
                               {54 * u, 13 * h * u, 156 * u, -22 * h * u},
                               {-13 * h * u, -3 * h * h * u, -22 * h * u, 4 * h * h * u}};
    memcpy(k, stiffness, sizeof stiffness);
    memcpy(m, mass, sizeof mass);
}

/* Rows and columns of freedoms that are held are left out: their index is -1, which PETSc skips. */
static PetscErrorCode add_elements(const imp_beam_modes *modes) {
    PetscInt number[2 * IMP_BEAM_MOST_NODES];
    PetscFunctionBeginUser;
    for (int i = 0; i < 2 * IMP_BEAM_MOST_NODES; i++) {
        number[i] = -1;
    }
    for (int i = 0; i < modes->n; i++) {
        number[modes->free[i]] = i;
    }
    for (int e = 0; e < modes->mesh.elements; e++) {
        double k[4][4], m[4][4];
        element(modes->node[e + 1] - modes->node[e], k, m);
        PetscCall(
            MatSetValues(modes->stiffness, 4, number + 2 * e, 4, number + 2 * e, k[0], ADD_VALUES));
        PetscCall(
            MatSetValues(modes->mass, 4, number + 2 * e, 4, number + 2 * e, m[0], ADD_VALUES));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode assemble(imp_beam_modes *modes) {
    enum { BAND = 6 };
    Mat *made[] = {&modes->stiffness, &modes->mass};
    PetscFunctionBeginUser;
    for (int i = 0; i < 2; i++) {
        PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, modes->n, modes->n, BAND, NULL, made[i]));
    }
    PetscCall(add_elements(modes));
    for (int i = 0; i < 2; i++) {
        PetscCall(MatAssemblyBegin(*made[i], MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(*made[i], MAT_FINAL_ASSEMBLY));
    }
    PetscFunctionReturn(0);
}

/* ---- modes ---- */

/* A matrix as columns of all its values; the caller frees it. */
static PetscErrorCode spread(Mat matrix, int n, double *values) {
    PetscFunctionBeginUser;
    memset(values, 0, (size_t)n * (size_t)n * sizeof *values);
    for (PetscInt i = 0; i < n; i++) {
        PetscInt count;
        const PetscInt *column;
        const PetscScalar *value;
        PetscCall(MatGetRow(matrix, i, &count, &column, &value));
        for (PetscInt c = 0; c < count; c++) {
            values[column[c] * n + i] = value[c];
        }
        PetscCall(MatRestoreRow(matrix, i, &count, &column, &value));
    }
    PetscFunctionReturn(0);
}

/* Replaces the stiffness in modes->shape by the modes; `mass` is destroyed. */
static PetscErrorCode diagonalise(imp_beam_modes *modes, double *mass) {
    PetscBLASInt n = modes->n, type = 1, ask = -1, info = 0, lwork, liwork;
    double wanted;
    PetscFunctionBeginUser;
    PETSCBLAS(sygvd, SYGVD)
    (&type, "V", "L", &n, modes->shape, &n, mass, &n, modes->lambda, &wanted, &ask, &liwork, &ask,
     &info);
    lwork = (PetscBLASInt)wanted;
    double *work = malloc((size_t)lwork * sizeof *work);
    PetscBLASInt *integers = malloc((size_t)liwork * sizeof *integers);
    if (work && integers) {
        PETSCBLAS(sygvd, SYGVD)
        (&type, "V", "L", &n, modes->shape, &n, mass, &n, modes->lambda, work, &lwork, integers,
         &liwork, &info);
    }
    bool memory = work && integers;
    free(work);
    free(integers);
    PetscCheck(memory, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the eigenproblem");
    PetscCheck(info == 0, PETSC_COMM_SELF, PETSC_ERR_LIB, "LAPACK sygvd returned %d", (int)info);
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

static PetscErrorCode modes_destroy(imp_beam_modes **modes) {
    PetscFunctionBeginUser;
    if (*modes) {
        imp_beam_modes *gone = *modes;
        *modes = NULL;
        free(gone->free);
        free(gone->node);
        free(gone->lambda);
        free(gone->shape);
        PetscErrorCode first = MatDestroy(&gone->mass), second = MatDestroy(&gone->stiffness);
        free(gone);
        PetscCall(first);
        PetscCall(second);
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode modes_compute(imp_beam_modes *modes) {
    size_t n = (size_t)modes->n;
    double *mass = NULL;
    PetscFunctionBeginUser;
    PetscCall(assemble(modes));
    modes->lambda = calloc(n, sizeof *modes->lambda);
    modes->shape = calloc(n * n, sizeof *modes->shape);
    mass = calloc(n * n, sizeof *mass);
    PetscErrorCode error = modes->lambda && modes->shape && mass ? 0 : PETSC_ERR_MEM;
    error = error ? error : spread(modes->stiffness, modes->n, modes->shape);
    error = error ? error : spread(modes->mass, modes->n, mass);
    error = error ? error : diagonalise(modes, mass);
    free(mass);
    PetscCall(error);
    set_rigid(modes);
    PetscFunctionReturn(0);
}

static PetscErrorCode modes_create(const imp_beam_mesh *mesh, imp_beam_modes **made) {
    PetscFunctionBeginUser;
    *made = NULL;
    imp_beam_modes *modes = calloc(1, sizeof *modes);
    PetscCheck(modes, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a mesh");
    modes->mesh = *mesh;
    modes->rigid = mesh->boundary == IMP_BEAM_FREE ? 2 : mesh->boundary == IMP_BEAM_PINNED;
    modes->node = calloc((size_t)mesh->elements + 1, sizeof *modes->node);
    modes->free = calloc(2 * (size_t)mesh->elements + 2, sizeof *modes->free);
    PetscErrorCode error = modes->node && modes->free ? 0 : PETSC_ERR_MEM;
    int pinned = error ? -1 : place_nodes(mesh, modes->node);
    if (pinned >= 0) {
        modes->n = list_free(mesh, pinned, modes->free);
        error = modes_compute(modes);
    }
    if (error || pinned < 0) {
        PetscErrorCode ended = modes_destroy(&modes);
        error = error ? error : ended;
    }
    PetscCall(error);
    *made = modes;
    PetscFunctionReturn(0);
}

void imp_beam_weights(const imp_beam_modes *modes, double position, int *first, double weight[4]) {
    int e = 0, end = modes->mesh.elements;
    while (end - e > 1) {
        int middle = (e + end) / 2;
        if (position < modes->node[middle]) {
            end = middle;
        } else {
            e = middle;
        }
    }
    double h = modes->node[e + 1] - modes->node[e], x = (position - modes->node[e]) / h;
    weight[0] = 1 - x * x * (3 - 2 * x);
    weight[1] = h * x * (1 - x) * (1 - x);
    weight[2] = x * x * (3 - 2 * x);
    weight[3] = -h * x * x * (1 - x);
    *first = 2 * e;
}

void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value) {
    int first;
    double weight[4];
    imp_beam_weights(modes, position, &first, weight);
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

/* ---- the store ---- */

PetscErrorCode imp_beam_store_create(imp_beam_store **store) {
    PetscFunctionBeginUser;
    *store = calloc(1, sizeof **store);
    PetscCheck(*store, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for modes");
    PetscFunctionReturn(0);
}

static size_t size_of(const imp_beam_modes *modes) {
    return (size_t)modes->n * (size_t)modes->n * sizeof *modes->shape;
}

static PetscErrorCode drop_oldest(imp_beam_store *store) {
    imp_beam_modes **oldest = &store->kept[store->first];
    PetscFunctionBeginUser;
    store->bytes -= size_of(*oldest);
    store->first = (store->first + 1) % MOST_KEPT;
    store->n--;
    PetscCall(modes_destroy(oldest));
    PetscFunctionReturn(0);
}

PetscErrorCode imp_beam_store_destroy(imp_beam_store **store) {
    PetscErrorCode error = 0;
    PetscFunctionBeginUser;
    while (*store && (*store)->n > 0) {
        PetscErrorCode ended = drop_oldest(*store);
        error = error ? error : ended;
    }
    free(*store);
    *store = NULL;
    PetscCall(error);
    PetscFunctionReturn(0);
}

static bool same_mesh(const imp_beam_mesh *a, const imp_beam_mesh *b) {
    return a->boundary == b->boundary && a->elements == b->elements && a->pin == b->pin;
}

PetscErrorCode imp_beam_store_find(imp_beam_store *store, const imp_beam_mesh *mesh,
                                   const imp_beam_modes **modes) {
    imp_beam_modes *made = NULL;
    PetscFunctionBeginUser;
    *modes = NULL;
    for (int i = store->n - 1; i >= 0; i--) {
        imp_beam_modes *kept = store->kept[(store->first + i) % MOST_KEPT];
        if (same_mesh(&kept->mesh, mesh)) {
            *modes = kept;
            PetscFunctionReturn(0);
        }
    }
    PetscCall(modes_create(mesh, &made));
    if (!made) {
        PetscFunctionReturn(0);
    }
    while (store->n > 0 && (store->n == MOST_KEPT || store->bytes + size_of(made) > most_bytes)) {
        PetscCall(drop_oldest(store));
    }
    store->kept[(store->first + store->n++) % MOST_KEPT] = made;
    store->bytes += size_of(made);
    *modes = made;
    PetscFunctionReturn(0);
}
