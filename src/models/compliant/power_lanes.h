/* Steps of the laws of power 1.5 in lanes; see num/lanes/lanes.h. */
#ifndef IMP_MODELS_COMPLIANT_POWER_LANES_H
#define IMP_MODELS_COMPLIANT_POWER_LANES_H

#include "models/compliant/power_block.h"
#include "num/lanes/words.h"
#include "num/lanes/runge_kutta.h"
#include "num/lanes/two_thirds.h"

typedef imp_rk_lanes row;

/* Of a column the numbers of the first marches, as many as the register holds. */
CODE real load(const double *column) {
    return imp_lanes_load(column);
}

/* The error of a step is at most 1 over this, relative to about 1 + |y|. */
static const double exactness = 1e12;

CODE real positive(real x) {
    return imp_lanes_larger(x, number(0));
}

CODE real cube(real x) {
    return x * x * x;
}

/* ---- the phases that the marches pass through ---- */

typedef struct phase {
    real a, c, mu, kappa, damping, slip, q, g;
    real along;                   /* slip: tangential force over the normal one */
    real sense;                   /* -1 or 1: direction in which a root as variable changes */
    truth sticks, by_u, by_delta; /* by_u, by_delta: roots are the variable */
    bool coupled, roots;          /* roots: some march has such a variable */
} phase;

CODE void load_phase(const imp_compliant_power_block *b, phase *m) {
    m->a = load(b->a);
    m->c = load(b->c);
    m->mu = load(b->mu);
    m->kappa = load(b->kappa);
    m->damping = load(b->damping);
    m->slip = load(b->slip);
    m->q = load(b->q);
    m->g = load(b->g);
    m->along = -m->mu * m->slip;
    m->sense = load(b->sense);
    m->sticks = m->slip == 0;
    m->by_u = load(b->by_u) != 0;
    m->by_delta = load(b->by_delta) != 0;
    m->coupled = b->coupled;
    m->roots = any(m->by_u | m->by_delta);
}

/* ---- rates ---- */

