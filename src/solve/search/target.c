/* Where a real output takes a value. */
#include <math.h>

#include "solve/search/search_impl.h"

static bool find(imp_search_work *w, int n) {
    (void)n; /* the scan knows its lines */
    return imp_scan_targets(&w->scan[0], w->search->plan.value, w->crossing[0], 2 * IMP_MAX_ROOTS,
                            w->n_crossings);
}

static bool takes_above(const imp_search_work *w, const imp_scan_crossing *c) {
    double aim = w->search->plan.value;
    return fabs(c->above.value - aim) < fabs(c->below.value - aim);
}

static int side(const imp_search_work *w, const imp_scan_crossing *c) {
    return c->above.value >= w->search->plan.value ? IMP_SIDE_RISES : IMP_SIDE_FALLS;
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    const imp_root_rule rule = {
        .find = find, .takes_above = takes_above, .side = side, .leaps = !w->search->plan.steps};
    imp_search_solve_roots(w, &rule, w->search->plan.value, n, outcome);
}

static void add_outputs(imp_search *s) {
    imp_search_add_roots(s,
                         "value of the searched parameter at which the output has the target value",
                         " of the root");
    imp_search_add_list(
        s, IMP_FOUND_JUMP, "jump_number",
        imp_search_place(
            s, 0, "jump",
            "value of the searched parameter at which the output leaps over the target value"));
    imp_search_add(
        s, IMP_FOUND_JUMP_COUNT,
        (imp_output){.name = "jump_count",
                     .whole = true,
                     .unit = "1",
                     .meaning = "number of leaps found, including those that are not stored"});
}

const imp_search_kind imp_search_target = {
    .name = "target",
    .looks_at = IMP_REAL,
    .needs_value = true,
    .finds_roots = true,
    .least_over = 1,
    .most_over = 1,
    .samples = 128,
    .roots = 4,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
