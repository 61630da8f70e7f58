/* Stick under the law `dashpot`: a sum of two motions, until the pull leaves the cone of
 * friction. */
#include <math.h>

#include "base/constants.h"
#include "models/compliant/dashpot_impl.h"
#include "num/gauss.h"
#include "num/larger.h"

/* A stick on its way. */
typedef struct stick {
    dashpot_contact *k;
    const imp_compliant_problem *p;
    state start;
    dashpot_motion m;
    dashpot_sight force, pull;
} stick;

/* The contact at a time since the stick began, with the losses until then. */
typedef struct stuck {
    double x[2], v[2], p_t, p_n;
    double loss_t, loss_n;
} stuck;

/* ---- losses ---- */

/* The integral of v^2 of one motion along one direction, between two instants of it. Of a motion
 * that is hardly damped the energy in the second line would be lost in rounding. */
static double square_of_one(const imp_damped *d, const double x[2], const double v[2],
                            double time) {
    double lost = (v[0] - v[1]) * (v[0] + v[1]) + d->q * (x[0] - x[1]) * (x[0] + x[1]);
    if (d->p < IMP_COMPLIANT_HARDLY_DAMPED) {
        return ((v[0] * v[0] + d->q * x[0] * x[0]) * time + (x[1] * v[1] - x[0] * v[0])) / 2;
    }
    return lost == 0 ? 0 : lost / (2 * d->p);
}

/* Solves four equations by elimination, the largest number of a row first brought to 1. */
static double last_of_four(double e[4][5]) {
    for (int k = 0; k < 4; k++) {
        for (int i = k; i < 4; i++) {
            double most = 0;
            for (int j = k; j < 4; j++) {
                most = imp_larger(most, fabs(e[i][j]));
            }
            for (int j = k; j < 5; j++) {
                e[i][j] /= most;
            }
        }
        int pivot = k;
        for (int i = k + 1; i < 4; i++) {
            pivot = fabs(e[i][k]) > fabs(e[pivot][k]) ? i : pivot;
        }
        for (int j = k; j < 5; j++) {
            double former = e[k][j];
            e[k][j] = e[pivot][j];
            e[pivot][j] = former;
        }
        for (int i = k + 1; i < 4; i++) {
            double factor = e[i][k] / e[k][k];
            for (int j = k; j < 5; j++) {
                e[i][j] -= factor * e[k][j];
            }
        }
    }
    return e[3][4] / e[3][3];
}

/* The integral of v w for two motions z, y: from the changes of z y, v y, z w and v w, which are
 * sums of the integrals of all four. */
static double product_of_both(const dashpot_motion *m, double z[2][2], double v[2][2]) {
    const double strong = 100;
    double p1 = m->d[0].p, q1 = m->d[0].q, p2 = m->d[1].p, q2 = m->d[1].q, p = p1 + p2, q = q1 - q2;
    double zy = z[0][1] * z[1][1] - z[0][0] * z[1][0], vy = v[0][1] * z[1][1] - v[0][0] * z[1][0];
    double zw = z[0][1] * v[1][1] - z[0][0] * v[1][0], vw = v[0][1] * v[1][1] - v[0][0] * v[1][0];
    if (p > strong) { /* the determinant below would be a small difference */
        double equations[4][5] = {
            {0, 1, 1, 0, zy}, {-q1, -p1, 0, 1, vy}, {-q2, 0, -p2, 1, zw}, {0, -q2, -q1, -p, vw}};
        return last_of_four(equations);
    }
    double one = zw - vy - p1 * zy, other = vw + p * (vy + p1 * zy) + q2 * zy;
    double det = q * q + p * (p1 * q2 + p2 * q1);
    double of_zy = -(one * (p * p1 - q) + other * p) / det;
    double of_zw = -(q * other + p * q1 * one) / det;
    return vy + p1 * (zy - of_zw) + q1 * of_zy;
}

/* The integral of v^2 along a direction where all roots are near each other. Shares cancel there,
 * and their squares would cancel even more. */
