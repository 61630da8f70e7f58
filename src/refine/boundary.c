/* Curves from the chords of the leaves, surfaces from their loops, and the crossings on both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"
#include "refine/vector.h"

/* A chord between two crossings, with the classes to its left and right, seen from the first toward
 * the second. */
typedef struct piece {
    uint32_t end[2], left, right;
    bool used;
} piece;

typedef struct maker {
    const imp_refinement *r;
    imp_refine_result *result;
    imp_key_set known; /* crossings of edges: lower node and axis */
    uint32_t *number;  /* of each of them in the result */
    piece *pieces;
    size_t n_pieces, number_room, crossing_room, piece_room, triangle_room;
} maker;

static imp_err add_crossing(maker *m, const imp_crossing *crossing, uint32_t *number) {
    size_t n = (size_t)m->result->n_crossings;
    imp_err error =
        imp_grow(&m->result->crossings, &m->crossing_room, n + 1, sizeof *m->result->crossings);
    if (!error) {
        m->result->crossings[n] = *crossing;
        m->result->n_crossings++;
        *number = (uint32_t)n;
    }
    return error;
}

/* The crossing of an edge, once. */
static imp_err edge_crossing(maker *m, const imp_crossing *crossing, int axis, uint32_t *number) {
    uint32_t key[IMP_REFINE_AXES + 1];
    memcpy(key, crossing->low, sizeof crossing->low);
    key[m->r->n_axes] = (uint32_t)axis;
    size_t before = m->known.n;
    uint32_t at = imp_key_set_add(&m->known, key);
    if (at == IMP_KEY_NONE ||
        imp_grow(&m->number, &m->number_room, (size_t)at + 1, sizeof *m->number)) {
        return imp_out_of_memory();
    }
    imp_err error = at == before ? add_crossing(m, crossing, &m->number[at]) : IMP_OK;
    *number = m->number[at];
    return error;
}

static imp_err cut_crossings(maker *m, const imp_division *division, uint32_t *numbers) {
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < division->n_cuts; i++) {
        error = edge_crossing(m, &division->cuts[i].crossing, division->cuts[i].axis, &numbers[i]);
    }
    return error;
}

static void add_piece(maker *m, const imp_division *division, const imp_cell_chord *chord,
                      const uint32_t *numbers) {
    double normal[3];
    imp_cell_chord_normal(division, chord, normal);
    const imp_cut *cut = &division->cuts[imp_division_steepest(division, chord->cut, 2, normal)];
    m->pieces[m->n_pieces++] = (piece){.end = {numbers[chord->cut[0]], numbers[chord->cut[1]]},
                                       .left = imp_cut_class(m->r, cut, normal, true),
                                       .right = imp_cut_class(m->r, cut, normal, false)};
}

static imp_err add_pieces(maker *m, const imp_division *division, const uint32_t *numbers) {
    size_t n = (size_t)division->n_chords;
    imp_err error = imp_grow(&m->pieces, &m->piece_room, m->n_pieces + n, sizeof *m->pieces);
    for (size_t i = 0; !error && i < n; i++) {
        add_piece(m, division, &division->chords[i], numbers);
    }
    return error;
}

/* ---- surfaces ---- */

/* The crossing at the middle of a loop: the nodes on either side that were probed. */
static imp_crossing middle_of(const imp_refinement *r, const imp_cell *cell, const imp_loop *loop,
                              uint32_t below, uint32_t above) {
    imp_crossing middle = {.class_low = below, .class_high = above};
    double length = sqrt(imp_dot(loop->normal, loop->normal)), low[3], high[3];
    for (int a = 0; a < 3; a++) {
        double off = length > 0 ? r->tolerance * loop->normal[a] / length : 0;
        low[a] = loop->middle[a] - off;
        high[a] = loop->middle[a] + off;
    }
    imp_cell_nearest(r, cell, low, middle.low);
    imp_cell_nearest(r, cell, high, middle.high);
    return middle;
}

