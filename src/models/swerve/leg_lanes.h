/* Steps of curved slip, and compromises on legs of any kind, in lanes. Compiled once for each width; see num/lanes.h. */
#include "models/swerve/leg.h"
#include "num/lane_words.h"
#include "num/polynomial_lanes.h"

typedef imp_swerve_leg leg;

enum { ORDER = IMP_SWERVE_ORDER, TERMS = ORDER + 1 };

/* The members of imp_swerve_state and imp_swerve_rates, in their order. */
typedef struct state {
    real v1, v2, v3, p, p1, p2, work, loss;
} state;
typedef struct rates {
    real unit, m11, m12, m22, d1, d2, n1, n2, n3, friction;
} rates;

typedef struct goal {
    truth velocity, work, compromise;
    real value, by_work, weight[2];
} goal;

/* Coefficients of the powers of tau. v3 and the integrals have one term more than the velocity. */
typedef struct series {
    real v1[TERMS], v2[TERMS], s[TERMS];
    real v3[TERMS + 1], p[TERMS + 1], work[TERMS + 1], loss[TERMS + 1];
} series;

/* ---- from legs to lanes and back ---- */

/* A member of each leg, by its offset. */
CODE real load(const leg *const *legs, size_t offset) {
    double values[IMP_LANES];
    for (int lane = 0; lane < IMP_LANES; lane++) {
        memcpy(&values[lane], (const char *)legs[lane] + offset, sizeof(double));
    }
    return imp_lanes_load(values);
}

#define LOAD(member) load(legs, offsetof(leg, member))

CODE void load_members(const leg *const *legs, size_t offset, size_t members, real *to) {
    for (size_t k = 0; k < members; k++) {
        to[k] = load(legs, offset + k * sizeof(double));
    }
}

CODE state load_state(const leg *const *legs) {
    state now;
    load_members(legs, offsetof(leg, from), sizeof now / sizeof(real), (real *)&now);
    return now;
}

CODE rates load_rates(const leg *const *legs) {
    rates r;
    load_members(legs, offsetof(leg, rates), sizeof r / sizeof(real), (real *)&r);
    return r;
}

CODE goal load_goal(const leg *const *legs) {
    double of[IMP_LANES];
    for (int lane = 0; lane < IMP_LANES; lane++) {
        of[lane] = legs[lane]->to.of;
    }
    real quantity = imp_lanes_load(of);
    return (goal){.velocity = quantity == IMP_SWERVE_OF_VELOCITY,
                  .work = quantity == IMP_SWERVE_OF_WORK,
                  .compromise = quantity == IMP_SWERVE_OF_COMPROMISE,
                  .value = LOAD(to.value),
                  .by_work = LOAD(to.work),
                  .weight = {LOAD(to.weight[0]), LOAD(to.weight[1])}};
}

CODE void store_state(state *now, int lane, imp_swerve_state *to) {
    const real *from = (const real *)now;
    double values[sizeof *now / sizeof *from];
    for (size_t k = 0; k < sizeof *now / sizeof *from; k++) {
        values[k] = from[k][lane];
    }
    memcpy(to, values, sizeof values);
}

/* Lanes without a leg repeat the first. */
CODE void fill(leg *const *legs, int n, const leg **filled) {
    for (int lane = 0; lane < IMP_LANES; lane++) {
        filled[lane] = legs[lane < n ? lane : 0];
    }
}

/* ---- the series ---- */

/* Term k of |v|^2 and from it, with the terms before, that of s. */
CODE real square_term(series *x, int k) {
    real squares = number(0), speeds = number(0);
    for (int j = 1; 2 * j < k; j++) {
        squares += x->v1[j] * x->v1[k - j] + x->v2[j] * x->v2[k - j];
        speeds += x->s[j] * x->s[k - j];
    }
    squares = 2 * (squares + x->v1[0] * x->v1[k] + x->v2[0] * x->v2[k]);
    speeds *= 2;
    if (k % 2 == 0) {
        int j = k / 2;
        squares += x->v1[j] * x->v1[j] + x->v2[j] * x->v2[j];
        speeds += x->s[j] * x->s[j];
    }
    x->s[k] = (squares - speeds) / (2 * x->s[0]);
    return squares;
}

