/* Drops of `bounce` up to their fifth impact by an independent method: flights in small steps,
 * touches by bisection; how an impact is followed is up to the test. Nothing is shared with the
 * theory; sine and cosine are those of libm. */
#ifndef TESTS_SUPPORT_FALLS_H
#define TESTS_SUPPORT_FALLS_H

#include "support/batch.h"
#include "support/random.h"

enum { FALLS_POINTS = 4, FALLS_IMPACTS = 5 };

/* The discs of a body of mass 1, and its squared gyration radius. */
typedef struct falls_body {
    int n;
    double r[FALLS_POINTS], beta[FALLS_POINTS], radius, square;
} falls_body;

typedef struct falls_motion {
    double time, y, phi, u, v, w; /* of the mass centre */
} falls_motion;

/* A drop, under gravity 1, and the same as a cell of the theory. */
typedef struct falls_drop {
    batch b;
    falls_body body;
    falls_motion start;
    double restitution, friction;
} falls_drop;

/* An impact: the inverse effective mass, the velocities before it, and the impulses to be found. */
typedef struct falls_impact {
    double b11, b12, b22, v_t, v_n;
    double p_t, p_n;
} falls_impact;

/* Follows an impact; false where rounding decides what happens. */
typedef bool falls_strike(falls_impact *impact, const falls_drop *drop, void *context);

/* Draws a drop: a rod, a block, a capsule, a rock, and so on. */
falls_drop falls_draw(int i, const char *law, random_source *source);

/* Follows drop i both ways, compares its impacts, closes it, and returns how many were compared. */
int falls_compare(int i, falls_drop *drop, falls_strike *strike, void *context);

#endif
