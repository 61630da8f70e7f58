#include "models/compliant/tables.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/compliant/account.h"
#include "models/compliant/laws.h"

static const imp_parameter limited_friction = {
    .name = "friction",
    .unit = "1",
    .meaning =
        "Coulomb coefficient of friction; a cell of a free body is outside where friction times "
        "the root of b11 / b22, the elements of B, is above 1e9",
    IMP_RANGE_NOT_NEGATIVE,
    .fallback = NAN,
    .example = 0.3,
};

static const imp_parameter stiffness_ratio = {
    .name = "stiffness_ratio",
    .unit = "1",
    .meaning = "normal over tangential stiffness; cells are solved within the default budget where "
               "this ratio is from 1e-3 to 1e3, velocity_ratio from -1e3 to 1e3, inertia_coupling "
               "at most .999, restitution at least .01 and damping times normal_speed at most 100",
    IMP_RANGE_POSITIVE,
    .fallback = NAN,
    .example = 1.21,
};

const imp_parameter *const imp_compliant_parameters[N_PARAMETERS] = {
    [FRICTION] = &limited_friction,
    [STIFFNESS_RATIO] = &stiffness_ratio,
    [POISSON_RATIO] = &imp_parameter_poisson_ratio,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

#define BODY(name) &imp_body_##name.option,
static const imp_option *const bodies[] = {
#include "bodies/planar/bodies.def"
};
#undef BODY

const imp_choice imp_compliant_choices[N_CHOICES] = {
    [BODY] = {"body", "the body that meets the plane", bodies, IMP_COUNT(bodies), -1},
    [LAW] = {"law", "forces of the two springs", imp_compliant_law_options, IMP_COMPLIANT_LAWS, 0},
};

#define NO_SEPARATION IMP_MODE_BIT(IMP_COMPLIANT_WEDGE)

/* Energies are shares of what `energy_loss` is a share of. */
#define OF_ENERGY ", over the most that the contact could dissipate"
#define SHARE(title, text, undefined)                                                              \
    { .name = title, .unit = "1", .meaning = text, .undefined_in = (undefined) }
#define PEAK(title, measure, text)                                                                 \
    { .name = title, .unit = measure, .meaning = text, .undefined_in = NO_SEPARATION }

const imp_output imp_compliant_outputs[N_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [SEQUENCE] = IMP_OUTPUT_SEQUENCE,
    [KINEMATIC] = IMP_OUTPUT_KINEMATIC(NO_SEPARATION),
    [KINETIC] = IMP_OUTPUT_KINETIC(NO_SEPARATION),
    [ENERGETIC] = IMP_OUTPUT_ENERGETIC(NO_SEPARATION),
    [VELOCITY_RATIO_OUT] = IMP_OUTPUT_VELOCITY_RATIO(NO_SEPARATION),
    [NORMAL_IMPULSE] = IMP_OUTPUT_NORMAL_IMPULSE(NO_SEPARATION),
    [TANGENTIAL_IMPULSE] = IMP_OUTPUT_TANGENTIAL_IMPULSE(NO_SEPARATION),
    [ENERGY_LOSS] = IMP_OUTPUT_ENERGY_LOSS,
    [BODY_ENERGY_LOSS] = IMP_OUTPUT_BODY_ENERGY_LOSS,
    [DURATION] = IMP_OUTPUT_DURATION(NO_SEPARATION),
    [COMPRESSION_TIME] = IMP_OUTPUT_COMPRESSION_TIME(NO_SEPARATION),
    [RESIDUAL] = IMP_OUTPUT_RESIDUAL,
    [NORMAL_WORK_COMPRESSION] = SHARE("normal_work_compression",
                                      "work of the normal force on the body up to the greatest "
                                      "indentation" OF_ENERGY,
                                      NO_SEPARATION),
    [NORMAL_WORK_RESTITUTION] =
        SHARE("normal_work_restitution",
              "work of the normal force after the greatest indentation" OF_ENERGY, NO_SEPARATION),
    [TANGENTIAL_WORK_COMPRESSION] = SHARE("tangential_work_compression",
                                          "work of the tangential force on the body up to the "
                                          "greatest indentation" OF_ENERGY,
                                          NO_SEPARATION),
    [TANGENTIAL_WORK_RESTITUTION] = SHARE(
        "tangential_work_restitution",
        "work of the tangential force after the greatest indentation" OF_ENERGY, NO_SEPARATION),
    [SLIP_LOSS] = {.name = "slip_loss",
                   .unit = "1",
                   .meaning = "energy that friction took in each slip phase" OF_ENERGY
                              "; the last value holds all later phases too",
                   .dimension = "slip",
                   .length = IMP_COMPLIANT_SLIPS},
    [TRAPPED_ENERGY] = SHARE("trapped_energy",
                             "elastic energy that stays in the springs of a wedged body" OF_ENERGY
                             "; 0 in other modes",
                             0),
    [PEAK_NORMAL_FORCE] = PEAK("peak_normal_force", "N", "greatest normal force"),
    [PEAK_NORMAL_FORCE_TIME] =
        PEAK("peak_normal_force_time", "s", "time of the greatest normal force"),
    [PEAK_TANGENTIAL_FORCE] = PEAK("peak_tangential_force", "N",
                                   "greatest size of the tangential "
                                   "force"),
    [PEAK_TANGENTIAL_FORCE_TIME] =
        PEAK("peak_tangential_force_time", "s", "time of the greatest tangential force"),
};

const imp_mode imp_compliant_modes[IMP_COMPLIANT_MODES] = {
    {IMP_COMPLIANT_GROSS_STICK, "gross_stick", "sticks from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP, "stick_slip", "sticks at first, then slips until separation"},
    {IMP_COMPLIANT_REVERSED, "slip_stick_slip_reversed", "slips, sticks, slips back"},
    {IMP_COMPLIANT_SAME, "slip_stick_slip_same", "slips, sticks, slips on in the same direction"},
    {IMP_COMPLIANT_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip", "sticks and slips twice"},
    {IMP_COMPLIANT_MULTIPLE, "multiple", "any other sequence of phases"},
    {IMP_COMPLIANT_WEDGE, "wedge", "sticks again for good: the body does not separate"},
};

const char *const imp_compliant_units[IMP_COMPLIANT_UNITS] = {"mass", "normal_stiffness",
                                                              "normal_speed"};

bool imp_compliant_has_output(const imp_instance *instance, int output) {
    return output != BODY_ENERGY_LOSS || imp_body_at(instance->chosen[BODY])->own_mass;
}
