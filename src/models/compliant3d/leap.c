/* Leaps of a constrained body in stick to where it may slip again.
 *
 * B of a constrained body has a null vector. In stick the elongations y = (u1, u2, -w) obey y'' =
 * -B D y, D being the stiffnesses of the springs: they swing about a place of rest in two modes, y
 * = rest + c1 swing1 + c2 swing2 with c1 and c2 the cosines of their phases. The distance from the
 * friction circle, kappa w - |u|, is a concave function of c1 and c2. Where it is positive at the
 * centre of the square of all c1 and c2 and in the middle of every side, it can be negative only
 * near the corners of the square. As a rule a body that has stuck for a while has little left to
 * lose: these corners are small, and many periods pass until both modes are in the same corner at
 * once. */
#include <math.h>

#include "base/constants.h"
#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* ---- the two modes ---- */

typedef struct vector {
    double e1, e2, e3;
} vector;

static vector sum(vector a, double factor, vector b) {
    return (vector){a.e1 + factor * b.e1, a.e2 + factor * b.e2, a.e3 + factor * b.e3};
}

static vector times(double factor, vector a) {
    return (vector){factor * a.e1, factor * a.e2, factor * a.e3};
}

static double product(vector a, vector b) {
    return a.e1 * b.e1 + a.e2 * b.e2 + a.e3 * b.e3;
}

typedef struct mode {
    vector place, ahead; /* now, and a quarter of a period later */
    vector swing;        /* farthest place, on one side */
    double frequency, phase;
} mode;

typedef struct swinging {
    vector rest;
    mode mode[2];
} swinging;

/* B D x. */
static vector drawn(const contact *a, vector x) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double f1 = x.e1 / a->p->stiffness_ratio, f2 = x.e2 / a->p->stiffness_ratio;
    double f3 = x.e3 * a->stiffness;
    return (vector){b->b11 * f1 + b->b12 * f2 + b->b13 * f3,
                    b->b12 * f1 + b->b22 * f2 + b->b23 * f3,
                    b->b13 * f1 + b->b23 * f2 + b->b33 * f3};
}

/* Squares of the frequencies: the zeros of the characteristic polynomial of B D, other than 0. */
static void find_squares(const contact *a, double *fast, double *slow) {
    const imp_inverse_mass *b = &a->p->contact->b;
    double soft = 1 / a->p->stiffness_ratio, stiff = a->stiffness;
    double half = (soft * (b->b11 + b->b22) + stiff * b->b33) / 2;
    double minors = soft * (soft * (b->b11 * b->b22 - b->b12 * b->b12) +
                            stiff * (b->b11 * b->b33 - b->b13 * b->b13) +
                            stiff * (b->b22 * b->b33 - b->b23 * b->b23));
    *fast = half + sqrt(half * half - minors);
    *slow = minors / *fast;
}

/* The part of x in the mode with the square of frequency `own`; the other mode has `other`. */
static vector part_of(const contact *a, vector x, double own, double other) {
    vector once = drawn(a, x), twice = drawn(a, once);
    return times(1 / (own * (own - other)), sum(twice, -other, once));
}

static vector cross(vector a, vector b) {
    return (vector){a.e2 * b.e3 - a.e3 * b.e2, a.e3 * b.e1 - a.e1 * b.e3,
                    a.e1 * b.e2 - a.e2 * b.e1};
}

/* The direction in which the body cannot move: at right angles to two rows of B. */
static vector barred(const imp_inverse_mass *b) {
    vector row[3] = {{b->b11, b->b12, b->b13}, {b->b12, b->b22, b->b23}, {b->b13, b->b23, b->b33}};
    vector most = cross(row[0], row[1]);
    for (int k = 1; k < 3; k++) {
        vector next = cross(row[k], row[(k + 1) % 3]);
        most = product(next, next) > product(most, most) ? next : most;
    }
    return most;
}

/* Where the springs push the body in that direction only; the body can get there. */
static vector rest_of(const contact *a, vector y) {
    vector n = barred(&a->p->contact->b);
    double ratio = a->p->stiffness_ratio;
    vector pushed = {ratio * n.e1, ratio * n.e2, n.e3 / a->stiffness};
    return times(product(n, y) / product(n, pushed), pushed);
}

void imp_compliant3d_place_of_rest(const contact *a, double place[3]) {
    vector rest = rest_of(a, (vector){a->now.u1, a->now.u2, -a->now.w});
    place[0] = rest.e1;
    place[1] = rest.e2;
    place[2] = rest.e3;
}

/* Place and velocity of a mode are on one line. */
static mode mode_of(vector place, vector v, double square) {
    mode m = {.frequency = sqrt(square), .place = place};
    m.ahead = times(1 / m.frequency, v);
    vector along = sum(place, product(place, v) < 0 ? -1 : 1, m.ahead);
    double energy = product(place, place) + product(m.ahead, m.ahead);
    double length = product(along, along);
    m.swing = length > 0 ? times(sqrt(energy / length), along) : along;
    m.phase = length > 0 ? imp_heading(-product(m.ahead, m.swing), product(place, m.swing)) : 0;
    return m;
}

/* Returns false where there are no two modes with frequencies of their own. */
static bool find_modes(const contact *a, swinging *s) {
    const double least = 1e-6, apart = 1e-9;
    double fast, slow;
    find_squares(a, &fast, &slow);
    if (!(slow > least * fast && fast - slow > apart * fast)) {
        return false;
    }
    vector y = {a->now.u1, a->now.u2, -a->now.w}, v = {a->now.v1, a->now.v2, a->now.v3};
    s->rest = rest_of(a, y);
    vector left = sum(y, -1, s->rest);
    vector place = part_of(a, left, fast, slow), speed = part_of(a, v, fast, slow);
    s->mode[0] = mode_of(place, speed, fast);
    s->mode[1] = mode_of(sum(left, -1, place), sum(v, -1, speed), slow);
    return true;
}

