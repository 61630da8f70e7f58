/* Steps of stick in lanes: a trial of stick_step.h in each. Compiled once for each width; see
 * num/lanes/lanes.h. `damped` is a constant where a function is inlined: with dashpots. */
#include "models/compliant3d/stick_step.h"
#include "num/lanes/gather.h"
#include "num/lanes/polynomial.h"

enum { ORDER = 24, TERMS = ORDER + 1 };

typedef real terms[TERMS];

typedef struct inverse_mass {
    IMP_INVERSE_MASS(real)
} inverse_mass;
typedef struct instant {
    IMP_COMPLIANT3D_STATE(real)
} instant;
typedef struct stick {
    IMP_COMPLIANT3D_STICK_GIVEN(real, inverse_mass, instant)
} stick;
typedef struct stuck {
    IMP_COMPLIANT3D_STICK_STEP(real, instant)
} stuck;

typedef struct series {
    terms u1, u2, w, v1, v2, v3;
    terms margin;      /* |u|^2 - kappa^2 w^2; with dashpots of pull and force */
    terms falling;     /* -w, or what else ends the contact */
    terms q1, q2;      /* pull over the tangential stiffness; set with dashpots, as is the force */
    terms force;       /* over the normal stiffness */
    terms fast, slide; /* v3^2, v1^2 + v2^2; set with dashpots */
} series;

/* What draws the tangential springs, and what presses the normal one. */
typedef struct pull {
    const real *q1, *q2, *force;
} pull;

CODE pull pull_of(bool damped, const series *x) {
    return damped ? (pull){.q1 = x->q1, .q2 = x->q2, .force = x->force}
                  : (pull){.q1 = x->u1, .q2 = x->u2, .force = x->w};
}

/* Term k of |u|^2 - kappa^2 w^2 from the products of terms, of which those of u are the same forth
 * and back; wide: kappa^2 w. */
CODE real margin_term(const pull *x, const real *wide, int k) {
    terms square;
    real sum = number(0);
    for (int j = 0; 2 * j <= k; j++) {
        square[j] = square[k - j] = x->q1[j] * x->q1[k - j] + x->q2[j] * x->q2[k - j];
    }
    for (int j = 0; j <= k; j++) {
        sum += square[j] - wide[j] * x->force[k - j];
    }
    return sum;
}

CODE void expand_margin(bool damped, series *x, real square) {
    const pull drawn = pull_of(damped, x);
    terms wide;
    for (int k = 0; k < TERMS; k++) {
        wide[k] = square * drawn.force[k];
        x->margin[k] = margin_term(&drawn, wide, k);
        x->falling[k] = -x->w[k];
    }
}

/* Term k of what dashpots add, once the velocities have it. */
CODE void expand_dashpots(series *x, const stick *a, int k) {
    x->q1[k] = x->u1[k] + a->lag * x->v1[k];
    x->q2[k] = x->u2[k] + a->lag * x->v2[k];
    x->force[k] = x->w[k] - a->damping * x->v3[k];
    x->fast[k] = x->slide[k] = number(0);
    for (int j = 0; j <= k; j++) {
        x->fast[k] += x->v3[j] * x->v3[k - j];
        x->slide[k] += x->v1[j] * x->v1[k - j] + x->v2[j] * x->v2[k - j];
    }
}

CODE void expand(bool damped, series *x, const stick *a) {
    const pull drawn = pull_of(damped, x);
    x->u1[0] = a->from.u1;
    x->u2[0] = a->from.u2;
    x->w[0] = a->from.w;
    x->v1[0] = a->from.v1;
    x->v2[0] = a->from.v2;
    x->v3[0] = a->from.v3;
    for (int k = 0; k < ORDER; k++) {
        double next = 1.0 / (k + 1);
        if (damped) {
            expand_dashpots(x, a, k);
        }
        real f1 = a->soft * drawn.q1[k], f2 = a->soft * drawn.q2[k];
        real f3 = a->stiffness * drawn.force[k];
        x->v1[k + 1] = next * (a->b.b11 * f1 + a->b.b12 * f2 + a->b.b13 * f3);
        x->v2[k + 1] = next * (a->b.b12 * f1 + a->b.b22 * f2 + a->b.b23 * f3);
        x->v3[k + 1] = next * (a->b.b13 * f1 + a->b.b23 * f2 + a->b.b33 * f3);
        x->u1[k + 1] = next * x->v1[k];
        x->u2[k + 1] = next * x->v2[k];
        x->w[k + 1] = -next * x->v3[k];
    }
    if (damped) {
        expand_dashpots(x, a, ORDER);
    }
    expand_margin(damped, x, a->kappa * a->kappa);
    for (int k = 0; k < TERMS && damped; k++) {
        x->falling[k] = pick(a->by_elongation > 0, x->falling[k], -x->force[k]);
    }
}

