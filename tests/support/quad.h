/* Natural modes of a beam's finite elements in quad precision, by bisection with Sturm counts and
 * inverse iteration. They use no eigensolver of a library, and of the product only the places of
 * the nodes. */
#ifndef TESTS_SUPPORT_QUAD_H
#define TESTS_SUPPORT_QUAD_H

#include <stdbool.h>

__extension__ typedef __float128 quad;

typedef struct quad_beam {
    int elements;
    double node[257]; /* ends of the elements */
    bool held[514];   /* degrees of freedom: displacement and slope of each node */
} quad_beam;

/* Modes first .. first + n - 1 in the order of their frequencies, of unit norm by the mass.
 * lambda[n]; shape[n][2 * elements + 2], 0 where it is held. Returns the largest residual |K x -
 * lambda M x| of a mode, over |K| |x|. */
quad quad_modes(const quad_beam *beam, int first, int n, quad *lambda, quad *shape);

/* Value of a shape at a position. */
quad quad_value(const quad_beam *beam, const quad *shape, double position);

#endif
