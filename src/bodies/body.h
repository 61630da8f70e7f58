/* A body is what the plane feels of it: its inverse effective mass at the contact.
 *
 * B = [[b11, b12], [b12, b22]] with dv = B dP, index 1 tangential and 2 normal. `angle` is measured
 * from the plane's normal to the line from the contact point to the mass centre (pendulum: to the
 * pivot), positive when that line leans toward -t; with it one sign of b12 serves every body. */
#ifndef IMP_BODIES_BODY_H
#define IMP_BODIES_BODY_H

#include "impact.h"

/* B and the initial velocity of one cell. */
typedef struct imp_contact {
    double b11, b12, b22;  /* B times `mass`, dimensionless; b22 > 0 unless outside */
    double determinant;    /* b11 b22 - b12^2 in closed form; 0 where constrained */
    double mass;           /* kg */
    double velocity_ratio; /* v_t(0) / |v_n(0)| */
    bool constrained;      /* B has rank one and the velocity is in its range */
    bool outside;          /* no such body: the cell's outcome is `outside` */
} imp_contact;

typedef struct imp_body {
    imp_option option;
    bool own_mass; /* `mass` is the body's own and it starts without spin */
    imp_contact (*contact)(const double *value); /* values in the order of option.parameters */
} imp_body;

/* The options of the choice `body`, imp_body_count of them, in the order of their codes. */
extern const imp_option *const imp_body_options[];
extern const int imp_body_count;

const imp_body *imp_body_at(int code);

/* Parameters that several bodies share. */
extern const imp_parameter imp_parameter_angle;
extern const imp_parameter imp_parameter_velocity_ratio;
extern const imp_parameter imp_parameter_mass;

#define BODY(name) extern const imp_body imp_body_##name;
#include "bodies/bodies.def"
#undef BODY

#endif
