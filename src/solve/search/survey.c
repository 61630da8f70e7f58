/* The boundaries of a plane: passes over the rectangle, and squares that are looked at closer. */
#include <stdlib.h>
#include <string.h>

#include "num/larger.h"
#include "solve/search/plane.h"

/* SHARED: tiles, see imp_search_pass. */
enum { MOST_POINTS = 400000, MOST_SQUARES = 128, SHARED = 12 };

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
                             .bands = pass->bands,
                             .boundary = pass->bracket * (double)(1 << halvings),
                             .first = pass->first,
                             .unprobed = pass->unprobed,
                             .rules = {{IMP_RULE_VALUE, 0, 0}},
                             .n_rules = 1,
                             .budget = MOST_POINTS};
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
    int labels[IMP_PROBES_AT_ONCE];
    imp_err error = IMP_OK;
    int64_t outside = 0;
    memset(solved, IMP_SOLVED, sizeof solved);
    for (size_t done = 0; !error && done < round->n; done += IMP_PROBES_AT_ONCE) {
        size_t n = round->n - done < IMP_PROBES_AT_ONCE ? round->n - done : IMP_PROBES_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            place_in(&survey->square, round->keys + 2 * (done + i), keys + 2 * i);
        }
        imp_plane_node_labels(plane, n, keys, labels);
        for (size_t i = 0; i < n; i++) {
            values[i] = labels[i];
            outside += labels[i] == IMP_LABEL_OUTSIDE;
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

static void end_survey(imp_survey *survey) {
    imp_refine_result_free(&survey->result);
    imp_refine_close(&survey->refinement);
}

/* Follows all boundaries of the square of a survey; false after an error. */
static bool go_over(imp_plane *plane, const imp_search_pass *pass, imp_survey *survey) {
    imp_refine_plan plan = plan_of(&plane->work->search->plan, pass, survey->square.halvings);
    imp_refine_round round;
    imp_err error = imp_refine_open(&plan, &survey->refinement);
    survey->bracket = pass->bracket;
    survey->bands = pass->bands;
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
    if (plane->guessed == 0 && plane->rule->guess) {
        plane->guessed = 1 + plane->rule->guess(plane, survey);
    }
    return plane->guessed > 0 ? plane->guessed - 1 : 0;
}

int64_t imp_plane_most(imp_plane *plane, const imp_search_pass *pass, const imp_survey *survey) {
    int shares = imp_survey_crowded(survey) / SHARED;
    bool none = shares > 0 && plane->rule->guess && imp_plane_guess(plane, survey) == 0;
    return pass->most * (none ? 1 : 1 + shares);
}

/* Whether a pass without bands is left out for what it would take along strips, or as it would see
 * nothing more: beside a strip that is not alone between two values there is another one, or one
 * region. */
static bool is_without_use(const imp_plane *plane, const imp_search_pass *pass,
                           const double *stretch) {
    /* Of a stretch of a strip as long as it is wide. Those that are not alone would have taken most
     * of them in the survey at hand, if they did not cross its cells. */
    static const double cells[2] = {5, 5.0 / 3}, few = 100;
    double most = pass->strips * (double)(plane->cells - pass->most);
    bool none_alone = stretch[0] == 0 && stretch[1] > 0;
    double all = cells[0] * stretch[0] + cells[1] * stretch[1];
    return none_alone || all > imp_larger(most, few);
}

/* Whether a pass is left out. */
static bool is_left_out(imp_plane *plane, const imp_search_pass *pass, const imp_survey *survey) {
    return pass->strips > 0 ? is_without_use(plane, pass, survey->result.stretch)
                            : plane->cells > imp_plane_most(plane, pass, survey);
}

/* Goes over the rectangle in passes; false after an error. The caller ends the survey. */
static bool follow_all(imp_plane *plane, imp_survey *survey) {
    const imp_search_kind *kind = plane->work->search->plan.kind;
    *survey = (imp_survey){.bracket = 0};
    bool good = go_over(plane, &kind->passes[0], survey);
    for (int p = 1; good && p < kind->n_passes; p++) {
        if (is_left_out(plane, &kind->passes[p], survey)) {
            break;
        }
        end_survey(survey);
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

static bool is_dear(const imp_plane *plane) {
    int64_t places = plane->found > 1 ? plane->found : 1;
    return plane->cells > plane->work->search->plan.kind->dear * places;
}

static void look_into(imp_plane *plane, const imp_survey *survey, imp_square square,
                      imp_square_look *look, void *context) {
    imp_search_pass pass = plane->work->search->plan.kind->closer;
    imp_survey closer = {.square = square};
    pass.bands = pass.bands && (survey->bands || is_dear(plane));
    if (go_over(plane, &pass, &closer)) {
        look(context, &closer);
    }
    end_survey(&closer);
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
        if (plane->rule->is_plain &&
            plane->rule->is_plain(plane, survey, &survey->result.junctions[i], &square)) {
            continue;
        }
        look_into(plane, survey, square, look, context);
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

void imp_plane_solve(imp_search_work *w, const imp_plane_rule *rule, int n, uint8_t *outcome) {
    const imp_search_plan *plan = &w->search->plan;
    const imp_output *of = &plan->theory->outputs[plan->of];
    for (int k = 0; k < n && !w->error; k++) {
        imp_plane plane = {.work = w,
                           .cell = w->first + (size_t)k,
                           .rule = rule,
                           .nodes = {.keys = imp_key_set_of(2)}};
        plane.sides = plan->kind->takes_levels && (plan->inside || !imp_search_has_values(of));
        imp_survey survey;
        imp_places found = {.n = 0};
        if (follow_all(&plane, &survey)) {
            rule->find(&plane, &survey, &found);
        }
        end_survey(&survey);
        imp_key_set_free(&plane.nodes.keys);
        free(plane.nodes.labels);
        outcome[k] = plane.any ? IMP_SOLVED : plane.first;
        bool puts = plane.any && !w->error;
        for (size_t i = 0; puts && i < found.n && i < (size_t)plan->max_roots; i++) {
            rule->put(&plane, found.list, (int)i);
        }
        if (puts) {
            imp_plane_put(&plane, found.n, found.hidden);
        }
        free(found.list);
    }
}
