/* Steps of the laws of power 1.5 and what is seen in them, in lanes. Compiled once for each width; see num/lanes.h. */
#include "models/compliant/power_block.h"
#include "num/lane_words.h"
#include "num/runge_kutta_lanes.h"
#include "num/two_thirds_lanes.h"

#define load imp_lanes_load
typedef imp_rk_lanes row;

/* Error of a step relative to 1 + |y|. */
static const double tolerance = 1e-12;

CODE real positive(real x) {
    return imp_lanes_larger(x, number(0));
}

CODE real cube(real x) {
    return x * x * x;
}

/* ---- what is known of the marches ---- */

typedef struct march {
    real a, c, mu, kappa, damping, slip, q, g;
    real along;                   /* slip: tangential force over the normal one */
    real sense;                   /* -1 or 1: direction in which a root as variable changes */
    truth sticks, by_u, by_delta; /* by_u, by_delta: roots are the variable */
    bool coupled, roots;          /* roots: some march has such a variable */
} march;

CODE march march_of(const imp_power_block *b) {
    march m = {.a = load(b->a),
               .c = load(b->c),
               .mu = load(b->mu),
               .kappa = load(b->kappa),
               .damping = load(b->damping),
               .slip = load(b->slip),
               .q = load(b->q),
               .g = load(b->g),
               .sense = load(b->sense),
               .by_u = load(b->by_u) != 0,
               .by_delta = load(b->by_delta) != 0,
               .coupled = b->coupled};
    m.along = -m.mu * m.slip;
    m.sticks = m.slip == 0;
    return m;
}

CODE row load_row(imp_power_column *from) {
    row y;
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        y.x[p] = load(from[p]);
    }
    return y;
}

CODE void store_row(imp_power_column *to, const row *y) {
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        imp_lanes_store(to[p], y->x[p]);
    }
}

/* ---- rates ---- */

/* In time, of stick, where the tangential force is known, and of slip. */
CODE void rates_under(const march *m, const row *y, real delta, real f_t, real root, row *rate) {
    real v_n = y->x[V_N], d = positive(delta);
    real f_n = d * root * positive(1 - m->damping * v_n);
    rate->x[U] = pick(m->sticks, y->x[V_T], number(0));
    rate->x[DELTA] = -v_n;
    rate->x[V_T] = pick(m->sticks, m->a * f_t + m->c * f_n, m->g * f_n);
    rate->x[V_N] = pick(m->sticks, m->c * f_t + f_n, m->q * f_n);
    rate->x[P_T] = pick(m->sticks, f_t, m->along * f_n);
    rate->x[P_N] = f_n;
    rate->x[WORK] = f_n * v_n;
    rate->x[TIME] = number(1);
}

CODE void rates_in_time(const march *m, const row *y, row *rate) {
    real u = y->x[U], root = imp_lanes_sqrt(positive(y->x[DELTA]));
    real f_t = -u * (m->coupled ? root : imp_lanes_sqrt(size_of(u)));
    rates_under(m, y, y->x[DELTA], f_t, root, rate);
}

/* In the variable of each march. Where that is a root, the row has the root in the place of its square: x in
 * the place of u = x |x|, the root of delta in the place of delta. */
CODE void rates_by_root(const march *m, const row *y, row *rate) {
    real u = y->x[U], x = y->x[DELTA], delta = pick(m->by_delta, x * x, x);
    real root = imp_lanes_sqrt(positive(delta));
    real f_t = -u * (m->coupled ? root : imp_lanes_sqrt(size_of(u)));
    rates_under(m, y, delta, pick(m->by_u, -u * u * u, f_t), root, rate);
    real pace = 2 * size_of(pick(m->by_u, u, x) / pick(m->by_u, y->x[V_T], y->x[V_N]));
    pace = pick(m->by_u | m->by_delta, pace, number(1));
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        rate->x[p] *= pace;
    }
    rate->x[U] = pick(m->by_u, m->sense, rate->x[U]);
    rate->x[DELTA] = pick(m->by_delta, m->sense, rate->x[DELTA]);
}

static inline void rates_of_time(const void *system, const row *y, row *rate) {
    rates_in_time(system, y, rate);
}

static inline void rates_of_root(const void *system, const row *y, row *rate) {
    rates_by_root(system, y, rate);
}

/* ---- steps ---- */

/* Time as a function of the variable of a step, at a point: its first two derivatives. */
typedef struct clock {
    real pace, turning;
} clock;

/* A step of each march of a block: its start and end, with the rates in time. */
typedef struct step {
    march m;
    row y, rate, end_rate;
    imp_rk_lanes_end end;
    real h, most; /* most: time that the next step may take */
    truth tries;
    clock from, to;
} step;

