/* A chain of the survey shows an extreme to the width of its brackets. Below it, at a height of the
 * first parameter, the inner side of the boundary has a section over the second one. Sections that
 * come closer and closer tell by their widths and middles where the extreme is, and how far the
 * next one may go up: at a corner this leads to the end. Where the extreme is smooth a polynomial
 * through seven heights of the boundary finds it, each of which the ones before predict.
 *
 * Far from the extreme the widths do not tell where it is: then steps become longer and longer.
 * The middle moves on a parabola there and where the widths narrow along a straight line, where one
 * side is curved with the widths, and at a smooth extreme along a line.
 *
 * A strip that the survey sees in pieces has an extreme at each of them, and squares overlap: a
 * climb ends where it meets or passes a section of one before, and none goes up between two of
 * them. */
#include "solve/search/climb.h"

#include <math.h>
#include <string.h>

#include "num/exponential.h"
#include "num/larger.h"

enum { MOST_TRIES = 3, MOST_WIDER = 2 };

/* How closely the ends of sections are bracketed: those on the way up tell only where the next one
 * is, from others it is seen whether sections narrow, and whether they are of one strip. */
static const double close = 1.0 / 64, close_on_way = 1.0 / 24;

/* Finds a section above one, most of the way to a height; its ends are as far from the chain. */
static bool find_above(imp_flank *f, const imp_slice *one, double top, imp_slice *found) {
    imp_slice chain = imp_flank_slice(f, one->x);
    bool good = false;
    for (double part = 0.5; part > 0.05 && !good; part *= 0.5) {
        imp_slice s = imp_flank_slice(f, one->x + part * (top - one->x));
        s.a += one->a - chain.a;
        s.b += one->b - chain.b;
        if (s.b < s.a) {
            s.a = s.b = imp_slice_middle(&s);
        }
        good = imp_flank_find(f, &s, imp_slice_width(one) / 16, close, found);
    }
    return good;
}

/* ---- ways that are known ---- */

static void note(imp_flank *f, const imp_slice *s) {
    imp_turns *turns = f->turns;
    imp_rung rung = {.section = *s, .turn = turns->n};
    if (imp_search_grow(f->turns->plane->work, &turns->rungs, &turns->rung_room, turns->n_rungs + 1,
                        sizeof rung)) {
        turns->rungs[turns->n_rungs++] = rung;
    }
}

/* Whether the extreme to which a rung leads is an extreme of this outline too, and is beyond what
 * was seen here. */
static bool leads(const imp_flank *f, const imp_rung *rung) {
    const imp_turn *turn = &f->turns->list[rung->turn];
    double seen = imp_flank_seen(f);
    bool same = turn->label == f->turn.label && turn->within == f->turn.within;
    if (turn->sign != f->turn.sign) {
        return false;
    }
    if (turn->found == IMP_TURN_FOUND) {
        int inner = f->turn.sign > 0 ? turn->below : turn->above;
        int outer = f->turn.sign > 0 ? turn->above : turn->below;
        return same || f->turn.label == (f->turn.within ? inner : outer);
    }
    return same && turn->reach > seen + imp_least_drop;
}

/* Whether the section that is expected at the height of a rung is the rung. */
static bool is_on(imp_flank *f, const imp_rung *rung, const imp_slice *expected, double step) {
    imp_slice s;
    if (!imp_flank_find(f, expected, step, close, &s)) {
        return false;
    }
    double slack = imp_slice_width(&s) / 16;
    return fabs(s.a - rung->section.a) <= slack && fabs(s.b - rung->section.b) <= slack;
}

static bool touch(const imp_slice *one, const imp_slice *other, double slack) {
    return one->a <= other->b + slack && one->b >= other->a - slack;
}

/* On a parabola through three places. */
static double interpolate(double x, const double *at, const double *y) {
    double first = (y[1] - y[0]) / (at[1] - at[0]), next = (y[2] - y[1]) / (at[2] - at[1]);
    return y[0] + (x - at[0]) * (first + (x - at[1]) * (next - first) / (at[2] - at[0]));
}

