/* Random inverse masses in space, and operations on them that call no code of the product. */
#ifndef TESTS_SUPPORT_INERTIA_H
#define TESTS_SUPPORT_INERTIA_H

#include <stddef.h>

#include "support/batch.h"
#include "support/random.h"

typedef struct inertia {
    double b[3][3];
} inertia;

/* Principal values spread over up to `condition`, the largest 1, in a random frame. */
inertia inertia_random(random_source *source, double condition);

/* The inverse mass in axes turned about the third one. */
inertia inertia_turned(const inertia *m, double angle);

/* B of cell i of a batch with body=matrix3d. */
void inertia_set(const batch *b, size_t i, const inertia *m);
inertia inertia_get(const batch *b, size_t i);

/* v . B^-1 v / 2 by Cramer's rule in long double. */
long double inertia_energy(const inertia *m, const double *v);

#endif
