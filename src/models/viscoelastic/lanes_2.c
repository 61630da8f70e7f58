#define IMP_LANES 2
#include "models/viscoelastic/rod_lanes.h"
