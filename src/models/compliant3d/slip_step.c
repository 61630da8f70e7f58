#include "models/compliant3d/slip_step.h"

#include <math.h>

#include "num/larger.h"
#include "num/trigonometry.h"

enum { STAGES = IMP_SLIP_STAGES };

/* Gauss-Legendre collocation on [0, 1]: points, weights, integrals up to the points of the polynomial
 * through the stages, and its highest Legendre coefficient (by definition; Hairer and Wanner 1996). */
static const double point[STAGES] = {0.033765242898423986, 0.16939530676686774,
                                     0.38069040695840155,  0.61930959304159845,
                                     0.83060469323313226,  0.96623475710157601};
static const double weight[STAGES] = {0.085662246189585173, 0.1803807865240693,
                                      0.23395696728634552,  0.23395696728634552,
                                      0.1803807865240693,   0.085662246189585173};
static const double up_to[STAGES][STAGES] = {
    {0.042831123094792586, -0.014763725997197412, 0.0093250507064777512, -0.0056688580494835119,
     0.0028544333150993351, -0.00081278017126476211},
    {0.092673491430378863, 0.090190393262034652, -0.020300102293239586, 0.010363156240246424,
     -0.0048871929280376715, 0.0013555610554850618},
    {0.082247922612843874, 0.19603216233324501, 0.11697848364317276, -0.020482527745656098,
     0.0079899918996623358, -0.0020756257848663342},
    {0.087737871974451507, 0.17239079462440697, 0.25443949503200162, 0.11697848364317276,
     -0.015651375809175702, 0.0034143235767412987},
    {0.084306685134100111, 0.18526797945210698, 0.2235938110460991, 0.25425706957958511,
     0.090190393262034652, -0.0070112452407936907},
    {0.086475026360849935, 0.17752635320896997, 0.23962582533582904, 0.22463191657986777,
     0.19514451252126672, 0.042831123094792586},
};
static const double highest[STAGES] = {-0.19383956497639704, 0.58413663668322694,
                                       -0.86115096417790722, 0.86115096417790722,
                                       -0.58413663668322694, 0.19383956497639704};

/* Lagrange's polynomial of stage j is lagrange[j] times the distances from the other points. */
static const double lagrange[STAGES] = {-48.84757037405206, 147.20243244417318, -217.01004297283254,
                                        217.0100429728327,  -147.2024324441732, 48.84757037405205};

typedef double column[STAGES];

/* The directions phi are the unknowns; everything else follows from them. */
typedef struct stages {
    column phi, c, s, w, v1, v2, v3;
    column turning;    /* phi' */
    column a1, a2, a3; /* v' over w */
} stages;

static double sum(const double *weights, const double *values) {
    double total = 0;
    for (int j = 0; j < STAGES; j++) {
        total += weights[j] * values[j];
    }
    return total;
}

static void set_directions(const imp_slip_law *law, stages *x) {
    const imp_inverse_mass *b = &law->b;
    for (int i = 0; i < STAGES; i += 2) {
        imp_pair_sincos both = imp_pair_sine_cosine((imp_pair){x->phi[i], x->phi[i + 1]});
        for (int k = 0; k < 2; k++) {
            x->c[i + k] = both.cosine[k];
            x->s[i + k] = both.sine[k];
        }
    }
    for (int i = 0; i < STAGES; i++) {
        double t1 = -law->mu * x->c[i], t2 = -law->mu * x->s[i], stiff = law->stiffness;
        x->a1[i] = stiff * (b->b11 * t1 + b->b12 * t2 + b->b13);
        x->a2[i] = stiff * (b->b12 * t1 + b->b22 * t2 + b->b23);
        x->a3[i] = stiff * (b->b13 * t1 + b->b23 * t2 + b->b33);
    }
}

/* One iteration for w and v3 at given directions, w'' = -a3 w, always with the latest values.
 * Returns the largest change of w. */
static double set_normal(const imp_slip_state *from, double h, stages *x) {
    double change = 0;
    for (int i = 0; i < STAGES; i++) {
        double v3 = from->v3;
        for (int j = 0; j < STAGES; j++) {
            v3 += h * up_to[i][j] * x->a3[j] * x->w[j];
        }
        x->v3[i] = v3;
    }
    for (int i = 0; i < STAGES; i++) {
        double w = from->w - h * sum(up_to[i], x->v3);
        change = imp_larger(change, fabs(w - x->w[i]));
        x->w[i] = w;
    }
    return change;
}

static void set_tangential(const imp_slip_law *law, const imp_slip_state *from, double h,
                           stages *x) {
    for (int i = 0; i < STAGES; i++) {
        double v1 = from->v1, v2 = from->v2;
        for (int j = 0; j < STAGES; j++) {
            double part = h * up_to[i][j] * x->w[j];
            v1 += part * x->a1[j];
            v2 += part * x->a2[j];
        }
        x->v1[i] = v1;
        x->v2[i] = v2;
        double across = v2 * x->c[i] - v1 * x->s[i];
        x->turning[i] = law->mu > 0 ? across / (law->kappa * x->w[i]) : 0;
    }
}

