/* The motions of stick under the law `dashpot` in lanes, and the share of each in elongations and
 * rates: as dashpot_motion.c. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_SHARES_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_SHARES_LANES_H

#include "models/compliant/dashpot_contacts_lanes.h"
#include "models/compliant/dashpot_roots.h"

enum { ALONG_T, ALONG_N }; /* u and -delta */

/* As dashpot_motion. */
typedef struct shares {
    motions m;
    real x[2][2], v[2][2]; /* motion, direction */
    real rest[2];
} shares;

CODE real lesser_difference(real a, real b, real c, real d) {
    return pick(size_of(a) + size_of(b) < size_of(c) + size_of(d), a - b, c - d);
}

/* What two factors have in common: 0 where they share a root. */
CODE real resultant(const damped *one, const damped *other) {
    real p = other->p - one->p, q = other->q - one->q;
    return q * q - p * (q * one->p - p * one->q);
}

/* As find_share of dashpot_motion.c. */
CODE void find_share(const imp_compliant_problem *p, const damped *one, const damped *other,
                     const real x[2], const real v[2], real share_x[2], real share_v[2]) {
    real t = p->drag, n = p->damping, dp = other->p - one->p, dq = other->q - one->q;
    real inverse = 1 / resultant(one, other);
    real at = p->a * t, det = p->determinant, high = one->p * other->q, low = one->q * other->p;
    const real rest[2] = {lesser_difference(other->p, at, n, one->p) * v[ALONG_T] +
                              (other->q - p->a) * x[ALONG_T] - p->c * (x[ALONG_N] + n * v[ALONG_N]),
                          lesser_difference(other->p, n, at, one->p) * v[ALONG_N] +
                              (other->q - 1) * x[ALONG_N] - p->c * (x[ALONG_T] + t * v[ALONG_T])};
    const real turned_back[2] = {(1 - one->q) * v[ALONG_T] - p->c * v[ALONG_N] +
                                     lesser_difference(high, det * n, det * t, low) * x[ALONG_T],
                                 (p->a - one->q) * v[ALONG_N] - p->c * v[ALONG_T] +
                                     lesser_difference(high, det * t, det * n, low) * x[ALONG_N]};
    for (int i = 0; i < 2; i++) {
        share_x[i] = (dq * rest[i] - dp * turned_back[i]) * inverse;
        share_v[i] = (dq * (turned_back[i] - one->p * rest[i]) + dp * one->q * rest[i]) * inverse;
    }
}

CODE truth adds_up(real share[2][2], const real x[2]) {
    const double rounding = 1e-14;
    real size = rounding * (size_of(x[0]) + size_of(x[1]));
    return (size_of(share[0][0] + share[1][0] - x[0]) <= size) &
           (size_of(share[0][1] + share[1][1] - x[1]) <= size);
}

CODE void put_share(truth here, real share[2][2], real value[2][2]) {
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            put(here, &share[j][i], value[j][i]);
        }
    }
}

/* The second share is what the first one leaves, unless both are known more exactly. */
CODE void share_in_quartic(const imp_compliant_problem *p, shares *m, const real x[2],
                           const real v[2], truth here) {
    real of_x[2][2], of_v[2][2];
    for (int j = 0; j < 2; j++) {
        find_share(p, &m->m.d[j], &m->m.d[1 - j], x, v, of_x[j], of_v[j]);
    }
    truth adds = adds_up(of_x, x) & adds_up(of_v, v);
    for (int i = 0; i < 2; i++) {
        put(not(adds), &of_x[1][i], x[i] - of_x[0][i]);
        put(not(adds), &of_v[1][i], v[i] - of_v[0][i]);
    }
    put_share(here, m->x, of_x);
    put_share(here, m->v, of_v);
}

/* Two motions along a unit vector and across it. */
CODE void share_in_modes(shares *m, const real x[2], const real v[2], const real unit[2],
                         truth here) {
    real along = unit[ALONG_T] * x[ALONG_T] + unit[ALONG_N] * x[ALONG_N];
    real speed = unit[ALONG_T] * v[ALONG_T] + unit[ALONG_N] * v[ALONG_N];
    for (int i = 0; i < 2; i++) {
        put(here, &m->x[0][i], along * unit[i]);
        put(here, &m->v[0][i], speed * unit[i]);
        put(here, &m->x[1][i], x[i] - along * unit[i]);
        put(here, &m->v[1][i], v[i] - speed * unit[i]);
    }
}

/* One motion, along (c, 1), around a place where the springs balance each other. */
CODE void share_of_constrained(const imp_compliant_problem *p, shares *m, const real x[2],
                               const real v[2], truth here) {
    const real none = number(0);
    real shift = (x[ALONG_T] - p->c * x[ALONG_N]) / (1 + p->c * p->c);
    put(here, &m->rest[ALONG_T], shift);
    put(here, &m->rest[ALONG_N], -p->c * shift);
    real along = x[ALONG_N] - m->rest[ALONG_N], speed = v[ALONG_N];
    put_share(here, m->x, (real[2][2]){{p->c * along, along}, {none, none}});
    put_share(here, m->v, (real[2][2]){{p->c * speed, speed}, {none, none}});
}

/* Which kind of shares each contact has. */
typedef struct kinds {
    truth constrained, apart, modes, quartic;
} kinds;

