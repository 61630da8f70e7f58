/* A chain of the survey shows an extreme to the width of its brackets. Below it, at a height of the
 * first parameter, the inner side of the boundary has a section over the second one. Sections that
 * come closer and closer tell by their widths and middles where the extreme is, and how far the
 * next one may go up: at a corner this leads to the end. Where the extreme is smooth a polynomial
 * through seven heights of the boundary finds it, each of which the ones before predict.
 *
 * A strip that the survey sees in pieces has an extreme at each of them, and squares overlap: a
 * climb ends where it meets a section of one before. */
#include "solve/search/summit.h"

#include <math.h>
#include <stdlib.h>

#include "num/exponential.h"
#include "num/larger.h"
#include "solve/search/boxes.h"

/* What an extreme must stand out by on both sides: two brackets of the survey, whose crossings were
 * sharpened. */
static const double least_drop = 2.0 / 4096;
/* Up to this drop the boundary is followed from an extreme. */
static const double most_drop = 1.0 / 64;
static const double farthest = 1.0 / 32; /* from where it is expected */
enum { NOWHERE = -2, DOUBLINGS = 6, MOST_TRIES = 3 };

/* The boundary at hand. A height is sign times a place in the first parameter. */
typedef struct edge {
    imp_plane *plane;
    const imp_chain *chain;
    int64_t top; /* its place with the extreme */
    int label;   /* whose outline it is */
    bool within; /* the inner side, below the extreme, has this label; otherwise all others */
    double sign;
    double drop;  /* from the extreme, on both sides */
    double slack; /* by so much the second parameter of the chain may be off */
    imp_turns *turns;
    size_t first_rung; /* of this climb */
    int tries;         /* rungs of others that turned out to be elsewhere */
} edge;

typedef imp_cross_section section;

/* The boundary at y is between the heights `inner` and `outer`; both are NOWHERE if it is not close
 * to where it was expected. */
typedef struct height {
    double y, inner, outer;
} height;

/* A place of a chain, which may be passed beyond its ends if it is closed. */
static const imp_spot *spot_at(const imp_chain *chain, int64_t i) {
    int64_t n = (int64_t)chain->n - 1;
    return &chain->spots[chain->closed ? (i % n + n) % n : i];
}

static bool has(const imp_chain *chain, int64_t i, int64_t from) {
    int64_t n = (int64_t)chain->n;
    return chain->closed ? i - from < n && from - i < n : i >= 0 && i < n;
}

static bool is_in_plane(double at) {
    return at >= 0 && at <= 1;
}

static bool is_inner(edge *e, double x, double y) {
    imp_spot spot = {{e->sign * x, y}};
    int label;
    imp_plane_labels(e->plane, 1, &spot, &label);
    return (label == e->label) == e->within;
}

/* ---- sections ---- */

static double width_of(const section *s) {
    return s->b - s->a;
}

static double middle_of(const section *s) {
    return s->a + 0.5 * (s->b - s->a);
}

/* Where the chain is at a height on one side of the extreme (step -1, 1). */
static double chain_at(const edge *e, int step, double x) {
    const imp_spot *last = spot_at(e->chain, e->top), *spot = last;
    for (int64_t i = e->top + step; has(e->chain, i, e->top) && e->sign * spot->at[0] > x;
         i += step) {
        last = spot;
        spot = spot_at(e->chain, i);
    }
    double way = e->sign * (last->at[0] - spot->at[0]);
    double part = way > 0 ? (e->sign * last->at[0] - x) / way : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return last->at[1] + part * (spot->at[1] - last->at[1]);
}

static section section_of_chain(const edge *e, double x) {
    double before = chain_at(e, -1, x), after = chain_at(e, 1, x);
    return (section){.x = x, .a = imp_smaller(before, after), .b = imp_larger(before, after)};
}

/* Finds an end of a section, before or after (way -1, 1) a place inside: from where it is expected
 * on with steps that double, to a part `close` of its distance. False if it is not there. */
