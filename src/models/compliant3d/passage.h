/* Events that a step of slip has passed, found on the polynomials through the stages. */
#ifndef IMP_MODELS_COMPLIANT3D_PASSAGE_H
#define IMP_MODELS_COMPLIANT3D_PASSAGE_H

#include "models/compliant3d/contact_impl.h"

/* A quantity that is positive before an event and 0 at the event; i: a stage of the step, or
 * IMP_COMPLIANT3D_SLIP_STAGES for its end. */
double imp_compliant3d_slip_distance(const contact *a, event which,
                                     const imp_compliant3d_slip_step *step, int i);

/* Its rate at the end of the step. */
double imp_compliant3d_slip_rate(const contact *a, event which,
                                 const imp_compliant3d_slip_step *step);

/* The slip speed where the next step begins. */
double imp_compliant3d_slip_speed_at_start(const contact *a);

/* An event, or NONE, and parts of a step: until the event, nearly, and until it has been passed. */
typedef struct imp_compliant3d_slip_passage {
    event which;
    double near, behind;
} imp_compliant3d_slip_passage;

/* The first event that a solved step passes; known: an event at its end that does not count. */
imp_compliant3d_slip_passage imp_compliant3d_slip_passage_in(const contact *a,
                                                             const imp_compliant3d_slip_step *step,
                                                             event known);

#endif
