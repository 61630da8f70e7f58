/* Rigid impacts of a block of cells, as columns. */
#ifndef IMP_MODELS_RIGID_BLOCK_H
#define IMP_MODELS_RIGID_BLOCK_H

#include <stddef.h>

#include "bodies/planar/body.h"
#include "models/rigid/impulse.h"

enum { IMP_RIGID_BLOCK = 64 }; /* a multiple of the lanes of every processor */

/* One number for each cell of a block. */
typedef double imp_rigid_column[IMP_RIGID_BLOCK];

/* Problems and results of some cells; see imp_rigid_problem, imp_rigid_path and
 * imp_rigid_result. */
typedef struct imp_rigid_block {
    imp_rigid_column a, c, determinant, v_t, e, friction, weight[2];
    imp_rigid_column constrained;    /* 0 or 1 */
    imp_rigid_column initial;        /* energy that the contact could dissipate, scaled */
    imp_rigid_column cone;           /* friction with which a prescribed ratio is compared */
    imp_rigid_column mass, b22;      /* of the contact */
    imp_rigid_column speed, impulse; /* units of the scaled problem */
    imp_rigid_column initial_turn[IMP_MAX_PARTS], per_t[IMP_MAX_PARTS], per_n[IMP_MAX_PARTS];
    imp_rigid_column of_t[IMP_MAX_PARTS], of_n[IMP_MAX_PARTS], arm_t, arm_n; /* see imp_turning */
    imp_rigid_column whole; /* kinetic energy of a free body, see imp_motion_energy */
    /* Filled by imp_rigid_solve. */
    imp_rigid_column outcome, mode, sequence;
    imp_rigid_column p_n, p_t, out_n, out_t, compression, rebound;
    imp_rigid_column p_t_c, p_t_r, work_c, work_r, work_t, change;
    /* The path, and only if asked for. */
    bool want_path;
    imp_rigid_column code[2], halt, rate_n[2], rate_t[2], rate_p_t[2];
} imp_rigid_block;

/* Solves the first n cells of a block under a law, IMP_RIGID_LAW_...; a cell of which an output is
 * not finite in its units, or has lost its digits, is IMP_NOT_FINITE. */
void imp_rigid_solve(int law, imp_rigid_block *block, size_t n);

/* The path, if it was asked for, and the result of cell i. */
imp_rigid_path imp_rigid_path_at(const imp_rigid_block *block, size_t i);
imp_rigid_result imp_rigid_result_at(const imp_rigid_block *block, size_t i);

#endif
