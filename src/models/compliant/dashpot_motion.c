/* The motions of stick, x'' = -B (x + damping x') with x = (u, -delta). */
#include <math.h>
#include <string.h>

#include "models/compliant/dashpot_impl.h"
#include "num/bracket.h"
#include "num/larger.h"
#include "num/wide.h"

/* ---- two motions of a quartic ---- */

/* s^4 + a s^3 + b s^2 + c s + d, none negative. */
typedef struct quartic {
    double a, b, c, d;
} quartic;

/* s^2 + p s + q. */
typedef struct quadratic {
    double p, q;
} quadratic;

static quartic quartic_of(const double given[IMP_COMPLIANT_DASHPOT_GIVEN]) {
    double a = given[IMP_COMPLIANT_QUARTIC_a], det = given[IMP_COMPLIANT_QUARTIC_determinant],
           n = given[IMP_COMPLIANT_QUARTIC_damping], t = given[IMP_COMPLIANT_QUARTIC_drag];
    return (quartic){.a = a * t + n, .b = (a + 1) + det * n * t, .c = det * (n + t), .d = det};
}

/* A y for which the quartic has real factors with q1 + q2 = y: a root of a cubic between 2
 * sqrt(d), where that is minus a square, and b, where it is a sum of products of what is not
 * negative. */
static double resolvent(const quartic *k) {
    enum { MOST = 200 };
    double b1 = k->a * k->c - 4 * k->d;
    double b0 = k->a * k->a * k->d - 4 * k->b * k->d + k->c * k->c;
    imp_bracket range = {.low = 2 * sqrt(k->d), .high = k->b};
    double y = k->b;
    for (int i = 0; i < MOST; i++) {
        double value = ((y - k->b) * y + b1) * y - b0, slope = (3 * y - 2 * k->b) * y + b1;
        double newton = y - value / slope;
        if (fabs(newton - y) <= 1e-15 * y) {
            break; /* a root: the other end of the bracket may still be far below, beyond others */
        }
        imp_bracket_cut(&range, y, value < 0);
        double next = imp_bracket_next(&range, newton);
        if (!imp_bracket_holds(&range, next) || fabs(next - y) <= 1e-15 * y) {
            break;
        }
        y = next;
    }
    return y;
}

static void factors_near(const quartic *k, quadratic f[2]) {
    double y = resolvent(k), half = y / 2;
    double apart = sqrt(imp_larger(half * half - k->d, 0));
    f[0].q = half + apart;
    f[1].q = k->d / f[0].q;
    double product = imp_larger(k->b - y, 0), mean = k->a / 2;
    double split = sqrt(imp_larger(mean * mean - product, 0));
    double first = mean * (f[0].q + f[1].q), turned = split * (f[0].q - f[1].q);
    /* p1 q2 + p2 q1 = c says which is which. */
    bool larger_first = fabs(first - turned - k->c) < fabs(first + turned - k->c);
    double high = mean + split, low = high > 0 ? product / high : 0;
    f[0].p = larger_first ? high : low;
    f[1].p = larger_first ? low : high;
}

/* Of four real roots the two in the middle may be near each other, as those of one direction with
 * critical damping beside one with more. Then they belong together: the digits of factors that
 * nearly share a root are lost in those of the quartic, and polishing does not bring them back. */
static void pair_roots(quadratic f[2]) {
    imp_damped d[2] = {imp_damped_of(f[0].p, f[0].q), imp_damped_of(f[1].p, f[1].q)};
    if (d[0].swings || d[1].swings) {
        return;
    }
    int upper = d[0].slow + d[0].fast > d[1].slow + d[1].fast ? 0 : 1;
    const imp_damped *high = &d[upper], *low = &d[1 - upper];
    double r1 = high->slow, r4 = low->fast;
    double r2 = imp_larger(high->fast, low->slow), r3 = imp_smaller(high->fast, low->slow);
    bool paired = r1 < low->slow || high->fast < r4;
    if (paired || (r1 - r4) * (r2 - r3) >= (r1 - r2) * (r3 - r4)) {
        return;
    }
    f[0] = (quadratic){.p = -(r1 + r4), .q = r1 * r4};
    f[1] = (quadratic){.p = -(r2 + r3), .q = r2 * r3};
}

static imp_wide less_product(imp_wide from, double a, double b) {
    return imp_wide_add(from, imp_wide_minus(imp_wide_product(a, b)));
}