static double square_by_points(const dashpot_motion *m, int along, double time) {
    const double faded = 32;
    double mean = (m->d[0].p + m->d[1].p) / 4, longest = 2 / mean, sum = 0;
    double end = imp_smaller(time, faded / mean);
    for (double from = 0; from < end; from += longest) {
        double half = imp_smaller(longest, end - from) / 2;
        for (int i = 0; i < 2 * IMP_GAUSS_HALF; i++) {
            double node = imp_gauss_node[i / 2], v = 0;
            double at = from + half * (i % 2 ? 1 + node : 1 - node);
            for (int j = 0; j < 2; j++) {
                imp_damped_now now = imp_damped_at(&m->d[j], at);
                v += now.rate * m->v[j][along] - m->d[j].q * now.push * m->x[j][along];
            }
            sum += half * imp_gauss_weight[i / 2] * v * v;
        }
    }
    return sum;
}

/* The integral of v^2 along a direction until `time`; now: both motions then. */
static double square_of_speed(const dashpot_motion *m, int along, const imp_damped_now now[2],
                              double time) {
    double x[2][2], v[2][2]; /* motion, instant */
    if (m->cancels) {
        return square_by_points(m, along, time);
    }
    for (int j = 0; j < 2; j++) {
        x[j][0] = m->x[j][along];
        v[j][0] = m->v[j][along];
        x[j][1] = now[j].rest * x[j][0] + now[j].push * v[j][0];
        v[j][1] = now[j].rate * v[j][0] - m->d[j].q * now[j].push * x[j][0];
    }
    double sum =
        square_of_one(&m->d[0], x[0], v[0], time) + square_of_one(&m->d[1], x[1], v[1], time);
    bool both = (x[0][0] != 0 || v[0][0] != 0) && (x[1][0] != 0 || v[1][0] != 0);
    return both ? sum + 2 * product_of_both(m, x, v) : sum;
}

/* ---- the contact at a time ---- */

static stuck stuck_at(const stick *w, double time) {
    const imp_compliant_problem *p = w->p;
    imp_damped_now now[2];
    stuck a = {.p_t = 0};
    double area[2], start[2] = {w->start.u, -w->start.delta};
    for (int i = 0; i < 2; i++) {
        a.x[i] = w->m.rest[i];
        area[i] = w->m.rest[i] * time;
    }
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &w->m.d[j];
        now[j] = imp_damped_at(d, time);
        double kept = imp_damped_kept(d, 0, time, &now[j]), held = now[j].push + d->p * kept;
        for (int i = 0; i < 2; i++) {
            double x = w->m.x[j][i], v = w->m.v[j][i];
            a.x[i] += now[j].rest * x + now[j].push * v;
            a.v[i] += now[j].rate * v - d->q * now[j].push * x;
            area[i] += held * x + kept * v;
        }
    }
    a.p_t = -(area[ALONG_T] + p->drag * (a.x[ALONG_T] - start[ALONG_T]));
    a.p_n = -(area[ALONG_N] + p->damping * (a.x[ALONG_N] - start[ALONG_N]));
    a.loss_t = p->drag > 0 ? p->drag * square_of_speed(&w->m, ALONG_T, now, time) : 0;
    a.loss_n = p->damping > 0 ? p->damping * square_of_speed(&w->m, ALONG_N, now, time) : 0;
    return a;
}

static state state_at(const stick *w, double time, const stuck *a) {
    state now = w->k->now; /* its turns and phases */
    now.u = a->x[ALONG_T];
    now.delta = -a->x[ALONG_N];
    now.v_t = w->p->constrained ? w->p->c * a->v[ALONG_N] : a->v[ALONG_T];
    now.v_n = a->v[ALONG_N];
    now.p_t = w->start.p_t + a->p_t;
    now.p_n = w->start.p_n + a->p_n;
    now.work =
        w->start.work - a->loss_n + (w->start.delta - now.delta) * (w->start.delta + now.delta) / 2;
    now.loss = w->start.loss + a->loss_t;
    now.time = w->start.time + time;
    return now;
}

