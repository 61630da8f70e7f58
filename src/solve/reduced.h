/* A theory without some of its parameters, which a theory made of it sets itself. */
#ifndef IMP_SOLVE_REDUCED_H
#define IMP_SOLVE_REDUCED_H

#include "impact.h"

/* The lists of the reduced theory; owned by it. */
typedef struct imp_reduced {
    imp_choice choices[IMP_MAX_CHOICES];
    const void **owned;
    int n_owned;
} imp_reduced;

/* Replaces the parameters, choices and variables of a copy of a theory by lists without those that
 * it leaves out. further: a parameter to add; NULL: none. The theory must not outlive the lists,
 * which the caller frees, after a failure too. False: memory is out. */
bool imp_reduced_make(imp_reduced *lists, imp_theory *theory,
                      bool (*leaves_out)(const void *context, const imp_parameter *parameter),
                      const void *context, const imp_parameter *further);
void imp_reduced_free(imp_reduced *lists);

#endif
