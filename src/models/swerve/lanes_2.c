#define IMP_LANES 2
#include "models/swerve/leg_lanes.h"
