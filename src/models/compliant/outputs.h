/* The outputs: their table, and the block of cells from which they are computed. */
#ifndef IMP_MODELS_COMPLIANT_OUTPUTS_H
#define IMP_MODELS_COMPLIANT_OUTPUTS_H

#include "models/compliant/block.h"

enum {
#define ROW(code, ...) IMP_COMPLIANT_OF_##code,
#include "models/compliant/outputs.def"
    IMP_COMPLIANT_N_OUTPUTS
};

extern const imp_output imp_compliant_outputs[IMP_COMPLIANT_N_OUTPUTS];

/* What an output needs besides the end of the contact, as bits. TURN: the greatest indentation,
 * with the works until then; TIME: durations; ACCOUNT: energies of every piece of the contact;
 * PEAKS: the greatest forces; MOTION: how the body moves after the contact; WHOLE: the body's
 * kinetic energy before it. */
enum {
    IMP_COMPLIANT_NEEDS_NOTHING = 0,
    IMP_COMPLIANT_NEEDS_TURN = 1,
    IMP_COMPLIANT_NEEDS_TIME = 2,
    IMP_COMPLIANT_NEEDS_ACCOUNT = 4 | IMP_COMPLIANT_NEEDS_TURN | IMP_COMPLIANT_NEEDS_TIME,
    IMP_COMPLIANT_NEEDS_PEAKS = 8 | IMP_COMPLIANT_NEEDS_ACCOUNT,
    IMP_COMPLIANT_NEEDS_MOTION = 16,
    IMP_COMPLIANT_NEEDS_WHOLE = 32
};

/* What the wanted outputs need together. */
unsigned imp_compliant_needs(double *const *out);

/* Marks the solved ones of the first n cells of a block whose outputs, wanted or not, overflow in
 * their units. */
void imp_compliant_represent(imp_compliant_block *block, size_t n);

/* Writes the wanted outputs of the first n cells of a block, solved or not: cells `first` to first
 * + n - 1 of out. */
void imp_compliant_put(const imp_compliant_block *block, size_t n, size_t first,
                       double *const *out);

#endif
