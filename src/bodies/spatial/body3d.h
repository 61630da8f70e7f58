/* A body in space as an impact needs it: its inverse effective mass at the contact point, and its
 * velocity.
 *
 * dv = B dP with B symmetric, 3x3; axes 1 and 2 lie in the plane, 3 is its normal, out of the plane
 * into the body. `azimuth` turns the body about the normal, `heading` is the direction of the
 * initial slip velocity; both are measured from axis 1 towards axis 2. */
#ifndef IMP_BODIES_SPATIAL_BODY3D_H
#define IMP_BODIES_SPATIAL_BODY3D_H

#include "base/first.h"
#include "base/tables.h"
#include "impact.h"

/* The six numbers of a symmetric 3x3 matrix. */
#define IMP_INVERSE_MASS(NUMBER) NUMBER b11, b12, b13, b22, b23, b33;
typedef struct imp_inverse_mass {
    IMP_INVERSE_MASS(double)
} imp_inverse_mass;

/* B and the initial velocity of one cell. */
typedef struct imp_spatial_contact {
    imp_inverse_mass b; /* B times `mass`, dimensionless; b33 > 0 unless outside */
    double mass;        /* kg */
    double v1, v2;      /* initial slip velocity over |v3(0)|; v3(0) / |v3(0)| = -1 */
    double energy; /* v . B^-1 v / 2 in these units: the most that the contact could dissipate */
    bool singular; /* B has a null vector by construction; the velocity is in its range */
    bool outside;  /* no such body: the cell's outcome is `outside` */
} imp_spatial_contact;

/* How a free body turns about its mass centre: the contact point relative to it in m, the initial
 * angular velocity in rad/s (right-handed), its principal axes, and the moments of inertia about
 * them in kg m^2; 0: that of a slender rod about itself, which no impulse turns. */
typedef struct imp_spatial_turning {
    double arm[3], initial[3], axis[3][3], inertia[3];
} imp_spatial_turning;

typedef struct imp_spatial {
    imp_option option;
    imp_spatial_contact (*contact)(const double *value); /* values in the order of the parameters */
    /* Of a free body, whose mass is `mass`; else NULL. */
    void (*turning)(const double *value, imp_spatial_turning *part);
    /* As imp_theory.refuse, for the parameters of the body. NULL: every body in their ranges
     * exists. */
    const char *(*refuse)(const double *value, const char **name);
} imp_spatial;
IMP_FIRST(imp_spatial, option);

/* The body of option `code` of the choice `body`. */
const imp_spatial *imp_spatial_at(int code);

/* imp_theory.refuse of a theory whose first choice is `body`: what the body refuses. */
const char *imp_spatial_refuse(const imp_instance *instance, const double *value,
                               const char **name);

/* Parameters that several bodies share. */
extern const imp_parameter imp_spatial_azimuth;
extern const imp_parameter imp_spatial_heading;
extern const imp_parameter imp_spatial_velocity_ratio;
extern const imp_parameter imp_spatial_spin_1, imp_spatial_spin_2, imp_spatial_spin_3;

/* Rows of the table of parameters of a free body: how it moves. */
#define IMP_SPATIAL_MOTION                                                                         \
    [HEADING] = &imp_spatial_heading, [VELOCITY_RATIO] = &imp_spatial_velocity_ratio,              \
    [SPIN_1] = &imp_spatial_spin_1, [SPIN_2] = &imp_spatial_spin_2, [SPIN_3] = &imp_spatial_spin_3

/* R B R^T with R the turn about the normal by `angle`, in radians. */
imp_inverse_mass imp_inverse_mass_turned(imp_inverse_mass b, double angle);

/* Adds the rotation of a free body about an axis through the mass centre, a unit vector, to its B:
 * B + weight (r x axis)(r x axis)^T, with r from the mass centre to the contact point. */
void imp_inverse_mass_add_turn(imp_inverse_mass *b, const double axis[3], const double r[3],
                               double weight);

/* A vector relative to the range of B. */
typedef struct imp_inverse_mass_range {
    int rank;        /* 0..3; parts below 1e-12 of a diagonal element count as 0 */
    bool indefinite; /* B has a negative part */
    double energy;   /* v . B^-1 v / 2 for the part of v in the range */
    double stray;    /* part of v outside the range, over the size of v */
} imp_inverse_mass_range;

/* By elimination with the largest pivot relative to its diagonal element. */
imp_inverse_mass_range imp_inverse_mass_range_of(imp_inverse_mass b, double v1, double v2,
                                                 double v3);

/* A vector after the turn about the normal. */
void imp_vector_turned(const double v[3], double angle, double turned[3]);

/* A contact of a free body with slip velocity velocity_ratio (cos heading, sin heading) |v3|. */
imp_spatial_contact imp_spatial_free(imp_inverse_mass b, double mass, double velocity_ratio,
                                     double heading);

#endif