static bool find_end(edge *e, double x, double inside, int way, double step, double close,
                     double *end) {
    step = imp_larger(step, imp_finest_change);
    double in = inside, out = way * (*end - inside) > 0 ? *end : inside + way * step;
    bool inner = is_in_plane(out) && is_inner(e, x, out), ends = !inner;
    for (int i = 0; inner && i < DOUBLINGS; i++, step *= 2) {
        in = out;
        out += way * step;
        inner = is_in_plane(out) && is_inner(e, x, out);
    }
    for (; ends && way * (out - way * step - inside) > 0; step *= 2) {
        double at = out - way * step;
        ends = !is_inner(e, x, at);
        *(ends ? &out : &in) = at;
    }
    while (fabs(out - in) > imp_larger(close * fabs(out - inside), imp_finest_change)) {
        double middle = in + 0.5 * (out - in);
        *(is_inner(e, x, middle) ? &in : &out) = middle;
    }
    *end = in + 0.5 * (out - in);
    return !inner && is_in_plane(out);
}

/* Finds the section at the height of one that is expected, whose ends may be off by `step`. */
static bool find_section(edge *e, const section *expected, double step, section *found) {
    static const double close = 1.0 / 128;
    double inside = middle_of(expected);
    section s = *expected;
    bool good = is_in_plane(e->sign * s.x) && is_inner(e, s.x, inside) &&
                find_end(e, s.x, inside, -1, step, close, &s.a) &&
                find_end(e, s.x, inside, 1, step, close, &s.b);
    *found = good ? s : *found;
    return good;
}

/* Finds a section above one, most of the way to a height; its ends are as far from the chain. */
static bool find_above(edge *e, const section *one, double top, section *found) {
    section chain = section_of_chain(e, one->x);
    bool good = false;
    for (double part = 0.5; part > 0.05 && !good; part *= 0.5) {
        section s = section_of_chain(e, one->x + part * (top - one->x));
        s.a += one->a - chain.a;
        s.b += one->b - chain.b;
        if (s.b < s.a) {
            s.a = s.b = middle_of(&s);
        }
        good = find_section(e, &s, 0.25 * width_of(one), found);
    }
    return good;
}

/* ---- ways that are known ---- */

static void note(edge *e, const section *s) {
    imp_turns *turns = e->turns;
    imp_rung rung = {.section = *s, .turn = turns->n};
    if (imp_search_grow(e->plane->work, &turns->rungs, &turns->rung_room, turns->n_rungs + 1,
                        sizeof rung)) {
        turns->rungs[turns->n_rungs++] = rung;
    }
}

/* Whether the extreme to which a rung leads is an extreme of this outline too, and is beyond what
 * was seen here. */
static bool leads(const edge *e, const imp_rung *rung) {
    const imp_turn *turn = &e->turns->list[rung->turn];
    double seen = e->sign * spot_at(e->chain, e->top)->at[0];
    bool same = turn->label == e->label && turn->within == e->within;
    if (turn->sign != e->sign) {
        return false;
    }
    if (turn->found == IMP_TURN_FOUND) {
        int inner = e->sign > 0 ? turn->below : turn->above;
        int outer = e->sign > 0 ? turn->above : turn->below;
        return same || e->label == (e->within ? inner : outer);
    }
    return same && turn->reach > seen + least_drop;
}

/* Whether the section that is expected at the height of a rung is the rung. */
static bool is_on(edge *e, const imp_rung *rung, const section *expected, double step) {
    section s;
    if (!find_section(e, expected, step, &s)) {
        return false;
    }
    double slack = width_of(&s) / 16;
    return fabs(s.a - rung->section.a) <= slack && fabs(s.b - rung->section.b) <= slack;
}

static bool touch(const section *one, const section *other, double slack) {
    return one->a <= other->b + slack && one->b >= other->a - slack;
}

/* Three sections below the extreme, ascending. Their width goes with a power of the distance to it:
 * 1 at a corner, 1/2 where the extreme is smooth, others where a side of a corner is curved, 0
 * where the boundary ends in a line along the second parameter. */
typedef struct ladder {
    section low, middle, high;
    double power, gap; /* gap: from the high one to the extreme */
    bool smooth;
    int slow; /* sections in a row that were not as far up as they might have been */
} ladder;