/* The section at a height as three others have it, whose heights differ. */
static imp_slice between(const imp_slice *s, double x) {
    double at[3], a[3], b[3];
    for (int i = 0; i < 3; i++) {
        at[i] = s[i].x;
        a[i] = s[i].a;
        b[i] = s[i].b;
    }
    return (imp_slice){.x = x, .a = interpolate(x, at, a), .b = interpolate(x, at, b)};
}

/* How the middle of sections moves per height. */
static double lean_of(const imp_slice *low, const imp_slice *high) {
    return (imp_slice_middle(high) - imp_slice_middle(low)) / (high->x - low->x);
}

/* By how much the middle moves over a way from the high section, on a parabola through three. */
static double bend(const imp_ladder *l, double way) {
    double lean = lean_of(&l->middle, &l->high);
    double curve = (lean - lean_of(&l->low, &l->middle)) / (l->high.x - l->low.x);
    return way * (lean + curve * (way + l->high.x - l->middle.x));
}

/* The section that is expected where only a part of the gap is left. */
static imp_slice expect(const imp_ladder *l, double rest) {
    double width = imp_slice_width(&l->high) * imp_power(rest, l->power), way = (1 - rest) * l->gap;
    double middle = imp_slice_width(&l->middle), high = imp_slice_width(&l->high);
    double with_width = (high - width) / (middle - high) * (l->high.x - l->middle.x);
    double shift = l->bends                        ? bend(l, way)
                   : l->smooth || !(middle > high) ? imp_ladder_lean(l) * way
                                                   : imp_ladder_lean(l) * with_width;
    double at = imp_slice_middle(&l->high) + shift;
    return (imp_slice){.x = l->high.x + way, .a = at - 0.5 * width, .b = at + 0.5 * width};
}

/* Adds a section above the others; false if it leads away at most `end` from the extreme. */
static bool add(imp_ladder *l, const imp_slice *next, double end) {
    imp_ladder above = *l;
    above.low = l->middle;
    above.middle = l->high;
    above.high = *next;
    above.steps++;
    imp_ladder_extrapolate(&above);
    bool away = l->gap <= end && above.gap > l->gap;
    *l = away ? *l : above;
    return !away;
}

/* Goes on to a section that is closer to the extreme. One that is wider, or much narrower than is
 * expected, would be of another strip. After short steps the gap is known too badly for a long one:
 * one of middling length ends that. False if there is none, or one at most `end` from the extreme
 * leads away from it, which is of what is beyond. */
static bool ascend(imp_flank *f, imp_ladder *l, double end) {
    static const double far = 15.0 / 16, middling = 0.75, widest = 1.25, narrowest = 0.25;
    imp_slice next;
    double part = far;
    while (part > 0.002) {
        imp_slice s = expect(l, 1 - part);
        bool good = imp_flank_find(f, &s, imp_slice_width(&s) / 16, close_on_way, &next) &&
                    imp_slice_width(&next) > narrowest * imp_slice_width(&s);
        if (good && imp_slice_width(&next) > widest * imp_slice_width(&l->high)) {
            good = l->wider++ >= MOST_WIDER;
        }
        if (good) {
            note(f, &next);
            return add(l, &next, end);
        }
        part = part == far ? middling : part == middling ? far / 4 : part / 4;
    }
    return false;
}

/* Meets a rung of another climb that was passed; NULL if there is none. */
static const imp_rung *meet_passed(const imp_flank *f, const imp_ladder *l) {
    static const double part = 0.25; /* of its width, by which it may be off */
    const imp_slice own[3] = {l->low, l->middle, l->high};
    for (size_t i = 0; i < f->first_rung; i++) {
        const imp_rung *rung = &f->turns->rungs[i];
        if (rung->section.x < l->low.x || rung->section.x > l->high.x || !leads(f, rung)) {
            continue;
        }
        imp_slice s = between(own, rung->section.x);
        double slack = part * imp_slice_width(&rung->section);
        if (fabs(s.a - rung->section.a) < slack && fabs(s.b - rung->section.b) < slack) {
            return rung;
        }
    }
    return NULL;
}

