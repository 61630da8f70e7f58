/* The history of a contact of the rod: its columns and its recording. */
#ifndef IMP_MODELS_VISCOELASTIC_HISTORY_H
#define IMP_MODELS_VISCOELASTIC_HISTORY_H

#include "impact.h"
#include "models/viscoelastic/rod.h"

extern const imp_history imp_viscoelastic_history;

/* Solves the problem, and gives its history to the recorder. Returns the outcome of the cell. */
imp_outcome imp_viscoelastic_record(imp_viscoelastic_problem problem,
                                    const imp_contact_units *units, imp_recorder *recorder);

#endif
