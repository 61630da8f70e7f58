/* Runs refinements with functions that compute points, and measures the results. */
#ifndef IMP_TESTS_SUPPORT_REFINE_H
#define IMP_TESTS_SUPPORT_REFINE_H

#include "refine/result.h"

/* The outcome and the values of n points at x[axis][i]; values: n * n_rules. */
typedef void (*refine_look)(void *context, size_t n, double *const *x, uint8_t *outcome,
                            double *values);

/* A plan over 0 .. 1 on every axis, with one rule of values. */
imp_refine_plan refine_plan(int n_axes, int base, int depth, double boundary);

/* Runs a refinement to its end; the caller closes it. Points that `before`, a refinement of the
 * same theory, knows are taken from there; *asked counts the others. Both may be NULL. */
imp_refinement *refine_run(const imp_refine_plan *plan, refine_look look, void *context,
                           const imp_refinement *before, int64_t *asked);

/* The values of a theory over two or more of its inputs as a look-up. */
enum { REFINE_FIXED = 6 };

typedef struct refine_theory {
    imp_solver *solver;
    const char *axis[IMP_REFINE_AXES]; /* inputs */
    int n_axes;
    const char *fixed[REFINE_FIXED]; /* other inputs, and their values */
    double value[REFINE_FIXED];
    int n_fixed;
    const char *output[IMP_MAX_RULES];
    int n_outputs;
} refine_theory;

void refine_look_at_theory(void *context, size_t n, double *const *x, uint8_t *outcome,
                           double *values);

/* A look-up at places in units, of which the first rule counts. */
typedef struct refine_probe {
    const imp_refine_plan *plan;
    refine_look look;
    void *context;
} refine_probe;

/* The value of the first rule at n places in units, n * n_axes; for a cell that is not solved,
 * minus its outcome. */
void refine_values(const refine_probe *probe, size_t n, const double *at, double *values);

/* A crossing between two places whose values differ, to about the last bit of a double. */
void refine_bisect(const refine_probe *probe, const double *from, const double *to, double *at);

/* Distance of a place in units from the curves and junctions of a result with two axes. */
double refine_distance(const imp_refine_result *result, const double *at);

#endif
