/* The ranges of most parameters, as members of imp_parameter. */
#ifndef IMP_BASE_RANGES_H
#define IMP_BASE_RANGES_H

#include <math.h>

#define IMP_RANGE_POSITIVE .low = 0, .low_open = true, .high = INFINITY, .high_open = true
#define IMP_RANGE_NOT_NEGATIVE .low = 0, .high = INFINITY, .high_open = true
#define IMP_RANGE_FINITE .low = -INFINITY, .low_open = true, .high = INFINITY, .high_open = true

#endif
