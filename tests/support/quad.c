#include "support/quad.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 4 };

typedef struct bands {
    int n;
    int row[514];                      /* of each degree of freedom, -1: held */
    quad k[514][WIDTH], m[514][WIDTH]; /* [i][d]: row i, column i - d */
} bands;

static quad size(quad x) {
    return x < 0 ? -x : x;
}

static quad root(quad x) {
    quad y = (quad)__builtin_sqrt((double)x);
    for (int i = 0; i < 3; i++) {
        y = (y + x / y) / 2;
    }
    return y;
}

/* Integrals of products of two shape functions, and of their second derivatives, over an
 * element. */
static void add_element(bands *b, int e, quad h) {
    const quad z = h * h, stiff = 1 / (h * z), heavy = h / 420;
    const quad k[4][4] = {{12, 6 * h, -12, 6 * h},
                          {6 * h, 4 * z, -6 * h, 2 * z},
                          {-12, -6 * h, 12, -6 * h},
                          {6 * h, 2 * z, -6 * h, 4 * z}};
    const quad m[4][4] = {{156, 22 * h, 54, -13 * h},
                          {22 * h, 4 * z, 13 * h, -3 * z},
                          {54, 13 * h, 156, -22 * h},
                          {-13 * h, -3 * z, -22 * h, 4 * z}};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            int row = b->row[2 * e + i], column = b->row[2 * e + j];
            if (row >= 0 && column >= 0) {
                b->k[row][row - column] += stiff * k[i][j];
                b->m[row][row - column] += heavy * m[i][j];
            }
        }
    }
}

static bands *assemble(const quad_beam *beam) {
    bands *b = calloc(1, sizeof *b);
    if (!b) {
        abort();
    }
    for (int f = 0; f < 2 * beam->elements + 2; f++) {
        b->row[f] = beam->held[f] ? -1 : b->n++;
    }
    for (int e = 0; e < beam->elements; e++) {
        add_element(b, e, (quad)beam->node[e + 1] - (quad)beam->node[e]);
    }
    return b;
}

/* K - shift M = L D L^T; returns how many of D are negative: the eigenvalues below the shift. */
static int factor(const bands *b, quad shift, quad (*l)[WIDTH], quad *d) {
    int below = 0;
    for (int i = 0; i < b->n; i++) {
        for (int j = i < WIDTH ? 0 : i - WIDTH + 1; j <= i; j++) {
            quad sum = b->k[i][i - j] - shift * b->m[i][i - j];
            for (int c = i < WIDTH ? 0 : i - WIDTH + 1; c < j; c++) {
                sum -= j - c < WIDTH ? l[i][i - c] * d[c] * l[j][j - c] : 0;
            }
            if (j < i) {
                l[i][i - j] = sum / d[j];
            } else {
                d[i] = sum;
            }
        }
        below += d[i] < 0;
    }
    return below;
}

static void solve(const bands *b, quad (*l)[WIDTH], const quad *d, quad *x) {
    for (int i = 0; i < b->n; i++) {
        for (int c = 1; c < WIDTH && c <= i; c++) {
            x[i] -= l[i][c] * x[i - c];
        }
    }
    for (int i = b->n - 1; i >= 0; i--) {
        x[i] /= d[i];
        for (int c = 1; c < WIDTH && i + c < b->n; c++) {
            x[i] -= l[i + c][c] * x[i + c];
        }
    }
}

static void apply(int n, const quad (*matrix)[WIDTH], const quad *x, quad *out) {
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int j = i < WIDTH ? 0 : i - WIDTH + 1; j < n && j < i + WIDTH; j++) {
            out[i] += (j <= i ? matrix[i][i - j] : matrix[j][j - i]) * x[j];
        }
    }
}

/* The eigenvalue with `number` others below it, to 28 digits. */
static quad eigenvalue(const bands *b, int number, quad (*l)[WIDTH], quad *d) {
    quad low = 1, high = 1;
    while (factor(b, high, l, d) <= number) {
        low = high;
        high *= 16;
    }
    for (int i = 0; i < 100; i++) {
        quad middle = (low + high) / 2;
        if (factor(b, middle, l, d) <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Inverse iteration close to an eigenvalue; returns the residual. */
static quad eigenvector(const bands *b, quad lambda, quad (*l)[WIDTH], quad *d, quad *x) {
    quad load[514], force[514], worst = 0, stiffest = 0, most = 0;
    for (int i = 0; i < b->n; i++) {
        x[i] = 1 + (quad)(i % 7);
    }
    factor(b, lambda * (1 + (quad)1e-22), l, d);
    for (int pass = 0; pass < 3; pass++) {
        quad norm = 0;
        apply(b->n, (const quad(*)[WIDTH])b->m, x, load);
        solve(b, l, d, load);
        memcpy(x, load, (size_t)b->n * sizeof *x);
        apply(b->n, (const quad(*)[WIDTH])b->m, x, load);
        for (int i = 0; i < b->n; i++) {
            norm += x[i] * load[i];
        }
        norm = root(norm);
        for (int i = 0; i < b->n; i++) {
            x[i] /= norm;
        }
    }
    apply(b->n, (const quad(*)[WIDTH])b->m, x, load);
    apply(b->n, (const quad(*)[WIDTH])b->k, x, force);
    for (int i = 0; i < b->n; i++) {
        quad rest = size(force[i] - lambda * load[i]);
        worst = rest > worst ? rest : worst;
        stiffest = size(b->k[i][0]) > stiffest ? size(b->k[i][0]) : stiffest;
        most = size(x[i]) > most ? size(x[i]) : most;
    }
    return worst / (stiffest * most);
}

quad quad_modes(const quad_beam *beam, int first, int n, quad *lambda, quad *shape) {
    bands *b = assemble(beam);
    static quad l[514][WIDTH], d[514], x[514];
    int freedoms = 2 * beam->elements + 2;
    quad worst = 0;
    for (int j = 0; j < n; j++) {
        lambda[j] = eigenvalue(b, first + j, l, d);
        quad residual = eigenvector(b, lambda[j], l, d, x);
        worst = residual > worst ? residual : worst;
        for (int f = 0; f < freedoms; f++) {
            shape[j * freedoms + f] = b->row[f] < 0 ? 0 : x[b->row[f]];
        }
    }
    free(b);
    return worst;
}

quad quad_value(const quad_beam *beam, const quad *shape, double position) {
    int e = 0;
    while (e + 1 < beam->elements && position >= beam->node[e + 1]) {
        e++;
    }
    quad h = (quad)beam->node[e + 1] - (quad)beam->node[e];
    quad x = ((quad)position - (quad)beam->node[e]) / h, y = 1 - x;
    const quad *u = shape + 2 * e;
    return y * y * (1 + 2 * x) * u[0] + h * x * y * y * u[1] + x * x * (3 - 2 * x) * u[2] -
           h * x * x * y * u[3];
}