static imp_compliant_instant instant_at(const imp_compliant_piece *piece, double time) {
    const stick *w = piece->motion;
    const imp_compliant_problem *p = w->p;
    stuck a = stuck_at(w, time);
    dashpot_sight pull = imp_compliant_dashpot_rate(&w->m, &w->pull),
                  force = imp_compliant_dashpot_rate(&w->m, &w->force);
    double u = a.x[ALONG_T], delta = -a.x[ALONG_N];
    return (imp_compliant_instant){
        .time = time,
        .u = u,
        .delta = delta,
        .v_t = a.v[ALONG_T],
        .v_n = a.v[ALONG_N],
        .f_t = -(u + p->drag * a.v[ALONG_T]),
        .f_n = delta - p->damping * a.v[ALONG_N],
        .f_t_rate = -imp_compliant_dashpot_value(&w->m, &pull, time),
        .f_n_rate = imp_compliant_dashpot_value(&w->m, &force, time),
        .p_t = a.p_t,
        .p_n = a.p_n,
        .work_t = (w->start.u - u) * (w->start.u + u) / 2 - a.loss_t,
        .work_n = (w->start.delta - delta) * (w->start.delta + delta) / 2 - a.loss_n,
        .stored_t = u * u / 2,
        .stored_n = delta * delta / 2,
    };
}

/* ---- turns and peaks ---- */

/* Calls `see` at every instant before `end` at which a quantity stops to rise, given its rate.
 * Returns whether it still rises at the end. */
static bool each_top(const stick *w, const dashpot_sight *rate, double end, int64_t *budget,
                     void (*see)(const stick *w, double time)) {
    const dashpot_sight nothing = {.constant = 0}, bend = imp_compliant_dashpot_rate(&w->m, rate);
    double time = 0, start = imp_compliant_dashpot_value(&w->m, rate, 0);
    dashpot_root root = start == 0 ? AT_ROOT : ABOVE;
    double sign = root == AT_ROOT ? copysign(1, imp_compliant_dashpot_value(&w->m, &bend, 0))
                                  : copysign(1, start);
    for (;;) {
        dashpot_sight turned = imp_compliant_dashpot_sum(sign, rate, 0, &nothing);
        dashpot_fall top =
            imp_compliant_dashpot_first_fall(&w->m, &turned, &root, 1, time, end, budget);
        if (top.which < 0 || top.time >= end || top.time <= time) {
            return sign > 0;
        }
        if (sign > 0) {
            see(w, top.time);
        }
        time = top.time;
        sign = -sign;
        root = AT_ROOT;
    }
}

static void see_turn(const stick *w, double time) {
    stuck a = stuck_at(w, time);
    state there = state_at(w, time, &a);
    double work_t = -(there.loss + there.u * there.u / 2);
    peak turn = peak_in(&there, work_t);
    note_turn(&w->k->now, &turn, true);
}

static void see_normal_peak(const stick *w, double time) {
    note_force(&w->p->account->normal, imp_compliant_dashpot_value(&w->m, &w->force, time),
               w->start.time + time, true);
}

static void see_tangential_peak(const stick *w, double time) {
    note_force(&w->p->account->tangential, imp_compliant_dashpot_value(&w->m, &w->pull, time),
               w->start.time + time, true);
}

/* Notes the turns before `end`, where v_n is v_n. In the cone |T| <= mu F, so that v_n only grows
 * if mu |c| < 1: then it has one turn at most, and its signs tell of it. Returns whether it may
 * turn at the end. */
static bool note_turns(stick *w, double end, double v_n, int64_t *budget) {
    const double clearly = 1e-9;
    const dashpot_sight rate =
        imp_compliant_dashpot_sight(&w->m, (double[2]){0, 0}, (double[2]){0, -1});
    bool grows = w->k->side > 0 && w->p->mu * fabs(w->p->c) < 1 - clearly;
    bool turns = w->start.v_n < clearly && v_n > -clearly;
    return (turns || !grows) && each_top(w, &rate, end, budget, see_turn);
}

/* v_n: at the end. Returns whether the indentation may turn at the end. */
static bool note_tops(stick *w, double end, double v_n) {
    const imp_compliant_problem *p = w->p;
    int64_t free = INT64_C(1) << 20; /* what is wanted must not change the outcome */
    bool rises = note_turns(w, end, v_n, &free);
    if (p->account && p->account->want_peaks) {
        const dashpot_sight none = {.constant = 0};
        dashpot_sight force = imp_compliant_dashpot_rate(&w->m, &w->force);
        dashpot_sight pull = imp_compliant_dashpot_rate(&w->m, &w->pull);
        dashpot_sight back = imp_compliant_dashpot_sum(-1, &pull, 0, &none);
        each_top(w, &force, end, &free, see_normal_peak);
        each_top(w, &pull, end, &free, see_tangential_peak);
        each_top(w, &back, end, &free, see_tangential_peak);
        see_normal_peak(w, 0);
        see_tangential_peak(w, 0);
    }
    return rises;
}

