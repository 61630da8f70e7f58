/* Starts beside the rim of the cone of friction, which decides whether a contact begins in stick or
 * in slip. Numbers of a scaled problem are rounded; a start that rounding has put on the rim, or
 * across it, is put back on its side. */
#ifndef IMP_MODELS_COMPLIANT_RIM_H
#define IMP_MODELS_COMPLIANT_RIM_H

#include "models/compliant/block.h"

/* A start as it was given; damping: times |v_n(0)|. */
typedef struct imp_compliant_start {
    double friction, stiffness_ratio, velocity_ratio, damping;
} imp_compliant_start;

typedef struct imp_compliant_rim {
    /* Whether one of n starts may be so near to the rim that rounding decides. Cheap, and true for
     * a few others. */
    bool (*near)(const imp_compliant_block *block, size_t at, size_t n);
    /* The size of v_t on the rim, in the bits of the law's solver; NULL, as `inside`, where the
     * solver alone decides. */
    double (*speed)(double mu, double damping);
    /* Above 0 inside the cone, 0 on the rim, below 0 outside, by numbers of 32 digits. */
    double (*inside)(const imp_compliant_start *start);
} imp_compliant_rim;

extern const imp_compliant_rim imp_compliant_linear_rim, imp_compliant_coupled_rim,
    imp_compliant_hertz_rim, imp_compliant_dashpot_rim;

/* The v_t of a free body on its side of the rim. */
double imp_compliant_on_its_side(const imp_compliant_rim *rim, const imp_compliant_start *start,
                                 double mu, double v_t);

/* Puts n starts of one body on their sides of the rim, in a block from `at` on, unless the body is
 * constrained; friction, stiffness_ratio: their columns. */
void imp_compliant_settle(const imp_compliant_rim *rim, const double *friction,
                          const double *stiffness_ratio, size_t n, imp_compliant_block *block,
                          size_t at);

#endif
