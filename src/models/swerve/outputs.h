/* The outputs of a rigid impact in space: their table and their values. */
#ifndef IMP_MODELS_SWERVE_OUTPUTS_H
#define IMP_MODELS_SWERVE_OUTPUTS_H

#include "models/swerve/path.h"

enum {
#define OUTPUT(code, ...) IMP_SWERVE_OF_##code,
#include "models/swerve/outputs.def"
    IMP_SWERVE_N_OUTPUTS
};
enum { IMP_SWERVE_N_MODES = IMP_SWERVE_WEDGE };

extern const imp_output imp_swerve_outputs[IMP_SWERVE_N_OUTPUTS];
extern const imp_mode imp_swerve_modes[IMP_SWERVE_N_MODES];

/* Whether a body has an output. */
bool imp_swerve_has_output(const imp_spatial *body, int output);

typedef struct imp_swerve_cell {
    imp_swerve_law law;
    double restitution;
    double speed, impulse; /* units */
    imp_spatial_contact contact;
    imp_flow flow;
    imp_swerve_result result;
} imp_swerve_cell;

/* Of a result whose numbers may not be expressed in the cell's units: NOT_FINITE, whatever is wanted. */
imp_outcome imp_swerve_outcome(const imp_swerve_cell *c);

/* Writes the outputs of a solved cell that are wanted. */
void imp_swerve_put(imp_swerve_cell *c, double *const *out, size_t i);

#endif
