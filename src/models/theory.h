/* Parameters, outputs and helpers that theories share when they describe themselves. */
#ifndef IMP_MODELS_THEORY_H
#define IMP_MODELS_THEORY_H

#include "base/tables.h"
#include "impact.h"
#include "models/phases.h"

extern const imp_parameter imp_parameter_friction;
extern const imp_parameter imp_parameter_limited_friction; /* where forces are solved in time */
extern const imp_parameter imp_parameter_normal_speed;
extern const imp_parameter imp_parameter_restitution;

/* Stands for `restitution`, or beside it: a restitution that falls with speed (models/yielding.h).
 */
extern const imp_parameter imp_parameter_yield_speed;

/* Of the law `dashpot`: what ends a contact. */
extern const imp_parameter imp_parameter_contact_end;

/* Of the law of restitution `compromise`, between the laws poisson and energetic. */
extern const imp_parameter imp_parameter_weight_poisson, imp_parameter_weight_energetic;

/* Stands for `stiffness_ratio`: a theory that lists this parameter must also list that one. */
extern const imp_parameter imp_parameter_poisson_ratio;

/* The names of imp_impulse_event in a history. */
enum { IMP_IMPULSE_EVENTS = 5 };
extern const imp_mode imp_impulse_events[IMP_IMPULSE_EVENTS];

/* Mode codes as a bit set, for imp_output.undefined_in. */
#define IMP_MODE_BIT(code) (UINT64_C(1) << (code))

/* A cell is solved only if its energy balances to this part of the initial energy. */
#define IMP_ENERGY_TOLERANCE 1e-6

/* Writes an output if it is wanted. */
static inline void imp_put(double *const *out, int output, size_t i, double value) {
    if (out[output]) {
        out[output][i] = value;
    }
}

/* Copies the n values of cell i, one from each column. */
static inline void imp_gather(const double *const *in, size_t i, int n, double *value) {
    for (int k = 0; k < n; k++) {
        value[k] = in[k][i];
    }
}

/* Makes the values of one cell into columns of length 1. */
static inline void imp_spread(const double *value, const double *in[IMP_MAX_PARAMETERS]) {
    for (int k = 0; k < IMP_MAX_PARAMETERS; k++) {
        in[k] = &value[k];
    }
}

/* For tables of outputs made of rows `OUTPUT(code, value, table entry)`: writes output `code` of
 * cell i to `out` if it is wanted. value: an expression, in which k counts the values of a list; it
 * is not evaluated in a mode in which the output is undefined. */
#define IMP_PUT_ROW(outputs, code, mode, value)                                                    \
    if (out[code]) {                                                                               \
        const size_t values = outputs[code].dimension ? (size_t)outputs[code].length : 1;          \
        const bool undefined = outputs[code].undefined_in >> (mode)&1;                             \
        for (size_t k = 0; k < values; k++) {                                                      \
            out[code][i * values + k] = undefined ? (double)NAN : (double)(value);                 \
        }                                                                                          \
    }

/* Members of imp_theory from its tables, and from the parameters that units need. */
#define IMP_THEORY_TABLES(parameters_, choices_, outputs_, modes_)                                 \
    .parameters = parameters_, .n_parameters = IMP_COUNT(parameters_), .choices = choices_,        \
    .n_choices = IMP_COUNT(choices_), .outputs = outputs_, .n_outputs = IMP_COUNT(outputs_),       \
    .modes = modes_, .n_modes = IMP_COUNT(modes_)
#define IMP_THEORY_UNITS(names) .unit_parameters = names, .n_unit_parameters = IMP_COUNT(names)
#define IMP_THEORY_AGREEMENTS(pairs) .agreements = pairs, .n_agreements = IMP_COUNT(pairs)

/* An imp_history of three tables. */
#define IMP_HISTORY_OF(columns_, phases_, events_)                                                 \
    {                                                                                              \
        .columns = columns_, .n_columns = IMP_COUNT(columns_), .phases = phases_,                  \
        .n_phases = IMP_COUNT(phases_), .events = events_, .n_events = IMP_COUNT(events_)          \
    }

