/* Rigid impacts of a block of cells, as columns. */
#ifndef IMP_MODELS_RIGID_BLOCK_H
#define IMP_MODELS_RIGID_BLOCK_H

#include <stddef.h>

#include "bodies/planar/body.h"
#include "models/impulse.h"

enum { IMP_RIGID_BLOCK = 64 }; /* a multiple of the lanes of every processor */

/* One number for each cell of a block. */
typedef double imp_rigid_column[IMP_RIGID_BLOCK];

typedef struct imp_rigid_phase_columns {
    IMP_RIGID_PHASE(imp_rigid_column)
} imp_rigid_phase_columns;

/* Problems and results of some cells. */
typedef struct imp_rigid_block {
    struct {
        IMP_RIGID_PROBLEM(imp_rigid_column)
    } problem;
    imp_rigid_column initial;        /* energy that the contact could dissipate, scaled */
    imp_rigid_column cone;           /* friction with which a prescribed ratio is compared */
    imp_rigid_column mass, b22;      /* of the contact */
    imp_rigid_column speed, impulse; /* units of the scaled problem */
    imp_rigid_column initial_turn[IMP_MAX_PARTS], per_t[IMP_MAX_PARTS], per_n[IMP_MAX_PARTS];
    imp_rigid_column of_t[IMP_MAX_PARTS], of_n[IMP_MAX_PARTS], arm_t, arm_n; /* see imp_turning */
    imp_rigid_column whole; /* kinetic energy of a free body, see imp_motion_energy */
    /* Filled by imp_rigid_solve: the path only if asked for. */
    struct {
        IMP_RIGID_RESULT(imp_rigid_column)
    } result;
    bool want_path;
    struct {
        IMP_RIGID_PATH(imp_rigid_column, imp_rigid_phase_columns)
    } path;
} imp_rigid_block;

/* Solves the first n cells of a block under a law, IMP_RIGID_LAW_...; a cell of which an output is
 * not finite in its units, or has lost its digits, is IMP_NOT_FINITE. */
void imp_rigid_solve(int law, imp_rigid_block *block, size_t n);

#endif
