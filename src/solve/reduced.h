/* A theory made of a theory, without some of its parameters, which it sets itself. */
#ifndef IMP_SOLVE_REDUCED_H
#define IMP_SOLVE_REDUCED_H

#include "solve/follow.h"
#include "solve/solver.h"

/* What the reduced theory has of the whole one, and its own lists. */
typedef struct imp_reduced {
    const imp_theory *whole;
    const imp_follower *followers; /* see imp_reduced_follow */
    int n_followers;
    imp_choice choices[IMP_MAX_CHOICES];
    const void **owned;
    int n_owned;
} imp_reduced;

/* Makes a theory that is the whole one without outputs, histories and some of its parameters.
 * further: a parameter to add; NULL: none. The theory must not outlive its lists, which the caller
 * frees, after a failure too. False: memory is out. */
bool imp_reduced_make(imp_reduced *lists, imp_theory *theory, const imp_theory *whole,
                      bool (*leaves_out)(const void *context, const imp_parameter *parameter),
                      const void *context, const imp_parameter *further);
void imp_reduced_free(imp_reduced *lists);

/* Lets parameters of the whole theory follow others, those that are left out among them. The
 * followers must outlive the theory; those that are not `searched` are left out. */
void imp_reduced_follow(imp_reduced *lists, const imp_follower *followers, int n);
bool imp_reduced_follows(const imp_reduced *lists, const char *name);

/* Opens a solver of the whole theory, whose parameters follow others. */
imp_err imp_reduced_open(const imp_reduced *lists, const int *chosen, imp_solver **solver);

#endif
