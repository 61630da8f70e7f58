/* Consecutive numbers: first, first + 1, .. */
#ifndef IMP_BASE_INTERVAL_H
#define IMP_BASE_INTERVAL_H

#include <stdint.h>

typedef struct imp_interval {
    int64_t first, count;
} imp_interval;

static inline int64_t imp_interval_end(imp_interval i) {
    return i.first + i.count;
}

#endif
