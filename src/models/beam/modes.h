/* Natural modes of a beam's finite elements. */
#ifndef IMP_MODELS_BEAM_MODES_H
#define IMP_MODELS_BEAM_MODES_H

#include <petscsys.h>

#include "models/beam/elements.h"

/* Modes of one mesh, normalised by the mass matrix, in the order of their frequencies; rigid ones
 * are exact. Freedoms of node i are its displacement 2i and its slope 2i+1, whether free or held.
 * The first modes, as many as there are nodes, are exact to the last digit; the others have the
 * errors of LAPACK. */
typedef struct imp_beam_modes {
    imp_beam_mesh mesh;
    int rigid;      /* 2 free, 1 pinned, otherwise 0 */
    int n;          /* modes = freedoms that are not held */
    int *free;      /* [n] the freedoms that are not held, ascending */
    double *node;   /* [elements + 1] positions, 0..1 */
    double *lambda; /* [n] */
    double *shape;  /* [n][n] value of mode j at free[i]: shape[j * n + i] */
    imp_beam_elements elements;
} imp_beam_modes;

/* On success the caller owns *modes. *modes is NULL if the mesh cannot be made: the pin is so near
 * to an end that its element would be shorter than a hundredth of the others (a pin exactly at the
 * end is allowed), or there are more spans than elements. Errors: those of PETSc, LAPACK. */
PetscErrorCode imp_beam_modes_create(const imp_beam_mesh *mesh, imp_beam_modes **modes);
void imp_beam_modes_destroy(imp_beam_modes **modes);

/* Value of every mode at a position: value[n]. */
void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value);

#endif
