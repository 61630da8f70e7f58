/* Natural modes in 32 digits.
 *
 * The frequencies of a fine mesh span six powers of ten and their squares twelve. An eigenproblem
 * in double precision leaves errors of the size of rounding in the largest square, which are 1e-8
 * to 1e-6 of the smallest; and sub-impacts amplify an error of 1e-8 there to 1e-2 in the
 * restitution. */
#ifndef IMP_MODELS_BEAM_REFINE_H
#define IMP_MODELS_BEAM_REFINE_H

#include "models/beam/elements.h"
#include "num/bracket.h"

typedef struct imp_beam_refinement imp_beam_refinement;

/* The elements must outlive the refinement, which the caller owns. NULL: out of memory. */
imp_beam_refinement *imp_beam_refinement_create(const imp_beam_elements *elements);
void imp_beam_refinement_destroy(imp_beam_refinement **refinement);

/* Finds the mode whose lambda lies in a bracket that holds no other, until the last digit of a
 * double is right, and normalises the mode by the mass. False if the iteration does not converge,
 * or converges to another mode. */
bool imp_beam_refine(imp_beam_refinement *refinement, const imp_bracket *bracket, double *lambda,
                     double *shape);

/* ---- spectrum.c: where the squares of the frequencies lie ---- */

/* Finds an interval for lambda of each mode from `first` to before `end`, in the order of the
 * modes, narrower than a part 1e-6 of lambda, and without another mode if rounding does not join
 * them. The first modes, fewer than `first`, are rigid. bracket[j] belongs to mode j. False: out of
 * memory. */
bool imp_beam_spectrum(const imp_beam_elements *elements, int first, int end, imp_bracket *bracket);

#endif
