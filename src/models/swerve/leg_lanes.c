/* Steps of curved slip, their goals, and compromises on legs of any kind, in lanes. Compiled once
 * for each width; see num/lanes/lanes.h. */
#include "models/swerve/leg.h"
#include "num/lanes/gather.h"
#include "num/lanes/polynomial.h"

typedef imp_swerve_leg leg;

enum { ORDER = IMP_SWERVE_ORDER, TERMS = ORDER + 1 };

typedef struct state {
    IMP_SWERVE_STATE(real)
} state;
typedef struct rates {
    IMP_SWERVE_RATES(real)
} rates;

typedef struct goal {
    truth velocity, work, compromise;
    real value, by_work, weight[2];
} goal;

/* Coefficients of the powers of tau. v3 and the integrals have one term more than the velocity of
 * slip. */
typedef real coefficients[TERMS + 1];
typedef struct series {
    IMP_SWERVE_STATE(coefficients)
    real s[TERMS];
} series;

/* ---- from legs to lanes and back ---- */

#define LOAD(member) load(legs, offsetof(leg, member))

CODE goal load_goal(const void *const *legs) {
    real quantity = number(0);
    for (int lane = 0; lane < IMP_LANES; lane++) {
        imp_lanes_set(&quantity, lane, ((const leg *)legs[lane])->to.of);
    }
    return (goal){.velocity = quantity == IMP_SWERVE_OF_VELOCITY,
                  .work = quantity == IMP_SWERVE_OF_WORK,
                  .compromise = quantity == IMP_SWERVE_OF_COMPROMISE,
                  .value = LOAD(to.value),
                  .by_work = LOAD(to.work),
                  .weight = {LOAD(to.weight[0]), LOAD(to.weight[1])}};
}

/* ---- the series ---- */

/* Half of those parts of term k of |v|^2 and of s^2 that the terms 1 to k - 1 give. */
typedef struct inner {
    real square, speed;
} inner;

/* The latest terms come last, so that the sums need not wait for them. */
CODE inner inner_terms(const series *x, int k) {
    inner half = {.square = number(0), .speed = number(0)};
    int j = k / 2;
    if (k % 2 == 0) {
        half.square = (x->v1[j] * x->v1[j] + x->v2[j] * x->v2[j]) / 2;
        half.speed = x->s[j] * x->s[j] / 2;
        j--;
    }
    for (; j > 0; j--) {
        half.square += x->v1[j] * x->v1[k - j] + x->v2[j] * x->v2[k - j];
        half.speed += x->s[j] * x->s[k - j];
    }
    return half;
}

/* The terms of one power of tau; square: of |v|^2. */
typedef struct terms {
    real v1, v2, s, square;
} terms;

/* The terms of power k + 1. first: direction of slip, and the inverse of its speed. */
CODE terms next_terms(const series *x, const rates *r, const terms *first, const terms *last,
                      int k) {
    double next = 1.0 / (k + 1);
    inner half = inner_terms(x, k + 1);
    terms t = {
        .v1 = (r->d1 * last->s - (r->m11 * last->v1 + r->m12 * last->v2)) * next,
        .v2 = (r->d2 * last->s - (r->m12 * last->v1 + r->m22 * last->v2)) * next,
    };
    real along = first->v1 * t.v1 + first->v2 * t.v2;
    t.s = along + (half.square - half.speed) * first->s;
    t.square = 2 * (along * x->s[0] + half.square);
    return t;
}

/* Term k + 1 of the work. */
CODE real work_term(const series *x, const rates *r, int k) {
    real work = number(0);
    for (int j = k; j >= 0; j--) {
        work += x->v3[j] * x->s[k - j];
    }
    return r->unit * work * (1.0 / (k + 1));
}

/* Enters the terms of power k, and those of the integrals that follow from them. */
CODE void enter(series *x, const rates *r, const terms *t, int k) {
    double next = 1.0 / (k + 1);
    x->v1[k] = t->v1;
    x->v2[k] = t->v2;
    x->s[k] = t->s;
    x->p[k + 1] = r->unit * t->s * next;
    x->p1[k + 1] = -(r->friction * t->v1) * next;
    x->p2[k + 1] = -(r->friction * t->v2) * next;
    x->loss[k + 1] = r->loss * t->square * next;
    x->work[k + 1] = work_term(x, r, k);
    x->v3[k + 1] = (r->n3 * t->s - (r->n1 * t->v1 + r->n2 * t->v2)) * next;
}

