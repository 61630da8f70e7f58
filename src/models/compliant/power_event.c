/* Events in a step of the laws of power 1.5, found by redoing the step with another length. Each
 * function goes on with a search until the march has to be asked for a point;
 * imp_compliant_power_heed takes it up again at that point. */
#include "models/compliant/power_impl.h"

/* The search for an instant ends when the instant moves by less than this. */
static const double instant_found = 2e-15;

/* How a search stands. */
typedef enum answer { ASKS, FOUND, ABSENT } answer;

static answer ask(march *m, double h, purpose what_for) {
    m->block->at.h[m->lane] = h;
    m->block->tries[m->lane] = 0;
    m->search.purpose = what_for;
    return ASKS;
}

/* The step as a whole, or a stretch that begins at a mark, is where the next points look for
 * roots. */
static void look_from(march *m, const mark *begin) {
    imp_compliant_power_block *b = m->block;
    int which = m->search.which, lane = m->lane;
    b->whole[lane] = begin == NULL;
    b->from[lane] = begin ? begin->h : 0;
    if (begin) {
        b->value_from[which][lane] = begin->value;
        b->slope_from[which][lane] = begin->slope;
        b->bend_from[which][lane] = begin->bend;
    }
}

/* The quantity at the last point. */
static mark mark_at(const march *m, int which) {
    const imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    return (mark){.h = b->at.h[lane],
                  .value = b->at.value[which][lane],
                  .slope = b->slope_by[which][lane],
                  .bend = which == TURN ? 0 : b->bend_by[which][lane]};
}

/* The event is at h. Unless the last point lies there, and was seen in the step as a whole, it is
 * asked for. */
static answer settle(march *m, double h) {
    bool in_part = m->search.purpose == SPLIT || m->search.purpose == RIGHT_OF;
    return m->block->at.h[m->lane] == h && !in_part ? FOUND : ask(m, h, FETCH);
}

/* A polynomial of degree 5 that has the value, slope and bend of a mark at t = 0 and those of
 * another at t = 1. */
typedef struct quintic {
    double by[6];
} quintic;

static quintic quintic_of(const mark *a, const mark *b) {
    double h = b->h - a->h, slope = a->slope * h, bend = a->bend * h * h / 2;
    double rest = b->value - a->value - slope - bend, rise = (b->slope - a->slope) * h - 2 * bend;
    double turn = b->bend * h * h / 2 - bend, fifth = turn + 6 * rest - 3 * rise;
    double fourth = rise - 3 * rest - 2 * fifth;
    return (quintic){.by = {a->value, slope, bend, rest - fourth - fifth, fourth, fifth}};
}

/* The cubic through values and slopes, where nothing is known of the bends. */
static quintic cubic_of(const mark *a, const mark *b) {
    double h = b->h - a->h, slope = a->slope * h;
    double rest = b->value - a->value - slope, rise = (b->slope - a->slope) * h;
    return (quintic){.by = {a->value, slope, 3 * rest - rise, rise - 2 * rest}};
}

/* The root of a quintic that has opposite signs at t = 0 and 1, by Newton's method from the root of
 * its chord. */
static double quintic_root(const quintic *q, double end) {
    enum { MOST = 10 };
    const double near_enough = 1e-3;
    imp_bracket in = {.low = 0, .high = 1};
    double t = q->by[0] / (q->by[0] - end);
    for (int i = 0; i < MOST; i++) {
        double value = 0, slope = 0;
        for (int k = 5; k >= 0; k--) {
            slope = slope * t + value;
            value = value * t + q->by[k];
        }
        if (fabs(value) <= near_enough * t * fabs(slope)) {
            return t - value / slope;
        }
        imp_bracket_cut(&in, t, (value > 0) == (q->by[0] > 0));
        t = imp_bracket_next(&in, t - value / slope);
    }
    return t;
}

/* Shrinks the stretch between a point where the value is above 0 and one where it is not. */
static answer close_in(march *m, mark at) {
    enum { MOST = 80, FAST = 5 };
    search *x = &m->search;
    if (x->rounds++ == MOST || at.value == 0) {
        return settle(m, at.h);
    }
    *(at.value > 0 ? &x->from : &x->to) = at;
    imp_bracket in = {.low = x->from.h, .high = x->to.h};
    const mark *other = at.value > 0 ? &x->to : &x->from;
    double next = at.h - at.value / at.slope;
    if (x->rounds <= FAST) {
        quintic q = x->which == TURN ? cubic_of(&at, other) : quintic_of(&at, other);
        next = at.h + quintic_root(&q, other->value) * (other->h - at.h);
    }
    next = imp_bracket_next(&in, next);
    double near_enough = instant_found * (1 + m->block->start.y[TIME][m->lane]);
    if (fabs(next - at.h) <= near_enough || !imp_bracket_holds(&in, next)) {
        return settle(m, at.h);
    }
    return ask(m, next, ROOT);
}

