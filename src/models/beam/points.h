/* Constants of the method of collocation: the places of a step at which the law of the contact
 * holds, and integrals of the polynomials through them. Times are parts of the step.
 *
 * In a regular step the force is a polynomial. In the first and the last step of a contact it is
 * x^1.5 times a sum of the powers 0, 1, 2, 2.5, 3, 3.5, 4, 4.5 of the distance x from the touch or
 * the break: force and indentation have such series there. */
#ifndef IMP_MODELS_BEAM_POINTS_H
#define IMP_MODELS_BEAM_POINTS_H

#include <stdbool.h>

#include "num/wide.h"

/* ---- response.c: the exact motion of a mode under a polynomial of time, in 32 digits ---- */

enum { IMP_BEAM_POWERS = 8, IMP_BEAM_FAR = 46 };

/* For q'' + d q' + lambda q = force over a time t, which is the unit here: q(1) of the motions that
 * begin with q = 1 or with q' = 1, and their rates; and q(1) of those that begin at rest, under the
 * forces s^n/n!, of which each is the rate of the next: rise[n + 1] belongs to n, rise[0] is that
 * of the motion that begins with q' = 1. */
typedef struct imp_beam_response {
    imp_wide place, place_rate, speed, speed_rate;
    imp_wide rise[IMP_BEAM_POWERS + 1];
} imp_beam_response;

/* over[n]: 1/n!; square = lambda t^2, loss = d t. */
imp_beam_response imp_beam_respond(const imp_wide over[IMP_BEAM_FAR + 1], imp_wide square,
                                   imp_wide loss);

enum {
    IMP_BEAM_POINTS = IMP_BEAM_POWERS, /* places of a step */
    IMP_BEAM_TERMS = 32,               /* of Taylor series in first and last steps */
    IMP_BEAM_GUESSES = 10,             /* ratios of a step to the one before: 4, 2, 1, 1/2, ... */
    IMP_BEAM_LOSSES = 10,              /* places at which first and last steps take losses */
    IMP_BEAM_EXACT = 40                /* places of integrals of those steps */
};

/* Of the first or the last step. */
typedef struct imp_beam_edge {
    double place[IMP_BEAM_POINTS];
    double power[IMP_BEAM_TERMS][IMP_BEAM_POINTS]; /* of the places */
    /* Integrals of (place[k] - x)^m times the force's polynomial of place i over x from 0 to
     * place[k], at [m][i][k]; and over the whole step, (1 - x)^m, at
     * [i][m]. */
    double integral[IMP_BEAM_TERMS][IMP_BEAM_POINTS][IMP_BEAM_POINTS];
    double whole[IMP_BEAM_POINTS][IMP_BEAM_TERMS];
    double far[IMP_BEAM_POINTS]; /* polynomials at the end of the step without touch or break */
    imp_wide coefficient[IMP_BEAM_POINTS][IMP_BEAM_POINTS]; /* of power b in the polynomial of i */
    /* Where losses are taken: places, weights of their integral, and integrals as above. */
    double loss_place[IMP_BEAM_LOSSES], loss_weight[IMP_BEAM_LOSSES];
    double loss_integral[IMP_BEAM_LOSSES][IMP_BEAM_POINTS][IMP_BEAM_TERMS];
} imp_beam_edge;

typedef struct imp_beam_points {
    double place[IMP_BEAM_POINTS], weight[IMP_BEAM_POINTS]; /* Gauss's */
    double first[IMP_BEAM_POINTS], last[IMP_BEAM_POINTS]; /* polynomials at both ends of the step */
    imp_wide basis[IMP_BEAM_POINTS][IMP_BEAM_POWERS];     /* n! times the coefficient of x^n */
    imp_wide over[IMP_BEAM_FAR + 1];                      /* 1/n!, for responses */
    /* Weights that extend a polynomial to the places of the next step: [ratio][i][k]. */
    double guess[IMP_BEAM_GUESSES][IMP_BEAM_POINTS][IMP_BEAM_POINTS];
    double half[2][IMP_BEAM_POINTS][IMP_BEAM_POINTS]; /* polynomials in each half: [k][i] */
    double exact_place[IMP_BEAM_EXACT], exact_weight[IMP_BEAM_EXACT];
    imp_beam_edge edge[2]; /* touch, break */
} imp_beam_points;

/* Exponents of the powers in a first or last step. */
extern const double imp_beam_exponent[IMP_BEAM_POINTS];

void imp_beam_points_make(imp_beam_points *points);

/* Integrals as in an edge, to any place; out[m][i]. */
void imp_beam_edge_integrals(const imp_beam_points *points, bool breaks, double place,
                             double out[IMP_BEAM_TERMS][IMP_BEAM_POINTS]);

#endif
