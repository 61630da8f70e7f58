/* The share of each class in the whole: a sum over the cells that are not divided further. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/larger.h"
#include "refine/generator_impl.h"
#include "refine/vector.h"

typedef struct sums {
    const imp_refinement *r;
    imp_key_set divided[IMP_LEVELS]; /* cells that contain smaller ones */
    imp_share *shares;
    double *uniform; /* by class: the part in cells of that class alone */
} sums;

/* Marks the larger cells of every level around a cell. */
static bool mark_above(sums *s, const imp_cell *cell) {
    for (int level = cell->level - 1; level >= s->r->plan.base; level--) {
        imp_cell above = imp_cell_around(s->r, cell->low, level);
        size_t before = s->divided[level].n;
        if (imp_key_set_add(&s->divided[level], above.low) == IMP_KEY_NONE) {
            return false;
        }
        if (s->divided[level].n == before) {
            break;
        }
    }
    return true;
}

static bool mark_all(sums *s, const imp_key_set *cells, int level) {
    bool fits = true;
    for (size_t i = 0; fits && i < cells->n; i++) {
        imp_cell cell = imp_cell_of(cells, i, level);
        fits = mark_above(s, &cell);
    }
    return fits;
}

static double volume_of(const imp_refinement *r, int level) {
    return ldexp(1, -level * r->n_axes);
}

static void add_uniform(sums *s, const imp_cell *cell) {
    uint32_t class = s->r->class_of[imp_refine_lower(s->r, cell->low, cell->level)];
    s->shares[class].share += volume_of(s->r, cell->level);
    s->uniform[class] += volume_of(s->r, cell->level);
}

/* A mixed cell is divided evenly among its corners; any of their classes may have all of the cell
 * or nothing. */
static void add_mixed(sums *s, const imp_cell *cell) {
    const imp_refinement *r = s->r;
    uint32_t nodes[IMP_CELL_CORNERS], classes[IMP_CELL_CORNERS];
    double volume = volume_of(r, cell->level);
    imp_cell_nodes(r, cell, nodes);
    for (int c = 0; c < r->n_corners; c++) {
        bool known = nodes[c] != IMP_KEY_NONE && imp_refine_known(r, nodes[c]);
        classes[c] = r->class_of[known ? nodes[c] : imp_refine_lower(r, cell->low, cell->level)];
        bool first = true;
        for (int k = 0; k < c; k++) {
            first = first && classes[k] != classes[c];
        }
        s->shares[classes[c]].share += volume / r->n_corners;
        s->shares[classes[c]].bound += first ? volume : 0;
    }
}

/* ---- cells that chords divide ---- */

