#include "solve/search/plane.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "grid/grid.h"
#include "num/larger.h"

/* The ends of the range are left out by this part of it: values at an end are often special, and
 * so is the mode there. */
static const double margin = 1.0 / (UINT64_C(1) << 48);
static const double bend = 0.0137;

/* SHARED: tiles, see imp_search_pass. */
enum { MOST_POINTS = 400000, MOST_SQUARES = 128, SHARED = 12 };

/* Places are first solved with this part of a cell's budget; so many may have all of it. */
enum { BUDGET_PARTS = 8, MOST_DEAR = 64 };

imp_spot imp_spots_middle(imp_spot one, imp_spot other) {
    return (imp_spot){{0.5 * (one.at[0] + other.at[0]), 0.5 * (one.at[1] + other.at[1])}};
}

double imp_spots_distance(imp_spot one, imp_spot other) {
    return imp_larger(fabs(one.at[0] - other.at[0]), fabs(one.at[1] - other.at[1]));
}

int imp_by_place(const void *one, const void *other) {
    const double *a = one, *b = other;
    for (int k = 0; k < 2; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

double imp_plane_value(const imp_plane *plane, int k, double at) {
    const imp_over *over = &plane->work->search->plan.over[k];
    double bent = at + bend * at * (1 - at);
    return imp_spaced_value(over->from, over->to, margin + (1 - 2 * margin) * bent,
                            over->logarithmic);
}

static int label_of_value(imp_plane *plane, double value) {
    for (int i = 0; i < plane->n_values; i++) {
        if (plane->value[i] == value) {
            return i;
        }
    }
    if (isnan(value) || plane->n_values == IMP_MOST_LABELS) {
        return IMP_LABEL_FAILED;
    }
    plane->value[plane->n_values] = value;
    return plane->n_values++;
}

/* Below or from a level on; outside or in a set. */
static int side_of(const imp_plane *plane, double value) {
    const imp_search_plan *plan = &plane->work->search->plan;
    if (!imp_search_has_values(&plan->theory->outputs[plan->of])) {
        return isnan(value) ? IMP_LABEL_FAILED : value >= plan->value;
    }
    return imp_search_in_set(plan, value);
}

static int label_of(imp_plane *plane, size_t i, bool full) {
    const imp_search_work *w = plane->work;
    plane->first = plane->first ? plane->first : w->outcome[i];
    if (w->outcome[i] != IMP_SOLVED) {
        bool dear = w->outcome[i] == IMP_BUDGET && !full;
        return w->outcome[i] == IMP_OUTSIDE ? IMP_LABEL_OUTSIDE
               : dear                       ? IMP_LABEL_DEAR
                                            : IMP_LABEL_FAILED;
    }
    double value = w->measured[w->search->plan.of][i];
    plane->any = true;
    return plane->sides ? side_of(plane, value) : label_of_value(plane, value);
}

bool imp_plane_is_tired(const imp_plane *plane) {
    return plane->dear >= MOST_DEAR;
}

/* Solves the first n places of the workspace, and those that a part of the budget does not do once
 * more, with all of it. */
static void measure(imp_plane *plane, const imp_spot *spots, size_t n, int *labels) {
    imp_search_work *w = plane->work;
    for (int full = 0; full < 2; full++) {
        size_t count = 0, which[IMP_PROBES_AT_ONCE];
        for (size_t i = 0; i < n; i++) {
            if (!full || (labels[i] == IMP_LABEL_DEAR && plane->dear++ < MOST_DEAR)) {
                w->cell[count] = plane->cell;
                w->at[0][count] = imp_plane_value(plane, 0, spots[i].at[0]);
                w->at[1][count] = imp_plane_value(plane, 1, spots[i].at[1]);
                which[count++] = i;
            }
        }
        imp_search_measure(w, count, full ? 1 : BUDGET_PARTS);
        for (size_t k = 0; k < count; k++) {
            labels[which[k]] = label_of(plane, k, full);
        }
    }
}

void imp_plane_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels) {
    for (size_t done = 0; done < n; done += IMP_PROBES_AT_ONCE) {
        size_t count = n - done < IMP_PROBES_AT_ONCE ? n - done : IMP_PROBES_AT_ONCE;
        measure(plane, spots + done, count, labels + done);
        for (size_t i = done; i < done + count; i++) {
            plane->failed += labels[i] == IMP_LABEL_FAILED || labels[i] == IMP_LABEL_DEAR;
        }
    }
    plane->cells += (int64_t)n;
}

/* ---- results ---- */

void imp_plane_put_place(const imp_plane *plane, int k, const double *at, const double *low,
                         const double *high) {
    imp_search_work *w = plane->work;
    /* The ends and the place are off by their own rounding: without it a bracket might not hold the
     * exact place. */
    static const double rounding = 4 * DBL_EPSILON;
    imp_search_spot spot = {.cell = plane->cell, .k = k};
    for (int p = 0; p < 2; p++) {
        double first = imp_plane_value(plane, p, low[p]);
        double last = imp_plane_value(plane, p, high[p]);
        double width = last - first + rounding * imp_larger(fabs(first), fabs(last));
        spot.at[p] = imp_plane_value(plane, p, at[p]);
        imp_search_put(w, plane->cell, (imp_search_found)(IMP_FOUND_AT + p), k, spot.at[p]);
        imp_search_put(w, plane->cell, (imp_search_found)(IMP_FOUND_WIDTH + p), k, width);
    }
    imp_search_put_others(w, &spot);
}

void imp_plane_put(const imp_plane *plane, size_t n_found, int hidden) {
    const imp_search_work *w = plane->work;
    bool more = n_found > (size_t)w->search->plan.max_roots;
    imp_search_put(w, plane->cell, IMP_FOUND_COUNT, 0, (double)n_found);
    imp_search_put_flag(w, plane->cell, more, hidden > 0, plane->failed > 0, plane->outside);
    imp_search_put(w, plane->cell, IMP_FOUND_HIDDEN, 0, hidden);
    imp_search_put(w, plane->cell, IMP_FOUND_COST, 0, (double)plane->cells);
}

/* ---- the survey ---- */

double imp_survey_place(uint32_t position) {
    return position / (double)(UINT64_C(1) << 31);
}

imp_spot imp_survey_spot(const uint32_t *position) {
    return (imp_spot){{imp_survey_place(position[0]), imp_survey_place(position[1])}};
}

int imp_survey_label(const imp_survey *survey, uint32_t class) {
    return (int)imp_refine_class_at(survey->refinement, class)->value[0];
}

static imp_refine_plan plan_of(const imp_search_plan *search, const imp_search_pass *pass,
                               int halvings) {
    int most = search->over[0].samples > search->over[1].samples ? search->over[0].samples
                                                                 : search->over[1].samples;
    int base = halvings > 0 ? 2 : 1;
    while (halvings == 0 && 1 << base < most) {
        base++;
    }
    return (imp_refine_plan){.lattice = {.n_axes = 2},
                             .base = base,
                             .depth = base + pass->halvings,
                             .boundary = pass->bracket * (double)(1 << halvings),
                             .first = pass->first,
                             .rules = {{IMP_RULE_VALUE, 0, 0}},
                             .n_rules = 1,
                             .budget = MOST_POINTS};
}

/* Finds the labels of nodes that are not known yet. */
static bool remember(imp_plane *plane, const uint32_t *keys, size_t n) {
    imp_nodes *m = &plane->nodes;
    imp_spot spots[IMP_PROBES_AT_ONCE];
    int labels[IMP_PROBES_AT_ONCE];
    size_t first = m->keys.n;
    for (size_t i = 0; i < n; i++) {
        size_t before = m->keys.n;
        if (imp_key_set_add(&m->keys, keys + 2 * i) == before) {
            spots[before - first] = imp_survey_spot(keys + 2 * i);
        }
    }
    if (!imp_search_grow(plane->work, &m->labels, &m->room, m->keys.n, sizeof *m->labels)) {
        return false;
    }
    imp_plane_labels(plane, m->keys.n - first, spots, labels);
    for (size_t i = first; i < m->keys.n; i++) {
        m->labels[i] = (int8_t)labels[i - first];
    }
    return true;
}

/* Whether a place is a node of the lattice; its position. */
static bool find_key(const imp_spot *spot, uint32_t *key) {
    static const double units = (double)(UINT64_C(1) << 31);
    for (int k = 0; k < 2; k++) {
        key[k] = (uint32_t)(spot->at[k] * units);
        if (imp_survey_place(key[k]) != spot->at[k]) {
            return false;
        }
    }
    return true;
}

void imp_plane_known_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels) {
    for (size_t i = 0; i < n; i++) {
        uint32_t key[2];
        if (!find_key(&spots[i], key)) {
            imp_plane_labels(plane, n, spots, labels);
            return;
        }
    }
    for (size_t done = 0; done < n; done += IMP_PROBES_AT_ONCE) {
        uint32_t keys[2 * IMP_PROBES_AT_ONCE];
        size_t count = n - done < IMP_PROBES_AT_ONCE ? n - done : IMP_PROBES_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            find_key(&spots[done + i], keys + 2 * i);
        }
        bool good = remember(plane, keys, count);
        for (size_t i = 0; i < count; i++) {
            uint32_t known =
                good ? imp_key_set_find(&plane->nodes.keys, keys + 2 * i) : IMP_KEY_NONE;
            labels[done + i] =
                known == IMP_KEY_NONE ? IMP_LABEL_FAILED : plane->nodes.labels[known];
        }
    }
}