static void extrapolate(ladder *l) {
    double high = l->high.x - l->middle.x, low = l->high.x - l->low.x;
    double closing = imp_log(width_of(&l->middle) / width_of(&l->high));
    double before = imp_log(width_of(&l->low) / width_of(&l->middle));
    double least = high / (UINT64_C(1) << 20), most = 64 * low;
    for (int i = 0; i < 40; i++) {
        double gap = sqrt(least * most);
        double one = imp_log1p(high / gap), other = imp_log((gap + low) / (gap + high));
        *(before * one > closing * other ? &least : &most) = gap;
    }
    bool narrows = closing > 0 && before > 0;
    l->gap = narrows ? sqrt(least * most) : 2 * high;
    l->power = narrows ? closing / imp_log1p(high / l->gap) : 0;
    double shift = middle_of(&l->high) - middle_of(&l->middle);
    double shift_before = middle_of(&l->middle) - middle_of(&l->low);
    double bent = fabs(shift - shift_before * high / (low - high));
    l->smooth = fabs(l->power - 0.5) < 0.125 && bent < 0.125 * width_of(&l->high);
}

/* Where the middle of the sections moves per height. */
static double lean_of(const ladder *l) {
    return (middle_of(&l->high) - middle_of(&l->middle)) / (l->high.x - l->middle.x);
}

/* The section that is expected where only a part of the gap is left. */
static section expect(const ladder *l, double rest) {
    double width = width_of(&l->high) * imp_power(rest, l->power), way = (1 - rest) * l->gap;
    double shift = middle_of(&l->high) - middle_of(&l->middle);
    double middle = width_of(&l->middle), high = width_of(&l->high);
    shift *= l->smooth || !(middle > high) ? way / (l->high.x - l->middle.x)
                                           : (high - width) / (middle - high);
    double at = middle_of(&l->high) + shift;
    return (section){.x = l->high.x + way, .a = at - 0.5 * width, .b = at + 0.5 * width};
}

/* Goes on to a section that is closer to the extreme. After short steps the gap is known too badly
 * for a long one: one of middling length ends that. */
static bool ascend(edge *e, ladder *l) {
    static const double far = 15.0 / 16, middling = 0.75;
    section next;
    double part = far;
    for (int failed = 0; part > 0.002; failed++) {
        section s = expect(l, 1 - part);
        if (find_section(e, &s, 0.25 * width_of(&s), &next)) {
            l->low = l->middle;
            l->middle = l->high;
            l->high = next;
            l->slow = failed == 0 ? 0 : l->slow + 1;
            extrapolate(l);
            note(e, &next);
            return true;
        }
        part = failed == 0 && l->slow > 1 ? middling : part == middling ? far / 4 : part / 4;
    }
    return false;
}

/* Meets the highest rung of another climb before the next section; NULL if there is none. */
static const imp_rung *meet_above(edge *e, const ladder *l) {
    const imp_rung *best = NULL;
    section there = l->high;
    for (size_t i = 0; i < e->first_rung && e->tries < MOST_TRIES; i++) {
        const imp_rung *rung = &e->turns->rungs[i];
        double x = rung->section.x, rest = 1 - (x - l->high.x) / l->gap;
        if (x > l->high.x && rest >= 1.0 / 16 && (!best || x > best->section.x) && leads(e, rung)) {
            section s = expect(l, rest);
            if (touch(&rung->section, &s, 0.25 * width_of(&s))) {
                best = rung;
                there = s;
            }
        }
    }
    there.x = best ? best->section.x : 0;
    if (best && !is_on(e, best, &there, 0.25 * width_of(&there))) {
        e->tries++;
        return NULL;
    }
    return best;
}

