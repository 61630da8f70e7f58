/* A collision by collocation under way: what its steps share. Private to the collocation. */
#ifndef IMP_MODELS_BEAM_COLLOCATION_RUN_H
#define IMP_MODELS_BEAM_COLLOCATION_RUN_H

#include "models/beam/course.h"
#include "models/beam/step.h"

/* Of steps; the first two number the edges of the points. */
typedef enum imp_beam_manner {
    IMP_BEAM_TOUCHES,
    IMP_BEAM_BREAKS,
    IMP_BEAM_REGULAR
} imp_beam_manner;

/* A step that was taken. */
typedef struct imp_beam_taken {
    imp_beam_manner kind;
    int index; /* of its length, if regular */
    double begin, length, force[IMP_BEAM_POINTS];
} imp_beam_taken;

typedef struct imp_beam_run {
    imp_beam_course course;
    const imp_beam_points *points;
    imp_beam_tables *tables;
    double shape[IMP_BEAM_MOST_PLACES];
    /* Of regular steps, by their length, and whether it was summed. */
    double (*matrix)[IMP_BEAM_POINTS][IMP_BEAM_POINTS];
    bool known[IMP_BEAM_LENGTHS];
    double answer[IMP_BEAM_TERMS];
    imp_beam_step step;
    imp_beam_step_sums sums;
    double edge[IMP_BEAM_POINTS][IMP_BEAM_POINTS]; /* the matrix of a first or last step */
    imp_beam_motions motions[2], *now, *next;
    double depth, rate; /* at `now`, which is at course.time */
    double next_depth, next_rate;
    double deepest; /* greatest indentation so far */
    double impulse, dissipated;
    double most_error;                         /* of a step's impulse */
    double length_unit, time_unit, compliance; /* sum of B_j^2 */
    int64_t left;                              /* of the budget */
    bool memory;                               /* false: it ran out */
    imp_beam_taken last;
} imp_beam_run;

/* ---- collocation_force.c: the force within a step ---- */

/* Sets the length of a regular step and its matrix; NULL: out of memory. */
const imp_beam_length *imp_beam_use_length(imp_beam_run *run, int index);

/* Coefficients of the force's powers: x^n, or the powers of an edge. */
typedef struct imp_beam_force_series {
    imp_beam_manner kind;
    double c[IMP_BEAM_POINTS];
} imp_beam_force_series;

imp_beam_force_series imp_beam_force_series_of(const imp_beam_points *points, imp_beam_manner kind,
                                               const double *force);

/* x: a part of the step. */
double imp_beam_force_at(const imp_beam_force_series *series, double x);
double imp_beam_impulse_to(const imp_beam_force_series *series, double length, double x);

/* ---- collocation_step.c: the state, and a step that is taken ---- */

/* The state of a motion, with impulse and loss. */
void imp_beam_pack(const imp_beam_run *run, const imp_beam_motions *from, double *state);
double imp_beam_state_energy(const imp_beam_run *run, const double *state);

/* Takes the step whose end is `next`. slope: change of its impulse with the indentation. */
void imp_beam_take(imp_beam_run *run, imp_beam_manner kind, int index, double length,
                   double impulse, double slope);

/* ---- collocation_peak.c ---- */

/* The greatest indentation so far, when the step that is `last` leads from `now` to `next`. */
double imp_beam_greatest_depth(imp_beam_run *run);

/* ---- collocation_contact.c ---- */

/* One contact, from `now` to its break. */
void imp_beam_touch_and_break(imp_beam_run *run);

/* Gives a collision up that has no end; see there. */
void imp_beam_give_up(imp_beam_run *run);

#endif