/* ---- the end ---- */

static void show(const stick *w, double duration) {
    if (w->p->observer) {
        imp_compliant_piece piece = {
            .phase = IMP_STICK, .number = w->k->now.phases - 1, .duration = duration, .motion = w};
        observe_piece(w->p, &piece, instant_at);
    }
}

/* A constrained body whose pull stays inside the cone comes to rest there: all of its energy but
 * that of the springs goes to the dashpots. */
static phase_end ring_down(stick *w) {
    state *now = &w->k->now;
    const imp_damped *d = &w->m.d[0];
    const imp_compliant_problem *p = w->p;
    double loss[2];
    for (int i = 0; i < 2; i++) {
        double x = w->m.x[0][i], v = w->m.v[0][i];
        loss[i] = (v * v + d->q * x * x) / (2 * d->p) * (i == ALONG_T ? p->drag : p->damping);
    }
    const double whole_swing = 7; /* no later one goes farther; in radians */
    note_tops(w, imp_smaller(64 / sqrt(d->q), d->swings ? whole_swing / d->size : INFINITY), 0);
    now->loss += loss[ALONG_T];
    w->k->normal_loss += loss[ALONG_N];
    w->k->tangential_loss += loss[ALONG_T];
    now->u = w->m.rest[ALONG_T];
    now->delta = -w->m.rest[ALONG_N];
    now->v_t = now->v_n = 0;
    double slowest = d->swings ? d->p / 2 : -d->slow;
    show(w, imp_smaller(5 / slowest, 200 / sqrt(d->q)));
    return WEDGED;
}

/* Carries the contact to the end of the stick. Where that is the turn, too, rounding may put the
 * turn behind it, though v_n is no longer below 0, so that the next phase has none. */
static void carry_over(stick *w, double time) {
    stuck a = stuck_at(w, time);
    double v_n = a.v[ALONG_N];
    if (note_tops(w, time, v_n) && v_n >= 0) {
        see_turn(w, time);
    }
    show(w, time);
    w->k->normal_loss += a.loss_n;
    w->k->tangential_loss += a.loss_t;
    w->k->now = state_at(w, time, &a);
}

/* Sights of an end: both faces of the cone, and the elongation where it ends the contact. */
enum { FACE_BACK, FACE_FORTH, RELEASE };

/* How much larger than usual a force may be by rounding that vanishes with the pull: the distance
 * from the face is a small difference of both where they fall nearly in the ratio of friction.
 * Usual are some hundred roundings, of which that difference has less than ten. */
static double apex_blur(const imp_compliant_problem *p, const state *now, double s) {
    const double part = 0.02, most = 20;
    double rate = part * p->mu * now->v_n, slope = fabs(p->mu * now->v_n + s * now->v_t);
    return rate > most * slope ? most : imp_larger(rate / slope, 1);
}

static phase_end leave(stick *w, const dashpot_fall *end) {
    const double rounding = 1e-10;
    dashpot_contact *k = w->k;
    const imp_compliant_problem *p = w->p;
    carry_over(w, end->time);
    double force = imp_compliant_dashpot_force(k), pull = k->now.u + p->drag * k->now.v_t;
    if (end->which == RELEASE) {
        k->now.delta = 0;
        return SEPARATED;
    }
    /* Where the pull and the force vanish together, as the body leaves, it does not slip first. */
    double apex = 1e-13 * (k->now.delta + (1 + p->damping) * fabs(k->now.v_n));
    apex *= apex_blur(p, &k->now, end->which == FACE_BACK ? -1 : 1);
    if (k->now.v_n > 0 && fabs(force) <= apex && fabs(pull) <= apex * (1 + p->mu)) {
        if (p->by_elongation == 0) {
            return SEPARATED;
        }
        k->side = -k->side;
        k->turns_over = true;
        return TO_STICK;
    }
    k->s = end->which == FACE_BACK ? -1 : 1;
    k->u_rate = k->now.v_t;
    double size = fabs(k->now.delta) + p->damping * fabs(k->now.v_n);
    k->face_force = k->side * imp_larger(k->s * pull, 0) / p->mu;
    k->on_face = p->mu > 1 && fabs(k->face_force - force) <= rounding * size;
    if (!k->on_face) {
        imp_compliant_dashpot_put_on_face(k, k->s * p->mu * k->side * force);
    }
    k->slip = p->drag > 0 ? HALTED : ABOVE;
    return TO_SLIP;
}

