/* The history of one contact: rows for a recorder. */
#ifndef IMP_MODELS_COMPLIANT_HISTORY_H
#define IMP_MODELS_COMPLIANT_HISTORY_H

#include "models/compliant/laws.h"

extern const imp_history imp_compliant_history;

/* Solves the problem and records its history; speed: |v_n(0)|, m/s. The history of a contact that
 * wedges ends after one period of the last stick. */
imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder);

#endif
