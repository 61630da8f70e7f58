/* The outputs of a rigid impact in space: their table and their values. */
#ifndef IMP_MODELS_SWERVE_OUTPUTS_H
#define IMP_MODELS_SWERVE_OUTPUTS_H

#include "base/first.h"
#include "bodies/spatial/body3d.h"
#include "models/swerve/path.h"

enum {
#define OUTPUT(code, ...) IMP_SWERVE_OF_##code,
#include "models/swerve/outputs.def"
    IMP_SWERVE_N_OUTPUTS
};
enum { IMP_SWERVE_N_MODES = IMP_SWERVE_WEDGE };

extern const imp_output imp_swerve_outputs[IMP_SWERVE_N_OUTPUTS];
extern const imp_mode imp_swerve_modes[IMP_SWERVE_N_MODES];

typedef struct imp_swerve_cell {
    imp_swerve_path path;
    const imp_spatial *body;
    double value[IMP_MAX_PARAMETERS]; /* of the body */
    imp_swerve_law law;
    double restitution;
    double weight[2];      /* of the laws poisson and energetic in the compromise, at most 1 */
    double speed, impulse; /* units */
    imp_spatial_contact contact;
    imp_swerve_flow flow;
    imp_swerve_problem problem;
} imp_swerve_cell;
IMP_FIRST(imp_swerve_cell, path);

/* The outcome of a cell: IMP_NOT_FINITE if an output, wanted or not, overflows in the cell's
 * units. */
imp_outcome imp_swerve_outcome(const imp_swerve_cell *c);

/* Writes the wanted outputs of the solved cell i. */
void imp_swerve_put(imp_swerve_cell *c, double *const *out, size_t i);

#endif
