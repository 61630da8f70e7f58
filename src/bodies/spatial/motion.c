#include "bodies/spatial/motion.h"

#include <string.h>

#include "base/text.h"

bool imp_spatial_has_output(const imp_instance *instance, int output) {
    static const char *const whole[] = {"body_energy_loss", "body_velocity_t", "body_velocity_n",
                                        "angular_velocity"};
    const char *name = instance->theory->outputs[output].name;
    return imp_spatial_at(instance->chosen[0])->turning ||
           imp_word_number(name, whole, IMP_COUNT(whole)) < 0;
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3]) {
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3, last = (k + 2) % 3;
        product[k] = a[next] * b[last] - a[last] * b[next];
    }
}

static void drop_overflow(double a[3]) {
    double zero = 0 * (a[0] + a[1] + a[2]);
    for (int k = 0; k < 3; k++) {
        a[k] = zero == 0 ? a[k] : NAN;
    }
}

/* The mass centre moves with the contact point but for the spin about it. By the impulse the centre
 * of a sphere that hardly rebounds would lose its digits. */
imp_spatial_motion imp_spatial_motion_after(const imp_spatial *body, const double *value,
                                            const double v[3], const double p[3]) {
    imp_spatial_turning part = {.arm = {0}};
    if (body->turning) {
        body->turning(value, &part);
    }
    double around[3], torque[3];
    imp_spatial_motion m;
    cross(part.arm, p, torque);
    for (int k = 0; k < 3; k++) {
        m.spin[k] = part.initial[k];
    }
    for (int k = 0; k < 3; k++) {
        double gained = part.inertia[k] > 0 ? dot(part.axis[k], torque) / part.inertia[k] : 0;
        for (int i = 0; i < 3; i++) {
            m.spin[i] += gained * part.axis[k][i];
        }
    }
    cross(m.spin, part.arm, around);
    for (int k = 0; k < 3; k++) {
        m.velocity[k] = v[k] - around[k];
    }
    drop_overflow(m.velocity);
    drop_overflow(m.spin);
    return m;
}

double imp_spatial_energy(const imp_spatial *body, const double *value,
                          const imp_spatial_contact *contact, double speed) {
    imp_spatial_turning part = {.arm = {0}};
    if (body->turning) {
        body->turning(value, &part);
    }
    if (part.initial[0] == 0 && part.initial[1] == 0 && part.initial[2] == 0) {
        return contact->v1 * contact->v1 + contact->v2 * contact->v2 + 1;
    }
    const double v[3] = {contact->v1, contact->v2, -1};
    double turn[3], around[3], energy = 0;
    for (int k = 0; k < 3; k++) {
        turn[k] = part.initial[k] / speed;
    }
    cross(turn, part.arm, around);
    for (int k = 0; k < 3; k++) {
        double about = dot(part.axis[k], turn);
        energy += (v[k] - around[k]) * (v[k] - around[k]) +
                  part.inertia[k] / contact->mass * about * about;
    }
    return energy;
}
