#include "num/polynomial.h"

#include <float.h>
#include <math.h>

#include "num/lanes/polynomial.h"

/* Also of numbers so small that their digits do not fill a double, of 0 and infinity. */
static double coarse_root_of_any(double x, int n) {
    int exponent;
    double part = frexp(x, &exponent);
    double power = (exponent - 1 + (2 * part - 1)) / n, whole = floor(power);
    return ldexp(1 + (power - whole), (int)whole);
}

double imp_coarse_root(double x, int n) {
    bool normal = x >= DBL_MIN && x < INFINITY;
    return normal ? imp_lanes_coarse_root(x, n) : coarse_root_of_any(x, n);
}

/* The first rise by parts, each twice as long as all before: near 0 the second derivative is small
 * where c[2] is, and its bound for the whole would make steps short. */
static double rise_in_parts(const double *c, int n, double value, double end) {
    double from = 0, found = INFINITY;
    imp_lane_mask stalled = 0;
    for (int k = 60; k >= 0 && found == INFINITY && !stalled; k--) {
        double to = ldexp(end, -k);
        imp_lane_mask open = imp_lanes_may_reach(c, n, value, to);
        found = imp_lanes_rise_between(c, n, value, from, to, open, &stalled);
        from = to;
    }
    return found;
}

double imp_polynomial_first_rise(const double *c, int n, double value, double end) {
    imp_lane_mask stalled;
    double found = imp_lanes_first_rise_or_stall(c, n, value, end, &stalled);
    return stalled ? rise_in_parts(c, n, value, end) : found;
}
