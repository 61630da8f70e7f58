/* Where three values or more of an output meet, over two parameters. */
#include <math.h>
#include <stdio.h>

#include "solve/search/meeting.h"

/* Outputs for the places found: what they hold is in imp_search_found. */
static void add_places(imp_search *s) {
    static const imp_search_found at[] = {IMP_FOUND_AT, IMP_FOUND_AT_SECOND};
    static const imp_search_found width[] = {IMP_FOUND_WIDTH, IMP_FOUND_WIDTH_SECOND};
    for (int k = 0; k < 2; k++) {
        const imp_parameter *over = s->plan.over[k].parameter;
        snprintf(s->at_name[k], sizeof s->at_name[k], "at_%s", over->name);
        snprintf(s->width_name[k], sizeof s->width_name[k], "at_%s_bracket", over->name);
        imp_output place = imp_search_place(over, s->at_name[k],
                                            "value of the searched parameter at the junction");
        place.label = imp_search_label(s->at_label[k], sizeof s->at_label[k], "", over->name,
                                       " of the junction");
        imp_search_add_list(s, at[k], "root_number", place);
        imp_search_add_list(
            s, width[k], "root_number",
            imp_search_place(over, s->width_name[k], "width of the bracket around the junction"));
    }
}

static void add_sectors(imp_search *s) {
    static const char *const names[IMP_MOST_SECTORS] = {"meets_1", "meets_2", "meets_3", "meets_4",
                                                        "meets_5", "meets_6", "meets_7", "meets_8"};
    imp_output of = s->plan.theory->outputs[s->plan.of];
    for (int i = 0; i < IMP_MOST_SECTORS; i++) {
        imp_output sector = of;
        sector.name = names[i];
        sector.label = NULL;
        sector.undefined_in = 0;
        sector.meaning = "value in one sector around the junction: counterclockwise with the first "
                         "parameter to the right and the second upward, the smallest code first";
        if (of.kind == IMP_CATEGORY) {
            sector.categories = imp_output_categories(s->plan.theory, &of, &sector.n_categories);
        }
        imp_search_add_list(s, (imp_search_found)(IMP_FOUND_SECTOR + i), "root_number", sector);
    }
    imp_search_add_list(s, IMP_FOUND_SECTORS, "root_number",
                        (imp_output){.name = "meets_count",
                                     .whole = true,
                                     .unit = "1",
                                     .meaning = "number of sectors around the junction"});
}

static void add_outputs(imp_search *s) {
    add_places(s);
    imp_search_add_count(s, "number of junctions found, including those that are not stored");
    add_sectors(s);
    imp_search_add_plane(s);
}

static void put_meeting(const imp_plane *plane, const imp_meeting *one, int k) {
    imp_search_work *w = plane->work;
    imp_search_spot spot = {plane->cell, k, {0}};
    for (int p = 0; p < 2; p++) {
        double low = imp_plane_value(plane, p, one->low[p]);
        double high = imp_plane_value(plane, p, one->high[p]);
        spot.at[p] = low + 0.5 * (high - low);
        imp_search_put(w, plane->cell, p ? IMP_FOUND_AT_SECOND : IMP_FOUND_AT, k, spot.at[p]);
        imp_search_put(w, plane->cell, p ? IMP_FOUND_WIDTH_SECOND : IMP_FOUND_WIDTH, k, high - low);
    }
    for (int i = 0; i < one->n_sectors && i < IMP_MOST_SECTORS; i++) {
        int label = one->sector[i];
        imp_search_put(w, plane->cell, (imp_search_found)(IMP_FOUND_SECTOR + i), k,
                       label >= 0 ? plane->value[label] : 0);
    }
    imp_search_put(w, plane->cell, IMP_FOUND_SECTORS, k, one->n_sectors);
    imp_search_put_others(w, &spot);
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
        imp_plane plane = {.work = w, .cell = w->first + (size_t)k};
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
    .roots = 32,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
