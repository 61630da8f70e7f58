/* A window of a map, solved block by block where it is looked at. */
#ifndef IMP_PAGE_WINDOW_H
#define IMP_PAGE_WINDOW_H

#include "grid/grid.h"
#include "impact.h"

enum { IMP_WINDOW_BLOCK = 2048 };

typedef struct imp_window {
    imp_solver *solver;
    imp_grid grid; /* one column per axis; the first axis is the slowest */
    int input[IMP_MAX_AXES];
    double *in[IMP_MAX_PARAMETERS]; /* a block of values each; NULL: left to its default */
    double *out[IMP_MAX_OUTPUTS];   /* a block; NULL: not wanted */
    int wanted[IMP_MAX_OUTPUTS], n_wanted;
    uint8_t outcome[IMP_WINDOW_BLOCK];
} imp_window;

/* Words as for imp_open_words: key=value for the fixed parameters, the name alone for those of
 * axes. NULL: imp_last_error. */
imp_window *imp_window_make(const char *theory, size_t n, const char *const *words);
void imp_window_free(imp_window *window);

/* Adds an axis and returns its values, to be filled by the caller. NULL: imp_last_error. */
double *imp_window_add_axis(imp_window *window, const char *name, int64_t size);

/* Adds an output and returns its values per cell. 0: imp_last_error. */
size_t imp_window_add_output(imp_window *window, const char *name);

/* Solves the cells first .. first+n-1, n <= IMP_WINDOW_BLOCK. */
imp_err imp_window_solve(imp_window *window, int64_t first, size_t n);

#endif
