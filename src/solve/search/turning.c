/* Where a boundary turns back in the first parameter. */
#include <math.h>
#include <stdio.h>

#include "num/larger.h"
#include "solve/search/summit.h"

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

static double side_of(const imp_plane *plane, int label) {
    return plane->sides ? label + 1 : plane->value[label];
}

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

/* All boundaries of a set or a level are those of what is inside. */
static void find_in(imp_plane *plane, const imp_survey *survey, imp_turns *turns) {
    int first = plane->sides ? 1 : 0, n = plane->sides ? 2 : plane->n_values;
    turns->slack = survey->bracket;
    for (int label = first; label < n; label++) {
        imp_turns_of_label(plane, survey, label, turns);
    }
}

typedef struct seeker {
    imp_plane *plane;
    imp_turns *turns;
} seeker;

static void find_in_square(void *context, const imp_survey *closer) {
    const seeker *s = context;
    find_in(s->plane, closer, s->turns);
}

static void find(imp_plane *plane, imp_survey *survey, imp_places *found) {
    imp_turns turns = {.n = 0};
    seeker s = {.plane = plane, .turns = &turns};
    turns.hidden += !imp_plane_look_closer(plane, survey, find_in_square, &s);
    imp_survey_sharpen(plane, survey);
    turns.near = 2 * survey->bracket;
    find_in(plane, survey, &turns);
    imp_turns_finish(&turns);
    turns.hidden += plane->exhausted || imp_plane_is_tired(plane);
    *found = (imp_places){turns.list, turns.n, turns.hidden};
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    static const imp_plane_rule rule = {.find = find, .put = put_turn};
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
    .passes = {{.first = 4, .bracket = 1.0 / 512}},
    .n_passes = 1,
    .closer = {.first = 2, .bracket = 1.0 / 4096},
    .roots = 16,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
