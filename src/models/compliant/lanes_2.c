#define IMP_LANES 2
#include "models/compliant/fill_lanes.h"
#include "models/compliant/linear_lanes.h"
#include "models/compliant/outputs_lanes.h"