/* ---- where stick may end ---- */

static double margin_at(const contact *a, const swinging *s, double c1, double c2) {
    vector y = sum(sum(s->rest, c1, s->mode[0].swing), c2, s->mode[1].swing);
    return -a->kappa * y.e3 - sqrt(y.e1 * y.e1 + y.e2 * y.e2);
}

/* Whether the normal spring stays on its line, and stick can end only near corners. */
static bool is_inside(const contact *a, const swinging *s) {
    const double rounding = 1e-12;
    double most = a->greatest.force * (1 + rounding);
    double depth = -s->rest.e3 + fabs(s->mode[0].swing.e3) + fabs(s->mode[1].swing.e3);
    return a->stiffness * depth <= most && margin_at(a, s, 0, 0) > 0 && margin_at(a, s, 1, 0) > 0 &&
           margin_at(a, s, -1, 0) > 0 && margin_at(a, s, 0, 1) > 0 && margin_at(a, s, 0, -1) > 0;
}

/* A mode is near one of its ends while its phase is within half a width from that end. */
typedef struct window {
    double frequency, phase; /* phase 0: at the end */
    double half;
} window;

/* lost: how far the corner is outside the circle; kept: how far the middle of the side is inside,
 * which the mode passes on its way to the other end. Between them the margin is at least the
 * chord. */
static window window_of(const mode *m, double side, double lost, double kept) {
    double part = lost / (lost + kept);
    /* acos(1 - part) is at most pi/2 for sqrt(part), and less than that for no part. */
    return (window){.frequency = m->frequency,
                    .phase = m->phase + (side < 0 ? IMP_PI : 0),
                    .half = IMP_PI / 2 * sqrt(part)};
}

static double within_turn(double angle) {
    const double turn = 2 * IMP_PI;
    return angle - turn * floor(angle / turn);
}

/* The time until both windows are open. */
static double time_of_both(const window *x, const window *y, double latest) {
    double start = -within_turn(y->phase + y->half) / y->frequency;
    for (; start < latest; start += 2 * IMP_PI / y->frequency) {
        double open = imp_larger(start, 0), shut = start + 2 * y->half / y->frequency;
        double gone = within_turn(x->phase + x->half + x->frequency * open);
        double until = gone < 2 * x->half ? 0 : (2 * IMP_PI - gone) / x->frequency;
        if (open <= shut && open + until <= shut) {
            return open + until;
        }
    }
    return latest;
}

/* How long the body sticks at least; up to `latest`. */
static double time_of_stick(const contact *a, const swinging *s, double latest) {
    double time = latest;
    for (int corner = 0; corner < 4; corner++) {
        double c1 = corner & 1 ? -1 : 1, c2 = corner & 2 ? -1 : 1;
        double lost = -margin_at(a, s, c1, c2);
        if (lost >= 0) {
            window x = window_of(&s->mode[0], c1, lost, margin_at(a, s, 0, c2));
            window y = window_of(&s->mode[1], c2, lost, margin_at(a, s, c1, 0));
            time = imp_smaller(time_of_both(&x, &y, latest), time);
        }
    }
    return time;
}

/* ---- the leap ---- */

static state after(const contact *a, const swinging *s, double time) {
    vector y = s->rest, v = {0, 0, 0},
           lasting = times(time, s->rest); /* lasting: the integral of y */
    for (int k = 0; k < 2; k++) {
        const mode *m = &s->mode[k];
        imp_sincos turn = imp_sine_cosine(m->frequency * time);
        y = sum(sum(y, turn.cosine, m->place), turn.sine, m->ahead);
        v = sum(sum(v, m->frequency * turn.cosine, m->ahead), -m->frequency * turn.sine, m->place);
        lasting = sum(sum(lasting, turn.sine / m->frequency, m->place),
                      (1 - turn.cosine) / m->frequency, m->ahead);
    }
    state to = a->now;
    double soft = -1 / a->p->stiffness_ratio, w = -y.e3;
    to.work += a->stiffness * (to.w - w) * (to.w + w) / 2;
    to.u1 = y.e1;
    to.u2 = y.e2;
    to.w = w;
    to.v1 = v.e1;
    to.v2 = v.e2;
    to.v3 = v.e3;
    to.p1 += soft * lasting.e1;
    to.p2 += soft * lasting.e2;
    to.p3 -= a->stiffness * lasting.e3;
    to.time += time;
    return to;
}

/* A leap as an observer sees it: the motion is a contact that has not yet leapt. */
static imp_compliant3d_instant leap_at(const imp_compliant3d_piece *piece, double time) {
    const contact *a = piece->motion;
    swinging s;
    find_modes(a, &s);
    state then = after(a, &s, time);
    return imp_compliant3d_instant_of(a, &then, 0, (direction){.c = 1, .s = 0});
}

void imp_compliant3d_leap(contact *a) {
    double latest = imp_compliant3d_patience(a), shortest = 2 / imp_compliant3d_fastest(a);
    swinging s;
    if (!find_modes(a, &s) || !is_inside(a, &s)) {
        return;
    }
    double time = time_of_stick(a, &s, latest);
    if (!(time > shortest)) {
        return;
    }
    if (a->observer) {
        imp_compliant3d_show(a, time, a, leap_at);
    }
    a->now = after(a, &s, time);
    a->peaked = false;
}
