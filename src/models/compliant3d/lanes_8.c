#include "num/lane_width.h"

#if IMP_WIDE_LANES
#define IMP_LANES 8
#include "num/lanes_begin.h"
#include "models/compliant3d/slip_step_lanes.h"
#include "models/compliant3d/stick_step_lanes.h"
#include "num/lanes_end.h"
#endif
