/* The motion of a free body in space as a whole: its mass centre and its spin, before and after the
 * contact. */
#ifndef IMP_BODIES_SPATIAL_MOTION_H
#define IMP_BODIES_SPATIAL_MOTION_H

#include "bodies/planar/motion.h"
#include "bodies/spatial/body3d.h"

/* Along axes 1, 2, 3: m/s; rad/s, right-handed. */
typedef struct imp_spatial_motion {
    double velocity[3], spin[3];
} imp_spatial_motion;

/* imp_theory.has_output of a theory whose first choice is `body`: only a free body has a motion. */
bool imp_spatial_has_output(const imp_instance *instance, int output);

/* The motion after the impulse p (N s; 0 for the motion before) of a free body whose contact point
 * has the velocity v (m/s) then. A vector with a component too large for a double is NaN. */
imp_spatial_motion imp_spatial_motion_after(const imp_spatial *body, const double *value,
                                            const double v[3], const double p[3]);

/* Twice the kinetic energy of a free body before the contact over mass speed^2; speed: |v3(0)|. */
double imp_spatial_energy(const imp_spatial *body, const double *value,
                          const imp_spatial_contact *contact, double speed);

#endif