/* A root between a point where the value is above 0 and one where it is not. */
static answer root_between(march *m, mark low, mark high) {
    m->search.from = low;
    m->search.to = high;
    m->search.rounds = 0;
    look_from(m, NULL);
    return close_in(m, high);
}

/* After a start at 0 that is not an event: halves the step until the value has risen above 0. */
static answer rise(march *m, double h) {
    enum { HALVINGS = 30 };
    look_from(m, NULL);
    return m->search.halvings++ == HALVINGS ? settle(m, m->search.from.h) : ask(m, h / 2, RISE);
}

/* The event in a stretch that begins above 0, or at 0 and rises, and ends below. */
static answer end_of(march *m) {
    search *x = &m->search;
    x->halvings = 0;
    return x->from.value > 0 ? root_between(m, x->from, x->to) : rise(m, x->to.h);
}

/* The minimum of the cubic through the values and slopes of two marks, as a share of their
 * distance. */
static double minimum(const mark *a, const mark *b) {
    double mean = (b->value - a->value) / (b->h - a->h);
    double square = 3 * mean - 2 * a->slope - b->slope, cubic = a->slope + b->slope - 2 * mean;
    double falls = square * square - 3 * cubic * a->slope, root = sqrt(positive(falls));
    return square > 0 ? -a->slope / (square + root) : (root - square) / (3 * cubic);
}

/* Where between two points to look next, as a share of the distance. */
static double split(const mark *a, const mark *b) {
    double least = minimum(a, b);
    return least > 0.05 && least < 0.95 ? least : 0.5;
}

/* Goes on after a stretch without an event. A search ends where the quantity is not above 0. */
static answer look_right(march *m) {
    search *x = &m->search;
    while (x->n_later > 0) {
        mark next = x->later[--x->n_later];
        if (x->to.value > 0) {
            x->from = x->to;
            look_from(m, &x->from);
            return ask(m, next.h, RIGHT_OF);
        }
        x->to = next;
    }
    return ABSENT;
}

/* Looks for the first event in a stretch that begins above 0, or at 0 and rises. If its ends do not
 * decide, the function looks between them, as often as `looks` allows. */
static answer look_between(march *m, mark from, mark to, int roots) {
    search *x = &m->search;
    x->from = from;
    x->to = to;
    if (roots == UNKNOWN && --x->looks > 0) {
        x->later[x->n_later++] = to;
        look_from(m, &from);
        return ask(m, from.h + (to.h - from.h) * split(&from, &to), SPLIT);
    }
    return roots == NONE || to.value > 0 ? look_right(m) : end_of(m);
}

/* ---- peaks of forces ---- */

/* A force at a point of the step, with its rate in time: as a quantity that falls before its
 * peak. */
static mark force_at(const march *m, double h, double force, double rate, double pace) {
    int which = m->search.which - IMP_COMPLIANT_POWER_SIGHTS;
    double side = m->block->start.force_rate[which][m->lane] < 0 ? 1 : -1;
    return (mark){.h = h, .value = side * force, .slope = side * rate * pace};
}

/* A peak is flat: its size is known long before its time. */
static answer climb(march *m, mark at) {
    enum { MOST = 40 };
    const double near_enough = 3e-6;
    const imp_compliant_power_block *b = m->block;
    search *x = &m->search;
    *(at.slope < 0 ? &x->from : &x->to) = at;
    imp_bracket in = {.low = x->from.h, .high = x->to.h};
    double width = in.high - in.low, next = in.low + minimum(&x->from, &x->to) * width;
    next = imp_bracket_next(&in, next);
    bool found = x->rounds > 0 && fabs(next - at.h) <= near_enough * m->end.h;
    if (!found && x->rounds++ < MOST) {
        return ask(m, next, PEAK);
    }
    double time = b->at.y[TIME][m->lane] + b->at.pace[m->lane] * (next - at.h);
    imp_compliant_power_note_force(m, x->which - IMP_COMPLIANT_POWER_SIGHTS, at.value, time);
    return ABSENT;
}

static answer seek_top(march *m, int which) {
    const imp_compliant_power_block *b = m->block;
    const imp_compliant_power_points *start = &b->start;
    const point *end = &m->end;
    search *x = &m->search;
    int lane = m->lane;
    if (end->peaks[which] == 0) {
        return ABSENT;
    }
    x->rounds = 0;
    x->from = force_at(m, 0, start->force[which][lane], start->force_rate[which][lane],
                       b->pace_from[lane]);
    return climb(m, force_at(m, end->h, end->force[which], end->force_rate[which], end->pace));
}

static mark force_at_point(const march *m) {
    const imp_compliant_power_points *at = &m->block->at;
    int which = m->search.which - IMP_COMPLIANT_POWER_SIGHTS, lane = m->lane;
    return force_at(m, at->h[lane], at->force[which][lane], at->force_rate[which][lane],
                    at->pace[lane]);
}

