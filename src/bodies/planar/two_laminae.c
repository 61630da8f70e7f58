/* Two plane bodies that strike each other, given by their contact points relative to their mass
 * centres. B is the sum of their inverse masses at the contact, and the velocities are those of the
 * first contact point relative to the second. */
#include "bodies/planar/body.h"

#include <math.h>

enum {
    MASS,
    MASS_2,
    GYRATION_RADIUS,
    GYRATION_RADIUS_2,
    OFFSET_T,
    OFFSET_T_2,
    OFFSET_N,
    OFFSET_N_2,
    VELOCITY_RATIO,
    SPIN,
    SPIN_2,
    N_PARAMETERS
};

/* The masses have no default: B depends on their ratio. */
static const imp_parameter *const parameters[N_PARAMETERS] = {
    [MASS] = IMP_PARAMETER("mass", "kg", "mass of the first body", IMP_RANGE_POSITIVE,
                           .fallback = NAN, .example = 1),
    [MASS_2] = IMP_PARAMETER("mass_2", "kg", "mass of the second body", IMP_RANGE_POSITIVE,
                             .fallback = NAN, .example = 2),
    [GYRATION_RADIUS] = &imp_parameter_gyration_radius,
    [GYRATION_RADIUS_2] = IMP_PARAMETER("gyration_radius_2", "m",
                                        "square root of the moment of inertia of the second body "
                                        "about the mass centre over the mass",
                                        IMP_RANGE_POSITIVE, .fallback = NAN, .example = 0.7),
    [OFFSET_T] = &imp_parameter_offset_t,
    [OFFSET_T_2] = IMP_PARAMETER("offset_t_2", "m",
                                 "distance from the mass centre of the second body to the contact "
                                 "point along the plane, positive toward +t",
                                 IMP_RANGE_FINITE, .fallback = NAN, .example = -0.3),
    [OFFSET_N] = &imp_parameter_offset_n,
    [OFFSET_N_2] = IMP_PARAMETER("offset_n_2", "m",
                                 "distance from the mass centre of the second body to the contact "
                                 "point along the plane's normal, positive toward the first body",
                                 IMP_RANGE_FINITE, .fallback = NAN, .example = 0.8),
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [SPIN] = &imp_parameter_spin,
    [SPIN_2] = IMP_PARAMETER(
        "initial_spin_2", "rad/s",
        "initial angular velocity of the second body, positive from t to n; without effect on the "
        "contact, because velocity_ratio and normal_speed are those of the contact points",
        IMP_RANGE_FINITE, .fallback = 0, .example = 0),
};

/* In units of the reduced mass the inverse masses of the bodies add up to 1, and each lever adds
 * what a lamina's does, times the share of its body. No sum loses a digit. */
static imp_contact contact(const double *value) {
    double ratio = value[MASS] / value[MASS_2];
    double share = 1 / (1 + ratio), share_2 = 1 / (1 + 1 / ratio);
    double t = value[OFFSET_T] / value[GYRATION_RADIUS];
    double n = value[OFFSET_N] / value[GYRATION_RADIUS];
    double t_2 = value[OFFSET_T_2] / value[GYRATION_RADIUS_2];
    double n_2 = value[OFFSET_N_2] / value[GYRATION_RADIUS_2];
    double along = share * (n * n) + share_2 * (n_2 * n_2);
    double across = share * (t * t) + share_2 * (t_2 * t_2), cross = t * n_2 - n * t_2;
    bool far = !(fabs(t) <= IMP_LONGEST_LEVER && fabs(n) <= IMP_LONGEST_LEVER &&
                 fabs(t_2) <= IMP_LONGEST_LEVER && fabs(n_2) <= IMP_LONGEST_LEVER);
    double determinant = 1 + across + along + share * share_2 * (cross * cross);
    return (imp_contact){
        .b11 = 1 + along,
        .b12 = -(share * (t * n) + share_2 * (t_2 * n_2)),
        .b22 = 1 + across,
        .determinant = determinant,
        .mass = share * value[MASS],
        .velocity_ratio = value[VELOCITY_RATIO],
        .outside = far || !(determinant > IMP_CONSTRAINED_LAMINA * (1 + along) * (1 + across)),
    };
}

/* The second body takes the opposite impulse. */
static void turning(const double *value, imp_turning *part) {
    for (int k = 0; k < 2; k++) {
        double radius = value[GYRATION_RADIUS + k], sense = k == 0 ? 1 : -1;
        double inertia = value[MASS + k] * radius * radius;
        part[k] = (imp_turning){
            .initial = value[SPIN + k],
            .per_t = -sense * value[OFFSET_N + k] / inertia,
            .per_n = sense * value[OFFSET_T + k] / inertia,
            .arm_t = value[OFFSET_T + k],
            .arm_n = value[OFFSET_N + k],
            .inertia = inertia,
        };
    }
}

const imp_body imp_body_two_laminae = {
    .option = IMP_OPTION_OF(
        "two_laminae",
        "two plane bodies that strike each other, given by both masses and the contact "
        "point relative to both mass centres; n points into the first body, and velocities "
        "are those of the contact point of the first relative to that of the second",
        parameters),
    .velocity_apart = true,
    .contact = contact,
    .n_parts = 2,
    .turning = turning,
};