/* In time, of stick, where the tangential force is known, and of slip. */
CODE void rates_under(const phase *m, const row *y, real delta, real f_t, real root, row *rate) {
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

CODE void rates_in_time(const phase *m, const row *y, row *rate) {
    real u = y->x[U], root = imp_lanes_sqrt(positive(y->x[DELTA]));
    real f_t = -u * (m->coupled ? root : imp_lanes_sqrt(size_of(u)));
    rates_under(m, y, y->x[DELTA], f_t, root, rate);
}

/* In the variable of each march. Where that is a root, the row has the root in the place of its
 * square: x in the place of u = x |x|, the root of delta in the place of delta. */
CODE void rates_by_root(const phase *m, const row *y, row *rate) {
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

/* ---- the variable of a step ---- */

/* Whether x, under the force x^1.5, passes 0 so fast that its speed hardly changes. */
CODE truth passes(real x, real v, real stiffness) {
    const double least = 64;
    real square = v * v, force = least * stiffness * x * x;
    return square * square > force * force * x;
}

/* Chooses the variable of the next step where `tries`. Powers of 1.5 are smooth except at 0: where
 * the indentation or u passes through 0, its square root is the variable, in which everything is
 * smooth on either side; elsewhere time is. Where both pass, it is the one that is nearer to 0; at
 * first touch both are as near, and smooth in either root. */
CODE void choose_variable(phase *m, const row *y, truth tries) {
    real u = size_of(y->x[U]), delta = y->x[DELTA], v_t = y->x[V_T], v_n = y->x[V_N];
    real pull = pick(m->sticks, 1 + size_of(m->c), size_of(m->q));
    truth near_u = 2 * u * size_of(v_n) < delta * size_of(v_t);
    truth may = m->sticks & imp_lanes_all(!m->coupled);
    truth by_u = may & near_u & passes(u, v_t, m->a + size_of(m->c));
    truth by_delta = ~by_u & passes(delta, v_n, pull);
    m->by_delta = (tries & by_delta) | (~tries & m->by_delta);
    m->by_u = (tries & by_u) | (~tries & m->by_u);
    m->roots = any(m->by_u | m->by_delta);
    truth falls = pick(m->by_delta, -v_n, v_t) < 0;
    m->sense = pick(tries, pick(falls, number(-1), number(1)), m->sense);
}

/* The root that is the variable where a step starts; it has the sign of u. */
CODE real root_at(const phase *m, const row *y) {
    real root = imp_lanes_sqrt(pick(m->by_delta, y->x[DELTA], size_of(y->x[U])));
    return (real)((truth)root | (m->by_u & (truth)y->x[U] & INT64_MIN));
}

/* The length of a step that takes at most the time `most` and ends at 0 of the variable at the
 * latest. */
CODE real length_of(const phase *m, const row *y, real root, real most) {
    real v_n = y->x[V_N], v_t = y->x[V_T], x = size_of(root);
    truth toward = pick(m->by_delta, v_n, -(y->x[U] * v_t)) > 0;
    real way = size_of(pick(m->by_delta, v_n, v_t)) * most;
    real end = imp_lanes_sqrt(x * x + pick(toward, -way, way));
    real to = pick(way >= 0.99 * x * x, x, x - end);
    return pick(m->by_delta | m->by_u, pick(toward, to, end - x), most);
}

/* Time as a function of the variable of a step, at a point: its first two derivatives. */
typedef struct clock {
    real pace, turning;
    real inverse; /* of the speed of a variable that is a root, without its sign */
} clock;

/* root: the variable there; h: from the start of the step. */
CODE clock clock_of(const phase *m, const row *y, const row *rate, real root, real h) {
    if (!m->roots) {
        return (clock){.pace = number(1), .turning = number(0), .inverse = number(1)};
    }
    real v = pick(m->by_u, y->x[V_T], -y->x[V_N]), inverse = 1 / v;
    real change = pick(m->by_u, rate->x[V_T], -rate->x[V_N]) * inverse;
    truth leaves = (truth)pick(root != 0, (real)(root * v > 0), (real)(h == 0));
    real lead = 2 * size_of(inverse);
    lead = pick(m->by_u, pick(leaves, lead, -lead), 2 * inverse);
    real turning = lead - 4 * root * root * change * inverse * inverse;
    truth roots = m->by_u | m->by_delta;
    return (clock){.pace = pick(roots, 2 * size_of(root * inverse), number(1)),
                   .turning = pick(roots, turning, number(0)),
                   .inverse = size_of(inverse)};
}

/* The time of a step of some length from a point, to 0 of the variable at the latest. */
CODE real time_of(const phase *m, real root, const clock *at, real length) {
    real x = size_of(root), most = imp_lanes_smaller(length, x);
    truth toward = root * m->sense < 0;
    real way = pick(toward, most * (2 * x - most), length * (2 * x + length));
    return pick(m->by_u | m->by_delta, way * at->inverse, length);
}

/* ---- steps ---- */

/* A step of each march of a block: its start and end, with the rates in time. */
typedef struct step {
    phase m;
    row y, rate, end_rate;
    imp_rk_lanes_end end;
    real h, most; /* most: time that the next step may take */
    real best;    /* length that would have been best for the step before, in the same variable */
    real root, end_root; /* the variable at the start and at the end, where it is a root */
    truth tries;
    clock from, to;
} step;

/* The root of a variable in the place of the variable, and rates in the root. */
CODE void enter_roots(const step *s, row *y, row *rate) {
    const phase *m = &s->m;
    y->x[U] = pick(m->by_u, s->root, y->x[U]);
    y->x[DELTA] = pick(m->by_delta, s->root, y->x[DELTA]);
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        rate->x[p] *= s->from.pace;
    }
    rate->x[U] = pick(m->by_u, m->sense, rate->x[U]);
    rate->x[DELTA] = pick(m->by_delta, m->sense, rate->x[DELTA]);
}

/* What is known at the ends of steps. */
CODE void arrive(step *s) {
    const phase *m = &s->m;
    row *end = &s->end.y;
    end->x[U] = pick(m->by_u, s->end_root * size_of(s->end_root), end->x[U]);
    end->x[DELTA] = pick(m->by_delta, s->end_root * s->end_root, end->x[DELTA]);
    rates_in_time(m, end, &s->end_rate);
    s->to = clock_of(m, end, &s->end_rate, s->end_root, s->h);
}

/* The ends of steps by s->h of their variables. */
CODE void take_step(step *s) {
    s->from = clock_of(&s->m, &s->y, &s->rate, s->root, number(0));
    s->end_root = s->root + s->m.sense * s->h;
    if (s->m.roots) {
        row y = s->y, rate = s->rate;
        enter_roots(s, &y, &rate);
        imp_rk_lanes_step(rates_of_root, &s->m, &y, &rate, s->h, &s->end);
    } else {
        imp_rk_lanes_step(rates_of_time, &s->m, &s->y, &s->rate, s->h, &s->end);
    }
    arrive(s);
}

/* The estimated error of a step is too small where a force of power 1.5 passes through 0 within the
 * step. */
CODE truth is_doubtful(const phase *m, const row *y, const row *end) {
    truth by_u = m->by_u | imp_lanes_all(m->coupled) | ~m->sticks;
    truth across = ~by_u & (y->x[U] * end->x[U] < 0);
    truth below = ~(m->by_u | m->by_delta) & (end->x[DELTA] < 0);
    return across | below;
}

static const int64_t bits_of_one = INT64_C(0x3ff) << 52;

/* 1 / x for x >= 1, at most an eighth too large. */
CODE real rough_inverse(real x) {
    return (real)(2 * bits_of_one - (truth)x);
}

/* The root of degree 16 of x > 0, within 6 %. */
CODE real rough_root(real x) {
    return (real)(((truth)x >> 4) + (bits_of_one - (bits_of_one >> 4)));
}

/* The inverse square of a step's error over the tolerance; NaN or 0 if the step left the domain. */
CODE real ease_of(const step *s) {
    const imp_rk_lanes_end *end = &s->end;
    real fifth = number(0), third = fifth;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        real weight = exactness * rough_inverse(1 + size_of(s->y.x[i]));
        real e5 = end->error5.x[i] * weight, e3 = end->error3.x[i] * weight;
        fifth += e5 * e5;
        third += e3 * e3;
    }
    real both = fifth + 0.01 * third, error = s->h * fifth;
    real ease = IMP_RK_SIZE * both / (error * error);
    ease = pick(is_doubtful(&s->m, &s->y, &end->y), 1e-8 * ease, ease);
    return pick(both == 0, number(INFINITY), ease);
}

/* Whether each step is within the tolerance; *most becomes the time that the next one may take, and
 * *best the length that would have been best for this one. Where steps become shorter they go on to
 * do so. */
CODE truth is_good(const step *s, real *most, real *best) {
    real ease = ease_of(s), took = s->end.y.x[TIME] - s->y.x[TIME];
    real next = imp_lanes_smaller(number(6), 0.9 * rough_root(ease));
    next = pick(ease > 0, imp_lanes_larger(number(0.2), next), number(0.1));
    real length = next * s->h, shorter = time_of(&s->m, s->root, &s->from, length);
    real trend = imp_lanes_smaller(length / s->best, number(1));
    trend = imp_lanes_larger(trend, number(0.5));
    real longer = time_of(&s->m, s->end_root, &s->to, length * trend);
    longer = imp_lanes_smaller(longer, 36 * took);
    longer = pick(took < 0.5 * *most, imp_lanes_larger(*most, longer), longer);
    truth good = ease >= 1;
    *most = pick(good, longer, shorter);
    *best = pick(good, length, *best);
    return good;
}

#endif
