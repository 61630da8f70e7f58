#include "models/springs.h"

#include <math.h>

#include "models/compliant/again.h"
#include "models/compliant/scaled.h"
#include "models/theory.h"

/* The contact in the units of the law, on its side of the cone of friction. */
static imp_compliant_problem enter(const imp_contact *contact, const imp_springs *springs,
                                   double effect, const imp_compliant_scales *scales) {
    const imp_compliant_start start = {.friction = springs->friction,
                                       .stiffness_ratio = springs->stiffness_ratio,
                                       .velocity_ratio = contact->velocity_ratio,
                                       .damping = 0};
    imp_compliant_problem p = imp_compliant_scaled(contact, scales);
    p.mu = effect < imp_compliant_least_effect ? 0 : springs->friction * scales->root;
    p.v_t = imp_compliant_on_its_side(&imp_compliant_linear_rim, &start, p.mu, p.v_t);
    p.restitution = springs->restitution;
    p.budget = imp_compliant_first_budget(IMP_COMPLIANT_BUDGET);
    p.want_turn = true;
    return p;
}

imp_springs_result imp_springs_strike(const imp_contact *contact, const imp_springs *springs) {
    const imp_compliant_law *law = imp_compliant_law_at(IMP_COMPLIANT_LAW_linear);
    const imp_compliant_given given = {
        .stiffness_ratio = springs->stiffness_ratio, .mass = 1, .stiffness = 1, .speed = 1};
    imp_compliant_scales scales = law->scales(&given);
    double effect = springs->friction * sqrt(contact->b11 / contact->b22);
    bool outside = effect > imp_compliant_most_effect || imp_compliant_is_unequal(contact);
    if (outside || !(springs->restitution > 0)) {
        return (imp_springs_result){.outcome = IMP_OUTSIDE};
    }
    imp_compliant_problem problem = enter(contact, springs, effect, &scales);
    imp_compliant_memory known = {.loading = {.a = 0}};
    imp_compliant_result r = law->solver(&problem)(&problem, &known);
    if (imp_compliant_is_lost(r.outcome)) {
        r = imp_compliant_solve_again(&problem, law, &known, problem.budget, IMP_COMPLIANT_BUDGET,
                                      &r);
    }
    double normal_loss = -(r.work_approach + r.work_rebound);
    return (imp_springs_result){.outcome = (imp_outcome)r.outcome,
                                .v_t = r.v_t * scales.root,
                                .v_n = r.v_n,
                                .p_t = r.p_t / scales.root,
                                .p_n = r.p_n,
                                .work_approach = r.work_approach,
                                .work_rebound = r.work_rebound,
                                .friction_loss = r.loss - normal_loss};
}