static imp_err add_loop(maker *m, const imp_cell *cell, const imp_division *division,
                        const imp_loop *loop, const uint32_t *numbers) {
    int at = imp_division_steepest(division, loop->cut, loop->n, loop->normal);
    const imp_cut *cut = &division->cuts[at];
    uint32_t above = imp_cut_class(m->r, cut, loop->normal, true), number;
    uint32_t below = imp_cut_class(m->r, cut, loop->normal, false);
    imp_crossing middle = middle_of(m->r, cell, loop, below, above);
    imp_err error = add_crossing(m, &middle, &number);
    size_t n = (size_t)m->result->n_triangles;
    error = error ? error
                  : imp_grow(&m->result->triangles, &m->triangle_room, n + (size_t)loop->n,
                             sizeof *m->result->triangles);
    for (int i = 0; !error && i < loop->n; i++) {
        m->result->triangles[m->result->n_triangles++] = (imp_triangle){
            .corner = {number, numbers[loop->cut[i]], numbers[loop->cut[(i + 1) % loop->n]]},
            .below = below,
            .above = above};
    }
    return error;
}

static imp_err add_surface(maker *m, const imp_cell *cell, const imp_division *division,
                           const uint32_t *numbers) {
    imp_loop loops[IMP_CELL_LOOPS];
    int n = imp_division_loops(division, loops);
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < n; i++) {
        error = add_loop(m, cell, division, &loops[i], numbers);
    }
    return error;
}

static imp_err add_leaf(maker *m, const imp_cell *cell) {
    imp_division division;
    uint32_t numbers[IMP_CELL_CUTS];
    imp_cell_division(m->r, cell, &division);
    imp_err error = cut_crossings(m, &division, numbers);
    if (error) {
        return error;
    }
    if (m->r->n_axes == 2 && division.n_chords > 1) {
        imp_division_stretch(m->r, &division, m->result->stretch);
    }
    return m->r->n_axes == 2 ? add_pieces(m, &division, numbers)
                             : add_surface(m, cell, &division, numbers);
}

/* ---- curves ---- */

/* The pieces at each crossing, at most two. */
static uint32_t *ends_of(const maker *m) {
    size_t n = (size_t)m->result->n_crossings;
    uint32_t *at = malloc((2 * n + 1) * sizeof *at);
    for (size_t i = 0; at && i < 2 * n; i++) {
        at[i] = IMP_KEY_NONE;
    }
    for (size_t i = 0; at && i < m->n_pieces; i++) {
        for (int e = 0; e < 2; e++) {
            uint32_t *slot = &at[2 * (size_t)m->pieces[i].end[e]];
            slot += *slot != IMP_KEY_NONE;
            *slot = (uint32_t)i;
        }
    }
    return at;
}

/* The piece that goes on from a crossing between the same two classes, in either direction. */
static piece *next_piece(const maker *m, const uint32_t *ends, uint32_t crossing,
                         const imp_boundary *line) {
    for (size_t k = 0; k < 2; k++) {
        uint32_t number = ends[2 * (size_t)crossing + k];
        piece *p = number == IMP_KEY_NONE ? NULL : &m->pieces[number];
        if (p && !p->used) {
            bool turned = p->end[0] != crossing;
            uint32_t left = turned ? p->right : p->left, right = turned ? p->left : p->right;
            if (!line || (left == line->left && right == line->right)) {
                return p;
            }
        }
    }
    return NULL;
}

/* Follows the line that begins at a crossing; out->path has room for it. */
static imp_boundary follow(maker *m, const uint32_t *ends, uint32_t start) {
    imp_refine_result *out = m->result;
    piece *p = next_piece(m, ends, start, NULL);
    bool turned = p->end[0] != start;
    imp_boundary line = {.first = out->n_path,
                         .left = turned ? p->right : p->left,
                         .right = turned ? p->left : p->right};
    out->path[out->n_path++] = start;
    for (uint32_t at = start; p; p = next_piece(m, ends, at, &line)) {
        p->used = true;
        at = p->end[p->end[0] == at];
        out->path[out->n_path++] = at;
    }
    line.n = out->n_path - line.first;
    return line;
}

