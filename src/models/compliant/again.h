/* Contacts that are solved again, because a first budget did not suffice or an event was not
 * found. */
#ifndef IMP_MODELS_COMPLIANT_AGAIN_H
#define IMP_MODELS_COMPLIANT_AGAIN_H

#include "models/compliant/laws.h"

/* Of a budget, the part that a contact may spend at first. */
int64_t imp_compliant_first_budget(int64_t budget);

static inline bool imp_compliant_is_lost(double outcome) {
    return outcome != IMP_SOLVED && outcome != IMP_OUTSIDE;
}

/* Solves a problem again that a first budget, `spent`, did not solve: as a neighbour, which takes
 * the place of *problem, or with the whole budget, unless that was the first. *lost: the result so
 * far. */
imp_compliant_result imp_compliant_solve_again(imp_compliant_problem *problem,
                                               const imp_compliant_law *law,
                                               imp_compliant_memory *known, int64_t spent,
                                               int64_t budget, const imp_compliant_result *lost);

#endif
