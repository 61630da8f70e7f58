#include "support/slip.h"

#include <math.h>
#include <string.h>

/* ---- the flow ---- */

typedef struct rate {
    real f, g, slope, lift;
} rate;

static rate rate_at(const slip_body *x, real c, real s) {
    real skew = x->b22 - x->b11, pair = (c - s) * (c + s), twice = 2 * s * c;
    return (rate){
        .f = -x->mu * (x->b11 * c * c + x->b12 * twice + x->b22 * s * s) + x->b13 * c + x->b23 * s,
        .g = -x->mu * (skew * twice / 2 + x->b12 * pair) + x->b23 * c - x->b13 * s,
        .slope = -x->mu * (skew * pair - 2 * x->b12 * twice) - x->b23 * s - x->b13 * c,
        .lift = x->b33 - x->mu * (x->b13 * c + x->b23 * s),
    };
}

static void slope_of(const slip_body *x, const real *y, real *to) {
    real c = y[C], s = y[S], speed = y[SPEED];
    rate r = rate_at(x, c, s);
    to[PHI] = r.g;
    to[C] = -s * r.g;
    to[S] = c * r.g;
    to[SPEED] = r.f * speed;
    to[P] = speed;
    to[P1] = -x->mu * c * speed;
    to[P2] = -x->mu * s * speed;
    to[V3] = r.lift * speed;
    to[WORK] = y[V3] * speed;
}

static void midpoint(const slip_body *x, const real *y, real h, int n, real *to) {
    real before[STATE], now[STATE], slope[STATE], part = h / n;
    slope_of(x, y, slope);
    for (int k = 0; k < STATE; k++) {
        before[k] = y[k];
        now[k] = y[k] + part * slope[k];
    }
    for (int i = 1; i < n; i++) {
        slope_of(x, now, slope);
        for (int k = 0; k < STATE; k++) {
            real next = before[k] + 2 * part * slope[k];
            before[k] = now[k];
            now[k] = next;
        }
    }
    slope_of(x, now, slope);
    for (int k = 0; k < STATE; k++) {
        to[k] = (now[k] + before[k] + part * slope[k]) / 2;
    }
}

/* Gragg's extrapolation, of order 12. */
static void step(const slip_body *x, const real *y, real h, real *to) {
    enum { ROWS = 6 };
    real row[ROWS][STATE];
    for (int j = 0; j < ROWS; j++) {
        midpoint(x, y, h, 2 * (j + 1), to);
        for (int m = 0; m < j; m++) {
            real ratio = (real)(j + 1) / (j - m);
            for (int k = 0; k < STATE; k++) {
                real next = to[k] + (to[k] - row[m][k]) / (ratio * ratio - 1);
                row[m][k] = to[k];
                to[k] = next;
            }
        }
        memcpy(row[j], to, sizeof row[j]);
    }
    real size = hypotl(to[C], to[S]);
    to[C] /= size;
    to[S] /= size;
    if (x->held) {
        to[V3] = (x->v3_1 * to[C] + x->v3_2 * to[S]) * to[SPEED];
    }
}

/* ---- a contact ---- */

/* What the state lacks of the goal. */
static real missing(const slip_contact *a, const real *y) {
    if (!a->compressed) {
        return -y[V3];
    }
    switch (a->which) {
    case NEWTON:
        return a->e - y[V3];
    case POISSON:
        return a->e * a->pc - y[P];
    case ENERGETIC:
        return -a->e * a->e * a->work - y[WORK];
    default:
        return a->impulse - a->pc - y[P];
    }
}

static void meet(slip_contact *a) {
    if (a->compressed) {
        a->ends = SEPARATES; /* in spite of rounding */
        return;
    }
    a->compressed = true;
    a->pc = a->y[P];
    a->work = a->y[WORK];
    a->p1 = a->y[P1];
    a->p2 = a->y[P2];
    a->y[P] = a->y[P1] = a->y[P2] = a->y[WORK] = a->y[V3] = 0;
    a->ends = missing(a, a->y) <= 0 ? SEPARATES : OPEN;
}