/* Meets the highest rung of another climb before the next section; NULL if there is none. */
static const imp_rung *meet_above(imp_flank *f, const imp_ladder *l) {
    const imp_rung *best = NULL;
    imp_slice there = l->high;
    for (size_t i = 0; i < f->first_rung && f->tries < MOST_TRIES; i++) {
        const imp_rung *rung = &f->turns->rungs[i];
        double x = rung->section.x, rest = 1 - (x - l->high.x) / l->gap;
        if (x > l->high.x && rest >= 1.0 / 16 && (!best || x > best->section.x) && leads(f, rung)) {
            imp_slice s = expect(l, rest);
            if (touch(&rung->section, &s, 0.25 * imp_slice_width(&s))) {
                best = rung;
                there = s;
            }
        }
    }
    there.x = best ? best->section.x : 0;
    if (best && !is_on(f, best, &there, 0.25 * imp_slice_width(&there))) {
        f->tries++;
        return NULL;
    }
    return best;
}

/* Meets a rung of another climb, passed or ahead; NULL if there is none. */
static const imp_rung *meet_another(imp_flank *f, const imp_ladder *l) {
    const imp_rung *passed = meet_passed(f, l);
    return passed ? passed : meet_above(f, l);
}

/* The same where the chain shows the extreme. */
static const imp_rung *meet_below(imp_flank *f, double top) {
    const imp_rung *best = NULL;
    imp_slice there = {0, 0, 0};
    for (size_t i = 0; i < f->first_rung; i++) {
        const imp_rung *rung = &f->turns->rungs[i];
        double drop = top - rung->section.x, away = fabs(drop - imp_least_drop);
        if (drop > 0.25 * imp_least_drop && drop < 1.5 * imp_least_drop && leads(f, rung) &&
            (!best || away < fabs(top - best->section.x - imp_least_drop))) {
            imp_slice s = imp_flank_slice(f, rung->section.x);
            if (touch(&rung->section, &s, f->turns->slack)) {
                best = rung;
                there = s;
            }
        }
    }
    return best && is_on(f, best, &there, f->turns->slack) ? best : NULL;
}

static bool find_below(imp_flank *f, double x, imp_slice *found) {
    imp_slice s = imp_flank_slice(f, x);
    return imp_flank_find(f, &s, f->turns->slack, close, found);
}

/* The first section. Those far below tell more; at the edge of the plane there are none. */
static bool begin_low(imp_flank *f, double top, imp_slice *low) {
    for (double drop = imp_least_drop; drop <= f->drop; drop *= 2) {
        if (find_below(f, top - drop, low)) {
            return true;
        }
    }
    return find_below(f, top - 0.5 * imp_least_drop, low);
}

/* Where the middle of the strip between two sections is at a height above one that is known. */
static double follow_middle(const imp_slice *from, const imp_slice *to, const imp_slice *known,
                            double x) {
    return imp_slice_middle(known) + lean_of(from, to) * (x - known->x);
}

/* Finds the section well above what the chain shows: where a lean leads from one below. */
static bool find_far(imp_flank *f, const imp_slice *from, double lean, double top,
                     imp_slice *found) {
    static const double beyond = 1.5;
    double x = top + beyond * imp_least_drop, half = 0.5 * imp_slice_width(from);
    double at = imp_slice_middle(from) + lean * (x - from->x);
    imp_slice s = {.x = x, .a = at - half, .b = at + half};
    bool good = imp_flank_find(f, &s, 0.25 * imp_slice_width(from), close, found);
    double half_way = 0.5 * (from->x + x);
    return good && imp_flank_is_inner(f, half_way, follow_middle(from, found, from, half_way));
}

