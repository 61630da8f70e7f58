/* A cell of two axes that strips cross side by side: on the way round it each class is left where
 * the way comes back to it, and a chord joins both places. */
#include <math.h>
#include <string.h>

#include "num/larger.h"
#include "refine/generator_impl.h"

/* The sides of a cell on the way round it, and whether they are passed upward. */
static const struct {
    int corner, axis;
    bool up;
} sides[4] = {{0, 0, true}, {1, 1, true}, {2, 0, false}, {0, 1, false}};

/* The cuts in order around the cell, and the classes before and after each. */
typedef struct cut_ring {
    int cut[IMP_CELL_CUTS], side[IMP_CELL_CUTS];
    uint32_t before[IMP_CELL_CUTS], after[IMP_CELL_CUTS];
    int n;
} cut_ring;

/* Adds the cuts of a side; those of an edge come together, ascending. */
static void add_side(const imp_refinement *r, const imp_division *division, int side,
                     cut_ring *ring) {
    bool up = sides[side].up;
    for (int k = 0; k < division->n_cuts; k++) {
        int i = up ? k : division->n_cuts - 1 - k;
        const imp_cut *cut = &division->cuts[i];
        if (cut->corner == sides[side].corner && cut->axis == sides[side].axis) {
            ring->before[ring->n] = r->class_of[cut->node[!up]];
            ring->after[ring->n] = r->class_of[cut->node[up]];
            ring->side[ring->n] = side;
            ring->cut[ring->n++] = i;
        }
    }
}

/* Pairs each cut at which a class is left, from the cut `first` on, with the one at which the way
 * comes back to it; false if it does not. */
static bool pair(const cut_ring *ring, int first, int *partner) {
    int open[IMP_CELL_CUTS], n = 0;
    for (int k = 0; k < ring->n; k++) {
        int i = (first + k) % ring->n;
        if (n > 0 && ring->before[open[n - 1]] == ring->after[i] &&
            ring->side[open[n - 1]] != ring->side[i]) {
            n--;
            partner[i] = open[n];
            partner[open[n]] = i;
        } else {
            open[n++] = i;
        }
    }
    return n == 0;
}

bool imp_division_band(const imp_refinement *r, imp_division *division) {
    cut_ring ring = {.n = 0};
    int partner[IMP_CELL_CUTS], other[IMP_CELL_CUTS];
    for (int side = 0; side < 4; side++) {
        add_side(r, division, side, &ring);
    }
    bool any = ring.n == 0, one = true;
    for (int first = 0; first < ring.n; first++) { /* there may be two ways to pair them */
        if (pair(&ring, first, other)) {
            one = one && (!any || memcmp(partner, other, (size_t)ring.n * sizeof *partner) == 0);
            memcpy(partner, other, (size_t)ring.n * sizeof *partner);
            any = true;
        }
    }
    for (int i = 0; i < ring.n && any && one; i++) {
        if (i < partner[i]) {
            division->chords[division->n_chords++] =
                (imp_cell_chord){.u = 0, .v = 1, .cut = {ring.cut[i], ring.cut[partner[i]]}};
        }
    }
    return any && one;
}

/* The middle of a chord, and the way along it. */
typedef struct way {
    double middle[2], along[2], length;
} way;

static way way_of(const imp_division *division, int chord) {
    const int *cut = division->chords[chord].cut;
    const double *p = division->cuts[cut[0]].at, *q = division->cuts[cut[1]].at;
    way w;
    for (int a = 0; a < 2; a++) {
        w.middle[a] = 0.5 * (p[a] + q[a]);
        w.along[a] = q[a] - p[a];
    }
    w.length = sqrt(w.along[0] * w.along[0] + w.along[1] * w.along[1]);
    return w;
}

/* Whether two chords have the same classes beside them. */
static bool are_alike(const imp_refinement *r, const imp_division *division, int one, int other) {
    const uint32_t *a = division->cuts[division->chords[one].cut[0]].node;
    const uint32_t *b = division->cuts[division->chords[other].cut[0]].node;
    bool turned = r->class_of[a[0]] != r->class_of[b[0]];
    return r->class_of[a[0]] == r->class_of[b[turned]] &&
           r->class_of[a[1]] == r->class_of[b[!turned]];
}

void imp_division_stretch(const imp_refinement *r, const imp_division *division, double *stretch) {
    bool several = division->n_chords > 2 || are_alike(r, division, 0, 1);
    for (int k = 1; k < division->n_chords; k++) { /* beside the nearest of the chords before */
        way here = way_of(division, k);
        double width = INFINITY, length = here.length;
        for (int i = 0; i < k; i++) {
            way there = way_of(division, i);
            double across = there.middle[0] - here.middle[0], up = there.middle[1] - here.middle[1];
            double w = fabs(across * here.along[1] - up * here.along[0]) / here.length;
            length = w < width ? imp_larger(there.length, here.length) : length;
            width = imp_smaller(w, width);
        }
        stretch[several] += length / imp_larger(width, r->width);
    }
}
