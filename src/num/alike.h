/* Values with the same bits that follow each other. */
#ifndef IMP_NUM_ALIKE_H
#define IMP_NUM_ALIKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whether both are the same number, or neither is one. */
static inline bool imp_is_same(double a, double b) {
    return a == b || (a != a && b != b);
}

static inline int64_t imp_bits(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* How many of n values, from the first on, have its bits; n > 0. */
static inline size_t imp_alike(const double *values, size_t n) {
    if (n == 1 || imp_bits(values[1]) != imp_bits(values[0])) {
        return 1;
    }
    /* Often all are, which memcmp sees in many at a time. */
    bool same = memcmp(values, values + 1, (n - 1) * sizeof *values) == 0;
    size_t i = same ? n : 2;
    while (i < n && imp_bits(values[i]) == imp_bits(values[0])) {
        i++;
    }
    return i;
}

#endif
