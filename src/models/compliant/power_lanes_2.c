#define IMP_LANES 2
#include "models/compliant/power_lanes.h"
#include "models/compliant/power_sights_lanes.h"
#include "models/compliant/power_moments_lanes.h"
#include "models/compliant/power_round_lanes.h"
