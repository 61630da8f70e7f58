/* Fresh random points. They are drawn from a counter, so that every run has the same points, and a
 * larger audit contains those of a smaller one. */
#include <math.h>

#include "num/exponential.h"
#include "refine/generator_impl.h"

/* splitmix64 (Steele, Lea, Flood 2014). */
uint64_t imp_refine_random(uint64_t counter) {
    uint64_t x = (counter + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

imp_err imp_audit_step(imp_refinement *r) {
    if (r->audit_first < INT64_MAX) {
        return IMP_OK;
    }
    r->audit_first = (int64_t)r->points.n;
    uint64_t counter = 0;
    /* Points of the lattice that were asked for already are not fresh. The number of tries is
     * limited so that the search for fresh points ends. */
    for (int64_t found = 0, tries = 0; found < r->plan.audit && tries < 4 * r->plan.audit;
         tries++) {
        uint32_t key[IMP_REFINE_AXES];
        for (int a = 0; a < r->n_axes; a++) {
            key[a] = (uint32_t)(imp_refine_random(counter++) >> (64 - r->bits));
        }
        size_t before = r->points.n;
        if (imp_refine_ask(r, key) == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        found += r->points.n > before;
    }
    return IMP_OK;
}

/* ---- the verdict ---- */

static bool is_at_a_corner(const imp_refinement *r, const imp_cell *cell, uint32_t class) {
    uint32_t nodes[IMP_CELL_CORNERS];
    imp_cell_nodes(r, cell, nodes);
    for (int c = 0; c < r->n_corners; c++) {
        if (nodes[c] != IMP_KEY_NONE && r->class_of[nodes[c]] == class) {
            return true;
        }
    }
    return false;
}

/* Whether a simple leaf has this class at the node; near the chord the classes of both sides are
 * right. */
static bool is_on_side(const imp_refinement *r, const imp_cell *cell, const uint32_t *key,
                       uint32_t class) {
    imp_division division;
    double at[3] = {0, 0, 0}, distance;
    for (int a = 0; a < r->n_axes; a++) {
        at[a] = key[a];
    }
    imp_cell_division(r, cell, &division);
    return imp_division_class(r, &division, at, &distance) == class ||
           (distance <= 2 * r->tolerance && is_at_a_corner(r, cell, class));
}

static bool is_right(const imp_refinement *r, const uint32_t *key, uint32_t class) {
    imp_tree_place place;
    if (imp_tree_covering(r, key, r->bits, &place)) {
        imp_cell cell = imp_cell_of(&r->tree.cells[place.level], place.number, place.level);
        int leaf = r->tree.leaf[place.level][place.number];
        if (leaf != IMP_LEAF_UNIFORM) {
            return leaf == IMP_LEAF_SIMPLE ? is_on_side(r, &cell, key, class)
                                           : is_at_a_corner(r, &cell, class);
        }
    }
    imp_cell cell = imp_cell_around(r, key, r->levels.reached);
    bool mixed = imp_key_set_find(&r->levels.level[cell.level].mixed, cell.low) != IMP_KEY_NONE;
    return mixed ? is_at_a_corner(r, &cell, class)
                 : r->class_of[imp_refine_lower(r, cell.low, cell.level)] == class;
}

/* The upper limit of a proportion, with 95 % confidence, when `wrong` of n draws were wrong
 * (Clopper, Pearson 1934): the proportion at which `wrong` or fewer of n draws are wrong with
 * probability 0.05. */
static double upper_limit(int64_t n, int64_t wrong) {
    double low = (double)wrong / (double)n, high = 1;
    for (int step = 0; step < 60 && wrong < n; step++) {
        double p = 0.5 * (low + high), sum = 0, term = (double)n * imp_log1p(-p);
        for (int64_t k = 0; k <= wrong; k++) {
            sum += imp_exp(term);
            term += imp_log((double)(n - k) / (double)(k + 1)) + imp_log(p) - imp_log1p(-p);
        }
        *(sum > 0.05 ? &low : &high) = p;
    }
    return high;
}

void imp_result_audit(const imp_refinement *r, imp_refine_result *result) {
    imp_audit audit = {.bound = 1};
    for (size_t i = 0; i < r->points.n; i++) {
        if ((int64_t)i >= r->audit_first && imp_refine_known(r, (uint32_t)i)) {
            audit.points++;
            audit.wrong += !is_right(r, imp_refine_key(r, (int64_t)i), r->class_of[i]);
        }
    }
    if (audit.points > 0) {
        audit.bound = upper_limit(audit.points, audit.wrong);
    }
    result->audit = audit;
}
