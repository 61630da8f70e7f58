#include "models/rigid/outputs.h"

#include "models/rigid/laws.h"
#include "models/theory.h"

#define NO_SEPARATION IMP_MODE_BIT(IMP_RIGID_WEDGE)
#define NO_PHASES IMP_MODE_BIT(IMP_RIGID_PRESCRIBED)
#define REAL(called, in, says)                                                                     \
    .name = called, .unit = in, .meaning = says, .undefined_in = NO_SEPARATION
#define NO_COEFFICIENT .undefined_when = "restitution is 0 (below 1e-150)"
#define OVERFLOWS .undefined_when = "it is too large for a number"

static const imp_mode gains[] = {
    {IMP_RIGID_NO, "no", "energy is kept or lost"},
    {IMP_RIGID_YES, "gains", "the body leaves with more energy than before the impact"}};
static const imp_mode sides[] = {
    {IMP_RIGID_NO, "inside", "friction can supply the ratio of the impulses"},
    {IMP_RIGID_YES, "outside", "the ratio of the impulses is above the coefficient of friction"}};

const imp_output imp_rigid_outputs[IMP_RIGID_N_OUTPUTS] = {
    [IMP_RIGID_OF_MODE] = IMP_OUTPUT_MODE,
    [IMP_RIGID_OF_SEQUENCE] = {.name = "sequence",
                               .unit = "1",
                               .meaning = "contact phases in order, 2 bits each",
                               .kind = IMP_SEQUENCE,
                               .undefined_in = NO_PHASES},
    [IMP_RIGID_OF_KINEMATIC] = IMP_OUTPUT_KINEMATIC(NO_SEPARATION),
    [IMP_RIGID_OF_KINETIC] = IMP_OUTPUT_KINETIC(NO_SEPARATION),
    [IMP_RIGID_OF_ENERGETIC] = IMP_OUTPUT_ENERGETIC(NO_SEPARATION),
    [IMP_RIGID_OF_VELOCITY_RATIO_OUT] = IMP_OUTPUT_VELOCITY_RATIO(NO_SEPARATION),
    [IMP_RIGID_OF_NORMAL_IMPULSE] = IMP_OUTPUT_NORMAL_IMPULSE(0),
    [IMP_RIGID_OF_TANGENTIAL_IMPULSE] = IMP_OUTPUT_TANGENTIAL_IMPULSE(0),
    [IMP_RIGID_OF_IMPULSE_RATIO_OUT] = IMP_OUTPUT_IMPULSE_RATIO(NO_SEPARATION),
    [IMP_RIGID_OF_APPROACH_RATIO] = {REAL(
        "approach_impulse_ratio", "1",
        "tangential over normal impulse until the end of compression")},
    [IMP_RIGID_OF_REBOUND_RATIO] =
        {REAL("rebound_impulse_ratio", "1",
              "tangential over normal impulse after the end of compression"),
         NO_COEFFICIENT},
    [IMP_RIGID_OF_CRITICAL_RATIO] =
        {REAL("critical_ratio", "1",
              "ratio of the impulses for which slip ends just at separation, with "
              "the coefficient as kinematic restitution"),
         .undefined_when = "no such ratio lets the body separate"},
    [IMP_RIGID_OF_NEUTRAL_RATIO] =
        {REAL("neutral_ratio", "1",
              "ratio of the impulses that keeps the energy, with the coefficient as "
              "kinematic restitution: the larger root in size"),
         .undefined_when = "no such ratio lets the body separate"},
    [IMP_RIGID_OF_NEUTRAL_RATIO_2] =
        {REAL("neutral_ratio_2", "1",
              "ratio of the impulses that keeps the energy, with the coefficient as "
              "kinematic restitution: the smaller root in size, 0 at restitution 1"),
         .undefined_when = "no such ratio lets the body separate"},
    [IMP_RIGID_OF_CONE] = {.name = "cone",
                           .unit = "1",
                           .meaning =
                               "whether friction can supply the prescribed ratio of the impulses",
                           .kind = IMP_CATEGORY,
                           .categories = sides,
                           .n_categories = IMP_COUNT(sides)},
    [IMP_RIGID_OF_ENERGY_LOSS] = IMP_OUTPUT_ENERGY_LOSS,
    [IMP_RIGID_OF_BODY_ENERGY_LOSS] = IMP_OUTPUT_BODY_ENERGY_LOSS,
    [IMP_RIGID_OF_ENERGY_GAIN] = {.name = "energy_gain",
                                  .unit = "1",
                                  .meaning = "whether the law of restitution makes energy",
                                  .kind = IMP_CATEGORY,
                                  .categories = gains,
                                  .n_categories = IMP_COUNT(gains)},
    [IMP_RIGID_OF_PRODUCT] = IMP_OUTPUT_PRODUCT(NO_SEPARATION),
    [IMP_RIGID_OF_LAMBDA_NEWTON] = {REAL("lambda_newton", "1",
                                         "kinematic restitution over the coefficient"),
                                    NO_COEFFICIENT},
    [IMP_RIGID_OF_LAMBDA_POISSON] = {REAL("lambda_poisson", "1",
                                          "kinetic restitution over the coefficient"),
                                     NO_COEFFICIENT},
    [IMP_RIGID_OF_LAMBDA_ENERGETIC] = {REAL("lambda_energetic", "1",
                                            "energetic restitution over the coefficient"),
                                       NO_COEFFICIENT},
    [IMP_RIGID_OF_BODY_VELOCITY_T] = {REAL("body_velocity_t", "m/s",
                                           "tangential velocity of the mass centre at separation")},
    [IMP_RIGID_OF_BODY_VELOCITY_N] = {REAL("body_velocity_n", "m/s",
                                           "normal velocity of the mass centre at separation")},
    [IMP_RIGID_OF_ANGULAR_VELOCITY] =
        {REAL("angular_velocity", "rad/s",
              "angular velocity at separation, positive from t to n; of a "
              "mechanism, of the part at the pivot"),
         OVERFLOWS},
    [IMP_RIGID_OF_ANGULAR_VELOCITY_2] =
        {REAL("angular_velocity_2", "rad/s",
              "angular velocity at separation of a mechanism's second part"),
         OVERFLOWS},
    [IMP_RIGID_OF_RESIDUAL] = IMP_OUTPUT_RESIDUAL,
};

