/* What the steps of collocation need to know of the modes, whatever the place of the contact: how
 * each mode moves over steps of the lengths 2^k, freely and under polynomials of the force, and its
 * Taylor series. Made when they are first asked for, and kept. */
#ifndef IMP_MODELS_BEAM_TABLES_H
#define IMP_MODELS_BEAM_TABLES_H

#include "models/beam/beam.h"
#include "models/beam/points.h"

enum {
    IMP_BEAM_LENGTHS = 72,     /* of steps, from IMP_BEAM_LONGEST on halved */
    IMP_BEAM_MOST_PLACES = 208 /* modes that a case may have and a striker, in whole groups */
};
#define IMP_BEAM_LONGEST 64.0

/* Rows of the end of a step: q and q' for q = 1 and for q' = 1; q for the forces at the places of
 * the step; q' for them. */
enum {
    IMP_BEAM_PLACE_OF_PLACE,
    IMP_BEAM_RATE_OF_PLACE,
    IMP_BEAM_PLACE_OF_RATE,
    IMP_BEAM_RATE_OF_RATE,
    IMP_BEAM_PLACE_OF_FORCE,
    IMP_BEAM_RATE_OF_FORCE = IMP_BEAM_PLACE_OF_FORCE + IMP_BEAM_POINTS,
    IMP_BEAM_END_ROWS = IMP_BEAM_RATE_OF_FORCE + IMP_BEAM_POINTS
};

/* Squares and products of q, q' and the forces, in this order, of which losses are sums. */
enum {
    IMP_BEAM_MOTION = 2 + IMP_BEAM_POINTS,
    IMP_BEAM_SQUARES = IMP_BEAM_MOTION * (IMP_BEAM_MOTION + 1) / 2
};

/* Steps of one length. */
typedef struct imp_beam_length {
    double step;
    double *inside;  /* [n][2][POINTS] q at the places for q = 1 and for q' = 1 */
    double *pushed;  /* [n][POINTS i][POINTS k] q at place k for the force at place i */
    double *end;     /* [END_ROWS][places] */
    double *loss;    /* [SQUARES][places] dissipated energy; NULL without damping */
    double values[]; /* all of these */
} imp_beam_length;

typedef struct imp_beam_tables {
    int n, places; /* modes; the same in whole groups */
    bool damped;
    double lambda[IMP_BEAM_MOST_PLACES], damping[IMP_BEAM_MOST_PLACES];
    double fastest; /* the greatest omega + d */
    double reach;   /* longest first or last step, the unit of time of the series */
    /* Series of q for q = 1 and for q' = 1: [term][places], and [n][TERMS]. */
    double *place_row, *speed_row, *place_term, *speed_term;
    imp_beam_length *length[IMP_BEAM_LENGTHS];
    double values[]; /* the series */
} imp_beam_tables;

/* Responses of one mode after a part of a step; of force[i] those to the force at place i. */
typedef struct imp_beam_part {
    double place, place_rate, speed, speed_rate;
    double force[IMP_BEAM_POINTS], force_rate[IMP_BEAM_POINTS];
} imp_beam_part;

imp_beam_part imp_beam_respond_within(const imp_beam_points *points, double lambda, double damping,
                                      double step, double place);

/* NULL: out of memory. The caller owns the tables. */
imp_beam_tables *imp_beam_tables_create(const imp_beam_problem *problem);
void imp_beam_tables_destroy(imp_beam_tables **tables);

/* Whether these tables are those of a problem. */
bool imp_beam_tables_serve(const imp_beam_tables *tables, const imp_beam_problem *problem);

/* Steps of the length IMP_BEAM_LONGEST / 2^index; NULL: out of memory. */
const imp_beam_length *imp_beam_tables_length(imp_beam_tables *tables,
                                              const imp_beam_points *points, int index);

#endif
