/* The first event in a step that has stopped; see rod.h. */
#include <math.h>

#include "models/viscoelastic/rod.h"

typedef imp_viscoelastic_march march;
typedef imp_viscoelastic_search search;

enum { MOST_TRIALS = 80 };

void imp_viscoelastic_ask(march *a, double length, bool fetches) {
    a->block->tries[a->lane] = 0;
    a->block->length[a->lane] = length;
    a->search.purpose = fetches ? IMP_VISCOELASTIC_FETCHES : IMP_VISCOELASTIC_LOCATES;
}

void imp_viscoelastic_open_search(march *a, double end_slip) {
    search *s = &a->search;
    const imp_viscoelastic_points *end = &a->block->at;
    *s = (search){.length = a->block->length[a->lane],
                  .end_slip = end_slip,
                  .end_rate = end->slip_rate[a->lane],
                  .end_side = imp_viscoelastic_tangential(end, a->lane) > 0 ? 1 : -1,
                  .first = IMP_VISCOELASTIC_NO_EVENT};
    s->found = s->length;
    for (int k = 0; k < IMP_VISCOELASTIC_EVENTS; k++) {
        s->stop[k] = end->distance[k][a->lane];
    }
}

/* Whether more can be learned about the event in the bracket. */
static bool is_wide(const imp_bracket *ends) {
    return ends->high - ends->low > 1e-15 * ends->high;
}

/* ---- the least slip speed ---- */

/* Whether the tip may halt in a part of the step at whose ends it slips. The slip speed, whose
 * least value lies inside, is convex or nearly so: it lies above both tangents, and it is enough to
 * look where one of them reaches 0. */
static bool may_halt(const imp_viscoelastic_dip *d, double width) {
    return d->low_rate < 0 && d->high_rate > 0 &&
           (d->low_speed + d->low_rate * width <= 0 || d->high_speed - d->high_rate * width <= 0);
}

/* Begins to look for a halt in a step at whose ends the tip slips. Such a tip may have halted
 * between them: friction, which still acts as before, or after separation the surface, which would
 * pull, has then driven it on. */
static void open_dip(march *a) {
    search *s = &a->search;
    const imp_viscoelastic_points *start = &a->block->start;
    s->dip = (imp_viscoelastic_dip){.low_speed = start->distance[IMP_VISCOELASTIC_HALT][a->lane],
                                    .low_rate = start->slip_rate[a->lane],
                                    .high_speed = s->stop[IMP_VISCOELASTIC_HALT],
                                    .high_rate = s->end_rate};
    s->chord = (imp_chord){.ends = {.low = 0, .high = s->length},
                           .low_value = -s->dip.low_rate,
                           .high_value = -s->dip.high_rate};
    s->sinks = s->dip.low_speed > a->rounding && s->dip.low_speed < INFINITY &&
               s->dip.high_speed > 0 && may_halt(&s->dip, s->length);
    s->trials = 0;
}

/* Asks for a point closer to the least slip speed, if the tip may halt there. */
static bool looks_down(march *a) {
    search *s = &a->search;
    const imp_bracket *ends = &s->chord.ends;
    s->sinks =
        s->trials < MOST_TRIALS && is_wide(ends) && may_halt(&s->dip, ends->high - ends->low);
    if (s->sinks) {
        imp_viscoelastic_ask(a, imp_bracket_next(ends, imp_chord_next(&s->chord)), false);
        s->trials++;
    }
    return s->sinks;
}

/* Takes a point that looks_down asked for. Where the tip does not slip, the halt is before it. */
static void note_depth(march *a) {
    search *s = &a->search;
    imp_viscoelastic_dip *d = &s->dip;
    double at = a->block->length[a->lane], rate = a->block->at.slip_rate[a->lane],
           speed = a->block->at.distance[IMP_VISCOELASTIC_HALT][a->lane];
    if (speed <= 0) {
        s->sinks = false;
        s->open = true;
        s->trials = 0;
        s->chord = (imp_chord){.ends = {.low = s->chord.ends.low, .high = at},
                               .low_value = d->low_speed,
                               .high_value = speed};
    } else if (rate < 0) {
        d->low_speed = speed;
        d->low_rate = rate;
    } else {
        d->high_speed = speed;
        d->high_rate = rate;
    }
    if (s->sinks) {
        imp_chord_cut(&s->chord, at, -rate);
    }
}

