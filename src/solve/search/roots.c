/* Searches that find a list of roots: their outputs, and how crossings become roots. */
#include "solve/search/search_impl.h"

static const imp_mode sides[] = {
    {IMP_SIDE_ENTERS, "enters", "above the root the category is in the set"},
    {IMP_SIDE_LEAVES, "leaves", "below the root the category is in the set"},
    {IMP_SIDE_RISES, "rises", "the output rises to the value or above"},
    {IMP_SIDE_FALLS, "falls", "the output falls below the value"},
};

static const imp_mode flags[] = {
    {1, "complete", "every root that the samples show is stored"},
    {2, "more_exist", "more roots were found than are stored"},
    {3, "may_hide_pair", "two roots are between the same two samples: there may be others"},
    {4, "more_exist_and_may_hide_pair", "more_exist and may_hide_pair"},
    {5, "gaps", "some samples failed: they are neither solved nor outside the domain"},
    {6, "more_exist_and_gaps", "more_exist and gaps"},
    {7, "may_hide_pair_and_gaps", "may_hide_pair and gaps"},
    {8, "more_exist_and_may_hide_pair_and_gaps", "more_exist, may_hide_pair and gaps"},
    {9, "outside", "complete, but some samples are outside the domain: see outside_share"},
    {10, "more_exist_and_outside", "more_exist and outside"},
    {11, "may_hide_pair_and_outside", "may_hide_pair and outside"},
    {12, "more_exist_and_may_hide_pair_and_outside", "more_exist, may_hide_pair and outside"},
    {13, "gaps_and_outside", "gaps and outside"},
    {14, "more_exist_and_gaps_and_outside", "more_exist, gaps and outside"},
    {15, "may_hide_pair_and_gaps_and_outside", "may_hide_pair, gaps and outside"},
    {16, "more_exist_and_may_hide_pair_and_gaps_and_outside",
     "more_exist, may_hide_pair, gaps and outside"},
};

#define CATEGORY(name, meaning, codes)                                                             \
    imp_search_category(name, meaning, codes, (int)(sizeof(codes) / sizeof *(codes)))

void imp_search_add_count(imp_search *s, const char *meaning) {
    imp_search_add(
        s, IMP_FOUND_COUNT,
        (imp_output){.name = "root_count", .whole = true, .unit = "1", .meaning = meaning});
}

void imp_search_add_flag(imp_search *s) {
    imp_search_add(s, IMP_FOUND_FLAG, CATEGORY("root_flag", "whether roots may be missing", flags));
}

void imp_search_add_roots(imp_search *s, const char *meaning, const char *after) {
    static const char *const number = "root_number";
    const imp_parameter *over = s->plan.over[0].parameter;
    const imp_theory *inner = s->plan.theory;
    imp_output root = imp_search_place(s, 0, "root", meaning);
    root.label = imp_search_label(s->label, sizeof s->label, "", over->name, after);
    imp_search_add_list(s, IMP_FOUND_ROOT, number, root);
    imp_search_add_count(s, "number of roots found, including those that are not stored");
    imp_search_add_list(s, IMP_FOUND_SIDE, number,
                        CATEGORY("root_side",
                                 "whether the category enters or leaves the set, or the output "
                                 "rises or falls, at the root",
                                 sides));
    imp_search_add_list(
        s, IMP_FOUND_BRACKET, number,
        imp_search_place(s, 0, "root_bracket", "width of the bracket around the root"));
    imp_search_add_flag(s);
    imp_search_add_outside(s);
    imp_search_add_list(s, IMP_FOUND_BELOW, number,
                        imp_search_category("mode_below", "mode just below the root", inner->modes,
                                            inner->n_modes));
    imp_search_add_list(s, IMP_FOUND_ABOVE, number,
                        imp_search_category("mode_above", "mode just above the root", inner->modes,
                                            inner->n_modes));
}

/* The end of a crossing at which the theory's outputs are stored. */
static const imp_probe *end_of(const imp_search_work *w, const imp_root_rule *rule,
                               const imp_scan_crossing *c) {
    return rule->takes_above(w, c) ? &c->above : &c->below;
}

static void put_root(imp_search_work *w, const imp_root_rule *rule, size_t cell, int k,
                     const imp_scan_crossing *c) {
    double at = end_of(w, rule, c)->x;
    imp_search_put(w, cell, IMP_FOUND_ROOT, k, at);
    imp_search_put(w, cell, IMP_FOUND_SIDE, k, rule->side(w, c));
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
static void put_crossings(imp_search_work *w, const imp_root_rule *rule, int line) {
    size_t cell = w->line[line].cell;
    int most = w->search->plan.max_roots, roots = 0, jumps = 0, found = w->n_crossings[line];
    int n = found < 2 * IMP_MAX_ROOTS ? found : 2 * IMP_MAX_ROOTS;
    for (int k = 0; k < n; k++) {
        const imp_scan_crossing *c = &w->crossing[line][k];
        if (rule->leaps && c->jump) {
            if (jumps < most) {
                imp_search_put(w, cell, IMP_FOUND_JUMP, jumps, end_of(w, rule, c)->x);
            }
            jumps++;
        } else if (roots++ < most) {
            put_root(w, rule, cell, roots - 1, c);
        }
    }
    bool more = roots > most || jumps > most || found > n || w->scan[0].line[line].overflow;
    bool crowded = any_crowded(w, w->crossing[line], n);
    imp_search_put(w, cell, IMP_FOUND_COUNT, 0, roots + found - n);
    imp_search_put(w, cell, IMP_FOUND_JUMP_COUNT, 0, jumps);
    double outside = imp_search_outside(&w->scan[0], line);
    imp_search_put(w, cell, IMP_FOUND_OUTSIDE, 0, outside);
    imp_search_put(w, cell, IMP_FOUND_FLAG, 0,
                   1 + more + 2 * crowded + 4 * w->line[line].failed + 8 * (outside > 0));
}

void imp_search_solve_roots(imp_search_work *w, const imp_root_rule *rule, double aim, int n,
                            uint8_t *outcome) {
    imp_scan_interval interval = imp_search_interval(w, 0);
    for (int k = 0; k < n; k++) {
        w->line[k] = (imp_search_line){.cell = w->first + (size_t)k};
    }
    imp_search_check(w, imp_scan_look(&w->scan[0], &interval, n, aim) && rule->find(w, n));
    for (int k = 0; k < n && !w->error; k++) {
        outcome[k] = (uint8_t)imp_search_scanned(&w->scan[0].line[k]);
        if (outcome[k] == IMP_SOLVED) {
            put_crossings(w, rule, k);
        }
    }
}
