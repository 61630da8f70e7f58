
#include <math.h>

#include "models/beam/inputs.h"
#include "models/theory.h"

enum { SINGLE = 1, MULTIPLE = 2 };
const imp_output imp_beam_outputs[IMP_BEAM_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_BEAM_OF_##code] = __VA_ARGS__,
#include "models/beam/outputs.def"
};

const imp_mode imp_beam_kinds[IMP_BEAM_KINDS] = {
    {SINGLE, "single", "one contact"},
    {MULTIPLE, "multiple", "several sub-impacts"},
};

bool imp_beam_has_output(const imp_instance *instance, int output) {
    bool by_modes = instance->chosen[IMP_BEAM_SOLVER] != IMP_BEAM_FULL &&
                    instance->chosen[IMP_BEAM_SOLVER] != IMP_BEAM_NEWMARK;
    return (output != IMP_BEAM_OF_BALL_RESTITUTION ||
            instance->chosen[IMP_BEAM_STRIKER] == IMP_BEAM_FREE_STRIKER) &&
           (output != IMP_BEAM_OF_UNCERTAINTY || by_modes);
}

/* Below this closeness, errors of the integration may hide or create a touch or a separation. */
static double grazing_limit(double tolerance) {
    return 0.01 * sqrt(tolerance / 1e-8);
}

void imp_beam_put(const imp_beam_problem *problem, const imp_beam_units *u,
                  const imp_beam_result *r, double *const *out, size_t i) {
    double mass = problem->mass * problem->approach;
    int mode = r->sub_impacts > 1 ? MULTIPLE : SINGLE;
#define OUTPUT(code, value, ...) IMP_PUT_ROW(imp_beam_outputs, IMP_BEAM_OF_##code, mode, value)
#include "models/beam/outputs.def"
}