/* ---- one event ---- */

/* Distance of the point from the event `which`. */
static double distance_at(const march *a, const imp_viscoelastic_points *at) {
    const search *s = &a->search;
    int i = a->lane;
    double normal = imp_viscoelastic_normal(at, i), force = imp_viscoelastic_tangential(at, i);
    return s->side == 0 ? at->distance[s->which][i]
                        : a->block->motion.friction[i] * normal - s->side * force;
}

/* Begins to locate the event `which` if it happens in the step. A slip that begins at rest may have
 * ended before the end of its first step: friction, which still acts as before, would then drive
 * the tip back. Likewise a stick that begins at the limit of friction, or at first contact, where
 * there is no force, may break in its first step, perhaps at once. */
static void open_event(march *a) {
    search *s = &a->search;
    bool halt = s->which == IMP_VISCOELASTIC_HALT, loose = s->which == IMP_VISCOELASTIC_BREAK;
    double begin = a->block->start.distance[s->which][a->lane], stop = s->stop[s->which];
    s->side = loose && begin <= 0 ? s->end_side : 0;
    double start = distance_at(a, &a->block->start);
    s->rest = halt && begin <= a->rounding ? a->rounding : 0;
    s->bare = s->rest > 0 || (loose && start <= 0);
    bool happens = s->rest > 0 ? s->end_slip != a->block->motion.slip[a->lane]
                   : s->bare   ? stop < 0
                               : start > 0 && start < INFINITY;
    s->open = happens && stop <= 0;
    s->chord = (imp_chord){
        .ends = {.low = 0, .high = s->length}, .low_value = start - s->rest, .high_value = stop};
    s->trials = 0;
    s->left = 1;
    if (halt && !s->open) {
        open_dip(a);
    }
}

/* Whether the event may still lie at the step's start. */
static bool is_bare(const search *s) {
    return s->bare && s->chord.low_value <= 0;
}

/* Asks for the next point of an event that is being located, if one is needed. The event is at the
 * end of the bracket, or before it within rounding. */
static bool locates(march *a) {
    search *s = &a->search;
    const imp_bracket *ends = &s->chord.ends;
    bool bare = is_bare(s);
    if (s->trials == (bare ? MOST_TRIALS / 2 : MOST_TRIALS) || s->left == 0 || !is_wide(ends)) {
        return false;
    }
    imp_viscoelastic_ask(a,
                         bare || s->trials > MOST_TRIALS / 2
                             ? imp_bracket_middle(ends)
                             : imp_bracket_next(ends, imp_chord_next(&s->chord)),
                         false);
    s->trials++;
    return true;
}

void imp_viscoelastic_note_trial(march *a) {
    search *s = &a->search;
    if (s->sinks) {
        note_depth(a);
        return;
    }
    s->left = distance_at(a, &a->block->at) - (is_bare(s) ? s->rest : 0);
    imp_chord_cut(&s->chord, a->block->length[a->lane], s->left);
}

/* Notes the event `which`. A tip that never slips between rest and its halt halts at once, and a
 * stick that friction never holds breaks at once. At separation the forces vanish together, so that
 * a stick may break where it ends by rounding. */
static void close_event(search *s) {
    double at = is_bare(s) ? 0 : s->chord.ends.high;
    bool leaves = s->which == IMP_VISCOELASTIC_SURFACE || s->which == IMP_VISCOELASTIC_RELEASE;
    if (s->first == IMP_VISCOELASTIC_NO_EVENT || at < s->found * (leaves ? 1 + 1e-14 : 1)) {
        s->first = (imp_viscoelastic_event)s->which;
        s->found = at;
    }
    s->open = false;
}

/* ---- all events ---- */

bool imp_viscoelastic_seeks(march *a) {
    search *s = &a->search;
    for (; s->which < IMP_VISCOELASTIC_EVENTS; s->which++) {
        if (!s->open && !s->sinks) {
            open_event(a);
        }
        if ((s->sinks && looks_down(a)) || (s->open && locates(a))) {
            return true;
        }
        if (s->open) {
            close_event(s);
        }
    }
    return false;
}
