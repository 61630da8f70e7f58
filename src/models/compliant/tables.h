/* Parameters, choices and modes of the theory. */
#ifndef IMP_MODELS_COMPLIANT_TABLES_H
#define IMP_MODELS_COMPLIANT_TABLES_H

#include "models/theory.h"

enum { FRICTION, STIFFNESS_RATIO, POISSON_RATIO, NORMAL_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };

extern const imp_parameter *const imp_compliant_parameters[N_PARAMETERS];
extern const imp_choice imp_compliant_choices[N_CHOICES];

enum { IMP_COMPLIANT_MODES = 8, IMP_COMPLIANT_UNITS = 3 };
extern const imp_mode imp_compliant_modes[IMP_COMPLIANT_MODES];
extern const char *const imp_compliant_units[IMP_COMPLIANT_UNITS];

#endif
