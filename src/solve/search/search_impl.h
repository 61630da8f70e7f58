/* Shared by the files of a search: its description as a theory, its workspace, and the outputs that
 * several kinds have. Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_SEARCH_IMPL_H
#define IMP_SOLVE_SEARCH_SEARCH_IMPL_H

#include "base/first.h"
#include "num/scan.h"
#include "solve/reduced.h"
#include "models/units.h"
#include "solve/search/search.h"

/* The content of an output of a search. */
typedef enum imp_search_found {
    IMP_FOUND_OTHER, /* the theory's own output at the place found */
    IMP_FOUND_ROOT,
    IMP_FOUND_COUNT,
    IMP_FOUND_SIDE,
    IMP_FOUND_BRACKET,
    IMP_FOUND_FLAG,
    IMP_FOUND_OUTSIDE,
    IMP_FOUND_BELOW,
    IMP_FOUND_ABOVE,
    IMP_FOUND_JUMP,
    IMP_FOUND_JUMP_COUNT,
    IMP_FOUND_EXTREME,
    IMP_FOUND_AT, /* and the next one: of the first and the second parameter */
    IMP_FOUND_PLACE = IMP_FOUND_AT + IMP_MAX_OVER,
    IMP_FOUND_WIDTH, /* likewise */
    IMP_FOUND_HIDDEN = IMP_FOUND_WIDTH + IMP_MAX_OVER,
    IMP_FOUND_COST,
    IMP_FOUND_TURN,
    IMP_FOUND_SIDE_BELOW,
    IMP_FOUND_SIDE_ABOVE,
    IMP_FOUND_SECTORS, /* how many there are; then their values */
    IMP_FOUND_SECTOR   /* and the next ones */
} imp_search_found;

struct imp_search {
    imp_theory theory; /* callbacks cast it back to the search */
    imp_search_plan plan;
    imp_reduced lists;
    imp_output outputs[IMP_MAX_OUTPUTS];
    imp_search_found found[IMP_MAX_OUTPUTS];
    int inner_output[IMP_MAX_OUTPUTS]; /* of IMP_FOUND_OTHER */
    char at_name[IMP_MAX_OVER][72], at_label[IMP_MAX_OVER][96], label[96];
    char width_name[IMP_MAX_OVER][80];
    char unit[IMP_MAX_OVER][IMP_UNIT_TEXT]; /* of the places of each parameter */
};
IMP_FIRST(struct imp_search, theory);

/* Cells that are searched together, if their samples are not too many. */
enum { IMP_SEARCHES_AT_ONCE = 32 };

/* A line over the last parameter. */
typedef struct imp_search_line {
    size_t cell;
    double outer; /* the first of two parameters */
    bool failed;  /* a sample was neither solved nor outside the domain */
} imp_search_line;

/* A place at which the theory's own outputs are wanted: as value k of each list, or with k < 0 all
 * their values. */
typedef struct imp_search_spot {
    size_t cell;
    int k;
    double at[IMP_MAX_OVER];
} imp_search_spot;

/* The workspace of one theory of a search. */
typedef struct imp_search_work {
    const imp_search *search;
    imp_solver *solver; /* of the theory that is searched */
    int n_inputs;
    int source[IMP_MAX_PARAMETERS];                /* of the solver's inputs; see cell.c */
    int mode, code, value, witness[IMP_WITNESSES]; /* outputs of the theory; -1: none */
    int at_once;                                   /* lines at most, 1 .. IMP_SEARCHES_AT_ONCE */
    imp_err error;                                 /* memory ran out: the first failure */
    int64_t budget;                                /* of a cell of the theory */

    /* The call: inputs and outputs of its cells, and the first cell of those searched together. */
    const double *const *given;
    double *const *out;
    size_t first;
    imp_search_line line[IMP_SEARCHES_AT_ONCE];

    /* The probes at hand: their cells, parameters searched over, inputs and results. */
    size_t cell[IMP_PROBES_AT_ONCE];
    double at[IMP_MAX_OVER][IMP_PROBES_AT_ONCE];
    double in[IMP_MAX_PARAMETERS][IMP_PROBES_AT_ONCE];
    const double *asked[IMP_MAX_PARAMETERS]; /* in; NULL where it has a default or a stand-in */
    double measured[IMP_MAX_OUTPUTS][IMP_PROBES_AT_ONCE];
    uint8_t outcome[IMP_PROBES_AT_ONCE];

    imp_scan scan[IMP_MAX_OVER]; /* [0] over the last parameter, [1] over the first of two */
    imp_scan_crossing crossing[IMP_SEARCHES_AT_ONCE][2 * IMP_MAX_ROOTS];
    int n_crossings[IMP_SEARCHES_AT_ONCE];
    imp_summit summit[IMP_SEARCHES_AT_ONCE];
    double outside[IMP_SEARCHES_AT_ONCE]; /* share of the samples over both of two parameters */

    imp_search_spot spot[IMP_PROBES_AT_ONCE];
    size_t n_spots;
    double *others[IMP_MAX_OUTPUTS]; /* values of the theory's outputs at these places */
    double *values;
} imp_search_work;

