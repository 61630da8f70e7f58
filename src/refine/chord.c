/* Decides whether chords between the crossings on a cell's edges divide the cell: on each face two
 * edges or none are crossed, two classes meet, and close to the middle of each chord each side has
 * its class. With three axes the middle of each piece of surface is probed too. */
#include <math.h>
#include <string.h>

#include "refine/generator_impl.h"
#include "refine/vector.h"

imp_crossing imp_edge_crossing(const imp_refinement *r, const imp_edge_bracket *bracket,
                               const uint32_t *low, int axis) {
    imp_crossing crossing = {.class_low = r->class_of[bracket->low_node],
                             .class_high = r->class_of[bracket->high_node]};
    memcpy(crossing.low, low, (size_t)r->n_axes * sizeof *low);
    memcpy(crossing.high, low, (size_t)r->n_axes * sizeof *low);
    crossing.low[axis] = bracket->low;
    crossing.high[axis] = bracket->high;
    return crossing;
}

static void add_cut(const imp_refinement *r, const imp_cell *cell, int corner, int axis,
                    const imp_edge_bracket *bracket, imp_division *division) {
    imp_cut *cut = &division->cuts[division->n_cuts++];
    uint32_t low[IMP_REFINE_AXES];
    imp_cell_corner(r, cell, corner, low);
    *cut = (imp_cut){.corner = corner,
                     .axis = axis,
                     .node = {bracket->low_node, bracket->high_node},
                     .crossing = imp_edge_crossing(r, bracket, low, axis)};
    for (int a = 0; a < r->n_axes; a++) {
        cut->at[a] = 0.5 * ((double)cut->crossing.low[a] + (double)cut->crossing.high[a]);
    }
}

/* Adds the cuts of an edge; a cell of two axes may have two on each. */
static void add_cuts(const imp_refinement *r, const imp_cell *cell, int corner, int axis,
                     const imp_edge *edge, imp_division *division) {
    for (int i = 0; i < edge->n; i++) {
        add_cut(r, cell, corner, axis, &edge->bracket[i], division);
    }
}

/* Whether the edge of a cut is in the face of axes u, v through `corner`. */
static bool on_face(const imp_cut *cut, int u, int v, int corner) {
    int in_plane = 1 << u | 1 << v;
    return (cut->axis == u || cut->axis == v) && (cut->corner & ~in_plane) == corner;
}

/* Adds the chord of a face; false if the face is crossed on more than two edges. */
static bool add_chord(imp_division *division, int u, int v, int corner) {
    int cuts[4], n = 0;
    for (int i = 0; i < division->n_cuts; i++) {
        if (on_face(&division->cuts[i], u, v, corner)) {
            cuts[n++] = i;
        }
    }
    if (n == 2) {
        division->chords[division->n_chords++] =
            (imp_cell_chord){.u = u, .v = v, .cut = {cuts[0], cuts[1]}};
    }
    return n == 0 || n == 2;
}

static bool add_chords(const imp_refinement *r, imp_division *division) {
    bool all = true;
    if (r->n_axes == 2) {
        return r->plan.bands ? imp_division_band(r, division) : add_chord(division, 0, 1, 0);
    }
    for (int a = 0; a < 3; a++) {
        all = all && add_chord(division, (a + 1) % 3, (a + 2) % 3, 0) &&
              add_chord(division, (a + 1) % 3, (a + 2) % 3, 1 << a);
    }
    return all;
}

void imp_cell_division(const imp_refinement *r, const imp_cell *cell, imp_division *division) {
    division->n_cuts = division->n_chords = 0;
    for (int axis = 0; axis < r->n_axes; axis++) {
        for (int c = 0; c < r->n_corners; c++) {
            const imp_edge *edge = c >> axis & 1 ? NULL : imp_edge_find(r, cell, c, axis);
            if (edge && edge->state == IMP_EDGE_CROSSED) {
                add_cuts(r, cell, c, axis, edge, division);
            }
        }
    }
    add_chords(r, division);
}

/* Searches the edges whose ends differ. A cell with more than two of these on one face has been
 * halved before. */
static imp_err search_edges(imp_refinement *r, const imp_cell *cell, const uint32_t *nodes,
                            imp_division *division, imp_verdict *verdict) {
    *verdict = IMP_VERDICT_SIMPLE;
    for (int axis = 0; axis < r->n_axes; axis++) {
        for (int c = 0; c < r->n_corners; c++) {
            uint32_t ends[2] = {nodes[c], nodes[c | 1 << axis]};
            if (c >> axis & 1 || !(imp_nodes_differ(r, ends[0], ends[1]) ||
                                   (r->plan.bands && imp_edge_has_strip(r, cell, c, axis)))) {
                continue;
            }
            const imp_edge *edge = imp_edge_advance(r, cell, c, axis, ends);
            if (!edge) {
                return imp_out_of_memory();
            }
            if (edge->state == IMP_EDGE_SPLIT || edge->state == IMP_EDGE_EVEN) {
                *verdict = IMP_VERDICT_HALVE;
                return IMP_OK;
            }
            if (edge->state == IMP_EDGE_SEARCHED) {
                *verdict = IMP_VERDICT_WAIT;
            } else {
                add_cuts(r, cell, c, axis, edge, division);
            }
        }
    }
    return IMP_OK;
}

