/* A chain of the survey shows an extreme to the width of its brackets. Around it the boundary is a
 * function of the second parameter, which is measured by bisection in the first. Where the extreme
 * is smooth a polynomial through seven places finds it; at a corner it is narrowed by golden
 * sections. */
#include "solve/search/summit.h"

#include <math.h>
#include <stdlib.h>

#include "solve/search/boxes.h"

/* What an extreme must stand out by on both sides: two brackets of the survey. */
static const double least_drop = 2.0 / 4096;
/* Up to this drop the boundary is followed from an extreme. */
static const double most_drop = 1.0 / 64;
static const double bracket = 1.0 / 4096; /* of the survey */
static const double farthest = 1.0 / 32;  /* from the chain */
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
    /* Once the extreme is known better than from the chain: the boundary is hardly above `hint`,
     * and less than `drop` below it. */
    double hint, drop;
} edge;

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

/* The nearest place on the inner side below x, or on the outer side above it (direction -1, 1), at
 * steps that double; NOWHERE. */
static double look(edge *e, double x, double y, double step, double direction) {
    for (; step < farthest; step *= 2) {
        double at = x + direction * step;
        if (e->sign * at < 0 || e->sign * at > 1) {
            break;
        }
        if (is_inner(e, at, y) == (direction < 0)) {
            return at;
        }
    }
    return NOWHERE;
}

/* The boundary at y, times the sign; NOWHERE if it is not close to where it is expected. */
static double height(edge *e, double y) {
    bool warm = e->drop < bracket;
    double middle = warm ? e->hint - 0.5 * e->drop : guess(e, y);
    double step = warm ? e->drop : bracket;
    double inner = look(e, middle, y, step, -1);
    double outer = inner > NOWHERE ? look(e, middle, y, step, 1) : NOWHERE;
    while (outer > NOWHERE && outer - inner > imp_finest_change) {
        middle = inner + 0.5 * (outer - inner);
        if (middle <= inner || middle >= outer) {
            break;
        }
        *(is_inner(e, middle, y) ? &inner : &outer) = middle;
    }
    return outer > NOWHERE ? inner + 0.5 * (outer - inner) : NOWHERE;
}

/* ---- smooth extremes ---- */

enum { POINTS = 7 };

/* Newton's divided differences of values at 0, 1, -1, 2, -2, 3, -3: they become coefficients. */
static const double nodes[POINTS] = {0, 1, -1, 2, -2, 3, -3};

static void divide_differences(double *c) {
    for (int order = 1; order < POINTS; order++) {
        for (int i = POINTS - 1; i >= order; i--) {
            c[i] = (c[i] - c[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
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

/* Finds a smooth extreme around y with places h apart; false if a polynomial does not describe the
 * boundary there. *corner: it drops on both sides like straight lines. */
static bool fit(edge *e, double y, double h, imp_turn *turn, bool *corner) {
    double c[POINTS], value = NAN, rougher = NAN;
    if (y - 3 * h < e->low || y + 3 * h > e->high) {
        return false;
    }
    for (int i = 0; i < POINTS; i++) {
        c[i] = height(e, y + nodes[i] * h);
        if (c[i] == NOWHERE) {
            *corner = true;
            return false;
        }
    }
    *corner = 2 * c[0] - c[5] - c[6] < 5 * (2 * c[0] - c[1] - c[2]);
    divide_differences(c);
    double t = top_of(c, POINTS, &value), near = top_of(c, POINTS - 2, &rougher);
    if (isnan(t) || isnan(near)) {
        return false;
    }
    double found = y + t * h, truth = height(e, found);
    double noise = 8 * imp_finest_change, miss = fabs(truth - value) + noise;
    turn->at[0] = e->sign * value;
    turn->at[1] = found;
    turn->error[0] = miss;
    turn->error[1] = fabs(t - near) * h + h * noise / (fabs(2 * c[2]) + noise);
    return fabs(truth - value) < 64 * imp_finest_change && fabs(value - rougher) < 1e-10;
}

/* ---- corners ---- */

/* Narrows the maximum between a and b by golden sections until the interval is `width` wide;
 * *middle: the best place, *top: its height. */
static void narrow(edge *e, double *a, double *b, double width, double *middle, double *top) {
    double left = *b - golden * (*b - *a), right = *a + golden * (*b - *a);
    double at_left = height(e, left), at_right = height(e, right);
    while (*b - *a > width) {
        if (at_left > at_right || (at_left == at_right && left + right < *a + *b)) {
            *b = right;
            right = left;
            at_right = at_left;
            left = *b - golden * (*b - *a);
            at_left = height(e, left);
        } else {
            *a = left;
            left = right;
            at_left = at_right;
            right = *a + golden * (*b - *a);
            at_right = height(e, right);
        }
        /* The rest of the way the boundary is no lower than a few times what it has dropped. */
        double best = at_left > at_right ? at_left : at_right;
        double drop = 4 * fabs(at_left - at_right) + 16 * imp_finest_change;
        e->drop = drop < e->drop ? drop : e->drop;
        e->hint = best;
    }
    *middle = at_left > at_right ? left : right;
    *top = at_left > at_right ? at_left : at_right;
}

/* ---- candidates ---- */

/* Finds an extreme that a chain shows between two places of the second parameter. */
static bool climb(edge *e, imp_turn *turn) {
    double a = e->low, b = e->high, y, top, span = b - a;
    narrow(e, &a, &b, span / 16, &y, &top);
    bool corner = false;
    for (double h = span / 32; h > span / 5000 && !corner; h /= 4) {
        if (fit(e, y, h, turn, &corner)) {
            return true;
        }
        narrow(e, &a, &b, (b - a) / 4, &y, &top);
    }
    narrow(e, &a, &b, 1e-12, &y, &top);
    *turn = (imp_turn){.at = {e->sign * top, y},
                       .error = {8 * imp_finest_change + 0.5 * e->drop, b - a}};
    return top != NOWHERE && y - e->low > 1e-9 && e->high - y > 1e-9;
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
              .sign = sign,
              .drop = 1};
    e.low = spot_at(chain, e.from)->at[1];
    e.high = spot_at(chain, e.to)->at[1];
    imp_turn turn;
    bool flat = drop[0] < least_drop || drop[1] < least_drop || e.low >= y || e.high <= y;
    if (flat || is_known(turns, spot_at(chain, at), sign)) {
        return;
    }
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
        if (rises && x > high) {
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
