/* The modes in contact, integrated by PETSc's TS. Made anew for every cell, so that no cell depends
 * on the one before.
 *
 * Events are found by the caller, from steps of chosen length: the last step is taken again from
 * its beginning until the event lies at its end. TSEvent of PETSc 3.18 is not used: it overlooks
 * pairs of roots in one step, rolls TSRK back by subtraction, which loses the state when a trial
 * step fails, and prescribes the step after an event. */
#ifndef IMP_MODELS_BEAM_STEPPER_H
#define IMP_MODELS_BEAM_STEPPER_H

#include <petscts.h>

#include "models/beam/beam.h"

typedef struct imp_beam_stepper {
    const imp_beam_problem *problem;
    int size; /* of the state */
    TS ts;
    Vec solution, tolerance;
    Mat jacobian; /* of the implicit part; NULL with an explicit method */
    bool implicit;
    double cap;               /* longest step */
    int64_t cost, left;       /* work of a step; what is left of the budget */
    double before_time, time; /* of the last step */
    double next;              /* length of the next one */
    double before[IMP_BEAM_MOST_STATE], now[IMP_BEAM_MOST_STATE];
    double trial[IMP_BEAM_MOST_STATE]; /* the end of imp_beam_stepper_try */
    bool strayed;                      /* TS is not at `now` */
    bool failed;                       /* a step did not converge: the stepper cannot go on */
} imp_beam_stepper;

/* The method for IMP_BEAM_MODAL: TSRK 8vr without damping, 5dp with damping, TSARKIMEX where
 * damping would need more than 2000 explicit steps in one contact time T. */
imp_beam_scheme imp_beam_choose_scheme(const imp_beam_problem *problem);

/* tolerance: relative error of a step; budget: of work. The caller closes the stepper, also after
 * an error. */
PetscErrorCode imp_beam_stepper_open(imp_beam_stepper *stepper, const imp_beam_problem *problem,
                                     imp_beam_scheme scheme, double tolerance, int64_t budget);
PetscErrorCode imp_beam_stepper_close(imp_beam_stepper *stepper);

/* Begins a contact. */
void imp_beam_stepper_start(imp_beam_stepper *stepper, double time, const double *state,
                            double first_step);

/* One step, as long as its error allows: `before`, `before_time` and `now`, `time` are its ends. */
PetscErrorCode imp_beam_stepper_step(imp_beam_stepper *stepper);

/* The state `length` after the beginning of the last step, in `trial`. The next step is not
 * affected. Where the budget ends the state may be that of an earlier time. */
PetscErrorCode imp_beam_stepper_try(imp_beam_stepper *stepper, double length);

#endif
