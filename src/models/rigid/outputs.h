/* The outputs of a rigid impact: their table, and the block of cells from which they are
 * computed. */
#ifndef IMP_MODELS_RIGID_OUTPUTS_H
#define IMP_MODELS_RIGID_OUTPUTS_H

#include "models/rigid/block.h"

enum { IMP_RIGID_BODY, IMP_RIGID_LAW, IMP_RIGID_N_CHOICES };
enum {
#define OUTPUT(code, ...) IMP_RIGID_OF_##code,
#include "models/rigid/outputs.def"
    IMP_RIGID_N_OUTPUTS
};
enum { IMP_RIGID_N_MODES = IMP_RIGID_PRESCRIBED };

enum { IMP_RIGID_NO = 1, IMP_RIGID_YES = 2 };

extern const imp_output imp_rigid_outputs[IMP_RIGID_N_OUTPUTS];
extern const imp_mode imp_rigid_modes[IMP_RIGID_N_MODES];

/* See imp_theory.has_output. */
bool imp_rigid_has_output(const imp_instance *instance, int output);

/* Writes the wanted outputs of the first n cells of a block: cells `first` to first + n - 1 of
 * out. */
void imp_rigid_put(const imp_rigid_block *b, size_t n, size_t first, double *const *out);

/* ---- history.c ---- */

extern const imp_history imp_rigid_history;

/* Records samples evenly spaced in the normal impulse, and every event, of a path that has this
 * result. v_t: scaled tangential velocity at first contact. speed, impulse: units of scaled
 * velocities and impulses, m/s and N s. */
void imp_rigid_record(double v_t, const imp_rigid_path *path, const imp_rigid_result *result,
                      double speed, double impulse, imp_recorder *recorder);

#endif