/* What the quartic has more than the product of both factors: r3 s^3 + ... + r0. */
static void rest_of(const quartic *k, const quadratic f[2], double r[4]) {
    imp_wide q = imp_wide_sum(-f[0].q, -f[1].q), p = imp_wide_sum(-f[0].p, -f[1].p);
    r[3] = imp_wide_add(imp_wide_of(k->a), p).high;
    r[2] = less_product(imp_wide_add(imp_wide_of(k->b), q), f[0].p, f[1].p).high;
    r[1] = less_product(less_product(imp_wide_of(k->c), f[0].p, f[1].q), f[1].p, f[0].q).high;
    r[0] = less_product(imp_wide_of(k->d), f[0].q, f[1].q).high;
}

/* What two factors have in common: 0 where they share a root. */
static double resultant(const quadratic *one, const quadratic *other) {
    double p = other->p - one->p, q = other->q - one->q;
    return q * q - p * (q * one->p - p * one->q);
}

/* The change of `one` that takes the rest away: rest / other, modulo one. */
static quadratic change_of(const quadratic *one, const quadratic *other, const double r[4]) {
    double p = other->p - one->p, q = other->q - one->q, common = resultant(one, other);
    double top = r[2] - r[3] * one->p; /* the rest modulo one */
    double slope = r[1] - r[3] * one->q - top * one->p, value = r[0] - top * one->q;
    double of_s = q - p * one->p; /* the inverse of `other` is (of_s - p s) / common */
    double square = -p * slope;
    return (quadratic){.p = (slope * of_s - p * value - square * one->p) / common,
                       .q = (value * of_s - square * one->q) / common};
}

static void polish(const quartic *k, quadratic f[2]) {
    for (int i = 0; i < 6; i++) {
        double r[4];
        rest_of(k, f, r);
        quadratic a = change_of(&f[0], &f[1], r), b = change_of(&f[1], &f[0], r);
        quadratic next[2] = {{.p = f[0].p + a.p, .q = f[0].q + a.q},
                             {.p = f[1].p + b.p, .q = f[1].q + b.q}};
        bool holds = next[0].p >= 0 && next[1].p >= 0 && next[0].q > 0 && next[1].q > 0;
        bool same = next[0].p == f[0].p && next[0].q == f[0].q && next[1].p == f[1].p &&
                    next[1].q == f[1].q;
        if (!holds || same) {
            return;
        }
        f[0] = next[0];
        f[1] = next[1];
    }
}

/* ---- the share of each motion ---- */

/* a - b, which equals c - d: from the smaller numbers. */
static double lesser_difference(double a, double b, double c, double d) {
    return fabs(a) + fabs(b) < fabs(c) + fabs(d) ? a - b : c - d;
}

/* The share of a motion in x and v: what the other one cannot have. `rest` is x'' + p x' + q x with
 * the p and q of the other, and `turned` its rate and p of this one times itself. Where a dashpot
 * is strong the terms of both are large and cancel: here they are put together by the equations of
 * motion and those of the coefficients first. */
static void find_share(const imp_compliant_problem *p, const imp_damped *one,
                       const imp_damped *other, const double x[2], const double v[2],
                       double share_x[2], double share_v[2]) {
    double t = p->drag, n = p->damping, dp = other->p - one->p, dq = other->q - one->q;
    double common = resultant(&(quadratic){.p = one->p, .q = one->q},
                              &(quadratic){.p = other->p, .q = other->q});
    double at = p->a * t, det = p->determinant, high = one->p * other->q, low = one->q * other->p;
    const double rest[2] = {lesser_difference(other->p, at, n, one->p) * v[ALONG_T] +
                                (other->q - p->a) * x[ALONG_T] -
                                p->c * (x[ALONG_N] + n * v[ALONG_N]),
                            lesser_difference(other->p, n, at, one->p) * v[ALONG_N] +
                                (other->q - 1) * x[ALONG_N] - p->c * (x[ALONG_T] + t * v[ALONG_T])};
    const double turned[2] = {(1 - one->q) * v[ALONG_T] - p->c * v[ALONG_N] +
                                  lesser_difference(high, det * n, det * t, low) * x[ALONG_T],
                              (p->a - one->q) * v[ALONG_N] - p->c * v[ALONG_T] +
                                  lesser_difference(high, det * t, det * n, low) * x[ALONG_N]};
    for (int i = 0; i < 2; i++) {
        share_x[i] = (dq * rest[i] - dp * turned[i]) / common;
        share_v[i] = (dq * (turned[i] - one->p * rest[i]) + dp * one->q * rest[i]) / common;
    }
}

