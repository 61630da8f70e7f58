#include "models/rigid/outputs.h"

#include <math.h>

#include "bodies/planar/motion.h"
#include "models/rigid/laws.h"
#include "models/theory.h"
#include "num/lanes/width.h"

/* ---- the table ---- */

#define NO_SEPARATION IMP_MODE_BIT(IMP_RIGID_WEDGE)
#define NO_PHASES IMP_MODE_BIT(IMP_RIGID_PRESCRIBED)
#define REAL(called, in, says)                                                                     \
    .name = called, .unit = in, .meaning = says, .undefined_in = NO_SEPARATION
#define CATEGORIES(codes)                                                                          \
    .kind = IMP_CATEGORY, .categories = codes, .n_categories = IMP_COUNT(codes)
#define NO_COEFFICIENT .undefined_when = "restitution is below 1e-150"
#define NO_RATIO .undefined_when = "no ratio of this kind lets the body separate"

static const imp_mode gains[] = {
    {IMP_RIGID_NO, "no", "energy is kept or lost"},
    {IMP_RIGID_YES, "gains", "the body has more energy after the impact than before"}};
static const imp_mode sides[] = {
    {IMP_RIGID_NO, "inside", "friction can supply the prescribed ratio"},
    {IMP_RIGID_YES, "outside",
     "the magnitude of the prescribed ratio is above the coefficient of friction"}};

const imp_output imp_rigid_outputs[IMP_RIGID_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_RIGID_OF_##code] = __VA_ARGS__,
#include "models/rigid/outputs.def"
};

const imp_mode imp_rigid_modes[IMP_RIGID_N_MODES] = {
    {IMP_RIGID_COMPRESSION_STICK, "compression_stick",
     "slip halts in compression, then sticks (case 1 of Baruh)"},
    {IMP_RIGID_COMPRESSION_REVERSE, "compression_reverse",
     "slip halts in compression, then reverses or resumes (case 2 of Baruh)"},
    {IMP_RIGID_RESTITUTION_STICK, "restitution_stick",
     "slip halts in restitution, then sticks (case 3 of Baruh)"},
    {IMP_RIGID_RESTITUTION_REVERSE, "restitution_reverse",
     "slip halts in restitution, then reverses or resumes (case 4 of Baruh)"},
    {IMP_RIGID_SLIDE, "slide", "slips in one direction to separation (case 5 of Baruh)"},
    {IMP_RIGID_GROSS_STICK, "gross_stick", "starts without slip, sticks (case 6 of Baruh)"},
    {IMP_RIGID_SLIP_FROM_REST, "slip_from_rest",
     "starts without slip, then slips (case 7 of Baruh)"},
    {IMP_RIGID_WEDGE, "wedge", "sticks for good: the body does not separate"},
    {IMP_RIGID_PRESCRIBED, "prescribed", "the ratio of tangential to normal impulse is given"},
};

bool imp_rigid_has_output(const imp_instance *instance, int output) {
    bool cone = imp_rigid_more_of[instance->chosen[IMP_RIGID_LAW]] == IMP_RIGID_CONE;
    return imp_motion_has_output(instance, output) && (output != IMP_RIGID_OF_CONE || cone);
}

/* ---- the solver and the values, in lanes ---- */

IMP_EACH_WIDTH(imp_rigid_solve, (int law, imp_rigid_block *block, size_t n), imp_lane_width(),
               (law, block, n))
IMP_EACH_WIDTH(imp_rigid_put,
               (const imp_rigid_block *b, size_t n, size_t first, double *const *out),
               imp_lane_width(), (b, n, first, out))
