#include "models/bounce/stages.h"

#include <math.h>

#include "models/bounce/watch.h"
#include "num/larger.h"

/* Below this part of the speed of the other point the sum has all digits; slip goes on to the end
 * if it is so much faster than the hops. */
static const double low = 1e-7, fast = 1e3;

/* ---- one point ---- */

/* How fast the other point of the flat moves, with what it gains on its way down. The points beyond
 * it are no measure: they are high above a body that lies almost flat. */
static double liveliness(const imp_bounce_cell *c) {
    int other = imp_bounce_other(c);
    double rate = imp_bounce_rate(c, other), gap = imp_larger(imp_bounce_gap(c, other), 0);
    return sqrt(rate * rate + 2 * c->p.gravity * gap);
}

/* As slips_on, on springs, which hold the point up to `reach` times the speed of a hop. A point
 * that sticks has a tangential velocity from impact to impact, and no two hops have one ratio: they
 * are followed until what is left of their time has no digits. The hops of a disc do not depend on
 * that velocity; there the way that is left has none. */
static bool swings_out(const imp_bounce_cell *c, double slip, double still, double *direction) {
    const double nothing = 1e-13, no_way = 1e-8;
    imp_contact b = imp_bounce_contact_at(c, c->m.base);
    double friction = c->p.friction, reach = friction * c->p.stiffness_ratio;
    double braking = friction * b.b11 * still / b.b22;
    bool alone = c->p.body.n == 1;
    bool holds = friction > 0 && fabs(b.b12) <= friction * b.b11;
    bool slides = alone ? fabs(slip) > reach * c->m.rate + braking
                        : fabs(slip) > fast * ((1 + reach) * c->m.rate + braking);
    *direction = (slides || b.b12 == 0 ? slip : b.b12) < 0 ? -1 : 1;
    *direction = slides || !holds ? *direction : 0;
    return slides || c->m.rate < (alone ? no_way * c->tally.first_speed : nothing * liveliness(c));
}

/* The direction in which the point slips to the end of the chatter; 0: it sticks. False: not known
 * yet. still: the velocity along n that the impulses take away. */
static bool slips_on(const imp_bounce_cell *c, double still, double *direction) {
    imp_contact b = imp_bounce_contact_at(c, c->m.base);
    double slip = imp_bounce_slip(c, c->m.base);
    if (c->p.law == IMP_BOUNCE_COMPLIANT) {
        return swings_out(c, slip, still, direction);
    }
    /* Where friction cannot hold the point, every impact drives the slip in one direction. */
    bool driven = fabs(b.b12) > c->p.friction * b.b11 && c->slip_out * b.b12 > 0;
    *direction = c->sticks ? 0 : (driven ? b.b12 : slip) < 0 ? -1 : 1;
    /* A slip that friction halts in the midst of the hops does not last to their end. */
    bool alone = c->p.body.n == 1;
    double s = slip < 0 ? -1 : 1, mass = b.b22 - c->p.friction * s * b.b12;
    double braking = (c->p.friction * b.b11 - s * b.b12) * still / mass;
    bool slides = mass > 0 && fabs(slip) > braking && (alone || fabs(slip) > fast * c->m.rate);
    return c->sticks || driven || slides;
}

/* The impulses over the mass of a chatter that ends after `time`; s: as slips_on says; slip: that
 * ends if it sticks. */
static void sum_of(const imp_bounce_cell *c, double s, double slip, double time, double still,
                   double *p_t, double *p_n) {
    imp_contact b = imp_bounce_contact_at(c, c->m.base);
    double turned = c->m.spin * c->m.spin * c->pose.x[c->m.base] * time - slip;
    if (s == 0) {
        *p_t = (turned * b.b22 - b.b12 * still) / b.determinant;
        *p_n = (b.b11 * still - b.b12 * turned) / b.determinant;
    } else {
        *p_n = still / (b.b22 - c->p.friction * s * b.b12);
        *p_t = -c->p.friction * s * *p_n;
    }
}

/* Enters the sum. On the average an impulse comes after the part 1 / (1 + q) of the time, where q
 * is the ratio of two hops; the velocities, the way and the work of friction follow from that. */
