/* The recurrences of the coefficients of a step, and where it ends, in lanes. */
#include "models/continuum/series.h"
#include "num/lanes/polynomial.h"
#include "num/lanes/words.h"
#include "num/polynomial.h"

enum { N = IMP_CONTINUUM_ORDER };

typedef real series[IMP_CONTINUUM_TERMS];

typedef struct step {
    series c[N_VARIABLES];
    series gap; /* q = w - s u, where shells slip */
    real alpha, beta, gamma, s;
    truth strong; /* see imp_continuum_block */
} step;

/* ---- series ---- */

/* Coefficient k of a product. */
CODE real product(const real *a, const real *b, int k) {
    real even = number(0), odd = number(0);
    int j = 0;
    for (; j < k; j += 2) {
        even += a[j] * b[k - j];
        odd += a[j + 1] * b[k - j - 1];
    }
    return even + odd + (j == k ? a[k] * b[0] : number(0));
}

/* The same coefficient without a[k] b[0]. */
CODE real product_before(const real *a, const real *b, int k) {
    real sum = number(0);
    for (int j = 0; j < k; j++) {
        sum += a[j] * b[k - j];
    }
    return sum;
}

static const double reciprocal[N + 1] = {0,       1,        1.0 / 2,  1.0 / 3,  1.0 / 4,
                                         1.0 / 5, 1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9,
                                         0.1,     1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14};

CODE void along_ray(step *a, real resistance) {
    real *x = a->c[ROOT], *w = a->c[RATE];
    series x2, x4;
    for (int k = 0; k < N; k++) {
        double part = reciprocal[k + 1];
        x2[k] = product(x, x, k);
        x4[k] = product(x2, x2, k);
        a->c[TIME][k + 1] = x[k] * part;
        a->c[IMPULSE][k + 1] = x4[k] * part;
        w[k + 1] = -resistance * x4[k] * part;
        x[k + 1] = w[k] * (part / 2);
    }
}

CODE void in_stick(step *a) {
    real *x = a->c[ROOT], *w = a->c[RATE], *u = a->c[DRIFT], *g = a->c[FORCE];
    series x2, x4, xu, xg;
    for (int k = 0; k < N; k++) {
        double part = reciprocal[k + 1];
        x2[k] = product(x, x, k);
        x4[k] = product(x2, x2, k);
        xg[k] = product(x, g, k);
        xu[k] = product(x, u, k);
        a->c[TIME][k + 1] = x[k] * part;
        a->c[TAKEN][k + 1] = xu[k] * part;
        a->c[IMPULSE][k + 1] = x4[k] * part;
        a->c[SHEAR][k + 1] = xg[k] * part;
        a->c[WORK][k + 1] = -product(xg, u, k) * part;
        a->c[LOSS][k + 1] = number(0);
        g[k + 1] = 1.5 * product(x, xu, k) * part;
        w[k + 1] = (a->alpha * xg[k] - x4[k]) * part;
        u[k + 1] = (a->beta * x4[k] - a->gamma * xg[k]) * part;
        x[k + 1] = w[k] * (part / 2);
        a->c[INNER][k + 1] = x[k + 1];
    }
}

/* Series that all kinds of partial slip need: the contact as a whole, dt = pace dlambda, pace = r
 * y. */
typedef struct outer {
    series x2, x3, y2, y3, x2y, ratio, rise, pace, pace_w, pace_u, pace_gap, pace_f, pace_g, lost;
    series width, width2, edges; /* of the ring that slips, where friction is strong */
} outer;

/* The same loss of a ring that is thin, without the difference of its edges' cubes. */
CODE void thin_ring(outer *o, const step *a, int k) {
    const real *x = a->c[ROOT], *y = a->c[INNER];
    o->width[k] = x[k] - y[k];
    o->width2[k] = product(o->width, o->width, k);
    o->edges[k] = x[k] + 0.5 * y[k];
    put(a->strong, &o->lost[k], product(o->width2, o->edges, k));
}

/* The parts that do not need the pace; G with H = 0. */
CODE void outer_shape(outer *o, const step *a, int k) {
    const real *x = a->c[ROOT], *y = a->c[INNER], *w = a->c[RATE];
    o->x2[k] = product(x, x, k);
    o->x3[k] = product(o->x2, x, k);
    o->y2[k] = product(y, y, k);
    o->y3[k] = product(o->y2, y, k);
    o->x2y[k] = product(o->x2, y, k);
    o->ratio[k] = (y[k] - product_before(o->ratio, x, k)) / x[0];
    o->rise[k] = product(o->ratio, w, k) / 2;
    o->lost[k] = o->x3[k] - 1.5 * o->x2y[k] + 0.5 * o->y3[k];
    if (any(a->strong)) {
        thin_ring(o, a, k);
    }
}