/* Turns positions on the lattice of a square into those of the rectangle. */
static void place_in(const imp_square *square, const uint32_t *from, uint32_t *to) {
    for (int k = 0; k < 2; k++) {
        to[k] = square->low[k] + (from[k] >> square->halvings);
    }
}

/* Solves a round in parts and tells the results. */
static imp_err tell(imp_plane *plane, imp_survey *survey, const imp_refine_round *round) {
    double values[IMP_PROBES_AT_ONCE];
    uint8_t solved[IMP_PROBES_AT_ONCE];
    uint32_t keys[2 * IMP_PROBES_AT_ONCE];
    imp_err error = IMP_OK;
    int64_t outside = 0;
    memset(solved, IMP_SOLVED, sizeof solved);
    for (size_t done = 0; !error && done < round->n; done += IMP_PROBES_AT_ONCE) {
        size_t n = round->n - done < IMP_PROBES_AT_ONCE ? round->n - done : IMP_PROBES_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            place_in(&survey->square, round->keys + 2 * (done + i), keys + 2 * i);
        }
        if (!remember(plane, keys, n)) {
            return IMP_ERR_MEMORY;
        }
        for (size_t i = 0; i < n; i++) {
            uint32_t known = imp_key_set_find(&plane->nodes.keys, keys + 2 * i);
            values[i] = known == IMP_KEY_NONE ? IMP_LABEL_FAILED : plane->nodes.labels[known];
            outside += values[i] == IMP_LABEL_OUTSIDE;
        }
        error =
            imp_refine_tell(survey->refinement, round->first + (int64_t)done, n, solved, values);
    }
    if (round->first == 0 && survey->square.halvings == 0) {
        plane->outside = (double)outside / (double)round->n;
    }
    return error;
}

