/* The history of a contact with three springs: its columns and its recording. */
#ifndef IMP_MODELS_COMPLIANT3D_HISTORY_H
#define IMP_MODELS_COMPLIANT3D_HISTORY_H

#include "impact.h"
#include "models/compliant3d/contact.h"

extern const imp_history imp_compliant3d_history;

/* Solves the problem, and gives its history to the recorder. Returns the outcome of the cell. */
imp_outcome imp_compliant3d_record(imp_compliant3d_problem problem, const imp_contact_units *units,
                                   imp_recorder *recorder);

#endif
