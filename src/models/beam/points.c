#include "models/beam/points.h"

#include <math.h>
#include <string.h>

#include "num/bracket.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS };

const double imp_beam_exponent[N] = {1.5, 2.5, 3.5, 4, 4.5, 5, 5.5, 6};

/* ---- roots of orthogonal polynomials ---- */

/* The polynomial of degree n that is orthogonal on 0..1 with the weight x^b; *before: of n - 1. */
static double jacobi(int n, double b, double x, double *before) {
    double t = 2 * x - 1, last = 1, now = 1 + (b + 2) * (t - 1) / 2;
    for (int k = 1; k < n; k++) {
        double s = 2 * k + b;
        double next =
            ((s + 1) * (s * (s + 2) * t - b * b) * now - 2 * k * (k + b) * (s + 2) * last) /
            (2 * (k + 1) * (k + b + 1) * s);
        last = now;
        now = next;
    }
    *before = last;
    return now;
}

static void find_roots(int n, double b, double *root) {
    enum { STEPS = 2000, HALVINGS = 60 };
    double before;
    int found = 0;
    for (int i = 0; i < STEPS && found < n; i++) {
        imp_bracket in = {.low = (double)i / STEPS, .high = (double)(i + 1) / STEPS};
        bool positive = jacobi(n, b, in.low, &before) > 0;
        if ((jacobi(n, b, in.high, &before) > 0) == positive) {
            continue;
        }
        for (int h = 0; h < HALVINGS; h++) {
            double middle = imp_bracket_middle(&in);
            imp_bracket_cut(&in, middle, (jacobi(n, b, middle, &before) > 0) == positive);
        }
        root[found++] = in.low;
    }
}

/* Gauss's places and weights on 0..1. */
static void gauss(int n, double *place, double *weight) {
    find_roots(n, 0, place);
    for (int i = 0; i < n; i++) {
        double before;
        jacobi(n, 0, place[i], &before);
        weight[i] = 4 * place[i] * (1 - place[i]) / (n * n * before * before);
    }
}

/* ---- polynomials through values ---- */

/* inverse[b][i] of the matrix of functions b at places i: coefficients of the function that is 1 at
 * one place and 0 at the others. Gauss and Jordan, with rows exchanged. */
static void invert(imp_wide matrix[N][N], imp_wide inverse[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            inverse[i][k] = imp_wide_of(i == k);
        }
    }
    for (int c = 0; c < N; c++) {
        int best = c;
        for (int i = c + 1; i < N; i++) {
            best = fabs(matrix[i][c].high) > fabs(matrix[best][c].high) ? i : best;
        }
        for (int k = 0; k < N; k++) {
            imp_wide kept = matrix[c][k];
            matrix[c][k] = matrix[best][k];
            matrix[best][k] = kept;
            kept = inverse[c][k];
            inverse[c][k] = inverse[best][k];
            inverse[best][k] = kept;
        }
        imp_wide pivot = matrix[c][c];
        for (int k = 0; k < N; k++) {
            matrix[c][k] = imp_wide_divide(matrix[c][k], pivot);
            inverse[c][k] = imp_wide_divide(inverse[c][k], pivot);
        }
        for (int i = 0; i < N; i++) {
            imp_wide minus = imp_wide_minus(matrix[i][c]);
            for (int k = 0; i != c && k < N; k++) {
                matrix[i][k] = imp_wide_add_product(matrix[i][k], minus, matrix[c][k]);
                inverse[i][k] = imp_wide_add_product(inverse[i][k], minus, inverse[c][k]);
            }
        }
    }
}

/* Value at x of the polynomial that is 1 at place i of those of a step and 0 at the others. */
static double lagrange(const double *place, int i, double x) {
    double product = 1;
    for (int k = 0; k < N; k++) {
        product *= k == i ? 1 : (x - place[k]) / (place[i] - place[k]);
    }
    return product;
}

static void make_basis(imp_beam_points *p) {
    imp_wide matrix[N][N], inverse[N][N];
    for (int i = 0; i < N; i++) {
        imp_wide power = imp_wide_of(1);
        for (int n = 0; n < N; n++) {
            matrix[i][n] = power;
            power = imp_wide_multiply(power, imp_wide_of(p->place[i]));
        }
    }
    invert(matrix, inverse);
    double factorial = 1;
    for (int n = 0; n < N; n++) {
        factorial *= n > 0 ? n : 1;
        for (int i = 0; i < N; i++) {
            p->basis[i][n] = imp_wide_multiply(inverse[n][i], imp_wide_of(factorial));
        }
    }
}

/* Least squares by Legendre's polynomials, whose sums over Gauss's places are orthogonal. */
static void make_guesses(imp_beam_points *p) {
    static const int degree[IMP_BEAM_GUESSES] = {3, 5, 7, 7, 7, 7, 7, 7, 7, 7};
    double ratio = 4, before;
    for (int r = 0; r < IMP_BEAM_GUESSES; r++, ratio /= 2) {
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < N; k++) {
                double sum = 1;
                for (int n = 1; n <= degree[r]; n++) {
                    sum += (2 * n + 1) * jacobi(n, 0, p->place[i], &before) *
                           jacobi(n, 0, 1 + ratio * p->place[k], &before);
                }
                p->guess[r][i][k] = p->weight[i] * sum;
            }
        }
    }
}

