/* Steps of rods on a viscoelastic surface, in lanes. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include "models/viscoelastic/block.h"
#include "models/viscoelastic/rod.h"
#include "num/lanes/exponential.h"
#include "num/lanes/trigonometry.h"
#include "num/lanes/gather.h"
#include "num/lanes/runge_kutta.h"

typedef imp_rk_lanes row;

enum { DEPTH = IMP_VISCOELASTIC_DEPTH, ANGLE, V_N, TURN, WORK_N, WORK_T, P_T, ELAPSED };

typedef struct rods {
    IMP_VISCOELASTIC_MOTION(real)
    truth sticks;
} rods;

typedef struct forces {
    real sine, cosine, tip_n, normal, tangential;
} forces;

CODE rods rods_of(const imp_viscoelastic_block *b) {
    rods m;
    enum { MEMBERS = offsetof(rods, sticks) / sizeof(real) };
    _Static_assert(sizeof b->motion == MEMBERS * sizeof b->motion.lever, "a list for both");
    load_columns((const double *)&b->motion, IMP_MOST_LANES, MEMBERS, (real *)&m);
    m.sticks = m.slip == 0;
    return m;
}

/* ---- forces ---- */

CODE real power_of(real size, real exponent) {
    real power = pick(exponent == 1, size, size * root_of(size));
    truth others = (exponent != 1) & (exponent != 1.5);
    if (any(others)) {
        put(others, &power, imp_lanes_power(size, exponent));
    }
    return power;
}

/* Above the surface the force continues smoothly, so that separation can be found from both
 * sides. */
CODE real elastic(const rods *m, real depth) {
    real force = power_of(size_of(depth), m->exponent);
    return m->stiffness * pick(depth < 0, -force, force);
}

/* The tangential force that keeps the tip from slipping; rod.c has it for one cell. */
CODE real holding_force(const rods *m, const forces *f, real w) {
    real s = f->sine, c = f->cosine;
    real arm = m->lever * m->lever * s * c, below = 1 / m->lightness + m->lever * m->lever * c * c;
    return (f->normal * arm - m->lever * s * w * w / m->lightness) / below;
}

CODE forces forces_at(const rods *m, const row *y) {
    forces f;
    imp_lanes_sine(y->x[ANGLE], &f.sine, &f.cosine);
    f.tip_n = y->x[V_N] + m->lever * y->x[TURN] * f.sine;
    f.normal = elastic(m, y->x[DEPTH]) * (1 - m->damping * f.tip_n);
    f.tangential = -m->friction * m->slip * f.normal;
    if (any(m->sticks)) {
        f.tangential = pick(m->sticks, holding_force(m, &f, y->x[TURN]), f.tangential);
    }
    return f;
}

CODE void rates_under(const rods *m, const row *y, const forces *f, row *rate) {
    /* In slip both impulses keep one ratio, so the tangential velocity follows from the normal
     * one. */
    real v_t = m->from_t - m->friction * m->slip * (y->x[V_N] - m->from_n);
    real tip_t = pick(m->sticks, number(0), v_t - m->lever * y->x[TURN] * f->cosine);
    rate->x[DEPTH] = -f->tip_n;
    rate->x[ANGLE] = y->x[TURN];
    rate->x[V_N] = f->normal;
    rate->x[TURN] = m->lightness * m->lever * (f->normal * f->sine - f->tangential * f->cosine);
    rate->x[WORK_N] = f->normal * f->tip_n;
    rate->x[WORK_T] = f->tangential * tip_t;
    rate->x[P_T] = f->tangential;
    rate->x[ELAPSED] = number(1);
}

CODE void rates(const void *system, const row *y, row *rate) {
    const rods *m = system;
    forces f = forces_at(m, y);
    rates_under(m, y, &f, rate);
}

/* ---- points ---- */

/* clearance: height of the other end above the surface; descent: the speed at which it comes
 * down. */
CODE void store_distances(const imp_viscoelastic_block *b, const rods *m, const row *y,
                          const forces *f, imp_viscoelastic_points *to) {
    real never = number(INFINITY), tip_t = imp_lanes_load(to->tip_t), depth = y->x[DEPTH];
    real clearance = f->cosine - depth, descent = f->sine * y->x[TURN] - f->tip_n;
    real grip = m->friction * f->normal - size_of(f->tangential);
    truth ends = imp_lanes_load(b->ends) != 0;
    truth breaks = m->sticks & (imp_lanes_load(b->latched) == 0);
    const real distance[IMP_VISCOELASTIC_EVENTS] = {
        [IMP_VISCOELASTIC_HALT] = pick(m->sticks, never, m->slip * tip_t),
        [IMP_VISCOELASTIC_BREAK] = pick(breaks, grip, never),
        [IMP_VISCOELASTIC_SURFACE] = depth,
        [IMP_VISCOELASTIC_RELEASE] = 1 - m->damping * f->tip_n,
        [IMP_VISCOELASTIC_TURNING] = -f->tip_n,
        [IMP_VISCOELASTIC_LYING] = pick(ends, clearance, never),
        [IMP_VISCOELASTIC_CLOSEST] = pick(ends & (clearance < depth), descent, never),
    };
    for (int k = 0; k < IMP_VISCOELASTIC_EVENTS; k++) {
        imp_lanes_store(to->distance[k], distance[k]);
    }
}