/* Nothing stretches the tangential springs. */
CODE truth is_straight(const series *x) {
    real stretch = number(0);
    for (int k = 0; k < TERMS; k++) {
        stretch += size_of(x->u1[k]) + size_of(x->u2[k]);
    }
    return stretch == 0;
}

/* As imp_lanes_first_rise; where `divided`, of the polynomial over the square of the time. */
CODE real first_rise(const real *c, truth divided, real value, real end) {
    terms of;
    for (int k = 0; k < TERMS; k++) {
        of[k] = pick(divided, k + 2 < TERMS ? c[k + 2] : number(0), c[k]);
    }
    return imp_lanes_first_rise(of, ORDER, value, end);
}

/* As first_rise of the margin; where stick begins with a dashpot on the rim, of the polynomial over
 * the time: the margin falls from there, and what it does otherwise is rounding. */
CODE real first_rise_late(const stick *a, const series *x, real value) {
    const double hardly = -1e-200;
    truth once = a->fresh == 1;
    terms of;
    for (int k = 0; k < TERMS; k++) {
        of[k] = pick(once, k + 1 < TERMS ? x->margin[k + 1] : number(0), x->margin[k]);
    }
    put(once, &of[0], smaller(of[0], number(hardly)));
    return first_rise(of, a->fresh == 2, value, a->longest);
}

/* Where the normal force turns to pull the circle closes. A small stretch is lost in rounding there
 * if the circle was large. */
CODE real time_to_close(const stick *a, const series *x) {
    real never = number(INFINITY);
    truth closes = (a->by_elongation > 0) & (x->force[0] > 0) & not(is_straight(x));
    if (!any(closes)) {
        return never;
    }
    terms drawn;
    for (int k = 0; k < TERMS; k++) {
        drawn[k] = -x->force[k];
    }
    return pick(closes, imp_lanes_first_rise(drawn, ORDER, number(0), a->longest), never);
}

/* Time until stick reaches the friction circle. A phase that begins on the circle has a double zero
 * there, which is divided out. A straight contact stays at the centre until the circle vanishes: it
 * never slips. */
CODE real time_to_circle(bool damped, const stick *a, const series *x) {
    real value = pick(is_straight(x), number(INFINITY), number(0));
    if (damped) {
        return smaller(time_to_close(a, x), first_rise_late(a, x, value));
    }
    return first_rise(x->margin, a->fresh > 0, value, a->longest);
}

/* The instant near t at which stick reaches the circle, by Newton's method on |u| - kappa w. */
CODE real improved_circle(const stick *a, const series *x, real t) {
    for (int i = 0; i < 4; i++) {
        real u1 = imp_lanes_polynomial_at(x->u1, ORDER, t),
             u2 = imp_lanes_polynomial_at(x->u2, ORDER, t);
        real v1 = imp_lanes_polynomial_at(x->v1, ORDER, t),
             v2 = imp_lanes_polynomial_at(x->v2, ORDER, t);
        real size = root_of(u1 * u1 + u2 * u2);
        real over = size - a->kappa * imp_lanes_polynomial_at(x->w, ORDER, t);
        real rate =
            (u1 * v1 + u2 * v2) / size + a->kappa * imp_lanes_polynomial_at(x->v3, ORDER, t);
        put((t < INFINITY) & (rate > 0), &t, larger(t - over / rate, number(0)));
    }
    return t;
}

/* The same with dashpots. */
CODE real improved_pull(const stick *a, const series *x, real t) {
    for (int i = 0; i < 4; i++) {
        real y[3] = {x->q1[ORDER], x->q2[ORDER], x->force[ORDER]}, y1[3];
        y1[0] = y1[1] = y1[2] = number(0);
        for (int k = ORDER - 1; k >= 0; k--) {
            const real next[3] = {x->q1[k], x->q2[k], x->force[k]};
            for (int j = 0; j < 3; j++) {
                y1[j] = y1[j] * t + y[j];
                y[j] = y[j] * t + next[j];
            }
        }
        real size = root_of(y[0] * y[0] + y[1] * y[1]);
        real over = size - a->kappa * size_of(y[2]);
        real force_rate = pick(y[2] < 0, -y1[2], y1[2]);
        real rate = (y[0] * y1[0] + y[1] * y1[1]) / size - a->kappa * force_rate;
        put((t < INFINITY) & (rate > 0), &t, larger(t - over / rate, number(0)));
    }
    return t;
}