/* Whether both shares of x add up. */
static bool adds_up(double share[2][2], const double x[2]) {
    const double rounding = 1e-14;
    double size = rounding * (fabs(x[0]) + fabs(x[1]));
    return fabs(share[0][0] + share[1][0] - x[0]) <= size &&
           fabs(share[0][1] + share[1][1] - x[1]) <= size;
}

/* The second share is what the first one leaves, unless both are known more exactly. */
static void leave_rest(dashpot_motion *m, const double x[2], const double v[2]) {
    if (adds_up(m->x, x) && adds_up(m->v, v)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        m->x[1][i] = x[i] - m->x[0][i];
        m->v[1][i] = v[i] - m->v[0][i];
    }
}

static void share_in_quartic(const imp_compliant_problem *p, dashpot_motion *m) {
    const double x[2] = {m->x[1][0], m->x[1][1]}, v[2] = {m->v[1][0], m->v[1][1]};
    for (int j = 0; j < 2; j++) {
        find_share(p, &m->d[j], &m->d[1 - j], x, v, m->x[j], m->v[j]);
    }
    leave_rest(m, x, v);
}

/* Springs with the same ratio of damping to stiffness: the modes of the springs, each damped. */
static void share_in_modes(const imp_compliant_problem *p, dashpot_motion *m) {
    double half = (p->a - 1) / 2, size = sqrt(half * half + p->c * p->c), sum = (p->a + 1) / 2;
    double t = half > 0 ? half + size : p->c, n = half > 0 ? p->c : size - half;
    double length = sqrt(t * t + n * n), square = sum + size;
    t /= length;
    n /= length;
    double along = t * m->x[1][ALONG_T] + n * m->x[1][ALONG_N];
    double speed = t * m->v[1][ALONG_T] + n * m->v[1][ALONG_N];
    m->d[0] = imp_damped_of(p->damping * square, square);
    m->d[1] = imp_damped_of(p->damping * (p->determinant / square), p->determinant / square);
    for (int i = 0; i < 2; i++) {
        m->x[0][i] = along * (i == ALONG_T ? t : n);
        m->v[0][i] = speed * (i == ALONG_T ? t : n);
        m->x[1][i] -= m->x[0][i];
        m->v[1][i] -= m->v[0][i];
    }
}

/* Elongations that do not act on each other. */
static void share_apart(const imp_compliant_problem *p, dashpot_motion *m) {
    m->d[0] = imp_damped_of(p->a * p->drag, p->a);
    m->d[1] = imp_damped_of(p->damping, 1);
    m->x[0][ALONG_T] = m->x[1][ALONG_T];
    m->v[0][ALONG_T] = m->v[1][ALONG_T];
    m->x[1][ALONG_T] = m->v[1][ALONG_T] = 0;
}

/* One motion, along (c, 1), around a place where the springs balance each other. */
static void share_of_constrained(const imp_compliant_problem *p, dashpot_motion *m) {
    double c = p->c, stiffness = 1 + c * c;
    m->d[0] = imp_damped_of(p->damping + c * c * p->drag, stiffness);
    m->d[1] = imp_damped_of(0, 0);
    double shift = m->x[1][ALONG_T] - c * m->x[1][ALONG_N];
    m->rest[ALONG_T] = shift / stiffness;
    m->rest[ALONG_N] = -c * shift / stiffness;
    double along = m->x[1][ALONG_N] - m->rest[ALONG_N], speed = m->v[1][ALONG_N];
    for (int i = 0; i < 2; i++) {
        m->x[0][i] = along * (i == ALONG_T ? c : 1);
        m->v[0][i] = speed * (i == ALONG_T ? c : 1);
        m->x[1][i] = m->v[1][i] = 0;
    }
}

/* ---- motions that are nearly alike ---- */

/* Factors that are nearly alike are lost in the digits of the quartic, which knows their squared
 * difference. With z = s + m, where -m is the mean of the four roots, the equations of motion are
 *
 *   (z^2 + g) x + (level, c (1 - n m); c (1 - t m), -level) x + (drop, c n; c t, -drop) z x = 0
 *
 * and the quartic is (z^2 + bend + X / 2)^2 - (d z + e)^2 where X = d^2 and d e = both solve
 *
 *   X^3 / 4 + bend X^2 + slope X - both^2 = 0
 *
 * All of these are sums of small numbers, also where the four roots meet. */
typedef struct alike {
    double m, g, level, drop, mixed[2];     /* mixed: 1 - n m and 1 - t m */
    double mean_q, lost, bend, slope, both; /* lost: twice g - bend */
} alike;

