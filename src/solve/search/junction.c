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

static void put_meeting(const imp_plane *plane, const void *list, int k) {
    const imp_meeting *one = (const imp_meeting *)list + k;
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

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    static const imp_plane_rule rule = {
        .guess = imp_plane_guess_meetings, .find = imp_plane_meetings, .put = put_meeting};
    imp_plane_solve(w, &rule, n, outcome);
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