/* The root of a variable in the place of the variable, and back. */
CODE void enter_roots(const march *m, row *y) {
    real u = imp_lanes_sqrt(size_of(y->x[U])), delta = imp_lanes_sqrt(y->x[DELTA]);
    u = (real)((truth)u | ((truth)y->x[U] & INT64_MIN));
    y->x[U] = pick(m->by_u, u, y->x[U]);
    y->x[DELTA] = pick(m->by_delta, delta, y->x[DELTA]);
}

CODE void leave_roots(const march *m, const row *from, real h, row *end) {
    real x = from->x[U] + m->sense * h, root = from->x[DELTA] + m->sense * h;
    end->x[U] = pick(m->by_u, x * size_of(x), end->x[U]);
    end->x[DELTA] = pick(m->by_delta, root * root, end->x[DELTA]);
}

/* The ends of steps by s->h of the variables. */
CODE void take_step(step *s) {
    march *m = &s->m;
    m->roots = any(m->by_u | m->by_delta);
    if (!m->roots) {
        imp_rk_lanes_step(rates_of_time, m, &s->y, &s->rate, s->h, &s->end);
        return;
    }
    row y = s->y, rate;
    enter_roots(m, &y);
    rates_by_root(m, &y, &rate);
    imp_rk_lanes_step(rates_of_root, m, &y, &rate, s->h, &s->end);
    leave_roots(m, &y, s->h, &s->end.y);
}

/* Whether x, under the force x^1.5, passes 0 so fast that its speed hardly changes. */
CODE truth passes(real x, real v, real stiffness) {
    return v * v > 4 * stiffness * x * x * imp_lanes_sqrt(x);
}

/* Chooses the variable of the next step where `tries`. Returns the length of the step, which takes at most the
 * time `most` and ends at 0 of the variable at the latest. Powers of 1.5 are smooth except at 0: where the
 * indentation or u passes through 0, its square root is the variable, in which everything is smooth on either
 * side; elsewhere time is. */
CODE real choose_variable(march *m, const row *y, real most, truth tries) {
    real u = size_of(y->x[U]), delta = y->x[DELTA], v_t = y->x[V_T], v_n = y->x[V_N];
    truth by_delta = (delta < 4 * most * size_of(v_n)) &
                     passes(delta, v_n, 1 + m->mu * size_of(m->c) + size_of(m->c));
    truth by_u = ~by_delta & m->sticks & imp_lanes_all(!m->coupled) &
                 (u < 4 * most * size_of(v_t)) & passes(u, v_t, m->a + size_of(m->c));
    truth toward = pick(by_delta, v_n, -(y->x[U] * v_t)) > 0;
    real falls = pick(by_delta, -v_n, v_t);
    real x = imp_lanes_sqrt(pick(by_delta, delta, u)), way = size_of(falls) * most;
    real to = pick(way >= 0.99 * x * x, x, x - imp_lanes_sqrt(x * x - way));
    real length = pick(toward, to, imp_lanes_sqrt(x * x + way) - x);
    m->sense = pick(tries, pick(falls < 0, number(-1), number(1)), m->sense);
    m->by_delta = (tries & by_delta) | (~tries & m->by_delta);
    m->by_u = (tries & by_u) | (~tries & m->by_u);
    return pick(by_delta | by_u, length, most);
}

/* The estimated error of a step is too small where a force of power 1.5 passes through 0 within the step. */
CODE real doubt(const march *m, const row *y, const row *end) {
    truth by_u = m->by_u | imp_lanes_all(m->coupled) | ~m->sticks;
    truth across = ~by_u & (y->x[U] * end->x[U] < 0);
    truth below = ~(m->by_u | m->by_delta) & (end->x[DELTA] < 0);
    return pick(across | below, number(1e4), number(1));
}

/* Whether each step is within the tolerance; *most becomes the time that the next one may take. */
CODE truth is_good(const march *m, const row *y, const imp_rk_lanes_end *end, real h, real *most) {
    row weight;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        weight.x[i] = 1 / (tolerance * (1 + size_of(y->x[i])));
    }
    real error = imp_rk_lanes_error(end, &weight, h) * doubt(m, y, &end->y);
    real next = imp_rk_lanes_next(h, error) / h, took = end->y.x[TIME] - y->x[TIME];
    real longer = took * next, shorter = *most * pick(m->by_u | m->by_delta, next * next, next);
    longer = pick(took < 0.5 * *most, imp_lanes_larger(*most, longer), longer);
    truth good = error <= 1;
    *most = pick(good, longer, shorter);
    return good;
}
