/* A chain of the survey shows an extreme to the width of its brackets. Around it the boundary is a
 * function of the second parameter, whose heights are bracketed in the first. Golden sections, for
 * which heights need to be known only as well as it takes to compare them, come closer; where the
 * extreme is smooth a polynomial through seven heights finds it, each of which the ones before
 * predict. At a corner the golden sections go on to the end. */
#include "solve/search/summit.h"

#include <math.h>
#include <stdlib.h>

#include "num/larger.h"
#include "solve/search/boxes.h"

/* What an extreme must stand out by on both sides: two brackets of the survey. */
static const double least_drop = 2.0 / 4096;
/* Up to this drop the boundary is followed from an extreme. */
static const double most_drop = 1.0 / 64;
static const double bracket = 1.0 / 4096; /* of a survey whose crossings were sharpened */
static const double farthest = 1.0 / 32;  /* from where it is expected */
enum { NOWHERE = -2 };
static const double golden = 0.6180339887498949;

/* The function at hand: sign times the place of the boundary in the first parameter. */
typedef struct edge {
    imp_plane *plane;
    const imp_chain *chain;
    int64_t from,
        to;    /* its places around the extreme, in ascending order of the second parameter */
    int label; /* whose boundary it is */
    bool label_below; /* it is on the lower side in the first parameter */
    double sign;
    double low, high; /* of the second parameter */
} edge;

/* The boundary at y is between `inner` and `outer`, times the sign; both are NOWHERE if it is not
 * close to where it was expected. */
typedef struct height {
    double y, inner, outer;
} height;

/* A place of a chain, which may be passed beyond its ends if it is closed. */
static const imp_spot *spot_at(const imp_chain *chain, int64_t i) {
    int64_t n = (int64_t)chain->n - 1;
    return &chain->spots[chain->closed ? (i % n + n) % n : i];
}

/* Where the chain has the boundary at y, times the sign. */
static double guess(const edge *e, double y) {
    int64_t step = e->from < e->to ? 1 : -1, i = e->from;
    while (i != e->to - step && spot_at(e->chain, i + step)->at[1] < y) {
        i += step;
    }
    const imp_spot *one = spot_at(e->chain, i), *other = spot_at(e->chain, i + step);
    double way = other->at[1] - one->at[1], part = way > 0 ? (y - one->at[1]) / way : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return e->sign * (one->at[0] + part * (other->at[0] - one->at[0]));
}

static bool is_inner(edge *e, double x, double y) {
    imp_spot spot = {{e->sign * x, y}};
    int label;
    imp_plane_labels(e->plane, 1, &spot, &label);
    return (label == e->label) == (e->label_below == (e->sign > 0));
}

static double middle_of(const height *h) {
    return h->inner + 0.5 * (h->outer - h->inner);
}

static bool is_in_plane(const edge *e, double x) {
    return e->sign * x >= 0 && e->sign * x <= 1;
}

/* Brackets the boundary at y from where it is expected on, with steps that double. */
static height height_at(edge *e, double y, double expected, double step) {
    height h = {y, NOWHERE, NOWHERE};
    double last = expected, at = expected;
    bool inner = is_in_plane(e, at) && is_inner(e, at, y), here = inner;
    for (; here == inner && step < farthest; step *= 2) {
        last = at;
        at += inner ? step : -step;
        if (!is_in_plane(e, last) || !is_in_plane(e, at)) {
            return h;
        }
        here = is_inner(e, at, y);
    }
    if (here != inner) {
        h.inner = inner ? last : at;
        h.outer = inner ? at : last;
    }
    return h;
}

/* Halves the bracket of a height; false if it is as narrow as can be. */
static bool halve(edge *e, height *h) {
    double middle = middle_of(h);
    if (h->outer - h->inner <= imp_finest_change || middle <= h->inner || middle >= h->outer) {
        return false;
    }
    *(is_inner(e, middle, h->y) ? &h->inner : &h->outer) = middle;
    return true;
}

static double tighten(edge *e, height *h) {
    while (halve(e, h)) {
    }
    return middle_of(h);
}

/* Whether the boundary is higher at one place, as far as that can be told. */
static bool is_higher(edge *e, height *one, height *other) {
    bool more = true;
    while (more && one->inner < other->outer && other->inner < one->outer) {
        bool wider = one->outer - one->inner > other->outer - other->inner;
        more = halve(e, wider ? one : other);
    }
    return middle_of(one) > middle_of(other);
}