/* imp_theory.symbols of bodies in the plane, and of bodies in space. */
#define IMP_PLANAR_SYMBOLS                                                                         \
    "n: direction out of the plane into the body; t: direction in the plane; v_n, v_t: velocity "  \
    "of the contact point along n and t; B: matrix that turns an impulse at the contact point "    \
    "into the change of its velocity; v, B^-1: velocity of the contact point before the impact, "  \
    "and the inverse of B on the velocities that the body allows; sequence slip-, slip+: slip "    \
    "toward "                                                                                      \
    "-t, +t"
#define IMP_SPATIAL_SYMBOLS                                                                        \
    "axes 1, 2: directions in the plane; axis 3: out of the plane into the body; t: axis 1, "      \
    "turned by the azimuth of a body; B: matrix that turns an impulse at the contact point into "  \
    "the change of its velocity; v, B^-1: velocity of the contact point before the impact, and "   \
    "the inverse of B on the velocities that the body allows"

/* Outputs that theories of an impact share, with one meaning everywhere; a theory has those that it
 * can compute. `undefined` is the bit set of the modes in which the body does not separate. */
#define IMP_OUTPUT_OF(title, measure, text, undefined)                                             \
    { .name = (title), .unit = (measure), .meaning = text, .undefined_in = (undefined) }
/* The same with further members. */
#define IMP_OUTPUT_WITH(title, measure, text, undefined, ...)                                      \
    {                                                                                              \
        .name = (title), .unit = (measure), .meaning = text, .undefined_in = (undefined),          \
        __VA_ARGS__                                                                                \
    }
#define IMP_OUTPUT_MODE                                                                            \
    { .name = "mode", .unit = "1", .meaning = "course of the contact", .kind = IMP_CATEGORY }
#define IMP_OUTPUT_SEQUENCE                                                                        \
    IMP_OUTPUT_WITH("sequence", "1", "contact phases in order, 2 bits each", 0,                    \
                    .kind = IMP_SEQUENCE)
#define IMP_OUTPUT_KINEMATIC(undefined)                                                            \
    IMP_OUTPUT_OF("kinematic_restitution", "1",                                                    \
                  "final over initial normal velocity, with the opposite sign (Newton)",           \
                  undefined)
#define IMP_OUTPUT_KINETIC(undefined)                                                              \
    IMP_OUTPUT_OF("kinetic_restitution", "1",                                                      \
                  "normal impulse after the end of compression over the one before (Poisson)",     \
                  undefined)
#define IMP_OUTPUT_ENERGETIC(undefined)                                                            \
    IMP_OUTPUT_OF("energetic_restitution", "1",                                                    \
                  "square root of the work of the normal force after the end of compression over " \
                  "the work before (Stronge)",                                                     \
                  undefined)
#define IMP_OUTPUT_VELOCITY_RATIO(undefined)                                                       \
    IMP_OUTPUT_OF("velocity_ratio_out", "1",                                                       \
                  "final tangential velocity over the initial normal speed", undefined)
#define IMP_OUTPUT_NORMAL_IMPULSE(undefined)                                                       \
    IMP_OUTPUT_OF("normal_impulse", "N s", "normal impulse at separation", undefined)
#define IMP_OUTPUT_TANGENTIAL_IMPULSE(undefined)                                                   \
    IMP_OUTPUT_OF("tangential_impulse", "N s", "tangential impulse at separation", undefined)
#define IMP_OUTPUT_IMPULSE_RATIO(undefined)                                                        \
    IMP_OUTPUT_OF("impulse_ratio_out", "1", "tangential over normal impulse at separation",        \
                  undefined)
#define IMP_OUTPUT_PRODUCT(undefined)                                                              \
    IMP_OUTPUT_OF("product_restitution", "1", "kinematic times kinetic restitution", undefined)
#define IMP_OF_ENERGY ", over v . B^-1 v / 2, the most energy that the contact could dissipate"
#define IMP_OUTPUT_ENERGY_LOSS IMP_OUTPUT_OF("energy_loss", "1", "energy lost" IMP_OF_ENERGY, 0)
#define IMP_OUTPUT_NORMAL_DASHPOT_LOSS                                                             \
    IMP_OUTPUT_OF("normal_loss", "1", "energy lost to the normal dashpot" IMP_OF_ENERGY, 0)
