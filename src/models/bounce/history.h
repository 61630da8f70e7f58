/* Histories of drops: evenly spaced samples, and a row for every event. */
#ifndef IMP_MODELS_BOUNCE_HISTORY_H
#define IMP_MODELS_BOUNCE_HISTORY_H

#include "models/bounce/state.h"

extern const imp_history imp_bounce_history;

/* Records a cell up to its end, or to where it failed. */
imp_outcome imp_bounce_record(imp_bounce_problem problem, imp_recorder *recorder);

#endif
