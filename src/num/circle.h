/* All zeros on the circle of a function with two harmonics. */
#ifndef IMP_NUM_CIRCLE_H
#define IMP_NUM_CIRCLE_H

#include <stdbool.h>

#include "num/trigonometry.h"

/* mean + c1 cos x + s1 sin x + c2 cos 2x + s2 sin 2x */
typedef struct imp_harmonics {
    double mean, c1, s1, c2, s2;
} imp_harmonics;

/* Value, or derivative with respect to the angle, in the direction (c, s) of unit length. */
static inline double imp_harmonics_at(const imp_harmonics *f, double c, double s) {
    return f->mean + f->c1 * c + f->s1 * s + f->c2 * (c - s) * (c + s) + f->s2 * (2 * s * c);
}

static inline double imp_harmonics_slope(const imp_harmonics *f, double c, double s) {
    return f->s1 * c - f->c1 * s + 2 * (f->s2 * (c - s) * (c + s) - f->c2 * (2 * s * c));
}

/* Whether the function falls through a zero, a triple one included. */
bool imp_harmonics_falls(const imp_harmonics *f, double c, double s);

typedef struct imp_direction {
    double angle; /* in [0, 2 pi) */
    double c, s;  /* its cosine and sine */
} imp_direction;

enum { IMP_MOST_ZEROS = 4 };

/* Writes the zeros in ascending order and returns their number, 0 to 4; a double zero counts twice,
 * a triple one once, and so do three zeros that rounding does not tell from it, which lie within
 * some 1e-5; rounding decides whether two zeros closer than 1e-8 are found. Absolute error about
 * 1e-16 over the slope, 1e-15 of a triple zero. Not for f = 0 everywhere: returns 0. */
int imp_harmonics_zeros(const imp_harmonics *f, imp_direction zeros[IMP_MOST_ZEROS]);

#endif