/* Whether the survey of the rectangle sees a strip, by its thickness at two sections. */
static bool is_visible(const imp_flank *f, const imp_slice *low, const imp_slice *high) {
    static const double least = 1; /* brackets */
    const imp_search_kind *kind = f->turns->plane->work->search->plan.kind;
    double lean = fabs(lean_of(low, high));
    double thickness = imp_slice_width(high) / imp_larger(lean, 1);
    return thickness >= least * kind->passes[kind->n_passes - 1].bracket;
}

/* Whether a section well above what the chain shows is no narrower than the first one: then a climb
 * would find no extreme there. One that narrows is climbed, as it may come to its tip. */
static bool passes(imp_flank *f, const imp_slice *low, const imp_slice *high) {
    double width = imp_slice_width(high);
    if (width < imp_slice_width(low) || width > 2 * imp_slice_width(low) ||
        !is_visible(f, low, high)) {
        return false;
    }
    note(f, low);
    note(f, high);
    f->turn.reach = high->x;
    return true;
}

/* Whether two rungs are of one climb, in a strip of which the chain may have a piece, that came to
 * above what the chain shows. way: 1 of a climb in the same direction, otherwise -1. */
static bool comes_above(const imp_flank *f, const imp_rung *low, const imp_rung *high, double way,
                        double seen) {
    const imp_turn *turn = &f->turns->list[low->turn];
    if (low->turn != high->turn || turn->label != f->turn.label) {
        return false;
    }
    if (way < 0) {
        return turn->within == f->turn.within && -low->section.x > seen;
    }
    bool found = turn->found == IMP_TURN_FOUND && turn->sign * turn->at[0] >= seen;
    return leads(f, high) && (found || high->section.x > seen);
}

/* The section of a way at a height between rung i and the one before: on parabolas through a third
 * rung of it, if there is one beyond these. */
static imp_slice on_way(const imp_turns *turns, size_t i, double way, double x) {
    const imp_rung *rungs = turns->rungs;
    const imp_slice *one = &rungs[i - 1].section, *other = &rungs[i].section, *third = other;
    if (i + 1 < turns->n_rungs && rungs[i + 1].turn == rungs[i].turn) {
        third = &rungs[i + 1].section;
    } else if (i > 1 && rungs[i - 2].turn == rungs[i].turn) {
        third = &rungs[i - 2].section;
    }
    imp_slice s[3] = {*one, *other, *third};
    double past = (third->x - other->x) * (third->x - one->x);
    if (!(past > 0)) {
        s[2] = (imp_slice){
            .x = 2 * other->x - one->x, .a = 2 * other->a - one->a, .b = 2 * other->b - one->b};
    }
    for (int k = 0; k < 3; k++) {
        s[k].x *= way;
    }
    return between(s, x);
}

/* The number of a rung below which a climb, up or down, that came to above what the chain shows has
 * a section, as far as it tells; 0: there is none. An end of it may be off by `slack`, and by
 * `across` the strip. */
static size_t find_way(const imp_flank *f, const imp_slice *s, double slack, double across,
                       double seen) {
    for (size_t i = 1; i < f->first_rung; i++) {
        const imp_rung *low = &f->turns->rungs[i - 1], *high = low + 1;
        double way = f->turns->list[low->turn].sign * f->turn.sign;
        double part = (way * s->x - low->section.x) / (high->section.x - low->section.x);
        if (!(part >= 0 && part <= 1) || !comes_above(f, low, high, way, seen)) {
            continue;
        }
        imp_slice there = on_way(f->turns, i, way, s->x);
        double lean = fabs(lean_of(&low->section, &high->section));
        double most = slack + across * imp_larger(lean, 1);
        if (fabs(there.a - s->a) < most && fabs(there.b - s->b) < most) {
            return i;
        }
    }
    return 0;
}

static double direction_of(const imp_flank *f, size_t rung) {
    return f->turns->list[f->turns->rungs[rung].turn].sign * f->turn.sign;
}

