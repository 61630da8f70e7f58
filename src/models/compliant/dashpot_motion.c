/* The motions of stick, x'' = -B (x + damping x') with x = (u, -delta), and what falls to 0 in
 * them. */
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

/* How far motions are apart where their difference asks for a closer look. */
static const double nearly = 1e-3;

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
    const double given[] = {IMP_COMPLIANT_QUARTIC(IMP_COMPLIANT_IN_PLACE)};
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

/* ---- what moves with them ---- */

dashpot_sight imp_compliant_dashpot_sight(const dashpot_motion *m, const double of_x[2],
                                          const double of_v[2]) {
    dashpot_sight s = {.constant = of_x[0] * m->rest[0] + of_x[1] * m->rest[1]};
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        for (int i = 0; i < 2; i++) {
            double x = m->x[j][i], v = m->v[j][i];
            s.value[j] += of_x[i] * x + of_v[i] * v;
            s.rate[j] += of_x[i] * v + of_v[i] * (-d->p * v - d->q * x);
        }
    }
    return s;
}

dashpot_sight imp_compliant_dashpot_rate(const dashpot_motion *m, const dashpot_sight *sight) {
    dashpot_sight s = {.constant = 0};
    for (int j = 0; j < 2; j++) {
        s.value[j] = sight->rate[j];
        s.rate[j] = -m->d[j].p * sight->rate[j] - m->d[j].q * sight->value[j];
    }
    return s;
}

dashpot_sight imp_compliant_dashpot_sum(double a, const dashpot_sight *x, double b,
                                        const dashpot_sight *y) {
    dashpot_sight s = {.constant = a * x->constant + b * y->constant};
    for (int j = 0; j < 2; j++) {
        s.value[j] = a * x->value[j] + b * y->value[j];
        s.rate[j] = a * x->rate[j] + b * y->rate[j];
    }
    return s;
}

/* A sight at a time, its derivatives, and bounds of them from then on. */
typedef struct view {
    double f, f1, f2;
    double constant, reach; /* reach: of what is not constant, where there is a constant */
    double bend, jerk;      /* of the second derivative, and the third; jerk: only at a root */
    double span;            /* for how long these two hold */
} view;

/* Where it began at a root, shortly after the start: what it has gained since, because the sum has
 * less digits. gone: what is gone of `rest`; infinite: it is too late for that. */
static double gain_of(const dashpot_sight *s, const imp_damped_now now[2], const double gone[2]) {
    double sum = 0;
    for (int j = 0; j < 2; j++) {
        sum += now[j].push * s->rate[j] - gone[j] * s->value[j];
    }
    return sum;
}

static bool nearly_alike(const imp_damped d[2]) {
    return fabs(d[0].p - d[1].p) <= nearly * d[1].p && fabs(d[0].q - d[1].q) <= nearly * d[1].q;
}

/* Where one of two nearly equal motions hides the other, as near the rim of the cone, bounds of
 * each say next to nothing of their sum f. It moves as the second, but for a push r by what they
 * differ: f'' + p f' + q f = -r. To r the second derivative answers with r and the integral of r
 * times the change of `rate`, which within a span goes up and down by 6 in all, or less. first: f
 * and its derivatives of the first motion alone. */
static void see_together(const dashpot_motion *m, const double first[3], view *w) {
    const double answer = 7, swing = 4, hidden = 1e-2;
    const imp_damped *d = &m->d[1];
    double by_rate = m->d[0].p - d->p, by_value = m->d[0].q - d->q;
    double f3 = -m->d[0].p * first[2] - m->d[0].q * first[1];
    double f4 = -m->d[0].p * f3 - m->d[0].q * first[2];
    double push[3];
    const double of_first[] = {first[0], first[1], first[2], f3, f4};
    for (int i = 0; i < 3; i++) {
        push[i] = by_rate * of_first[i + 1] + by_value * of_first[i];
    }
    double own2 = -d->p * w->f1 - d->q * w->f, own3 = -d->p * own2 - d->q * w->f1;
    double next = -d->p * w->f2 - d->q * w->f1, after = -d->p * next - d->q * w->f2;
    double bend = imp_damped_bound(d, own2, own3, INFINITY) +
                  answer * imp_damped_bound(&m->d[0], push[0], push[1], INFINITY);
    if (bend < hidden * w->bend) {
        w->bend = bend;
        w->jerk = imp_damped_bound(d, next, after, INFINITY) +
                  answer * imp_damped_bound(&m->d[0], push[1], push[2], INFINITY);
        w->span = d->swings ? swing / d->size : INFINITY;
    }
}

