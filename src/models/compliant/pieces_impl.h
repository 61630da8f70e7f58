/* Stretches of a contact with linear springs as functions of time, for an observer. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_PIECES_IMPL_H
#define IMP_MODELS_COMPLIANT_PIECES_IMPL_H

#include <math.h>

#include "base/constants.h"
#include "models/compliant/account_impl.h"
#include "models/compliant/cone_impl.h"
#include "models/compliant/turn_impl.h"
#include "num/exponential.h"

static const double full_turn = 2 * IMP_PI;

/* A piece in the units of the normal spring of `problem`. An unloading spring swings 1 / e times as
 * fast as the loading one, and its unloaded length is shorter by `set`. Loading: e = 1, set = 0. */
typedef struct linear_path {
    const imp_compliant_problem *problem;
    const state *start;
    real e, set;
    real slip;      /* direction -1, 1; stick: 0. All lanes of a piece slip, or all stick. */
    const modes *m; /* free stick; otherwise NULL, and x, too */
    const motion *x;
} linear_path;

/* cos(w t), sin(w t) / w for w^2 = q of any sign. */
typedef struct rotation {
    real cosine, sine;
} rotation;

CODE void put_hyperbola(real q, real t, rotation *r, truth here) {
    unsigned lanes = imp_lanes_where(here);
    for (int lane = 0; lanes >> lane; lane++) {
        if (lanes >> lane & 1) {
            double w = sqrt(fabs(imp_lanes_get(q, lane)));
            imp_hyperbola grown = imp_cosine_sine_hyperbolic(w * imp_lanes_get(t, lane));
            imp_lanes_set(&r->cosine, lane, grown.cosine);
            imp_lanes_set(&r->sine, lane, grown.sine / w);
        }
    }
}

/* The rotations by a time and by its half, which need sine and cosine of two angles at once. */
CODE void rotations_of(real q, real t, rotation *whole, rotation *half) {
    real w = root_of(size_of(q)), sine[2], cosine[2];
    const real times[2] = {t, t / 2}, z[2] = {q * times[0] * times[0], q * times[1] * times[1]};
    const truth brief[2] = {size_of(z[0]) < 1e-8, size_of(z[1]) < 1e-8};
    rotation *turned[2] = {whole, half};
    for (int k = 0; k < 2; k++) {
        *turned[k] = (rotation){.cosine = 1 - z[k] / 2, .sine = times[k] * (1 - z[k] / 6)};
    }
    truth turns = not(brief[0]) & (q > 0), grows = not(brief[0]) & not(q > 0);
    if (any(turns)) {
        imp_lanes_sines(
            (real[2]){pick(turns, w * times[0], number(0)), pick(turns, w * times[1], number(0))},
            sine, cosine);
        for (int k = 0; k < 2; k++) {
            put(turns & not(brief[k]), &turned[k]->cosine, cosine[k]);
            put(turns & not(brief[k]), &turned[k]->sine, sine[k] / w);
        }
    }
    for (int k = 0; k < 2 && any(grows); k++) {
        put_hyperbola(q, times[k], turned[k], grows & not(brief[k]));
    }
}

CODE real slip_stiffness(const linear_path *path) {
    return 1 - path->problem->mu * path->slip * path->problem->c;
}

CODE imp_compliant_instant slip_at(const linear_path *path, real t) {
    const imp_compliant_problem *p = path->problem;
    const state *a = path->start;
    real s = path->slip, q = slip_stiffness(path);
    rotation whole, half;
    rotations_of(q, t, &whole, &half);
    real delta = a->delta * whole.cosine - a->v_n * whole.sine;
    real v_n = a->v_n * whole.cosine + q * a->delta * whole.sine;
    real impulse = a->delta * whole.sine - 2 * a->v_n * half.sine * half.sine;
    real v_t =
        a->v_t + pick(p->constrained, p->c * (v_n - a->v_n), (p->c - p->mu * s * p->a) * impulse);
    real before = a->v_t + s * p->mu * a->v_n, slip = v_t + s * p->mu * v_n;
    return (imp_compliant_instant){
        .u = s * p->mu * delta,
        .delta = delta,
        .v_t = v_t,
        .v_n = v_n,
        .f_t = -p->mu * s * delta,
        .f_n = delta,
        .f_t_rate = p->mu * s * v_n,
        .f_n_rate = -v_n,
        .slip = slip,
        .p_t = -p->mu * s * impulse,
        .p_n = impulse,
        .work_t = -p->mu * s * impulse * (a->v_t + v_t) / 2,
        .work_n = impulse * (a->v_n + v_n) / 2,
        .loss = p->mu * impulse * s * (before + slip) / 2,
    };
}