#define BODY_OVERFLOWS .undefined_when = "the number is too large for a double"
#define IMP_MOTION_OVERFLOWS .undefined_when = "the velocity is too large for a double"
#define IMP_OUTPUT_BODY_VELOCITY_T(undefined)                                                      \
    IMP_OUTPUT_WITH("body_velocity_t", "m/s",                                                      \
                    "tangential velocity of the mass centre at separation", undefined,             \
                    IMP_MOTION_OVERFLOWS)
#define IMP_OUTPUT_BODY_VELOCITY_N(undefined)                                                      \
    IMP_OUTPUT_WITH("body_velocity_n", "m/s", "normal velocity of the mass centre at separation",  \
                    undefined, IMP_MOTION_OVERFLOWS)
#define IMP_SPIN_OVERFLOWS .undefined_when = "the angular velocity is too large for a double"
#define IMP_OUTPUT_ANGULAR_VELOCITY(undefined)                                                     \
    IMP_OUTPUT_WITH(                                                                               \
        "angular_velocity", "rad/s",                                                               \
        "angular velocity at separation, positive from t to n; for a mechanism: of the "           \
        "part at the pivot, for two bodies: of the first",                                         \
        undefined, IMP_SPIN_OVERFLOWS)
#define IMP_OUTPUT_ANGULAR_VELOCITY_2(undefined)                                                   \
    IMP_OUTPUT_WITH("angular_velocity_2", "rad/s",                                                 \
                    "angular velocity at separation of a mechanism's second part or of the "       \
                    "second body",                                                                 \
                    undefined, IMP_SPIN_OVERFLOWS)
/* Of a body in space. */
#define IMP_SPATIAL_BODY_VELOCITY_T(undefined)                                                     \
    IMP_OUTPUT_WITH("body_velocity_t", "m/s",                                                      \
                    "velocity of the mass centre along axes 1 and 2 at separation", undefined,     \
                    IMP_MOTION_OVERFLOWS, .dimension = "tangent", .length = 2)
#define IMP_SPATIAL_ANGULAR_VELOCITY(undefined)                                                    \
    IMP_OUTPUT_WITH(                                                                               \
        "angular_velocity", "rad/s",                                                               \
        "angular velocity at separation about axes 1, 2 and the plane's normal, right-handed",     \
        undefined, IMP_SPIN_OVERFLOWS, .dimension = "axis", .length = 3)
/* Of a body with an initial spin. */
#define IMP_OUTPUT_SPINNING_ENERGY_LOSS                                                            \
    IMP_OUTPUT_WITH(                                                                               \
        "body_energy_loss", "1",                                                                   \
        "energy lost, over the whole kinetic energy of the body, with the initial spin", 0,        \
        .undefined_when = "the kinetic energy is too large for a double")
#define IMP_OUTPUT_DURATION(undefined)                                                             \
    IMP_OUTPUT_OF("duration", "s", "duration of the contact", undefined)
#define IMP_OUTPUT_COMPRESSION_TIME(undefined)                                                     \
    IMP_OUTPUT_OF("compression_time", "s", "time from first touch to the greatest indentation",    \
                  undefined)
#define IMP_OUTPUT_RESIDUAL                                                                        \
    IMP_OUTPUT_OF("residual", "1", "relative error of the cell's own conservation check", 0)

/* The energy account and the peak forces of a contact that is followed in time. Energies are shares
 * of what `energy_loss` is a share of. */
#define IMP_OUTPUT_SHARE(title, text, undefined)                                                   \
    IMP_OUTPUT_OF(title, "1", text IMP_OF_ENERGY, undefined)
#define IMP_OUTPUT_NORMAL_WORK_COMPRESSION(undefined)                                              \
    IMP_OUTPUT_SHARE("normal_work_compression",                                                    \
                     "work of the normal force on the body up to the greatest indentation",        \
                     undefined)
