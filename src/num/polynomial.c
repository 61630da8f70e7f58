#include "num/polynomial.h"

#include <math.h>
#include <stdbool.h>

double imp_coarse_root(double x, int n) {
    int exponent;
    double part = frexp(x, &exponent);
    double power = (exponent - 1 + (2 * part - 1)) / n, whole = floor(power);
    return ldexp(1 + (power - whole), (int)whole);
}

/* Whether a polynomial below a value can reach that value in [0, end]; *bend: bound of its second
 * derivative there. */
static bool may_reach(const double *c, int n, double value, double end, double *bend) {
    double most = c[0] - value, bound = 0, power = 1;
    for (int k = 1; k <= n; k++) {
        bound += k >= 2 ? k * (k - 1) * fabs(c[k]) * power : 0;
        power *= k >= 2 ? end : 1;
        most += c[k] > 0 ? c[k] * power * end : 0;
    }
    *bend = bound;
    return most >= 0;
}

/* The first rise between two points, by safe steps; bend: bound of the second derivative up to
 * `end`. Infinite if there is none, NaN if that is not known after many steps. */
static double rise_between(const double *c, int n, double value, double from, double end,
                           double bend) {
    enum { MOST = 1000 };
    double x = from;
    for (int i = 0; i < MOST; i++) {
        double y = c[n], slope = 0;
        for (int k = n - 1; k >= 0; k--) {
            slope = slope * x + y;
            y = y * x + c[k];
        }
        y -= value;
        if (y >= 0) {
            return x;
        }
        double root = sqrt(slope * slope - 2 * bend * y);
        double step = slope > 0 ? -2 * y / (slope + root) : (root - slope) / bend;
        if (!(x + step <= end)) {
            return INFINITY;
        }
        if (step <= 4e-16 * x) {
            return x;
        }
        x += step;
    }
    return NAN;
}

/* The same from 0, in parts each twice as long as all before: near 0 the second derivative is small
 * where c[2] is, and its bound for the whole would make steps short. */
static double rise_in_parts(const double *c, int n, double value, double end) {
    double bend, from = 0, found = INFINITY;
    for (int k = 60; k >= 0 && isinf(found); k--) {
        double to = ldexp(end, -k);
        found = may_reach(c, n, value, to, &bend) ? rise_between(c, n, value, from, to, bend)
                                                  : INFINITY;
        from = to;
    }
    return isnan(found) ? INFINITY : found;
}

double imp_polynomial_first_rise(const double *c, int n, double value, double end) {
    double bend;
    if (c[0] >= value) {
        return 0;
    }
    if (!may_reach(c, n, value, end, &bend)) {
        return INFINITY;
    }
    double found = rise_between(c, n, value, 0, end, bend);
    return isnan(found) ? rise_in_parts(c, n, value, end) : found;
}