CODE void expand(series *x, const rates *r, const state *now) {
    real square = now->v1 * now->v1 + now->v2 * now->v2;
    x->v1[0] = now->v1;
    x->v2[0] = now->v2;
    x->s[0] = root_of(square);
    x->v3[0] = now->v3;
    x->p[0] = now->p;
    x->work[0] = now->work;
    x->loss[0] = now->loss;
    for (int k = 0; k < TERMS; k++) {
        real work = number(0);
        double next = 1.0 / (k + 1);
        for (int j = 0; j <= k; j++) {
            work += x->v3[j] * x->s[k - j];
        }
        x->p[k + 1] = r->unit * x->s[k] * next;
        x->work[k + 1] = r->unit * work * next;
        x->loss[k + 1] = r->friction * square * next;
        x->v3[k + 1] = (r->n3 * x->s[k] - r->n1 * x->v1[k] - r->n2 * x->v2[k]) * next;
        if (k < ORDER) {
            x->v1[k + 1] = (r->d1 * x->s[k] - r->m11 * x->v1[k] - r->m12 * x->v2[k]) * next;
            x->v2[k + 1] = (r->d2 * x->s[k] - r->m12 * x->v1[k] - r->m22 * x->v2[k]) * next;
            square = square_term(x, k + 1);
        }
    }
}