/* The same where the chain has a strip in pieces, from what it shows. */
static size_t find_way_below(imp_flank *f, double seen) {
    imp_slice s = imp_flank_slice(f, seen - imp_least_drop);
    size_t i = find_way(f, &s, 0, f->turns->slack, seen);
    if (i > 0) {
        double way = direction_of(f, i);
        imp_slice there = on_way(f->turns, i, way, s.x), above = on_way(f->turns, i, way, seen);
        double shift = imp_slice_middle(&above) - imp_slice_middle(&there);
        i = imp_flank_is_inner(f, s.x, imp_slice_middle(&there)) &&
                    imp_flank_is_inner(f, seen, imp_slice_middle(&s) + shift)
                ? i
                : 0;
    }
    return i;
}

/* Finds the section halfway between two others. */
static bool find_between(imp_flank *f, const imp_slice *low, const imp_slice *high,
                         imp_slice *found) {
    imp_slice s = {.x = low->x + 0.5 * (high->x - low->x),
                   .a = low->a + 0.5 * (high->a - low->a),
                   .b = low->b + 0.5 * (high->b - low->b)};
    return imp_flank_find(f, &s, imp_slice_width(&s) / 16, close, found);
}

static double tolerance_of(const imp_flank *f) {
    return f->turns->plane->work->search->plan.tolerance;
}

/* The extreme above the sections, and how far it may be off: by what is left of the way, and where
 * the sections narrow slowly by the rounding of their ends. */
static void conclude(imp_flank *f, const imp_ladder *l) {
    double noise = 4 * f->turns->finest, width = imp_slice_width(&l->high),
           lean = fabs(imp_ladder_lean(l));
    double most = lean + width / (2 * l->gap), least = fabs(lean - width / (2 * l->gap));
    double blur = 2 * noise * (1 + most) * l->gap / width;
    imp_slice top = expect(l, 0);
    f->turn.at[0] = f->turn.sign * top.x;
    f->turn.at[1] = top.a;
    f->turn.error[0] = l->gap + blur;
    f->turn.error[1] =
        0.5 * width + fabs(top.a - imp_slice_middle(&l->high)) + noise + least * blur;
    for (int k = 0; k < 2; k++) {
        f->turn.error[k] = imp_larger(f->turn.error[k], 0.5 * tolerance_of(f));
    }
}

/* How far from an extreme the labels on both sides of it are seen. */
static double aside_of(const imp_flank *f) {
    return imp_larger(2 * f->turn.error[0], 2e-13);
}

/* The labels on both sides of an extreme; false unless both are values, and one is the inner side.
 */
static bool look_aside(imp_flank *f, double lean, double aside) {
    f->turn.aside = aside;
    f->turn.before = lean * aside;
    double far = imp_larger(aside, 4 * f->turn.error[1]);
    imp_spot spots[2] = {{{f->turn.at[0] - f->turn.sign * aside, f->turn.at[1] - lean * aside}},
                         {{f->turn.at[0] + f->turn.sign * far, f->turn.at[1]}}};
    int labels[2];
    imp_plane_labels(f->turns->plane, 2, spots, labels);
    f->turn.below = labels[f->turn.sign < 0];
    f->turn.above = labels[f->turn.sign > 0];
    bool inner = (labels[0] == f->turn.label) == f->turn.within,
         outer = (labels[1] == f->turn.label) == f->turn.within;
    return labels[0] >= 0 && labels[1] >= 0 && inner && !outer;
}

static bool is_middle_in(const imp_flank *f, const imp_slice *s) {
    return imp_is_in_plane(f->turn.sign * s->x) && imp_is_in_plane(imp_slice_middle(s));
}

/* Whether sections have come to the edge of the plane. */
static bool is_at_edge(const imp_flank *f, const imp_slice *s) {
    double x = f->turn.sign * s->x, width = imp_slice_width(s);
    return !imp_is_in_plane(x - imp_least_drop) || !imp_is_in_plane(x + imp_least_drop) ||
           !imp_is_in_plane(s->a - width) || !imp_is_in_plane(s->b + width);
}

