/* Results of consecutive cells as they travel and are stored: one piece of memory that holds, for
 * n cells, the values of each output of the sweep in the sweep's order and in the type of the file
 * (those of one cell together), then n outcomes (uint8). Every part begins at a multiple of 8 bytes. */
#ifndef IMP_SOLVE_BLOCK_H
#define IMP_SOLVE_BLOCK_H

#include "solve/sweep.h"

/* Bytes of a block of n cells. */
size_t imp_block_size(const imp_sweep *sweep, size_t n);

/* Offset of output number `position` of the sweep; of the outcomes for position = n_outputs. */
size_t imp_block_offset(const imp_sweep *sweep, size_t n, int position);

/* Turns a block with room for `room` cells, of which only the first n are filled, into one of n. */
void imp_block_shrink(const imp_sweep *sweep, size_t room, size_t n, void *block);

/* Converts an output's values of n cells into the type of the file. */
void imp_block_put(const imp_sweep *sweep, int output, const double *values, size_t n,
                   void *stored);

#endif
