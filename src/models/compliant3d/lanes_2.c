#define IMP_LANES 2
#include "models/compliant3d/slip_step_lanes.h"
#include "models/compliant3d/stick_step_lanes.h"
