/* The history of a contact in time. */
#ifndef IMP_MODELS_CONTINUUM_HISTORY_H
#define IMP_MODELS_CONTINUUM_HISTORY_H

#include "models/continuum/problem.h"

/* Units of the scaled problem in SI. */
typedef struct imp_continuum_scales {
    double time, impulse, speed; /* s, N s, m/s */
} imp_continuum_scales;

extern const imp_history imp_continuum_history;

/* Gives the rows of a contact to the recorder, up to a failure if there is one. */
imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_continuum_scales *scales,
                                 imp_recorder *recorder);

#endif