/* Turns the places of a result into those of the rectangle. */
static void place_result(imp_survey *survey) {
    for (int64_t i = 0; i < survey->result.n_crossings; i++) {
        imp_crossing *one = &survey->result.crossings[i];
        place_in(&survey->square, one->low, one->low);
        place_in(&survey->square, one->high, one->high);
    }
    for (int64_t i = 0; i < survey->result.n_junctions; i++) {
        imp_junction *one = &survey->result.junctions[i];
        place_in(&survey->square, one->low, one->low);
        place_in(&survey->square, one->high, one->high);
    }
}

/* Follows all boundaries of the square of a survey; false after an error. */
static bool go_over(imp_plane *plane, const imp_search_pass *pass, imp_survey *survey) {
    imp_refine_plan plan = plan_of(&plane->work->search->plan, pass, survey->square.halvings);
    imp_refine_round round;
    imp_err error = imp_refine_open(&plan, &survey->refinement);
    survey->bracket = pass->bracket;
    do {
        error = error ? error : imp_refine_next(survey->refinement, &round);
        error = error || round.n == 0 ? error : tell(plane, survey, &round);
    } while (!error && !plane->work->error && round.n > 0);
    error = error ? error : imp_refine_result_of(survey->refinement, &survey->result);
    plane->work->error = plane->work->error ? plane->work->error : error;
    if (plane->work->error) {
        return false;
    }
    plane->exhausted |= imp_refine_state_of(survey->refinement) == IMP_REFINE_BUDGET;
    place_result(survey);
    return true;
}

int imp_survey_crowded(const imp_survey *survey) {
    enum { SHIFT = 23, TILES = 1 << 8, WORD = 64 }; /* the lattice has 2^31 units along each side */
    uint64_t seen[TILES][TILES / WORD] = {{0}};
    int n = 0;
    for (int64_t i = 0; i < survey->result.n_junctions; i++) {
        const imp_junction *box = &survey->result.junctions[i];
        int x = (int)(box->low[0] >> SHIFT) % TILES, y = (int)(box->low[1] >> SHIFT) % TILES;
        uint64_t bit = UINT64_C(1) << y % WORD, *word = &seen[x][y / WORD];
        if (box->n_classes > 2) {
            n += !(*word & bit);
            *word |= bit;
        }
    }
    return n;
}