/* ---- probes ---- */

void imp_cell_chord_normal(const imp_division *division, const imp_cell_chord *chord,
                           double *normal) {
    const double *p = division->cuts[chord->cut[0]].at, *q = division->cuts[chord->cut[1]].at;
    double du = q[chord->u] - p[chord->u], dv = q[chord->v] - p[chord->v];
    double length = sqrt(du * du + dv * dv);
    normal[0] = normal[1] = normal[2] = 0;
    normal[chord->u] = -dv / length;
    normal[chord->v] = du / length;
}

void imp_cell_nearest(const imp_refinement *r, const imp_cell *cell, const double *at,
                      uint32_t *key) {
    for (int a = 0; a < r->n_axes; a++) {
        double low = cell->low[a], high = low + imp_cell_size(r, cell->level);
        double inside = at[a] < low ? low : at[a] > high ? high : at[a];
        key[a] = (uint32_t)(inside + 0.5);
    }
}

/* Probes both sides of a place, so far from it: each must have the class of the node of the cut on
 * the same side. */
static imp_err probe(imp_refinement *r, const imp_cell *cell, const double *middle,
                     const double *normal, const double *away, const imp_cut *cut,
                     imp_verdict *verdict) {
    for (int side = -1; side <= 1; side += 2) {
        double at[3];
        uint32_t key[IMP_REFINE_AXES];
        for (int a = 0; a < r->n_axes; a++) {
            at[a] = middle[a] + side * away[side > 0] * normal[a];
        }
        imp_cell_nearest(r, cell, at, key);
        uint32_t point = imp_refine_ask(r, key);
        if (point == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        uint32_t like = cut->node[(normal[cut->axis] > 0) == (side > 0)];
        if (!imp_refine_known(r, point)) {
            *verdict = *verdict == IMP_VERDICT_SIMPLE ? IMP_VERDICT_WAIT : *verdict;
        } else if (imp_nodes_differ(r, point, like)) {
            *verdict = IMP_VERDICT_HALVE;
        }
    }
    return IMP_OK;
}

int imp_division_steepest(const imp_division *division, const int *cuts, int n,
                          const double *normal) {
    int best = cuts[0];
    for (int i = 1; i < n; i++) {
        if (fabs(normal[division->cuts[cuts[i]].axis]) > fabs(normal[division->cuts[best].axis])) {
            best = cuts[i];
        }
    }
    return best;
}

static void middle_of(const imp_division *division, const imp_cell_chord *chord, double *middle) {
    const imp_cut *one = &division->cuts[chord->cut[0]], *other = &division->cuts[chord->cut[1]];
    for (int a = 0; a < 3; a++) {
        middle[a] = 0.5 * (one->at[a] + other->at[a]);
    }
}

/* Brings the probe in a strip into the middle between its chords where it would be beyond. */
static void keep_within(const imp_division *division, const imp_cell_chord *chord,
                        const double *middle, const double *normal, double *away) {
    for (int i = 0; i < division->n_chords; i++) {
        double other[3], way = 0;
        middle_of(division, &division->chords[i], other);
        for (int a = 0; a < 2; a++) {
            way += 0.5 * normal[a] * (other[a] - middle[a]);
        }
        if (&division->chords[i] != chord && fabs(way) < away[way > 0]) {
            away[way > 0] = fabs(way);
        }
    }
}

static imp_err probe_chord(imp_refinement *r, const imp_cell *cell, const imp_division *division,
                           const imp_cell_chord *chord, imp_verdict *verdict) {
    double normal[3], middle[3], away[2] = {r->tolerance, r->tolerance};
    imp_cell_chord_normal(division, chord, normal);
    const imp_cut *one = &division->cuts[chord->cut[0]], *other = &division->cuts[chord->cut[1]];
    middle_of(division, chord, middle);
    if (r->plan.bands) {
        keep_within(division, chord, middle, normal, away);
    }
    bool turned = (normal[one->axis] > 0) != (normal[other->axis] > 0);
    if (imp_nodes_differ(r, one->node[0], other->node[turned]) ||
        imp_nodes_differ(r, one->node[1], other->node[!turned])) {
        *verdict = IMP_VERDICT_HALVE; /* the pairs of classes are not the same */
        return IMP_OK;
    }
    int cut = imp_division_steepest(division, chord->cut, 2, normal);
    return probe(r, cell, middle, normal, away, &division->cuts[cut], verdict);
}

static imp_err probe_surface(imp_refinement *r, const imp_cell *cell, const imp_division *division,
                             imp_verdict *verdict) {
    const double away[2] = {r->tolerance, r->tolerance};
    imp_loop loops[IMP_CELL_LOOPS];
    int n = imp_division_loops(division, loops);
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < n; i++) {
        const double *normal = loops[i].normal;
        double length = sqrt(imp_dot(normal, normal));
        if (length == 0) {
            *verdict = IMP_VERDICT_HALVE;
            return IMP_OK;
        }
        double unit[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
        int cut = imp_division_steepest(division, loops[i].cut, loops[i].n, unit);
        error = probe(r, cell, loops[i].middle, unit, away, &division->cuts[cut], verdict);
    }
    return error;
}

static bool too_many_classes(const imp_refinement *r, const uint32_t *nodes) {
    uint32_t first = r->class_of[nodes[0]], second = first;
    for (int c = 1; c < r->n_corners; c++) {
        uint32_t class = r->class_of[nodes[c]];
        if (class != first && second != first && class != second) {
            return true;
        }
        second = class != first ? class : second;
    }
    return false;
}

/* Whether more than two edges of a face have ends that differ. */
static bool too_many_cuts(const imp_refinement *r, const uint32_t *nodes) {
    imp_division division = {.n_cuts = 0};
    for (int axis = 0; axis < r->n_axes; axis++) {
        for (int c = 0; c < r->n_corners; c++) {
            if (!(c >> axis & 1) && imp_nodes_differ(r, nodes[c], nodes[c | 1 << axis])) {
                division.cuts[division.n_cuts++] = (imp_cut){.corner = c, .axis = axis};
            }
        }
    }
    return division.n_cuts == 0 || !add_chords(r, &division);
}

static imp_err judge(imp_refinement *r, const imp_cell *cell, const uint32_t *nodes,
                     imp_verdict *verdict) {
    imp_division division = {.n_cuts = 0};
    bool small = imp_cell_size(r, cell->level) <= r->unprobed, bands = r->plan.bands && !small;
    *verdict = IMP_VERDICT_HALVE;
    if (!bands && (too_many_classes(r, nodes) || too_many_cuts(r, nodes))) {
        return IMP_OK;
    }
    imp_err error = search_edges(r, cell, nodes, &division, verdict);
    if (error || *verdict != IMP_VERDICT_SIMPLE) {
        return error;
    }
    bool strip = r->n_axes == 2 && division.n_cuts > 2;
    if (!add_chords(r, &division) || (strip && !bands)) {
        *verdict = IMP_VERDICT_HALVE;
    }
    if (small) {
        return error;
    }
    for (int i = 0; !error && *verdict != IMP_VERDICT_HALVE && i < division.n_chords; i++) {
        error = probe_chord(r, cell, &division, &division.chords[i], verdict);
    }
    if (!error && *verdict == IMP_VERDICT_SIMPLE && r->n_axes == 3) {
        error = probe_surface(r, cell, &division, verdict);
    }
    return error;
}

/* ---- strips that no corner of a cell sees ---- */

static bool is_alike(const imp_refinement *r, const uint32_t *nodes, int corner, int axis) {
    return !(corner >> axis & 1) && !imp_nodes_differ(r, nodes[corner], nodes[corner | 1 << axis]);
}

int imp_cell_strips(const imp_refinement *r, const imp_cell *cell, const uint32_t *nodes) {
    int n = 0;
    for (int axis = 0; axis < r->n_axes && r->plan.bands; axis++) {
        for (int c = 0; c < r->n_corners; c++) {
            n += is_alike(r, nodes, c, axis) && imp_edge_has_strip(r, cell, c, axis);
        }
    }
    return n;
}

/* Looks at all edges whose ends have one class. */
static imp_err look_at_edges(imp_refinement *r, const imp_cell *cell, const uint32_t *nodes,
                             bool *waits) {
    imp_err error = IMP_OK;
    for (int axis = 0; axis < r->n_axes; axis++) {
        for (int c = 0; !error && c < r->n_corners; c++) {
            if (is_alike(r, nodes, c, axis)) {
                uint32_t ends[2] = {nodes[c], nodes[c | 1 << axis]};
                error = imp_edge_look(r, cell, c, axis, ends, waits);
            }
        }
    }
    return error;
}

imp_err imp_cell_judge(imp_refinement *r, const imp_cell *cell, const uint32_t *nodes,
                       imp_verdict *verdict) {
    static const uint32_t least = 4; /* brackets: smaller cells are halved without a look */
    uint32_t size = imp_cell_size(r, cell->level);
    imp_err error = judge(r, cell, nodes, verdict);
    if (error || *verdict != IMP_VERDICT_HALVE || !r->plan.bands || size <= least * r->width) {
        return error;
    }
    bool waits = false;
    int seen = imp_cell_strips(r, cell, nodes);
    error = look_at_edges(r, cell, nodes, &waits);
    if (!error && waits) {
        *verdict = IMP_VERDICT_WAIT;
    } else if (!error && imp_cell_strips(r, cell, nodes) > seen) {
        error = judge(r, cell, nodes, verdict);
    }
    return error;
}
