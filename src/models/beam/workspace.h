/* Memory of one collision, too large for a stack. */
#ifndef IMP_MODELS_BEAM_WORKSPACE_H
#define IMP_MODELS_BEAM_WORKSPACE_H

#include "models/beam/flight.h"
#include "models/beam/sensitivity.h"

/* Begins as 0; the caller frees the kicks. */
typedef struct imp_beam_workspace {
    imp_beam_flight flight;
    imp_beam_kicks kicks;
    imp_beam_slopes slopes;
    double state[IMP_BEAM_MOST_STATE];
    /* For schemes that cannot repeat a step: the state before the last step, and accelerations. */
    double before[IMP_BEAM_MOST_STATE], curve[IMP_BEAM_MOST_STATE];
} imp_beam_workspace;

#endif
