/* Parameters, choices and modes of the theory. */
#ifndef IMP_MODELS_CONTINUUM_TABLES_H
#define IMP_MODELS_CONTINUUM_TABLES_H

#include "models/theory.h"

enum {
    FRICTION,
    STIFFNESS_RATIO,
    POISSON_RATIO,
    NORMAL_STIFFNESS,
    NORMAL_SPEED,
    TOLERANCE,
    N_PARAMETERS
};
enum { BODY, N_CHOICES };
extern const imp_parameter *const imp_continuum_parameters[N_PARAMETERS];
extern const imp_choice imp_continuum_choices[N_CHOICES];

enum { IMP_CONTINUUM_MODES = 8, IMP_CONTINUUM_UNITS = 3 };
extern const imp_mode imp_continuum_modes[IMP_CONTINUUM_MODES];
extern const char *const imp_continuum_units[IMP_CONTINUUM_UNITS];

#endif
