/* The compromise between the laws poisson and energetic. */
#ifndef IMP_MODELS_RIGID_COMPROMISE_H
#define IMP_MODELS_RIGID_COMPROMISE_H

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