/* A matrix as the product of triangles, rows exchanged. */
typedef struct factors {
    double m[STAGES][STAGES];
    int pivot[STAGES];
} factors;

static void factorize(factors *f) {
    for (int k = 0; k < STAGES; k++) {
        int pivot = k;
        for (int i = k + 1; i < STAGES; i++) {
            pivot = fabs(f->m[i][k]) > fabs(f->m[pivot][k]) ? i : pivot;
        }
        f->pivot[k] = pivot;
        for (int j = 0; j < STAGES && pivot != k; j++) {
            double swap = f->m[k][j];
            f->m[k][j] = f->m[pivot][j];
            f->m[pivot][j] = swap;
        }
        double inverse = 1 / f->m[k][k];
        for (int i = k + 1; i < STAGES; i++) {
            double factor = f->m[i][k] *= inverse;
            for (int j = k + 1; j < STAGES; j++) {
                f->m[i][j] -= factor * f->m[k][j];
            }
        }
    }
}

static void solve_linear(const factors *f, double *r) {
    for (int k = 0; k < STAGES; k++) {
        double swap = r[k];
        r[k] = r[f->pivot[k]];
        r[f->pivot[k]] = swap;
    }
    for (int k = 0; k < STAGES; k++) {
        for (int i = k + 1; i < STAGES; i++) {
            r[i] -= f->m[i][k] * r[k];
        }
    }
    for (int k = STAGES - 1; k >= 0; k--) {
        for (int j = k + 1; j < STAGES; j++) {
            r[k] -= f->m[k][j] * r[j];
        }
        r[k] /= f->m[k][k];
    }
}

/* Derivatives of phi_i - h sum a_ij phi'_j, where phi'_j depends on phi_j by itself and through the
 * velocity that friction has changed so far. */
static void set_derivatives(const imp_slip_law *law, double h, const stages *x, factors *f) {
    const imp_inverse_mass *b = &law->b;
    double slope[STAGES][STAGES], gain = law->mu * law->stiffness * h;
    column t1, t2; /* Btt e' w */
    for (int k = 0; k < STAGES; k++) {
        t1[k] = gain * x->w[k] * (b->b12 * x->c[k] - b->b11 * x->s[k]);
        t2[k] = gain * x->w[k] * (b->b22 * x->c[k] - b->b12 * x->s[k]);
    }
    for (int j = 0; j < STAGES; j++) {
        double inverse = h / (law->kappa * x->w[j]);
        for (int k = 0; k < STAGES; k++) {
            slope[j][k] = up_to[j][k] * (x->c[j] * t2[k] - x->s[j] * t1[k]) * inverse;
        }
        slope[j][j] += (x->v1[j] * x->c[j] + x->v2[j] * x->s[j]) * inverse;
    }
    for (int i = 0; i < STAGES; i++) {
        for (int k = 0; k < STAGES; k++) {
            double total = i == k;
            for (int j = 0; j < STAGES; j++) {
                total += up_to[i][j] * slope[j][k];
            }
            f->m[i][k] = total;
        }
    }
    factorize(f);
}

/* Newton's step for the directions; returns the largest change. */
static double improve(const imp_slip_state *from, double h, const factors *f, stages *x) {
    column r;
    double change = 0;
    for (int i = 0; i < STAGES; i++) {
        r[i] = from->phi + h * sum(up_to[i], x->turning) - x->phi[i];
    }
    solve_linear(f, r);
    for (int i = 0; i < STAGES; i++) {
        x->phi[i] += r[i];
        change = imp_larger(change, fabs(r[i]));
    }
    return change;
}

/* Extrapolates the polynomial through the stages of a known step; false if that step is too far
 * away. */
static bool continue_step(const imp_slip_step *known, double since, double h, stages *x) {
    const double farthest = 2;
    if (!known || since + h > farthest * known->length) {
        return false;
    }
    for (int i = 0; i < STAGES; i++) {
        double at = (since + h * point[i]) / known->length;
        x->phi[i] = x->w[i] = 0;
        for (int j = 0; j < STAGES; j++) {
            double part = lagrange[j];
            for (int k = 0; k < STAGES; k++) {
                part *= k == j ? 1 : at - point[k];
            }
            x->phi[i] += part * known->stage_phi[j];
            x->w[i] += part * known->stage_w[j];
        }
    }
    return true;
}

static void guess(const imp_slip_state *from, double h, const imp_slip_step *known, double since,
                  stages *x) {
    bool continued = continue_step(known, since, h, x);
    for (int i = 0; i < STAGES; i++) {
        if (!continued || !(x->w[i] > 0)) {
            x->phi[i] = from->phi;
            x->w[i] = from->w - h * point[i] * from->v3;
        }
    }
}

