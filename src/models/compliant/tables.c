#include "models/compliant/tables.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/compliant/laws.h"

static const imp_parameter stiffness_ratio = {
    .name = "stiffness_ratio",
    .unit = "1",
    .meaning =
        "normal over tangential stiffness; the default budget suffices for every cell with a "
        "stiffness_ratio from 1e-3 to 1e3, velocity_ratio from -1e3 to 1e3, inertia_coupling up to "
        "0.999, restitution from 0.01 and damping times normal_speed up to 100",
    IMP_RANGE_POSITIVE,
    .fallback = NAN,
    .example = 1.21,
};

const imp_parameter *const imp_compliant_parameters[N_PARAMETERS] = {
    [FRICTION] = &imp_parameter_limited_friction,
    [STIFFNESS_RATIO] = &stiffness_ratio,
    [POISSON_RATIO] = &imp_parameter_poisson_ratio,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

const imp_choice imp_compliant_choices[N_CHOICES] = {
    [BODY] = IMP_BODY_CHOICE,
    [LAW] = {"law", "forces of the two springs", imp_compliant_law_options, IMP_COMPLIANT_LAWS, 0},
};

const imp_mode imp_compliant_modes[IMP_COMPLIANT_MODES] = {
    {IMP_COMPLIANT_GROSS_STICK, "gross_stick", "sticks from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP, "stick_slip", "sticks at first, then slips until separation"},
    {IMP_COMPLIANT_REVERSED, "slip_stick_slip_reversed", "slips, sticks, slips back"},
    {IMP_COMPLIANT_SAME, "slip_stick_slip_same", "slips, sticks, slips on in the same direction"},
    {IMP_COMPLIANT_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip", "sticks and slips twice"},
    {IMP_COMPLIANT_MULTIPLE, "multiple", "any other sequence of phases"},
    {IMP_COMPLIANT_WEDGE, "wedge", "sticks for good: the body does not separate"},
};

const char *const imp_compliant_units[IMP_COMPLIANT_UNITS] = {"mass", "normal_stiffness",
                                                              "normal_speed"};
