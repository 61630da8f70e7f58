#include "models/beam/points.h"

/* Over a time in which the mode makes less than a turn the response to s^n/n! follows from those to
 * the next two powers: v_{n-2} = 1/n! - loss v_{n-1} - square v_n, begun far out. Longer times are
 * doubled from there. */
static const double short_time = 4;

static imp_wide scaled(imp_wide x, double factor) { /* by a power of 2 */
    return (imp_wide){x.high * factor, x.low * factor};
}

static imp_beam_response begin(const imp_wide *over, imp_wide square, imp_wide loss) {
    imp_beam_response r;
    imp_wide next = imp_wide_of(0), last = imp_wide_of(0);
    square = imp_wide_minus(square);
    loss = imp_wide_minus(loss);
    for (int n = IMP_BEAM_FAR; n >= 0; n--) {
        imp_wide found = imp_wide_add_product(over[n], loss, last);
        found = imp_wide_add_product(found, square, next);
        next = last;
        last = found; /* v_{n-2} */
        if (n >= 1 && n <= IMP_BEAM_POWERS + 1) {
            r.rise[n - 1] = found;
        }
    }
    r.speed = r.rise[0];
    r.speed_rate = last;
    r.place = r.place_rate = imp_wide_of(0); /* see complete */
    return r;
}

/* The motion that begins with q = 1 follows from that which begins with q' = 1. */
static void complete(imp_beam_response *r, imp_wide square, imp_wide loss) {
    r->place = imp_wide_add_product(r->speed_rate, loss, r->speed);
    r->place_rate = imp_wide_minus(imp_wide_multiply(square, r->speed));
}

/* The response over twice the time, which becomes the unit. */
static imp_beam_response twice(const imp_wide *over, const imp_beam_response *r) {
    imp_beam_response d;
    double part = 1;
    for (int n = 0; n <= IMP_BEAM_POWERS; n++) {
        part /= 2;
        imp_wide rate = n > 0 ? r->rise[n - 1] : r->speed_rate;
        imp_wide sum = imp_wide_multiply(r->place, r->rise[n]);
        sum = imp_wide_add_product(sum, r->speed, rate);
        for (int k = 1; k <= n; k++) {
            sum = imp_wide_add_product(sum, over[n - k], r->rise[k]);
        }
        d.rise[n] = scaled(sum, part);
    }
    d.speed = d.rise[0];
    d.speed_rate = imp_wide_multiply(r->place_rate, r->speed);
    d.speed_rate = imp_wide_add_product(d.speed_rate, r->speed_rate, r->speed_rate);
    return d;
}

imp_beam_response imp_beam_respond(const imp_wide over[IMP_BEAM_FAR + 1], imp_wide square,
                                   imp_wide loss) {
    int doublings = 0;
    while (square.high > short_time * short_time || loss.high > short_time) {
        square = scaled(square, 0.25);
        loss = scaled(loss, 0.5);
        doublings++;
    }
    imp_beam_response r = begin(over, square, loss);
    complete(&r, square, loss);
    for (; doublings > 0; doublings--) {
        square = scaled(square, 4);
        loss = scaled(loss, 2);
        r = twice(over, &r);
        complete(&r, square, loss);
    }
    return r;
}
