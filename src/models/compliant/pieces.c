#include "models/compliant/pieces.h"

#include <math.h>

#include "base/constants.h"
#include "num/exponential.h"

static const double full_turn = 2 * IMP_PI;

/* cos(w t), sin(w t) / w for w^2 = q of any sign. */
typedef struct rotation {
    double cosine, sine;
} rotation;

static rotation rotation_of(double q, double t) {
    double z = q * t * t, w = sqrt(fabs(q));
    if (fabs(z) < 1e-8) {
        return (rotation){1 - z / 2, t * (1 - z / 6)};
    }
    if (q > 0) {
        imp_sincos turn = imp_sine_cosine(w * t);
        return (rotation){turn.cosine, turn.sine / w};
    }
    imp_hyperbola grown = imp_cosine_sine_hyperbolic(w * t);
    return (rotation){grown.cosine, grown.sine / w};
}

static double slip_stiffness(const linear_path *path) {
    return 1 - path->problem->mu * path->slip * path->problem->c;
}

/* The rotations by a time and by its half, which need sine and cosine of two angles at once. */
typedef struct rotations {
    rotation whole, half;
} rotations;

static rotations rotations_of(double q, double t) {
    double quarter = q * (t / 2) * (t / 2), w = sqrt(fabs(q)), angle = w * t;
    if (!(q > 0 && quarter >= 1e-8 && angle <= 1e5)) {
        return (rotations){rotation_of(q, t), rotation_of(q, t / 2)};
    }
    imp_pair_sincos turn = imp_pair_sine_cosine((imp_pair){angle, w * (t / 2)});
    imp_pair sine = turn.sine / w;
    return (rotations){{turn.cosine[0], sine[0]}, {turn.cosine[1], sine[1]}};
}

static imp_instant slip_at(const linear_path *path, double t) {
    const imp_compliant_problem *p = path->problem;
    const state *a = &path->start;
    double s = path->slip, q = slip_stiffness(path);
    rotations turned = rotations_of(q, t);
    rotation whole = turned.whole, half = turned.half;
    double delta = a->delta * whole.cosine - a->v_n * whole.sine;
    double v_n = a->v_n * whole.cosine + q * a->delta * whole.sine;
    double impulse = a->delta * whole.sine - 2 * a->v_n * half.sine * half.sine;
    double v_t =
        a->v_t + (p->constrained ? p->c * (v_n - a->v_n) : (p->c - p->mu * s * p->a) * impulse);
    double before = a->v_t + s * p->mu * a->v_n, slip = v_t + s * p->mu * v_n;
    return (imp_instant){
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

/* The moment of a stick from its elongations, velocities and impulses. */
static imp_instant stuck(const state *a, double u, double delta, double v_t, double v_n, double p_t,
                         double p_n) {
    return (imp_instant){
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

static imp_instant stick_at(const linear_path *path, double t) {
    const modes *m = path->m;
    instant turned = at_time(m, &path->x, t);
    event now = event_at(m, &path->x, t, &turned);
    return stuck(&path->start, imp_pair_sum(m->t * now.y), -imp_pair_sum(m->n * now.y),
                 imp_pair_sum(m->t * now.v), imp_pair_sum(m->n * now.v),
                 -imp_pair_sum(m->t * now.area), -imp_pair_sum(m->n * now.area));
}

/* Stick of a constrained body: one mode, along (c, 1). */
static imp_instant swing_at(const linear_path *path, double t) {
    const state *a = &path->start;
    double c = path->problem->c, q = 1 + c * c, middle = (a->delta - c * a->u) / q;
    rotations turned = rotations_of(q, t);
    rotation whole = turned.whole, half = turned.half;
    double x = 2 * q * middle * half.sine * half.sine + a->v_n * whole.sine;
    double v = q * middle * whole.sine + a->v_n * whole.cosine;
    double area = middle * (t - whole.sine) + 2 * a->v_n * half.sine * half.sine;
    return stuck(a, a->u + c * x, a->delta - x, c * v, v, -(a->u * t + c * area),
                 a->delta * t - area);
}

static imp_instant at(const imp_compliant_piece *piece, double time) {
    const linear_path *path = piece->motion;
    double e = path->e, t = time / e;
    imp_instant m = path->slip != 0              ? slip_at(path, t)
                    : path->problem->constrained ? swing_at(path, t)
                                                 : stick_at(path, t);
    m.time = time;
    m.delta = e * m.delta + path->set;
    if (e != 1) { /* only where the spring dissipates: divisions take long */
        m.v_t /= e;
        m.f_n /= e;
        m.f_t_rate /= e;
        m.f_n_rate /= e * e;
        m.slip /= e;
        m.p_t *= e;
    }
    double back = path->problem->restitution;
    m.stored_t = m.u * m.u / 2;
    m.stored_n = back * m.f_n * (back * m.f_n) / 2;
    return m;
}

static double fastest(const linear_path *path) {
    double c = path->problem->c;
    if (path->slip != 0) {
        return sqrt(fabs(slip_stiffness(path)));
    }
    return path->problem->constrained ? sqrt(1 + c * c) : path->m->w[0];
}

void imp_show_linear(const linear_path *path, double duration) {
    imp_observer *observer = path->problem->observer;
    imp_compliant_piece piece = {
        .span.phase = path->slip == 0  ? IMP_STICK
                      : path->slip < 0 ? IMP_SLIP_BACK
                                       : IMP_SLIP_FORTH,
        .span.number = path->start.phases - 1,
        .span.duration = path->e * duration,
        .pace = path->e * full_turn / fastest(path),
        .turn = path->e * (path->start.greatest.time - path->start.time),
        .elastic = true,
        .motion = path,
        .at = at,
    };
    observer->see_piece(observer, &piece);
}

void imp_show_wedge(const linear_path *path) {
    imp_show_linear(path, full_turn / fastest(path));
}
