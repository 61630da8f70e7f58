/* One impact on two linear springs, as the law `linear` of `compliant` solves it, for theories of
 * many impacts. */
#ifndef IMP_MODELS_SPRINGS_H
#define IMP_MODELS_SPRINGS_H

#include "bodies/planar/body.h"

/* stiffness_ratio: normal over tangential stiffness; restitution: the energetic coefficient, in
 * (0, 1]. */
typedef struct imp_springs {
    double stiffness_ratio, friction, restitution;
} imp_springs;

/* In units of |v_n(0)| and of the impulse |v_n(0)| / b22. */
typedef struct imp_springs_result {
    imp_outcome outcome;
    double v_t, v_n, p_t, p_n;
    double work_approach, work_rebound; /* of the normal impulse */
    double friction_loss;
} imp_springs_result;

imp_springs_result imp_springs_strike(const imp_contact *contact, const imp_springs *springs);

#endif
