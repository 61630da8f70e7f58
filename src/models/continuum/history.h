/* The history of a contact in time. */
#ifndef IMP_MODELS_CONTINUUM_HISTORY_H
#define IMP_MODELS_CONTINUUM_HISTORY_H

#include "models/continuum/problem.h"

extern const imp_history imp_continuum_history;

/* Gives the rows of a contact to the recorder, up to a failure if there is one. */
imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_contact_units *units,
                                 imp_continuum_work *work, imp_recorder *recorder);

#endif
