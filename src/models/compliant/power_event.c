/* Events in a step of the laws of power 1.5, found by redoing the step with another length. Each function goes on
 * with a search until the march has to be asked for a point; imp_power_heed takes it up again at that point. */
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

/* The step as a whole, or a stretch that begins at a mark, is where the next points look for roots. */
static void look_from(march *m, const mark *begin) {
    imp_power_block *b = m->block;
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
    const imp_power_block *b = m->block;
    int lane = m->lane;
    return (mark){b->at.h[lane], b->at.value[which][lane], b->slope_by[which][lane],
                  which == TURN ? 0 : b->bend_by[which][lane]};
}

/* The event is at h. Unless the last point lies there, and was seen in the step as a whole, it is asked for. */
static answer settle(march *m, double h) {
    bool in_part = m->search.purpose == SPLIT || m->search.purpose == RIGHT_OF;
    return m->block->at.h[m->lane] == h && !in_part ? FOUND : ask(m, h, FETCH);
}

/* Newton's method, kept inside a bracket. */
static answer newton(march *m, mark at) {
    enum { MOST = 80 };
    search *x = &m->search;
    if (x->rounds++ == MOST || at.value == 0) {
        return settle(m, at.h);
    }
    imp_bracket_cut(&x->bracket, at.h, at.value > 0);
    double next = imp_bracket_next(&x->bracket, at.h - at.value / at.slope);
    double near_enough = instant_found * (1 + m->block->start.y[TIME][m->lane]);
    if (fabs(next - at.h) <= near_enough || !imp_bracket_holds(&x->bracket, next)) {
        return settle(m, at.h);
    }
    return ask(m, next, NEWTON);
}

/* A root between a point where the value is above 0 and one where it is not. */
static answer root_between(march *m, double low, mark high) {
    m->search.bracket = (imp_bracket){low, high.h};
    m->search.rounds = 0;
    look_from(m, NULL);
    return newton(m, high);
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
    return x->from.value > 0 ? root_between(m, x->from.h, x->to) : rise(m, x->to.h);
}

/* Where between two points to look next, as a share of the distance: at the minimum of the cubic,
 * or halfway. */
static double split(const mark *a, const mark *b) {
    double mean = (b->value - a->value) / (b->h - a->h);
    double square = 3 * mean - 2 * a->slope - b->slope, cubic = a->slope + b->slope - 2 * mean;
    double falls = square * square - 3 * cubic * a->slope, root = sqrt(positive(falls));
    double least = square > 0 ? -a->slope / (square + root) : (root - square) / (3 * cubic);
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

static answer go_on(march *m) {
    search *x = &m->search;
    int which = x->which;
    mark at = mark_at(m, which);
    switch (x->purpose) {
    case RISE:
        return at.value > 0 ? root_between(m, at.h, x->to) : rise(m, at.h);
    case SPLIT:
    case RIGHT_OF:
        return look_between(m, x->from, at, (int)m->block->roots[which][m->lane]);
    case NEWTON:
        return newton(m, at);
    default:
        return FOUND;
    }
}

/* ---- all events of a step ---- */

/* What was seen at the last point, which is the end of the step. */
static void end_here(march *m) {
    const imp_power_block *b = m->block;
    m->end = imp_power_point_of(&b->at, m->lane);
    for (int which = 0; which < IMP_POWER_SIGHTS; which++) {
        m->to[which] = mark_at(m, which);
    }
    m->roots[SECOND] = (int)b->roots[SECOND][m->lane];
}

static void begin_step(march *m) {
    const imp_power_block *b = m->block;
    int lane = m->lane;
    end_here(m);
    m->event = -1;
    m->turns = false;
    m->roots[FIRST] = (int)b->roots[FIRST][lane];
    for (int which = FIRST; which <= SECOND; which++) {
        m->from[which] = (mark){0, b->value_from[which][lane], b->slope_from[which][lane],
                                b->bend_from[which][lane]};
    }
}

static answer seek(march *m, int which) {
    search *x = &m->search;
    x->which = which;
    x->looks = LOOKS;
    x->n_later = 0;
    if (which == TURN) {
        bool passes = m->block->start.value[TURN][m->lane] > 0 && m->to[TURN].value <= 0;
        return passes ? root_between(m, 0, m->to[TURN]) : ABSENT;
    }
    if (m->roots[which] == AT_START) {
        m->event = m->event >= 0 && m->end.h == 0 ? m->event : which;
        m->end = imp_power_start_of(m);
        m->to[TURN].value = 1;
        m->roots[SECOND] = NONE;
        return ABSENT;
    }
    return look_between(m, m->from[which], m->to[which], m->roots[which]);
}

/* Ends the step at an event, or notes the turn in it. */
static void take_event(march *m) {
    if (m->search.which == TURN) {
        m->turn = imp_power_point_of(&m->block->at, m->lane);
        m->turns = true;
    } else if (m->event < 0 || m->block->at.h[m->lane] < m->end.h) {
        m->event = m->search.which;
        end_here(m);
    }
}

/* The end of a step in which every event is known. */
static int end_step(march *m, state *now) {
    imp_power_block *b = m->block;
    int lane = m->lane;
    if (m->turns && b->rest[lane] == 0) {
        imp_power_note_turn(&m->turn, now);
    } else if (m->turns && m->turn.h < m->end.h) {
        m->event = TURN;
        m->end = m->turn;
    }
    if (is_watched(m->problem)) {
        imp_power_show(m, now);
    }
    imp_power_put_point(&m->end, &b->start, lane);
    b->touches[FIRST][lane] = b->touches[SECOND][lane] = 0;
    b->tries[lane] = 1;
    m->search.purpose = STEP;
    look_from(m, NULL);
    if (m->event >= 0) {
        imp_power_store_sums(m);
    }
    return m->event;
}

int imp_power_heed(march *m, state *now) {
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
        if (which == TURN) {
            return end_step(m, now);
        }
        found = seek(m, ++which);
    }
    return -1;
}