/* Whether a stick ends with the normal force: nothing moves along the plane, or the directions move
 * alike from the first touch on, so that the pull stays the part of the force that it is then. */
static bool ends_with_force(const stick *w) {
    const imp_damped *d = w->m.d;
    bool still = w->m.x[0][ALONG_T] == 0 && w->m.v[0][ALONG_T] == 0;
    bool alike = !w->p->constrained && d[0].p == d[1].p && d[0].q == d[1].q;
    return w->p->c == 0 && w->k->side > 0 && (still || (alike && w->start.time == 0));
}

static dashpot_fall flat_of(const stick *w) {
    double force = imp_compliant_dashpot_force(w->k), speed = -w->start.v_n;
    double rate = speed - w->p->damping * force;
    const imp_damped *normal = &w->m.d[w->p->constrained ? 0 : 1];
    double time = imp_compliant_dashpot_flat(normal, w->start.delta, speed, force, rate);
    return (dashpot_fall){.time = time, .which = FACE_FORTH};
}

/* How the distance from a face begins; both: from 0. */
static dashpot_root face_root(const dashpot_contact *k, bool both, double face) {
    return both ? AT_ROOT : k->s * face > 0 ? HALTED : ABOVE;
}

phase_end imp_compliant_dashpot_stick(dashpot_contact *k) {
    const imp_compliant_problem *p = k->p;
    stick w = {.k = k, .p = p, .start = k->now};
    bool begins = !k->turns_over; /* F changes its sign within a phase */
    if (begins) {
        note_phase(&k->now, IMP_STICK, true);
    }
    w.m = imp_compliant_dashpot_motion(p, &k->now, k->roots);
    w.force = imp_compliant_dashpot_sight(&w.m, (double[2]){0, -1}, (double[2]){0, -p->damping});
    w.pull = imp_compliant_dashpot_sight(&w.m, (double[2]){1, 0}, (double[2]){p->drag, 0});
    const dashpot_sight sights[DASHPOT_SIGHTS] = {
        imp_compliant_dashpot_sum(k->side * p->mu, &w.force, 1, &w.pull),
        imp_compliant_dashpot_sum(k->side * p->mu, &w.force, -1, &w.pull),
        imp_compliant_dashpot_sight(&w.m, (double[2]){0, -1}, (double[2]){0, 0})};
    bool start = k->now.time == 0 && p->damping == 0;
    /* Where a slip halts as the force changes its sign, both faces of the cone are there. */
    bool apex = k->now.time > 0 && imp_compliant_dashpot_force(k) == 0;
    bool both = start || !begins || apex;
    const dashpot_root root[DASHPOT_SIGHTS] = {face_root(k, both, -1), face_root(k, both, 1),
                                               ABOVE};
    bool known = ends_with_force(&w);
    k->turns_over = false;
    double limit = p->constrained && w.m.d[0].swings ? 2 * IMP_PI / w.m.d[0].size : INFINITY;
    dashpot_fall end = known ? flat_of(&w)
                             : imp_compliant_dashpot_first_fall(
                                   &w.m, sights, root, k->side < 0 ? 3 : 2, 0, limit, &k->budget);
    if (end.spent) {
        return OUT_OF_BUDGET;
    }
    if (end.which < 0 && p->c == 0 && !p->constrained && k->side > 0) {
        end = flat_of(&w); /* the cone closes with the force, whatever rounding says of the pull */
    }
    if (end.which < 0) {
        return p->constrained ? ring_down(&w) : BLURRED;
    }
    return isfinite(end.time) ? leave(&w, &end) : LOST;
}