/* Whether sections at the edge of the plane lead beyond it: the inner side is seen at the edge. */
static bool leaves(imp_flank *f, const imp_ladder *l) {
    double in = 0, out = 1; /* parts of the way to the extreme */
    imp_slice s = expect(l, 0);
    if (!is_at_edge(f, &l->high) || is_middle_in(f, &s)) {
        return false;
    }
    for (int i = 0; i < 40; i++) {
        double part = 0.5 * (in + out);
        s = expect(l, 1 - part);
        *(is_middle_in(f, &s) ? &in : &out) = part;
    }
    s = expect(l, 1 - in);
    return imp_flank_is_inner(f, s.x, imp_slice_middle(&s));
}

/* Whether sections lead to an extreme that was found, for another label or in a square, and the
 * inner side is seen below it: several values may meet there. */
static bool leads_to_known(imp_flank *f, const imp_ladder *l) {
    static const double part = 0.125, across = 0.25; /* of the gap, of the width of a section */
    bool known = false;
    for (size_t i = 0; i < f->turns->n && !known && f->tries < MOST_TRIES; i++) {
        const imp_turn *turn = &f->turns->list[i];
        double rest = 1 - (turn->sign * turn->at[0] - l->high.x) / l->gap;
        imp_slice s = expect(l, imp_larger(rest, 0));
        if (turn->found == IMP_TURN_FOUND && turn->sign == f->turn.sign && fabs(rest) <= part &&
            fabs(imp_slice_middle(&s) - turn->at[1]) <= across * imp_slice_width(&l->high)) {
            memcpy(f->turn.at, turn->at, sizeof turn->at);
            memcpy(f->turn.error, turn->error, sizeof turn->error);
            known = look_aside(f, imp_ladder_lean(l), aside_of(f));
            f->tries += !known;
        }
    }
    return known;
}

/* Ends a climb at a section of one before: its own ones lead to the same extreme, which is told
 * once, or is lost to it, too. */
static imp_turn_found follow(imp_flank *f, const imp_rung *known) {
    bool lost = f->turns->list[known->turn].found == IMP_TURN_LOST;
    for (size_t i = f->first_rung; i < f->turns->n_rungs; i++) {
        f->turns->rungs[i].turn = known->turn;
    }
    f->turn.reach = INFINITY;
    return lost ? IMP_TURN_LOST : IMP_TURN_NONE;
}

/* The same where it is on the way of one before, which may lead the other way. */
static imp_turn_found follow_way(imp_flank *f, size_t rung) {
    return direction_of(f, rung) > 0 ? follow(f, &f->turns->rungs[rung]) : IMP_TURN_NONE;
}

/* Finds the other two of the first three sections of a climb: FOUND; NONE if what the chain shows
 * is seen to be no extreme before. One well above it is tried where the chain leads, then where two
 * sections do. */
static imp_turn_found begin(imp_flank *f, double top, imp_ladder *l) {
    imp_slice before = imp_flank_slice(f, l->low.x - 2 * imp_least_drop);
    imp_slice chain = imp_flank_slice(f, l->low.x);
    bool far = find_far(f, &l->low, lean_of(&before, &chain), top, &l->high);
    if (far && passes(f, &l->low, &l->high)) {
        return IMP_TURN_NONE;
    }
    if (far) {
        return find_between(f, &l->low, &l->high, &l->middle) ? IMP_TURN_FOUND : IMP_TURN_LOST;
    }
    if (!find_above(f, &l->low, top, &l->middle)) {
        return IMP_TURN_LOST;
    }
    far = find_far(f, &l->middle, lean_of(&l->low, &l->middle), top, &l->high);
    if (far && passes(f, &l->low, &l->high)) {
        return IMP_TURN_NONE;
    }
    return far || find_above(f, &l->middle, top, &l->high) ? IMP_TURN_FOUND : IMP_TURN_LOST;
}

