#include "models/compliant/again.h"

#include <math.h>

#include "models/compliant/account.h"
#include "models/theory.h"

/* Evaluations that are ample for a contact whose phases end. */
static const int64_t ample = 200000;

int64_t imp_compliant_first_budget(int64_t budget) {
    return budget < ample ? budget : ample;
}

/* Exactly where two sequences of phases meet, phases may follow one another without end, or an
 * event may not be found. Then a neighbour within rounding takes the place of *problem. Returns
 * false if no neighbour is solved. */
static bool move_aside(imp_compliant_problem *problem, imp_compliant_solve *by,
                       imp_compliant_memory *known) {
    static const double distances[] = {1e-12, -1e-12, 1e-11};
    for (int k = 0; k < IMP_COUNT(distances); k++) {
        imp_compliant_problem neighbour = *problem;
        neighbour.budget = imp_compliant_first_budget(problem->budget);
        neighbour.observer = NULL;
        neighbour.account = NULL;
        neighbour.mu += fabs(distances[k]) + distances[k] * problem->mu;
        if (!problem->constrained) {
            neighbour.v_t += distances[k] * (1 + fabs(problem->v_t));
        }
        if (by(&neighbour, known).outcome == IMP_SOLVED) {
            neighbour.observer = problem->observer;
            neighbour.account = problem->account;
            *problem = neighbour;
            return true;
        }
    }
    return false;
}

imp_compliant_result imp_compliant_solve_again(imp_compliant_problem *problem,
                                               imp_compliant_solve *by, imp_compliant_memory *known,
                                               int64_t spent, int64_t budget,
                                               const imp_compliant_result *lost) {
    bool moved = move_aside(problem, by, known);
    if (!moved && (lost->outcome != IMP_BUDGET || budget <= spent)) {
        return *lost;
    }
    problem->budget = moved ? problem->budget : budget;
    if (problem->account) {
        *problem->account = (imp_compliant_account){.want_peaks = problem->account->want_peaks};
    }
    return by(problem, known);
}