/* ---- golden sections ---- */

/* The extreme is between a and b. */
typedef struct section {
    double a, b;
    height left, right;
    bool rises;  /* the right one is higher */
    double step; /* how far apart the two may be, if both are there, or the last two that were */
} section;

/* Finds out which one is higher. */
static void compare(edge *e, section *s) {
    const height *l = &s->left, *r = &s->right;
    s->rises = !is_higher(e, &s->left, &s->right);
    if (l->inner > NOWHERE && r->inner > NOWHERE) {
        double most = s->rises ? r->outer : l->outer, least = s->rises ? l->inner : r->inner;
        s->step = most - least < bracket ? most - least : bracket;
    }
}

static section section_of(edge *e) {
    section s = {.a = e->low, .b = e->high, .step = bracket};
    double left = s.b - golden * (s.b - s.a), right = s.a + golden * (s.b - s.a);
    s.left = height_at(e, left, guess(e, left), bracket);
    s.right = height_at(e, right, guess(e, right), bracket);
    compare(e, &s);
    return s;
}

/* The boundary at y, which is about as high as at the best place, if it was found there. */
static height another(edge *e, const section *s, const height *best, double y) {
    return height_at(e, y, best->inner > NOWHERE ? middle_of(best) : guess(e, y), s->step);
}

/* Narrows the section to a width; the higher of its two places. */
static height *narrow(edge *e, section *s, double width) {
    while (s->b - s->a > width) {
        height best = s->rises ? s->right : s->left;
        if (s->rises) {
            s->a = s->left.y;
            s->left = best;
            s->right = another(e, s, &best, s->a + golden * (s->b - s->a));
        } else {
            s->b = s->right.y;
            s->right = best;
            s->left = another(e, s, &best, s->b - golden * (s->b - s->a));
        }
        compare(e, s);
    }
    return s->rises ? &s->right : &s->left;
}

/* ---- smooth extremes ---- */

enum { POINTS = 7 };

/* Newton's polynomial through values at these places has the coefficients c. */
static const double nodes[POINTS] = {0, 1, -1, 2, -2, 3, -3};

/* The next coefficient, of the polynomial through one more value. */
static void extend(double *c, int n, double value) {
    for (int i = 0; i < n; i++) {
        value = (value - c[i]) / (nodes[n] - nodes[i]);
    }
    c[n] = value;
}

/* Value, slope and curvature of the polynomial through the first n nodes. */
static void evaluate(const double *c, int n, double t, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = n - 1; i >= 0; i--) {
        out[2] = out[2] * (t - nodes[i]) + 2 * out[1];
        out[1] = out[1] * (t - nodes[i]) + out[0];
        out[0] = out[0] * (t - nodes[i]) + c[i];
    }
}

/* The maximum of the polynomial through the first n nodes; NaN if there is none close to 0. */
static double top_of(const double *c, int n, double *value) {
    double t = 0, out[3];
    for (int i = 0; i < 20; i++) {
        evaluate(c, n, t, out);
        double step = out[2] < 0 ? -out[1] / out[2] : NAN;
        t += step;
        if (!(fabs(t) < 2)) {
            return NAN;
        }
    }
    evaluate(c, n, t, out);
    *value = out[0];
    return t;
}

/* The coefficients of the boundary around a place; `step`: what it may change by from there to the
 * next. False if the boundary ends, or drops on both sides like straight lines (*corner). */
static bool sample(edge *e, height *top, double h, double step, double *c, bool *corner) {
    double value[POINTS], expected[3], rougher[3];
    for (int i = 0; i < POINTS; i++) {
        evaluate(c, i, nodes[i], expected);
        evaluate(c, i - 1, nodes[i], rougher);
        double close = i > 1 ? 0.25 * fabs(expected[0] - rougher[0]) : step;
        close = close > 4 * imp_finest_change ? close : 4 * imp_finest_change;
        height next = i ? height_at(e, top->y + nodes[i] * h, expected[0], close) : *top;
        value[i] = tighten(e, &next);
        if (next.inner == NOWHERE) {
            *corner = true;
            return false;
        }
        extend(c, i, value[i]);
    }
    *corner = 2 * value[0] - value[5] - value[6] < 5 * (2 * value[0] - value[1] - value[2]);
    return true;
}

