/* The instants of a stick of two modes at which v_n vanishes. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_TURN_IMPL_H
#define IMP_MODELS_COMPLIANT_TURN_IMPL_H

#include "models/compliant/stick_impl.h"

/* The weights of the modes in a velocity, and in its derivatives; limit: the greatest size of its
 * second derivative. */
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
    return (sample){.value = sum_of(k->velocity, v), .slope = -sum_of(k->pull, y)};
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

/* A step from near a turn to it. Returns the lanes that need another. */
CODE truth polish_turn(const modes *m, const weights *k, event *turn, truth here) {
    real step = velocity_step(m, k, turn->y, turn->v);
    event next = later(m, turn, step);
    put_event(here, turn, &next);
    return here & needs_polish(m, step);
}

/* A search for the zeros of v_n one after another: sign v_n is positive from `time` on, where it is
 * `from`. */
typedef struct turn_search {
    real sign, time;
    sample from;
} turn_search;

CODE turn_search turns_from(const imp_compliant_problem *p, const state *now) {
    sample f = {.value = now->v_n, .slope = normal_acceleration(p, now)};
    real sign = pick((f.value < 0) | ((f.value == 0) & (f.slope < 0)), number(-1), number(1));
    return (turn_search){.sign = sign,
                         .time = number(0),
                         .from = {.value = sign * f.value, .slope = sign * f.slope}};
}

/* Goes on to the zero that was found, where v_n changes its sign; there: the state then. */
CODE void pass_turn(turn_search *t, const imp_compliant_problem *p, const event *next,
                    const state *there, truth here) {
    put(here, &t->sign, -t->sign);
    put(here, &t->time, next->time);
    put(here, &t->from.value, number(0));
    put(here, &t->from.slope, size_of(normal_acceleration(p, there)));
}

/* The search for the first zero after t->time. */
typedef struct next_search {
    weights k;
    sample f; /* at `time` */
    /* reach: the safe step backward from the end; found: as the time of an event. */
    real time, step, reach, found;
    truth going, near; /* near: the zero is near `found` */
    instant at;        /* the instant `found` */
} next_search;

/* Where v_n grows throughout a stick: inside the cone its rate delta - c u is at least (1 - mu |c|)
 * delta. */
CODE truth only_grows(const imp_compliant_problem *p) {
    return p->mu * size_of(p->c) <= 1;
}

/* after: the state at the end, before which the zero is sought. */
CODE void begin_next(next_search *n, const imp_compliant_problem *p, const modes *m,
                     const motion *x, const turn_search *t, const state *after, truth here) {
    n->k = weights_of(m, m->n, x, t->sign);
    n->f = t->from;
    n->time = t->time;
    n->found = number(NAN);
    n->going = here;
    n->near = imp_lanes_all(false);
    n->step = number(0);
    clear_instant(&n->at);
    sample back = {.value = t->sign * after->v_n,
                   .slope = t->sign * -normal_acceleration(p, after)};
    /* v_n that grows from below 0 to above 0 has its zero. */
    truth sure = only_grows(p) & (t->sign < 0) & (after->v_n > 0);
    truth ends_before = here & (back.value > 0) & not(sure);
    n->reach =
        any(ends_before) ? pick(ends_before, safe_step(back, n->k.limit), number(0)) : number(0);
    truth moved = (size_of(x->y[0]) + size_of(x->y[1]) > 0) | (t->time > 0);
    if (any(here & moved)) {
        n->step = safe_step(n->f, n->k.limit);
    }
    if (any(here & not(moved))) {
        put(not(moved), &n->step, step_to_turn_from_rest(m, x, &n->k, n->f.value));
    }
}

/* A step of the search, in lanes in which it goes on. Safe steps from both sides soon show if there
 * is no zero between. */
CODE void step_to_turn(next_search *n, const modes *m, const motion *x, real end, real *budget) {
    put(n->going, budget, *budget - 1);
    n->going = n->going & (*budget > 0);
    real next = n->time + n->step;
    truth none = n->going & not((next + n->reach < end) & (next > n->time));
    put(none, &n->found, number(INFINITY));
    n->going = n->going & not(none);
    if (!any(n->going)) {
        return;
    }
    put(n->going, &n->time, next);
    instant now = at_time(m, x, pick(n->going, n->time, number(0)));
    n->f = velocity(&n->k, now.y, now.v);
    truth certain = n->going & near_root(n->f, n->k.limit, m->w[0]);
    put_instant(certain, &n->at, &now);
    put(certain, &n->found, n->time);
    n->near = n->near | certain;
    n->going = n->going & not(certain);
    if (any(n->going)) {
        n->f.value = positive_part(n->f.value);
        sample slow = {.value = n->k.velocity[1] * now.v[1] - n->k.fast,
                       .slope = -n->k.pull[1] * now.y[1]};
        n->step =
            step_of_slow(safe_step(n->f, n->k.limit), slow, n->k.slow, n->going & trembles(m));
    }
}

/* Where a search has led, before it is polished. */
CODE event turn_near(const next_search *n, const modes *m, const motion *x) {
    return any(n->near) ? event_at(m, x, n->found, &n->at) : (event){.time = n->found};
}

/* The first zero of v_n after t->time, if it lies before `end`; after: the state at the end. */
static inline event next_turn(const imp_compliant_problem *p, const modes *m, const motion *x,
                              const turn_search *t, real end, const state *after, real *budget,
                              truth here) {
    next_search n;
    begin_next(&n, p, m, x, t, after, here);
    while (any(n.going)) {
        step_to_turn(&n, m, x, end, budget);
    }
    event turn = turn_near(&n, m, x);
    for (int i = 0; i < MAX_POLISH && any(n.near); i++) {
        n.near = polish_turn(m, &n.k, &turn, n.near);
    }
    return turn;
}

#endif
