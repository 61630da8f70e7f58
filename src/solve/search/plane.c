#include "solve/search/plane.h"

#include <float.h>
#include <math.h>

#include "grid/grid.h"
#include "num/larger.h"

/* The ends of the range are left out by this part of it: values at an end are often special, and
 * so is the mode there. */
static const double margin = 1.0 / (UINT64_C(1) << 48);
static const double bend = 0.0137;

const double imp_finest_change = 1.0 / (UINT64_C(1) << 49);

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

double imp_plane_finest(const imp_plane *plane) {
    double finest = imp_finest_change;
    for (int k = 0; k < 2; k++) {
        double from = imp_plane_value(plane, k, 0), to = imp_plane_value(plane, k, 1);
        double most = imp_larger(fabs(from), fabs(to));
        finest = imp_larger(finest, DBL_EPSILON * most / fabs(to - from));
    }
    return finest;
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

/* ---- nodes of the survey's lattice ---- */

double imp_survey_place(uint32_t position) {
    return position / (double)(UINT64_C(1) << 31);
}

imp_spot imp_survey_spot(const uint32_t *position) {
    return (imp_spot){{imp_survey_place(position[0]), imp_survey_place(position[1])}};
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

void imp_plane_node_labels(imp_plane *plane, size_t n, const uint32_t *keys, int *labels) {
    imp_nodes *m = &plane->nodes;
    imp_spot spots[IMP_PROBES_AT_ONCE];
    int fresh[IMP_PROBES_AT_ONCE];
    size_t first = m->keys.n;
    for (size_t i = 0; i < n; i++) {
        size_t before = m->keys.n;
        if (imp_key_set_add(&m->keys, keys + 2 * i) == before) {
            spots[before - first] = imp_survey_spot(keys + 2 * i);
        }
    }
    bool good = imp_search_grow(plane->work, &m->labels, &m->room, m->keys.n, sizeof *m->labels);
    if (good) {
        imp_plane_labels(plane, m->keys.n - first, spots, fresh);
    }
    for (size_t i = first; good && i < m->keys.n; i++) {
        m->labels[i] = (int8_t)fresh[i - first];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t known = good ? imp_key_set_find(&m->keys, keys + 2 * i) : IMP_KEY_NONE;
        labels[i] = known == IMP_KEY_NONE ? IMP_LABEL_FAILED : m->labels[known];
    }
}

void imp_plane_known_labels(imp_plane *plane, size_t n, const imp_spot *spots, int *labels) {
    uint32_t keys[2 * IMP_PROBES_AT_ONCE];
    bool nodes = true;
    for (size_t i = 0; i < n && nodes; i++) {
        nodes = find_key(&spots[i], keys + 2 * i);
    }
    if (nodes) {
        imp_plane_node_labels(plane, n, keys, labels);
    } else {
        imp_plane_labels(plane, n, spots, labels);
    }
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
