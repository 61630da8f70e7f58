/* A contact in the units of problem.h, and which contacts the laws solve. */
#ifndef IMP_MODELS_COMPLIANT_SCALED_H
#define IMP_MODELS_COMPLIANT_SCALED_H

#include "models/compliant/laws.h"

/* Bounds of the effect of friction: below, friction is lost in rounding; above, the end of
 * stick. */
static const double imp_compliant_least_effect = 1e-14, imp_compliant_most_effect = 1e9;

/* Above this b11 / b22 the slower of the two frequencies is lost in the rounding of the faster. */
static const double imp_compliant_most_unequal = 1e24;

/* A cell's problem, all but its friction and what its law enters. */
static inline imp_compliant_problem imp_compliant_scaled(const imp_contact *b,
                                                         const imp_compliant_scales *scales) {
    double square = scales->square, root = scales->root;
    return (imp_compliant_problem){
        .a = b->b11 / (square * b->b22),
        .c = b->b12 / (root * b->b22) + 0.0, /* never -0: modes of the cell before are known by c */
        .determinant = b->determinant / (square * b->b22 * b->b22),
        .v_t = b->velocity_ratio / root,
        .constrained = b->constrained,
    };
}

static inline bool imp_compliant_is_unequal(const imp_contact *b) {
    return !b->constrained && b->b11 > imp_compliant_most_unequal * b->b22;
}

#endif
