/* The equations of motion of the unreduced finite elements: the freedoms that are not held, then
 * the striker's displacement, if the striker can move. */
#ifndef IMP_MODELS_BEAM_FREEDOMS_H
#define IMP_MODELS_BEAM_FREEDOMS_H

#include <petscts.h>

#include "models/beam/modes.h"

typedef struct imp_beam_freedoms {
    const imp_beam_problem *problem;
    const imp_beam_modes *modes;
    Mat mass, stiffness; /* of the beam */
    Mat jacobian;
    Vec work, beam_part, beam_result;
    PetscInt size, beam;      /* freedoms; those of the beam */
    PetscInt touched[5];      /* freedoms at the contact; -1: held or absent */
    PetscScalar direction[5]; /* derivative of the indentation by them */
} imp_beam_freedoms;

/* The problem has every mode of `modes`. The caller closes the freedoms, also after an error. */
PetscErrorCode imp_beam_freedoms_open(imp_beam_freedoms *freedoms, const imp_beam_problem *problem,
                                      const imp_beam_modes *modes, double position);
PetscErrorCode imp_beam_freedoms_close(imp_beam_freedoms *freedoms);

/* Gives the equations to a TS of second order. */
PetscErrorCode imp_beam_freedoms_attach(imp_beam_freedoms *freedoms, TS ts);

/* Writes the initial speeds. */
PetscErrorCode imp_beam_freedoms_set_speeds(const imp_beam_freedoms *freedoms, Vec speed);

/* Indentation at a displacement, or its rate at a speed. */
PetscErrorCode imp_beam_freedoms_indentation(const imp_beam_freedoms *freedoms, Vec place,
                                             double *indentation);

/* Coordinates of a displacement or speed in the modes: shape^T M u; the striker's times sqrt(m). */
PetscErrorCode imp_beam_freedoms_to_modes(const imp_beam_freedoms *freedoms, Vec vector,
                                          double *modal);

#endif
