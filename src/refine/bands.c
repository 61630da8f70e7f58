/* A cell of two axes that a strip crosses: four cuts, between which there are on the way round the
 * cell one class, the strip, another class, and the strip again. */
#include <math.h>

#include "num/larger.h"
#include "refine/generator_impl.h"

enum { CUTS = 4 };

/* The sides of a cell on the way round it, and whether they are passed upward. */
static const struct {
    int corner, axis;
    bool up;
} sides[4] = {{0, 0, true}, {1, 1, true}, {2, 0, false}, {0, 1, false}};

/* The cuts in order around the cell, and the class after each. */
typedef struct cut_ring {
    int cut[CUTS];
    uint32_t after[CUTS];
    int n;
} cut_ring;

/* Adds the cuts of a side; those of an edge come together, ascending. */
static void add_side(const imp_refinement *r, const imp_division *division, int side,
                     cut_ring *ring) {
    bool up = sides[side].up;
    for (int k = 0; k < division->n_cuts; k++) {
        int i = up ? k : division->n_cuts - 1 - k;
        const imp_cut *cut = &division->cuts[i];
        if (cut->corner == sides[side].corner && cut->axis == sides[side].axis && ring->n < CUTS) {
            ring->after[ring->n] = r->class_of[cut->node[up]];
            ring->cut[ring->n++] = i;
        }
    }
}

bool imp_division_band(const imp_refinement *r, imp_division *division) {
    cut_ring ring = {.n = 0};
    for (int side = 0; side < 4 && division->n_cuts == CUTS; side++) {
        add_side(r, division, side, &ring);
    }
    bool even = ring.n == CUTS && ring.after[0] == ring.after[2];
    bool odd = ring.n == CUTS && ring.after[1] == ring.after[3];
    if (even == odd) {
        return false;
    }
    for (int k = 0; k < 2; k++) { /* each chord cuts off what is no strip */
        int first = 2 * k + even, next = (first + 1) % CUTS;
        division->chords[division->n_chords++] =
            (imp_cell_chord){.u = 0, .v = 1, .cut = {ring.cut[first], ring.cut[next]}};
    }
    return true;
}

double imp_division_stretch(const imp_refinement *r, const imp_division *division) {
    double middle[2][2], length[2], along[2];
    for (int k = 0; k < 2; k++) {
        const int *cut = division->chords[k].cut;
        const double *p = division->cuts[cut[0]].at, *q = division->cuts[cut[1]].at;
        for (int a = 0; a < 2; a++) {
            middle[k][a] = 0.5 * (p[a] + q[a]);
            along[a] = q[a] - p[a];
        }
        length[k] = sqrt(along[0] * along[0] + along[1] * along[1]);
    }
    double across = middle[1][0] - middle[0][0], up = middle[1][1] - middle[0][1];
    double width = fabs(across * along[1] - up * along[0]) / length[1];
    return imp_larger(length[0], length[1]) / imp_larger(width, r->width);
}
