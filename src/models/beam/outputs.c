#include "models/beam/outputs.h"

#include <math.h>

#include "models/beam/inputs.h"
#include "models/theory.h"

enum { SINGLE = 1, MULTIPLE = 2 };
enum {
    MODE,
    KINEMATIC,
    KINETIC,
    VELOCITY_IN,
    VELOCITY_OUT,
    IMPULSE_COMPRESSION,
    IMPULSE_RESTITUTION,
    COMPRESSION_TIME,
    DURATION,
    SUB_IMPACTS,
    SUB_IMPACT_BEGIN,
    SUB_IMPACT_END,
    RIGID_ENERGY,
    MODE_ENERGY,
    VIBRATION_ENERGY,
    ENERGY_LOSS,
    PEAK_FORCE,
    BALL_RESTITUTION,
    GRAZING,
    CLOSENESS,
    UNCERTAINTY,
    STEPS,
    RESIDUAL
};

const imp_output imp_beam_outputs[IMP_BEAM_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [KINEMATIC] = IMP_OUTPUT_KINEMATIC(0),
    [KINETIC] = IMP_OUTPUT_KINETIC(0),
    [VELOCITY_IN] = {.name = "relative_velocity_in",
                     .unit = "1",
                     .meaning = "speed at which the rigid motions approach before the contact, "
                                "over length S with " IMP_BEAM_S},
    [VELOCITY_OUT] = {.name = "relative_velocity_out",
                      .unit = "1",
                      .meaning =
                          "speed at which the rigid motions approach at the last separation, "
                          "negative as beam and striker part, over length S with " IMP_BEAM_S},
    [IMPULSE_COMPRESSION] = {.name = "impulse_compression",
                             .unit = "1",
                             .meaning = "impulse until the rigid motions stop approaching, over "
                                        "mass_per_length length^2 S with " IMP_BEAM_S},
    [IMPULSE_RESTITUTION] = {.name = "impulse_restitution",
                             .unit = "1",
                             .meaning = "impulse after the rigid motions stop approaching, over "
                                        "mass_per_length length^2 S with " IMP_BEAM_S},
    [COMPRESSION_TIME] = {.name = "compression_time",
                          .unit = "1",
                          .meaning = "time from the first touch until the rigid motions stop "
                                     "approaching, times " IMP_BEAM_S},
    [DURATION] = {.name = "duration",
                  .unit = "1",
                  .meaning = "time from the first touch to the last separation, times " IMP_BEAM_S},
    [SUB_IMPACTS] = {.name = "sub_impacts",
                     .unit = "1",
                     .meaning = "number of separate contacts",
                     .whole = true},
    [SUB_IMPACT_BEGIN] = {.name = "sub_impact_begin",
                          .unit = "1",
                          .meaning = "time from the first touch to the beginning of each of the "
                                     "first sub-impacts, times " IMP_BEAM_S,
                          .dimension = "sub_impact",
                          .length = IMP_BEAM_SUB_IMPACTS},
    [SUB_IMPACT_END] = {.name = "sub_impact_end",
                        .unit = "1",
                        .meaning = "time from the first touch to the end of each of the first "
                                   "sub-impacts, times " IMP_BEAM_S,
                        .dimension = "sub_impact",
                        .length = IMP_BEAM_SUB_IMPACTS},
    [RIGID_ENERGY] = {.name = "rigid_energy",
                      .unit = "1",
                      .meaning = "energy of the rigid motions and the striker at the last "
                                 "separation, over the initial kinetic energy"},
    [MODE_ENERGY] = {.name = "mode_energy",
                     .unit = "1",
                     .meaning = "energy of each of the first four flexible modes at the last "
                                "separation, over the initial kinetic energy",
                     .dimension = "flexible_mode",
                     .length = IMP_BEAM_MODE_ENERGIES},
    [VIBRATION_ENERGY] = {.name = "vibration_energy",
                          .unit = "1",
                          .meaning = "energy of all flexible modes at the last separation, over "
                                     "the initial kinetic energy"},
    [ENERGY_LOSS] = {.name = "energy_loss",
                     .unit = "1",
                     .meaning = "energy dissipated by damping up to the last separation, over the "
                                "initial kinetic energy"},
    [PEAK_FORCE] = {.name = "peak_force",
                    .unit = "1",
                    .meaning = "greatest contact force, over modulus second_moment / length^2"},
    [BALL_RESTITUTION] = {.name = "ball_restitution",
                          .unit = "1",
                          .meaning = "rebound of the striker over the approach: impulse over "
                                     "striker_mass and approach speed, less one"},
    [GRAZING] = {.name = "grazing",
                 .unit = "1",
                 .meaning = "1 where a touch or a parting was so nearly missed that the result may "
                            "jump within the errors, or where uncertainty is above 1e-5; "
                            "otherwise 0"},
    [CLOSENESS] = {.name = "closeness",
                   .unit = "1",
                   .meaning =
                       "normal speed that separates the closest call from a grazing one, over "
                       "the approach speed"},
    [UNCERTAINTY] = {.name = "uncertainty",
                     .unit = "1",
                     .meaning = "error that the integration and the modes, amplified by later "
                                "sub-impacts, may have left in kinematic_restitution"},
    [STEPS] = {.name = "steps",
               .unit = "1",
               .meaning = "number of steps of the integrator",
               .whole = true},
    [RESIDUAL] = IMP_OUTPUT_RESIDUAL,
};

