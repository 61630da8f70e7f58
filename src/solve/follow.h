/* Parameters that follow others by a formula. A formula of fixed parameters is a number, one of the
 * parameters of an axis a column of that axis; both are plain values before anything is solved.
 * What depends on several axes, on refined ones or on a parameter that is searched over is computed
 * for every cell, by the solver of the theory. */
#ifndef IMP_SOLVE_FOLLOW_H
#define IMP_SOLVE_FOLLOW_H

#include "impact.h"
#include "num/formula.h"

enum { IMP_FOLLOW_INPUTS = 16 };

typedef struct imp_follower {
    const imp_parameter *parameter; /* of any option that knows the name */
    const char *input
        [IMP_FOLLOW_INPUTS]; /* names of the parameters that it follows, by the `part` of steps */
    int n_inputs;
    bool searched; /* it follows a parameter that is searched over: computed within the search */
    imp_formula formula;
} imp_follower;

/* A column of an axis, whose values follow from other columns of the axis and fixed values. */
typedef struct imp_along {
    int axis, column; /* of the grid of the sweep */
    imp_follower follower;
} imp_along;

/* How many of n followers come before the first one that is `searched`: those that the evaluator
 * computes; the others belong to the theory that sets the parameters they follow. */
int imp_followers_outside(const imp_follower *followers, int n);

/* Whether a follower computes the parameter of this name. */
bool imp_followers_compute(const imp_follower *followers, int n, const char *name);

#endif
