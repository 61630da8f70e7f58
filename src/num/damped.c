#include "num/damped.h"

#include <math.h>

#include "num/exponential.h"
#include "num/larger.h"
#include "num/trigonometry.h"

imp_damped imp_damped_of(double p, double q) {
    double half = p / 2, square = fma(half, half, -q), size = sqrt(fabs(square));
    if (square < 0) {
        return (imp_damped){.p = p,
                            .q = q,
                            .swings = true,
                            .size = size,
                            .slow = -half,
                            .fast = -half,
                            .over_p = 1 / p,
                            .over_q = 1 / q};
    }
    double far = half < 0 ? size - half : -(half + size); /* the root of the larger size */
    double near = far != 0 ? q / far : 0;
    double slow = imp_larger(near, far), fast = imp_smaller(near, far);
    return (imp_damped){.p = p,
                        .q = q,
                        .swings = false,
                        .size = size,
                        .slow = slow,
                        .fast = fast,
                        .over_p = 1 / p,
                        .over_q = 1 / q};
}

/* (exp(a t) - exp(b t)) / (a - b), a >= b. */
static double divided(double a, double b, double t) {
    double x = (a - b) * t;
    if (x < 1) {
        double ratio = x > 0 ? imp_cosine_sine_hyperbolic(x / 2).sine / (x / 2) : 1;
        return t * imp_exp((a + b) / 2 * t) * ratio;
    }
    return (imp_exp(a * t) - imp_exp(b * t)) / (a - b);
}

imp_damped_now imp_damped_at(const imp_damped *d, double time) {
    if (time == 0 || (d->p == 0 && d->q == 0)) {
        return (imp_damped_now){.rest = 1, .push = time, .rate = 1};
    }
    if (d->swings) {
        imp_sincos turn = imp_sine_cosine(d->size * time);
        double decay = imp_exp(d->slow * time), half = d->p / 2;
        double push = decay * (turn.sine / d->size), swing = decay * turn.cosine;
        return (imp_damped_now){
            .rest = swing + half * push, .push = push, .rate = swing - half * push};
    }
    double push = divided(d->slow, d->fast, time);
    return (imp_damped_now){.rest = imp_exp(d->slow * time) - d->slow * push,
                            .push = push,
                            .rate = imp_exp(d->fast * time) + d->slow * push};
}

/* ---- a quantity that relaxes ---- */

/* The solution of w''' + a w'' + b w' + c w = 0 from 0, 0, 1, by its series:
 * roots times t below 1. */
static double short_series(double a, double b, double c, double t) {
    static const double inverse[] = {0,        1,        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,
                                     1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11,
                                     1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17,
                                     1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23};
    const double negligible = 1e-18;
    double w0 = 0, w1 = 0, w2 = t * t / 2, sum = w2, at = a * t, bt = b * t * t, ct = c * t * t * t;
    double least = negligible * w2;
    for (int k = 3; k < 24; k++) { /* w0, w1, w2: the terms of t^(k-3), t^(k-2), t^(k-1) */
        double by = inverse[k], before = inverse[k - 1] * by;
        double next = -(at * w2 * by + bt * w1 * before + ct * w0 * (before * inverse[k - 2]));
        if (fabs(next) + fabs(w2) + fabs(w1) < least) {
            break;
        }
        w0 = w1;
        w1 = w2;
        w2 = next;
        sum += next;
    }
    return sum;
}

/* Of three real roots that are not all near each other. */
static double kept_of_three(double slow, double fast, double third, double t) {
    double high = imp_larger(slow, third), low = imp_smaller(fast, third);
    double middle = third > slow ? slow : third < fast ? fast : third;
    return (divided(high, middle, t) - divided(middle, low, t)) / (high - low);
}

double imp_damped_kept(const imp_damped *d, double rate, double time, const imp_damped_now *now) {
    if (time == 0) {
        return 0;
    }
    double mean = -(d->p + rate) / 3, p = d->p + 2 * mean, q = d->q + mean * (d->p + mean);
    double rest = rate + mean; /* after the shift of all roots by their mean */
    double spread = imp_larger(fabs(rest), fabs(p) / 2 + d->size) * time;
    if (spread < 1) {
        return imp_exp(mean * time) * short_series(p + rest, q + p * rest, q * rest, time);
    }
    if (d->swings) {
        double far = d->q + rate * (rate - d->p);
        double left = rate == 0 ? 1 : imp_exp(-rate * time);
        return (left - now->rest + rate * now->push) / far;
    }
    return kept_of_three(d->slow, d->fast, -rate, time);
}

/* ---- falls and bounds ---- */

double imp_damped_fall(const imp_damped *d, double z, double rate) {
    if (z == 0 && !(rate > 0)) {
        return INFINITY;
    }
    if (d->swings) {
        double back = -(rate + d->p / 2 * z); /* z cos(w t) - back sin(w t) / w */
        return imp_heading(d->size * z, back) / d->size;
    }
    /* The motion is (rate - fast z) exp(slow t) - (rate - slow z) exp(fast t), but for a factor. */
    double back = d->fast * z - rate;
    if (!(back > 0) || z == 0) {
        return INFINITY;
    }
    double gap = d->slow - d->fast, x = gap * z / back;
    return gap * z < 1e-9 * back ? z / back * (1 - x / 2 + x * x / 3) : imp_log1p(x) / gap;
}

double imp_damped_bound(const imp_damped *d, double z, double rate, double span) {
    double size = fabs(z), speed = fabs(rate);
    if (d->q > 0 && d->p >= 0) {
        double reach = imp_smaller(span, d->over_p);
        double swing = sqrt(size * size + rate * rate * d->over_q);
        return speed == 0 ? size : imp_smaller(size + speed * reach, swing);
    }
    double grown = 2.7182818284590456;
    return speed == 0 && d->q == 0 ? size : grown * (size + speed * span);
}