const imp_mode imp_beam_kinds[IMP_BEAM_KINDS] = {
    {SINGLE, "single", "one contact"},
    {MULTIPLE, "multiple", "several sub-impacts"},
};

bool imp_beam_has_output(const imp_instance *instance, int output) {
    bool by_modes = instance->chosen[IMP_BEAM_SOLVER] != IMP_BEAM_FULL &&
                    instance->chosen[IMP_BEAM_SOLVER] != IMP_BEAM_NEWMARK;
    return (output != BALL_RESTITUTION ||
            instance->chosen[IMP_BEAM_STRIKER] == IMP_BEAM_FREE_STRIKER) &&
           (output != UNCERTAINTY || by_modes);
}

static void put_list(double *const *out, int output, size_t i, const double *values, int length) {
    for (int k = 0; out[output] && k < length; k++) {
        out[output][i * (size_t)length + (size_t)k] = values[k];
    }
}

/* Below this a touch or a parting may be missed or invented by the errors of the integration. */
static double grazing_limit(double tolerance) {
    return 0.01 * pow(tolerance / 1e-8, 0.5);
}

void imp_beam_put(const imp_beam_problem *problem, const imp_beam_result *r, double *const *out,
                  size_t i) {
    double mass = problem->mass * problem->approach;
    imp_put(out, MODE, i, r->sub_impacts > 1 ? MULTIPLE : SINGLE);
    imp_put(out, KINEMATIC, i, -r->velocity_out / r->velocity_in);
    imp_put(out, KINETIC, i, (r->impulse - r->impulse_compression) / r->impulse_compression);
    imp_put(out, VELOCITY_IN, i, r->velocity_in);
    imp_put(out, VELOCITY_OUT, i, r->velocity_out);
    imp_put(out, IMPULSE_COMPRESSION, i, r->impulse_compression);
    imp_put(out, IMPULSE_RESTITUTION, i, r->impulse - r->impulse_compression);
    imp_put(out, COMPRESSION_TIME, i, r->compression_time);
    imp_put(out, DURATION, i, r->duration);
    imp_put(out, SUB_IMPACTS, i, r->sub_impacts);
    put_list(out, SUB_IMPACT_BEGIN, i, r->begin, IMP_BEAM_SUB_IMPACTS);
    put_list(out, SUB_IMPACT_END, i, r->end, IMP_BEAM_SUB_IMPACTS);
    imp_put(out, RIGID_ENERGY, i, r->rigid_energy);
    put_list(out, MODE_ENERGY, i, r->mode_energy, IMP_BEAM_MODE_ENERGIES);
    imp_put(out, VIBRATION_ENERGY, i, r->vibration_energy);
    imp_put(out, ENERGY_LOSS, i, r->dissipated);
    imp_put(out, PEAK_FORCE, i, r->peak_force);
    imp_put(out, BALL_RESTITUTION, i, r->impulse / mass - 1);
    imp_put(out, GRAZING, i,
            r->closeness < grazing_limit(r->tolerance) || r->uncertainty > IMP_BEAM_UNCERTAIN);
    imp_put(out, CLOSENESS, i, r->closeness);
    imp_put(out, UNCERTAINTY, i, r->uncertainty);
    imp_put(out, STEPS, i, (double)r->steps);
    imp_put(out, RESIDUAL, i, r->residual);
}
