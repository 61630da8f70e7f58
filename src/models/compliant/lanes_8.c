#include "num/lane_width.h"

#if IMP_WIDE_LANES
#define IMP_LANES 8
#include "num/lanes_begin.h"
#include "models/compliant/fill_lanes.h"
#include "models/compliant/linear_lanes.h"
#include "models/compliant/outputs_lanes.h"
#include "num/lanes_end.h"
#endif
