/* Quantities that end a phase, and their roots in a step, in lanes. */
#ifndef IMP_MODELS_COMPLIANT_POWER_SIGHTS_LANES_H
#define IMP_MODELS_COMPLIANT_POWER_SIGHTS_LANES_H

#include "models/compliant/power_lanes.h"

/* A quantity that falls to 0 at an event, and its rates in time or in the variable of the step. */
typedef struct sight {
    real value, slope, bend;
} sight;

typedef struct sights {
    sight of[IMP_COMPLIANT_POWER_SIGHTS];
    real speed;
} sights;

CODE sight pick_sight(truth mask, sight a, sight b) {
    return (sight){.value = pick(mask, a.value, b.value),
                   .slope = pick(mask, a.slope, b.slope),
                   .bend = pick(mask, a.bend, b.bend)};
}

/* ---- quantities ---- */

/* The rate of f_n. */
CODE real normal_force_rate(const phase *m, const row *y, const row *rate) {
    real d = positive(y->x[DELTA]), v = y->x[V_N], held = positive(1 - m->damping * v);
    return -imp_lanes_sqrt(d) * (1.5 * v * held + m->damping * d * rate->x[V_N]);
}

/* The distance from the face s of the cone, kappa delta - s u. */
CODE sight plain_margin(const phase *m, const row *y, const row *rate, double s) {
    return (sight){.value = m->kappa * y->x[DELTA] - s * y->x[U],
                   .slope = -m->kappa * y->x[V_N] - s * y->x[V_T],
                   .bend = -m->kappa * rate->x[V_N] - s * rate->x[V_T]};
}

/* The same with damping, (mu f_n)^2 - (s u)^3. It is smooth even where 1 - damping v_n is small, at
 * friction so great that next to no normal force is enough to hold. */
CODE sight damped_margin(const phase *m, const row *y, const row *rate, double s) {
    real d = positive(y->x[DELTA]), v = y->x[V_N], z = m->damping, a_n = rate->x[V_N];
    real u = s * y->x[U], v_t = s * y->x[V_T], x = positive(1 - z * v);
    real falls = pick(x > 0, z, number(0)),
         f_t_rate = -1.5 * imp_lanes_sqrt(size_of(u)) * y->x[V_T];
    real jerk = m->c * f_t_rate + normal_force_rate(m, y, rate);
    real dx = d * x, dx_rate = -v * x - d * falls * a_n;
    real dx_bend = -a_n * x + 2 * v * falls * a_n - d * falls * jerk, square = m->mu * m->mu;
    /* d (d x)^2 */
    real held = d * dx * dx, held_rate = -v * dx * dx + 2 * d * dx * dx_rate;
    real held_bend =
        -a_n * dx * dx - 4 * v * dx * dx_rate + 2 * d * (dx_rate * dx_rate + dx * dx_bend);
    return (sight){.value = square * held - cube(u),
                   .slope = square * held_rate - 3 * u * u * v_t,
                   .bend = square * held_bend - 6 * u * v_t * v_t - 3 * u * u * s * rate->x[V_T]};
}

/* The slip speed of a damped slip, s v_t + kappa x^(2/3) (v_n + 2/3 z q delta^2.5) where x = 1 - z
 * v_n and z is the damping: u follows the normal force. */
CODE sight slip_speed(const phase *m, const row *y) {
    real d = positive(y->x[DELTA]), root = imp_lanes_sqrt(d), d15 = d * root, v = y->x[V_N];
    real z = m->damping, x = positive(1 - z * v), along = m->slip * m->g;
    real pull = m->kappa * pick(z == 0, number(1), imp_lanes_two_thirds(x));
    real inner = v + 2.0 / 3 * z * m->q * d * d15;
    real j = x - 5.0 / 3 * z * v - 2.0 / 3 * z * inner;
    real per_force = along * x + pull * m->q * j; /* the slope over delta^1.5 */
    real decay = z * m->q * d15;
    real bend = along * x + pull * m->q * (2.0 / 3 * j + 10.0 / 3 * x - 10.0 / 9 * z * v);
    return (sight){.value = m->slip * y->x[V_T] + pull * inner,
                   .slope = d15 * per_force,
                   .bend = -1.5 * root * v * per_force - d15 * decay * bend};
}

