/* The flat grid: the array is doubled by copying the lower neighbour, and known nodes are written
 * over it, level by level. */
#include <string.h>

#include "refine/generator_impl.h"

/* Number of points without the audit, which must not change the result. */
static size_t own_points(const imp_refinement *r) {
    return r->audit_first < (int64_t)r->points.n ? (size_t)r->audit_first : r->points.n;
}

uint32_t imp_refine_lower(const imp_refinement *r, const uint32_t *key, int level) {
    for (;; level--) {
        uint32_t size = imp_cell_size(r, level), low[IMP_REFINE_AXES];
        for (int a = 0; a < r->n_axes; a++) {
            low[a] = key[a] & ~(size - 1);
        }
        uint32_t point = imp_key_set_find(&r->points, low);
        if (level == 0 || (point < own_points(r) && imp_refine_known(r, point))) {
            return point;
        }
    }
}

/* From level - 1 to level, backward, so that every node is read before it is overwritten. */
static void doubled(int n_axes, int level, uint32_t *point) {
    int64_t nodes = (INT64_C(1) << level) + 1, half = nodes / 2 + 1, n = 1;
    for (int a = 0; a < n_axes - 1; a++) {
        n *= nodes;
    }
    for (int64_t row = n - 1; row >= 0; row--) {
        int64_t from = 0, rest = row, stride = half;
        for (int a = n_axes - 2; a >= 0; a--) {
            from += rest % nodes / 2 * stride;
            rest /= nodes;
            stride *= half;
        }
        for (int64_t i = nodes - 1; i >= 0; i--) {
            point[row * nodes + i] = point[from + i / 2];
        }
    }
}

static void overwrite(const imp_refinement *r, int level, uint32_t *point) {
    uint32_t mask = imp_cell_size(r, level) - 1;
    int shift = r->bits - level;
    size_t n = own_points(r), axes = (size_t)r->n_axes;
    for (size_t i = 0; i < n; i++) {
        const uint32_t *key = r->points.keys + i * axes;
        uint32_t off = 0;
        uint64_t at = 0;
        for (size_t a = 0; a < axes; a++) {
            off |= key[a] & mask;
            at = at * ((UINT64_C(1) << level) + 1) + (key[a] >> shift);
        }
        if (off == 0 && imp_refine_known(r, (uint32_t)i)) {
            point[at] = (uint32_t)i;
        }
    }
}

imp_err imp_refine_flatten(const imp_refinement *refinement, int level, uint32_t *point) {
    if (refinement->levels.reached < refinement->plan.base) {
        return imp_fail(IMP_ERR_INPUT, "the cells of the first level are not complete yet; a flat "
                                       "grid needs the round that completes them");
    }
    overwrite(refinement, 0, point);
    for (int at = 1; at <= level; at++) {
        doubled(refinement->n_axes, at, point);
        overwrite(refinement, at, point);
    }
    return IMP_OK;
}