CODE void expand(series *x, const rates *r, const state *now) {
    terms t = {.v1 = now->v1, .v2 = now->v2, .square = now->v1 * now->v1 + now->v2 * now->v2};
    t.s = root_of(t.square);
    x->v3[0] = now->v3;
    x->p[0] = now->p;
    x->p1[0] = now->p1;
    x->p2[0] = now->p2;
    x->work[0] = now->work;
    x->loss[0] = now->loss;
    const terms first = {.v1 = now->v1 / t.s, .v2 = now->v2 / t.s, .s = 1 / t.s};
    for (int k = 0; k < ORDER; k++) {
        enter(x, r, &t, k);
        t = next_terms(x, r, &first, &t, k);
    }
    enter(x, r, &t, ORDER);
    x->v1[TERMS] = x->v2[TERMS] = number(0);
}

/* The series of legs of curved slip, and the states *from where they start. */
CODE void expand_legs(const void *const *legs, state *from, series *x) {
    rates r;
    IMP_LOAD_MEMBERS(legs, leg, from, from);
    IMP_LOAD_MEMBERS(legs, leg, rates, &r);
    expand(x, &r, from);
}

/* All polynomials side by side: each waits for its last sum. */
CODE state along(const series *x, real tau) {
    enum { MEMBERS = sizeof(state) / sizeof(real) };
    _Static_assert(offsetof(series, s) == MEMBERS * sizeof(coefficients), "a state comes first");
    const coefficients *of = (const coefficients *)x;
    state at;
    real *value = (real *)&at;
    for (int i = 0; i < MEMBERS; i++) {
        value[i] = of[i][TERMS];
    }
    for (int k = TERMS - 1; k >= 0; k--) {
        for (int i = 0; i < MEMBERS; i++) {
            value[i] = value[i] * tau + of[i][k];
        }
    }
    return at;
}

/* ---- the length of a step ---- */

CODE real size_of_term(const series *x, int k) {
    return larger(size_of(x->s[k]), larger(size_of(x->v2[k]), size_of(x->v1[k])));
}

/* The length at which term k is lost in rounding. */
CODE real length_by(const series *x, int k) {
    const double lost = 1e-16, least = 1e-290;
    real size = larger(size_of_term(x, k), number(least));
    return imp_lanes_coarse_root(lost * x->s[0] / size, k);
}

/* Slip slows down by less than a factor of 10 in it. */
CODE real length_of_step(const series *x) {
    const double safety = 0.9;
    return safety * smaller(length_by(x, ORDER - 1), length_by(x, ORDER));
}

/* ---- steps ---- */

/* The quantity of the goal; of a compromise the impulse. */
CODE void series_of_goal(const series *x, const goal *to, real *c) {
    for (int k = 0; k <= TERMS; k++) {
        c[k] = pick(to->velocity, x->v3[k], pick(to->work, x->work[k], x->p[k]));
    }
}

/* Whether the goal may be reached within a step, or one of those between which a compromise
 * lies. */
CODE truth comes_near(const series *x, const goal *to, real end) {
    real c[TERMS + 1];
    series_of_goal(x, to, c);
    truth near = imp_lanes_may_reach(c, TERMS, to->value, end);
    if (any(to->compromise)) {
        near |= to->compromise & imp_lanes_may_reach(x->work, TERMS, to->by_work, end);
    }
    return near;
}

IMP_IN_LANES(imp_swerve_step, (leg *const *taken, int n)) {
    const void *legs[IMP_LANES];
    fill((void *const *)taken, n, legs);
    state from;
    goal to = load_goal(legs);
    series x;
    expand_legs(legs, &from, &x);
    real end = length_of_step(&x);
    truth near = comes_near(&x, &to, end);
    state next = along(&x, end);
    for (int lane = 0; lane < n; lane++) {
        leg *l = taken[lane];
        l->end = end[lane];
        l->near = near[lane];
        l->goal = INFINITY;
        IMP_STORE_MEMBERS(&next, lane, &l->next);
    }
}

/* ---- the compromise ---- */

/* The motion along straight legs, or along curved ones. */
typedef struct track {
    const state *from;
    real lift;
    const series *curve; /* NULL: straight legs */
} track;

/* With x = impulse / value and y = sqrt(work / by_work): half the derivative of w1 (x - 1)^2 + w2
 * (y - 1)^2 with respect to x, times y. It is negative before the compromise. */
CODE real pull_at(const track *t, const goal *to, real at) {
    const state *from = t->from;
    const series *c = t->curve;
    real v3 = c ? imp_lanes_polynomial_at(c->v3, TERMS, at) : from->v3 + t->lift * at;
    real p = c ? imp_lanes_polynomial_at(c->p, TERMS, at) : from->p + at;
    real work =
        c ? imp_lanes_polynomial_at(c->work, TERMS, at) : from->work + at * (from->v3 + v3) / 2;
    real y = root_of(larger(work, number(0)) / to->by_work);
    return to->weight[0] * (p / to->value - 1) * y +
           to->weight[1] * (y - 1) * v3 * to->value / (2 * to->by_work);
}

