/* A body as an impact needs it: its inverse effective mass at the contact point, and its velocity.
 *
 * B = [[b11, b12], [b12, b22]] with dv = B dP, index 1 tangential and 2 normal. `angle` is measured
 * from the plane's normal to the line from the contact point to the mass centre (pendulum: to the
 * pivot), positive when that line leans toward -t; so the sign of b12 is the same for every
 * body. */
#ifndef IMP_BODIES_PLANAR_BODY_H
#define IMP_BODIES_PLANAR_BODY_H

#include "base/first.h"
#include "base/tables.h"
#include "impact.h"

/* For errors about a contact point that does not move toward the plane. */
#define IMP_NO_APPROACH                                                                            \
    "an impact begins with an approach, v_n < 0; an established contact, v_n = 0, is not an "      \
    "impact"

/* B and the initial velocity of one cell. */
typedef struct imp_contact {
    double b11, b12, b22;  /* B times `mass`, dimensionless; b22 > 0 unless outside */
    double determinant;    /* b11 b22 - b12^2 in closed form; 0 where constrained */
    double mass;           /* kg */
    double velocity_ratio; /* v_t(0) / |v_n(0)| */
    double
        normal_speed; /* |v_n(0)| in m/s where the body's own parameters set it; 0: the parameter of
                            the theory sets it */
    bool constrained; /* B has rank one and the velocity is in its range */
    bool outside;     /* no such body: the cell's outcome is `outside` */
} imp_contact;

/* Rotation of one part of a body: initial angular velocity in rad/s, and rad/s gained per N s of
 * tangential and of normal impulse; positive from t to n. Where the velocity of the contact point
 * decides it also rad/s per m/s of that velocity along t and n; 0 elsewhere. Of a free body also
 * the contact point relative to the mass centre in m, and the moment of inertia about the mass
 * centre in kg m^2. */
typedef struct imp_turning {
    double initial, per_t, per_n;
    double of_t, of_n;
    double arm_t, arm_n, inertia;
} imp_turning;

#define IMP_MAX_PARTS 2

typedef struct imp_body {
    imp_option option;
    bool own_mass;       /* `mass` is the mass of the body, which is free */
    int spin;            /* index of the parameter `initial_spin` of a free body; 0: none */
    bool velocity_apart; /* `velocity_ratio` is copied to the contact and enters nowhere else */
    imp_contact (*contact)(const double *value); /* values in the order of option.parameters */
    /* The parts whose angular velocity is known, at most IMP_MAX_PARTS; 0, NULL: none. */
    int n_parts;
    void (*turning)(const double *value, imp_turning *part);
    /* As imp_theory.refuse, for the parameters of the body. NULL: every body in their ranges
     * exists. */
    const char *(*refuse)(const double *value, const char **name);
} imp_body;
IMP_FIRST(imp_body, option);

/* Members of imp_body for the file of a rigid free body, whose parameter `initial_spin` is SPIN. */
#define IMP_FREE_BODY                                                                              \
    .own_mass = true, .spin = SPIN, .velocity_apart = true, .contact = contact, .n_parts = 1,      \
    .turning = turning

/* The values and the contact of the cell before: neighbours often share a body. */
typedef struct imp_contact_memory {
    const imp_body *body;
    int velocity; /* index of `velocity_ratio` where it is apart, -1 elsewhere */
    double value[IMP_MAX_PARAMETERS];
    imp_contact contact;
    bool known;
} imp_contact_memory;

/* A memory that has seen no cell. */
imp_contact_memory imp_contact_memory_of(const imp_body *body);

/* Sets memory->contact to the contact of cell i; in[k][i]: value of parameter k of the body.
 * Returns whether it differs from the cell before in more than the velocity ratio. */
bool imp_contact_recall(imp_contact_memory *memory, const double *const *in, size_t i);

/* The number of cells from `first` on, at most n, that have one body and differ at most in a
 * velocity ratio that is apart. n > 0. */
size_t imp_contact_alike(const imp_contact_memory *memory, const double *const *in, size_t first,
                         size_t n);

/* The body of option `code` of the choice `body`. */
const imp_body *imp_body_at(int code);

/* imp_theory.refuse of a theory whose first choice is `body`: what the body refuses. */
const char *imp_body_refuse(const imp_instance *instance, const double *value, const char **name);

/* Beyond this many gyration radii a lever's square leaves no digit for a lamina's own mass. */
#define IMP_LONGEST_LEVER 1e8

/* Least determinant of a lamina over b11 b22. Below, the body is a mass on a long stiff arm: within
 * rounding it is constrained, and its velocity would have to be in the range of B. */
#define IMP_CONSTRAINED_LAMINA 1e-12

/* Parameters that several bodies share. */
extern const imp_parameter imp_parameter_angle;
extern const imp_parameter imp_parameter_velocity_ratio;
extern const imp_parameter imp_parameter_mass;
extern const imp_parameter imp_parameter_length;
extern const imp_parameter imp_parameter_radius;
extern const imp_parameter imp_parameter_slenderness; /* of a capsule */
extern const imp_parameter imp_parameter_spin;
extern const imp_parameter imp_parameter_offset_t; /* these three: of a lamina */
extern const imp_parameter imp_parameter_offset_n;
extern const imp_parameter imp_parameter_gyration_radius;
extern const imp_parameter imp_parameter_link_angle; /* of a pendulum, in the plane or in space */

/* Square of the gyration radius of a solid homogeneous capsule about its mass centre, across the
 * axis; length: of the cylinder. */
double imp_capsule_gyration_squared(double radius, double length);

#endif