/* The area of a face on the side of a class, in parts of the face. */
static double face_area(const imp_refinement *r, const imp_division *division, const imp_cell *cell,
                        const uint32_t *nodes, uint32_t class, int u, int v, int corner) {
    const int ring[5] = {corner, corner | 1 << u, corner | 1 << u | 1 << v, corner | 1 << v,
                         corner};
    double point[8][2], size = imp_cell_size(r, cell->level), area = 0;
    int n = 0;
    for (int k = 0; k < 4; k++) {
        if (r->class_of[nodes[ring[k]]] == class) {
            point[n][0] = ring[k] >> u & 1;
            point[n++][1] = ring[k] >> v & 1;
        }
        int low = ring[k] & ring[k + 1], axis = (ring[k] ^ ring[k + 1]) == 1 << u ? u : v;
        for (int i = 0; i < division->n_cuts; i++) {
            const imp_cut *cut = &division->cuts[i];
            if (cut->corner == low && cut->axis == axis) {
                point[n][0] = (cut->at[u] - cell->low[u]) / size;
                point[n++][1] = (cut->at[v] - cell->low[v]) / size;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        const double *p = point[i], *q = point[(i + 1) % n];
        area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    return area;
}

/* The part of a cell of three axes that a class has: a third of the flux of the position vector,
 * from the cell's centre, out of that part. *area: of the surface inside, in parts of a face. */
static double solid_part(const imp_refinement *r, const imp_division *division,
                         const imp_cell *cell, const uint32_t *nodes, uint32_t class,
                         double *area) {
    double size = imp_cell_size(r, cell->level), flux = 0;
    for (int a = 0; a < 3; a++) {
        for (int side = 0; side < 2; side++) {
            flux += 0.5 *
                    face_area(r, division, cell, nodes, class, (a + 1) % 3, (a + 2) % 3, side << a);
        }
    }
    imp_loop loops[IMP_CELL_LOOPS];
    int n = imp_division_loops(division, loops);
    *area = 0;
    for (int i = 0; i < n; i++) {
        const double *normal = loops[i].normal;
        int at = imp_division_steepest(division, loops[i].cut, loops[i].n, normal);
        bool outward = imp_cut_class(r, &division->cuts[at], normal, false) == class;
        double height = 0, square = imp_dot(normal, normal);
        for (int a = 0; a < 3; a++) {
            height += normal[a] * (loops[i].middle[a] - cell->low[a] - 0.5 * size);
        }
        /* All triangles meet at the middle, so the flux is the position of the middle times the
         * area vector. */
        flux += (outward ? height : -height) / (size * size * size);
        *area += sqrt(square) / (size * size);
    }
    return flux / 3;
}

static void add_simple(sums *s, const imp_cell *cell) {
    const imp_refinement *r = s->r;
    imp_division division;
    uint32_t nodes[IMP_CELL_CORNERS];
    imp_cell_division(r, cell, &division);
    imp_cell_nodes(r, cell, nodes);
    uint32_t one = r->class_of[nodes[0]], other = one;
    for (int c = 1; c < r->n_corners; c++) {
        other = r->class_of[nodes[c]] != one ? r->class_of[nodes[c]] : other;
    }
    if (one == other || division.n_chords == 0) {
        add_uniform(s, cell); /* only a jump divides the cell */
        return;
    }
    double size = imp_cell_size(r, cell->level), volume = volume_of(r, cell->level), part, area = 0;
    if (r->n_axes == 2) {
        const int *cut = division.chords[0].cut;
        const double *p = division.cuts[cut[0]].at, *q = division.cuts[cut[1]].at;
        part = face_area(r, &division, cell, nodes, one, 0, 1, 0);
        double across = q[0] - p[0], along = q[1] - p[1];
        area = sqrt(across * across + along * along) / size;
    } else {
        part = solid_part(r, &division, cell, nodes, one, &area);
    }
    double doubt = imp_smaller(area * r->tolerance / size, 1);
    s->shares[one].share += volume * part;
    s->shares[other].share += volume * (1 - part);
    s->shares[one].bound += volume * doubt;
    s->shares[other].bound += volume * doubt;
}

static void visit(sums *s, const imp_cell *cell) {
    const imp_refinement *r = s->r;
    uint32_t number = imp_key_set_find(&r->tree.cells[cell->level], cell->low);
    int leaf = number == IMP_KEY_NONE ? IMP_LEAF_UNIFORM : r->tree.leaf[cell->level][number];
    if (leaf == IMP_LEAF_SIMPLE) {
        add_simple(s, cell);
    } else if (imp_key_set_find(&s->divided[cell->level], cell->low) != IMP_KEY_NONE) {
        for (int c = 0; c < r->n_corners; c++) {
            imp_cell child = imp_cell_child(r, cell, c);
            visit(s, &child);
        }
    } else if (leaf != IMP_LEAF_UNIFORM ||
               imp_key_set_find(&r->levels.level[cell->level].mixed, cell->low) != IMP_KEY_NONE) {
        add_mixed(s, cell);
    } else {
        add_uniform(s, cell);
    }
}

static void visit_all(sums *s) {
    int level = s->r->plan.base, axes = s->r->n_axes;
    uint64_t n = UINT64_C(1) << (level * axes), mask = (UINT64_C(1) << level) - 1;
    for (uint64_t i = 0; i < n; i++) {
        imp_cell cell = {.level = level};
        for (int a = 0; a < axes; a++) {
            cell.low[a] = (uint32_t)(i >> (level * a) & mask) * imp_cell_size(s->r, level);
        }
        visit(s, &cell);
    }
}

static void finish(sums *s) {
    const imp_refinement *r = s->r;
    for (size_t i = 0; i < r->points.n && (int64_t)i < r->audit_first; i++) {
        if (imp_refine_known(r, (uint32_t)i)) {
            s->shares[r->class_of[i]].nodes++;
        }
    }
    for (uint32_t c = 0; c < imp_refine_classes(r); c++) {
        s->shares[c].thin = s->uniform[c] == 0 && s->shares[c].share <= s->shares[c].bound;
    }
}

imp_err imp_result_shares(const imp_refinement *r, imp_refine_result *result) {
    size_t n = imp_refine_classes(r);
    sums s = {.r = r, .shares = calloc(n + 1, sizeof *s.shares)};
    s.uniform = calloc(n + 1, sizeof *s.uniform);
    bool fits = s.shares && s.uniform;
    for (int level = 0; level < IMP_LEVELS; level++) {
        s.divided[level] = imp_key_set_of(r->n_axes);
    }
    for (int level = 0; fits && level <= r->bits; level++) {
        fits = mark_all(&s, &r->levels.level[level].mixed, level) &&
               mark_all(&s, &r->tree.cells[level], level);
    }
    if (fits && r->levels.reached >= r->plan.base) {
        visit_all(&s);
        finish(&s);
    }
    for (int level = 0; level < IMP_LEVELS; level++) {
        imp_key_set_free(&s.divided[level]);
    }
    free(s.uniform);
    result->shares = s.shares;
    result->n_shares = (uint32_t)n;
    return fits ? IMP_OK : imp_out_of_memory();
}
