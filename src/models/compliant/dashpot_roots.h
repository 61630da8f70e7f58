/* The quartic of the law `dashpot`, for one cell. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_ROOTS_H
#define IMP_MODELS_COMPLIANT_DASHPOT_ROOTS_H

/* A phase begins and ends with so many evaluations, its search not counted. */
enum { IMP_COMPLIANT_DASHPOT_PHASE = 100 };

/* a, c, determinant, damping and drag of problem.h. */
enum { IMP_COMPLIANT_DASHPOT_GIVEN = 5 };

/* The two factors s^2 + p s + q, for what was given; all 0: none yet. */
typedef struct imp_compliant_dashpot_factors {
    double given[IMP_COMPLIANT_DASHPOT_GIVEN], p[2], q[2];
} imp_compliant_dashpot_factors;

/* Finds the factors, unless they are those of the last call. */
void imp_compliant_dashpot_find_factors(const double given[IMP_COMPLIANT_DASHPOT_GIVEN],
                                        imp_compliant_dashpot_factors *last);

#endif