/* Finds a smooth extreme around the top with places h apart; false if a polynomial does not
 * describe the boundary there. *corner: it drops on both sides like straight lines. */
static bool fit(edge *e, height *top, double h, double step, imp_turn *turn, bool *corner) {
    double c[POINTS], value = NAN, rougher = NAN;
    if (top->y - 3 * h < e->low || top->y + 3 * h > e->high ||
        !sample(e, top, h, step, c, corner)) {
        return false;
    }
    double t = top_of(c, POINTS, &value), near = top_of(c, POINTS - 2, &rougher);
    if (isnan(t) || isnan(near)) {
        return false;
    }
    height found = height_at(e, top->y + t * h, value, 4 * imp_finest_change);
    double truth = tighten(e, &found);
    double noise = 8 * imp_finest_change, miss = fabs(truth - value) + noise;
    turn->at[0] = e->sign * value;
    turn->at[1] = found.y;
    turn->error[0] = miss;
    turn->error[1] = fabs(t - near) * h + h * noise / (fabs(2 * c[2]) + noise);
    return fabs(truth - value) < 64 * imp_finest_change && fabs(value - rougher) < 1e-10;
}

/* ---- candidates ---- */

/* Finds an extreme that a chain shows between two places of the second parameter. */
static bool climb(edge *e, imp_turn *turn) {
    double span = e->high - e->low;
    section s = section_of(e);
    bool corner = false;
    for (double h = span / 128; h > span / 10000 && !corner; h /= 4) {
        height *top = narrow(e, &s, h);
        if (fit(e, top, h, s.step, turn, &corner)) {
            return true;
        }
    }
    height *top = narrow(e, &s, 1e-12);
    double value = tighten(e, top);
    *turn = (imp_turn){.at = {e->sign * value, top->y},
                       .error = {8 * imp_finest_change + 0.5 * s.step, s.b - s.a}};
    return value > NOWHERE && top->y - e->low > 1e-9 && e->high - top->y > 1e-9;
}

static void add(imp_plane *plane, imp_turns *turns, const imp_turn *turn) {
    if (turns->n == turns->room) {
        size_t room = turns->room ? 2 * turns->room : 16;
        imp_turn *grown = realloc(turns->list, room * sizeof *grown);
        imp_search_check(plane->work, grown);
        if (!grown) {
            return;
        }
        turns->list = grown;
        turns->room = room;
    }
    turns->list[turns->n++] = *turn;
}

/* The labels on both sides of an extreme; false unless both are values. */
static bool look_aside(imp_plane *plane, imp_turn *turn) {
    double aside = turn->error[0] > 1e-13 ? 2 * turn->error[0] : 2e-13;
    imp_spot spots[2] = {{{turn->at[0] - aside, turn->at[1]}},
                         {{turn->at[0] + aside, turn->at[1]}}};
    int labels[2];
    imp_plane_labels(plane, 2, spots, labels);
    turn->below = labels[0];
    turn->above = labels[1];
    return labels[0] >= 0 && labels[1] >= 0 && labels[0] != labels[1];
}

static bool has(const imp_chain *chain, int64_t i, int64_t from) {
    int64_t n = (int64_t)chain->n;
    return chain->closed ? i - from < n && from - i < n : i >= 0 && i < n;
}

/* Follows a chain from its extreme in one direction, as long as the second parameter goes on the
 * same way and the boundary has not dropped by much. *drop: how far it has; returns where. */
static int64_t follow(const imp_chain *chain, int64_t at, int step, double sign, double *drop) {
    const imp_spot *top = spot_at(chain, at), *last = top;
    double way = 0;
    *drop = 0;
    int64_t i = at + step;
    for (; has(chain, i, at) && *drop < most_drop; i += step) {
        const imp_spot *spot = spot_at(chain, i);
        double forward = spot->at[1] - last->at[1], fall = sign * (top->at[0] - spot->at[0]);
        if (way * forward < 0 || fall < *drop - least_drop) {
            break;
        }
        way = way != 0 ? way : forward;
        last = spot;
        *drop = fall > *drop ? fall : *drop;
    }
    return i - step;
}

/* Whether the boundary was followed on behalf of the label on its other side. */
static bool is_known(const imp_turns *turns, const imp_spot *spot, double sign) {
    for (size_t i = 0; i < turns->n; i++) {
        const imp_turn *turn = &turns->list[i];
        if (turn->sign == sign && turn->seen.at[0] == spot->at[0] &&
            turn->seen.at[1] == spot->at[1]) {
            return true;
        }
    }
    return false;
}

