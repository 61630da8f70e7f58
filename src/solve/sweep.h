/* A sweep: a theory with its choices and fixed values, over a grid. The room config makes it, the
 * later rooms read it. */
#ifndef IMP_SOLVE_SWEEP_H
#define IMP_SOLVE_SWEEP_H

#include "base/text.h"
#include "grid/grid.h"
#include "models/signature.h"
#include "refine/plan.h"
#include "solve/cases/cases.h"
#include "solve/follow.h"
#include "solve/owned.h"
#include "solve/search/search.h"
#include "solve/uncertain/uncertain.h"
#include "solve/variables.h"

typedef struct imp_fixed {
    const imp_parameter *parameter; /* of any option that knows the name */
    double value;                   /* SI; NaN: computed in every cell by a follower of the sweep */
    bool given;                     /* by the user; otherwise it is the default */
    char formula[IMP_FORMULA_TEXT]; /* from which the value follows; "": none */
} imp_fixed;

/* Owns its grid, its cases, its guests, its search, its uncertain parameters and its variables:
 * imp_sweep_free. */
typedef struct imp_sweep {
    const imp_theory *theory; /* that of the search or the uncertain parameters, if there are any,
                                    or with variables */
    imp_variables *variables; /* NULL: none */
    imp_search *search;       /* NULL: none */
    imp_uncertain *uncertain; /* NULL: every parameter is certain */
    imp_cases *cases;         /* NULL: one theory */
    imp_owned *owned;         /* the guests among the theories; NULL: there are none */
    int chosen[IMP_MAX_CHOICES]; /* options; -1 where an axis carries the choice */
    imp_grid grid;
    imp_fixed fixed[IMP_MAX_PARAMETERS]; /* every parameter that applies and is on no axis */
    int n_fixed;
    imp_follower *followers; /* computed in every cell, each after those that it follows */
    int n_followers;
    imp_along *along; /* columns that follow others of their axes, each after those it follows */
    int n_along;
    int outputs[IMP_MAX_OUTPUTS]; /* indices in the theory, in the order of the theory */
    int n_outputs;
    bool single;         /* real outputs are stored as float32 */
    int64_t cell_budget; /* work that a cell may spend: steps, events or evaluations; 0: the
                            theory's own */
    bool
        parallel_write; /* the rank that computed a cell writes it; results do not depend on this */
    char *figure;    /* the figure of the sweep: lines "option=value" of postprocess/plot.py; NULL:
                   * any */
    int part, parts; /* part number `part` of `parts`, from 1; 0, 0: the whole sweep */
    /* The plan of the refinements, one refinement for each cell of the other axes; without axes in
     * its lattice there is none. The grid holds the flat grid of its depth: a refined axis has
     * 2^depth + 1 values. */
    imp_refine_plan refine;
    int refined[IMP_REFINE_AXES]; /* the axes of the grid that belong to the lattice, ascending */
    /* Of several traced cells, for which this sweep stands: each has a sweep of its own. NULL, 0:
     * the sweep stands for itself. */
    const struct imp_traced_cell *traced;
    int n_traced;
} imp_sweep;

void imp_sweep_free(imp_sweep *sweep);

/* The values of part number `part` of `parts`, from 1, on the first axis, which has `size` values:
 * *first .. *last - 1. */
void imp_part_of(int64_t size, int part, int parts, int64_t *first, int64_t *last);

/* Restricts a whole sweep to one of its parts. IMP_ERR_INPUT: the first axis has fewer values than
 * there are parts, or it is refined. */
imp_err imp_sweep_take_part(imp_sweep *sweep, int part, int parts);

/* Computes the columns of an axis that follow, from the values of its given ones: at one of its
 * places, or between two of them. */
void imp_sweep_follow_axis(const imp_sweep *sweep, int axis, double values[IMP_MAX_COLUMNS]);

/* The next combination of options that the choices and choice axes span, the last choice fastest;
 * *code is 0 before the first. Returns false after the last. */
bool imp_sweep_next_options(const imp_sweep *sweep, int *code, int chosen[IMP_MAX_CHOICES]);

/* The signatures that the choices and choice axes span, the last choice fastest. The number is
 * written to *n; the caller frees the array. NULL when memory is out. */
imp_signature *imp_sweep_signatures(const imp_sweep *sweep, int *n);

/* The input that each parameter of a signature takes its value from, as in imp_signature_sources:
 * given are the parameters that the user fixed or that are on an axis. */
void imp_sweep_sources(const imp_sweep *sweep, const imp_signature *signature, int *source);

/* The values of a sweep without axes, in the order of the signature of its choices; NaN for a
 * parameter that is left to its default or given through its stand-in. values[n_parameters]. */
void imp_sweep_cell_values(const imp_sweep *sweep, const imp_signature *signature, double *values);

/* Whether outputs have their SI units: every unit parameter that applies to a signature of the
 * sweep is given or swept, itself or through a stand-in. Outputs of a theory without unit
 * parameters always have their units. */
bool imp_sweep_dimensional(const imp_sweep *sweep);

/* The unit of an output of the sweep's theory, or of a column of its history. */
const char *imp_sweep_unit(const imp_sweep *sweep, const imp_output *output);

/* Appends the title of a figure: the theory, the choices made, and the values given (title.c). */
void imp_sweep_title(const imp_sweep *sweep, imp_text *title);

/* Appends the rules of the refinement: "mode, energy_loss level 0.5". */
void imp_sweep_print_rules(const imp_sweep *sweep, imp_text *text);

/* Appends everything that two refinements of one map must have in common: "base 64, on mode,
 * energy_loss level 0.5, angle in degrees". Depth, boundary, budget and audit are not part of it:
 * with other values of these a file of points can be continued. */
void imp_sweep_print_refine(const imp_sweep *sweep, imp_text *text);

/* Whether an output is stored as float32. */
bool imp_sweep_single(const imp_sweep *sweep, int output);

/* Bytes per cell of all values of one output; of all outputs and the outcome. */
size_t imp_sweep_output_size(const imp_sweep *sweep, int output);
size_t imp_sweep_cell_size(const imp_sweep *sweep);

/* Bytes of a point of a refined sweep: those of a cell, and its place. */
size_t imp_sweep_point_size(const imp_sweep *sweep);

/* Position of an output among those that the sweep stores, -1 if the sweep does not store it. */
int imp_sweep_position(const imp_sweep *sweep, const char *output);

/* The same of the output by which a rule of the refinement judges; -1: by the outcome alone. */
int imp_sweep_rule_position(const imp_sweep *sweep, int rule);

/* Index of the fixed value of a parameter, -1 if it is not fixed. */
int imp_sweep_find_fixed(const imp_sweep *sweep, const char *parameter);

#endif
