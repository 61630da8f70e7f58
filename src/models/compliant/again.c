#include "models/compliant/again.h"

#include <math.h>

#include "models/compliant/problem.h"
#include "models/theory.h"
#include "num/beside.h"

/* Evaluations that are ample for a contact whose phases end. */
static const int64_t ample = 200000;

int64_t imp_compliant_first_budget(int64_t budget) {
    return budget < ample ? budget : ample;
}

static imp_limited speed_at(const imp_compliant_rim *rim, const imp_compliant_problem *p) {
    return (imp_limited){.size = fabs(p->v_t), .limit = rim->speed(p->mu, p->damping)};
}

/* Friction moves the rim of the cone, and may move it past the velocity. */
static double velocity_on_its_side(const imp_compliant_rim *rim, const imp_compliant_problem *from,
                                   const imp_compliant_problem *neighbour, double distance) {
    if (!rim->speed) {
        return neighbour->v_t;
    }
    double speed = imp_on_its_side(speed_at(rim, from), speed_at(rim, neighbour), distance);
    return copysign(speed, neighbour->v_t);
}

/* Exactly where two sequences of phases meet, phases may follow one another without end, or an
 * event may not be found. Then a neighbour within rounding takes the place of *problem. Returns
 * false if no neighbour is solved. */
static bool move_aside(imp_compliant_problem *problem, const imp_compliant_law *law,
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
            neighbour.v_t = velocity_on_its_side(law->rim, problem, &neighbour, fabs(distances[k]));
        }
        if (law->solver(problem)(&neighbour, known).outcome == IMP_SOLVED) {
            neighbour.observer = problem->observer;
            neighbour.account = problem->account;
            *problem = neighbour;
            return true;
        }
    }
    return false;
}

imp_compliant_result imp_compliant_solve_again(imp_compliant_problem *problem,
                                               const imp_compliant_law *law,
                                               imp_compliant_memory *known, int64_t spent,
                                               int64_t budget, const imp_compliant_result *lost) {
    bool moved = move_aside(problem, law, known);
    if (!moved && (lost->outcome != IMP_BUDGET || budget <= spent)) {
        return *lost;
    }
    problem->budget = moved ? problem->budget : budget;
    if (problem->account) {
        *problem->account = (imp_compliant_account){.want_peaks = problem->account->want_peaks};
    }
    return law->solver(problem)(problem, known);
}