/* The normal impulse to the goal at a constant dv3/dp. */
static real way_to_goal(const slip_contact *a, real lift) {
    real left = missing(a, a->y), v = a->y[V3];
    if (!a->compressed || a->which == NEWTON) {
        return lift > 0 ? left / lift : INFINITY;
    }
    if (a->which != ENERGETIC) {
        return left;
    }
    real square = v * v + 2 * lift * left;
    real root = sqrtl(square);
    return !(square >= 0) ? INFINITY : v > 0 ? 2 * left / (v + root) : (root - v) / lift;
}

/* Goes on in a straight line by the impulse p. */
static void go(slip_contact *a, real t1, real t2, real lift, real p) {
    const slip_body *x = &a->x;
    a->y[WORK] += p * (a->y[V3] + lift * p / 2);
    a->y[V3] += lift * p;
    a->y[P] += p;
    a->y[P1] += t1 * p;
    a->y[P2] += t2 * p;
    a->v1 += (x->b11 * t1 + x->b12 * t2 + x->b13) * p;
    a->v2 += (x->b12 * t1 + x->b22 * t2 + x->b23) * p;
}

/* The direction of slip from rest: |(mu Btt + f)^-1 bt| = 1, by bisection in f. */
static void slip_from_rest(const slip_body *x, real *e1, real *e2) {
    real low = 0, high = hypotl(x->b13, x->b23);
    for (int i = 0; i < 200; i++) {
        real f = (low + high) / 2, a = x->mu * x->b11 + f, b = x->mu * x->b12;
        real c = x->mu * x->b22 + f, d = a * c - b * b;
        *e1 = (c * x->b13 - b * x->b23) / d;
        *e2 = (a * x->b23 - b * x->b13) / d;
        if (*e1 * *e1 + *e2 * *e2 > 1) {
            low = f;
        } else {
            high = f;
        }
    }
}

/* From rest to the end, in stick or in slip. */
static bool rest(slip_contact *a) {
    const slip_body *x = &a->x;
    real d = x->b11 * x->b22 - x->b12 * x->b12;
    real t1 = -(x->b22 * x->b13 - x->b12 * x->b23) / d;
    real t2 = -(x->b11 * x->b23 - x->b12 * x->b13) / d;
    bool sticks = hypotl(t1, t2) <= x->mu;
    if (sticks && x->held) {
        a->ends = WEDGES;
        return sticks;
    }
    if (!sticks) {
        real e1, e2;
        slip_from_rest(x, &e1, &e2);
        t1 = -x->mu * e1;
        t2 = -x->mu * e2;
    }
    real lift = x->b33 + x->b13 * t1 + x->b23 * t2;
    while (a->ends == OPEN) {
        real p = way_to_goal(a, lift);
        if (!(p < INFINITY)) {
            a->ends = NEVER;
            break;
        }
        go(a, t1, t2, lift, p);
        meet(a);
    }
    a->v1 = sticks ? 0 : a->v1;
    a->v2 = sticks ? 0 : a->v2;
    return sticks;
}

/* Slip that no longer turns, to the end or to the halt. */
static void slip_straight(slip_contact *a) {
    real c = a->y[C], s = a->y[S];
    rate r = rate_at(&a->x, c, s);
    while (a->ends == OPEN) {
        real speed = a->v1 * c + a->v2 * s, to_halt = r.f < 0 ? speed / -r.f : INFINITY;
        bool together = a->x.held && r.f < 0 && !a->compressed;
        real p = together ? INFINITY : way_to_goal(a, r.lift);
        if (!(p < INFINITY || to_halt < INFINITY)) {
            a->ends = NEVER;
            return;
        }
        go(a, -a->x.mu * c, -a->x.mu * s, r.lift, fminl(p, to_halt));
        if (p <= to_halt) {
            meet(a);
            continue;
        }
        if (together) {
            a->y[V3] = 0;
            meet(a);
        }
        a->v1 = a->v2 = 0;
        a->halted = true;
        a->halt = a->pc + a->y[P];
        a->turn = a->y[PHI] - a->start;
        return;
    }
}