static answer go_on(march *m) {
    search *x = &m->search;
    int which = x->which;
    if (x->purpose == PEAK) {
        return climb(m, force_at_point(m));
    }
    mark at = mark_at(m, which);
    switch (x->purpose) {
    case RISE:
        return at.value > 0 ? root_between(m, at, x->to) : rise(m, at.h);
    case SPLIT:
    case RIGHT_OF:
        return look_between(m, x->from, at, (int)m->block->roots[which][m->lane]);
    case ROOT:
        return close_in(m, at);
    default:
        return FOUND;
    }
}

/* ---- all events of a step ---- */

/* What was seen at the last point, which is the end of the step. */
static void end_here(march *m) {
    const imp_compliant_power_block *b = m->block;
    imp_compliant_power_get_point(&b->at, m->lane, &m->end);
    for (int which = 0; which < IMP_COMPLIANT_POWER_SIGHTS; which++) {
        m->to[which] = mark_at(m, which);
    }
    m->roots[SECOND] = (int)b->roots[SECOND][m->lane];
}

static void begin_step(march *m) {
    const imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    end_here(m);
    m->event = -1;
    m->turns = false;
    m->roots[FIRST] = (int)b->roots[FIRST][lane];
    for (int which = FIRST; which <= SECOND; which++) {
        m->from[which] = (mark){.h = 0,
                                .value = b->value_from[which][lane],
                                .slope = b->slope_from[which][lane],
                                .bend = b->bend_from[which][lane]};
    }
}

static mark turn_at_start(const march *m) {
    const imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    return (mark){.h = 0,
                  .value = b->start.value[TURN][lane],
                  .slope = b->start.slope[TURN][lane] * b->pace_from[lane]};
}

static answer seek(march *m, int which) {
    search *x = &m->search;
    x->which = which;
    x->looks = LOOKS;
    x->n_later = 0;
    if (which >= IMP_COMPLIANT_POWER_SIGHTS) {
        return seek_top(m, which - IMP_COMPLIANT_POWER_SIGHTS);
    }
    if (which == TURN) {
        bool passes = m->block->start.value[TURN][m->lane] > 0 && m->to[TURN].value <= 0;
        return passes ? root_between(m, turn_at_start(m), m->to[TURN]) : ABSENT;
    }
    if (m->roots[which] == AT_START) {
        m->event = m->event >= 0 && m->end.h == 0 ? m->event : which;
        m->end = imp_compliant_power_start_of(m);
        m->to[TURN].value = 1;
        m->roots[SECOND] = NONE;
        return ABSENT;
    }
    return look_between(m, m->from[which], m->to[which], m->roots[which]);
}

/* Ends the step at an event, or notes the turn in it. */
static void take_event(march *m) {
    if (m->search.which == TURN) {
        imp_compliant_power_get_point(&m->block->at, m->lane, &m->turn);
        m->turns = true;
        if (m->block->rest[m->lane] != 0 && m->turn.h < m->end.h) {
            m->event = TURN;
            m->end = m->turn;
        }
    } else if (m->event < 0 || m->block->at.h[m->lane] < m->end.h) {
        m->event = m->search.which;
        end_here(m);
    }
}

/* The end of a step in which every event is known. */
static int end_step(march *m, state *now) {
    imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    if (m->turns && b->rest[lane] == 0) {
        imp_compliant_power_note_turn(m, &m->turn, now);
    }
    if (m->problem->account) {
        imp_compliant_power_add_step(m);
    }
    if (m->problem->observer) {
        imp_compliant_power_show(m);
    }
    imp_compliant_power_put_point(&m->end, &b->start, lane);
    b->touches[FIRST][lane] = b->touches[SECOND][lane] = 0;
    b->tries[lane] = 1;
    m->search.purpose = STEP;
    look_from(m, NULL);
    if (m->event >= 0) {
        imp_compliant_power_store_sums(m);
    }
    return m->event;
}

int imp_compliant_power_heed(march *m, state *now) {
    enum { LAST = IMP_COMPLIANT_POWER_SIGHTS + IMP_COMPLIANT_POWER_FORCES - 1 };
    answer found = ABSENT;
    int which = m->search.which;
    if (m->search.purpose == STEP) {
        begin_step(m);
        which = -1;
    } else {
        found = go_on(m);
    }
    while (found != ASKS) {
        if (found == FOUND) {
            take_event(m);
        }
        if (which == LAST) {
            return end_step(m, now);
        }
        found = seek(m, ++which);
    }
    return -1;
}

int imp_compliant_power_march_alone(march *m, state *now, int64_t budget) {
    int event = -1;
    while (event < 0 && (m->search.purpose != STEP || (budget -= IMP_RK_STAGES) > 0)) {
        imp_compliant_power_round(m->block);
        if (m->block->came[m->lane] == STOPPED) {
            event = imp_compliant_power_heed(m, now);
        }
    }
    return event;
}
