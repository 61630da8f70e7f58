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
    double force = c->scales.impulse * (1 + r->initial), most = largest * c->scales.time;
    return force * c->speed < largest && force < most && force < most * c->scales.root &&
           c->scales.time < largest && c->scales.impulse < largest &&
           fabs(r->p_n * c->scales.impulse) < largest &&
           fabs(r->p_t / c->scales.root * c->scales.impulse) < largest && fabs(r->v_n) < largest &&
           fabs(r->v_t * c->scales.root) < largest;
}

#define BODY_A (c->contact->b11 / c->contact->b22)
#define BODY_C (c->contact->b12 / c->contact->b22)
#define BODY_LIGHTNESS (c->contact->b22 / c->contact->mass)

/* At separation. */
static imp_motion motion_of(const imp_compliant_cell *c, const imp_compliant_result *r) {
    const imp_compliant_scales *s = &c->scales;
    return imp_motion_after(c->body, c->value, c->contact->mass,
                            c->contact->velocity_ratio * c->speed, -c->speed,
                            r->p_t / s->root * s->impulse, r->p_n * s->impulse);
}

#define PUT(code, value, ...)                                                                      \
    IMP_PUT_ROW(imp_compliant_outputs, IMP_COMPLIANT_OF_##code, r->mode, value)

static void put_account(const imp_compliant_cell *c, const imp_compliant_result *r,
                        const imp_account *a, double *const *out, size_t i) {
    double force = c->scales.impulse / c->scales.time;
#define OUTPUT(...)
#define ACCOUNT PUT
#include "models/compliant/outputs.def"
}

void imp_compliant_put(const imp_compliant_cell *c, const imp_compliant_result *r,
                       const imp_account *account, double *const *out, size_t i) {
    double whole = imp_motion_energy(c->body, c->value, c->contact->mass,
                                     c->contact->velocity_ratio, c->speed);
#define OUTPUT PUT
#define ACCOUNT(...)
#include "models/compliant/outputs.def"
    if (account) {
        put_account(c, r, account, out, i);
    }
}