/* Where the pull, negative at first, vanishes between two places. By chords, as imp_chord of
 * num/bracket.h, which finds the zero of one contact: the pull at an end that stays a second time
 * is halved. */
CODE real balance_between(const track *t, const goal *to, real low, real high, truth here) {
    enum { MOST = 100 };
    real below = pull_at(t, to, low), above = pull_at(t, to, high), at = high, last = number(0);
    for (int i = 0; i < MOST && any(here); i++) {
        real next = high - above * (high - low) / (above - below);
        next = pick((next > low) & (next <= high), next, (low + high) / 2);
        truth settles = size_of(next - at) <= 4e-16 * next;
        put(here, &at, next);
        here = here & not(settles);
        real pull = pull_at(t, to, at);
        truth pulls = pull < 0;
        truth again = pull * last > 0;
        above = pick(pulls, pick(again, above / 2, above), pull);
        below = pick(pulls, pull, pick(again, below / 2, below));
        low = pick(pulls, at, low);
        high = pick(pulls, high, at);
        last = pull;
    }
    return at;
}

/* The place of the compromise between the goals of both laws, which are reached at `one` and
 * `other`, infinite if not on the leg; infinite if the compromise is not reached up to `last`
 * either. */
CODE real compromise_on(const track *t, const goal *to, real one, real other, real last,
                        truth here) {
    real later = larger(one, other), earlier = smaller(one, other);
    real low = earlier, high = smaller(later, last);
    truth before = not(pull_at(t, to, low) < 0);
    truth none = not(before) & (later > last) & (pull_at(t, to, high) < 0);
    high = pick(before, low, high);
    low = pick(before, number(0), low);
    real place = balance_between(t, to, low, high, here & not(none));
    return pick(none, number(INFINITY), place);
}

CODE void seek_on_straight(leg *const *sought, const void *const *legs, int n) {
    state from;
    IMP_LOAD_MEMBERS(legs, leg, from, &from);
    goal to = load_goal(legs);
    track t = {.from = &from, .lift = LOAD(way.lift)};
    truth all = imp_lanes_all(true);
    real place = compromise_on(&t, &to, LOAD(one), LOAD(other), LOAD(last), all);
    for (int lane = 0; lane < n; lane++) {
        sought[lane]->goal = place[lane];
    }
}

/* The place of the goal on a curved leg, infinite if it does not lie on it. */
CODE real goal_on_curve(const series *x, const goal *to, const state *from, real end) {
    real c[TERMS + 1];
    series_of_goal(x, to, c);
    real place = imp_lanes_first_rise(c, TERMS, to->value, end);
    if (!any(to->compromise)) {
        return place;
    }
    real other = imp_lanes_first_rise(x->work, TERMS, to->by_work, end);
    truth seeks = to->compromise & (smaller(place, other) <= end);
    real found = pick(to->compromise, number(INFINITY), place);
    if (any(seeks)) {
        track t = {.from = from, .curve = x};
        put(seeks, &found, compromise_on(&t, to, place, other, end, seeks));
    }
    return found;
}

CODE void seek_on_curve(leg *const *sought, const void *const *legs, int n) {
    state from;
    goal to = load_goal(legs);
    series x;
    expand_legs(legs, &from, &x);
    real place = goal_on_curve(&x, &to, &from, LOAD(end));
    state next = along(&x, place);
    for (int lane = 0; lane < n; lane++) {
        sought[lane]->goal = place[lane];
        if (place[lane] < INFINITY) {
            IMP_STORE_MEMBERS(&next, lane, &sought[lane]->next);
        }
    }
}

IMP_IN_LANES(imp_swerve_seek_goal, (leg *const *sought, int n)) {
    const void *legs[IMP_LANES];
    fill((void *const *)sought, n, legs);
    if (sought[0]->curved) {
        seek_on_curve(sought, legs, n);
    } else {
        seek_on_straight(sought, legs, n);
    }
}

/* ---- histories ---- */

IMP_IN_LANES(imp_swerve_along_curve, (const leg *l, double impulse, imp_swerve_state *at)) {
    const void *legs[IMP_LANES];
    for (int lane = 0; lane < IMP_LANES; lane++) {
        legs[lane] = l;
    }
    real low = number(0), high = number(l->goal < INFINITY ? l->goal : l->end);
    state from;
    series x;
    expand_legs(legs, &from, &x);
    /* The impulse grows with tau. */
    for (int i = 0; i < 60; i++) {
        real tau = (low + high) / 2;
        truth before = imp_lanes_polynomial_at(x.p, TERMS, tau) < impulse + l->from.p;
        low = pick(before, tau, low);
        high = pick(before, high, tau);
    }
    state there = along(&x, high);
    IMP_STORE_MEMBERS(&there, 0, at);
}