/* Time until the compression is back at its last maximum, from which it falls as the square of
 * time. */
CODE real time_to_load(const stick *a, const series *x) {
    truth peaked = a->peaked > 0;
    real time = first_rise(x->w, peaked, pick(peaked, number(0), a->reload), a->longest);
    return pick(peaked | (a->from.w < a->reload), time, number(INFINITY));
}

CODE void set_events(bool damped, const stick *a, const series *x, stuck *to) {
    real never = number(INFINITY);
    real rise = imp_lanes_first_rise(x->v3, ORDER, number(0), a->longest);
    real leave = imp_lanes_first_rise(x->falling, ORDER, number(0), a->longest);
    to->circle = time_to_circle(damped, a, x);
    to->rise = pick(a->from.v3 < 0, rise, never);
    to->load = time_to_load(a, x);
    to->leave = pick(x->falling[0] < 0, leave, never);
    truth improves = (a->kappa > imp_compliant3d_steep) & not((a->fresh > 0) & (to->circle == 0));
    real nearest = smaller(to->leave, to->circle);
    if (any(improves & (nearest < never))) {
        nearest = damped ? improved_pull(a, x, nearest) : improved_circle(a, x, nearest);
    }
    put(improves, &to->circle, nearest);
    to->first = smaller(smaller(to->leave, to->load), smaller(to->rise, to->circle));
    to->length = smaller(smaller(a->longest, to->first), a->until);
}

CODE instant after_stick(bool damped, const stick *a, const series *x, real t) {
    const instant *from = &a->from;
    const pull drawn = pull_of(damped, x);
    real w = imp_lanes_polynomial_at(x->w, ORDER, t), normal = number(0), tangential = normal;
    if (damped) {
        normal = a->damping * imp_lanes_polynomial_integral(x->fast, ORDER, t);
        tangential = a->drag * imp_lanes_polynomial_integral(x->slide, ORDER, t);
    }
    real work = from->work + a->stiffness * (from->w - w) * (from->w + w) / 2;
    return (instant){
        .u1 = imp_lanes_polynomial_at(x->u1, ORDER, t),
        .u2 = imp_lanes_polynomial_at(x->u2, ORDER, t),
        .w = w,
        .v1 = imp_lanes_polynomial_at(x->v1, ORDER, t),
        .v2 = imp_lanes_polynomial_at(x->v2, ORDER, t),
        .v3 = imp_lanes_polynomial_at(x->v3, ORDER, t),
        .p1 = from->p1 + a->soft * imp_lanes_polynomial_integral(drawn.q1, ORDER, t),
        .p2 = from->p2 + a->soft * imp_lanes_polynomial_integral(drawn.q2, ORDER, t),
        .p3 = from->p3 + a->stiffness * imp_lanes_polynomial_integral(drawn.force, ORDER, t),
        .work = damped ? work - normal : work,
        .friction_loss = from->friction_loss,
        .time = from->time + t,
        .normal_loss = from->normal_loss + normal,
        .tangential_loss = from->tangential_loss + tangential,
        .speed = number(0),
    };
}

CODE void take_steps(bool damped, imp_compliant3d_stick_trial *const *trials, int n) {
    const void *filled[IMP_LANES];
    stick a;
    series x;
    stuck taken;
    fill((void *const *)trials, n, filled);
    IMP_LOAD_MEMBERS(filled, imp_compliant3d_stick_trial, given, &a);
    expand(damped, &x, &a);
    set_events(damped, &a, &x, &taken);
    taken.end = after_stick(damped, &a, &x, taken.length);
    for (int lane = 0; lane < n; lane++) {
        IMP_STORE_MEMBERS(&taken, lane, &trials[lane]->step);
    }
}

IMP_IN_LANES(imp_compliant3d_stick_advance, (imp_compliant3d_stick_trial *const *trials, int n)) {
    take_steps(false, trials, n);
}

IMP_IN_LANES(imp_compliant3d_damped_stick_advance,
             (imp_compliant3d_stick_trial *const *trials, int n)) {
    take_steps(true, trials, n);
}
