/* Steps of slip in lanes: a trial of slip_step.h in each. Compiled once for each width; see
 * num/lanes/lanes.h. `damped` is a constant where a function is inlined: with dashpots. */
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
typedef struct dashpots {
    IMP_COMPLIANT3D_SLIP_DASHPOTS(real)
} dashpots;
typedef struct place {
    IMP_COMPLIANT3D_SLIP_STATE(real)
} place;
typedef struct slid {
    IMP_COMPLIANT3D_SLIP_STEP(real, place)
} slid;
IMP_SAME_MEMBERS(slid, offsetof(imp_compliant3d_slip_step, length));
_Static_assert(offsetof(slid, normal_loss) + (4 + STAGES) * sizeof(real) == sizeof(slid) &&
                   offsetof(slid, tangential_loss) > offsetof(slid, normal_loss) &&
                   offsetof(slid, force) > offsetof(slid, normal_loss) &&
                   offsetof(slid, force_rate) > offsetof(slid, normal_loss) &&
                   offsetof(slid, stage_force) > offsetof(slid, normal_loss),
               "what only dashpots set comes last, and begins with the normal loss");

/* What is given in a trial. */
typedef struct trial {
    law law;
    place from;
    real h;
    real reach[STAGES][STAGES]; /* h times up_to */
    dashpots dashpots;          /* these and the next: set with dashpots only */
    factors late;               /* lag + h times up_to */
} trial;

