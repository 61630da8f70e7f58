/* Steps of slip in lanes: a trial of slip_step.h in each. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include "models/compliant3d/collocation.h"
#include "models/compliant3d/factors_lanes.h"
#include "models/compliant3d/slip_step.h"
#include "num/lanes/gather.h"
#include "num/lanes/trigonometry.h"

typedef struct inverse_mass {
    IMP_INVERSE_MASS(real)
} inverse_mass;
typedef struct law {
    IMP_COMPLIANT3D_SLIP_LAW(real, inverse_mass)
} law;
typedef struct place {
    IMP_COMPLIANT3D_SLIP_STATE(real)
} place;
typedef struct slid {
    IMP_COMPLIANT3D_SLIP_STEP(real, place)
} slid;
IMP_SAME_MEMBERS(slid, offsetof(imp_compliant3d_slip_step, length));

/* What is given in a trial. */
typedef struct trial {
    law law;
    place from;
    real h;
    real reach[STAGES][STAGES]; /* h times up_to */
} trial;

/* The directions phi are the unknowns; everything else follows from them. */
typedef struct stages {
    column phi, c, s, w, v1, v2, v3;
    column turning; /* phi' */
    real first_a3;  /* of the first stage */
} stages;

/* The accelerations at the stages: v' over w. */
typedef struct drives {
    column a1, a2, a3;
} drives;

CODE real sum(const double *weights, const real *values) {
    real total = number(0);
    for (int j = 0; j < STAGES; j++) {
        total += weights[j] * values[j];
    }
    return total;
}

CODE void load_trial(const void *const *trials, trial *t) {
    IMP_LOAD_MEMBERS(trials, imp_compliant3d_slip_trial, law, &t->law);
    IMP_LOAD_MEMBERS(trials, imp_compliant3d_slip_trial, from, &t->from);
    t->h = load(trials, offsetof(imp_compliant3d_slip_trial, length));
    for (int i = 0; i < STAGES; i++) {
        for (int j = 0; j < STAGES; j++) {
            t->reach[i][j] = t->h * up_to[i][j];
        }
    }
}

/* ---- the equations of the stages ---- */

CODE void set_directions(const law *l, stages *x, drives *a) {
    for (int i = 0; i < STAGES; i += 2) {
        imp_lanes_sines(x->phi + i, x->s + i, x->c + i);
    }
    for (int i = 0; i < STAGES; i++) {
        real t1 = -l->mu * x->c[i], t2 = -l->mu * x->s[i], stiff = l->stiffness;
        a->a1[i] = stiff * (l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13);
        a->a2[i] = stiff * (l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23);
        a->a3[i] = stiff * (l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33);
    }
    x->first_a3 = a->a3[0];
}

/* One iteration for w and v3 at given directions, w'' = -a3 w, always with the latest values.
 * Returns the largest change of w. */
CODE real set_normal(const trial *t, const drives *a, stages *x) {
    real change = number(0);
    for (int i = 0; i < STAGES; i++) {
        real v3 = t->from.v3;
        for (int j = 0; j < STAGES; j++) {
            v3 += t->reach[i][j] * a->a3[j] * x->w[j];
        }
        x->v3[i] = v3;
    }
    for (int i = 0; i < STAGES; i++) {
        real w = t->from.w - t->h * sum(up_to[i], x->v3);
        change = larger(change, size_of(w - x->w[i]));
        x->w[i] = w;
    }
    return change;
}

CODE void set_tangential(const trial *t, const drives *a, stages *x) {
    const law *l = &t->law;
    for (int i = 0; i < STAGES; i++) {
        real v1 = t->from.v1, v2 = t->from.v2;
        for (int j = 0; j < STAGES; j++) {
            real part = t->reach[i][j] * x->w[j];
            v1 += part * a->a1[j];
            v2 += part * a->a2[j];
        }
        x->v1[i] = v1;
        x->v2[i] = v2;
        real across = v2 * x->c[i] - v1 * x->s[i];
        x->turning[i] = pick(l->mu > 0, across / (l->kappa * x->w[i]), number(0));
    }
}

/* ---- Newton's method for the directions ---- */

/* Derivatives of phi_i - h sum a_ij phi'_j, where phi'_j depends on phi_j by itself and through the
 * velocity that friction has changed so far. */
