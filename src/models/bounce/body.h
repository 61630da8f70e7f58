/* The body that bounces: the convex hull of discs of one radius, which are fixed in it. */
#ifndef IMP_MODELS_BOUNCE_BODY_H
#define IMP_MODELS_BOUNCE_BODY_H

#include "impact.h"

enum { IMP_BOUNCE_POINTS = 8 };

/* A flat of the body: two neighbours on the hull touch at once, the one on the left (-t) and the
 * one on the right. Coordinates are those of the centres of the discs about the mass centre, along
 * t and n, while the body lies on this flat; both of its own points then have exactly one height,
 * so that a body that lies almost flat keeps all digits. */
typedef struct imp_bounce_flat {
    double angle; /* of the body, in (-pi, pi] */
    double a[IMP_BOUNCE_POINTS], b[IMP_BOUNCE_POINTS];
} imp_bounce_flat;

/* Flat k lies between point k, on the left, and point k + 1. Point k is the lowest one while the
 * body has turned from flat k by an angle between 0 and corner[k]; there flat k - 1 follows. */
typedef struct imp_bounce_body {
    int n;                         /* of points that can touch, counter-clockwise; 1: a disc */
    int number[IMP_BOUNCE_POINTS]; /* by which outputs name each, from 1 on */
    double r[IMP_BOUNCE_POINTS];   /* distance from the mass centre to the centre of each disc */
    double corner[IMP_BOUNCE_POINTS];
    imp_bounce_flat flat[IMP_BOUNCE_POINTS];
    double radius;   /* of the discs */
    double reach;    /* from the mass centre to the farthest place of the hull */
    double gyration; /* radius of gyration about the mass centre */
    double mass;
} imp_bounce_body;

/* The bodies in the order of their codes: the choice `body`. */
enum { IMP_BOUNCE_BODIES = 5 };
extern const imp_option *const imp_bounce_bodies[IMP_BOUNCE_BODIES];

/* The body of option `code` with the values of the parameters of the option. False if there is none
 * whose mass centre is inside the hull. */
bool imp_bounce_body_of(int code, const double *value, imp_bounce_body *body);

/* Neighbours on the hull. */
static inline int imp_bounce_next(const imp_bounce_body *body, int k) {
    return k + 1 == body->n ? 0 : k + 1;
}

static inline int imp_bounce_before(const imp_bounce_body *body, int k) {
    return k == 0 ? body->n - 1 : k - 1;
}

#endif
