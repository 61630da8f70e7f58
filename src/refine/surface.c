/* Three axes: the chords on the faces of a cell form closed loops around the pieces of surface
 * inside. */
#include <math.h>
#include <string.h>

#include "num/larger.h"
#include "refine/generator_impl.h"
#include "refine/vector.h"

/* The other cut of the first chord at `cut` that is not used; -1 if there is none. */
static int follow(const imp_division *division, int cut, bool *used) {
    for (int i = 0; i < division->n_chords; i++) {
        const int *ends = division->chords[i].cut;
        if (!used[i] && (ends[0] == cut || ends[1] == cut)) {
            used[i] = true;
            return ends[0] == cut ? ends[1] : ends[0];
        }
    }
    return -1;
}

/* The middle of a loop, and its area as a vector. */
static void measure(const imp_division *division, imp_loop *loop) {
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int i = 0; i < loop->n; i++) {
            sum += division->cuts[loop->cut[i]].at[a];
        }
        loop->middle[a] = sum / loop->n;
        loop->normal[a] = 0;
    }
    for (int i = 0; i < loop->n; i++) {
        double product[3];
        imp_cross(loop->middle, division->cuts[loop->cut[i]].at,
                  division->cuts[loop->cut[(i + 1) % loop->n]].at, product);
        for (int a = 0; a < 3; a++) {
            loop->normal[a] += 0.5 * product[a];
        }
    }
}

int imp_division_loops(const imp_division *division, imp_loop *loops) {
    bool used[IMP_CELL_CHORDS] = {false};
    int n = 0;
    for (int i = 0; i < division->n_chords && n < IMP_CELL_LOOPS; i++) {
        if (used[i]) {
            continue;
        }
        imp_loop *loop = &loops[n++];
        loop->n = 0;
        int start = division->chords[i].cut[0];
        for (int at = start; at >= 0 && loop->n < IMP_CELL_EDGES;) {
            loop->cut[loop->n++] = at;
            at = follow(division, at, used);
            if (at == start) {
                break;
            }
        }
        measure(division, loop);
    }
    return n;
}

double imp_distance_from_line(const double *p, const double *q, const double *at) {
    double along = 0, length = 0, distance = 0;
    for (int a = 0; a < 3; a++) {
        along += (at[a] - p[a]) * (q[a] - p[a]);
        length += (q[a] - p[a]) * (q[a] - p[a]);
    }
    double part = length > 0 ? along / length : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    for (int a = 0; a < 3; a++) {
        double off = at[a] - p[a] - part * (q[a] - p[a]);
        distance += off * off;
    }
    return sqrt(distance);
}

/* Distance from the plane of a triangle if the foot is inside, otherwise from its sides. */
static double from_triangle(const double *const corner[3], const double *at) {
    double normal[3], off[3], nearest = INFINITY;
    imp_cross(corner[0], corner[1], corner[2], normal);
    imp_difference(at, corner[0], off);
    double square = imp_dot(normal, normal), height = imp_dot(normal, off);
    bool inside = square > 0;
    for (int i = 0; i < 3; i++) {
        const double *p = corner[i], *q = corner[(i + 1) % 3];
        double product[3];
        imp_cross(p, q, at, product);
        inside = inside && imp_dot(product, normal) >= 0;
        nearest = imp_smaller(imp_distance_from_line(p, q, at), nearest);
    }
    return inside ? fabs(height) / sqrt(square) : nearest;
}

/* ---- the class at a place ---- */

/* The nearest chord or triangle so far, which decides the class. */
typedef struct nearest {
    double distance;
    uint32_t class;
} nearest;

static void look_at_chord(const imp_refinement *r, const imp_division *division,
                          const imp_cell_chord *chord, const double *at, nearest *best) {
    const double *p = division->cuts[chord->cut[0]].at, *q = division->cuts[chord->cut[1]].at;
    double normal[3];
    imp_cell_chord_normal(division, chord, normal);
    int cut = imp_division_steepest(division, chord->cut, 2, normal);
    double height = 0, distance = imp_distance_from_line(p, q, at);
    for (int a = 0; a < 2; a++) {
        height += normal[a] * (at[a] - p[a]);
    }
    if (distance < best->distance) {
        *best = (nearest){distance, imp_cut_class(r, &division->cuts[cut], normal, height > 0)};
    }
}

static void look_at_loop(const imp_refinement *r, const imp_division *division,
                         const imp_loop *loop, const double *at, nearest *best) {
    int cut = imp_division_steepest(division, loop->cut, loop->n, loop->normal);
    for (int k = 0; k < loop->n; k++) {
        const double *one = division->cuts[loop->cut[k]].at;
        const double *other = division->cuts[loop->cut[(k + 1) % loop->n]].at;
        double normal[3], off[3];
        imp_cross(loop->middle, one, other, normal);
        imp_difference(at, loop->middle, off);
        double height = imp_dot(normal, off) * (imp_dot(normal, loop->normal) < 0 ? -1 : 1);
        /* The normal of the whole loop decides the side of the cut. */
        double distance = from_triangle((const double *const[]){loop->middle, one, other}, at);
        if (distance < best->distance) {
            *best = (nearest){distance,
                              imp_cut_class(r, &division->cuts[cut], loop->normal, height > 0)};
        }
    }
}

uint32_t imp_division_class(const imp_refinement *r, const imp_division *division, const double *at,
                            double *distance) {
    nearest best = {INFINITY, IMP_KEY_NONE};
    if (r->n_axes == 2) {
        for (int i = 0; i < division->n_chords; i++) {
            look_at_chord(r, division, &division->chords[i], at, &best);
        }
    } else {
        imp_loop loops[IMP_CELL_LOOPS];
        int n = imp_division_loops(division, loops);
        for (int i = 0; i < n; i++) {
            look_at_loop(r, division, &loops[i], at, &best);
        }
    }
    *distance = best.distance;
    return best.class;
}

double imp_division_distance(const imp_refinement *r, const imp_division *division,
                             const double *at) {
    double distance;
    imp_division_class(r, division, at, &distance);
    return distance;
}