CODE void see_in_slip(const imp_compliant_power_block *b, const phase *m, const row *y,
                      const row *rate, sights *seen) {
    real impulse = load(b->impulse);
    sight left = {.value = impulse - y->x[P_N],
                  .slope = -rate->x[P_N],
                  .bend = -normal_force_rate(m, y, rate)};
    sight speed = slip_speed(m, y), never = {.value = number(1)};
    sight depth = {.value = y->x[DELTA], .slope = -y->x[V_N], .bend = -rate->x[V_N]};
    truth apex = load(b->apex) != 0, free = ~m->sticks | apex;
    sight first = pick_sight(apex, never, pick_sight(impulse < INFINITY, left, speed));
    seen->of[FIRST] = pick_sight(free, first, seen->of[FIRST]);
    seen->of[SECOND] = pick_sight(free, depth, seen->of[SECOND]);
    seen->speed = speed.value;
}

CODE sights sights_at(const imp_compliant_power_block *b, const phase *m, const row *y,
                      const row *rate) {
    real rest = load(b->rest), sign = pick(rest != 0, rest, number(-1));
    truth damped = m->damping > 0;
    sight turn = {.value = sign * y->x[V_N], .slope = sign * rate->x[V_N]};
    sights seen = {.of = {plain_margin(m, y, rate, -1), plain_margin(m, y, rate, 1), turn}};
    if (any(damped & m->sticks)) {
        seen.of[FIRST] = pick_sight(damped, damped_margin(m, y, rate, -1), seen.of[FIRST]);
        seen.of[SECOND] = pick_sight(damped, damped_margin(m, y, rate, 1), seen.of[SECOND]);
    }
    if (any(~m->sticks | (load(b->apex) != 0))) {
        see_in_slip(b, m, y, rate, &seen);
    }
    return seen;
}

/* ---- in the variable of a step ---- */

CODE sight sight_by(sight f, clock time) {
    return (sight){.value = f.value,
                   .slope = f.slope * time.pace,
                   .bend = f.bend * time.pace * time.pace + f.slope * time.turning};
}

/* Counts roots between two points from the quintic through values, slopes and bends. As a sum of
 * Bernstein polynomials the quintic has no more roots than its coefficients have changes of sign.
 * It is trusted if its inner coefficients exceed a part of its distance from the cubic through
 * values and slopes. */
CODE real roots_between(sight a, sight b, real h) {
    const double trust = 0.25;
    real chord = 6 * (b.value - a.value), square = h * h / 20;
    real apart = size_of(a.bend * h * h - chord + h * (4 * a.slope + 2 * b.slope)) +
                 size_of(b.bend * h * h + chord - h * (2 * a.slope + 4 * b.slope));
    real doubtful = trust * apart / 20;
    real first = a.value + h * a.slope / 5, last = b.value - h * b.slope / 5;
    real second = a.value + 2 * h * a.slope / 5 + square * a.bend;
    real third = b.value - 2 * h * b.slope / 5 + square * b.bend;
    truth known = (size_of(second) > doubtful) & (size_of(third) > doubtful);
    truth up[] = {first >= 0, second > 0, third > 0, last > 0, b.value > 0};
    for (int i = 1; i < 5; i++) {
        known &= ~up[i] | up[i - 1];
    }
    return pick(known, pick(up[4], number(NONE), number(ONE)), number(UNKNOWN));
}

/* Whether the quantity stays far above 0 between two points, by the cubic through its values and
 * slopes. This test is cheap, and not used with damping, which bends the quantity more than a cubic
 * shows. */
CODE truth is_far(const phase *m, sight a, sight b, real from_pace, real to_pace, real h) {
    real third = h / 3, first = a.value + third * a.slope * from_pace;
    real last = b.value - third * b.slope * to_pace;
    return ~(m->damping > 0) & (a.value > 0) & (b.value > 0) & (first > 0.5 * a.value) &
           (last > 0.5 * b.value);
}

#endif
