#include "models/rigid/laws.h"

#include <math.h>

#include "num/bracket.h"
#include "num/larger.h"

static double half_derivative(const imp_rigid_compromise *at, double x, double *slope) {
    double past = x - at->d, rate = at->d + at->k * past;
    double q = at->d * at->d + past * (at->d + rate), root = sqrt(q);
    double short_of = 1 - 1 / root;
    *slope = at->w1 + at->w2 * (rate * rate / (q * root) + short_of * at->k);
    return at->w1 * (x - 1) + at->w2 * short_of * rate;
}

enum { MOST_STEPS = 200, NEWTON_STEPS = 20 };

double imp_rigid_compromise_minimum(const imp_rigid_compromise *at, double one, double other,
                                    double guess) {
    imp_bracket b = {.low = imp_smaller(one, other), .high = imp_larger(one, other)};
    double x = guess;
    for (int i = 0; i < MOST_STEPS; i++) {
        double slope, value = half_derivative(at, x, &slope), next = x - value / slope;
        imp_bracket_cut(&b, x, !(value > 0));
        if (fabs(next - x) <= 1e-12 * next) {
            return next;
        }
        x = i < NEWTON_STEPS ? imp_bracket_next(&b, next) : imp_bracket_middle(&b);
        if (b.high - b.low <= 4e-16 * b.high) {
            return x;
        }
    }
    return NAN;
}
