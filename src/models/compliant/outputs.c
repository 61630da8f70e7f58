#include "models/compliant/outputs.h"

#include <math.h>

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

/* ---- values ---- */

IMP_EACH_WIDTH(imp_compliant_represent, (imp_compliant_block * block, size_t n), imp_lane_width(),
               (block, n))
IMP_EACH_WIDTH(imp_compliant_put,
               (const imp_compliant_block *block, size_t n, size_t first, double *const *out),
               imp_lane_width(), (block, n, first, out))
