/* Searches along lines for roots: where a category enters or leaves a set of its codes, or where a
 * real output takes a value. */
#include <math.h>

#include "base/tables.h"
#include "solve/search/search_impl.h"

/* Codes of root_side in files: append only. */
enum { ENTERS = 1, LEAVES, RISES, FALLS, STAYS };

static const imp_mode sides[] = {
    {ENTERS, "enters", "above the root the category is in the set"},
    {LEAVES, "leaves", "below the root the category is in the set"},
    {RISES, "rises", "the output rises to the value, above it, or from it"},
    {FALLS, "falls", "the output falls to the value, below it, or from it"},
    {STAYS, "stays", "the output has the value up to an end of the range or of its domain"},
};

static bool is_inside(const void *context, const imp_probe *probe) {
    const imp_search_work *w = context;
    int code = imp_search_code_at(w, probe);
    return code >= 0 && (w->search->plan.inside >> code & 1);
}

/* Finds the crossings of n lines; false if memory is out. */
static bool find(imp_search_work *w, int n) {
    enum { MOST = 2 * IMP_MAX_ROOTS };
    const imp_search_plan *plan = &w->search->plan;
    imp_scan *scan = &w->scan[0];
    imp_scan_interval interval = imp_search_interval(w, 0);
    if (!imp_scan_look(scan, &interval, n, plan->kind->needs_set ? (double)NAN : plan->value)) {
        return false;
    }
    if (plan->kind->needs_value) {
        return imp_scan_targets(scan, plan->value, plan->steps, w->crossing[0], MOST,
                                w->n_crossings);
    }
    for (int k = 0; k < n; k++) {
        w->n_crossings[k] = imp_scan_boundaries(scan, k, is_inside, w, w->crossing[k], MOST);
    }
    return true;
}

/* The end at which the theory's outputs are stored: inside, or closer to the value. */
static const imp_probe *end_of(const imp_search_work *w, const imp_scan_crossing *c) {
    const imp_search_plan *plan = &w->search->plan;
    bool closer = fabs(c->above.value - plan->value) < fabs(c->below.value - plan->value);
    bool above = plan->kind->needs_set ? is_inside(w, &c->above) : closer;
    return above ? &c->above : &c->below;
}

static int side_of(const imp_search_work *w, const imp_scan_crossing *c) {
    if (w->search->plan.kind->needs_set) {
        return is_inside(w, &c->above) ? ENTERS : LEAVES;
    }
    if (c->below.x == c->above.x) {
        return STAYS;
    }
    return c->below.value < c->above.value ? RISES : FALLS;
}

static void put_root(imp_search_work *w, size_t cell, int k, const imp_scan_crossing *c) {
    double at = end_of(w, c)->x;
    imp_search_put(w, cell, IMP_FOUND_ROOT, k, at);
    imp_search_put(w, cell, IMP_FOUND_SIDE, k, side_of(w, c));
    imp_search_put(w, cell, IMP_FOUND_BRACKET, k, c->above.x - c->below.x);
    imp_search_put(w, cell, IMP_FOUND_BELOW, k, imp_search_mode(w, &c->below));
    imp_search_put(w, cell, IMP_FOUND_ABOVE, k, imp_search_mode(w, &c->above));
    imp_search_put_others(w, &(imp_search_spot){.cell = cell, .k = k, .at = {at}});
}

static bool any_crowded(const imp_search_work *w, const imp_scan_crossing *crossing, int n) {
    for (int k = 0; k + 1 < n; k++) {
        if (imp_scan_crowded(&w->scan[0], crossing[k].below.x, crossing[k + 1].below.x)) {
            return true;
        }
    }
    return false;
}

