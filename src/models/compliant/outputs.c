#include "models/compliant/outputs.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/compliant/laws.h"
#include "models/theory.h"
#include "models/theory.h"
#include "num/lanes/width.h"

#define NO_SEPARATION IMP_MODE_BIT(IMP_COMPLIANT_WEDGE)

const imp_output imp_compliant_outputs[IMP_COMPLIANT_N_OUTPUTS] = {
#define ROW(code, needs, value, ...) [IMP_COMPLIANT_OF_##code] = __VA_ARGS__,
#include "models/compliant/outputs.def"
};

unsigned imp_compliant_needs(double *const *out) {
    enum {
        NOTHING = IMP_COMPLIANT_NEEDS_NOTHING,
        TURN = IMP_COMPLIANT_NEEDS_TURN,
        TIME = IMP_COMPLIANT_NEEDS_TIME,
        ACCOUNT = IMP_COMPLIANT_NEEDS_ACCOUNT,
        PEAKS = IMP_COMPLIANT_NEEDS_PEAKS,
        MOTION = IMP_COMPLIANT_NEEDS_MOTION,
        WHOLE = IMP_COMPLIANT_NEEDS_WHOLE
    };
    static const unsigned needs_of[IMP_COMPLIANT_N_OUTPUTS] = {
#define ROW(code, needs, ...) [IMP_COMPLIANT_OF_##code] = needs,
#include "models/compliant/outputs.def"
    };
    unsigned needs = NOTHING;
    for (int o = 0; o < IMP_COMPLIANT_N_OUTPUTS; o++) {
        needs |= out[o] ? needs_of[o] : NOTHING;
    }
    return needs;
}

bool imp_compliant_has_output(const imp_body *body, int law, int output) {
    switch (output) {
    case IMP_COMPLIANT_OF_NORMAL_LOSS:
    case IMP_COMPLIANT_OF_TANGENTIAL_LOSS:
        return law == IMP_COMPLIANT_LAW_dashpot;
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
