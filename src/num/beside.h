/* Numbers that rounding has put on a limit, or across it. */
#ifndef IMP_NUM_BESIDE_H
#define IMP_NUM_BESIDE_H

#include <math.h>
#include <stdbool.h>

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

/* A number and the limit beside which it lies. */
typedef struct imp_limited {
    double size, limit;
} imp_limited;

/* The size of `moved` where number and limit have moved from `from`: where the limit has passed the
 * number, a size on the old side, at this distance relative to the limit. */
static inline double imp_on_its_side(imp_limited from, imp_limited moved, double distance) {
    double side = from.size - from.limit, now = moved.size - moved.limit;
    bool passed = side > 0 ? now <= 0 : side < 0 && now >= 0;
    return passed ? moved.limit * (1 + copysign(distance, side)) : moved.size;
}

#endif