/* The next coefficients of the contact; pace[0..k] and FORCE[0..k] are known. */
CODE void outer_advance(outer *o, step *a, int k) {
    double part = reciprocal[k + 1];
    real *w = a->c[RATE], *u = a->c[DRIFT];
    o->pace_w[k] = product(o->pace, w, k);
    o->pace_u[k] = product(o->pace, u, k);
    o->pace_gap[k] = o->pace_w[k] - a->s * o->pace_u[k];
    o->pace_f[k] = product(o->pace, o->x3, k);
    o->pace_g[k] = product(o->pace, a->c[FORCE], k);
    a->c[TIME][k + 1] = o->pace[k] * part;
    a->c[TAKEN][k + 1] = o->pace_u[k] * part;
    a->c[IMPULSE][k + 1] = o->pace_f[k] * part;
    a->c[SHEAR][k + 1] = o->pace_g[k] * part;
    a->c[WORK][k + 1] = -product(o->pace_g, u, k) * part;
    a->c[LOSS][k + 1] = -product(o->pace_gap, o->lost, k) * part;
    w[k + 1] = (a->alpha * o->pace_g[k] - o->pace_f[k]) * part;
    u[k + 1] = (a->beta * o->pace_f[k] - a->gamma * o->pace_g[k]) * part;
    a->gap[k + 1] = w[k + 1] - a->s * u[k + 1];
}

CODE void over_slipped(step *a) {
    real *x = a->c[ROOT], *y = a->c[INNER], *g = a->c[FORCE];
    real x0 = x[0], y0 = y[0];
    real inner = g[0] - a->s * (x0 * x0 * x0 - 2 * (y0 * y0 * y0));
    outer o;
    a->gap[0] = a->c[RATE][0] - a->s * a->c[DRIFT][0];
    for (int k = 0; k < N; k++) {
        outer_shape(&o, a, k);
        g[k] = a->s * (o.x3[k] - 2 * o.y3[k]) + (k == 0 ? inner : number(0));
        o.pace[k] = y[k];
        outer_advance(&o, a, k);
        x[k + 1] = o.rise[k] * reciprocal[k + 1];
        y[k + 1] = a->gap[k] * (reciprocal[k + 1] / 4);
    }
    outer_shape(&o, a, N);
    g[N] = a->s * (o.x3[N] - 2 * o.y3[N]);
}

/* Over shells that stuck. */
typedef struct inner {
    series r, far, open, back, y_drift; /* far: Q; open: Q - q; back: (r - 1) y; y U */
} inner;

/* Coefficient k + 1 of both states; r[0..k] is known. */
CODE void advance(outer *o, inner *i, step *a, int k) {
    double part = reciprocal[k + 1];
    real *y = a->c[INNER], *rate = a->c[S_RATE], *drift = a->c[S_DRIFT], *force = a->c[S_FORCE];
    o->pace[k] = product(i->r, y, k);
    i->back[k] = o->pace[k] - y[k];
    outer_advance(o, a, k);
    real back_f = product(i->back, o->y3, k), back_g = product(i->back, force, k);
    a->c[ROOT][k + 1] = product(i->r, o->rise, k) * part;
    y[k + 1] = (product(i->r, rate, k) - rate[k]) * (part / 2);
    rate[k + 1] = (a->alpha * back_g - back_f) * part;
    drift[k + 1] = (a->beta * back_f - a->gamma * back_g) * part;
    force[k + 1] = 1.5 * product(i->back, i->y_drift, k) * part;
    i->far[k + 1] = rate[k + 1] - a->s * drift[k + 1];
    i->open[k + 1] = i->far[k + 1] - a->gap[k + 1];
}

/* r[k] where q and Q vanish at the start: it makes far[k + 1] = sum of open[j] r[k + 1 - j], both
 * of which it changes by gap[1] / r[0] / (k + 1). Coefficients k + 1 were computed with r[k] =
 * 0. */
CODE real ratio_at_onset(const inner *i, const step *a, int k) {
    real sum = i->open[k + 1] * i->r[0] - i->far[k + 1];
    for (int j = 2; j <= k; j++) {
        sum += i->open[j] * i->r[k + 1 - j];
    }
    return sum * (double)(k + 1) / (2 * a->gap[1] * (double)(k + 2));
}

