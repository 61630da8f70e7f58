/* The laws of restitution as options of the choice `law`; a new one is its solver and a line in
 * laws.def. */
#ifndef IMP_MODELS_RIGID_LAWS_H
#define IMP_MODELS_RIGID_LAWS_H

#include "models/impulse.h"

enum {
#define LAW(name, meaning, parameters, path, rebound, more) IMP_RIGID_LAW_##name,
#include "models/rigid/laws.def"
    IMP_RIGID_N_LAWS
};

/* Places of a law's own parameters. The first is the friction or the ratio of the impulses. */
enum {
    IMP_RIGID_FRICTION,
    IMP_RIGID_WEIGHT_POISSON = 1,
    IMP_RIGID_WEIGHT_ENERGETIC,
    IMP_RIGID_CONE_OF_FRICTION = 1
};

typedef enum imp_rigid_more { IMP_RIGID_NO_MORE, IMP_RIGID_WEIGHTS, IMP_RIGID_CONE } imp_rigid_more;

extern const imp_option *const imp_rigid_laws[IMP_RIGID_N_LAWS];
/* The kind of the parameters after the first. */
extern const imp_rigid_more imp_rigid_more_of[IMP_RIGID_N_LAWS];

/* ---- compromise.c: between the laws poisson and energetic ---- */

/* The compromise minimizes w1 (x - 1)^2 + w2 (sqrt(q) - 1)^2, where x is the rebound impulse over
 * that of the law poisson, and q(x) the work over that of the law energetic. Slip halts at x = d; k
 * is the rate of v_n after the halt over the rate before. half_derivative returns half the
 * derivative by x, and *slope the derivative of that. */
typedef struct imp_rigid_compromise {
    double d, k, w1, w2;
} imp_rigid_compromise;

/* The root between the laws, by Newton's steps within the bracket and then by halving it. NaN if
 * MOST_STEPS do not suffice. */
double imp_rigid_compromise_minimum(const imp_rigid_compromise *at, double one, double other,
                                    double guess);

#endif
