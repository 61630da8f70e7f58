/* Systems of linear equations, one in each lane, by elimination with exchange of rows. */
#ifndef IMP_MODELS_COMPLIANT3D_FACTORS_LANES_H
#define IMP_MODELS_COMPLIANT3D_FACTORS_LANES_H

#include "models/compliant3d/slip_step.h"
#include "num/lanes/words.h"

enum { STAGES = IMP_COMPLIANT3D_SLIP_STAGES };

typedef real column[STAGES];

/* A matrix as the product of triangles, rows exchanged. */
typedef struct factors {
    real m[STAGES][STAGES];
    column pivot;
    bool exchanged; /* a row in some lane */
} factors;

CODE void exchange(truth mask, real *a, real *b) {
    real former = *a;
    put(mask, a, *b);
    put(mask, b, former);
}

/* Brings the largest element of column k to the diagonal. */
CODE void find_pivot(factors *f, int k) {
    real most = size_of(f->m[k][k]);
    f->pivot[k] = number(k);
    for (int i = k + 1; i < STAGES; i++) {
        truth greater = size_of(f->m[i][k]) > most;
        put(greater, &most, size_of(f->m[i][k]));
        put(greater, &f->pivot[k], number(i));
    }
    if (!any(f->pivot[k] != number(k))) {
        return;
    }
    f->exchanged = true;
    for (int i = k + 1; i < STAGES; i++) {
        for (int j = 0; j < STAGES; j++) {
            exchange(f->pivot[k] == number(i), &f->m[k][j], &f->m[i][j]);
        }
    }
}

CODE void factorize(factors *f) {
    f->exchanged = false;
    for (int k = 0; k < STAGES; k++) {
        find_pivot(f, k);
        real inverse = 1 / f->m[k][k];
        for (int i = k + 1; i < STAGES; i++) {
            real factor = f->m[i][k] *= inverse;
            for (int j = k + 1; j < STAGES; j++) {
                f->m[i][j] -= factor * f->m[k][j];
            }
        }
    }
}

CODE void solve_linear(const factors *f, real *r) {
    for (int k = 0; k < STAGES && f->exchanged; k++) {
        for (int i = k + 1; i < STAGES; i++) {
            exchange(f->pivot[k] == number(i), &r[k], &r[i]);
        }
    }
    for (int k = 0; k < STAGES; k++) {
        for (int i = k + 1; i < STAGES; i++) {
            r[i] -= f->m[i][k] * r[k];
        }
    }
    for (int k = STAGES - 1; k >= 0; k--) {
        for (int j = k + 1; j < STAGES; j++) {
            r[k] -= f->m[k][j] * r[j];
        }
        r[k] /= f->m[k][k];
    }
}

#endif