static void complete(imp_bounce_cell *c, double s, double time, double still) {
    imp_bounce_cell before;
    imp_bounce_keep(c, &before);
    int k = c->m.base;
    double p_t, p_n, gyration = c->p.body.gyration, slip = imp_bounce_slip(c, k);
    double held = s == 0 && !c->sticks ? slip : 0;
    sum_of(c, s, held, time, still, &p_t, &p_n);
    double arm = c->pose.y[k] - c->p.body.radius, early = 1 / (1 + c->ratio), late = 1 - early;
    double spin = (c->pose.x[k] * p_n - arm * p_t) / (gyration * gyration);
    double drift = -c->m.spin * c->m.spin * c->pose.x[k] * time, lift = c->m.rate;
    c->tally.normal_loss += lift * lift * p_n / (2 * still);
    c->m.time += time;
    c->m.x += (c->m.velocity_t + late * p_t) * time;
    c->m.alpha += (c->m.spin + late * spin) * time;
    c->m.velocity_t += p_t;
    c->m.spin += spin;
    imp_bounce_ground(c, k, 0);
    imp_bounce_set_pose(c);
    c->sticks = s == 0;
    c->dragged = s == 0 ? (fabs(drift) + fabs(held)) / lift : 0;
    double slip_by_impulse = imp_bounce_slip(c, k) - slip - drift;
    double rubbed = s == 0 ? held / 2 : slip + slip_by_impulse / 2 + early * drift;
    c->tally.friction_loss -= p_t * rubbed;
    c->tally.upward += p_n;
    c->tally.chatters++;
    imp_bounce_show_glide(c, &before, IMP_BOUNCE_FLIGHT);
}

bool imp_bounce_chatter_ends(imp_bounce_cell *c) {
    double lift = c->m.rate, direction = 0;
    double weight = c->p.gravity + c->m.spin * c->m.spin * c->pose.y[c->m.base];
    if (!(weight > 0 && c->ratio < 1)) {
        return false;
    }
    bool counted = lift >= c->p.count_above * c->tally.first_speed;
    if (counted || (c->p.body.n > 1 && lift > low * liveliness(c))) {
        return false;
    }
    double time = 2 * lift / (weight * (1 - c->ratio)), still = weight * time - lift;
    bool turns = c->p.body.n > 1 && fabs(c->m.spin) * time > low;
    if (turns || !slips_on(c, still, &direction) || !imp_bounce_others_stay_clear(c, time)) {
        return false;
    }
    complete(c, direction, time, still);
    return true;
}

/* ---- two points ---- */

/* The time that a body which is almost flat takes to rest, where its motion repeats itself, smaller
 * by one factor, from one cycle of strikes by the two points in turn to the next; negative: it is
 * not known. A rod that rocks has cycles of 6, because each time its other end comes down 3 strikes
 * follow at one instant. */
static double time_to_rest(const imp_bounce_cell *c) {
    const imp_bounce_strike *s = c->strike;
    const double alike = 1e-5;
    for (int n = 2; n + 2 < IMP_BOUNCE_STRIKES && s[0].time == c->m.time; n += 2) {
        double last = s[0].spin / s[n].spin, before = s[1].spin / s[n + 1].spin;
        double third = s[2].spin / s[n + 2].spin;
        double cycle = s[0].time - s[n].time; /* 0: strikes at one instant are no cycle */
        if (cycle > 0 && s[0].point == s[n].point && fabs(last - before) <= alike * last &&
            fabs(last - third) <= alike * last && last < 1) {
            return cycle * last / (1 - last);
        }
    }
    return -1;
}

/* Ends the motion along n and the turning after `time`. Where rounding leaves an impulse toward the
 * plane, and friction so large that it would drive the body on with it, the slip stays as it is. */
