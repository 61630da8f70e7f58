/* Results of consecutive cells as they travel and are stored: one piece of memory that holds, for
 * n cells, the values of each output of the sweep in the sweep's order and in the type of the file
 * (those of one cell together), then n outcomes (uint8). Every part begins at a multiple of 8
 * bytes. */
#ifndef IMP_SOLVE_BLOCK_H
#define IMP_SOLVE_BLOCK_H

#include "solve/sweep.h"

/* The parts of a block. */
typedef struct imp_layout {
    size_t size[IMP_MAX_OUTPUTS + 1]; /* bytes of one cell in each part */
    int n_outputs;                    /* parts before the last one, the outcomes */
    int mode;                         /* the part of the mode; -1: there is none */
} imp_layout;

imp_layout imp_layout_of(const imp_sweep *sweep);

/* Bytes of a block of n cells. */
size_t imp_block_size(const imp_layout *layout, size_t n);

/* Offset of a part; part n_outputs: the outcomes. */
size_t imp_block_offset(const imp_layout *layout, size_t n, int part);

/* The codes in a block of n cells; no modes (NULL) where the layout has none. */
const uint8_t *imp_block_outcomes(const imp_layout *layout, size_t n, const void *block);
const int8_t *imp_block_modes(const imp_layout *layout, size_t n, const void *block);

/* Turns a block with room for `room` cells, of which only the first n are filled, into one of n. */
void imp_block_shrink(const imp_layout *layout, size_t room, size_t n, void *block);

/* Converts an output's values of n cells into the type of the file. */
void imp_block_put(const imp_sweep *sweep, int output, const double *values, size_t n,
                   void *stored);

/* Value i of a stored output with one value per cell. */
double imp_block_value(const imp_sweep *sweep, int output, const void *stored, size_t i);

/* The value of cell i in a block of n by which a rule of the refinement judges; 0: it judges by the
 * outcome alone. position: imp_sweep_rule_position. */
double imp_block_judged(const imp_sweep *sweep, const imp_layout *layout, int rule, int position,
                        size_t n, const void *block, size_t i);

#endif