CODE void over_stuck(step *a, bool onset) {
    outer o;
    inner i;
    a->gap[0] = onset ? number(0) : a->c[RATE][0] - a->s * a->c[DRIFT][0];
    i.far[0] = onset ? number(0) : a->c[S_RATE][0] - a->s * a->c[S_DRIFT][0];
    i.open[0] = i.far[0] - a->gap[0];
    for (int k = 0; k < N; k++) {
        outer_shape(&o, a, k);
        a->c[FORCE][k] = a->c[S_FORCE][k] + a->s * (o.x3[k] - o.y3[k]);
        i.y_drift[k] = product(a->c[INNER], a->c[S_DRIFT], k);
        if (!onset) {
            i.r[k] = (i.far[k] - product_before(i.r, i.open, k)) / i.open[0];
        } else if (k == 0) {
            i.r[0] = number(0.5);
        } else {
            i.r[k] = number(0);
            advance(&o, &i, a, k);
            i.r[k] = ratio_at_onset(&i, a, k);
        }
        advance(&o, &i, a, k);
    }
    outer_shape(&o, a, N);
    a->c[FORCE][N] = a->c[S_FORCE][N] + a->s * (o.x3[N] - o.y3[N]);
}

/* ---- steps ---- */

CODE step step_of(const imp_continuum_block *b) {
    step a;
    a.alpha = imp_lanes_load(b->alpha);
    a.beta = imp_lanes_load(b->beta);
    a.gamma = imp_lanes_load(b->gamma);
    a.s = imp_lanes_load(b->direction);
    a.strong = imp_lanes_load(b->strong) != 0;
    for (int i = 0; i < N_VARIABLES; i++) {
        a.c[i][0] = imp_lanes_load(b->v[i]);
    }
    return a;
}

/* The greatest lambda at which the series of these variables are within the tolerance. */
CODE real stride_of(const step *a, const int *variables, int n, real tolerance) {
    /* From first touch only every fifth coefficient of a series is not 0. */
    enum { SEEN = 5 };
    const double longest = 4, least = 1e-290;
    real reach = number(INFINITY);
    for (int k = N - SEEN + 1; k <= N; k++) {
        real size = number(least);
        for (int i = 0; i < n; i++) {
            size = larger(size_of(a->c[variables[i]][k]), size);
        }
        real root = imp_lanes_coarse_root(1 / size, k);
        if (any(size == INFINITY)) { /* no normal number; the cell does not stay finite */
            put(size == INFINITY, &root, number(imp_coarse_root(0, k)));
        }
        reach = smaller(root, reach);
    }
    return smaller(number(longest), reach * imp_lanes_coarse_root(tolerance, N + 1));
}

/* Where c rises to 0 for the first time after 0; 0 if it is positive from there on. */
CODE real first_rise(const real *of, real end) {
    series c;
    memcpy(c, of, sizeof c);
    truth zero = c[0] == 0;
    for (int zeros = 0; zeros < N && any(zero); zeros++) {
        for (int k = 0; k < N; k++) {
            put(zero, &c[k], c[k + 1]);
        }
        put(zero, &c[N], number(0));
        zero &= c[0] == 0;
    }
    real rise = imp_lanes_first_rise(c, N, number(0), end);
    return pick(c[0] < 0, rise, number(0));
}

/* Moves the variables that have series to lambda. */
CODE void take(imp_continuum_block *b, const step *a, int from, int to, real lambda) {
    for (int i = from; i <= to; i++) {
        imp_lanes_store(b->v[i], imp_lanes_polynomial_at(a->c[i], N, lambda));
        for (int k = 0; k <= N; k++) {
            imp_lanes_store(b->c[i][k], a->c[i][k]);
        }
    }
}

CODE void end_at(imp_continuum_block *b, real stride, real lambda, real stop) {
    imp_lanes_store(b->stride, stride);
    imp_lanes_store(b->lambda, lambda);
    imp_lanes_store(b->stop, stop);
}

/* Whether the slope of G changes its sign between places as far apart as its peaks are. */
CODE void seek_bends(imp_continuum_block *b, const step *a, real lambda) {
    const double parts = IMP_CONTINUUM_PARTS;
    series slope;
    for (int k = 0; k < N; k++) {
        slope[k] = (double)(k + 1) * a->c[FORCE][k + 1];
    }
    real before = slope[0];
    truth bends = before != before;
    for (int i = 1; i <= IMP_CONTINUUM_PARTS; i++) {
        real after = imp_lanes_polynomial_at(slope, N - 1, lambda * (double)i / parts);
        bends |= before * after < 0;
        before = after;
    }
    imp_lanes_store(b->bends, pick(bends, number(1), number(0)));
}