static void lie_flat(imp_bounce_cell *c, double time) {
    const double no_energy = 1e-14;
    imp_bounce_cell start;
    imp_bounce_keep(c, &start);
    double upward = c->p.gravity * time - imp_bounce_velocity_n(c), slip = c->m.velocity_t;
    double braking = c->p.friction * upward;
    double left = fabs(slip) > braking && !c->sticks ? slip - copysign(braking, slip) : 0;
    double before = imp_bounce_energy(c), friction = (slip - left) * (slip + left) / 2;
    if (friction < -no_energy * c->initial_energy) {
        left = slip;
        friction = 0;
    }
    c->m.time += time;
    c->m.x += (slip + left) / 2 * time;
    c->m.velocity_t = left;
    c->m.spin = c->m.alpha = 0;
    imp_bounce_ground(c, c->m.base, 0);
    imp_bounce_set_pose(c);
    c->sticks = left == 0;
    c->tally.friction_loss += friction;
    c->tally.normal_loss += before - imp_bounce_energy(c) - friction;
    c->tally.upward += upward;
    c->tally.chatters++;
    imp_bounce_show_glide(c, &start, IMP_BOUNCE_FLIGHT);
}

/* Whether the body goes on to clatter for ever, without friction and gravity: the base has just
 * been struck, and the other point comes down. With k = (1 + e) |b12| / b22 of the two, where
 * b12 < 0, the ratio of its speed to that of the base follows s -> k / e - 1 / (e s) from strike to
 * strike; it stays positive from the repelling one of two fixed points on. */
static bool clatters_on(const imp_bounce_cell *c, double down) {
    const imp_bounce_body *body = &c->p.body;
    const imp_bounce_flat *flat = &body->flat[c->m.flat];
    int base = c->m.base, other = imp_bounce_other(c);
    double square = body->gyration * body->gyration, e = c->p.restitution;
    double x = flat->a[base], y = flat->a[other], both = -(square + x * y);
    double k = (1 + e) * both / (square + x * x), l = (1 + e) * both / (square + y * y);
    if (!(both > 0 && k * l >= 4 * e)) {
        return false;
    }
    return down * (k * l + sqrt(k * l * (k * l - 4 * e))) >= 2 * k * c->m.rate;
}

/* Whether the speeds of a clatter have become so low that its end is known, or where none of them
 * counts so little of it is left that its time is known. */
static bool is_low(const imp_bounce_cell *c, double down, double time) {
    const double low_part = 1e-13, slow = 1e-7;
    double first = c->tally.first_speed, faster = imp_larger(c->m.rate, down);
    bool counts = faster >= c->p.count_above * first;
    bool short_rest = time >= 0 && time * first < 1e-8 * c->p.body.reach;
    return fabs(c->m.alpha) < slow && (faster < low_part * first || (!counts && short_rest));
}

/* Without gravity the clatter is known to end, or not to end, once its speeds have become low. */
static bool weightless_clatter_ends(imp_bounce_cell *c) {
    const double nothing = 0x1p-1000;
    double down = -imp_bounce_rate(c, imp_bounce_other(c)), time = time_to_rest(c);
    if (!(down > 0 && is_low(c, down, time))) {
        return false;
    }
    if (c->p.friction > 0 ? time >= 0 : clatters_on(c, down)) {
        lie_flat(c, imp_larger(time, 0));
        return true;
    }
    if (down < nothing * c->tally.first_speed) {
        c->mode = IMP_BOUNCE_LEAVES;
    }
    return false;
}

bool imp_bounce_clatter_ends(imp_bounce_cell *c) {
    if (c->p.gravity == 0) {
        return c->p.body.n > 1 && weightless_clatter_ends(c);
    }
    const double slow = 1e-7, still = 1e-13; /* over the velocity of a fall from the reach */
    double reach = c->p.body.reach, fall = sqrt(c->p.gravity * reach);
    double turning = fabs(c->m.spin) * reach;
    if (c->p.body.n < 2 || !(turning < slow * fall) || !(fabs(c->m.alpha) < slow)) {
        return false;
    }
    double time = time_to_rest(c), lively = liveliness(c);
    if (time >= 0) {
        lie_flat(c, time);
        return true;
    }
    if (c->m.rate < still * fall && lively < still * fall) {
        lie_flat(c, 0);
        return true;
    }
    return false;
}