CODE void set_derivatives(const trial *t, const stages *x, factors *f) {
    const law *l = &t->law;
    real slope[STAGES][STAGES], gain = l->mu * l->stiffness * t->h;
    column t1, t2; /* Btt e' w */
    for (int k = 0; k < STAGES; k++) {
        t1[k] = gain * x->w[k] * (l->b.b12 * x->c[k] - l->b.b11 * x->s[k]);
        t2[k] = gain * x->w[k] * (l->b.b22 * x->c[k] - l->b.b12 * x->s[k]);
    }
    for (int j = 0; j < STAGES; j++) {
        real inverse = t->h / (l->kappa * x->w[j]);
        for (int k = 0; k < STAGES; k++) {
            slope[j][k] = up_to[j][k] * (x->c[j] * t2[k] - x->s[j] * t1[k]) * inverse;
        }
        slope[j][j] += (x->v1[j] * x->c[j] + x->v2[j] * x->s[j]) * inverse;
    }
    for (int i = 0; i < STAGES; i++) {
        for (int k = 0; k < STAGES; k++) {
            real total = number(i == k);
            for (int j = 0; j < STAGES; j++) {
                total += up_to[i][j] * slope[j][k];
            }
            f->m[i][k] = total;
        }
    }
    factorize(f);
}

CODE void renew(truth mask, const trial *t, const stages *x, factors *f) {
    factors found;
    set_derivatives(t, x, &found);
    for (int i = 0; i < STAGES; i++) {
        for (int k = 0; k < STAGES; k++) {
            put(mask, &f->m[i][k], found.m[i][k]);
        }
        put(mask, &f->pivot[i], found.pivot[i]);
    }
    f->exchanged = f->exchanged || found.exchanged;
}

/* Newton's step for the directions; returns the largest change. */
CODE real improve(const trial *t, const factors *f, stages *x) {
    column r;
    real change = number(0);
    truth rubs = t->law.mu > 0;
    for (int i = 0; i < STAGES; i++) {
        r[i] = t->from.phi + t->h * sum(up_to[i], x->turning) - x->phi[i];
    }
    solve_linear(f, r);
    for (int i = 0; i < STAGES; i++) {
        put(rubs, &x->phi[i], x->phi[i] + r[i]);
        change = larger(change, size_of(r[i]));
    }
    return pick(rubs, change, number(0));
}

/* ---- the iteration ---- */

/* Extrapolates the polynomial through the stages of a known step. */
CODE void continue_step(const void *const *known, real since, real h, stages *x) {
    real length = load(known, offsetof(imp_compliant3d_slip_step, length));
    column phi, w;
    load_members(known, offsetof(imp_compliant3d_slip_step, stage_phi), STAGES, phi);
    load_members(known, offsetof(imp_compliant3d_slip_step, stage_w), STAGES, w);
    for (int i = 0; i < STAGES; i++) {
        real at = (since + h * imp_compliant3d_slip_point[i]) / length;
        x->phi[i] = x->w[i] = number(0);
        for (int j = 0; j < STAGES; j++) {
            real part = number(lagrange[j]);
            for (int k = 0; k < STAGES; k++) {
                part *= k == j ? number(1) : at - imp_compliant3d_slip_point[k];
            }
            x->phi[i] += part * phi[j];
            x->w[i] += part * w[j];
        }
    }
}

/* The iteration starts from the known step, or from the state at the start if that step is too far
 * away. */
CODE void guess(const void *const *trials, const trial *t, stages *x) {
    static const imp_compliant3d_slip_step none = {.length = 0};
    const double farthest = 2;
    const void *known[IMP_LANES];
    for (int lane = 0; lane < IMP_LANES; lane++) {
        const imp_compliant3d_slip_trial *of = trials[lane];
        known[lane] = of->known ? of->known : &none;
    }
    real since = load(trials, offsetof(imp_compliant3d_slip_trial, since));
    truth near =
        since + t->h <= farthest * load(known, offsetof(imp_compliant3d_slip_step, length));
    continue_step(known, since, t->h, x);
    for (int i = 0; i < STAGES; i++) {
        truth good = near & (x->w[i] > 0);
        x->phi[i] = pick(good, x->phi[i], t->from.phi);
        x->w[i] =
            pick(good, x->w[i], t->from.w - t->h * imp_compliant3d_slip_point[i] * t->from.v3);
    }
}

CODE void put_stages(truth mask, stages *to, const stages *from) {
    for (size_t k = 0; k < sizeof *to / sizeof(real); k++) {
        put(mask, (real *)to + k, ((const real *)from)[k]);
    }
}

/* Sets `found` where the iteration converges, and returns where it does. It does not where the step
 * is too long for it, or passes the end of contact. The derivatives are renewed where the iteration
 * is slow. */