/* Reverses a line if necessary, so that the lower class is on its left. */
static void orient(imp_refine_result *out, imp_boundary *line) {
    if (line->left <= line->right) {
        return;
    }
    for (int64_t i = line->first, k = line->first + line->n - 1; i < k; i++, k--) {
        uint32_t held = out->path[i];
        out->path[i] = out->path[k];
        out->path[k] = held;
    }
    uint32_t held = line->left;
    line->left = line->right;
    line->right = held;
}

/* Whether lines begin at a crossing: one piece ends there, or two between different classes. */
static bool begins(const maker *m, const uint32_t *ends, uint32_t crossing) {
    piece *p = next_piece(m, ends, crossing, NULL);
    if (!p || ends[2 * (size_t)crossing + 1] == IMP_KEY_NONE) {
        return p != NULL;
    }
    const piece *one = &m->pieces[ends[2 * (size_t)crossing]];
    const piece *other = &m->pieces[ends[2 * (size_t)crossing + 1]];
    bool opposite = (one->end[0] == crossing) != (other->end[0] == crossing);
    return opposite ? one->left != other->left || one->right != other->right
                    : one->left != other->right || one->right != other->left;
}

static imp_err join_pieces(maker *m) {
    imp_refine_result *out = m->result;
    uint32_t *ends = ends_of(m);
    out->path = malloc((2 * m->n_pieces + 1) * sizeof *out->path);
    out->boundaries = malloc((m->n_pieces + 1) * sizeof *out->boundaries);
    if (!ends || !out->path || !out->boundaries) {
        free(ends);
        return imp_out_of_memory();
    }
    for (int loops = 0; loops < 2; loops++) {
        for (uint32_t c = 0; c < (uint32_t)out->n_crossings; c++) {
            while (loops ? next_piece(m, ends, c, NULL) != NULL : begins(m, ends, c)) {
                imp_boundary line = follow(m, ends, c);
                orient(out, &line);
                out->boundaries[out->n_boundaries++] = line;
            }
        }
    }
    free(ends);
    return IMP_OK;
}

static imp_err add_leaves(maker *m) {
    const imp_refinement *r = m->r;
    imp_err error = IMP_OK;
    for (int level = 0; level <= r->bits; level++) {
        for (size_t i = 0; !error && i < r->tree.cells[level].n; i++) {
            if (r->tree.leaf[level][i] == IMP_LEAF_SIMPLE) {
                imp_cell cell = imp_cell_of(&r->tree.cells[level], i, level);
                error = add_leaf(m, &cell);
            }
        }
    }
    return !error && r->n_axes == 2 ? join_pieces(m) : error;
}

/* For one and four axes: the brackets of all edges. */
static imp_err add_brackets(maker *m) {
    const imp_refinement *r = m->r;
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < r->edges.keys.n; i++) {
        const imp_edge *edge = &r->edges.edges[i];
        const uint32_t *key = r->edges.keys.keys + i * (size_t)r->edges.keys.n_axes;
        int axis = (int)(key[r->n_axes] % IMP_REFINE_AXES);
        if (edge->state == IMP_EDGE_CROSSED) {
            imp_crossing crossing = imp_edge_crossing(r, &edge->bracket[0], key, axis);
            uint32_t number;
            error = edge_crossing(m, &crossing, axis, &number);
        }
    }
    return error;
}

imp_err imp_result_boundaries(const imp_refinement *r, imp_refine_result *result) {
    maker m = {.r = r, .result = result, .known = imp_key_set_of(r->n_axes + 1)};
    imp_err error = r->n_axes == 2 || r->n_axes == 3 ? add_leaves(&m) : add_brackets(&m);
    imp_key_set_free(&m.known);
    free(m.number);
    free(m.pieces);
    return error;
}
