#include "models/theory.h"

#include <math.h>

#include "bodies/planar/body.h"

const imp_parameter imp_parameter_friction =
    IMP_PARAMETER_OF("friction", "1", "Coulomb coefficient of friction", IMP_RANGE_NOT_NEGATIVE,
                     .fallback = NAN, .example = 0.3);

const imp_parameter imp_parameter_limited_friction = IMP_PARAMETER_OF(
    "friction", "1",
    "Coulomb coefficient of friction; a cell of a free body has the outcome outside where friction "
    "times sqrt(b11 / b22) exceeds 1e9 (b11, b22: elements of B)",
    IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = 0.3);

const imp_parameter imp_parameter_normal_speed =
    IMP_PARAMETER_OF("normal_speed", "m/s",
                     "initial normal approach speed of the contact point; an established contact, "
                     "without approach, is not an impact",
                     IMP_RANGE_POSITIVE, .fallback = 1, .example = 1, .limits = IMP_NO_APPROACH);

/* Of two like bodies: R. D. Mindlin, Compliance of elastic bodies in contact, J. Appl. Mech. 16
 * (1949) 259. */
static double stiffness_ratio_of_poisson(double ratio) {
    return (2 - ratio) / (2 * (1 - ratio));
}

const imp_parameter imp_parameter_poisson_ratio =
    IMP_PARAMETER_OF("poisson_ratio", "1",
                     "Poisson's ratio of two like elastic bodies, whose stiffness_ratio is (2 - "
                     "poisson_ratio) / (2 - 2 poisson_ratio)",
                     .low = 0, .high = 0.5, .fallback = NAN, .example = 0.3,
                     .stands_for = "stiffness_ratio", .converted = stiffness_ratio_of_poisson);

const imp_parameter imp_parameter_restitution =
    IMP_PARAMETER_OF("restitution", "1", "coefficient of restitution, as defined by the chosen law",
                     .low = 0, .high = 1, .fallback = NAN, .example = 0.8);

/* Of slow impacts, where only yield_speed is given. */
static double restitution_below_yield(double yield_speed) {
    (void)yield_speed;
    return 1;
}

const imp_parameter imp_parameter_yield_speed = IMP_PARAMETER_OF(
    "yield_speed", "m/s",
    "normal speed of the contact point above which the bodies yield, so that the restitution falls "
    "with speed (Thornton); below, the restitution is 1, or the given restitution, which then is a "
    "factor at every speed",
    IMP_RANGE_POSITIVE, .fallback = NAN, .example = 0.1, .stands_for = "restitution",
    .converted = restitution_below_yield, .beside = true);

#define WEIGHT(of)                                                                                 \
    IMP_PARAMETER_OF("weight_" of, "1", "weight of the law " of " in the compromise",              \
                     IMP_RANGE_NOT_NEGATIVE, .fallback = 1, .example = 1)
const imp_parameter imp_parameter_weight_poisson = WEIGHT("poisson");
const imp_parameter imp_parameter_weight_energetic = WEIGHT("energetic");

const imp_mode imp_impulse_events[IMP_IMPULSE_EVENTS] = {
    {IMP_TOUCH, "touch", "first contact"},
    {IMP_COMPRESSED, "compressed", "end of compression: the normal velocity is 0"},
    {IMP_HALT, "halt", "slip halts"},
    {IMP_SEPARATION, "separation", "the contact separates: the law of restitution is met"},
    {IMP_WEDGED, "wedged", "slip halts for good: the body wedges"},
};

static const char *const ends[] = {"force", "elongation", NULL};
const imp_parameter imp_parameter_contact_end = IMP_PARAMETER_OF(
    "contact_end", "1",
    "what is 0 where the contact ends: force (0), so that the plane never pulls; or elongation (1) "
    "of the normal spring, after the plane has pulled, while friction can hold friction times the "
    "pull; compliant3d: a cell has the outcome outside if the spring then creeps back slower than "
    "1e-12 of the approach",
    .low = 0, .high = 1, .fallback = 0, .example = 0, .whole = true, .words = ends);
