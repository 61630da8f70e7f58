/* Finite elements of a beam: Hermite cubics, natural modes, and a store of those already computed. */
#ifndef IMP_MODELS_BEAM_MODES_H
#define IMP_MODELS_BEAM_MODES_H

#include <petscmat.h>

#include "models/beam/beam.h"

/* Modes of one mesh, normalised by the mass matrix, in the order of their frequencies; rigid ones are
 * exact. Freedoms of node i are its displacement 2i and its slope 2i+1, whether free or held. */
typedef struct imp_beam_modes {
    imp_beam_mesh mesh;
    int rigid; /* 2 free, 1 pinned, otherwise 0 */
    int n;     /* modes = freedoms that are not held */
    int *free; /* [n] the freedoms that are not held, ascending */
    double *node /* [elements + 1] positions, 0..1 */;
    double *lambda;      /* [n] */
    double *shape;       /* [n][n] value of mode j at free[i]: shape[j * n + i] */
    Mat mass, stiffness; /* over the freedoms that are not held, sequential AIJ */
} imp_beam_modes;

typedef struct imp_beam_store imp_beam_store;

/* Both may be given NULL to destroy. */
PetscErrorCode imp_beam_store_create(imp_beam_store **store);
PetscErrorCode imp_beam_store_destroy(imp_beam_store **store);

/* The modes of a mesh, owned by the store and valid until the next call. *modes is NULL if the mesh
 * cannot be made: the pin so near to an end that its element would be below a hundredth of the others
 * (at the end is well), or more spans than elements. Errors: those of PETSc, LAPACK. */
PetscErrorCode imp_beam_store_find(imp_beam_store *store, const imp_beam_mesh *mesh,
                                   const imp_beam_modes **modes);

/* Cubic weights of the four freedoms of the element that holds a position in 0..1; `first` is the
 * first of the four. */
void imp_beam_weights(const imp_beam_modes *modes, double position, int *first, double weight[4]);

/* Value of every mode at a position: value[n]. */
void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value);

/* Value at a position of the rigid motions of unit norm: (x - pin)/sqrt(J); 1 and sqrt(12)(x - 1/2). */
double imp_beam_rigid_mode(const imp_beam_mesh *mesh, int number, double position);

#endif
