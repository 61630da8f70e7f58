/* The outputs of a rigid impact: their table, and the block of cells from which they are
 * computed. */
#ifndef IMP_MODELS_RIGID_OUTPUTS_H
#define IMP_MODELS_RIGID_OUTPUTS_H

#include "bodies/planar/body.h"
#include "models/rigid/impulse.h"

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

enum { IMP_RIGID_BLOCK = 64 };

/* One number for each cell of a block. */
typedef double imp_rigid_column[IMP_RIGID_BLOCK];

/* Problems and results of some cells as columns; see imp_rigid_problem and imp_rigid_result. */
typedef struct imp_rigid_block {
    imp_rigid_column a, c, v_t, e, friction;
    imp_rigid_column cone;           /* friction with which a prescribed ratio is compared */
    imp_rigid_column mass, b22;      /* of the contact */
    imp_rigid_column speed, impulse; /* units of the scaled problem */
    imp_rigid_column initial;        /* energy that the contact could dissipate, scaled */
    imp_rigid_column constrained;    /* 0 or 1 */
    imp_rigid_column mode, sequence;
    imp_rigid_column p_n, p_t, out_n, out_t, compression, rebound;
    imp_rigid_column p_t_c, work_c, work_r, work_t, change;
    imp_rigid_column initial_turn[IMP_MAX_PARTS], per_t[IMP_MAX_PARTS], per_n[IMP_MAX_PARTS];
} imp_rigid_block;

/* Writes the wanted outputs of the first n cells of a block: cells `first` to first + n - 1 of
 * out. */
void imp_rigid_put(const imp_instance *instance, const imp_rigid_block *b, size_t n, size_t first,
                   double *const *out);

#endif
