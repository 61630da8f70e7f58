/* Equal values that follow each other. */
#ifndef IMP_NUM_ALIKE_H
#define IMP_NUM_ALIKE_H

#include <stddef.h>
#include <stdint.h>

/* How many of n values, from the first on, are equal to it; n > 0. */
static inline size_t imp_alike(const double *values, size_t n) {
    enum { PART = 32 };
    size_t i = 1;
    /* Many at once, as long as they are all equal. */
    for (int64_t others = 0; i + PART <= n && !others; i += others ? 0 : PART) {
        for (size_t k = 0; k < PART; k++) {
            others |= values[i + k] != values[0];
        }
    }
    while (i < n && values[i] == values[0]) {
        i++;
    }
    return i;
}

#endif
