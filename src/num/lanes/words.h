/* Short words for code that is all in lanes; see lanes.h. */
#ifndef IMP_NUM_LANES_WORDS_H
#define IMP_NUM_LANES_WORDS_H

#include "num/lanes/lanes.h"

#define CODE IMP_LANE_CODE

typedef imp_lanes real;
typedef imp_lane_mask truth;

CODE real number(double x) {
    return imp_lanes_of(x);
}

CODE truth not(truth mask) {
    return imp_lanes_not(mask);
}

CODE bool any(truth mask) {
    return imp_lanes_where(mask) != 0;
}

/* a where the mask is true, b elsewhere. */
CODE real pick(truth mask, real a, real b) {
    return imp_lanes_pick(mask, a, b);
}

/* Changes *x where the mask is true. */
CODE void put(truth mask, real *x, real value) {
    *x = pick(mask, value, *x);
}

CODE real size_of(real x) {
    return imp_lanes_abs(x);
}

CODE real root_of(real x) {
    return imp_lanes_sqrt(x);
}

CODE real larger(real a, real b) {
    return imp_lanes_larger(a, b);
}

CODE real smaller(real a, real b) {
    return imp_lanes_smaller(a, b);
}

CODE real positive_part(real x) {
    return larger(number(0), x);
}

CODE truth is_finite(real x) {
    return x - x == 0;
}

CODE truth is_nan(real x) {
    return x != x;
}

#endif
