/* The outputs of the theory: their table and their values. */
#ifndef IMP_MODELS_BOUNCE_OUTPUTS_H
#define IMP_MODELS_BOUNCE_OUTPUTS_H

#include "models/bounce/state.h"

enum {
#define OUTPUT(code, ...) IMP_BOUNCE_OF_##code,
#include "models/bounce/outputs.def"
    IMP_BOUNCE_N_OUTPUTS
};
enum { IMP_BOUNCE_N_MODES = IMP_BOUNCE_JAM };

extern const imp_output imp_bounce_outputs[IMP_BOUNCE_N_OUTPUTS];
extern const imp_mode imp_bounce_modes[IMP_BOUNCE_N_MODES];

/* Writes the wanted outputs of the solved cell i. */
void imp_bounce_put(const imp_bounce_cell *c, double *const *out, size_t i);

#endif
