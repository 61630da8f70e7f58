/* The instants of a stick of two modes at which v_n vanishes. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_TURN_IMPL_H
#define IMP_MODELS_COMPLIANT_TURN_IMPL_H

#include "models/compliant/stick_impl.h"

/* The weights of the modes in a velocity, and in its derivatives; limit: the greatest size of its second derivative. */
typedef struct weights {
    real velocity[2], pull[2];
    real limit;
    real fast,
        slow; /* bounds: of the faster mode's part, of the second derivative of the other's */
} weights;

/* Of sign v_n where part is m->n, of sign v_t where it is m->t. */
CODE weights weights_of(const modes *m, const real part[2], const motion *x, real sign) {
    weights k = {.limit = number(0)};
    for (int i = 0; i < 2; i++) {
        k.velocity[i] = sign * part[i];
        k.pull[i] = k.velocity[i] * m->square[i];
        k.limit += size_of(k.pull[i]) * x->size[i] * m->w[i];
    }
    k.fast = size_of(k.velocity[0]) * x->size[0] * m->w[0];
    k.slow = size_of(k.pull[1]) * x->size[1] * m->w[1];
    return k;
}

CODE sample velocity(const weights *k, const real y[2], const real v[2]) {
    return (sample){sum_of(k->velocity, v), -sum_of(k->pull, y)};
}

/* The step to the root from near by. */
CODE real velocity_step(const modes *m, const weights *k, const real y[2], const real v[2]) {
    return root_step(velocity(k, y, v), -sum_of(k->pull, v), sum_of_three(k->pull, m->square, y),
                     sum_of_three(k->pull, m->square, v));
}

/* From rest v_n is even in time: f + f2 d^2 / 2, less the bound of the fourth derivative. */
CODE real step_to_turn_from_rest(const modes *m, const motion *x, const weights *k, real value) {
    real second = -sum_of_three(k->pull, m->w, x->z), fourth = number(0);
    for (int i = 0; i < 2; i++) {
        fourth += size_of(k->pull[i]) * m->square[i] * m->w[i] * x->size[i];
    }
    return root_of(safe_root(value, second / 2, fourth / 24));
}

CODE void polish_turn(const modes *m, const weights *k, event *turn, truth here) {
    for (int i = 0; i < MAX_POLISH && any(here); i++) {
        real step = velocity_step(m, k, turn->y, turn->v);
        event next = later(m, turn, step);
        put_event(here, turn, &next);
        here = here & needs_polish(m, step);
    }
}

/* A search for the zeros of v_n one after another: sign v_n is positive from `time` on, where it is `from`. */
typedef struct turn_search {
    real sign, time;
    sample from;
} turn_search;

CODE turn_search turns_from(const imp_compliant_problem *p, const state *now) {
    sample f = {now->v_n, normal_acceleration(p, now)};
    real sign = pick((f.value < 0) | ((f.value == 0) & (f.slope < 0)), number(-1), number(1));
    return (turn_search){sign, number(0), {sign * f.value, sign * f.slope}};
}

/* Goes on to the zero that was found, where v_n changes its sign; there: the state then. */
CODE void pass_turn(turn_search *t, const imp_compliant_problem *p, const event *next,
                    const state *there, truth here) {
    put(here, &t->sign, -t->sign);
    put(here, &t->time, next->time);
    put(here, &t->from.value, number(0));
    put(here, &t->from.slope, size_of(normal_acceleration(p, there)));
}

/* The turns at these instants, near which their roots are; at: the state then. */
CODE event turns_at(const modes *m, const motion *x, const weights *k, real time, const instant *at,
                    truth near) {
    event turn = {.time = time};
    if (any(near)) {
        turn = event_at(m, x, time, at);
        polish_turn(m, k, &turn, near);
    }
    return turn;
}

/* The first zero of v_n after t->time, if it lies before `end`; after: the state at the end. Safe steps from
 * both sides soon show if there is no zero between. */
static inline event next_turn(const imp_compliant_problem *p, const modes *m, const motion *x,
                              const turn_search *t, real end, const state *after, real *budget,
                              truth here) {
    const weights k = weights_of(m, m->n, x, t->sign);
    sample f = t->from, back = {t->sign * after->v_n, t->sign * -normal_acceleration(p, after)};
    real limit = k.limit, time = t->time, found = number(NAN);
    real reach = pick(back.value > 0, safe_step(back, limit), number(0));
    truth moved = (size_of(x->y[0]) + size_of(x->y[1]) > 0) | (t->time > 0);
    real step = safe_step(f, limit);
    if (any(here & not(moved))) {
        put(not(moved), &step, step_to_turn_from_rest(m, x, &k, f.value));
    }
    instant at = {.y = {number(0), number(0)}};
    truth going = here, near = imp_lanes_all(false);
    for (;;) {
        put(going, budget, *budget - 1);
        going = going & (*budget > 0);
        real next = time + step;
        truth none = going & not((next + reach < end) & (next > time));
        put(none, &found, number(INFINITY));
        going = going & not(none);
        if (!any(going)) {
            break;
        }
        put(going, &time, next);
        instant now = at_time(m, x, pick(going, time, number(0)));
        f = velocity(&k, now.y, now.v);
        truth certain = going & near_root(f, limit, m->w[0]);
        put_instant(certain, &at, &now);
        put(certain, &found, time);
        near = near | certain;
        going = going & not(certain);
        f.value = positive_part(f.value);
        sample slow = {k.velocity[1] * now.v[1] - k.fast, -k.pull[1] * now.y[1]};
        step = step_of_slow(safe_step(f, limit), slow, k.slow, going & trembles(m));
    }
    return turns_at(m, x, &k, found, &at, near);
}

#endif