CODE state along(const series *x, const rates *r, const state *from, real tau) {
    return (state){
        .v1 = imp_lanes_polynomial_at(x->v1, ORDER, tau),
        .v2 = imp_lanes_polynomial_at(x->v2, ORDER, tau),
        .v3 = imp_lanes_polynomial_at(x->v3, TERMS, tau),
        .p = imp_lanes_polynomial_at(x->p, TERMS, tau),
        .p1 = from->p1 - r->friction * imp_lanes_polynomial_integral(x->v1, ORDER, tau),
        .p2 = from->p2 - r->friction * imp_lanes_polynomial_integral(x->v2, ORDER, tau),
        .work = imp_lanes_polynomial_at(x->work, TERMS, tau),
        .loss = imp_lanes_polynomial_at(x->loss, TERMS, tau),
    };
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

/* tau at which slip is slowest before the end; the end if slip slows down until then. */
CODE real slowest_before(const series *x, real end, truth asked) {
    real rate[ORDER];
    for (int k = 0; k < ORDER; k++) {
        rate[k] = (double)(k + 1) * x->s[k + 1];
    }
    truth turns = asked & (rate[0] < 0) & (imp_lanes_polynomial_at(rate, ORDER - 1, end) > 0);
    real low = number(0), high = end;
    for (int i = 0; i < 50 && any(turns); i++) {
        real tau = (low + high) / 2;
        truth falls = imp_lanes_polynomial_at(rate, ORDER - 1, tau) < 0;
        low = pick(falls, tau, low);
        high = pick(falls, high, tau);
    }
    return pick(turns, high, end);
}

/* The length of a step. It ends at the minimum of the slip speed if slip halts there: no step may
 * leap over a halt. */
CODE real length_of_step(const series *x, real no_slip, truth *halts) {
    const double most_lost = 100; /* no step slows slip down by as much */
    const double safety = 0.9;
    real end = safety * smaller(length_by(x, ORDER - 1), length_by(x, ORDER));
    truth slow = not(x->s[0] > most_lost * no_slip);
    *halts = imp_lanes_all(false);
    if (!any(slow)) {
        return end;
    }
    real slowest = slowest_before(x, end, slow);
    *halts = slow & (slowest < end) & (imp_lanes_polynomial_at(x->s, ORDER, slowest) <= no_slip);
    return pick(*halts, slowest, end);
}

/* ---- steps ---- */

/* The place of the goal within a step, infinite if it is not there; of a compromise the impulse. */
CODE real place_of_goal(const series *x, const goal *to, real end) {
    real c[TERMS + 1];
    for (int k = 0; k <= TERMS; k++) {
        c[k] = pick(to->velocity, x->v3[k], pick(to->work, x->work[k], x->p[k]));
    }
    return imp_lanes_first_rise(c, TERMS, to->value, end);
}

CODE void store_step(leg *l, int lane, real end, truth halts, real place, real other) {
    bool compromise = l->to.of == IMP_SWERVE_OF_COMPROMISE;
    l->end = l->last = end[lane];
    l->halts = halts[lane];
    l->one = place[lane];
    l->other = other[lane];
    l->goal = compromise ? INFINITY : place[lane];
}

void IMP_OF_THIS_WIDTH(imp_swerve_step)(leg *const *taken, int n);
void IMP_OF_THIS_WIDTH(imp_swerve_step)(leg *const *taken, int n) {
    const leg *legs[IMP_LANES];
    fill(taken, n, legs);
    state from = load_state(legs), next;
    rates r = load_rates(legs);
    goal to = load_goal(legs);
    series x;
    truth halts;
    expand(&x, &r, &from);
    real end = length_of_step(&x, LOAD(no_slip), &halts);
    real place = place_of_goal(&x, &to, end), other = number(INFINITY);
    if (any(to.compromise)) {
        other = pick(to.compromise, imp_lanes_first_rise(x.work, TERMS, to.by_work, end), other);
    }
    next = along(&x, &r, &from, pick(not(to.compromise) & (place < INFINITY), place, end));
    for (int lane = 0; lane < n; lane++) {
        store_step(taken[lane], lane, end, halts, place, other);
        store_state(&next, lane, &taken[lane]->next);
    }
}

/* ---- the compromise ---- */

/* The motion along straight legs, or along curved ones. */
typedef struct track {
    const state *from;
    real lift;
    const series *curve; /* NULL: straight legs */
} track;

/* With x = impulse / value and y = sqrt(work / by_work): half the derivative of w1 (x - 1)^2 + w2 (y - 1)^2 with
 * respect to x, times y. It is negative before the compromise. */
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

/* The place of the compromise between the goals of both laws, which are reached at `one` and `other`, infinite if not
 * on the leg; infinite if the compromise is not reached up to `last` either. */
CODE real compromise_on(const track *t, const goal *to, real one, real other, real last) {
    real later = larger(one, other), earlier = smaller(one, other);
    real low = earlier, high = smaller(later, last);
    truth before = not(pull_at(t, to, low) < 0);
    truth none = not(before) & (later > last) & (pull_at(t, to, high) < 0);
    high = pick(before, low, high);
    low = pick(before, number(0), low);
    for (int i = 0; i < 60; i++) {
        real middle = (low + high) / 2;
        truth pulls = pull_at(t, to, middle) < 0;
        low = pick(pulls, middle, low);
        high = pick(pulls, high, middle);
    }
    return pick(none, number(INFINITY), high);
}

CODE void find_on_straight(leg *const *sought, const leg *const *legs, int n) {
    state from = load_state(legs);
    goal to = load_goal(legs);
    track t = {.from = &from, .lift = LOAD(way.lift)};
    real place = compromise_on(&t, &to, LOAD(one), LOAD(other), LOAD(last));
    for (int lane = 0; lane < n; lane++) {
        sought[lane]->goal = place[lane];
    }
}

CODE void find_on_curve(leg *const *sought, const leg *const *legs, int n) {
    state from = load_state(legs), next;
    rates r = load_rates(legs);
    goal to = load_goal(legs);
    series x;
    track t = {.from = &from, .curve = &x};
    expand(&x, &r, &from);
    real place = compromise_on(&t, &to, LOAD(one), LOAD(other), LOAD(last));
    next = along(&x, &r, &from, place);
    for (int lane = 0; lane < n; lane++) {
        sought[lane]->goal = place[lane];
        if (place[lane] < INFINITY) {
            store_state(&next, lane, &sought[lane]->next);
        }
    }
}

void IMP_OF_THIS_WIDTH(imp_swerve_find_compromise)(leg *const *sought, int n);
void IMP_OF_THIS_WIDTH(imp_swerve_find_compromise)(leg *const *sought, int n) {
    const leg *legs[IMP_LANES];
    fill(sought, n, legs);
    if (sought[0]->curved) {
        find_on_curve(sought, legs, n);
    } else {
        find_on_straight(sought, legs, n);
    }
}

/* ---- histories ---- */

void IMP_OF_THIS_WIDTH(imp_swerve_along_curve)(const leg *l, double impulse, imp_swerve_state *at);
void IMP_OF_THIS_WIDTH(imp_swerve_along_curve)(const leg *l, double impulse, imp_swerve_state *at) {
    const leg *legs[IMP_LANES];
    for (int lane = 0; lane < IMP_LANES; lane++) {
        legs[lane] = l;
    }
    state from = load_state(legs);
    rates r = load_rates(legs);
    real low = number(0), high = number(l->goal < INFINITY ? l->goal : l->end);
    series x;
    expand(&x, &r, &from);
    /* The impulse grows with tau. */
    for (int i = 0; i < 60; i++) {
        real tau = (low + high) / 2;
        truth before = imp_lanes_polynomial_at(x.p, TERMS, tau) < impulse + l->from.p;
        low = pick(before, tau, low);
        high = pick(before, high, tau);
    }
    state there = along(&x, &r, &from, high);
    store_state(&there, 0, at);
}
