/* The quartic of the law `dashpot`, for one cell. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_ROOTS_H
#define IMP_MODELS_COMPLIANT_DASHPOT_ROOTS_H

/* A phase begins and ends with so many evaluations, its search not counted. */
enum { IMP_COMPLIANT_DASHPOT_PHASE = 100 };

/* A motion of stick with a smaller p is hardly damped: what it loses is lost in the rounding of its
 * energy. */
#define IMP_COMPLIANT_HARDLY_DAMPED 1e-8

/* The numbers of problem.h that the quartic is made of, and the place of each. */
#define IMP_COMPLIANT_QUARTIC(MEMBER)                                                              \
    MEMBER(a)                                                                                      \
    MEMBER(determinant)                                                                            \
    MEMBER(damping)                                                                                \
    MEMBER(drag)
#define IMP_COMPLIANT_PLACE(name) IMP_COMPLIANT_QUARTIC_##name,
enum { IMP_COMPLIANT_QUARTIC(IMP_COMPLIANT_PLACE) IMP_COMPLIANT_DASHPOT_GIVEN };
#undef IMP_COMPLIANT_PLACE

/* An array of them, of problem p. */
#define IMP_COMPLIANT_IN_PLACE(name) [IMP_COMPLIANT_QUARTIC_##name] = p->name,

/* The two factors s^2 + p s + q, for what was given; all 0: none yet. */
typedef struct imp_compliant_dashpot_factors {
    double given[IMP_COMPLIANT_DASHPOT_GIVEN], p[2], q[2];
} imp_compliant_dashpot_factors;

/* Finds the factors, unless they are those of the last call. */
void imp_compliant_dashpot_find_factors(const double given[IMP_COMPLIANT_DASHPOT_GIVEN],
                                        imp_compliant_dashpot_factors *last);

#endif