/* The directions phi are the unknowns; everything else follows from them. */
typedef struct stages {
    column phi, c, s, w, v1, v2, v3;
    column turning;      /* phi' */
    column force, speed; /* normal force and slip speed; set with dashpots only */
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

/* What moves the body: the compression of the normal spring, or with a dashpot the force. */
CODE const real *load_of(bool damped, const stages *x) {
    return damped ? x->force : x->w;
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

CODE void load_damped_trial(const void *const *trials, trial *t) {
    load_trial(trials, t);
    IMP_LOAD_MEMBERS(trials, imp_compliant3d_slip_trial, dashpots, &t->dashpots);
    for (int i = 0; i < STAGES; i++) {
        for (int j = 0; j < STAGES; j++) {
            t->late.m[i][j] = t->reach[i][j] + (i == j ? t->dashpots.lag : number(0));
        }
    }
    factorize(&t->late);
}

/* ---- the equations of the stages ---- */

CODE void set_directions(stages *x) {
    for (int i = 0; i < STAGES; i += 2) {
        imp_lanes_sines(x->phi + i, x->s + i, x->c + i);
    }
}

CODE void set_drives(const law *l, const stages *x, drives *a) {
    for (int i = 0; i < STAGES; i++) {
        real t1 = -l->mu * x->c[i], t2 = -l->mu * x->s[i], stiff = l->stiffness;
        a->a1[i] = stiff * (l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13);
        a->a2[i] = stiff * (l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23);
        a->a3[i] = stiff * (l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33);
    }
}

/* One iteration for w and v3 at given directions, w'' = -a3 w, always with the latest values.
 * Returns the largest change of w, or of the force. */
CODE real set_normal(bool damped, const trial *t, const drives *a, stages *x) {
    const real *load = load_of(damped, x);
    real change = number(0);
    for (int i = 0; i < STAGES; i++) {
        real v3 = t->from.v3;
        for (int j = 0; j < STAGES; j++) {
            v3 += t->reach[i][j] * a->a3[j] * load[j];
        }
        x->v3[i] = v3;
    }
    for (int i = 0; i < STAGES; i++) {
        real w = t->from.w - t->h * sum(up_to[i], x->v3);
        change = larger(change, size_of(w - x->w[i]));
        x->w[i] = w;
        if (damped) {
            real force = w - t->dashpots.damping * x->v3[i];
            change = larger(change, size_of(force - x->force[i]));
            x->force[i] = force;
        }
    }
    return change;
}

/* The right side of the slip speed's equation. */
CODE real driven_speed(const trial *t, real c, real s, real v1, real v2, real v3, real r1, real r2,
                       real r3) {
    const dashpots *d = &t->dashpots;
    real along = (v1 + d->lag * r1) * c + (v2 + d->lag * r2) * s;
    return along + t->law.kappa * (v3 + d->damping * r3);
}

/* The slip speeds at given velocities, and their rates. */
CODE void set_speeds(const trial *t, const drives *a, stages *x, real *rate) {
    for (int i = 0; i < STAGES; i++) {
        real f = x->force[i];
        rate[i] = driven_speed(t, x->c[i], x->s[i], x->v1[i], x->v2[i], x->v3[i], a->a1[i] * f,
                               a->a2[i] * f, a->a3[i] * f);
        x->speed[i] = rate[i];
        rate[i] -= t->dashpots.speed;
    }
    solve_linear(&t->late, rate);
    for (int i = 0; i < STAGES; i++) {
        x->speed[i] -= t->dashpots.lag * rate[i];
    }
}

CODE void set_turning(const trial *t, const drives *a, stages *x) {
    const law *l = &t->law;
    for (int i = 0; i < STAGES; i++) {
        real f = t->dashpots.lag * x->force[i];
        real across = (x->v2[i] + a->a2[i] * f) * x->c[i] - (x->v1[i] + a->a1[i] * f) * x->s[i];
        real reach = l->kappa * x->force[i] + t->dashpots.lag * x->speed[i];
        x->turning[i] = pick(l->mu != 0, across / reach, number(0));
    }
}

CODE void set_tangential(bool damped, const trial *t, const drives *a, stages *x) {
    const law *l = &t->law;
    const real *load = load_of(damped, x);
    for (int i = 0; i < STAGES; i++) {
        real v1 = t->from.v1, v2 = t->from.v2;
        for (int j = 0; j < STAGES; j++) {
            real part = t->reach[i][j] * load[j];
            v1 += part * a->a1[j];
            v2 += part * a->a2[j];
        }
        x->v1[i] = v1;
        x->v2[i] = v2;
        if (!damped) {
            real across = v2 * x->c[i] - v1 * x->s[i];
            x->turning[i] = pick(l->mu > 0, across / (l->kappa * x->w[i]), number(0));
        }
    }
    if (damped) {
        column rate;
        set_speeds(t, a, x, rate);
        set_turning(t, a, x);
    }
}

/* ---- Newton's method for the directions ---- */

/* Derivatives of phi_i - h sum a_ij phi'_j, where phi'_j depends on phi_j by itself and through the
 * velocity that friction has changed so far. */
CODE void set_derivatives(bool damped, const trial *t, const drives *a, const stages *x,
                          factors *f) {
    const law *l = &t->law;
    const real *load = load_of(damped, x);
    real slope[STAGES][STAGES], gain = l->mu * l->stiffness * t->h;
    column t1, t2; /* Btt e' w */
    for (int k = 0; k < STAGES; k++) {
        t1[k] = gain * load[k] * (l->b.b12 * x->c[k] - l->b.b11 * x->s[k]);
        t2[k] = gain * load[k] * (l->b.b22 * x->c[k] - l->b.b12 * x->s[k]);
    }
    for (int j = 0; j < STAGES; j++) {
        real reach = l->kappa * load[j];
        reach = damped ? reach + t->dashpots.lag * x->speed[j] : reach;
        real inverse = t->h / reach;
        for (int k = 0; k < STAGES; k++) {
            slope[j][k] = up_to[j][k] * (x->c[j] * t2[k] - x->s[j] * t1[k]) * inverse;
        }
        slope[j][j] += (x->v1[j] * x->c[j] + x->v2[j] * x->s[j]) * inverse;
        if (damped) { /* the slip speed, too, depends on the direction: but little, where it lags */
            real along = (a->a1[j] * x->c[j] + a->a2[j] * x->s[j]) * load[j];
            real across = (x->c[j] * t2[j] - x->s[j] * t1[j]) / t->h;
            slope[j][j] += t->dashpots.lag * (along + across) * inverse;
        }
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

CODE void renew(bool damped, truth mask, const trial *t, const drives *a, const stages *x,
                factors *f) {
    factors found;
    set_derivatives(damped, t, a, x, &found);
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
    truth rubs = t->law.mu != 0;
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
CODE void continue_step(bool damped, const void *const *known, real since, real h, stages *x) {
    real length = load(known, offsetof(imp_compliant3d_slip_step, length));
    column phi, w, force, speed;
    if (damped) {
        load_members(known, offsetof(imp_compliant3d_slip_step, stage_force), STAGES, force);
        load_members(known, offsetof(imp_compliant3d_slip_step, stage_speed), STAGES, speed);
    }
    load_members(known, offsetof(imp_compliant3d_slip_step, stage_phi), STAGES, phi);
    load_members(known, offsetof(imp_compliant3d_slip_step, stage_w), STAGES, w);
    for (int i = 0; i < STAGES; i++) {
        real at = (since + h * imp_compliant3d_slip_point[i]) / length;
        x->phi[i] = x->w[i] = number(0);
        if (damped) {
            x->force[i] = x->speed[i] = number(0);
        }
        for (int j = 0; j < STAGES; j++) {
            real part = number(lagrange[j]);
            for (int k = 0; k < STAGES; k++) {
                part *= k == j ? number(1) : at - imp_compliant3d_slip_point[k];
            }
            x->phi[i] += part * phi[j];
            x->w[i] += part * w[j];
            if (damped) {
                x->force[i] += part * force[j];
                x->speed[i] += part * speed[j];
            }
        }
    }
}

/* The iteration starts from the known step, or from the state at the start if that step is too far
 * away. */
CODE void guess(bool damped, const void *const *trials, const trial *t, stages *x) {
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
    continue_step(damped, known, since, t->h, x);
    for (int i = 0; i < STAGES; i++) {
        truth good = near & (x->w[i] > 0);
        x->phi[i] = pick(good, x->phi[i], t->from.phi);
        x->w[i] =
            pick(good, x->w[i], t->from.w - t->h * imp_compliant3d_slip_point[i] * t->from.v3);
        if (damped) {
            real first = t->from.w - t->dashpots.damping * t->from.v3;
            x->force[i] = pick(good, x->force[i], first);
            x->speed[i] = pick(good, x->speed[i], t->dashpots.speed);
        }
    }
}

CODE size_t size_of_stages(bool damped) {
    _Static_assert(offsetof(stages, force) + 2 * sizeof(column) == sizeof(stages) &&
                       offsetof(stages, speed) > offsetof(stages, force),
                   "what only dashpots set comes last");
    return damped ? sizeof(stages) : offsetof(stages, force);
}

CODE void put_stages(bool damped, truth mask, stages *to, const stages *from) {
    for (size_t k = 0; k < size_of_stages(damped) / sizeof(real); k++) {
        put(mask, (real *)to + k, ((const real *)from)[k]);
    }
}

/* Sets `found` where the iteration converges, and returns where it does. It does not where the step
 * is too long for it, or passes the end of contact. The derivatives are renewed where the iteration
 * is slow. */
CODE truth solve_stages(bool damped, const trial *t, stages *x, stages *found) {
    const double near_enough = 1e-12, slow = 0.02;
    real while_it_moves = damped ? t->h + t->dashpots.damping : t->h;
    real size = size_of(t->from.w) + while_it_moves * size_of(t->from.v3), last = number(0);
    truth open = imp_lanes_all(true), solved = not(open);
    factors f;
    drives a;
    f.exchanged = false;
    set_directions(x);
    set_drives(&t->law, x, &a);
    set_normal(damped, t, &a, x);
    for (int i = 0; i < 20 && any(open); i++) {
        set_normal(damped, t, &a, x);
        real settled = set_normal(damped, t, &a, x);
        set_tangential(damped, t, &a, x);
        if (i == 0) {
            set_derivatives(damped, t, &a, x, &f);
        } else if (any(open & (last > slow))) {
            renew(damped, last > slow, t, &a, x, &f);
        }
        real turned = improve(t, &f, x);
        last = pick(turned > slow * last, number(1), turned);
        set_directions(x);
        truth arrives = open & (turned <= near_enough) & (settled <= near_enough * size);
        if (any(arrives)) {
            put_stages(damped, arrives, found, x);
        }
        solved |= arrives;
        truth fails = open & not(turned < 10);
        for (int k = 0; k < STAGES && any(fails); k++) {
            put(fails, &x->phi[k], t->from.phi); /* not where sines are slow */
        }
        open &= not(arrives) & not(fails);
        if (any(open)) {
            set_drives(&t->law, x, &a);
        }
    }
    return solved;
}

/* ---- the end of a step ---- */

CODE real slip_speed(const law *l, real c, real s, real v1, real v2, real v3) {
    return v1 * c + v2 * s + l->kappa * v3;
}

CODE void set_end(bool damped, const trial *t, const stages *x, slid *to) {
    const law *l = &t->law;
    const place *from = &t->from;
    const real *load = load_of(damped, x);
    real h = t->h, t1 = number(0), t2 = t1, t3 = t1, phi = from->phi + h * sum(weight, x->turning);
    to->loss = number(0);
    for (int i = 0; i < STAGES; i++) {
        real force = h * weight[i] * l->stiffness * load[i];
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
    imp_lanes_sine(phi, &to->s, &to->c);
}

/* The rest of the end with dashpots: what they lose, and the slip speed. */
CODE void set_damped_end(const trial *t, stages *x, slid *to) {
    to->normal_loss = to->tangential_loss = number(0);
    const dashpots *d = &t->dashpots;
    drives a;
    column rate;
    set_drives(&t->law, x, &a);
    set_speeds(t, &a, x, rate);
    for (int i = 0; i < STAGES; i++) {
        real u1 = x->v1[i] - x->speed[i] * x->c[i], u2 = x->v2[i] - x->speed[i] * x->s[i];
        real part = t->h * weight[i];
        to->normal_loss += part * d->damping * x->v3[i] * x->v3[i];
        to->tangential_loss += part * d->drag * (u1 * u1 + u2 * u2);
    }
    to->speed = d->speed + t->h * sum(weight, rate);
    to->force = to->end.w - d->damping * to->end.v3;
}

/* As set_rates, with dashpots. */
CODE void set_damped_rates(const trial *t, slid *to) {
    const law *l = &t->law;
    const dashpots *d = &t->dashpots;
    const place *y = &to->end;
    real t1 = -l->mu * to->c, t2 = -l->mu * to->s, force = to->force;
    real a1 = l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13, r1 = a1 * force;
    real a2 = l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23, r2 = a2 * force;
    real a3 = l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33, r3 = a3 * force;
    real driven = driven_speed(t, to->c, to->s, y->v1, y->v2, y->v3, r1, r2, r3);
    truth lags = d->lag > 0;
    put(not(lags), &to->speed, driven);
    real across = y->v2 * to->c - y->v1 * to->s, below = l->kappa * force + d->lag * to->speed;
    real turning = (across + d->lag * (r2 * to->c - r1 * to->s)) / below;
    put(not(size_of(below) > 0), &turning, number(0));
    real force_rate = -y->v3 - d->damping * r3;
    real r3_rate =
        a3 * force_rate + force * l->mu * (l->b.b13 * to->s - l->b.b23 * to->c) * turning;
    real without =
        r1 * to->c + r2 * to->s + across * turning + l->kappa * (r3 + d->damping * r3_rate);
    to->v3_rate = r3;
    to->force_rate = force_rate;
    to->speed_rate = pick(lags, (driven - to->speed) / d->lag, without);
}

/* Slip speed at the end, and the rates that Newton's method for the instant of an event needs. */
CODE void set_rates(const law *l, slid *to) {
    const place *y = &to->end;
    real force = l->stiffness * y->w, t1 = -l->mu * to->c, t2 = -l->mu * to->s;
    real a1 = force * (l->b.b11 * t1 + l->b.b12 * t2 + l->b.b13);
    real a2 = force * (l->b.b12 * t1 + l->b.b22 * t2 + l->b.b23);
    real across = y->v2 * to->c - y->v1 * to->s, below = l->kappa * y->w;
    to->v3_rate = force * (l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33);
    to->speed = slip_speed(l, to->c, to->s, y->v1, y->v2, y->v3);
    to->speed_rate = to->c * a1 + to->s * a2 + l->kappa * to->v3_rate +
                     pick(below > 0, across * across / below, number(0));
}

/* A slip speed that lags is as exact as its highest coefficient is small, in the same way. */
CODE real error_of_speed(const trial *t, const stages *x) {
    real scale = size_of(t->from.v1) + size_of(t->from.v2) + size_of(t->from.v3) +
                 size_of(t->dashpots.speed);
    real missed = smaller(size_of(sum(highest, x->speed)) / scale, number(1));
    return pick(t->dashpots.lag > 0, scale * missed * root_of(missed), number(0));
}

/* The highest coefficient of the direction bounds the error of the direction; friction carries it
 * into the velocities. The normal motion alone is an oscillation through the angle `swing`. */
CODE real error_of(bool damped, const trial *t, const stages *x) {
    const law *l = &t->law;
    const real *load = load_of(damped, x);
    real most = number(0), missed = size_of(sum(highest, x->phi));
    for (int i = 0; i < STAGES; i++) {
        most = larger(most, size_of(load[i]));
    }
    real t1 = -l->mu * x->c[0], t2 = -l->mu * x->s[0];
    real first = l->stiffness * (l->b.b13 * t1 + l->b.b23 * t2 + l->b.b33);
    real swing = t->h * root_of(size_of(first));
    real force = l->mu * l->stiffness * most * (l->b.b11 + l->b.b22) * t->h;
    force = damped ? size_of(force) : force;
    real smooth = smaller(missed, number(1)) * root_of(smaller(missed, number(1)));
    real part = swing * swing / 4, cube = part * part * part;
    real error = force * smooth + 1e-9 * cube * cube;
    return damped ? error + error_of_speed(t, x) : error;
}

CODE void set_step(bool damped, const trial *t, stages *x, slid *to) {
    for (int i = 0; i < STAGES; i++) {
        to->stage_phi[i] = x->phi[i];
        to->stage_w[i] = x->w[i];
        to->stage_v3[i] = x->v3[i];
        to->stage_speed[i] =
            damped ? x->speed[i]
                   : slip_speed(&t->law, x->c[i], x->s[i], x->v1[i], x->v2[i], x->v3[i]);
    }
    set_end(damped, t, x, to);
    if (damped) {
        memcpy(to->stage_force, x->force, sizeof x->force);
        set_damped_end(t, x, to);
        set_damped_rates(t, to);
    } else {
        set_rates(&t->law, to);
    }
    to->error = error_of(damped, t, x);
}

CODE void take_steps(bool damped, imp_compliant3d_slip_trial *const *trials, int n) {
    const void *filled[IMP_LANES];
    size_t size = damped ? sizeof(slid) : offsetof(slid, normal_loss);
    _Static_assert(offsetof(slid, normal_loss) ==
                       IMP_LANES * offsetof(imp_compliant3d_slip_step, normal_loss),
                   "what only dashpots set begins at one member of both structures");
    trial t;
    stages x, found;
    slid taken;
    fill((void *const *)trials, n, filled);
    if (damped) {
        load_damped_trial(filled, &t);
    } else {
        load_trial(filled, &t);
    }
    guess(damped, filled, &t, &x);
    memset(&found, 0, size_of_stages(damped));
    unsigned solved = imp_lanes_where(solve_stages(damped, &t, &x, &found));
    set_step(damped, &t, &found, &taken);
    for (int lane = 0; lane < n; lane++) {
        imp_compliant3d_slip_step *to = &trials[lane]->step;
        store_members((real *)&taken, lane, size / sizeof(real), (double *)to);
        to->length = trials[lane]->length;
        to->solved = solved >> lane & 1;
    }
}

IMP_IN_LANES(imp_compliant3d_slip_advance, (imp_compliant3d_slip_trial *const *trials, int n)) {
    take_steps(false, trials, n);
}

IMP_IN_LANES(imp_compliant3d_damped_slip_advance,
             (imp_compliant3d_slip_trial *const *trials, int n)) {
    take_steps(true, trials, n);
}