CODE truth solve_stages(const trial *t, stages *x, stages *found) {
    const double near_enough = 1e-12, slow = 0.02;
    real size = size_of(t->from.w) + t->h * size_of(t->from.v3), last = number(0);
    truth open = imp_lanes_all(true), solved = not(open);
    factors f;
    drives a;
    set_directions(&t->law, x, &a);
    set_normal(t, &a, x);
    for (int i = 0; i < 20 && any(open); i++) {
        set_normal(t, &a, x);
        real settled = set_normal(t, &a, x);
        set_tangential(t, &a, x);
        if (i == 0) {
            set_derivatives(t, x, &f);
        } else if (any(open & (last > slow))) {
            renew(last > slow, t, x, &f);
        }
        real turned = improve(t, &f, x);
        last = pick(turned > slow * last, number(1), turned);
        set_directions(&t->law, x, &a);
        truth arrives = open & (turned <= near_enough) & (settled <= near_enough * size);
        if (any(arrives)) {
            put_stages(arrives, found, x);
        }
        solved |= arrives;
        truth fails = open & not(turned < 10);
        for (int k = 0; k < STAGES && any(fails); k++) {
            put(fails, &x->phi[k], t->from.phi); /* not where sines are slow */
        }
        open &= not(arrives) & not(fails);
    }
    return solved;
}

/* ---- the end of a step ---- */

CODE real slip_speed(const law *l, real c, real s, real v1, real v2, real v3) {
    return v1 * c + v2 * s + l->kappa * v3;
}

CODE void set_end(const trial *t, const stages *x, slid *to) {
    const law *l = &t->law;
    const place *from = &t->from;
    real h = t->h, t1 = number(0), t2 = t1, t3 = t1, phi = from->phi + h * sum(weight, x->turning);
    to->loss = number(0);
    for (int i = 0; i < STAGES; i++) {
        real force = h * weight[i] * l->stiffness * x->w[i];
        t1 -= l->mu * force * x->c[i];
        t2 -= l->mu * force * x->s[i];
        t3 += force;
        to->loss += l->mu * force * to->stage_speed[i];
    }
    to->p1 = t1;
    to->p2 = t2;
    to->p3 = t3;
    to->end = (place){
        .phi = phi,
        .w = from->w - h * sum(weight, x->v3),
        .v1 = from->v1 + l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13 * t3,
        .v2 = from->v2 + l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23 * t3,
        .v3 = from->v3 + l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33 * t3,
    };
    imp_lanes_sine(phi, &to->end.s, &to->end.c);
}

/* Slip speed at the end, and the rates that Newton's method for the instant of an event needs. */
CODE void set_rates(const law *l, slid *to) {
    const place *y = &to->end;
    real force = l->stiffness * y->w, t1 = -l->mu * y->c, t2 = -l->mu * y->s;
    real a1 = force * (l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13);
    real a2 = force * (l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23);
    real across = y->v2 * y->c - y->v1 * y->s, below = l->kappa * y->w;
    to->v3_rate = force * (l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33);
    to->speed = slip_speed(l, y->c, y->s, y->v1, y->v2, y->v3);
    to->speed_rate = y->c * a1 + y->s * a2 + l->kappa * to->v3_rate +
                     pick(below > 0, across * across / below, number(0));
}

/* The highest coefficient of the direction bounds the error of the direction; friction carries it
 * into the velocities. The normal motion alone is an oscillation through the angle `swing`. */
CODE real error_of(const trial *t, const stages *x) {
    const law *l = &t->law;
    real most = number(0), missed = size_of(sum(highest, x->phi));
    for (int i = 0; i < STAGES; i++) {
        most = larger(most, size_of(x->w[i]));
    }
    real swing = t->h * root_of(size_of(x->first_a3));
    real force = l->mu * l->stiffness * most * (l->b.b11 + l->b.b22) * t->h;
    real smooth = smaller(missed, number(1)) * root_of(smaller(missed, number(1)));
    real part = swing * swing / 4, cube = part * part * part;
    return force * smooth + 1e-9 * cube * cube;
}

CODE void set_step(const trial *t, const stages *x, slid *to) {
    for (int i = 0; i < STAGES; i++) {
        to->stage_phi[i] = x->phi[i];
        to->stage_w[i] = x->w[i];
        to->stage_v3[i] = x->v3[i];
        to->stage_speed[i] = slip_speed(&t->law, x->c[i], x->s[i], x->v1[i], x->v2[i], x->v3[i]);
    }
    set_end(t, x, to);
    set_rates(&t->law, to);
    to->error = error_of(t, x);
}

IMP_IN_LANES(imp_compliant3d_slip_advance, (imp_compliant3d_slip_trial *const *trials, int n)) {
    const void *filled[IMP_LANES];
    trial t;
    stages x, found;
    slid taken;
    fill((void *const *)trials, n, filled);
    load_trial(filled, &t);
    guess(filled, &t, &x);
    memset(&found, 0, sizeof found);
    unsigned solved = imp_lanes_where(solve_stages(&t, &x, &found));
    set_step(&t, &found, &taken);
    for (int lane = 0; lane < n; lane++) {
        imp_compliant3d_slip_step *to = &trials[lane]->step;
        store_members((real *)&taken, lane, sizeof taken / sizeof(real), (double *)to);
        to->length = trials[lane]->length;
        to->solved = solved >> lane & 1;
    }
}