/* Finds the first three sections of a climb. */
static imp_turn_found set_out(imp_flank *f, double seen, imp_ladder *l) {
    if (imp_flank_is_line(f)) {
        return IMP_TURN_NONE;
    }
    if (!begin_low(f, seen, &l->low)) {
        return IMP_TURN_LOST;
    }
    size_t way = find_way(f, &l->low, 0.125 * imp_slice_width(&l->low), 0, seen);
    if (way > 0) {
        return follow_way(f, way);
    }
    imp_turn_found found = begin(f, seen, l);
    if (found == IMP_TURN_FOUND) {
        imp_ladder_extrapolate(l);
        note(f, &l->low);
        note(f, &l->middle);
        note(f, &l->high);
    }
    return found;
}

/* Whether sections that stay as wide have come to a line along the second parameter, or in long
 * steps to well above what the chain shows. */
static bool is_level(imp_flank *f, const imp_ladder *l, double seen) {
    static const double least_line = 1.0 / (1 << 20), as_wide = 0.875;
    enum { LONG_STEPS = 3 };
    if (!(l->power < 0.125) || imp_slice_width(&l->high) < as_wide * imp_slice_width(&l->low)) {
        return false;
    }
    bool line = l->gap < least_line;
    bool goes_on = l->steps >= LONG_STEPS && l->high.x > seen + imp_least_drop &&
                   is_visible(f, &l->middle, &l->high);
    if (line) {
        imp_flank_note_line(f, l->high.x + 0.5 * l->gap);
    }
    if (line || goes_on) {
        f->turn.reach = line ? INFINITY : l->high.x;
    }
    return line || goes_on;
}

/* The extreme where a climb ends. Sides that touch, as in a cusp, come so close that rounding hides
 * them before the gap is short: its inner side is seen in the last section. */
static imp_turn_found arrive(imp_flank *f, const imp_ladder *l, double most_gap,
                             double least_width) {
    static const double longest = 1e-5;
    bool far = l->gap > most_gap;
    if (far && is_at_edge(f, &l->high)) {
        return IMP_TURN_NONE;
    }
    if (far && (l->gap > longest || imp_slice_width(&l->high) > least_width)) {
        return IMP_TURN_LOST;
    }
    conclude(f, l);
    double across = f->turn.at[1] - imp_slice_middle(&l->high);
    bool good = far ? look_aside(f, across / l->gap, l->gap)
                    : look_aside(f, imp_ladder_lean(l), aside_of(f));
    return good ? IMP_TURN_FOUND : IMP_TURN_LOST;
}

imp_turn_found imp_flank_climb(imp_flank *f) {
    double least_gap = imp_larger(0.25 * tolerance_of(f), 64 * f->turns->finest);
    double most_gap = imp_larger(1e-10, 4 * least_gap);
    double least_width = imp_larger(0.25 * tolerance_of(f), 256 * f->turns->finest);
    double close_by = imp_smaller(1.0 / 16384, (1 << 22) * f->turns->finest);
    imp_ladder l = {.steps = 0};
    double seen = imp_flank_seen(f);
    size_t way = find_way_below(f, seen);
    if (way > 0) {
        return follow_way(f, way);
    }
    const imp_rung *known = meet_below(f, seen);
    if (known) {
        return follow(f, known);
    }
    imp_turn_found start = set_out(f, seen, &l);
    if (start != IMP_TURN_FOUND) {
        return start;
    }
    for (int fits = 0; l.gap > least_gap && imp_slice_width(&l.high) > least_width;) {
        if (l.smooth && l.gap < close_by && fits++ < 2 && imp_flank_fit(f, &l)) {
            bool good = look_aside(f, imp_ladder_lean(&l), aside_of(f));
            return good ? IMP_TURN_FOUND : IMP_TURN_LOST;
        }
        if (is_level(f, &l, seen) || leaves(f, &l)) {
            return IMP_TURN_NONE;
        }
        if (leads_to_known(f, &l)) {
            return IMP_TURN_FOUND;
        }
        known = meet_another(f, &l);
        if (known) {
            return follow(f, known);
        }
        if (!ascend(f, &l, most_gap)) {
            break;
        }
    }
    return arrive(f, &l, most_gap, least_width);
}
