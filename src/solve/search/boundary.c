/* Where a category enters or leaves a set of its codes. */
#include <math.h>

#include "solve/search/search_impl.h"

static bool is_inside(const void *context, const imp_probe *probe) {
    const imp_search_work *w = context;
    int code = imp_search_code_at(w, probe);
    return code >= 0 && (w->search->plan.inside >> code & 1);
}

static bool find(imp_search_work *w, int n) {
    for (int k = 0; k < n; k++) {
        w->n_crossings[k] =
            imp_scan_boundaries(&w->scan[0], k, is_inside, w, w->crossing[k], 2 * IMP_MAX_ROOTS);
    }
    return true;
}

static bool takes_above(const imp_search_work *w, const imp_scan_crossing *c) {
    return is_inside(w, &c->above);
}

static int side(const imp_search_work *w, const imp_scan_crossing *c) {
    return is_inside(w, &c->above) ? IMP_SIDE_ENTERS : IMP_SIDE_LEAVES;
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    static const imp_root_rule rule = {.find = find, .takes_above = takes_above, .side = side};
    imp_search_solve_roots(w, &rule, NAN, n, outcome);
}

static void add_outputs(imp_search *s) {
    imp_search_add_roots(s,
                         "value of the searched parameter at which the category enters or leaves "
                         "the set, on the inner side",
                         " of the boundary");
}

const imp_search_kind imp_search_boundary = {
    .name = "boundary",
    .looks_at = IMP_CATEGORY,
    .needs_set = true,
    .finds_roots = true,
    .least_over = 1,
    .most_over = 1,
    .samples = 128,
    .roots = 4,
    .tolerance = 1e-12,
    .add_outputs = add_outputs,
    .solve = solve,
};
