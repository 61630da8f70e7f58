#include "bodies/planar/motion.h"

#include <string.h>

#include "base/text.h"

bool imp_motion_has_output(const imp_instance *instance, int output) {
    static const char *const whole[] = {"body_energy_loss", "body_velocity_t", "body_velocity_n"};
    const imp_body *body = imp_body_at(instance->chosen[0]);
    const char *name = instance->theory->outputs[output].name;
    if (strncmp(name, "angular_velocity", strlen("angular_velocity")) == 0) {
        return body->n_parts > (strcmp(name, "angular_velocity_2") == 0);
    }
    return body->own_mass || imp_word_number(name, whole, IMP_COUNT(whole)) < 0;
}

imp_motion imp_motion_after(const imp_body *body, const double *value, double mass,
                            const imp_blow *blow) {
    imp_turning part[IMP_MAX_PARTS] = {0};
    if (body->turning) {
        body->turning(value, part);
    }
    imp_motion m = {.v_t = 0};
    for (int k = 0; k < body->n_parts; k++) {
        const imp_turning *x = &part[k];
        m.spin[k] = imp_motion_spin(x->initial, x->per_t * blow->p_t + x->per_n * blow->p_n,
                                    x->of_t, x->of_n, blow->after_t, blow->after_n);
    }
    const imp_turning *own = &part[0];
    m.v_t = imp_motion_centre(blow->before_t, own->initial * own->arm_n, blow->p_t / mass,
                              blow->after_t, m.spin[0] * own->arm_n);
    m.v_n = imp_motion_centre(blow->before_n, -own->initial * own->arm_t, blow->p_n / mass,
                              blow->after_n, -m.spin[0] * own->arm_t);
    return m;
}

double imp_motion_energy_turning(const imp_body *body, const double *value, double mass,
                                 double velocity_ratio, double normal_speed) {
    imp_turning part[IMP_MAX_PARTS] = {0};
    body->turning(value, part);
    double turn = value[body->spin] / normal_speed;
    double t = velocity_ratio + turn * part[0].arm_n, n = -1 - turn * part[0].arm_t;
    return n * n + t * t + part[0].inertia / mass * turn * turn;
}
