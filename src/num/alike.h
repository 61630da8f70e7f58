/* Equal values that follow each other. */
#ifndef IMP_NUM_ALIKE_H
#define IMP_NUM_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* How many of n values, from the first on, are equal to it; n > 0. */
static inline size_t imp_alike(const double *values, size_t n) {
    if (n == 1 || values[1] != values[0]) {
        return 1;
    }
    /* Often all are, which memcmp sees in many at a time. */
    bool same = memcmp(values, values + 1, (n - 1) * sizeof *values) == 0;
    size_t i = same ? n : 2;
    while (i < n && values[i] == values[0]) {
        i++;
    }
    return i;
}

#endif
