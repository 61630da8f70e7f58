/* Steps in the narrowest lanes that hold the trials: where registers are wide, operations in narrow ones are faster. */
#include "models/compliant3d/slip_step.h"
#include "models/compliant3d/stick_step.h"
#include "num/lane_width.h"

#define DECLARE(lanes)                                                                             \
    void imp_slip_advance_##lanes(imp_slip_trial *const *trials, int n);                           \
    void imp_stick_advance_##lanes(imp_stick_trial *const *trials, int n);
DECLARE(2)
#if IMP_WIDE_LANES
DECLARE(4)
DECLARE(8)
#define NARROWEST(name) (n > 4 ? name##_8 : n > 2 ? name##_4 : name##_2)
#else
#define NARROWEST(name) name##_2
#endif

void imp_slip_advance(imp_slip_trial *const *trials, int n) {
    NARROWEST(imp_slip_advance)(trials, n);
}

void imp_stick_advance(imp_stick_trial *const *trials, int n) {
    NARROWEST(imp_stick_advance)(trials, n);
}