/* ---- cell.c: the workspace, probes and results of cells ---- */

/* imp_theory.open, close, solve of a search. */
imp_err imp_search_cell_open(imp_instance *instance);
void imp_search_cell_close(imp_instance *instance);
imp_err imp_search_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                              double *const *out, uint8_t *outcome);

/* The range of parameter k; its measure varies the last parameter along the lines of the
 * workspace. */
imp_scan_interval imp_search_interval(imp_search_work *work, int k);

/* Solves the first n places of the workspace for the output `of`: `cell` and `at` of each are
 * set; `measured` and `outcome` receive the results. Each may take one of `parts` of the budget. */
void imp_search_measure(imp_search_work *work, size_t n, int parts);

/* Records that memory ran out unless `good`. */
void imp_search_check(imp_search_work *work, bool good);

/* As imp_grow, but records the failure; false then. */
bool imp_search_grow(imp_search_work *work, void *array, size_t *room, size_t n, size_t size);

/* The share of the samples of a line that is outside the domain. */
double imp_search_outside(const imp_scan *scan, int line);

/* IMP_SOLVED if any probe of a line was solved, otherwise the outcome of its first. */
imp_outcome imp_search_scanned(const imp_line *line);

/* Whether a value of the output `of`, a category, a sequence or a count, is in the set. */
bool imp_search_in_set(const imp_search_plan *plan, double value);

/* The mode and the code of the output `of` at a probe; 0 and -1 where it was not solved. */
int imp_search_mode(const imp_search_work *work, const imp_probe *probe);
int imp_search_code_at(const imp_search_work *work, const imp_probe *probe);

/* Writes value k of the outputs with the content `found` in a cell. */
void imp_search_put(const imp_search_work *work, size_t cell, imp_search_found found, int k,
                    double value);

/* Writes the flag, and the share of the samples outside the domain. */
void imp_search_put_flag(const imp_search_work *work, size_t cell, bool more, bool hidden,
                         bool failed, double outside);

/* Writes the theory's outputs at a place, at the end of the call at the latest. */
void imp_search_put_others(imp_search_work *work, const imp_search_spot *spot);

/* ---- outputs.c: outputs of a search ---- */

/* Adds an output; NULL if there is no room. */
imp_output *imp_search_add(imp_search *search, imp_search_found found, imp_output output);

/* Adds an output with max_roots values along its dimension, or along root_number. */
void imp_search_add_list(imp_search *search, imp_search_found found, imp_output output);

imp_output imp_search_category(const char *name, const char *meaning, const imp_mode *codes, int n);

/* A whole number; a value of the output `of`. */
imp_output imp_search_number(const char *name, const char *meaning);
imp_output imp_search_value(const imp_search *search, const char *name, const char *meaning);

/* A value of parameter k, exact and in its unit. Figures call it by the parameter's name and
 * `after`; NULL: by its own name. */
imp_output imp_search_place(imp_search *search, int k, const char *name, const char *meaning,
                            const char *after);

/* The same with the name at_PARAMETER. */
imp_output imp_search_at(imp_search *search, int k, const char *meaning, const char *after);

/* Writes a label into text: `before`, the name in words, `after`. */
const char *imp_search_label(char *text, size_t size, const char *before, const char *name,
                             const char *after);

/* Adds the share of the samples outside the domain. */
void imp_search_add_outside(imp_search *search);

/* Adds how many places were found; whether some may be missing. */
void imp_search_add_count(imp_search *search, const char *meaning);
void imp_search_add_flag(imp_search *search);

/* Adds the modes on both sides of what is found, with these meanings. */
void imp_search_add_modes(imp_search *search, const char *below, const char *above);

/* Of a search of a plane: adds the places found with their brackets; what every such search has. */
void imp_search_add_places(imp_search *search, const char *after);
void imp_search_add_plane(imp_search *search);

/* Adds the outputs of the theory itself, at each place that is found. */
void imp_search_add_others(imp_search *search);

#endif
