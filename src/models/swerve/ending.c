#include "models/swerve/path.h"

#include <math.h>

#include "models/theory.h"

typedef imp_swerve_path path;
typedef imp_swerve_state state;

/* phi changes in one sense, and never passes an invariant direction. Slip that halts tends to the
 * next attracting direction, however slowly. */
double imp_swerve_turn(const path *a) {
    if (!a->turned) {
        return 0;
    }
    double from = imp_heading(a->e2, a->e1), sign = a->g < 0 ? -1 : 1;
    double whole = INFINITY, last = a->result.heading;
    if (a->halted) {
        whole = imp_swerve_flow_next_attractor(a->problem->flow, from, sign).turn;
        last = imp_heading(a->v2, a->v1);
    }
    return fabs(whole) < INFINITY ? whole : imp_swerve_turn_between(from, last, sign);
}

static imp_swerve_mode mode_of(const path *a) {
    bool sticks = a->problem->flow->rest.sticks;
    if (a->motion == IMP_SWERVE_STOPS_WEDGED) {
        return IMP_SWERVE_WEDGE;
    }
    if (!a->slips_first) {
        return sticks ? IMP_SWERVE_STICK : IMP_SWERVE_SLIP_FROM_REST;
    }
    return !a->halted ? IMP_SWERVE_SLIP : sticks ? IMP_SWERVE_SLIP_STICK : IMP_SWERVE_SLIP_RESUMED;
}

/* The energy of a locked body from its velocity, against the works. */
static double balance_of_locked(const path *a) {
    double energy = a->problem->contact->energy;
    double kept = imp_swerve_locked_energy(&a->problem->flow->rest, a->now.v1, a->now.v2);
    return (kept - energy - a->works) / energy;
}

/* Energy from the impulses (v0 + v) . P / 2, which holds for any B, against the works. */
static double balance_of(const path *a) {
    const state *c = &a->result.compressed, *r = &a->now;
    const imp_spatial_contact *b = a->problem->contact;
    if (a->problem->flow->rest.locked) {
        return balance_of_locked(a);
    }
    double gained = ((b->v1 + r->v1) * (c->p1 + r->p1) + (b->v2 + r->v2) * (c->p2 + r->p2) +
                     (r->v3 - 1) * (c->p + r->p)) /
                    2;
    return (gained - (c->work + r->work) + (c->loss + r->loss)) / b->energy;
}

/* No body separates with a velocity into the plane, which Poisson's law may ask for. */
static imp_outcome judge(const path *a) {
    if (a->motion == IMP_SWERVE_SPENDS_ALL) {
        return IMP_BUDGET;
    }
    double balance = a->result.balance;
    if (!isfinite(balance)) {
        return IMP_NOT_FINITE;
    }
    if (a->motion == IMP_SWERVE_NEVER_ENDS || a->now.v3 < 0) {
        return IMP_OUTSIDE;
    }
    return fabs(balance) <= IMP_ENERGY_TOLERANCE ? IMP_SOLVED : IMP_NO_CONVERGENCE;
}

/* A straight leg keeps its direction, also where nothing of the slip is left at its end, or
 * rounding has turned it round. */
static double final_heading(const path *a) {
    const imp_swerve_straight *way = &a->leg.way;
    double along = a->now.v1 * way->e1 + a->now.v2 * way->e2;
    bool lost = !a->leg.curved && !(along > 0);
    return lost ? imp_heading(way->e2, way->e1) : imp_heading(a->now.v2, a->now.v1);
}

void imp_swerve_end(path *a) {
    imp_swerve_result *r = &a->result;
    if (!a->compressed) {
        r->compressed = a->now;
        a->now = (state){.v3 = a->now.v3};
    }
    r->balance = balance_of(a);
    r->outcome = judge(a);
    r->mode = mode_of(a);
    r->heading = final_heading(a);
    r->rebound = a->now;
}
