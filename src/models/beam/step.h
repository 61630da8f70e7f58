/* The sums of which a step of collocation consists, in lanes: places of the step side by side, or
 * modes. Arrays of modes are [places] of the tables. */
#ifndef IMP_MODELS_BEAM_STEP_H
#define IMP_MODELS_BEAM_STEP_H

#include "models/beam/tables.h"

/* The force of a step, from the equations depth = free - matrix force, force = k depth^1.5. */
typedef struct imp_beam_step {
    double (*matrix)[IMP_BEAM_POINTS]; /* [i][k], not owned */
    double free[IMP_BEAM_POINTS];      /* indentation at the places without the force of the step */
    double depth[IMP_BEAM_POINTS];     /* indentation */
    double force[IMP_BEAM_POINTS];     /* begins as a guess */
    double stiffness, settled;         /* change of the force at which the iteration ends */
    bool converged;
} imp_beam_step;

/* The motion of the modes at one time. */
typedef struct imp_beam_motions {
    double place[IMP_BEAM_MOST_PLACES], rate[IMP_BEAM_MOST_PLACES];
} imp_beam_motions;

/* matrix of a regular step */
void imp_beam_sum_pushed(const imp_beam_tables *tables, const imp_beam_length *length,
                         const double *shape, double matrix[IMP_BEAM_POINTS][IMP_BEAM_POINTS]);

/* free of a regular step */
void imp_beam_sum_free(const imp_beam_tables *tables, const imp_beam_length *length,
                       const double *shape, const imp_beam_motions *now, double *free);

/* force, extended from that of the step before by one of the guesses of the points. */
void imp_beam_extend(const double (*guess)[IMP_BEAM_POINTS], const double *before, double *force);

/* Iterates at most `most` times. */
void imp_beam_iterate(imp_beam_step *step, int most);

/* Sums over the places of a step that has converged. */
typedef struct imp_beam_step_sums {
    double first, last; /* the force's polynomial at both ends */
    double impulse;     /* integral of the force over the step's part of 1 */
    double roots;       /* the same of the square root of the indentation */
    double least, most; /* indentations */
} imp_beam_step_sums;

void imp_beam_sum_step(const imp_beam_points *points, const imp_beam_step *step,
                       imp_beam_step_sums *sums);

/* The motion at the end of a regular step, and there the indentation and its rate. */
void imp_beam_end_step(const imp_beam_tables *tables, const imp_beam_length *length,
                       const double *shape, const imp_beam_motions *now, const double *force,
                       imp_beam_motions *next, double *depth, double *depth_rate);

/* Indentation and its rate. */
void imp_beam_sum_contact(const imp_beam_tables *tables, const double *shape,
                          const imp_beam_motions *now, double *depth, double *rate);

/* Energy dissipated in a regular step. */
void imp_beam_sum_loss(const imp_beam_tables *tables, const imp_beam_length *length,
                       const double *shape, const imp_beam_motions *now, const double *force,
                       double *loss);

/* ---- first and last steps; part: their length over the reach of the tables ---- */

/* Series of the indentation without force, and of the indentation by a unit impulse at its
 * beginning, in powers of the time over the reach. */
void imp_beam_sum_series(const imp_beam_tables *tables, const double *shape,
                         const imp_beam_motions *now, double *series);
void imp_beam_sum_answer(const imp_beam_tables *tables, const double *shape, double *answer);

/* The powers of part that count, and 0 for the others; returns their number. */
int imp_beam_powers(double part, double power[IMP_BEAM_TERMS]);

/* matrix and free from so many terms; power[m]: part^m. */
void imp_beam_sum_edge(const imp_beam_edge *edge, const double *series, const double *answer,
                       const double *power, int terms, double length,
                       double matrix[IMP_BEAM_POINTS][IMP_BEAM_POINTS], double *free);

/* Sums over the forces at the places, one for each term. */
void imp_beam_sum_moments(const double (*integral)[IMP_BEAM_TERMS], const double *force,
                          double *moment);

/* The motion at a place of the step: powers[m] of part times the place; moment[m]: integral of
 * (place - x)^m times the force, times part^m. */
void imp_beam_end_edge(const imp_beam_tables *tables, const double *shape,
                       const imp_beam_motions *now, double length, const double *powers,
                       const double *moment, int terms, imp_beam_motions *next);

/* Power of damping. */
void imp_beam_sum_power(const imp_beam_tables *tables, const imp_beam_motions *now, double *power);

#endif
