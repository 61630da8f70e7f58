/* Polynomials of a Taylor step: c[k] is the coefficient of x^k. */
#ifndef IMP_NUM_LANES_POLYNOMIAL_H
#define IMP_NUM_LANES_POLYNOMIAL_H

#include "num/lanes/lanes.h"
#include "num/polynomial.h"

/* The largest degree of a polynomial whose rise is searched. */
enum { IMP_LANES_DEGREE = 31 };

/* The polynomial of degree n at x. */
IMP_LANE_CODE imp_lanes imp_lanes_polynomial_at(const imp_lanes *c, int n, imp_lanes x) {
    imp_lanes value = c[n];
    for (int k = n - 1; k >= 0; k--) {
        value = value * x + c[k];
    }
    return value;
}

/* Its integral from 0 to x. */
IMP_LANE_CODE imp_lanes imp_lanes_polynomial_integral(const imp_lanes *c, int n, imp_lanes x) {
    imp_lanes value = c[n] / (double)(n + 1);
    for (int k = n - 1; k >= 0; k--) {
        value = value * x + c[k] / (double)(k + 1);
    }
    return value * x;
}

/* Whether a polynomial below a value can reach that value in [0, end]. */
IMP_LANE_CODE imp_lane_mask imp_lanes_may_reach(const imp_lanes *c, int n, imp_lanes value,
                                                imp_lanes end) {
    imp_lanes most = c[0] - value, power = imp_lanes_of(1);
    for (int k = 1; k <= n; k++) {
        power = k >= 2 ? power * end : power;
        most += imp_lanes_pick(c[k] > 0, c[k] * power * end, imp_lanes_of(0));
    }
    return most >= 0;
}

/* Bound of the second derivative in [0, end]. */
IMP_LANE_CODE imp_lanes imp_lanes_bend(const imp_lanes *c, int n, imp_lanes end) {
    imp_lanes bound = imp_lanes_of(0), power = imp_lanes_of(1);
    for (int k = 2; k <= n; k++) {
        bound += (double)(k * (k - 1)) * imp_lanes_abs(c[k]) * power;
        power *= end;
    }
    return bound;
}

/* Where `open`, the first place between `from` and `end` at which a polynomial below a value rises
 * to it, by safe steps; infinite if there is none, and elsewhere. stalled: where that is not known
 * after many steps. */
IMP_LANE_CODE imp_lanes imp_lanes_rise_between(const imp_lanes *c, int n, imp_lanes value,
                                               imp_lanes from, imp_lanes end, imp_lane_mask open,
                                               imp_lane_mask *stalled) {
    imp_lanes bend = imp_lanes_bend(c, n, end), x = from, first = imp_lanes_of(INFINITY);
    for (int i = 0; i < 1000 && imp_lanes_where(open); i++) {
        imp_lanes y = c[n], slope = imp_lanes_of(0);
        for (int k = n - 1; k >= 0; k--) {
            slope = slope * x + y;
            y = y * x + c[k];
        }
        y -= value;
        imp_lanes root = imp_lanes_sqrt(slope * slope - 2 * bend * y);
        imp_lane_mask rises = slope > 0;
        imp_lanes step =
            imp_lanes_pick(rises, -2 * y, root - slope) / imp_lanes_pick(rises, slope + root, bend);
        imp_lane_mask inside = x + step <= end;
        imp_lane_mask arrives = (y >= 0) | (inside & (step <= 4e-16 * x));
        first = imp_lanes_pick(open & arrives, x, first);
        open &= inside & ~arrives;
        x += step;
    }
    *stalled = open;
    return first;
}

/* The first x in [0, end] at which the polynomial of degree n rises to the value, infinite if there
 * is none. A bound of the second derivative makes every step safe, so no such x is passed. stalled:
 * where x is not known after many steps; infinite there. */
IMP_LANE_CODE imp_lanes imp_lanes_first_rise_or_stall(const imp_lanes *c, int n, imp_lanes value,
                                                      imp_lanes end, imp_lane_mask *stalled) {
    imp_lane_mask starts = c[0] >= value;
    imp_lane_mask open = imp_lanes_may_reach(c, n, value, end) & ~starts;
    imp_lanes first = imp_lanes_pick(starts, imp_lanes_of(0), imp_lanes_of(INFINITY));
    *stalled = imp_lanes_all(false);
    if (!imp_lanes_where(open)) {
        return first;
    }
    imp_lanes rise = imp_lanes_rise_between(c, n, value, imp_lanes_of(0), end, open, stalled);
    return imp_lanes_pick(starts, first, rise);
}

/* The first rise in one lane, searched by parts of the way. */
IMP_LANE_CODE double imp_lanes_rise_alone(const imp_lanes *c, int n, double value, double end,
                                          int lane) {
    double alone[IMP_LANES_DEGREE + 1];
    for (int k = 0; k <= n; k++) {
        alone[k] = imp_lanes_get(c[k], lane);
    }
    return imp_polynomial_first_rise(alone, n, value, end);
}

/* The same; by parts of the way where that stalls. */
IMP_LANE_CODE imp_lanes imp_lanes_first_rise(const imp_lanes *c, int n, imp_lanes value,
                                             imp_lanes end) {
    imp_lane_mask stalled;
    imp_lanes rise = imp_lanes_first_rise_or_stall(c, n, value, end, &stalled);
    for (unsigned left = imp_lanes_where(stalled), lane = 0; left >> lane; lane++) {
        if (left >> lane & 1) {
            double at = imp_lanes_rise_alone(c, n, imp_lanes_get(value, (int)lane),
                                             imp_lanes_get(end, (int)lane), (int)lane);
            imp_lanes_set(&rise, (int)lane, at);
        }
    }
    return rise;
}

/* As imp_coarse_root, with its bits. x normal; NaN if it is not finite. */
IMP_LANE_CODE imp_lanes imp_lanes_coarse_root(imp_lanes x, int n) {
    const uint64_t half = UINT64_C(0x3fe0000000000000), digits = (UINT64_C(1) << 52) - 1;
    /* Adding 2^52 puts a whole number into the lowest bits; adding 1.5 * 2^52 rounds to one. */
    const double whole_bits = 0x1p52, round = 0x1.8p52;
    imp_lane_bits bits = imp_lanes_bits(x);
    imp_lanes part = imp_lanes_of_bits((bits & digits) | half);
    imp_lanes biased = imp_lanes_of_bits((bits >> 52) | imp_lanes_bits(imp_lanes_of(whole_bits)));
    imp_lanes power = (biased - whole_bits - 1023 + (2 * part - 1)) / (double)n;
    imp_lanes whole = power + round - round;
    whole -= imp_lanes_pick(whole > power, imp_lanes_of(1), imp_lanes_of(0));
    imp_lanes scale = imp_lanes_of_bits(imp_lanes_bits(whole + (round + 1023)) << 52);
    return imp_lanes_pick(x < INFINITY, (1 + (power - whole)) * scale, imp_lanes_of(NAN));
}

#endif
