/* What the theory takes and gives: parameters, choices, outputs and modes. */
#ifndef IMP_MODELS_COMPLIANT_TABLES_H
#define IMP_MODELS_COMPLIANT_TABLES_H

#include "models/theory.h"

enum { FRICTION, STIFFNESS_RATIO, POISSON_RATIO, NORMAL_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };
enum {
    MODE,
    SEQUENCE,
    KINEMATIC,
    KINETIC,
    ENERGETIC,
    VELOCITY_RATIO_OUT,
    NORMAL_IMPULSE,
    TANGENTIAL_IMPULSE,
    ENERGY_LOSS,
    BODY_ENERGY_LOSS,
    DURATION,
    COMPRESSION_TIME,
    RESIDUAL,
    NORMAL_WORK_COMPRESSION,
    NORMAL_WORK_RESTITUTION,
    TANGENTIAL_WORK_COMPRESSION,
    TANGENTIAL_WORK_RESTITUTION,
    SLIP_LOSS,
    TRAPPED_ENERGY,
    PEAK_NORMAL_FORCE,
    PEAK_NORMAL_FORCE_TIME,
    PEAK_TANGENTIAL_FORCE,
    PEAK_TANGENTIAL_FORCE_TIME,
    N_OUTPUTS
};

extern const imp_parameter *const imp_compliant_parameters[N_PARAMETERS];
extern const imp_choice imp_compliant_choices[N_CHOICES];
extern const imp_output imp_compliant_outputs[N_OUTPUTS];

enum { IMP_COMPLIANT_MODES = 8, IMP_COMPLIANT_UNITS = 3 };
extern const imp_mode imp_compliant_modes[IMP_COMPLIANT_MODES];
extern const char *const imp_compliant_units[IMP_COMPLIANT_UNITS];

/* imp_theory.has_output */
bool imp_compliant_has_output(const imp_instance *instance, int output);

#endif