int imp_plane_guess(imp_plane *plane, const imp_survey *survey) {
    if (plane->guessed == 0 && plane->guess) {
        plane->guessed = 1 + plane->guess(plane, survey);
    }
    return plane->guessed > 0 ? plane->guessed - 1 : 0;
}

int64_t imp_plane_most(imp_plane *plane, const imp_search_pass *pass, const imp_survey *survey) {
    int shares = imp_survey_crowded(survey) / SHARED;
    bool none = shares > 0 && plane->guess && imp_plane_guess(plane, survey) == 0;
    return pass->most * (none ? 1 : 1 + shares);
}

bool imp_plane_survey(imp_plane *plane, imp_survey *survey) {
    const imp_search_kind *kind = plane->work->search->plan.kind;
    plane->nodes = (imp_nodes){.keys = imp_key_set_of(2)};
    *survey = (imp_survey){.bracket = 0};
    bool good = go_over(plane, &kind->passes[0], survey);
    for (int p = 1; good && p < kind->n_passes; p++) {
        if (plane->cells > imp_plane_most(plane, &kind->passes[p], survey)) {
            break;
        }
        imp_survey_free(survey);
        plane->exhausted = false;
        good = go_over(plane, &kind->passes[p], survey);
    }
    return good;
}

/* The square around a box of a survey, which is in its middle half. */
static imp_square square_around(const imp_junction *box) {
    enum { HALVINGS = 5, BITS = 31 };
    const uint32_t size = UINT32_C(1) << (BITS - HALVINGS), last = (UINT32_C(1) << BITS) - size;
    imp_square square = {.halvings = HALVINGS};
    for (int k = 0; k < 2; k++) {
        uint32_t middle = box->low[k] / 2 + box->high[k] / 2 + size / 4;
        uint32_t low = middle > size / 2 ? (middle - size / 2) / (size / 2) * (size / 2) : 0;
        square.low[k] = low < last ? low : last;
    }
    return square;
}

/* Whether no more squares are looked at, for what the search has cost. */
static bool is_too_dear(imp_plane *plane, const imp_survey *survey) {
    const imp_search_pass *pass = &plane->work->search->plan.kind->closer;
    if (pass->most == 0 || plane->cells <= pass->most) {
        return false;
    }
    int guess = imp_plane_guess(plane, survey);
    int64_t most = imp_plane_most(plane, pass, survey);
    most = most > pass->most * guess ? most : pass->most * guess;
    return guess == 0 || plane->cells > most + most / 8;
}

bool imp_plane_look_closer(imp_plane *plane, const imp_survey *survey, imp_square_look *look,
                           void *context) {
    size_t n = 0;
    imp_square done[MOST_SQUARES];
    for (int64_t i = 0; i < survey->result.n_junctions && !plane->work->error; i++) {
        imp_square square = square_around(&survey->result.junctions[i]);
        bool known = false;
        for (size_t k = 0; k < n; k++) {
            known = known || memcmp(done[k].low, square.low, sizeof square.low) == 0;
        }
        if (known || imp_plane_is_tired(plane)) {
            continue;
        }
        if (n == MOST_SQUARES || is_too_dear(plane, survey)) {
            return false;
        }
        done[n++] = square;
        imp_survey closer = {.square = square};
        if (go_over(plane, &plane->work->search->plan.kind->closer, &closer)) {
            look(context, &closer);
        }
        imp_survey_free(&closer);
    }
    return true;
}

bool imp_survey_is_edge(const imp_survey *survey, imp_spot spot) {
    double size = 1.0 / (double)(UINT64_C(1) << survey->square.halvings);
    bool edge = false;
    for (int k = 0; k < 2; k++) {
        double low = imp_survey_place(survey->square.low[k]);
        edge = edge || spot.at[k] == low || spot.at[k] == low + size;
    }
    return edge;
}

void imp_survey_free(imp_survey *survey) {
    imp_refine_result_free(&survey->result);
    imp_refine_close(&survey->refinement);
}

void imp_plane_forget(imp_plane *plane) {
    imp_key_set_free(&plane->nodes.keys);
    free(plane->nodes.labels);
    plane->nodes.labels = NULL;
}