/* Returns false if the step is too long for the iteration, or passes the end of contact. The
 * derivatives are renewed when the iteration is slow. */
static bool solve_stages(const imp_slip_law *law, const imp_slip_state *from, double h, stages *x) {
    const double near_enough = 1e-12, slow = 0.02;
    double size = fabs(from->w) + h * fabs(from->v3), last = 0;
    factors f;
    set_directions(law, x);
    set_normal(from, h, x);
    for (int i = 0; i < 20; i++) {
        set_normal(from, h, x);
        double settled = set_normal(from, h, x), turned = 0;
        set_tangential(law, from, h, x);
        if (law->mu > 0) {
            if (i == 0 || last > slow) {
                set_derivatives(law, h, x, &f);
            }
            turned = improve(from, h, &f, x);
            last = turned > slow * last ? 1 : turned;
        }
        set_directions(law, x);
        if (turned <= near_enough && settled <= near_enough * size) {
            return true;
        }
        if (!(turned < 10)) {
            return false;
        }
    }
    return false;
}

static double slip_speed(const imp_slip_law *law, double c, double s, double v1, double v2,
                         double v3) {
    return v1 * c + v2 * s + law->kappa * v3;
}

static void set_end(const imp_slip_law *law, const imp_slip_state *from, double h, const stages *x,
                    imp_slip_step *step) {
    double e = law->stiffness, t1 = 0, t2 = 0, t3 = 0;
    for (int i = 0; i < STAGES; i++) {
        double force = h * weight[i] * e * x->w[i];
        t1 -= law->mu * force * x->c[i];
        t2 -= law->mu * force * x->s[i];
        t3 += force;
        step->loss += law->mu * force * step->stage_speed[i];
    }
    const imp_inverse_mass *b = &law->b;
    double phi = from->phi + h * sum(weight, x->turning);
    imp_sincos turn = imp_sine_cosine(phi);
    step->p1 = t1;
    step->p2 = t2;
    step->p3 = t3;
    step->end = (imp_slip_state){
        .phi = phi,
        .c = turn.cosine,
        .s = turn.sine,
        .w = from->w - h * sum(weight, x->v3),
        .v1 = from->v1 + b->b11 * t1 + b->b12 * t2 + b->b13 * t3,
        .v2 = from->v2 + b->b12 * t1 + b->b22 * t2 + b->b23 * t3,
        .v3 = from->v3 + b->b13 * t1 + b->b23 * t2 + b->b33 * t3,
    };
}

/* Slip speed at the end, and the rates that Newton's method for the instant of an event needs. */
static void set_rates(const imp_slip_law *law, imp_slip_step *step) {
    const imp_slip_state *y = &step->end;
    const imp_inverse_mass *b = &law->b;
    double force = law->stiffness * y->w, t1 = -law->mu * y->c, t2 = -law->mu * y->s;
    double a1 = force * (b->b11 * t1 + b->b12 * t2 + b->b13);
    double a2 = force * (b->b12 * t1 + b->b22 * t2 + b->b23);
    double across = y->v2 * y->c - y->v1 * y->s, below = law->kappa * y->w;
    step->v3_rate = force * (b->b13 * t1 + b->b23 * t2 + b->b33);
    step->speed = slip_speed(law, y->c, y->s, y->v1, y->v2, y->v3);
    step->speed_rate = y->c * a1 + y->s * a2 + law->kappa * step->v3_rate +
                       (below > 0 ? across * across / below : 0);
}

imp_slip_step imp_slip_advance(const imp_slip_law *law, const imp_slip_state *from, double h,
                               const imp_slip_step *known, double since) {
    stages x;
    guess(from, h, known, since, &x);
    imp_slip_step step = {.solved = solve_stages(law, from, h, &x), .length = h};
    double most = 0;
    for (int i = 0; i < STAGES; i++) {
        step.at[i] = point[i];
        step.stage_phi[i] = x.phi[i];
        step.stage_w[i] = x.w[i];
        step.stage_v3[i] = x.v3[i];
        step.stage_speed[i] = slip_speed(law, x.c[i], x.s[i], x.v1[i], x.v2[i], x.v3[i]);
        most = imp_larger(most, fabs(x.w[i]));
    }
    if (!step.solved) {
        return step;
    }
    set_end(law, from, h, &x, &step);
    set_rates(law, &step);
    /* The highest coefficient of the direction bounds the error of the direction; friction carries
     * it into the velocities. The normal motion alone is an oscillation through the angle
     * `swing`. */
    double missed = fabs(sum(highest, x.phi)), swing = h * sqrt(fabs(x.a3[0]));
    double force = law->mu * law->stiffness * most * (law->b.b11 + law->b.b22) * h;
    double smooth = imp_smaller(missed, 1) * sqrt(imp_smaller(missed, 1));
    double part = swing * swing / 4, cube = part * part * part;
    step.error = force * smooth + 1e-9 * cube * cube;
    return step;
}