/* deep: with a bound of the third derivative. */
static view view_of(const dashpot_motion *m, const dashpot_sight *s, const imp_damped_now now[2],
                    bool deep) {
    view w = {.f = s->constant, .constant = s->constant, .span = INFINITY};
    double first[3] = {0, 0, 0};
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        if (s->value[j] == 0 && s->rate[j] == 0) {
            continue;
        }
        double f = now[j].rest * s->value[j] + now[j].push * s->rate[j];
        double f1 = now[j].rate * s->rate[j] - d->q * now[j].push * s->value[j];
        double f2 = -d->p * f1 - d->q * f, f3 = -d->p * f2 - d->q * f1, f4 = -d->p * f3 - d->q * f2;
        w.f += f;
        w.f1 += f1;
        w.f2 += f2;
        w.bend += imp_damped_bound(d, f2, f3, INFINITY);
        w.jerk += deep ? imp_damped_bound(d, f3, f4, INFINITY) : 0;
        w.reach += s->constant != 0 ? imp_damped_bound(d, f, f1, INFINITY) : 0;
        if (j == 0) {
            first[0] = f, first[1] = f1, first[2] = f2;
        }
    }
    if (nearly_alike(m->d)) {
        see_together(m, first, &w);
    }
    return w;
}

/* A sight at a time and its rate, in the bits of view_of. */
typedef struct slope {
    double f, f1;
} slope;

static slope slope_of(const dashpot_motion *m, const dashpot_sight *s,
                      const imp_damped_now now[2]) {
    slope w = {.f = s->constant};
    for (int j = 0; j < 2; j++) {
        if (s->value[j] != 0 || s->rate[j] != 0) {
            w.f += now[j].rest * s->value[j] + now[j].push * s->rate[j];
            w.f1 += now[j].rate * s->rate[j] - m->d[j].q * now[j].push * s->value[j];
        }
    }
    return w;
}

static void motions_at(const dashpot_motion *m, double time, imp_damped_now now[2]) {
    now[0] = imp_damped_at(&m->d[0], time);
    now[1] = imp_damped_at(&m->d[1], time);
}

double imp_compliant_dashpot_value(const dashpot_motion *m, const dashpot_sight *sight,
                                   double time) {
    imp_damped_now now[2];
    motions_at(m, time, now);
    return slope_of(m, sight, now).f;
}

/* ---- falls ---- */

/* Whether a time is so short that no motion has changed much; sets what is gone of each `rest`. */
static bool is_early(const dashpot_motion *m, double time, const imp_damped_now now[2],
                     double gone[2]) {
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        if (!((d->size + fabs(d->p)) * time < 0.5)) {
            return false;
        }
        gone[j] = d->q * imp_damped_kept(d, 0, time, &now[j]);
    }
    return true;
}

/* A step from a root, which the function leaves upward. */
static double step_from_root(const view *w, dashpot_root root) {
    bool rises = w->f1 >= 0 || root == HALTED;
    double by_slope = w->f1 > 0 ? w->f1 / w->bend : 0;
    double by_bend = w->f2 > 0 && rises ? 1.5 * w->f2 / w->jerk : 0;
    return imp_smaller(imp_larger(by_slope, by_bend), w->span);
}

/* Infinite where the function never falls to 0, or has come to rest but for what doubles can
 * hold. */