#define IMP_OUTPUT_NORMAL_WORK_RESTITUTION(undefined)                                              \
    IMP_OUTPUT_SHARE("normal_work_restitution",                                                    \
                     "work of the normal force after the greatest indentation", undefined)
#define IMP_OUTPUT_TANGENTIAL_WORK_COMPRESSION(undefined)                                          \
    IMP_OUTPUT_SHARE("tangential_work_compression",                                                \
                     "work of the tangential force on the body up to the greatest indentation",    \
                     undefined)
#define IMP_OUTPUT_TANGENTIAL_WORK_RESTITUTION(undefined)                                          \
    IMP_OUTPUT_SHARE("tangential_work_restitution",                                                \
                     "work of the tangential force after the greatest indentation", undefined)
#define IMP_OUTPUT_PEAK_NORMAL_FORCE(undefined)                                                    \
    IMP_OUTPUT_OF("peak_normal_force", "N", "greatest normal force", undefined)
#define IMP_OUTPUT_PEAK_NORMAL_FORCE_TIME(undefined)                                               \
    IMP_OUTPUT_OF("peak_normal_force_time", "s",                                                   \
                  "time from first touch to the greatest normal force", undefined)
#define IMP_OUTPUT_PEAK_TANGENTIAL_FORCE(undefined)                                                \
    IMP_OUTPUT_OF("peak_tangential_force", "N", "greatest magnitude of the tangential force",      \
                  undefined)
#define IMP_OUTPUT_PEAK_TANGENTIAL_FORCE_TIME(undefined)                                           \
    IMP_OUTPUT_OF("peak_tangential_force_time", "s",                                               \
                  "time from first touch to the greatest tangential force", undefined)

/* Columns that histories share. */
#define IMP_COLUMN(title, measure, text)                                                           \
    { .name = (title), .unit = (measure), .meaning = (text) }
#define IMP_COLUMN_TIME IMP_COLUMN("time", "s", "time since first touch")
#define IMP_COLUMN_TANGENTIAL_FORCE                                                                \
    IMP_COLUMN("tangential_force", "N", "tangential force on the body")
#define IMP_COLUMN_NORMAL_FORCE IMP_COLUMN("normal_force", "N", "normal force on the body")
#define IMP_COLUMN_TANGENTIAL_VELOCITY                                                             \
    IMP_COLUMN("tangential_velocity", "m/s", "tangential velocity of the contact point")
#define IMP_COLUMN_NORMAL_VELOCITY                                                                 \
    IMP_COLUMN("normal_velocity", "m/s", "normal velocity of the contact point")
#define IMP_COLUMN_TANGENTIAL_IMPULSE                                                              \
    IMP_COLUMN("tangential_impulse", "N s", "impulse of the tangential force since first touch")
#define IMP_COLUMN_NORMAL_IMPULSE                                                                  \
    IMP_COLUMN("normal_impulse", "N s", "impulse of the normal force since first touch")
#define IMP_COLUMN_TANGENTIAL_WORK                                                                 \
    IMP_COLUMN("tangential_work", "J", "work of the tangential force on the body since first touch")
#define IMP_COLUMN_NORMAL_WORK                                                                     \
    IMP_COLUMN("normal_work", "J", "work of the normal force on the body since first touch")
#define IMP_COLUMN_FRICTION_LOSS                                                                   \
    IMP_COLUMN("friction_loss", "J", "energy lost to friction since first touch")
#define IMP_COLUMN_NORMAL_LOSS                                                                     \
    IMP_COLUMN("normal_loss", "J",                                                                 \
               "energy lost to restitution or damping in the normal spring since first touch")
#define IMP_COLUMN_NORMAL_ENERGY                                                                   \
    IMP_COLUMN("normal_energy", "J", "energy that the normal spring gives back on unloading")
#define IMP_COLUMN_KINETIC_ENERGY                                                                  \
    IMP_COLUMN("kinetic_energy", "J",                                                              \
               "kinetic energy that an impulse at the contact can take away; of a constrained "    \
               "body the whole kinetic energy")

#endif
