/* Searches of the theory compliant for many cells at once. */
#ifndef TESTS_SUPPORT_SEARCHES_H
#define TESTS_SUPPORT_SEARCHES_H

#include "solve/search/search.h"
#include "solve/solver.h"

enum { SEARCH_CELLS = 2048, SEARCH_VALUES = 8 }; /* cells at most; values of an output at most */

/* Inputs by the names of the theory that remain, outputs with room for lists. */
typedef struct search_batch {
    imp_search *search;
    imp_solver *solver;
    size_t n;
    double *in[IMP_MAX_PARAMETERS], *out[IMP_MAX_OUTPUTS];
    uint8_t outcome[SEARCH_CELLS];
} search_batch;

/* A plan for an output of the theory over one of its parameters, with a tolerance of 1e-12. */
imp_search_plan search_plan(const imp_search_kind *kind, const char *of, const char *over,
                            double from, double to, int samples);

/* An output of the theory by its index, and a parameter of any of its options. */
int search_output(const char *name);
const imp_parameter *search_parameter(const char *name);

/* The set that consists of the mode wedge, as a search takes it. */
uint64_t search_wedge(void);

/* n cells of a body, at most SEARCH_CELLS, whose inputs have their defaults or their examples.
 * Under a law, or that of linear springs. search_close frees them. */
search_batch search_cells_law(const imp_search_plan *plan, const char *body, const char *law,
                              size_t n);
search_batch search_cells(const imp_search_plan *plan, const char *body, size_t n);
void search_close(search_batch *c);

/* The values of an input. */
double *search_in(const search_batch *c, const char *name);

void search_solve(search_batch *c);

/* Value k of an output in cell i, and the name of its category. */
double search_out(const search_batch *c, const char *name, size_t i, size_t k);
const char *search_category(const search_batch *c, const char *name, size_t i, size_t k);

/* The angle at which the pendulum begins to wedge; Birlik 2012 in closed form:
 * tan(angle) = 2 mu / (b + sqrt(b^2 + 4 eta mu^2)), b = 1 + 3 eta mu^2. */
double search_critical_angle(double mu, double eta);

#endif
