#include "models/beam/refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elimination with exchanged rows fills IMP_BEAM_SIDE more places on the right. */
enum { FILLED = 2 * IMP_BEAM_SIDE + 1 };

struct imp_beam_refinement {
    const imp_beam_elements *elements;
    imp_wide (*row)[FILLED]; /* of the matrix that is solved */
    imp_wide *place, *load;
};

imp_beam_refinement *imp_beam_refinement_create(const imp_beam_elements *elements) {
    imp_beam_refinement *r = calloc(1, sizeof *r);
    if (!r) {
        return NULL;
    }
    size_t n = (size_t)elements->n;
    r->elements = elements;
    r->row = calloc(n, sizeof *r->row);
    r->place = calloc(n, sizeof *r->place);
    r->load = calloc(n, sizeof *r->load);
    if (!r->row || !r->place || !r->load) {
        imp_beam_refinement_destroy(&r);
    }
    return r;
}

void imp_beam_refinement_destroy(imp_beam_refinement **refinement) {
    imp_beam_refinement *gone = *refinement;
    if (gone) {
        free(gone->row);
        free(gone->place);
        free(gone->load);
        free(gone);
    }
    *refinement = NULL;
}

/* ---- products ---- */

/* out = matrix x; returns x . out */
static imp_wide apply(int n, imp_beam_band *matrix, const imp_wide *x, imp_wide *out) {
    imp_wide sum = imp_wide_of(0);
    for (int i = 0; i < n; i++) {
        out[i] = imp_wide_multiply(matrix[i][0], x[i]);
        for (int d = 1; d <= IMP_BEAM_SIDE && d <= i; d++) {
            out[i] = imp_wide_add_product(out[i], matrix[i][d], x[i - d]);
        }
        for (int d = 1; d <= IMP_BEAM_SIDE && i + d < n; d++) {
            out[i] = imp_wide_add_product(out[i], matrix[i + d][d], x[i + d]);
        }
        sum = imp_wide_add_product(sum, x[i], out[i]);
    }
    return sum;
}

/* The Rayleigh quotient of place, which is normalised by the mass; M place is left in load. */
static imp_wide quotient(imp_beam_refinement *r) {
    const imp_beam_elements *e = r->elements;
    imp_wide energy = apply(e->n, e->stiffness, r->place, r->load);
    imp_wide norm = apply(e->n, e->mass, r->place, r->load);
    imp_wide scale = imp_wide_divide(imp_wide_of(1), imp_wide_root(norm));
    for (int i = 0; i < e->n; i++) {
        r->place[i] = imp_wide_multiply(r->place[i], scale);
        r->load[i] = imp_wide_multiply(r->load[i], scale);
    }
    return imp_wide_divide(energy, norm);
}

/* ---- (K - shift M) place = load ---- */

/* Rows of the matrix, each from the first column in which elimination meets the row. */
static void fill_rows(imp_beam_refinement *r, imp_wide shift) {
    imp_wide minus = imp_wide_minus(shift);
    memset(r->row, 0, (size_t)r->elements->n * sizeof *r->row);
    for (int i = 0; i < r->elements->n; i++) {
        for (int d = 0; d <= IMP_BEAM_SIDE && d <= i; d++) {
            imp_wide value =
                imp_wide_add_product(r->elements->stiffness[i][d], minus, r->elements->mass[i][d]);
            int first = i > IMP_BEAM_SIDE ? i - IMP_BEAM_SIDE : 0,
                upper = i - d > IMP_BEAM_SIDE ? i - d - IMP_BEAM_SIDE : 0;
            r->row[i][i - d - first] = value;
            r->row[i - d][i - upper] = value;
        }
    }
}

/* Brings the largest value of column k to row k. */
static void exchange(imp_beam_refinement *r, int k, int end) {
    int best = k;
    for (int i = k + 1; i < end; i++) {
        if (fabs(r->row[i][0].high) > fabs(r->row[best][0].high)) {
            best = i;
        }
    }
    if (best != k) {
        imp_wide load = r->load[k], row[FILLED];
        memcpy(row, r->row[k], sizeof row);
        memcpy(r->row[k], r->row[best], sizeof row);
        memcpy(r->row[best], row, sizeof row);
        r->load[k] = r->load[best];
        r->load[best] = load;
    }
}

/* Gaussian elimination; a pivot of 0 at an exact eigenvalue becomes `least`. */
static void solve(imp_beam_refinement *r, double least) {
    int n = r->elements->n;
    for (int k = 0; k < n; k++) {
        int end = k + IMP_BEAM_LOWER < n ? k + IMP_BEAM_LOWER : n;
        exchange(r, k, end);
        if (fabs(r->row[k][0].high) < least) {
            r->row[k][0] = imp_wide_of(least);
        }
        for (int i = k + 1; i < end; i++) {
            imp_wide factor = imp_wide_minus(imp_wide_divide(r->row[i][0], r->row[k][0]));
            for (int c = 1; c < FILLED; c++) {
                r->row[i][c - 1] = imp_wide_add_product(r->row[i][c], factor, r->row[k][c]);
            }
            r->row[i][FILLED - 1] = imp_wide_of(0);
            r->load[i] = imp_wide_add_product(r->load[i], factor, r->load[k]);
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        imp_wide rest = r->load[k];
        for (int c = 1; c < FILLED && k + c < n; c++) {
            rest = imp_wide_add_product(rest, imp_wide_minus(r->row[k][c]), r->place[k + c]);
        }
        r->place[k] = imp_wide_divide(rest, r->row[k][0]);
    }
}

/* ---- modes ---- */

/* A vector with a part of every mode: the digits of multiples of the golden section. */
static void begin(imp_beam_refinement *r) {
    const double golden = 0.6180339887498949;
    for (int i = 0; i < r->elements->n; i++) {
        double turns = golden * (i + 1);
        r->place[i] = imp_wide_of(turns - floor(turns) - 0.5);
    }
    quotient(r);
}

/* Inverse iteration brings the mode out, and then Rayleigh quotient iteration, whose error is cubed
 * by every step, its digits. */
bool imp_beam_refine(imp_beam_refinement *refinement, const imp_bracket *bracket, double *lambda,
                     double *shape) {
    enum { FIRST_STEPS = 2, MOST_STEPS = 10 };
    const double settled = 1e-12, rounding = 1e-4;
    imp_beam_refinement *r = refinement;
    imp_wide square = imp_wide_of(imp_bracket_middle(bracket));
    double change = INFINITY;
    begin(r);
    for (int step = 0; step < MOST_STEPS && change > settled; step++) {
        fill_rows(r, square);
        solve(r, 1e-30 * square.high);
        imp_wide next = quotient(r);
        if (step >= FIRST_STEPS - 1) {
            change = fabs(next.high / square.high - 1);
            square = next;
        }
    }
    for (int i = 0; i < r->elements->n; i++) {
        shape[i] = r->place[i].high;
    }
    *lambda = square.high;
    double slack = rounding * bracket->high;
    return change <= settled && *lambda > bracket->low - slack && *lambda < bracket->high + slack;
}
