/* Where a boundary turns back in the first parameter. */
#include <math.h>
#include <stdlib.h>

#include "num/larger.h"
#include "solve/search/climb.h"
#include "solve/search/plain.h"

/* Up to this drop the boundary is followed from an extreme. */
static const double most_drop = 1.0 / 64;

/* Codes of turning_kind in files: append only. */
enum { LARGEST = 1, SMALLEST };

static const imp_mode kinds[] = {
    {LARGEST, "largest", "the boundary is below in the first parameter on both sides"},
    {SMALLEST, "smallest", "the boundary is above in the first parameter on both sides"},
};

/* Codes of side_below and side_above of a set or a level: append only. */
static const imp_mode sides[] = {
    {1, "without", "outside the set, or below the level"},
    {2, "within", "in the set, or at the level or above"},
};

static void add_sides(imp_search *s) {
    static const char *const names[2] = {"side_below", "side_above"};
    static const char *const meanings[2] = {
        "value just below the turning point in the first parameter",
        "value just above the turning point in the first parameter"};
    const imp_output *of = &s->plan.theory->outputs[s->plan.of];
    bool two = s->plan.inside || !imp_search_has_values(of);
    for (int k = 0; k < 2; k++) {
        imp_search_add_list(s, k ? IMP_FOUND_SIDE_ABOVE : IMP_FOUND_SIDE_BELOW,
                            two ? imp_search_category(names[k], meanings[k], sides, 2)
                                : imp_search_value(s, names[k], meanings[k]));
    }
}

static void add_outputs(imp_search *s) {
    imp_search_add_places(s, " of the turning point");
    imp_search_add_count(s, "number of turning points found, including those that are not stored");
    imp_search_add_list(s, IMP_FOUND_TURN,
                        imp_search_category("turning_kind",
                                            "whether the first parameter is largest or smallest "
                                            "there along the boundary",
                                            kinds, 2));
    add_sides(s);
    imp_search_add_plane(s);
}

/* ---- extremes of outlines ---- */

static double height_of(const imp_flank *f, int64_t i) {
    return f->turn.sign * imp_chain_spot(f->chain, i)->at[0];
}