/* Writes roots and leaps of a line, each in ascending order. */
static void put_crossings(imp_search_work *w, int line) {
    const imp_search_plan *plan = &w->search->plan;
    size_t cell = w->line[line].cell;
    bool leaps = plan->kind->needs_value && !plan->steps; /* over the value: these are no roots */
    int most = plan->max_roots, roots = 0, jumps = 0, found = w->n_crossings[line];
    int n = found < 2 * IMP_MAX_ROOTS ? found : 2 * IMP_MAX_ROOTS;
    for (int k = 0; k < n; k++) {
        const imp_scan_crossing *c = &w->crossing[line][k];
        if (leaps && c->jump) {
            if (jumps < most) {
                imp_search_put(w, cell, IMP_FOUND_JUMP, jumps, end_of(w, c)->x);
            }
            jumps++;
        } else if (roots++ < most) {
            put_root(w, cell, roots - 1, c);
        }
    }
    bool more = roots > most || jumps > most || found > n || w->scan[0].line[line].overflow;
    imp_search_put(w, cell, IMP_FOUND_COUNT, 0, roots + found - n);
    imp_search_put(w, cell, IMP_FOUND_JUMP_COUNT, 0, jumps);
    imp_search_put_flag(w, cell, more, any_crowded(w, w->crossing[line], n), w->line[line].failed,
                        imp_search_outside(&w->scan[0], line));
}

static void solve(imp_search_work *w, int n, uint8_t *outcome) {
    for (int k = 0; k < n; k++) {
        w->line[k] = (imp_search_line){.cell = w->first + (size_t)k};
    }
    imp_search_check(w, find(w, n));
    for (int k = 0; k < n && !w->error; k++) {
        outcome[k] = (uint8_t)imp_search_scanned(&w->scan[0].line[k]);
        if (outcome[k] == IMP_SOLVED) {
            put_crossings(w, k);
        }
    }
}

/* The label of the output root in figures is the parameter's name and `after`. */
static void add_roots(imp_search *s, const char *meaning, const char *after) {
    imp_search_add_list(s, IMP_FOUND_ROOT, imp_search_place(s, 0, "root", meaning, after));
    imp_search_add_count(s, "number of roots found, including those that are not stored");
    imp_search_add_list(s, IMP_FOUND_SIDE,
                        imp_search_category("root_side",
                                            "whether the category enters or leaves the set, or the "
                                            "output rises, falls or stays, at the root",
                                            sides, IMP_COUNT(sides)));
    imp_search_add_list(
        s, IMP_FOUND_BRACKET,
        imp_search_place(s, 0, "root_bracket", "width of the bracket around the root", NULL));
    imp_search_add_flag(s);
    imp_search_add_outside(s);
    imp_search_add_modes(s, "mode just below the root", "mode just above the root");
}

static void add_boundaries(imp_search *s) {
    add_roots(s,
              "value of the searched parameter at which the category enters or leaves the set, on "
              "the inner side",
              " of the boundary");
}

static void add_targets(imp_search *s) {
    add_roots(s, "value of the searched parameter at which the output has the target value",
              " of the root");
    imp_output jump = imp_search_place(
        s, 0, "jump",
        "value of the searched parameter at which the output leaps over the target value", NULL);
    jump.dimension = "jump_number";
    imp_search_add_list(s, IMP_FOUND_JUMP, jump);
    imp_search_add(s, IMP_FOUND_JUMP_COUNT,
                   imp_search_number("jump_count",
                                     "number of leaps found, including those that are not stored"));
}

#define ROOTS(...)                                                                                 \
    {                                                                                              \
        .finds_roots = true, .least_over = 1, .most_over = 1, .samples = 128, .roots = 4,          \
        .tolerance = 1e-12, .solve = solve, __VA_ARGS__                                            \
    }

const imp_search_kind imp_search_boundary = ROOTS(.name = "boundary", .looks_at = IMP_CATEGORY,
                                                  .needs_set = true, .add_outputs = add_boundaries);
const imp_search_kind imp_search_target =
    ROOTS(.name = "target", .looks_at = IMP_REAL, .needs_value = true, .add_outputs = add_targets);