/* ---- first and last steps ---- */

/* The half powers of x = u^2. */
static void powers_of(imp_wide u, imp_wide power[N]) {
    for (int b = 0; b < N; b++) {
        power[b] = imp_wide_of(1);
        for (int n = 0; n < (int)(2 * imp_beam_exponent[b]); n++) {
            power[b] = imp_wide_multiply(power[b], u);
        }
    }
}

void imp_beam_edge_integrals(const imp_beam_points *points, bool breaks, double place,
                             double out[TERMS][N]) {
    /* Exact for polynomials of the root u of the distance up to degree 79. */
    const imp_beam_edge *edge = &points->edge[breaks];
    double low = breaks ? sqrt(1 - place) : 0, high = breaks ? 1 : sqrt(place);
    memset(out, 0, TERMS * sizeof *out);
    for (int g = 0; g < IMP_BEAM_EXACT; g++) {
        double u = low + (high - low) * points->exact_place[g], x = u * u, value[N];
        double ahead = breaks ? x - (1 - place) : place - x, power = 1;
        double weight = points->exact_weight[g] * (high - low) * 2 * u;
        imp_wide powers[N];
        powers_of(imp_wide_of(u), powers);
        for (int i = 0; i < N; i++) {
            imp_wide sum = imp_wide_of(0);
            for (int b = 0; b < N; b++) {
                sum = imp_wide_add_product(sum, edge->coefficient[b][i], powers[b]);
            }
            value[i] = sum.high * weight;
        }
        for (int m = 0; m < TERMS; m++, power *= ahead) {
            for (int i = 0; i < N; i++) {
                out[m][i] += value[i] * power;
            }
        }
    }
}

/* The same at [i][m]. */
static void integrals_by_place(const imp_beam_points *p, bool breaks, double place,
                               double out[N][TERMS]) {
    double integral[TERMS][N];
    imp_beam_edge_integrals(p, breaks, place, integral);
    for (int i = 0; i < N; i++) {
        for (int m = 0; m < TERMS; m++) {
            out[i][m] = integral[m][i];
        }
    }
}

static void make_edge(imp_beam_points *p, bool breaks) {
    imp_beam_edge *e = &p->edge[breaks];
    double distance[N], at[IMP_BEAM_LOSSES], weight[IMP_BEAM_LOSSES];
    imp_wide matrix[N][N];
    find_roots(N, 1.5, distance);
    for (int i = 0; i < N; i++) {
        powers_of(imp_wide_root(imp_wide_of(distance[i])), matrix[i]);
    }
    invert(matrix, e->coefficient);
    for (int i = 0; i < N; i++) {
        imp_wide sum = imp_wide_of(0);
        for (int b = 0; b < N; b++) {
            sum = imp_wide_add(sum, e->coefficient[b][i]);
        }
        e->far[i] = sum.high;
        e->place[i] = breaks ? 1 - distance[i] : distance[i];
    }
    for (int k = 0; k < N; k++) {
        double out[TERMS][N], power = 1;
        imp_beam_edge_integrals(p, breaks, e->place[k], out);
        for (int m = 0; m < TERMS; m++, power *= e->place[k]) {
            e->power[m][k] = power;
            for (int i = 0; i < N; i++) {
                e->integral[m][i][k] = out[m][i];
            }
        }
    }
    integrals_by_place(p, breaks, 1, e->whole);
    gauss(IMP_BEAM_LOSSES, at, weight);
    for (int l = 0; l < IMP_BEAM_LOSSES; l++) {
        double x = at[l] * at[l];
        e->loss_place[l] = breaks ? 1 - x : x;
        e->loss_weight[l] = 2 * at[l] * weight[l];
        integrals_by_place(p, breaks, e->loss_place[l], e->loss_integral[l]);
    }
}

void imp_beam_points_make(imp_beam_points *points) {
    points->over[0] = imp_wide_of(1);
    for (int n = 1; n <= IMP_BEAM_FAR; n++) {
        points->over[n] = imp_wide_divide(points->over[n - 1], imp_wide_of(n));
    }
    gauss(N, points->place, points->weight);
    gauss(IMP_BEAM_EXACT, points->exact_place, points->exact_weight);
    make_basis(points);
    make_guesses(points);
    for (int i = 0; i < N; i++) {
        points->first[i] = lagrange(points->place, i, 0);
        points->last[i] = lagrange(points->place, i, 1);
        for (int k = 0; k < N; k++) {
            points->half[0][k][i] = lagrange(points->place, i, points->place[k] / 2);
            points->half[1][k][i] = lagrange(points->place, i, (1 + points->place[k]) / 2);
        }
    }
    make_edge(points, false);
    make_edge(points, true);
}
