#include "models/beam/response.h"

/* Over a time in which the mode makes less than a turn the response to s^n/n! follows from those to
 * the next two powers: v_{n-2} = 1/n! - loss v_{n-1} - square v_n, begun far out. Longer times are
 * doubled from there. */
enum { FAR = 46 };
static const double short_time = 4;

/* 1/n! */
static const imp_wide over[FAR + 1] = {
    {0x1p+0, 0},
    {0x1p+0, 0},
    {0x1p-1, 0},
    {0x1.5555555555555p-3, 0x1.5555555555555p-57},
    {0x1.5555555555555p-5, 0x1.5555555555555p-59},
    {0x1.1111111111111p-7, 0x1.1111111111111p-63},
    {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
    {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
    {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
    {0x1.71de3a556c734p-19, -0x1.c154f8ddc6c00p-73},
    {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
    {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
    {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
    {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
    {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
    {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
    {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
    {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
    {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
    {0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},
    {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
    {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
    {0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124},
    {0x1.761b41316381ap-75, -0x1.3423c7d91404fp-130},
    {0x1.f2cf01972f578p-80, -0x1.9ada5fcc1ab14p-135},
    {0x1.3f3ccdd165fa9p-84, -0x1.58ddadf344487p-139},
    {0x1.88e85fc6a4e5ap-89, -0x1.71c37ebd16540p-143},
    {0x1.d1ab1c2dccea3p-94, 0x1.054d0c78aea14p-149},
    {0x1.0a18a2635085dp-98, 0x1.b9e2e28e1aa54p-153},
    {0x1.259f98b4358adp-103, 0x1.eaf8c39dd9bc5p-157},
    {0x1.3932c5047d60ep-108, 0x1.832b7b530a627p-162},
    {0x1.434d2e783f5bcp-113, 0x1.0b87b91be9affp-167},
    {0x1.434d2e783f5bcp-118, 0x1.0b87b91be9affp-172},
    {0x1.3981254dd0d52p-123, -0x1.2b1f4c8015a2fp-177},
    {0x1.2710231c0fd7ap-128, 0x1.3f8a2b4af9d6bp-184},
    {0x1.0dc59c716d91fp-133, 0x1.419e3fad3f031p-188},
    {0x1.df983290c2ca9p-139, 0x1.5835c6895393bp-194},
    {0x1.9ec8d1c94e85bp-144, -0x1.670e9d4784ec6p-201},
    {0x1.5d4acb9c0c3abp-149, -0x1.6ec2c8f5b13b2p-205},
    {0x1.1e99449a4bacep-154, -0x1.fefbb89514b3cp-210},
    {0x1.ca8ed42a12ae3p-160, 0x1.a07244abad2abp-224},
    {0x1.65e61c39d0241p-165, -0x1.c0ed181727269p-220},
    {0x1.10af527530de8p-170, 0x1.b626c912ee5c8p-225},
    {0x1.95db45257e512p-176, 0x1.6e5d72b6f79b9p-231},
    {0x1.272b1b03fec6ap-181, 0x1.3f67cc9f9fdb8p-235},
    {0x1.a3cb872220648p-187, -0x1.c7f4e85b8e6cdp-241},
    {0x1.240804f659510p-192, 0x1.8b291b93c9718p-246},
};

static imp_wide scaled(imp_wide x, double factor) { /* by a power of 2 */
    return (imp_wide){x.high * factor, x.low * factor};
}

static imp_beam_response begin(imp_wide square, imp_wide loss) {
    imp_beam_response r;
    imp_wide next = imp_wide_of(0), last = imp_wide_of(0);
    square = imp_wide_minus(square);
    loss = imp_wide_minus(loss);
    for (int n = FAR; n >= 0; n--) {
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
static imp_beam_response twice(const imp_beam_response *r) {
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

imp_beam_response imp_beam_respond(imp_wide square, imp_wide loss) {
    int doublings = 0;
    while (square.high > short_time * short_time || loss.high > short_time) {
        square = scaled(square, 0.25);
        loss = scaled(loss, 0.5);
        doublings++;
    }
    imp_beam_response r = begin(square, loss);
    complete(&r, square, loss);
    for (; doublings > 0; doublings--) {
        square = scaled(square, 4);
        loss = scaled(loss, 2);
        r = twice(&r);
        complete(&r, square, loss);
    }
    return r;
}
