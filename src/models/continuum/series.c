#include "models/continuum/series.h"

enum { N = IMP_CONTINUUM_ORDER };

/* Coefficient k of a product. */
static inline double product(const double *a, const double *b, int k) {
    double even = 0, odd = 0;
    int j = 0;
    for (; j < k; j += 2) {
        even += a[j] * b[k - j];
        odd += a[j + 1] * b[k - j - 1];
    }
    return even + odd + (j == k ? a[k] * b[0] : 0);
}

/* The same without a[k] b[0]. */
static inline double product_before(const double *a, const double *b, int k) {
    double sum = 0;
    for (int j = 0; j < k; j++) {
        sum += a[j] * b[k - j];
    }
    return sum;
}

static const double reciprocal[N + 2] = {0,        1,        1.0 / 2,  1.0 / 3, 1.0 / 4, 1.0 / 5,
                                         1.0 / 6,  1.0 / 7,  1.0 / 8,  1.0 / 9, 0.1,     1.0 / 11,
                                         1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15};

void imp_continuum_ray(imp_continuum_step *step, double resistance) {
    double *x = step->c[ROOT], *w = step->c[RATE];
    imp_series x2, x4;
    for (int k = 0; k < N; k++) {
        double part = reciprocal[k + 1];
        x2[k] = product(x, x, k);
        x4[k] = product(x2, x2, k);
        step->c[TIME][k + 1] = x[k] * part;
        step->c[IMPULSE][k + 1] = x4[k] * part;
        w[k + 1] = -resistance * x4[k] * part;
        x[k + 1] = w[k] * (part / 2);
    }
}

void imp_continuum_stick(imp_continuum_step *step, const imp_continuum_body *body) {
    double *x = step->c[ROOT], *w = step->c[RATE], *u = step->c[DRIFT], *g = step->c[FORCE];
    imp_series x2, x4, xu, xg;
    for (int k = 0; k < N; k++) {
        double part = reciprocal[k + 1];
        x2[k] = product(x, x, k);
        x4[k] = product(x2, x2, k);
        xg[k] = product(x, g, k);
        xu[k] = product(x, u, k);
        step->c[TIME][k + 1] = x[k] * part;
        step->c[TAKEN][k + 1] = xu[k] * part;
        step->c[IMPULSE][k + 1] = x4[k] * part;
        step->c[SHEAR][k + 1] = xg[k] * part;
        step->c[WORK][k + 1] = -product(xg, u, k) * part;
        step->c[LOSS][k + 1] = 0;
        g[k + 1] = 1.5 * product(x, xu, k) * part;
        w[k + 1] = (body->alpha * xg[k] - x4[k]) * part;
        u[k + 1] = (body->beta * x4[k] - body->gamma * xg[k]) * part;
        x[k + 1] = w[k] * (part / 2);
        step->c[INNER][k + 1] = x[k + 1];
    }
}

/* Series that both kinds of partial slip need: the contact as a whole, dt = pace dlambda, pace = r
 * y. */
typedef struct outer {
    imp_series x2, x3, y2, y3, x2y, ratio, rise, pace, pace_w, pace_u, pace_gap, pace_f, pace_g,
        lost;
} outer;

/* The parts that do not need the pace; G with H = 0. */
static inline void outer_shape(outer *o, const imp_continuum_step *step, int k) {
    const double *x = step->c[ROOT], *y = step->c[INNER], *w = step->c[RATE];
    o->x2[k] = product(x, x, k);
    o->x3[k] = product(o->x2, x, k);
    o->y2[k] = product(y, y, k);
    o->y3[k] = product(o->y2, y, k);
    o->x2y[k] = product(o->x2, y, k);
    o->ratio[k] = (y[k] - product_before(o->ratio, x, k)) / x[0];
    o->rise[k] = product(o->ratio, w, k) / 2;
    o->lost[k] = o->x3[k] - 1.5 * o->x2y[k] + 0.5 * o->y3[k];
}

/* The next coefficients of the contact; pace[0..k] and FORCE[0..k] are known. */
static inline void outer_advance(outer *o, imp_continuum_step *step, const imp_continuum_body *body,
                                 double s, int k) {
    double part = reciprocal[k + 1], *w = step->c[RATE], *u = step->c[DRIFT];
    o->pace_w[k] = product(o->pace, w, k);
    o->pace_u[k] = product(o->pace, u, k);
    o->pace_gap[k] = o->pace_w[k] - s * o->pace_u[k];
    o->pace_f[k] = product(o->pace, o->x3, k);
    o->pace_g[k] = product(o->pace, step->c[FORCE], k);
    step->c[TIME][k + 1] = o->pace[k] * part;
    step->c[TAKEN][k + 1] = o->pace_u[k] * part;
    step->c[IMPULSE][k + 1] = o->pace_f[k] * part;
    step->c[SHEAR][k + 1] = o->pace_g[k] * part;
    step->c[WORK][k + 1] = -product(o->pace_g, u, k) * part;
    step->c[LOSS][k + 1] = -product(o->pace_gap, o->lost, k) * part;
    w[k + 1] = (body->alpha * o->pace_g[k] - o->pace_f[k]) * part;
    u[k + 1] = (body->beta * o->pace_f[k] - body->gamma * o->pace_g[k]) * part;
    step->gap[k + 1] = w[k + 1] - s * u[k + 1];
}