/* The same where the chain shows the extreme. */
static const imp_rung *meet_below(edge *e, double top) {
    const imp_rung *best = NULL;
    section there = {0, 0, 0};
    for (size_t i = 0; i < e->first_rung; i++) {
        const imp_rung *rung = &e->turns->rungs[i];
        double drop = top - rung->section.x, away = fabs(drop - least_drop);
        if (drop > 0.25 * least_drop && drop < 1.5 * least_drop && leads(e, rung) &&
            (!best || away < fabs(top - best->section.x - least_drop))) {
            section s = section_of_chain(e, rung->section.x);
            if (touch(&rung->section, &s, e->slack)) {
                best = rung;
                there = s;
            }
        }
    }
    return best && is_on(e, best, &there, e->slack) ? best : NULL;
}

static bool find_below(edge *e, double x, section *found) {
    section s = section_of_chain(e, x);
    return find_section(e, &s, e->slack, found);
}

/* The first section. Those far below tell more; at the edge of the plane there are none. */
static bool begin_low(edge *e, double top, section *low) {
    for (double drop = least_drop; drop <= e->drop; drop *= 2) {
        if (find_below(e, top - drop, low)) {
            return true;
        }
    }
    return find_below(e, top - 0.5 * least_drop, low);
}

/* Whether the first section goes on to well above what the chain shows, no narrower than it was:
 * then a climb would find no extreme there. It is looked for where the middle of the chain leads.
 * One that narrows is climbed, as it may come to its tip. */
static bool passes(edge *e, const section *low, double top, imp_turn *turn) {
    static const double beyond = 1.5;
    section far = section_of_chain(e, low->x - 2 * least_drop), next;
    section near = section_of_chain(e, low->x);
    double x = top + beyond * least_drop;
    double lean = (middle_of(&near) - middle_of(&far)) / (near.x - far.x);
    double at = middle_of(low) + lean * (x - low->x), half = 0.5 * width_of(low);
    section s = {.x = x, .a = at - half, .b = at + half};
    if (!find_section(e, &s, 0.25 * width_of(low), &next) || width_of(&next) < width_of(low) ||
        width_of(&next) > 2 * width_of(low)) {
        return false;
    }
    note(e, low);
    note(e, &next);
    turn->reach = x;
    return true;
}

/* The other two of the first three sections. */
static bool begin(edge *e, double top, ladder *l) {
    bool good = find_above(e, &l->low, top, &l->middle) && find_above(e, &l->middle, top, &l->high);
    if (good) {
        extrapolate(l);
        note(e, &l->low);
        note(e, &l->middle);
        note(e, &l->high);
    }
    return good;
}

/* ---- smooth extremes ---- */