IMP_IN_LANES(imp_continuum_ray, (imp_continuum_block * b, int n)) {
    static const int variables[] = {ROOT, RATE};
    (void)n;
    step a = step_of(b);
    along_ray(&a, imp_lanes_load(b->resistance));
    real stride = stride_of(&a, variables, 2, imp_lanes_load(b->tolerance));
    truth separates = imp_lanes_load(b->separates) != 0;
    series goal, turn;
    for (int k = 0; k <= N; k++) {
        goal[k] = pick(separates, -a.c[ROOT][k], a.c[IMPULSE][k]);
        turn[k] = a.c[IMPULSE][k];
    }
    goal[0] -= pick(separates, number(0), imp_lanes_load(b->goal));
    turn[0] -= imp_lanes_load(b->turn);
    real end = first_rise(goal, stride), at = first_rise(turn, smaller(stride, end));
    real seen = smaller(end, at), lambda = pick(end <= stride, end, stride);
    imp_lanes_store(b->turned, pick(at <= stride, number(1), number(0)));
    imp_lanes_store(b->turn_root, imp_lanes_polynomial_at(a.c[ROOT], N, seen));
    imp_lanes_store(b->turn_time, imp_lanes_polynomial_at(a.c[TIME], N, seen));
    take(b, &a, TIME, RATE, lambda);
    take(b, &a, IMPULSE, IMPULSE, lambda);
    end_at(b, stride, lambda, pick(end <= stride, number(ARRIVES), number(GO_ON)));
}

IMP_IN_LANES(imp_continuum_stick, (imp_continuum_block * b, int n)) {
    static const int variables[] = {ROOT, RATE, DRIFT, FORCE};
    (void)n;
    step a = step_of(b);
    in_stick(&a);
    real stride = stride_of(&a, variables, 4, imp_lanes_load(b->tolerance));
    series forth, back;
    for (int k = 0; k <= N; k++) {
        forth[k] = a.c[DRIFT][k] - a.c[RATE][k];
        back[k] = -a.c[DRIFT][k] - a.c[RATE][k];
    }
    real one = first_rise(forth, stride), other = first_rise(back, stride);
    real limit = smaller(other, one), lambda = smaller(stride, limit);
    real side = pick(one <= other, number(FORTH), number(BACK));
    take(b, &a, TIME, WORK, lambda);
    if (b->seeks_shear) {
        seek_bends(b, &a, lambda);
    }
    end_at(b, stride, lambda, pick(limit <= stride, side, number(GO_ON)));
}

/* The end of a step of partial slip; last: the last variable that has a series. */
CODE void end_partial(imp_continuum_block *b, const step *a, real stride, int last) {
    real bottom = imp_lanes_load(b->bottom), lambda = stride, stop = number(GO_ON);
    real inside = pick(imp_lanes_load(b->sheds) != 0, number(0), a->c[ROOT][0]);
    series way[EDGE - BOTTOM + 1];
    for (int k = 0; k <= N; k++) {
        way[BOTTOM - BOTTOM][k] = (k == 0 ? bottom : number(0)) - a->c[INNER][k];
        way[TURN - BOTTOM][k] = a->gap[k];
        way[EDGE - BOTTOM][k] = a->c[INNER][k] - a->c[ROOT][k] - (k == 0 ? inside : number(0));
    }
    for (int kind = BOTTOM; kind <= EDGE; kind++) {
        real at = first_rise(way[kind - BOTTOM], lambda);
        put(at <= lambda, &stop, number(kind));
        put(at <= lambda, &lambda, at);
    }
    take(b, a, TIME, last, lambda);
    if (b->seeks_shear) {
        seek_bends(b, a, lambda);
    }
    end_at(b, stride, lambda, stop);
}

/* Variables that limit the length of a step; the last two over shells that stuck alone. */
static const int of_partial[] = {ROOT, RATE, DRIFT, FORCE, INNER, S_RATE, S_DRIFT};

IMP_IN_LANES(imp_continuum_over_slipped, (imp_continuum_block * b, int n)) {
    (void)n;
    step a = step_of(b);
    over_slipped(&a);
    end_partial(b, &a, stride_of(&a, of_partial, 5, imp_lanes_load(b->tolerance)), WORK);
}

CODE void spread_over_stuck(imp_continuum_block *b, bool onset) {
    step a = step_of(b);
    over_stuck(&a, onset);
    end_partial(b, &a, stride_of(&a, of_partial, 7, imp_lanes_load(b->tolerance)), S_FORCE);
}

IMP_IN_LANES(imp_continuum_over_stuck, (imp_continuum_block * b, int n)) {
    (void)n;
    spread_over_stuck(b, false);
}

IMP_IN_LANES(imp_continuum_onset, (imp_continuum_block * b, int n)) {
    (void)n;
    spread_over_stuck(b, true);
}