const imp_mode imp_rigid_modes[IMP_RIGID_N_MODES] = {
    {IMP_RIGID_COMPRESSION_STICK, "compression_stick",
     "slip halts in compression, then sticks (case 1 of Baruh)"},
    {IMP_RIGID_COMPRESSION_REVERSE, "compression_reverse",
     "slip halts in compression, then reverses or resumes (case 2)"},
    {IMP_RIGID_RESTITUTION_STICK, "restitution_stick",
     "slip halts in restitution, then sticks (case 3)"},
    {IMP_RIGID_RESTITUTION_REVERSE, "restitution_reverse",
     "slip halts in restitution, then reverses or resumes (case 4)"},
    {IMP_RIGID_SLIDE, "slide", "slips in one direction to separation (case 5)"},
    {IMP_RIGID_GROSS_STICK, "gross_stick", "no slip at the start, sticks (case 6)"},
    {IMP_RIGID_SLIP_FROM_REST, "slip_from_rest", "no slip at the start, begins to slip (case 7)"},
    {IMP_RIGID_WEDGE, "wedge", "sticks and stays: the body does not separate"},
    {IMP_RIGID_PRESCRIBED, "prescribed", "the ratio of the impulses is given"},
};

bool imp_rigid_has_output(const imp_instance *instance, int output) {
    const imp_body *body = imp_body_at(instance->chosen[IMP_RIGID_BODY]);
    switch (output) {
    case IMP_RIGID_OF_BODY_ENERGY_LOSS:
    case IMP_RIGID_OF_BODY_VELOCITY_T:
    case IMP_RIGID_OF_BODY_VELOCITY_N:
        return body->own_mass;
    case IMP_RIGID_OF_ANGULAR_VELOCITY:
        return body->n_parts > 0;
    case IMP_RIGID_OF_ANGULAR_VELOCITY_2:
        return body->n_parts > 1;
    case IMP_RIGID_OF_CONE:
        return imp_rigid_behaviours[instance->chosen[IMP_RIGID_LAW]].more == IMP_RIGID_CONE;
    default:
        return true;
    }
}
