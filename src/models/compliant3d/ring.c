/* A constrained body with dashpots that sticks rings down to a place of rest, unless it slips
 * before.
 *
 * About that place it has an energy that only falls, and bounds of all elongations and velocities
 * fall with it. Where they are too small for the pull to reach the circle the body wedges. Then x =
 * (u1, u2, -w) about the rest and v obey x' = v, v' = -B (D x + C v). The loss in a dashpot is the
 * integral of a square over all time; each round finds it for twice the time of the round
 * before. */
#include <math.h>
#include <string.h>

#include "models/compliant3d/collocation.h"
#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"

enum { SIZE = 6 };

typedef struct matrix {
    double m[SIZE][SIZE];
} matrix;

static matrix product(const matrix *a, const matrix *b) {
    matrix c;
    memset(&c, 0, sizeof c);
    for (int i = 0; i < SIZE; i++) {
        for (int k = 0; k < SIZE; k++) {
            for (int j = 0; j < SIZE; j++) {
                c.m[i][j] += a->m[i][k] * b->m[k][j];
            }
        }
    }
    return c;
}

/* Adds factor a^T q a to the sum. */
static void add_square(matrix *sum, double factor, const matrix *a, const matrix *q) {
    matrix turned;
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            turned.m[i][j] = a->m[j][i];
        }
    }
    matrix half = product(q, a), whole = product(&turned, &half);
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) {
            sum->m[i][j] += factor * whole.m[i][j];
        }
    }
}

/* The rates of x and v. */
static matrix rates_of(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    const double rows[3][3] = {
        {b->b11, b->b12, b->b13}, {b->b12, b->b22, b->b23}, {b->b13, b->b23, b->b33}};
    double soft = 1 / a->p->stiffness_ratio;
    const double spring[3] = {soft, soft, a->stiffness};
    const double dashpot[3] = {a->drag, a->drag, a->p->damping};
    matrix r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 3; i++) {
        r.m[i][3 + i] = 1;
        for (int j = 0; j < 3; j++) {
            r.m[3 + i][j] = -rows[i][j] * spring[j];
            r.m[3 + i][3 + j] = -rows[i][j] * dashpot[j];
        }
    }
    return r;
}

/* What the motion makes of x and v in a time that is short against all that happens. */
static matrix after(const matrix *rates, double time) {
    enum { ORDER = 24 };
    matrix sum, term;
    memset(&term, 0, sizeof term);
    for (int i = 0; i < SIZE; i++) {
        term.m[i][i] = 1;
    }
    sum = term;
    for (int k = 1; k <= ORDER; k++) {
        term = product(&term, rates);
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                term.m[i][j] *= time / k;
                sum.m[i][j] += term.m[i][j];
            }
        }
    }
    return sum;
}

/* The integral of v3^2 over all time from x, v on. */
static double square_of_approach(const contact *a, const double y[SIZE]) {
    enum { MOST = 45 };
    const double near_enough = 1e-12; /* longer, rounding would move the place of rest */
    const matrix rates = rates_of(a);
    double time = 0.5 / imp_compliant3d_fastest(a), before = -1, now = 0;
    matrix seen, sum, course = after(&rates, time);
    memset(&seen, 0, sizeof seen);
    memset(&sum, 0, sizeof sum);
    seen.m[SIZE - 1][SIZE - 1] = 1;
    for (int i = 0; i < IMP_COMPLIANT3D_SLIP_STAGES; i++) {
        matrix then = after(&rates, time * imp_compliant3d_slip_point[i]);
        add_square(&sum, time * weight[i], &then, &seen);
    }
    for (int round = 0; round < MOST && fabs(now - before) > near_enough * now; round++) {
        matrix first = sum;
        add_square(&sum, 1, &course, &first);
        course = product(&course, &course);
        before = now;
        now = 0;
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                now += y[i] * sum.m[i][j] * y[j];
            }
        }
    }
    return now;
}

static double elastic(const contact *a, double u1, double u2, double w) {
    return (u1 * u1 + u2 * u2) / (2 * a->p->stiffness_ratio) + a->stiffness * w * w / 2;
}

/* The energy about the place of rest; x: that place. */
static double energy_left(const contact *a, const double x[3]) {
    const imp_spatial_contact *b = a->p->contact;
    const state *s = &a->now;
    double gained = ((b->v1 + s->v1) * s->p1 + (b->v2 + s->v2) * s->p2 + (s->v3 - 1) * s->p3) / 2;
    double stored = elastic(a, s->u1, s->u2, s->w) - elastic(a, x[0], x[1], -x[2]);
    return imp_larger(b->energy + gained + stored, 0);
}

/* The velocities obey the equation of the elongations. So they have such an energy, too, which only
 * falls: half of v . D v and of v' . B^-1 v', which is f . B f of the forces f. */
static double energy_of_velocities(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    const state *s = &a->now;
    double soft = 1 / a->p->stiffness_ratio, f1 = -soft * (s->u1 + a->lag * s->v1);
    double f2 = -soft * (s->u2 + a->lag * s->v2), f3 = imp_compliant3d_force(a);
    double r1 = b->b11 * f1 + b->b12 * f2 + b->b13 * f3;
    double r2 = b->b12 * f1 + b->b22 * f2 + b->b23 * f3;
    double r3 = b->b13 * f1 + b->b23 * f2 + b->b33 * f3;
    return imp_larger(f1 * r1 + f2 * r2 + f3 * r3, 0) / 2 + elastic(a, s->v1, s->v2, s->v3);
}

/* Behind strong dashpots the body creeps, and the second energy bounds its velocities better than
 * the first. */
bool imp_compliant3d_rings_down(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double x[3];
    imp_compliant3d_place_of_rest(a, x);
    double reach = sqrt(2 * energy_left(a, x)), hurry = sqrt(2 * energy_of_velocities(a));
    double root = sqrt(a->p->stiffness_ratio);
    double along = imp_smaller(sqrt(b->b11 + b->b22) * reach, root * hurry);
    double pull = root * reach + a->lag * along;
    double force = reach + a->p->damping * imp_smaller(sqrt(b->b33) * reach, hurry);
    double inside = -a->kappa * x[2] - sqrt(x[0] * x[0] + x[1] * x[1]);
    return inside > pull + a->kappa * force;
}

void imp_compliant3d_rest(contact *a) {
    double x[3];
    imp_compliant3d_place_of_rest(a, x);
    state *s = &a->now;
    const double y[SIZE] = {s->u1 - x[0], s->u2 - x[1], -s->w - x[2], s->v1, s->v2, s->v3};
    double left = energy_left(a, x);
    double normal = a->p->damping > 0 ? a->p->damping * square_of_approach(a, y) : 0;
    normal = a->drag > 0 ? imp_smaller(normal, left) : left;
    s->normal_loss += normal;
    s->tangential_loss += left - normal;
    s->u1 = x[0];
    s->u2 = x[1];
    s->w = -x[2];
    s->v1 = s->v2 = s->v3 = 0;
}