/* The state at the goal, which lies within a step of length h: by false position, with the Illinois
 * rule. */
static void cut(const slip_contact *a, real h, real *to) {
    real low = 0, high = h, under = missing(a, a->y), above = missing(a, to);
    real near_enough = 1e-13L * under;
    for (int i = 0; i < 100 && fabsl(missing(a, to)) > near_enough; i++) {
        real at = high - above * (high - low) / (above - under);
        step(&a->x, a->y, at, to);
        real left = missing(a, to);
        if (left > 0) {
            low = at;
            under = left;
            above /= 2;
        } else {
            high = at;
            above = left;
            under /= 2;
        }
    }
}

/* Takes a step, or the first part of it behind which the goal has been passed: that may lie beside
 * a peak of its quantity, between both ends. Returns the length. */
static real reach(const slip_contact *a, real h, real *next) {
    enum { PARTS = 16 };
    step(&a->x, a->y, h, next);
    real rises = rate_at(&a->x, a->y[C], a->y[S]).lift,
         falls = rate_at(&a->x, next[C], next[S]).lift;
    bool peaks = (rises > 0 && falls < 0) || (a->y[V3] > 0 && next[V3] < 0);
    for (int k = 1; k <= PARTS && peaks; k++) {
        real length = h * k / PARTS;
        step(&a->x, a->y, length, next);
        if (missing(a, next) <= 0) {
            return length;
        }
    }
    return h;
}

/* Turns slip by a small angle, and sets its velocity. */
static void turn_on(slip_contact *a, real turn) {
    real c = a->y[C], s = a->y[S];
    a->y[PHI] += turn;
    a->y[C] = c - s * turn;
    a->y[S] = s + c * turn;
    a->v1 = a->y[C] * a->y[SPEED];
    a->v2 = a->y[S] * a->y[SPEED];
}

/* Slip to the end, or to the halt. */
static void slip(slip_contact *a) {
    const slip_body *x = &a->x;
    real h = x->fastest > 0 ? 0.5L / x->fastest : 0;
    for (int i = 0; a->ends == OPEN; i++) {
        rate r = rate_at(x, a->y[C], a->y[S]);
        real turn = r.slope < 0 ? r.g / -r.slope : 0;
        bool arrives =
            r.slope < 0 && fabsl(turn) * x->fastest <= 1e-10L * fminl(-r.slope, fabsl(r.f));
        bool at_saddle = i == 0 && r.g != 0 && r.slope >= 0 && fabsl(r.g) <= 1e-14L * x->fastest;
        if (at_saddle) {
            a->ends = UNDECIDED; /* by rounding */
        } else if (r.g == 0 || arrives) {
            turn_on(a, arrives ? turn : 0);
            slip_straight(a);
            return;
        }
        real next[STATE], length = reach(a, h, next);
        bool reaches = missing(a, next) <= 0;
        if (reaches) {
            cut(a, length, next);
        }
        memcpy(a->y, next, sizeof next);
        if (reaches) {
            meet(a);
        }
        if (i == 5000) {
            a->ends = UNDECIDED;
        }
    }
    turn_on(a, 0);
}

const char *slip_follow(slip_contact *a) {
    bool slips = a->v1 != 0 || a->v2 != 0;
    a->y[V3] = -1;
    if (slips) {
        a->start = a->y[PHI] = atan2l(a->v2, a->v1);
        a->y[SPEED] = hypotl(a->v1, a->v2);
        a->y[C] = a->v1 / a->y[SPEED];
        a->y[S] = a->v2 / a->y[SPEED];
        slip(a);
    }
    if (slips && !a->halted) {
        a->turn = a->y[PHI] - a->start;
        return "slip";
    }
    bool sticks = rest(a);
    return a->ends == WEDGES ? "wedge"
           : slips           ? (sticks ? "slip_stick" : "slip_resumed")
                             : (sticks ? "stick" : "slip_from_rest");
}
