/* Equal values that follow each other. */
#ifndef IMP_NUM_ALIKE_H
#define IMP_NUM_ALIKE_H

#include <stddef.h>

/* How many of n values, from the first on, are equal to it; n > 0. */
static inline size_t imp_alike(const double *values, size_t n) {
    size_t i = 1;
    while (i < n && values[i] == values[0]) {
        i++;
    }
    return i;
}

#endif