/* Along the plane. */
CODE real tip_acceleration(const rods *m, const row *y, const forces *f, const row *rate) {
    real w = y->x[TURN];
    return f->tangential - m->lever * (rate->x[TURN] * f->cosine - w * w * f->sine);
}

CODE void store_point(const imp_viscoelastic_block *b, const rods *m, const row *y,
                      imp_viscoelastic_points *to) {
    forces f = forces_at(m, y);
    row rate;
    rates_under(m, y, &f, &rate);
    imp_rk_lanes_store(to->y, y);
    imp_rk_lanes_store(to->rate, &rate);
    imp_lanes_store(to->sine, f.sine);
    imp_lanes_store(to->cosine, f.cosine);
    imp_lanes_store(to->tip_t,
                    imp_lanes_load(b->v_t) + y->x[P_T] - m->lever * y->x[TURN] * f.cosine);
    imp_lanes_store(to->slip_rate, m->slip * tip_acceleration(m, y, &f, &rate));
    store_distances(b, m, y, &f, to);
}

/* Lanes whose tip may have halted in the step although it slips at both ends: may_halt of events.c
 * in lanes. */
CODE truth dips(const imp_viscoelastic_block *b, real h) {
    real begin = imp_lanes_load(b->start.distance[IMP_VISCOELASTIC_HALT]),
         stop = imp_lanes_load(b->at.distance[IMP_VISCOELASTIC_HALT]),
         falls = imp_lanes_load(b->start.slip_rate), rises = imp_lanes_load(b->at.slip_rate);
    return (falls < 0) & (rises > 0) & ((begin + falls * h <= 0) | (stop - rises * h <= 0));
}

/* Lanes in which no event lies between the ends of the step, and slip or stick is possible at its
 * end. */
CODE truth is_plain(const imp_viscoelastic_block *b, real h) {
    truth happens = (imp_lanes_load(b->shown) != 0) | dips(b, h) |
                    (imp_lanes_load(b->at.distance[IMP_VISCOELASTIC_HALT]) <= 0) |
                    (imp_lanes_load(b->at.distance[IMP_VISCOELASTIC_BREAK]) <= 0);
    for (int k = 0; k < IMP_VISCOELASTIC_EVENTS; k++) {
        real start = imp_lanes_load(b->start.distance[k]), stop = imp_lanes_load(b->at.distance[k]);
        happens |= (start > 0) & (stop <= 0) & (start < INFINITY);
    }
    return not(happens);
}

/* ---- steps ---- */

CODE row weights(const imp_viscoelastic_block *b) {
    row weight;
    for (int p = 0; p < IMP_RK_SIZE; p++) {
        weight.x[p] = number(1 / imp_viscoelastic_tolerance);
    }
    weight.x[DEPTH] = imp_lanes_load(b->weight_depth);
    weight.x[ANGLE] = imp_lanes_load(b->weight_angle);
    weight.x[ELAPSED] = number(0);
    return weight;
}

/* Moves rods to the ends of their steps. */
CODE void take(imp_viscoelastic_block *b, truth taken) {
    imp_lane_column *to = (imp_lane_column *)&b->start, *from = (imp_lane_column *)&b->at;
    for (size_t k = 0; k < sizeof b->start / sizeof *to; k++) {
        imp_lanes_store(to[k], pick(taken, imp_lanes_load(from[k]), imp_lanes_load(to[k])));
    }
}

IMP_IN_LANES(imp_viscoelastic_round, (imp_viscoelastic_block * b)) {
    rods m = rods_of(b);
    row y = imp_rk_lanes_load(b->start.y), rate = imp_rk_lanes_load(b->start.rate),
        weight = weights(b);
    truth tries = imp_lanes_load(b->tries) != 0;
    real next = imp_lanes_load(b->next), h = smaller(imp_lanes_load(b->longest), next);
    imp_rk_lanes_end end;
    h = pick(tries, h, imp_lanes_load(b->length));
    imp_rk_lanes_step(rates, &m, &y, &rate, h, &end);
    real error = imp_rk_lanes_error(&end, &weight, h);
    imp_lanes_store(b->next, pick(tries, imp_rk_lanes_next(h, error), next));
    imp_lanes_store(b->length, h);
    store_point(b, &m, &end.y, &b->at);
    truth good = error <= 1, taken = tries & good & is_plain(b, h);
    real came =
        pick(tries & not(good), number(IMP_VISCOELASTIC_REFUSED), number(IMP_VISCOELASTIC_STOPPED));
    imp_lanes_store(b->came, pick(taken, number(IMP_VISCOELASTIC_TAKEN), came));
    take(b, taken);
}

IMP_IN_LANES(imp_viscoelastic_enter, (imp_viscoelastic_block * b)) {
    rods m = rods_of(b);
    row y = imp_rk_lanes_load(b->start.y);
    store_point(b, &m, &y, &b->start);
}