CODE kinds kinds_of(const imp_compliant_problem *p, truth here) {
    kinds k = {.constrained = here & p->constrained};
    here = here & not(p->constrained);
    k.apart = here & is_apart(p);
    k.modes = here & not(k.apart) & (p->damping == p->drag);
    k.quartic = here & not(k.apart) & not(k.modes);
    return k;
}

/* The roots of quartics, which neighbours often share. */
typedef struct known_roots {
    real given[IMP_COMPLIANT_DASHPOT_GIVEN], p[2], q[2];
} known_roots;

static __attribute__((noinline)) void find_roots(const real *given, const truth *here,
                                                 known_roots *known) {
    enum { GIVEN = IMP_COMPLIANT_DASHPOT_GIVEN };
    imp_compliant_dashpot_factors last = {.given = {0}};
    unsigned wanted = imp_lanes_where(*here);
    for (int lane = 0; lane < IMP_LANES; lane++) {
        if (wanted >> lane & 1) {
            double one[GIVEN];
            for (int i = 0; i < GIVEN; i++) {
                one[i] = imp_lanes_get(given[i], lane);
            }
            imp_compliant_dashpot_find_factors(one, &last);
        }
        for (int i = 0; i < GIVEN; i++) {
            imp_lanes_set(&known->given[i], lane, last.given[i]);
        }
        for (int j = 0; j < 2; j++) {
            imp_lanes_set(&known->p[j], lane, last.p[j]);
            imp_lanes_set(&known->q[j], lane, last.q[j]);
        }
    }
}

CODE void learn_roots(const imp_compliant_problem *p, known_roots *known, truth here) {
    const real given[] = {IMP_COMPLIANT_QUARTIC(IMP_COMPLIANT_IN_PLACE)};
    truth new = not(here) & here;
    for (int i = 0; i < IMP_COMPLIANT_DASHPOT_GIVEN; i++) {
        new = new | (here & (given[i] != known->given[i]));
    }
    if (any(new)) {
        find_roots(given, &here, known);
    }
}

/* Springs with the same ratio of damping to stiffness: the modes of the springs, each damped. f: p
 * and q of both. */
CODE void use_modes(const imp_compliant_problem *p, shares *m, real f[2][2], const real x[2],
                    const real v[2], truth here) {
    real half = (p->a - 1) / 2, size = root_of(half * half + p->c * p->c);
    real square = (p->a + 1) / 2 + size, other = p->determinant / square;
    truth steep = half > 0;
    real t = pick(steep, half + size, p->c), n = pick(steep, p->c, size - half);
    real length = root_of(t * t + n * n);
    const real unit[2] = {t / length, n / length};
    put_share(here, f, (real[2][2]){{p->damping * square, square}, {p->damping * other, other}});
    share_in_modes(m, x, v, unit, here);
}

/* One motion, for both. */
CODE void use_constraint(const imp_compliant_problem *p, shares *m, real f[2][2], const real x[2],
                         const real v[2], truth here) {
    real damping = p->damping + p->c * p->c * p->drag, stiffness = 1 + p->c * p->c;
    put_share(here, f, (real[2][2]){{damping, stiffness}, {damping, stiffness}});
    share_of_constrained(p, m, x, v, here);
}

CODE void use_quartic(const imp_compliant_problem *p, known_roots *known, real f[2][2],
                      truth here) {
    learn_roots(p, known, here);
    put_share(here, f, (real[2][2]){{known->p[0], known->q[0]}, {known->p[1], known->q[1]}});
}

CODE void set_shares(const contacts *k, known_roots *known, shares *m, truth here) {
    const imp_compliant_problem *p = k->p;
    const real x[2] = {k->now.u, -k->now.delta}, v[2] = {k->now.v_t, k->now.v_n}, none = number(0);
    kinds are = kinds_of(p, here);
    /* Lanes of no kind have the motions of elongations that do not act on each other. */
    for (int i = 0; i < 2; i++) {
        m->x[i][i] = x[i];
        m->v[i][i] = v[i];
        m->x[i][1 - i] = m->v[i][1 - i] = m->rest[i] = none;
    }
    real f[2][2] = {{p->a * p->drag, p->a}, {p->damping, number(1)}};
    if (any(are.modes)) {
        use_modes(p, m, f, x, v, are.modes);
    }
    if (any(are.constrained)) {
        use_constraint(p, m, f, x, v, are.constrained);
    }
    if (any(are.quartic)) {
        use_quartic(p, known, f, are.quartic);
    }
    set_damped(&m->m.d[0], f[0][0], f[0][1]);
    set_damped(&m->m.d[1], f[1][0], f[1][1]);
    set_bounds(&m->m.d[0]);
    set_bounds(&m->m.d[1]);
    m->m.relaxes = false;
    m->m.rests = any(are.constrained);
    m->m.relax = none;
    if (any(are.quartic)) {
        share_in_quartic(p, m, x, v, are.quartic);
    }
}

CODE sight sight_of(const shares *m, const real of_x[2], const real of_v[2]) {
    sight s = {.constant = of_x[0] * m->rest[0] + of_x[1] * m->rest[1]};
    for (int j = 0; j < 2; j++) {
        const damped *d = &m->m.d[j];
        s.value[j] = s.rate[j] = number(0);
        for (int i = 0; i < 2; i++) {
            real x = m->x[j][i], v = m->v[j][i];
            s.value[j] += of_x[i] * x + of_v[i] * v;
            s.rate[j] += of_x[i] * v - of_v[i] * (d->p * v + d->q * x);
        }
    }
    return s;
}

#endif
