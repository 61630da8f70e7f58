/* Where the squares of a beam's frequencies lie. */
#ifndef IMP_MODELS_BEAM_SPECTRUM_H
#define IMP_MODELS_BEAM_SPECTRUM_H

#include "models/beam/elements.h"
#include "num/bracket.h"

/* Finds an interval for lambda of each mode from `first` to before `end`, in the order of the
 * modes, narrower than a part 1e-6 of lambda, and without another mode if rounding does not join
 * them. The first modes, fewer than `first`, are rigid. bracket[j] belongs to mode j. False: out of
 * memory. */
bool imp_beam_spectrum(const imp_beam_elements *elements, int first, int end, imp_bracket *bracket);

#endif
