/* The motion of a free body as a whole: its mass centre and its spin, before and after the
 * contact. */
#ifndef IMP_BODIES_PLANAR_MOTION_H
#define IMP_BODIES_PLANAR_MOTION_H

#include <math.h>

#include "bodies/planar/body.h"
#include "num/trigonometry.h"

/* m/s; rad/s of each part, positive from t to n. */
typedef struct imp_motion {
    double v_t, v_n, spin[IMP_MAX_PARTS];
} imp_motion;

/* Velocities of the contact point in m/s before and after the impulses p_t, p_n in N s. */
typedef struct imp_blow {
    double before_t, before_n, after_t, after_n, p_t, p_n;
} imp_blow;

/* imp_theory.has_output of a theory whose first choice is `body`: `angular_velocity` of what turns,
 * and `body_...` of what has a mass centre; every other output exists for every body. */
bool imp_motion_has_output(const imp_instance *instance, int output);

/* The motion after a blow. mass: of the body; a mechanism has no mass centre, only spins. */
imp_motion imp_motion_after(const imp_body *body, const double *value, double mass,
                            const imp_blow *blow);

/* A motion after the contact is a sum of two kinds: the motion before and the impulse, or what the
 * contact point does after. They are equal but for rounding, which follows from the size of their
 * terms: a body that hardly rebounds loses its digits in the first one. That one is taken wherever
 * it is about as good, because it keeps the momentum. */
static inline double imp_motion_sharper(double by_impulse, double size, double by_contact,
                                        double size_by_contact) {
    const double much = 8;
    return much * size_by_contact < size ? by_contact + 0.0 /* no -0 */ : by_impulse;
}

/* Velocity of a mass centre; lead: that of the mass centre less that of the contact point, before
 * and after. */
static inline double imp_motion_centre(double before, double lead, double gained, double after,
                                       double lead_after) {
    return imp_motion_sharper(before + lead + gained, fabs(before) + fabs(lead) + fabs(gained),
                              after + lead_after, fabs(after) + fabs(lead_after));
}

/* Angular velocity, where the velocity v_t, v_n of the contact point after the blow may decide it:
 * by of_t, of_n, which are both 0 where it does not. */
static inline double imp_motion_spin(double initial, double gained, double of_t, double of_n,
                                     double v_t, double v_n) {
    bool decides = (of_t != 0) | (of_n != 0);
    double by_t = of_t * v_t, by_n = of_n * v_n;
    return imp_motion_sharper(initial + gained, fabs(initial) + fabs(gained), by_t + by_n,
                              decides ? fabs(by_t) + fabs(by_n) : INFINITY);
}

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

/* Of B = [[a, c], [c, 1]]: the difference of its principal values over their sum; the angle from
 * the tangent to the axis of the larger one, NaN if they are equal. */
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