void imp_continuum_over_slipped(imp_continuum_step *step, const imp_continuum_body *body,
                                double s) {
    double *x = step->c[ROOT], *y = step->c[INNER];
    double x0 = x[0], y0 = y[0];
    double inner = step->c[FORCE][0] - s * (x0 * x0 * x0 - 2 * (y0 * y0 * y0));
    outer o;
    step->gap[0] = step->c[RATE][0] - s * step->c[DRIFT][0];
    for (int k = 0; k < N; k++) {
        outer_shape(&o, step, k);
        step->c[FORCE][k] = s * (o.x3[k] - 2 * o.y3[k]) + (k == 0 ? inner : 0);
        o.pace[k] = y[k];
        outer_advance(&o, step, body, s, k);
        x[k + 1] = o.rise[k] * reciprocal[k + 1];
        y[k + 1] = step->gap[k] * (reciprocal[k + 1] / 4);
    }
    outer_shape(&o, step, N);
    step->c[FORCE][N] = s * (o.x3[N] - 2 * o.y3[N]);
}

/* Over shells that stuck. */
typedef struct inner {
    imp_series r, far, open, back, y_drift; /* far: Q; open: Q - q; back: (r - 1) y; y U */
} inner;

/* Coefficient k + 1 of both states; r[0..k] is known. */
static inline void advance(outer *o, inner *i, imp_continuum_step *step,
                           const imp_continuum_body *body, double s, int k) {
    double part = reciprocal[k + 1], *y = step->c[INNER];
    double *rate = step->c[S_RATE], *drift = step->c[S_DRIFT], *force = step->c[S_FORCE];
    o->pace[k] = product(i->r, y, k);
    i->back[k] = o->pace[k] - y[k];
    outer_advance(o, step, body, s, k);
    double back_f = product(i->back, o->y3, k), back_g = product(i->back, force, k);
    step->c[ROOT][k + 1] = product(i->r, o->rise, k) * part;
    y[k + 1] = (product(i->r, rate, k) - rate[k]) * (part / 2);
    rate[k + 1] = (body->alpha * back_g - back_f) * part;
    drift[k + 1] = (body->beta * back_f - body->gamma * back_g) * part;
    force[k + 1] = 1.5 * product(i->back, i->y_drift, k) * part;
    i->far[k + 1] = rate[k + 1] - s * drift[k + 1];
    i->open[k + 1] = i->far[k + 1] - step->gap[k + 1];
}

/* r[k] where q and Q vanish at the start: it makes far[k + 1] = sum of open[j] r[k + 1 - j], both
 * of which it changes by gap[1] / r[0] / (k + 1). Coefficients k + 1 were computed with r[k] =
 * 0. */
static double ratio_at_fold(const inner *i, const imp_continuum_step *step, int k) {
    double sum = i->open[k + 1] * i->r[0] - i->far[k + 1];
    for (int j = 2; j <= k; j++) {
        sum += i->open[j] * i->r[k + 1 - j];
    }
    return sum * (k + 1) / (2 * step->gap[1] * (k + 2));
}

void imp_continuum_over_stuck(imp_continuum_step *step, const imp_continuum_body *body, double s,
                              bool fold) {
    outer o;
    inner i;
    step->gap[0] = fold ? 0 : step->c[RATE][0] - s * step->c[DRIFT][0];
    i.far[0] = fold ? 0 : step->c[S_RATE][0] - s * step->c[S_DRIFT][0];
    i.open[0] = i.far[0] - step->gap[0];
    for (int k = 0; k < N; k++) {
        outer_shape(&o, step, k);
        step->c[FORCE][k] = step->c[S_FORCE][k] + s * (o.x3[k] - o.y3[k]);
        i.y_drift[k] = product(step->c[INNER], step->c[S_DRIFT], k);
        if (!fold) {
            i.r[k] = (i.far[k] - product_before(i.r, i.open, k)) / i.open[0];
        } else if (k == 0) {
            i.r[0] = 0.5;
        } else {
            i.r[k] = 0;
            advance(&o, &i, step, body, s, k);
            i.r[k] = ratio_at_fold(&i, step, k);
        }
        advance(&o, &i, step, body, s, k);
    }
    outer_shape(&o, step, N);
    step->c[FORCE][N] = step->c[S_FORCE][N] + s * (o.x3[N] - o.y3[N]);
}