/* Brackets the boundary at y from where it is expected on, with steps that double. */
static height height_at(edge *e, double y, double expected, double step) {
    height h = {.y = y, .inner = NOWHERE, .outer = NOWHERE};
    double last = expected, at = expected;
    bool inner = is_in_plane(e->sign * at) && is_inner(e, at, y), here = inner;
    for (; here == inner && step < farthest; step *= 2) {
        last = at;
        at += inner ? step : -step;
        if (!is_in_plane(e->sign * last) || !is_in_plane(e->sign * at)) {
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

static void narrow(edge *e, height *h, double width) {
    while (h->outer - h->inner > width) {
        double middle = h->inner + 0.5 * (h->outer - h->inner);
        if (middle <= h->inner || middle >= h->outer) {
            break;
        }
        *(is_inner(e, middle, h->y) ? &h->inner : &h->outer) = middle;
    }
}

static double tighten(edge *e, height *h) {
    narrow(e, h, imp_finest_change);
    return h->inner + 0.5 * (h->outer - h->inner);
}

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
 * next. False if it is not there or no parabola. */
static bool sample(edge *e, height *top, double h, double step, double *c) {
    for (int i = 0; i < POINTS; i++) {
        double expected[3], rougher[3];
        evaluate(c, i, nodes[i], expected);
        evaluate(c, i - 1, nodes[i], rougher);
        double close = i > 1 ? 0.25 * fabs(expected[0] - rougher[0]) : step;
        close = close > 4 * imp_finest_change ? close : 4 * imp_finest_change;
        height next = i ? height_at(e, top->y + nodes[i] * h, expected[0], close) : *top;
        if (next.inner == NOWHERE) {
            return false;
        }
        extend(c, i, tighten(e, &next));
        if (i == 3 && fabs(c[3]) > 0.15 * fabs(c[2])) {
            return false;
        }
    }
    return true;
}

/* Finds a smooth extreme above the sections; false if a polynomial does not describe the boundary
 * there. */
static bool fit(edge *e, const ladder *l, imp_turn *turn) {
    double c[POINTS], value = NAN, rougher = NAN, h = width_of(&l->high) / 6;
    double y = middle_of(&l->high) + lean_of(l) * l->gap;
    height top = height_at(e, y, l->high.x + l->gap, 0.25 * l->gap);
    if (y - 3 * h < 0 || y + 3 * h > 1 || top.inner == NOWHERE ||
        !sample(e, &top, h, 0.25 * l->gap, c)) {
        return false;
    }
    double t = top_of(c, POINTS, &value), near = top_of(c, POINTS - 2, &rougher);
    if (isnan(t) || isnan(near)) {
        return false;
    }
    height found = height_at(e, y + t * h, value, 4 * imp_finest_change);
    double truth = tighten(e, &found);
    double noise = 8 * imp_finest_change, miss = fabs(truth - value) + noise;
    turn->at[0] = e->sign * value;
    turn->at[1] = found.y;
    turn->error[0] = miss;
    turn->error[1] = fabs(t - near) * h + h * noise / (fabs(2 * c[2]) + noise);
    return fabs(truth - value) < 64 * imp_finest_change && fabs(value - rougher) < 1e-10;
}

/* ---- candidates ---- */

static double tolerance_of(const edge *e) {
    return e->plane->work->search->plan.tolerance;
}

/* The extreme above the sections, and how far it may be off: by what is left of the way, and where
 * the sections narrow slowly by the rounding of their ends. */
static void conclude(const edge *e, const ladder *l, imp_turn *turn) {
    double noise = 4 * imp_finest_change, width = width_of(&l->high), lean = fabs(lean_of(l));
    double most = lean + width / (2 * l->gap), least = fabs(lean - width / (2 * l->gap));
    double blur = 2 * noise * (1 + most) * l->gap / width;
    section top = expect(l, 0);
    turn->at[0] = e->sign * top.x;
    turn->at[1] = top.a;
    turn->error[0] = l->gap + blur;
    turn->error[1] = 0.5 * width + fabs(top.a - middle_of(&l->high)) + noise + least * blur;
    for (int k = 0; k < 2; k++) {
        turn->error[k] = imp_larger(turn->error[k], 0.5 * tolerance_of(e));
    }
}

/* The labels on both sides of an extreme; false unless both are values, and one is the inner side.
 */
static bool look_aside(edge *e, double lean, imp_turn *turn) {
    double aside = turn->error[0] > 1e-13 ? 2 * turn->error[0] : 2e-13;
    double far = imp_larger(aside, 4 * turn->error[1]);
    imp_spot spots[2] = {{{turn->at[0] - e->sign * aside, turn->at[1] - lean * aside}},
                         {{turn->at[0] + e->sign * far, turn->at[1]}}};
    int labels[2];
    imp_plane_labels(e->plane, 2, spots, labels);
    turn->below = labels[e->sign < 0];
    turn->above = labels[e->sign > 0];
    bool inner = (labels[0] == e->label) == e->within, outer = (labels[1] == e->label) == e->within;
    return labels[0] >= 0 && labels[1] >= 0 && inner && !outer;
}

/* The stretch of the chain around its extreme that is as high, to within half of `least_drop`. */
static section stretch_of(const edge *e) {
    const imp_spot *top = spot_at(e->chain, e->top);
    section s = {.x = e->sign * top->at[0], .a = top->at[1], .b = top->at[1]};
    for (int step = -1; step <= 1; step += 2) {
        for (int64_t i = e->top + step; has(e->chain, i, e->top); i += step) {
            const imp_spot *spot = spot_at(e->chain, i);
            if (s.x - e->sign * spot->at[0] > 0.5 * least_drop) {
                break;
            }
            s.a = imp_smaller(s.a, spot->at[1]);
            s.b = imp_larger(s.b, spot->at[1]);
        }
    }
    return s;
}

/* Whether a boundary passes between two heights at three places of a stretch. */
static bool is_between(edge *e, const section *s, const height *h) {
    static const double parts[] = {0.5, 0.9, 0.1};
    bool between = is_in_plane(e->sign * h->inner) && is_in_plane(e->sign * h->outer);
    for (int i = 0; i < 3 && between; i++) {
        double y = s->a + parts[i] * width_of(s);
        between = is_inner(e, h->inner, y) && !is_inner(e, h->outer, y);
    }
    return between;
}

/* Whether the boundary at the extreme of the chain is straight along the second parameter. */
static bool is_line(edge *e) {
    static const double least_stretch = 1.0 / 64, part = 0.25;
    static const double widths[] = {1.0 / (1 << 14), 1.0 / (1 << 23)};
    section s = stretch_of(e);
    double y = s.a + part * width_of(&s);
    if (width_of(&s) < least_stretch) {
        return false;
    }
    height h = height_at(e, y, s.x, least_drop);
    for (int i = 0; i < 2 && h.inner != NOWHERE; i++) {
        narrow(e, &h, widths[i]);
        height around = {.y = y, .inner = h.inner - widths[i], .outer = h.outer + widths[i]};
        h.inner = is_between(e, &s, &around) ? h.inner : NOWHERE;
    }
    return h.inner != NOWHERE;
}

/* Whether sections that end without an extreme have come to the edge of the plane. */
static bool is_at_edge(const edge *e, const section *s) {
    double x = e->sign * s->x, width = width_of(s);
    return !is_in_plane(x - least_drop) || !is_in_plane(x + least_drop) ||
           !is_in_plane(s->a - width) || !is_in_plane(s->b + width);
}

/* Ends a climb at a section of one before: its own ones lead to the same extreme, which is told
 * once. */
static imp_turn_found follow(const edge *e, const imp_rung *known, imp_turn *turn) {
    for (size_t i = e->first_rung; i < e->turns->n_rungs; i++) {
        e->turns->rungs[i].turn = known->turn;
    }
    turn->reach = INFINITY;
    return IMP_TURN_NONE;
}

/* Finds the first three sections of a climb: FOUND; NONE if what the chain shows is seen to be no
 * extreme before. */
static imp_turn_found set_out(edge *e, double seen, ladder *l, imp_turn *turn) {
    if (is_line(e)) {
        return IMP_TURN_NONE;
    }
    if (!begin_low(e, seen, &l->low)) {
        return IMP_TURN_LOST;
    }
    if (passes(e, &l->low, seen, turn)) {
        return IMP_TURN_NONE;
    }
    return begin(e, seen, l) ? IMP_TURN_FOUND : IMP_TURN_LOST;
}

/* Finds an extreme that a chain shows. */
static imp_turn_found climb(edge *e, imp_turn *turn) {
    static const double close = 1.0 / 16384, least_line = 1.0 / (1 << 20), most_gap = 1e-10;
    double least_gap = imp_larger(0.25 * tolerance_of(e), 64 * imp_finest_change);
    double least_width = imp_larger(0.25 * tolerance_of(e), 256 * imp_finest_change);
    ladder l = {.slow = 0};
    double seen = e->sign * spot_at(e->chain, e->top)->at[0];
    const imp_rung *known = meet_below(e, seen);
    if (known) {
        return follow(e, known, turn);
    }
    imp_turn_found start = set_out(e, seen, &l, turn);
    if (start != IMP_TURN_FOUND) {
        return start;
    }
    for (int fits = 0; l.gap > least_gap && width_of(&l.high) > least_width;) {
        if (l.smooth && l.gap < close && fits++ < 2 && fit(e, &l, turn)) {
            return look_aside(e, lean_of(&l), turn) ? IMP_TURN_FOUND : IMP_TURN_LOST;
        }
        bool line = l.power < 0.125 && l.gap < least_line;
        bool goes_on = l.power < 0.125 && l.high.x > seen + least_drop;
        if (line || goes_on) {
            turn->reach = line ? INFINITY : l.high.x;
            return IMP_TURN_NONE;
        }
        known = meet_above(e, &l);
        if (known) {
            return follow(e, known, turn);
        }
        if (!ascend(e, &l)) {
            break;
        }
    }
    if (l.gap > most_gap) {
        return is_at_edge(e, &l.high) ? IMP_TURN_NONE : IMP_TURN_LOST;
    }
    conclude(e, &l, turn);
    return look_aside(e, lean_of(&l), turn) ? IMP_TURN_FOUND : IMP_TURN_LOST;
}

static void add(imp_plane *plane, imp_turns *turns, const imp_turn *turn) {
    if (imp_search_grow(plane->work, &turns->list, &turns->room, turns->n + 1, sizeof *turn)) {
        turns->list[turns->n++] = *turn;
    }
}

/* How far a chain goes down from its extreme in one direction, up to most_drop. */
static double drop_of(const imp_chain *chain, int64_t top, int step, double sign) {
    double drop = 0;
    for (int64_t i = top + step; has(chain, i, top) && drop < most_drop; i += step) {
        double fall = sign * (spot_at(chain, top)->at[0] - spot_at(chain, i)->at[0]);
        if (fall < drop - least_drop) {
            break;
        }
        drop = fall > drop ? fall : drop;
    }
    return drop;
}

/* Whether the boundary was followed there: for the label on its other side, or in a square. */
static bool is_known(const imp_turns *turns, const imp_spot *spot, double sign) {
    for (size_t i = 0; i < turns->n; i++) {
        const imp_turn *turn = &turns->list[i];
        double distance = turn->found == IMP_TURN_LOST ? 0 : turns->near;
        if (turn->sign == sign && imp_spots_distance(turn->seen, *spot) <= distance) {
            return true;
        }
    }
    return false;
}

static void try_spot(imp_plane *plane, const imp_chain *chain, int64_t at, double sign, int label,
                     imp_turns *turns) {
    double before = drop_of(chain, at, -1, sign), after = drop_of(chain, at, 1, sign);
    edge e = {.plane = plane,
              .chain = chain,
              .top = at,
              .label = label,
              .sign = sign,
              .drop = imp_smaller(before, after),
              .slack = turns->slack,
              .turns = turns,
              .first_rung = turns->n_rungs};
    if (e.drop < least_drop || is_known(turns, spot_at(chain, at), sign)) {
        return;
    }
    double low = sign * spot_at(chain, at)->at[0] - least_drop;
    e.within = (chain_at(&e, 1, low) > chain_at(&e, -1, low)) == (sign > 0);
    imp_turn turn = {.sign = sign,
                     .seen = *spot_at(chain, at),
                     .label = label,
                     .within = e.within,
                     .reach = INFINITY};
    turn.found = climb(&e, &turn);
    if (turn.found == IMP_TURN_LOST) {
        turns->n_rungs = e.first_rung;
    }
    if (turn.found != IMP_TURN_LOST || e.drop > e.slack) {
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

/* Whether an extreme was lost, and nothing was found close to it. */
static bool is_hidden(const imp_turns *turns, const imp_turn *turn) {
    bool hidden = turn->found == IMP_TURN_LOST;
    for (size_t i = 0; i < turns->n && hidden; i++) {
        const imp_turn *other = &turns->list[i];
        hidden = other->found == IMP_TURN_LOST || other->sign != turn->sign ||
                 imp_spots_distance(other->seen, turn->seen) > turns->near;
    }
    return hidden;
}

void imp_turns_finish(imp_turns *turns) {
    size_t kept = 0;
    for (size_t i = 0; i < turns->n; i++) {
        turns->hidden += is_hidden(turns, &turns->list[i]);
    }
    if (turns->n > 0) {
        qsort(turns->list, turns->n, sizeof *turns->list, imp_by_place);
    }
    for (size_t i = 0; i < turns->n; i++) {
        const imp_turn *turn = &turns->list[i];
        bool known = turn->found != IMP_TURN_FOUND;
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
    free(turns->rungs);
    turns->rungs = NULL;
}
