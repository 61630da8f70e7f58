/* The workspace of a cell, and the searches that follow its draws. Private to this folder. */
#ifndef IMP_SOLVE_UNCERTAIN_CELL_IMPL_H
#define IMP_SOLVE_UNCERTAIN_CELL_IMPL_H

#include "solve/uncertain/uncertain_impl.h"

enum { IMP_DRAWN = IMP_MAX_PARAMETERS };

enum { IMP_MOST_CHANGES = 64 };

/* A change of one output along a line, between two parts of the range. */
typedef struct imp_line_change {
    int line;                   /* within the bundle */
    double from, to, low, high; /* codes at the ends; the ends */
} imp_line_change;

/* The workspace of one theory with uncertain parameters. */
typedef struct imp_uncertain_work {
    const imp_uncertain *uncertain;
    imp_solver *solver; /* of the theory whose parameters are uncertain */
    imp_draws draws;
    imp_draw_tallies tallies;
    int n_inputs, replicate;
    int source
        [IMP_MAX_PARAMETERS]; /* of the solver's inputs: an input of the cell; IMP_DRAWN + number
                                       of an uncertain parameter; -1: none */
    int centre[IMP_MAX_UNCERTAIN]; /* input about which a parameter scatters; -1: it does not */
    double constant[IMP_MAX_PARAMETERS][IMP_BATCH];
    const double *column[IMP_MAX_UNCERTAIN]; /* of the draws at hand */
    double result[IMP_MAX_OF][IMP_BATCH];
    uint8_t outcome[IMP_BATCH];
    imp_summit_place place[IMP_MOST_PLACES]; /* that a search for extremes tries at once */
    imp_line_change found[IMP_MAX_OF][IMP_MOST_CHANGES]; /* along the lines at hand */
} imp_uncertain_work;

/* ---- columns.c ---- */

/* Solves n <= IMP_BATCH cells of the theory, whose uncertain parameters stand in the columns of the
 * workspace; in: inputs of the cell. IMP_ERR_STOPPED: a stop is wanted. */
imp_err imp_uncertain_solve_columns(imp_uncertain_work *work, const double *const *in, int n);

/* ---- errands.c: after the draws of a cell ---- */

/* Finds the extremes that are given. */
imp_err imp_uncertain_pursue(imp_uncertain_work *work, const double *const *in);

/* Counts the changes of each category along lines across the range of each parameter. */
imp_err imp_uncertain_cross(imp_uncertain_work *work, const double *const *in);

#endif