/* How far a chain goes down from its extreme in one direction, up to most_drop. */
static double drop_of(const imp_flank *f, int step) {
    double drop = 0;
    for (int64_t i = f->top + step; imp_chain_has(f->chain, i, f->top) && drop < most_drop;
         i += step) {
        double fall = height_of(f, f->top) - height_of(f, i);
        if (fall < drop - imp_least_drop) {
            break;
        }
        drop = imp_larger(fall, drop);
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

/* ---- what squares have shown ---- */

/* Whether a place is in a square, and not at its edge. */
static bool is_in(const imp_square *square, const imp_spot *spot) {
    static const double margin = 1.0 / 512;
    double size = 1.0 / (double)(UINT64_C(1) << square->halvings);
    bool in = true;
    for (int k = 0; k < 2; k++) {
        double low = imp_survey_place(square->low[k]);
        in = in && spot->at[k] > low + margin && spot->at[k] < low + size - margin;
    }
    return in;
}

/* Whether a place is on a piece of an outline, as closely as the survey at hand tells. */
static bool is_on(const imp_turns *turns, const imp_seen *s, const imp_spot *spot) {
    static const double least = 1.0 / 2048;
    double dx = s->end[1].at[0] - s->end[0].at[0], dy = s->end[1].at[1] - s->end[0].at[1];
    double x = spot->at[0] - s->end[0].at[0], y = spot->at[1] - s->end[0].at[1];
    double square = dx * dx + dy * dy, t = square > 0 ? (x * dx + y * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return imp_larger(fabs(x - t * dx), fabs(y - t * dy)) <= imp_larger(turns->slack, least);
}

/* Whether one outline of a label in a square passes two places. */
static bool joins(const imp_turns *turns, const imp_spot *ends, int label) {
    size_t chain = 0;
    bool here[2] = {false, false};
    for (size_t i = 0; i < turns->n_seen; i++) {
        const imp_seen *s = &turns->seen[i];
        for (int k = 0; k < 2; k++) {
            here[k] =
                (here[k] && s->chain == chain) || (s->label == label && is_on(turns, s, &ends[k]));
        }
        chain = s->chain;
        if (here[0] && here[1]) {
            return true;
        }
    }
    return false;
}

static void note_chain(imp_turns *turns, const imp_chain *chain, int label) {
    size_t number = turns->n_seen;
    for (size_t i = 1; i < chain->n; i++) {
        imp_seen seen = {.end = {chain->spots[i - 1], chain->spots[i]},
                         .chain = number,
                         .square = turns->n_squares,
                         .label = label};
        if (imp_search_grow(turns->plane->work, &turns->seen, &turns->seen_room, turns->n_seen + 1,
                            sizeof seen)) {
            turns->seen[turns->n_seen++] = seen;
        }
    }
}

/* Whether an outline of the label leaves a square above a height. */
static bool leaves(const imp_flank *f, size_t square, double height) {
    const imp_turns *turns = f->turns;
    const imp_survey survey = {.square = turns->squares[square]};
    bool out = false;
    for (size_t i = 0; i < turns->n_seen && !out; i++) {
        const imp_seen *s = &turns->seen[i];
        for (int k = 0; k < 2 && s->square == square && s->label == f->turn.label; k++) {
            out = out || (f->turn.sign * s->end[k].at[0] > height &&
                          imp_survey_is_edge(&survey, s->end[k]));
        }
    }
    return out;
}

/* Whether an extreme of this outline was found in a square above what the chain shows, and none was
 * lost there. */
static bool has_top(const imp_flank *f, const imp_square *square) {
    bool found = false, lost = false;
    for (size_t k = 0; k < f->turns->n; k++) {
        const imp_turn *turn = &f->turns->list[k];
        bool in = is_in(square, &turn->seen);
        lost = lost || (in && turn->found == IMP_TURN_LOST);
        found =
            found || (in && turn->found == IMP_TURN_FOUND && turn->sign == f->turn.sign &&
                      turn->label == f->turn.label && turn->sign * turn->at[0] > imp_flank_seen(f));
    }
    return found && !lost;
}

/* Whether what the chain shows is a piece of a strip that a square, which was looked at closer, has
 * whole up to its extreme. A strip that leaves the square may have another one. */
static bool was_seen(const imp_flank *f) {
    const imp_turns *turns = f->turns;
    imp_slice s = imp_flank_slice(f, imp_flank_seen(f) - imp_least_drop);
    imp_spot ends[2] = {{{f->turn.sign * s.x, s.a}}, {{f->turn.sign * s.x, s.b}}};
    bool seen = false;
    for (size_t i = 0; i < turns->n_squares && !seen; i++) {
        const imp_square *square = &turns->squares[i];
        seen = is_in(square, &f->turn.seen) && is_in(square, &ends[0]) && is_in(square, &ends[1]) &&
               has_top(f, square) && joins(turns, ends, f->turn.label) && !leaves(f, i, s.x);
    }
    return seen;
}

/* ---- extremes of chains ---- */

static void try_spot(const imp_flank *chain, int64_t at) {
    imp_flank f = *chain;
    imp_turn *turn = &f.turn;
    imp_turns *turns = f.turns;
    turn->seen = *imp_chain_spot(f.chain, at);
    f.top = at;
    f.drop = imp_smaller(drop_of(&f, -1), drop_of(&f, 1));
    f.first_rung = turns->n_rungs;
    if (f.drop < imp_least_drop || is_known(turns, &turn->seen, turn->sign) || was_seen(&f)) {
        return;
    }
    double low = imp_flank_seen(&f) - imp_least_drop;
    bool rises = imp_flank_chain_at(&f, 1, low) > imp_flank_chain_at(&f, -1, low);
    turn->within = rises == (turn->sign > 0);
    turn->found = imp_flank_climb(&f);
    if (turn->found == IMP_TURN_LOST && f.drop <= turns->slack) {
        turns->n_rungs = f.first_rung;
    } else if (imp_search_grow(turns->plane->work, &turns->list, &turns->room, turns->n + 1,
                               sizeof *turn)) {
        turns->list[turns->n++] = *turn;
    }
}

/* The extremes of a chain that stand out by the least drop on both sides. */
static void search_chain(const imp_flank *f) {
    const imp_chain *chain = f->chain;
    int64_t n = (int64_t)chain->n, first = 0, best = 0;
    for (int64_t i = 1; chain->closed && i < n; i++) { /* a ring begins at its lowest place */
        first = height_of(f, i) < height_of(f, first) ? i : first;
    }
    double low = height_of(f, first), high = low;
    bool rises = false;
    for (int64_t i = first; i < first + n && !f->turns->plane->work->error; i++) {
        double x = height_of(f, i);
        if (!rises) {
            low = imp_smaller(x, low);
            rises = x - low > imp_least_drop;
            high = low;
        } else if (high - x > imp_least_drop) {
            try_spot(f, best);
            rises = false;
            low = x;
        }
        /* Of equal ones the same from both sides of the boundary. */
        bool same =
            x == high && imp_chain_spot(chain, i)->at[1] < imp_chain_spot(chain, best)->at[1];
        if (rises && (x > high || same)) {
            high = x;
            best = i;
        }
    }
}

/* Adds the extremes of the outline of a label. */
static void search_outline(imp_turns *turns, const imp_survey *survey, int label) {
    imp_outline outline;
    imp_search_check(turns->plane->work, imp_outline_of(survey, label, &outline));
    for (size_t i = 0; i < outline.n; i++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            imp_turn turn = {.label = label, .sign = sign, .reach = INFINITY};
            search_chain(&(imp_flank){.chain = &outline.chains[i], .turn = turn, .turns = turns});
        }
    }
    for (size_t i = 0; i < outline.n && survey->square.halvings > 0; i++) {
        note_chain(turns, &outline.chains[i], label);
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

static double side_of(const imp_plane *plane, int label) {
    return plane->sides ? label + 1 : plane->value[label];
}

/* Whether the inner value of an extreme is above it, too, about as close as below. */
static bool is_beyond(const imp_turns *turns, const imp_turn *turn) {
    enum { DOUBLINGS = 7, PARTS = 2 * DOUBLINGS + 1 };
    double way = 2 * imp_larger(fabs(turn->before), turn->aside);
    imp_spot spots[PARTS];
    int labels[PARTS];
    bool beyond = false;
    for (int i = 0; i < PARTS; i++, way *= i % 2 ? 0.5 : 1) {
        double across = i == PARTS - 1 ? 0 : i % 2 ? -way : way;
        spots[i] = (imp_spot){{turn->at[0] + turn->sign * turn->aside, turn->at[1] + across}};
    }
    imp_plane_labels(turns->plane, PARTS, spots, labels);
    for (int i = 0; i < PARTS; i++) {
        beyond = beyond || labels[i] == (turn->sign > 0 ? turn->below : turn->above);
    }
    return beyond;
}

/* Whether the sides of one come before those of the other. */
static bool comes_first(const imp_plane *plane, const imp_turn *one, const imp_turn *other) {
    double below = side_of(plane, one->below) - side_of(plane, other->below);
    double above = side_of(plane, one->above) - side_of(plane, other->above);
    return below < 0 || (below == 0 && above < 0);
}

/* Where several values meet each may have an extreme of its own at one place: told are the sides
 * of one whose inner value ends there, the first of these. */
static void choose_sides(const imp_turns *turns, imp_turn *kept, const imp_turn *other) {
    if (kept->below == other->below && kept->above == other->above) {
        return;
    }
    bool beyond = is_beyond(turns, kept), beyond_too = is_beyond(turns, other);
    if (beyond == beyond_too ? comes_first(turns->plane, other, kept) : beyond) {
        kept->below = other->below;
        kept->above = other->above;
        kept->aside = other->aside;
        kept->before = other->before;
    }
}

/* Whether two extremes are at one place, as far as their brackets tell. */
static bool are_one(const imp_turns *turns, const imp_turn *one, const imp_turn *other) {
    const double least[2] = {imp_larger(1e-10, 256 * turns->finest), 1e-6};
    bool same = one->sign == other->sign;
    for (int k = 0; k < 2; k++) {
        double most = imp_larger(least[k], one->error[k] + other->error[k]);
        same = same && fabs(one->at[k] - other->at[k]) < most;
    }
    return same;
}

/* Makes one of the extremes at one place; their number then. */
static size_t merge(const imp_turns *turns) {
    size_t kept = 0;
    for (size_t i = 0; i < turns->n; i++) {
        imp_turn turn = turns->list[i];
        bool known = turn.found != IMP_TURN_FOUND;
        for (size_t k = 0; k < kept && !known; k++) {
            imp_turn *other = &turns->list[k];
            known = are_one(turns, other, &turn);
            if (known) {
                choose_sides(turns, other, &turn);
            }
        }
        if (!known) {
            turns->list[kept++] = turn;
        }
    }
    return kept;
}

/* At how many places extremes were found. */
static int count(const imp_turns *turns) {
    int n = 0;
    for (size_t i = 0; i < turns->n; i++) {
        bool known = turns->list[i].found != IMP_TURN_FOUND;
        for (size_t k = 0; k < i && !known; k++) {
            known = turns->list[k].found == IMP_TURN_FOUND &&
                    are_one(turns, &turns->list[k], &turns->list[i]);
        }
        n += !known;
    }
    return n;
}

/* Sorts the extremes; those found as the extreme of two labels become one. */
static void finish(imp_turns *turns) {
    for (size_t i = 0; i < turns->n; i++) {
        turns->hidden += is_hidden(turns, &turns->list[i]);
    }
    if (turns->n > 0) {
        qsort(turns->list, turns->n, sizeof *turns->list, imp_by_place);
    }
    turns->n = merge(turns);
    free(turns->rungs);
    free(turns->lines);
    free(turns->squares);
    free(turns->seen);
    turns->rungs = NULL;
    turns->lines = NULL;
}

/* Goes through a survey. All boundaries of a set or a level are those of what is inside. */
static void find_in(void *context, const imp_survey *survey) {
    imp_turns *turns = context;
    imp_plane *plane = turns->plane;
    int first = plane->sides ? 1 : 0, n = plane->sides ? 2 : plane->n_values;
    turns->slack = survey->bracket;
    for (int label = first; label < n; label++) {
        search_outline(turns, survey, label);
    }
    plane->found = count(turns);
    if (survey->square.halvings > 0 &&
        imp_search_grow(plane->work, &turns->squares, &turns->square_room, turns->n_squares + 1,
                        sizeof *turns->squares)) {
        turns->squares[turns->n_squares++] = survey->square;
    }
}

static void find(imp_plane *plane, imp_survey *survey, imp_places *found) {
    imp_turns turns = {.plane = plane, .finest = imp_plane_finest(plane)};
    turns.hidden += !imp_plane_look_closer(plane, survey, find_in, &turns);
    imp_survey_sharpen(plane, survey);
    turns.near = 2 * survey->bracket;
    find_in(&turns, survey);
    finish(&turns);
    turns.hidden += plane->exhausted || imp_plane_is_tired(plane);
    *found = (imp_places){turns.list, turns.n, turns.hidden};
}

/* ---- results ---- */

static void put_turn(const imp_plane *plane, const void *list, int k) {
    const imp_turn *turn = (const imp_turn *)list + k;
    imp_search_work *w = plane->work;
    double low[2], high[2];
    for (int p = 0; p < 2; p++) {
        low[p] = imp_larger(turn->at[p] - turn->error[p], 0);
        high[p] = imp_smaller(turn->at[p] + turn->error[p], 1);
    }
    imp_plane_put_place(plane, k, turn->at, low, high);
    imp_search_put(w, plane->cell, IMP_FOUND_TURN, k, turn->sign > 0 ? LARGEST : SMALLEST);
    imp_search_put(w, plane->cell, IMP_FOUND_SIDE_BELOW, k, side_of(plane, turn->below));
    imp_search_put(w, plane->cell, IMP_FOUND_SIDE_ABOVE, k, side_of(plane, turn->above));
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    static const imp_plane_rule rule = {
        .find = find, .put = put_turn, .is_plain = imp_survey_is_plain};
    imp_plane_solve(w, &rule, n, outcome);
}

const imp_search_kind imp_search_turning = {
    .name = "turning",
    .looks_at = IMP_CATEGORY,
    .finds_roots = true,
    .takes_values = true,
    .takes_levels = true,
    .least_over = 2,
    .most_over = 2,
    .samples = 16,
    .passes = {{.first = 4, .bracket = 1.0 / 512, .bands = true},
               {.first = 4, .bracket = 1.0 / 512, .most = 800, .strips = 0.6}},
    .n_passes = 2,
    .closer = {.first = 2, .bracket = 1.0 / 4096, .unprobed = 2, .bands = true},
    .dear = 2000,
    .roots = 16,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
