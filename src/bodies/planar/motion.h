/* The motion of a free body as a whole: its mass centre and its spin, before and after the contact. */
#ifndef IMP_BODIES_PLANAR_MOTION_H
#define IMP_BODIES_PLANAR_MOTION_H

#include <math.h>

#include "bodies/planar/body.h"

/* m/s; rad/s of each part, positive from t to n. */
typedef struct imp_motion {
    double v_t, v_n, spin[IMP_MAX_PARTS];
} imp_motion;

/* The motion after the impulses p_t, p_n (N s; 0 for the motion before) of a body whose contact point had
 * the velocity v_t, v_n (m/s). mass: of the body; a mechanism has no mass centre, only spins. */
imp_motion imp_motion_after(const imp_body *body, const double *value, double mass, double v_t,
                            double v_n, double p_t, double p_n);

/* Twice the kinetic energy of a free body over mass normal_speed^2. */
double imp_motion_energy(const imp_body *body, const double *value, double mass,
                         double velocity_ratio, double normal_speed);

/* The value, or NaN where it is not finite. */
static inline double imp_motion_finite(double value) {
    return value - value == 0 ? value : NAN;
}

/* Of B = [[a, c], [c, 1]]: the difference of its principal values over their sum; the angle from the tangent to
 * the axis of the larger one, NaN if they are equal. */
double imp_body_coupling(double a, double c);
double imp_body_angle(double a, double c);

#endif
