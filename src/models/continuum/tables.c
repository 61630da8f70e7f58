#include "models/continuum/tables.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/continuum/problem.h"

static const imp_parameter stiffness_ratio = {
    .name = "stiffness_ratio",
    .unit = "1",
    .meaning = "normal over tangential stiffness of a contact that does not slip; 1 to 1.5 for "
               "like elastic bodies (poisson_ratio)",
    .low = 1e-6,
    .high = 1e6,
    .fallback = NAN,
    .example = 1.21,
};

static const imp_parameter normal_stiffness = {
    .name = "normal_stiffness",
    .unit = "N/m^1.5",
    .meaning = "normal force over the indentation to the power 1.5, by Hertz",
    IMP_RANGE_POSITIVE,
    .fallback = 1,
    .example = 1,
};

static const imp_parameter tolerance = {
    .name = "tolerance",
    .unit = "1",
    .meaning = "allowed error of the velocities at separation over the initial normal speed; sets "
               "the steps of a cell",
    .low = 1e-12,
    .high = 1e-3,
    .fallback = 1e-8,
    .example = 1e-8,
};

const imp_parameter *const imp_continuum_parameters[N_PARAMETERS] = {
    [FRICTION] = &imp_parameter_limited_friction,   [STIFFNESS_RATIO] = &stiffness_ratio,
    [POISSON_RATIO] = &imp_parameter_poisson_ratio, [NORMAL_STIFFNESS] = &normal_stiffness,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,   [TOLERANCE] = &tolerance,
};

const imp_choice imp_continuum_choices[N_CHOICES] = {
    [BODY] = IMP_BODY_CHOICE,
};

/* Stick means that the contact's centre sticks, whether its outer parts slip or not. */
const imp_mode imp_continuum_modes[IMP_CONTINUUM_MODES] = {
    {IMP_CONTINUUM_GROSS_STICK, "gross_stick", "the centre sticks from first touch to separation"},
    {IMP_CONTINUUM_STICK_SLIP, "stick_slip",
     "the centre sticks at first, then slips until separation"},
    {IMP_CONTINUUM_REVERSED, "slip_stick_slip_reversed", "the centre slips, sticks, slips back"},
    {IMP_CONTINUUM_SAME, "slip_stick_slip_same",
     "the centre slips, sticks, slips on in the same direction"},
    {IMP_CONTINUUM_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_CONTINUUM_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip",
     "the centre sticks and slips twice"},
    {IMP_CONTINUUM_MULTIPLE, "multiple", "any other sequence of phases of the centre"},
    {IMP_CONTINUUM_WEDGE, "wedge", "comes to rest in contact: the body does not separate"},
};

const char *const imp_continuum_units[IMP_CONTINUUM_UNITS] = {"mass", "normal_stiffness",
                                                              "normal_speed"};
