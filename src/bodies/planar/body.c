#include "bodies/planar/choice.h"

#include <math.h>

#include "base/constants.h"
#include "num/alike.h"

const imp_option *const imp_body_options[] = {
#define BODY(name) &imp_body_##name.option,
#include "bodies/planar/bodies.def"
};

const imp_body *imp_body_at(int code) {
    return (const imp_body *)imp_body_options[code];
}

const char *imp_body_refuse(const imp_instance *instance, const double *value, const char **name) {
    const imp_body *body = imp_body_at(instance->chosen[0]);
    return body->refuse ? body->refuse(value + instance->theory->n_parameters, name) : NULL;
}

imp_contact_memory imp_contact_memory_of(const imp_body *body) {
    imp_contact_memory memory = {.body = body, .velocity = -1};
    for (int k = 0; body->velocity_apart && k < body->option.n_parameters; k++) {
        if (body->option.parameters[k] == &imp_parameter_velocity_ratio) {
            memory.velocity = k;
        }
    }
    return memory;
}

bool imp_contact_recall(imp_contact_memory *memory, const double *const *in, size_t i) {
    const imp_body *body = memory->body;
    bool same = memory->known;
    for (int k = 0; k < body->option.n_parameters; k++) {
        double value = in[k][i];
        same &= value == memory->value[k] || k == memory->velocity;
        memory->value[k] = value;
    }
    if (!same) {
        memory->contact = body->contact(memory->value);
        memory->known = true;
    } else if (memory->velocity >= 0) {
        memory->contact.velocity_ratio = memory->value[memory->velocity];
    }
    return !same;
}

size_t imp_contact_alike(const imp_contact_memory *memory, const double *const *in, size_t first,
                         size_t n) {
    for (int k = 0; n > 1 && k < memory->body->option.n_parameters; k++) {
        n = k == memory->velocity ? n : imp_alike(in[k] + first, n);
    }
    return n;
}

const imp_parameter imp_parameter_angle =
    IMP_PARAMETER_OF("angle", "rad",
                     "angle from the plane's normal to the line from the contact point to the mass "
                     "centre, positive when that line leans toward -t",
                     .low = -IMP_PI / 2, .high = IMP_PI / 2, .fallback = NAN, .example = 0.5);

const imp_parameter imp_parameter_link_angle = IMP_PARAMETER_OF(
    "angle", "rad",
    "angle from the plane's normal to the line from the contact point to the pivot, positive when "
    "that line leans toward -t; at 0 the contact point moves along the plane and does not approach",
    .low = 0, .high = IMP_PI / 2, .low_open = true, .high_open = true, .fallback = NAN,
    .example = 0.5);

const imp_parameter imp_parameter_velocity_ratio = IMP_PARAMETER_OF(
    "velocity_ratio", "1",
    "initial tangential velocity of the contact point over the normal approach speed",
    IMP_RANGE_FINITE, .fallback = NAN, .example = 0.75);

const imp_parameter imp_parameter_mass = IMP_PARAMETER_OF(
    "mass", "kg", "mass of the body", IMP_RANGE_POSITIVE, .fallback = 1, .example = 1);

const imp_parameter imp_parameter_length = IMP_PARAMETER_OF(
    "length", "m", "length of the rod", IMP_RANGE_POSITIVE, .fallback = 1, .example = 1);

const imp_parameter imp_parameter_radius = IMP_PARAMETER_OF(
    "radius", "m", "radius of the body", IMP_RANGE_POSITIVE, .fallback = 1, .example = 1);

const imp_parameter imp_parameter_slenderness = IMP_PARAMETER_OF(
    "slenderness", "1", "length of the cylinder over the radius of the hemispherical ends",
    IMP_RANGE_POSITIVE, .fallback = NAN, .example = 5);

const imp_parameter imp_parameter_spin = IMP_PARAMETER_OF(
    "initial_spin", "rad/s",
    "initial angular velocity, positive from t to n; without effect on the contact, because "
    "velocity_ratio and normal_speed are those of the contact point",
    IMP_RANGE_FINITE, .fallback = 0, .example = 0);

const imp_parameter imp_parameter_offset_t = IMP_PARAMETER_OF(
    "offset_t", "m",
    "distance from the mass centre to the contact point along the plane, positive toward +t",
    IMP_RANGE_FINITE, .fallback = NAN, .example = 0.5);

const imp_parameter imp_parameter_offset_n =
    IMP_PARAMETER_OF("offset_n", "m",
                     "distance from the mass centre to the contact point along the plane's normal, "
                     "positive away from the plane",
                     IMP_RANGE_FINITE, .fallback = NAN, .example = -1);

const imp_parameter imp_parameter_gyration_radius =
    IMP_PARAMETER_OF("gyration_radius", "m",
                     "square root of the moment of inertia about the mass centre over the mass",
                     IMP_RANGE_POSITIVE, .fallback = 1, .example = 1);
