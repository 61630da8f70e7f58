#include "bodies/planar/motion.h"

imp_motion imp_motion_after(const imp_body *body, const double *value, double mass, double v_t,
                            double v_n, double p_t, double p_n) {
    imp_turning part[IMP_MAX_PARTS] = {{0}};
    if (body->turning) {
        body->turning(value, part);
    }
    imp_motion m = {
        .v_t = v_t + part[0].initial * part[0].arm_n + p_t / mass,
        .v_n = v_n - part[0].initial * part[0].arm_t + p_n / mass,
    };
    for (int k = 0; k < body->n_parts; k++) {
        m.spin[k] = part[k].initial + (part[k].per_t * p_t + part[k].per_n * p_n);
    }
    return m;
}

double imp_motion_energy_turning(const imp_body *body, const double *value, double mass,
                                 double velocity_ratio, double normal_speed) {
    imp_turning part[IMP_MAX_PARTS] = {{0}};
    body->turning(value, part);
    double turn = value[body->spin] / normal_speed;
    double t = velocity_ratio + turn * part[0].arm_n, n = -1 - turn * part[0].arm_t;
    return n * n + t * t + part[0].inertia / mass * turn * turn;
}
