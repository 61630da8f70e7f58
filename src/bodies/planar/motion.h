/* The motion of a free body as a whole: its mass centre and its spin, before and after the contact. */
#ifndef IMP_BODIES_PLANAR_MOTION_H
#define IMP_BODIES_PLANAR_MOTION_H

#include <math.h>

#include "bodies/planar/body.h"
#include "num/trigonometry.h"

/* m/s; rad/s of each part, positive from t to n. */
typedef struct imp_motion {
    double v_t, v_n, spin[IMP_MAX_PARTS];
} imp_motion;

/* The motion after the impulses p_t, p_n (N s; 0 for the motion before) of a body whose contact point had
 * the velocity v_t, v_n (m/s). mass: of the body; a mechanism has no mass centre, only spins. */
imp_motion imp_motion_after(const imp_body *body, const double *value, double mass, double v_t,
                            double v_n, double p_t, double p_n);

/* Of a body that turns at the start, what imp_motion_energy says. */
double imp_motion_energy_turning(const imp_body *body, const double *value, double mass,
                                 double velocity_ratio, double normal_speed);

/* Twice the kinetic energy of a free body over mass normal_speed^2. */
static inline double imp_motion_energy(const imp_body *body, const double *value, double mass,
                                       double velocity_ratio, double normal_speed) {
    bool turns = body->spin > 0 && value[body->spin] != 0;
    return turns ? imp_motion_energy_turning(body, value, mass, velocity_ratio, normal_speed)
                 : 1 + velocity_ratio * velocity_ratio;
}

/* The value, or NaN where it is not finite. */
static inline double imp_motion_finite(double value) {
    return value - value == 0 ? value : NAN;
}

/* Of B = [[a, c], [c, 1]]: the difference of its principal values over their sum; the angle from the tangent to
 * the axis of the larger one, NaN if they are equal. */
static inline double imp_body_coupling(double a, double c) {
    double difference = a - 1, cross = 2 * c;
    return sqrt(difference * difference + cross * cross) / (a + 1);
}

static inline double imp_body_angle(double a, double c) {
    double angle = imp_heading(2 * c, a - 1) / 2;
    bool equal = (a == 1) & (c == 0);
    return equal ? NAN : angle;
}

#endif
