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
        imp_bracket_cut(&range, y, value < 0);
        double next = imp_bracket_next(&range, y - value / slope);
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

/* Of four real roots the two in the middle may be near each other: then they belong together. */
static void pair_roots(imp_damped d[2]) {
    if (d[0].swings || d[1].swings) {
        return;
    }
    int upper = d[0].slow + d[0].fast > d[1].slow + d[1].fast ? 0 : 1;
    double r1 = d[upper].slow, r2 = d[upper].fast, r3 = d[1 - upper].slow, r4 = d[1 - upper].fast;
    if (!(r2 >= r3) || (r1 - r4) * (r2 - r3) >= (r1 - r2) * (r3 - r4)) {
        return;
    }
    d[0] = imp_damped_of(-(r1 + r4), r1 * r4);
    d[1] = imp_damped_of(-(r2 + r3), r2 * r3);
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
static void share_in_quartic(const imp_compliant_problem *p, dashpot_motion *m) {
    const double x[2] = {m->x[1][0], m->x[1][1]}, v[2] = {m->v[1][0], m->v[1][1]};
    for (int j = 0; j < 2; j++) {
        find_share(p, &m->d[j], &m->d[1 - j], x, v, m->x[j], m->v[j]);
    }
    if (adds_up(m->x, x) && adds_up(m->v, v)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        m->x[1][i] = x[i] - m->x[0][i];
        m->v[1][i] = v[i] - m->v[0][i];
    }
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
    polish(&k, f);
    imp_damped d[2] = {imp_damped_of(f[0].p, f[0].q), imp_damped_of(f[1].p, f[1].q)};
    pair_roots(d);
    memcpy(last->given, given, size);
    for (int j = 0; j < 2; j++) {
        last->p[j] = d[j].p;
        last->q[j] = d[j].q;
    }
}

/* Factors that are nearly alike are lost in the digits of the quartic, which knows their squared
 * difference. It is
 *
 *   (s^2 + mean_p s + mean_q)^2 - (off_p s + off_q)^2 - c^2 (1 + t s) (1 + n s)
 *
 * and the factors differ from (mean_p, q) by +-(dp, dq), of which dp^2 solves a cubic made of small
 * numbers alone: dq^2 = of_q + q0 dp^2 + dp^4 / 4 and dp dq = of_both + mean_p dp^2 / 2. */
static void part_alike(const imp_compliant_problem *p, imp_damped d[2]) {
    double t = p->drag, n = p->damping, c2 = p->c * p->c, off_q = (p->a - 1) / 2;
    imp_wide off = imp_wide_add(imp_wide_product(p->a, t), imp_wide_of(-n));
    double off_p = off.high / 2, mean_p = n / 2 + p->a * t / 2, lost = off_p * off_p + c2 * n * t;
    double mean_q = 1 + off_q, q0 = mean_q - lost / 2;
    double of_both = off_p * off_q + c2 * (t + n) / 2 - mean_p * lost / 2;
    double of_q = off_q * off_q + c2 - mean_q * lost + lost * lost / 4;
    double bend = q0 - mean_p * mean_p / 4, slope = of_q - of_both * mean_p;
    if (!(bend > 1e-3 * q0)) {
        return; /* the motions creep: their roots are paired otherwise */
    }
    double root = sqrt(slope * slope + 4 * bend * of_both * of_both);
    double dp2 = slope > 0 ? 2 * of_both * of_both / (slope + root) : (root - slope) / (2 * bend);
    for (int i = 0; i < 2 && dp2 > 0; i++) { /* the third power is small */
        double value = ((dp2 / 4 + bend) * dp2 + slope) * dp2 - of_both * of_both;
        dp2 -= value / ((0.75 * dp2 + 2 * bend) * dp2 + slope);
    }
    double dp = sqrt(dp2), q = q0 + dp2 / 2, both = of_both + mean_p * dp2 / 2;
    double dq2 = imp_larger(of_q + (q0 + dp2 / 4) * dp2, 0);
    double dq = dp2 > dq2 ? both / dp : copysign(sqrt(dq2), both);
    d[0] = imp_damped_of(mean_p + dp, q + dq);
    d[1] = imp_damped_of(mean_p - dp, q - dq);
}

static void find_roots(const imp_compliant_problem *p, imp_compliant_dashpot_factors *known,
                       imp_damped d[2]) {
    const double given[] = {IMP_COMPLIANT_QUARTIC(IMP_COMPLIANT_IN_PLACE)}, nearly = 1e-3;
    imp_compliant_dashpot_find_factors(given, known);
    for (int j = 0; j < 2; j++) {
        d[j] = imp_damped_of(known->p[j], known->q[j]);
    }
    double apart = imp_larger(fabs(p->a - 1), fabs(p->a * p->drag - p->damping));
    if (apart <= nearly && fabs(p->c) <= nearly) {
        part_alike(p, d);
    }
}

dashpot_motion imp_compliant_dashpot_motion(const imp_compliant_problem *p, const state *now,
                                            imp_compliant_dashpot_factors *known) {
    const double rounding = 1e-15;
    dashpot_motion m = {
        .x = {{0, 0}, {now->u, -now->delta}}, .v = {{0, 0}, {now->v_t, now->v_n}}, .rest = {0, 0}};
    if (p->constrained) {
        share_of_constrained(p, &m);
    } else if (fabs(p->c) <= rounding * imp_smaller(p->a, 1)) {
        share_apart(p, &m);
    } else if (p->damping == p->drag) {
        share_in_modes(p, &m);
    } else {
        find_roots(p, known, m.d);
        share_in_quartic(p, &m);
    }
    return m;
}
