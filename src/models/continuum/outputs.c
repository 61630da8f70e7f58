#include "models/continuum/outputs.h"

#include <math.h>

#include "models/continuum/tables.h"
#include "models/theory.h"

#define NO_SEPARATION IMP_MODE_BIT(IMP_CONTINUUM_WEDGE)

const imp_output imp_continuum_outputs[IMP_CONTINUUM_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_CONTINUUM_OF_##code] = __VA_ARGS__,
#include "models/continuum/outputs.def"
};

bool imp_continuum_has_output(const imp_instance *instance, int output) {
    return output != IMP_CONTINUUM_OF_BODY_ENERGY_LOSS ||
           imp_body_at(instance->chosen[BODY])->own_mass;
}

bool imp_continuum_representable(const imp_continuum_cell *c, const imp_continuum_result *r) {
    const double largest = 1e200;
    double force = c->scales.impulse * (1 + r->initial);
    return force < largest * c->scales.time && c->scales.time < largest &&
           c->scales.impulse < largest && fabs(r->p_n * c->scales.impulse) < largest &&
           fabs(r->p_t * c->scales.impulse) < largest && fabs(r->v_n) < largest &&
           fabs(r->v_t) < largest && r->initial < largest;
}

void imp_continuum_put(const imp_continuum_cell *c, const imp_continuum_result *r,
                       double *const *out, size_t i) {
    double ratio = c->contact->velocity_ratio, force = c->scales.impulse / c->scales.time;
#define OUTPUT(code, value, ...)                                                                   \
    IMP_PUT_ROW(imp_continuum_outputs, IMP_CONTINUUM_OF_##code, r->mode, value)
#include "models/continuum/outputs.def"
}
