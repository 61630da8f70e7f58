#define IMP_LANES 2
#include "models/rigid/impulse_lanes.h"
#include "models/rigid/outputs_lanes.h"