static alike alike_of(const imp_compliant_problem *p) {
    double t = p->drag, n = p->damping, c2 = p->c * p->c;
    imp_wide off = imp_wide_add(imp_wide_product(p->a, t), imp_wide_of(-n));
    alike k = {.m = n / 4 + p->a * t / 4, .drop = off.high / 2, .mean_q = (p->a + 1) / 2};
    k.level = (p->a - 1) / 2 - k.m * k.drop;
    k.g = less_product(imp_wide_sum(p->a / 2, 0.5), k.m, k.m).high;
    k.mixed[ALONG_T] = 1 - n * k.m;
    k.mixed[ALONG_N] = 1 - t * k.m;
    k.lost = k.drop * k.drop + c2 * n * t;
    k.bend = k.g - k.lost / 2;
    k.slope = k.level * k.level + c2 * k.mixed[0] * k.mixed[1] - k.lost * (k.g - k.lost / 4);
    k.both = k.drop * k.level + c2 * (n * k.mixed[ALONG_N] + t * k.mixed[ALONG_T]) / 2;
    return k;
}

/* Whether all four roots are near each other, within half of their mean. */
static bool is_critical(const alike *k) {
    return fabs(k->bend) <= 0.25 * k->mean_q;
}

static double cubic(const alike *k, double x) {
    return ((x / 4 + k->bend) * x + k->slope) * x - k->both * k->both;
}

/* A root by Newton's method from a place from which it runs one way, up or down. */
static double root_from(const alike *k, double x, bool up) {
    enum { MOST = 200 };
    for (int i = 0; i < MOST; i++) {
        double next = x - cubic(k, x) / ((0.75 * x + 2 * k->bend) * x + k->slope);
        if (!(up ? next > x : next < x && next >= 0)) {
            break;
        }
        x = next;
    }
    return x;
}

/* A place above the largest root, near it where the third power is small. */
static double above_roots(const alike *k) {
    double both2 = k->both * k->both, bend = k->bend, slope = k->slope;
    if (bend > 0) {
        double root = sqrt(slope * slope + 4 * bend * both2);
        return slope > 0 ? 2 * both2 / (slope + root) : (root - slope) / (2 * bend);
    }
    double x = imp_larger(imp_larger(-8 * bend, 4 * sqrt(fabs(slope))), fabs(k->both));
    while (cubic(k, x) < 0) {
        x *= 2;
    }
    return x;
}

/* The roots X >= 0, one or three. Each pairs the roots of the quartic in its own way. */
static int pairings(const alike *k, double x[3]) {
    double turns = k->bend * k->bend - 0.75 * k->slope, way = sqrt(imp_larger(turns, 0));
    bool rises = k->bend < 0 && k->slope > 0;
    double top = turns > 0 ? k->slope / (way - k->bend) : -4 * k->bend / 3;
    bool first = rises && cubic(k, top) >= 0;
    bool last = !first || (turns > 0 && cubic(k, (way - k->bend) / 0.75) < 0);
    int n = 0;
    if (first) {
        x[n++] = root_from(k, 0, true);
    }
    if (last) {
        x[n++] = root_from(k, above_roots(k), false);
    }
    if (n == 2) {
        x[n++] = (4 * k->slope - x[0] * x[1]) / (x[0] + x[1]);
    }
    return n;
}

/* (shift - e - d z) x less the terms of level, drop and c in the equations of motion; z: z x. */
static void turn_alike(const imp_compliant_problem *p, const alike *k, double shift, double e,
                       double d, const double x[2], const double z[2], double turned[2]) {
    const double damping[2] = {p->drag, p->damping};
    for (int i = 0; i < 2; i++) {
        double side = i == ALONG_T ? 1 : -1;
        turned[i] = (shift - (e + side * k->level)) * x[i] - (d + side * k->drop) * z[i] -
                    p->c * (k->mixed[i] * x[1 - i] + damping[1 - i] * z[1 - i]);
    }
}