/* The instant of a stick from its elongations, velocities and impulses. */
CODE imp_compliant_instant stuck(const state *a, real u, real delta, real v_t, real v_n, real p_t,
                                 real p_n) {
    return (imp_compliant_instant){
        .u = u,
        .delta = delta,
        .v_t = v_t,
        .v_n = v_n,
        .f_t = -u,
        .f_n = delta,
        .f_t_rate = -v_t,
        .f_n_rate = -v_n,
        .p_t = p_t,
        .p_n = p_n,
        .work_t = (a->u - u) * (a->u + u) / 2,
        .work_n = (a->delta - delta) * (a->delta + delta) / 2,
    };
}

CODE imp_compliant_instant stick_at(const linear_path *path, real t) {
    const modes *m = path->m;
    instant turned = at_time(m, path->x, t);
    event now = event_at(m, path->x, t, &turned);
    return stuck(path->start, sum_of(m->t, now.y), -sum_of(m->n, now.y), sum_of(m->t, now.v),
                 sum_of(m->n, now.v), -sum_of(m->t, now.area), -sum_of(m->n, now.area));
}

/* Stick of a constrained body: one mode, along (c, 1). */
CODE imp_compliant_instant swing_at(const linear_path *path, real t) {
    const state *a = path->start;
    real c = path->problem->c, q = 1 + c * c, middle = (a->delta - c * a->u) / q;
    rotation whole, half;
    rotations_of(q, t, &whole, &half);
    real x = 2 * q * middle * half.sine * half.sine + a->v_n * whole.sine;
    real v = q * middle * whole.sine + a->v_n * whole.cosine;
    real area = middle * (t - whole.sine) + 2 * a->v_n * half.sine * half.sine;
    return stuck(a, a->u + c * x, a->delta - x, c * v, v, -(a->u * t + c * area),
                 a->delta * t - area);
}

CODE bool is_slip(const linear_path *path) {
    return any(path->slip != 0);
}

CODE imp_compliant_instant at(const imp_compliant_piece *piece, real time) {
    const linear_path *path = piece->motion;
    real e = path->e;
    /* Only where the spring dissipates: divisions take long. */
    bool dissipates = any(e != 1);
    real t = dissipates ? time / e : time;
    imp_compliant_instant m = is_slip(path) ? slip_at(path, t)
                              : path->m     ? stick_at(path, t)
                                            : swing_at(path, t);
    m.time = time;
    m.delta = e * m.delta + path->set;
    if (dissipates) {
        m.v_t /= e;
        m.f_n /= e;
        m.f_t_rate /= e;
        m.f_n_rate /= e * e;
        m.slip /= e;
        m.p_t *= e;
    }
    real back = path->problem->restitution;
    m.stored_t = m.u * m.u / 2;
    m.stored_n = back * m.f_n * (back * m.f_n) / 2;
    return m;
}

CODE real fastest(const linear_path *path) {
    real c = path->problem->c;
    return is_slip(path) ? root_of(size_of(slip_stiffness(path)))
           : path->m     ? path->m->w[0]
                         : root_of(1 + c * c);
}

/* Whether an observer sees the pieces: never where there is more than one lane. */
CODE bool is_observed(const imp_compliant_problem *p) {
    return IMP_LANES == 1 && p->observer;
}

/* Shows the piece of `duration` that begins at path->start. */
static inline void show_linear(const linear_path *path, real duration, truth here) {
    if (!any(here)) {
        return;
    }
    imp_compliant_piece piece = {
        .span = {.phase = 0},
        .phase = pick(path->slip == 0, number(IMP_STICK),
                      pick(path->slip < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH))),
        .number = path->start->phases - 1,
        .duration = path->e * duration,
        .motion = path,
        .at = NULL,
    };
    observe_piece(path->problem, &piece, at);
}

/* Shows one period of a constrained stick that never ends. */
CODE void show_wedge(const linear_path *path, truth here) {
    show_linear(path, full_turn / fastest(path), here);
}

#endif
