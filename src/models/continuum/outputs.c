#include "models/continuum/outputs.h"

#include <math.h>

#include "bodies/planar/motion.h"
#include "models/theory.h"

#define NO_SEPARATION IMP_MODE_BIT(IMP_CONTINUUM_WEDGE)

const imp_output imp_continuum_outputs[IMP_CONTINUUM_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_CONTINUUM_OF_##code] = __VA_ARGS__,
#include "models/continuum/outputs.def"
};

bool imp_continuum_representable(const imp_continuum_cell *c, const imp_continuum_result *r) {
    const double largest = 1e200;
    double force = c->units.impulse * (1 + r->initial);
    return force * c->units.speed < largest && force < largest * c->units.time &&
           c->units.time < largest && c->units.impulse < largest &&
           fabs(r->p_n * c->units.impulse) < largest && fabs(r->p_t * c->units.impulse) < largest &&
           fabs(r->v_n) < largest && fabs(r->v_t) < largest && r->initial < largest;
}

#define BODY_A (c->contact->b11 / c->contact->b22)
#define BODY_C (c->contact->b12 / c->contact->b22)
#define BODY_LIGHTNESS (c->contact->b22 / c->contact->mass)

/* At separation. */
static imp_motion motion_of(const imp_continuum_cell *c, const imp_continuum_result *r) {
    const imp_contact_units *s = &c->units;
    const imp_blow blow = {
        .before_t = c->contact->velocity_ratio * s->speed,
        .before_n = -s->speed,
        .after_t = r->v_t * s->speed,
        .after_n = r->v_n * s->speed,
        .p_t = r->p_t * s->impulse,
        .p_n = r->p_n * s->impulse,
    };
    return imp_motion_after(c->body, c->value, c->contact->mass, &blow);
}

void imp_continuum_put(const imp_continuum_cell *c, const imp_continuum_result *r,
                       double *const *out, size_t i) {
    double force = c->units.impulse / c->units.time;
    double whole = imp_motion_energy(c->body, c->value, c->contact->mass,
                                     c->contact->velocity_ratio, c->units.speed);
#define OUTPUT(code, value, ...)                                                                   \
    IMP_PUT_ROW(imp_continuum_outputs, IMP_CONTINUUM_OF_##code, r->mode, value)
#include "models/continuum/outputs.def"
}
