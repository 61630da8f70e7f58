#include "models/compliant/outputs.h"

#include <math.h>

#include "bodies/planar/motion.h"
#include "models/compliant/tables.h"
#include "models/theory.h"
#include "num/larger.h"

#define NO_SEPARATION IMP_MODE_BIT(IMP_COMPLIANT_WEDGE)

const imp_output imp_compliant_outputs[IMP_COMPLIANT_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_COMPLIANT_OF_##code] = __VA_ARGS__,
#include "models/compliant/outputs.def"
};

bool imp_compliant_has_output(const imp_instance *instance, int output) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    switch (output) {
    case IMP_COMPLIANT_OF_BODY_ENERGY_LOSS:
    case IMP_COMPLIANT_OF_BODY_VELOCITY_T:
    case IMP_COMPLIANT_OF_BODY_VELOCITY_N:
        return body->own_mass;
    case IMP_COMPLIANT_OF_ANGULAR_VELOCITY:
        return body->n_parts > 0;
    case IMP_COMPLIANT_OF_ANGULAR_VELOCITY_2:
        return body->n_parts > 1;
    default:
        return true;
    }
}

bool imp_compliant_representable(const imp_compliant_cell *c, const imp_compliant_result *r) {
    const double largest = 1e200;
    /* No spring stores more than the initial energy, which bounds the forces. */
    double force = c->scales->impulse * (1 + r->initial), most = largest * c->scales->time;
    return force * c->speed < largest && force < most && force < most * c->scales->root &&
           c->scales->time < largest && c->scales->impulse < largest &&
           fabs(r->p_n * c->scales->impulse) < largest &&
           fabs(r->p_t / c->scales->root * c->scales->impulse) < largest &&
           fabs(r->v_n) < largest && fabs(r->v_t * c->scales->root) < largest;
}

#define BODY_A (c->contact->b11 / c->contact->b22)
#define BODY_C (c->contact->b12 / c->contact->b22)
#define BODY_LIGHTNESS (c->contact->b22 / c->contact->mass)

/* At separation. */
static imp_motion motion_of(const imp_compliant_cell *c, const imp_compliant_result *r) {
    const imp_compliant_scales *s = c->scales;
    return imp_motion_after(c->body, c->value, c->contact->mass,
                            c->contact->velocity_ratio * c->speed, -c->speed,
                            r->p_t / s->root * s->impulse, r->p_n * s->impulse);
}

/* Unit of forces in N. */
static double force_of(const imp_compliant_cell *c) {
    return c->scales->impulse / c->scales->time;
}

/* Twice the kinetic energy of a free body over mass normal_speed^2. */
static double whole_of(const imp_compliant_cell *c) {
    return imp_motion_energy(c->body, c->value, c->contact->mass, c->contact->velocity_ratio,
                             c->speed);
}

imp_compliant_wanted imp_compliant_wanted_of(double *const *out) {
    imp_compliant_wanted wanted;
    wanted.n = 0;
    for (int o = 0; o < IMP_COMPLIANT_N_OUTPUTS; o++) {
        if (out[o]) {
            wanted.output[wanted.n++] = o;
        }
    }
    return wanted;
}

/* Most maps have few outputs: asking for each of the table would take as long as a cell. */
void imp_compliant_put(const imp_compliant_cell *c, const imp_compliant_result *r,
                       const imp_account *a, const imp_compliant_wanted *wanted, double *const *out,
                       size_t i) {
    for (int w = 0; w < wanted->n; w++) {
        switch (wanted->output[w]) {
#define OUTPUT(code, value, ...)                                                                   \
    case IMP_COMPLIANT_OF_##code:                                                                  \
        IMP_PUT_WANTED(imp_compliant_outputs, IMP_COMPLIANT_OF_##code, r->mode, value)             \
        break;
#include "models/compliant/outputs.def"
        }
    }
}
