/* Refinements of functions of a place that give a label, and what holds for all of them. */
#ifndef TESTS_SUPPORT_LABELS_H
#define TESTS_SUPPORT_LABELS_H

#include "support/refine.h"

/* The label at a place, 0 .. 1 on each axis. */
typedef double (*label_at)(const double *x);

/* Three classes, which meet in one point. */
double label_triple(const double *x);

/* 1 within a ball of the radius .3, over three axes. */
double label_ball(const double *x);

/* A refine_look at labels; context: a label_at. */
void label_look(void *context, size_t n, double *const *x, uint8_t *outcome, double *values);

/* Runs a refinement to its end; label_end frees it and its result. */
imp_refinement *label_run(label_at at, const imp_refine_plan *plan, imp_refine_result *result);
void label_end(imp_refinement *r, imp_refine_result *result);

/* The result has every mixed cell of a uniform grid, and every node of the flat grid is that of the
 * uniform grid. */
void label_check_uniform(const char *name, label_at at, const imp_refinement *r,
                         const imp_refine_result *result);

/* Crossings of random short lines, where the function has two values, lie on the curves. look: of a
 * label_at. */
void label_check_curves(const char *name, refine_look look, label_at at, const imp_refinement *r,
                        const imp_refine_result *result);

/* Every bracket is narrow, and its ends have the classes that it names. */
void label_check_brackets(const char *name, label_at at, const imp_refinement *r,
                          const imp_refine_result *result);

#endif