static double safe_step(const view *w) {
    const double least = 1e-200;
    bool never = w->constant != 0 ? w->constant > w->reach : w->bend < least;
    double step = imp_compliant_dashpot_step(w->f, w->f1, w->bend);
    return never ? INFINITY : imp_smaller(step, w->span);
}

static bool is_near(const view *w) {
    return imp_compliant_dashpot_is_near(w->f, w->f1, w->bend) && 2 * w->f <= -w->f1 * w->span;
}

/* The root near a time, by Newton's method. */
static double root_near(const dashpot_motion *m, const dashpot_sight *s, double time) {
    enum { MOST = 12 };
    for (int i = 0; i < MOST; i++) {
        imp_damped_now now[2];
        motions_at(m, time, now);
        slope w = slope_of(m, s, now);
        double step = -w.f / w.f1;
        time += step;
        if (!(fabs(step) > 1e-9 * time)) {
            break; /* the error left is the square of that */
        }
    }
    return time;
}

/* The first of the roots of all sights near one that was found: Newton's first step, by which it
 * was chosen, does not say which of two is the earlier. */
static dashpot_fall first_near(const dashpot_motion *m, const dashpot_sight *sights, int n,
                               const dashpot_fall *found) {
    dashpot_fall first = *found;
    for (int i = 0; i < n; i++) {
        if (i != found->which && imp_compliant_dashpot_value(m, &sights[i], found->time) < 0) {
            double time = root_near(m, &sights[i], found->time);
            first = time < first.time ? (dashpot_fall){.time = time, .which = i} : first;
        }
    }
    return first;
}

/* The nearest of several roots that may lie ahead. */
typedef struct outlook {
    double step, second; /* safe steps: the shortest, and the next longer one */
    int which;
    double newton; /* to the root; NaN: too far away to say */
} outlook;

static outlook look_ahead(const dashpot_motion *m, const dashpot_sight *sights, int n,
                          const dashpot_root *root, double from, double time) {
    imp_damped_now now[2];
    outlook ahead = {.step = INFINITY, .second = INFINITY, .which = -1, .newton = NAN};
    motions_at(m, time, now);
    double gone[2];
    bool early = time > from && from == 0 && is_early(m, time, now, gone);
    for (int i = 0; i < n; i++) {
        bool leaves = time == from && root[i] != ABOVE;
        view w = view_of(m, &sights[i], now, leaves);
        w.f = early && root[i] != ABOVE ? gain_of(&sights[i], now, gone) : w.f;
        double step = leaves ? step_from_root(&w, root[i]) : w.f > 0 ? safe_step(&w) : 0;
        if (step < ahead.step) {
            bool near = !leaves && step > 0 && is_near(&w);
            ahead = (outlook){.step = step,
                              .second = ahead.step,
                              .which = i,
                              .newton = near ? -w.f / w.f1 : (double)NAN};
        } else {
            ahead.second = imp_smaller(step, ahead.second);
        }
    }
    return ahead;
}

dashpot_fall imp_compliant_dashpot_first_fall(const dashpot_motion *m, const dashpot_sight *sights,
                                              const dashpot_root *root, int n, double from,
                                              double limit, int64_t *budget) {
    double time = from;
    while (--*budget > 0) {
        outlook ahead = look_ahead(m, sights, n, root, from, time);
        double next = time + ahead.step;
        if (ahead.newton <= ahead.second) {
            double at = root_near(m, &sights[ahead.which], time + ahead.newton);
            dashpot_fall fall =
                first_near(m, sights, n, &(dashpot_fall){.time = at, .which = ahead.which});
            fall.which = fall.time < limit ? fall.which : -1;
            return fall;
        }
        if (!(next < limit)) {
            return (dashpot_fall){.time = limit, .which = -1};
        }
        if (!(next > time)) {
            return (dashpot_fall){.time = time, .which = ahead.which};
        }
        time = next;
    }
    return (dashpot_fall){.time = time, .which = -1, .spent = true};
}
