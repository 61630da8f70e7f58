#include "solve/search/plane.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "grid/grid.h"

/* The ends of the range are left out by this part of it: values at an end are often special, and
 * so is the mode there. */
static const double margin = 1.0 / (UINT64_C(1) << 48);
static const double bend = 0.0137;

/* Of the survey: the finest cells are so many halvings below the base, brackets have this width,
 * and more points are not spent. */
enum { HALVINGS = 3, MOST_POINTS = 400000 };
static const double bracket = 1.0 / 4096;

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

static int label_of(imp_plane *plane, size_t i) {
    const imp_search_work *w = plane->work;
    if (w->outcome[i] != IMP_SOLVED) {
        plane->failed += w->outcome[i] != IMP_OUTSIDE;
        return w->outcome[i] == IMP_OUTSIDE ? IMP_LABEL_OUTSIDE : IMP_LABEL_FAILED;
    }
    plane->any = true;
    double value = w->measured[w->search->plan.of][i];
    return plane->sides ? side_of(plane, value) : label_of_value(plane, value);
}

void imp_plane_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels) {
    imp_search_work *w = plane->work;
    for (size_t done = 0; done < n; done += IMP_PROBES_AT_ONCE) {
        size_t count = n - done < IMP_PROBES_AT_ONCE ? n - done : IMP_PROBES_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            w->cell[i] = plane->cell;
            for (int k = 0; k < 2; k++) {
                w->at[k][i] = imp_plane_value(plane, k, spots[done + i].at[k]);
            }
        }
        imp_search_measure(w, count);
        plane->first = plane->cells + (int64_t)done > 0 ? plane->first : w->outcome[0];
        for (size_t i = 0; i < count; i++) {
            labels[done + i] = label_of(plane, i);
        }
    }
    plane->cells += (int64_t)n;
}

/* ---- outputs ---- */

void imp_search_add_plane(imp_search *s) {
    imp_search_add_flag(s);
    imp_search_add(s, IMP_FOUND_HIDDEN,
                   (imp_output){.name = "hidden",
                                .whole = true,
                                .unit = "1",
                                .meaning = "number of places where something may be hidden: dust, "
                                           "strips narrower than the search resolves"});
    imp_search_add(s, IMP_FOUND_COST,
                   (imp_output){.name = "search_cells",
                                .whole = true,
                                .unit = "1",
                                .meaning = "cells of the theory that the search solved"});
    imp_search_add_outside(s);
}

void imp_plane_put(const imp_plane *plane, size_t n_found, int hidden) {
    const imp_search_work *w = plane->work;
    bool more = n_found > (size_t)w->search->plan.max_roots;
    int flag = 1 + more + 2 * (hidden > 0) + 4 * (plane->failed > 0) + 8 * (plane->outside > 0);
    imp_search_put(w, plane->cell, IMP_FOUND_COUNT, 0, (double)n_found);
    imp_search_put(w, plane->cell, IMP_FOUND_FLAG, 0, flag);
    imp_search_put(w, plane->cell, IMP_FOUND_HIDDEN, 0, hidden);
    imp_search_put(w, plane->cell, IMP_FOUND_COST, 0, (double)plane->cells);
    imp_search_put(w, plane->cell, IMP_FOUND_OUTSIDE, 0, plane->outside);
}

/* ---- the survey ---- */

double imp_survey_place(uint32_t position) {
    return position / (double)(UINT64_C(1) << 31);
}

int imp_survey_label(const imp_survey *survey, uint32_t class) {
    return (int)imp_refine_class_at(survey->refinement, class)->value[0];
}

static imp_refine_plan plan_of(const imp_search_plan *search) {
    int most = search->over[0].samples > search->over[1].samples ? search->over[0].samples
                                                                 : search->over[1].samples;
    int base = 1;
    while (1 << base < most) {
        base++;
    }
    return (imp_refine_plan){.lattice = {.n_axes = 2},
                             .base = base,
                             .depth = base + HALVINGS,
                             .boundary = bracket,
                             .rules = {{IMP_RULE_VALUE, 0, 0}},
                             .n_rules = 1,
                             .budget = MOST_POINTS};
}

/* Solves a round in parts and tells the results. */
static imp_err tell(imp_plane *plane, imp_refinement *refinement, const imp_refine_round *round) {
    imp_spot spots[IMP_PROBES_AT_ONCE];
    int labels[IMP_PROBES_AT_ONCE];
    double values[IMP_PROBES_AT_ONCE];
    uint8_t solved[IMP_PROBES_AT_ONCE];
    imp_err error = IMP_OK;
    int64_t outside = 0;
    memset(solved, IMP_SOLVED, sizeof solved);
    for (size_t done = 0; !error && done < round->n; done += IMP_PROBES_AT_ONCE) {
        size_t n = round->n - done < IMP_PROBES_AT_ONCE ? round->n - done : IMP_PROBES_AT_ONCE;
        for (size_t i = 0; i < n; i++) {
            const uint32_t *key = round->keys + 2 * (done + i);
            spots[i] = (imp_spot){{imp_survey_place(key[0]), imp_survey_place(key[1])}};
        }
        imp_plane_labels(plane, n, spots, labels);
        for (size_t i = 0; i < n; i++) {
            values[i] = labels[i];
            outside += labels[i] == IMP_LABEL_OUTSIDE;
        }
        error = imp_refine_tell(refinement, round->first + (int64_t)done, n, solved, values);
    }
    if (round->first == 0) {
        plane->outside = (double)outside / (double)round->n;
    }
    return error;
}

bool imp_plane_survey(imp_plane *plane, imp_survey *survey) {
    imp_refine_plan plan = plan_of(&plane->work->search->plan);
    imp_refine_round round;
    *survey = (imp_survey){.refinement = NULL};
    imp_err error = imp_refine_open(&plan, &survey->refinement);
    do {
        error = error ? error : imp_refine_next(survey->refinement, &round);
        error = error || round.n == 0 ? error : tell(plane, survey->refinement, &round);
    } while (!error && !plane->work->error && round.n > 0);
    if (!error && !plane->work->error) {
        plane->exhausted = imp_refine_state_of(survey->refinement) == IMP_REFINE_BUDGET;
        error = imp_refine_result_of(survey->refinement, &survey->result);
    }
    plane->work->error = plane->work->error ? plane->work->error : error;
    return !plane->work->error;
}

void imp_survey_free(imp_survey *survey) {
    imp_refine_result_free(&survey->result);
    imp_refine_close(&survey->refinement);
}
