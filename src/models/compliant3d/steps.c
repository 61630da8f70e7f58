/* Steps in the narrowest lanes that hold the trials: where registers are wide, operations in narrow
 * ones are faster. */
#include "models/compliant3d/slip_step.h"
#include "models/compliant3d/stick_step.h"
#include "num/lanes/width.h"

IMP_EACH_WIDTH(imp_compliant3d_slip_advance, (imp_compliant3d_slip_trial *const *trials, int n), n,
               (trials, n))
IMP_EACH_WIDTH(imp_compliant3d_damped_slip_advance,
               (imp_compliant3d_slip_trial *const *trials, int n), n, (trials, n))
IMP_EACH_WIDTH(imp_compliant3d_damped_stick_advance,
               (imp_compliant3d_stick_trial *const *trials, int n), n, (trials, n))
IMP_EACH_WIDTH(imp_compliant3d_stick_advance, (imp_compliant3d_stick_trial *const *trials, int n),
               n, (trials, n))
