/* Numbers that rounding has put on a limit, or across it. */
#ifndef IMP_NUM_BESIDE_H
#define IMP_NUM_BESIDE_H

#include <math.h>

#include "num/larger.h"

/* Rounding moves a number that is computed in a few steps by less than this, relative to its
 * size. */
static const double imp_rounding = 1e-14;

/* `size` on its side of the limit: if the two are within rounding of each other, a number below the
 * limit where `below` is above 0, a number above where it is below 0, and the limit where it is
 * 0. */
static inline double imp_beside(double size, double limit, double below) {
    if (!(fabs(size - limit) <= imp_rounding * limit) || isnan(below)) {
        return size;
    }
    return below > 0   ? imp_smaller(size, nextafter(limit, 0))
           : below < 0 ? imp_larger(size, nextafter(limit, INFINITY))
                       : limit;
}

#endif