static void try_spot(imp_plane *plane, const imp_chain *chain, int64_t at, double sign, int label,
                     imp_turns *turns) {
    double drop[2];
    int64_t before = follow(chain, at, -1, sign, &drop[0]);
    int64_t after = follow(chain, at, 1, sign, &drop[1]);
    double y = spot_at(chain, at)->at[1];
    bool upward = spot_at(chain, after)->at[1] > spot_at(chain, before)->at[1];
    edge e = {.plane = plane,
              .chain = chain,
              .from = upward ? before : after,
              .to = upward ? after : before,
              .label = label,
              .label_below = upward,
              .sign = sign};
    double low = spot_at(chain, e.from)->at[1], high = spot_at(chain, e.to)->at[1];
    e.low = imp_larger(low - turns->slack, 0);
    e.high = imp_smaller(high + turns->slack, 1);
    bool flat = drop[0] < least_drop || drop[1] < least_drop || low >= y || high <= y;
    if (flat || is_known(turns, spot_at(chain, at), sign)) {
        return;
    }
    imp_turn turn;
    bool found = climb(&e, &turn);
    turn.sign = sign;
    turn.seen = *spot_at(chain, at);
    if (!found) {
        turns->hidden++;
    } else if (look_aside(plane, &turn)) {
        add(plane, turns, &turn);
    }
}

/* The extremes of a chain that stand out by `least_drop` on both sides. */
static void search_chain(imp_plane *plane, const imp_chain *chain, double sign, int label,
                         imp_turns *turns) {
    int64_t n = (int64_t)chain->n, first = 0, best = 0;
    for (int64_t i = 1; chain->closed && i < n; i++) { /* a ring begins at its lowest place */
        first = sign * (spot_at(chain, i)->at[0] - spot_at(chain, first)->at[0]) < 0 ? i : first;
    }
    double low = sign * spot_at(chain, first)->at[0], high = low;
    bool rises = false;
    for (int64_t i = first; i < first + n && !plane->work->error; i++) {
        double x = sign * spot_at(chain, i)->at[0];
        if (!rises) {
            low = x < low ? x : low;
            rises = x - low > least_drop;
            high = low;
        } else if (high - x > least_drop) {
            try_spot(plane, chain, best, sign, label, turns);
            rises = false;
            low = x;
        }
        /* Of equal ones the same from both sides of the boundary. */
        bool same = x == high && spot_at(chain, i)->at[1] < spot_at(chain, best)->at[1];
        if (rises && (x > high || same)) {
            high = x;
            best = i;
        }
    }
}

void imp_turns_of_label(imp_plane *plane, const imp_survey *survey, int label, imp_turns *turns) {
    imp_outline outline;
    imp_search_check(plane->work, imp_outline_of(survey, label, &outline));
    for (size_t i = 0; i < outline.n && !plane->work->error; i++) {
        search_chain(plane, &outline.chains[i], 1, label, turns);
        search_chain(plane, &outline.chains[i], -1, label, turns);
    }
    imp_outline_free(&outline);
}

static int by_place(const void *one, const void *other) {
    const imp_turn *a = one, *b = other;
    for (int k = 0; k < 2; k++) {
        if (a->at[k] != b->at[k]) {
            return a->at[k] < b->at[k] ? -1 : 1;
        }
    }
    return 0;
}

void imp_turns_finish(imp_turns *turns) {
    size_t kept = 0;
    if (turns->n > 0) {
        qsort(turns->list, turns->n, sizeof *turns->list, by_place);
    }
    for (size_t i = 0; i < turns->n; i++) {
        const imp_turn *turn = &turns->list[i];
        bool known = false;
        for (size_t k = 0; k < kept; k++) {
            const imp_turn *other = &turns->list[k];
            known =
                known || (other->sign == turn->sign && fabs(other->at[0] - turn->at[0]) < 1e-10 &&
                          fabs(other->at[1] - turn->at[1]) < 1e-6);
        }
        if (!known) {
            turns->list[kept++] = *turn;
        }
    }
    turns->n = kept;
}

void imp_turns_free(imp_turns *turns) {
    free(turns->list);
    *turns = (imp_turns){.n = 0};
}
