#include "models/compliant/outputs.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/compliant/tables.h"
#include "models/theory.h"
#include "num/lanes/width.h"

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

/* ---- values ---- */

IMP_EACH_WIDTH(imp_compliant_represent, (imp_compliant_block * block, size_t n), imp_lane_width(),
               (block, n))
IMP_EACH_WIDTH(imp_compliant_put,
               (const imp_compliant_block *block, size_t n, size_t first, double *const *out),
               imp_lane_width(), (block, n, first, out))
