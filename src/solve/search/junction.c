/* Where three values or more of an output meet, over two parameters. */
#include "solve/search/meeting.h"

static void add_sectors(imp_search *s) {
    static const char *const names[IMP_MOST_SECTORS] = {"meets_1", "meets_2", "meets_3", "meets_4",
                                                        "meets_5", "meets_6", "meets_7", "meets_8"};
    for (int i = 0; i < IMP_MOST_SECTORS; i++) {
        imp_search_add_list(
            s, (imp_search_found)(IMP_FOUND_SECTOR + i),
            imp_search_value(
                s, names[i],
                "value in one sector around the junction: counterclockwise with the "
                "first parameter to the right and the second upward, the smallest code "
                "first"));
    }
    imp_search_add_list(s, IMP_FOUND_SECTORS,
                        imp_search_number("meets_count", "number of sectors around the junction"));
}

static void add_outputs(imp_search *s) {
    imp_search_add_places(s, " of the junction");
    imp_search_add_count(s, "number of junctions found, including those that are not stored");
    add_sectors(s);
    imp_search_add_plane(s);
}

static void put_meeting(const imp_plane *plane, const imp_meeting *one, int k) {
    imp_search_work *w = plane->work;
    double middle[2];
    for (int p = 0; p < 2; p++) {
        middle[p] = one->extent.low[p] + 0.5 * (one->extent.high[p] - one->extent.low[p]);
    }
    imp_plane_put_place(plane, k, middle, one->extent.low, one->extent.high);
    for (int i = 0; i < one->n_sectors && i < IMP_MOST_SECTORS; i++) {
        int label = one->sector[i];
        imp_search_put(w, plane->cell, (imp_search_found)(IMP_FOUND_SECTOR + i), k,
                       label >= 0 ? plane->value[label] : 0);
    }
    imp_search_put(w, plane->cell, IMP_FOUND_SECTORS, k, one->n_sectors);
}

static void solve_cell(imp_plane *plane, uint8_t *outcome) {
    imp_search_work *w = plane->work;
    imp_survey survey;
    imp_meetings found = {.n = 0};
    int most = w->search->plan.max_roots;
    if (imp_plane_survey(plane, &survey)) {
        imp_plane_meetings(plane, &survey, &found);
    }
    imp_survey_free(&survey);
    imp_plane_forget(plane);
    *outcome = plane->any ? IMP_SOLVED : plane->first;
    for (size_t k = 0; !w->error && plane->any && k < found.n && k < (size_t)most; k++) {
        put_meeting(plane, &found.list[k], (int)k);
    }
    if (!w->error && plane->any) {
        imp_plane_put(plane, found.n, found.hidden);
    }
    imp_meetings_free(&found);
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    for (int k = 0; k < n && !w->error; k++) {
        imp_plane plane = {
            .work = w, .cell = w->first + (size_t)k, .guess = imp_plane_guess_meetings};
        solve_cell(&plane, &outcome[k]);
    }
}

const imp_search_kind imp_search_junction = {
    .name = "junction",
    .looks_at = IMP_CATEGORY,
    .finds_roots = true,
    .takes_values = true,
    .least_over = 2,
    .most_over = 2,
    .samples = 64,
    .passes = {{.halvings = 1, .bracket = 1.0 / 1024},
               {.halvings = 2, .bracket = 1.0 / 1024, .most = 9000},
               {.halvings = 3, .bracket = 1.0 / 1024, .most = 9500}},
    .n_passes = 3,
    .closer = {.halvings = 3, .first = 3, .bracket = 1.0 / 4096, .most = 14000},
    .between = {.halvings = 3, .most = 15000},
    .roots = 32,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