/* Motions and shares by a root X, as in find_share. Returns how large the shares are. */
static double share_in_pairing(const imp_compliant_problem *p, const alike *k, double root,
                               const double x[2], const double v[2], dashpot_motion *m) {
    double size = 0, d = sqrt(root), e = d > 0 ? k->both / d : sqrt(imp_larger(k->slope, 0));
    double common = 2 * (k->slope + (2 * k->bend + 0.75 * root) * root);
    double z2[2], rest[2], turned[2], more = (root - k->lost) / 2;
    const double z[2] = {v[0] + k->m * x[0], v[1] + k->m * x[1]};
    turn_alike(p, k, -k->g, 0, 0, x, z, z2);
    for (int j = 0; j < 2; j++, d = -d, e = -e) {
        turn_alike(p, k, more, e, d, x, z, rest);
        turn_alike(p, k, more, e, d, z, z2, turned);
        m->d[j] = imp_damped_of(2 * k->m + d, k->mean_q + (more + e + k->m * d));
        for (int i = 0; i < 2; i++) {
            m->x[j][i] = (d * turned[i] + (root - e) * rest[i]) / common;
            double rate = -(d * (k->bend + root / 2 + e) * rest[i] + e * turned[i]) / common;
            m->v[j][i] = rate - k->m * m->x[j][i];
            size += fabs(m->x[j][i]) + fabs(rate);
        }
    }
    return size;
}

/* Cells of a map often share what the quartic is made of. */
void imp_compliant_dashpot_find_factors(const double given[IMP_COMPLIANT_DASHPOT_GIVEN],
                                        imp_compliant_dashpot_factors *last) {
    const size_t size = IMP_COMPLIANT_DASHPOT_GIVEN * sizeof *given;
    if (memcmp(given, last->given, size) == 0) {
        return;
    }
    const quartic k = quartic_of(given);
    quadratic f[2];
    factors_near(&k, f);
    pair_roots(f);
    polish(&k, f);
    memcpy(last->given, given, size);
    for (int j = 0; j < 2; j++) {
        last->p[j] = f[j].p;
        last->q[j] = f[j].q;
    }
}

static void find_roots(const imp_compliant_problem *p, imp_compliant_dashpot_factors *known,
                       imp_damped d[2]) {
    const double given[] = {IMP_COMPLIANT_QUARTIC(IMP_COMPLIANT_IN_PLACE)};
    imp_compliant_dashpot_find_factors(given, known);
    for (int j = 0; j < 2; j++) {
        d[j] = imp_damped_of(known->p[j], known->q[j]);
    }
}

/* In the pairing that has the smallest shares: motions that hardly differ need large ones. Where
 * rounding in these would be more than all that the coupling does, it is left out. */
static void share_alike(const imp_compliant_problem *p, const alike *k, dashpot_motion *m) {
    const double x[2] = {m->x[1][0], m->x[1][1]}, v[2] = {m->v[1][0], m->v[1][1]};
    const double large = 10, rounding = 4e-16;
    const dashpot_motion whole = *m;
    double roots[3], least = INFINITY;
    int n = pairings(k, roots);
    for (int i = 0; i < n; i++) {
        dashpot_motion other = *m;
        double size = share_in_pairing(p, k, roots[i], x, v, &other);
        if (size < least) {
            least = size;
            *m = other;
        }
    }
    double size = fabs(x[0]) + fabs(x[1]) + fabs(v[0] + k->m * x[0]) + fabs(v[1] + k->m * x[1]);
    if (rounding * least > fabs(p->c) * size) {
        *m = whole;
        share_apart(p, m);
        return;
    }
    m->cancels = least > large * size && is_critical(k);
    leave_rest(m, x, v);
}

/* Whether both directions have nearly one motion, weakly coupled, that creeps little, if at all. */
static bool is_alike(const imp_compliant_problem *p, alike *k) {
    const double nearly = 1e-3, rather = 0.05;
    double apart = imp_larger(fabs(p->a - 1), fabs(p->a * p->drag - p->damping));
    double off = imp_larger(apart, fabs(p->c));
    if (!(off <= rather)) {
        return false;
    }
    *k = alike_of(p);
    return is_critical(k) || (off <= nearly && k->bend > 0);
}

dashpot_motion imp_compliant_dashpot_motion(const imp_compliant_problem *p, const state *now,
                                            imp_compliant_dashpot_factors *known) {
    const double rounding = 1e-15;
    alike k;
    dashpot_motion m = {
        .x = {{0, 0}, {now->u, -now->delta}}, .v = {{0, 0}, {now->v_t, now->v_n}}, .rest = {0, 0}};
    if (p->constrained) {
        share_of_constrained(p, &m);
    } else if (fabs(p->c) <= rounding * imp_smaller(p->a, 1)) {
        share_apart(p, &m);
    } else if (p->damping == p->drag) {
        share_in_modes(p, &m);
    } else if (is_alike(p, &k)) {
        share_alike(p, &k, &m);
    } else {
        find_roots(p, known, m.d);
        share_in_quartic(p, &m);
    }
    return m;
}
