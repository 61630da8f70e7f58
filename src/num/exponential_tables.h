/* Logarithms in 256 parts, powers of 2 in 128; for lanes/exponential.h alone. */
#ifndef IMP_NUM_EXPONENTIAL_TABLES_H
#define IMP_NUM_EXPONENTIAL_TABLES_H

enum { IMP_LOG_PARTS_LOG2 = 8, IMP_EXP_PARTS_LOG2 = 7 };

/* The interval from 0x1.6a55p-1, whose bits are `lowest` of lanes/exponential.h, to its double in
 * parts. `inverse` is a multiple of 2^-8, above 1 of 2^-9, and 1 in the part around 1. So for z in
 * a part z inverse - 1 is a double, below 2^-8.4, and every operation of (z - middle) inverse +
 * offset, offset = middle inverse - 1, is exact. log(1/inverse) = high + low, high a multiple of
 * 2^-42. */

typedef struct imp_log_part {
    double middle, inverse, offset, high, low;
} imp_log_part;

/* Of the series of logarithms, see lanes/exponential.h. */
static const double imp_seventh_start = 0x1.24930333e616bp-3,
                    imp_seventh_slope = -0x1.0000a7743360ep-3;

/* 2^(j/128) = value (1 + tail). */
typedef struct imp_exp_part {
    double value, tail;
} imp_exp_part;

extern const imp_log_part imp_log_parts[1 << IMP_LOG_PARTS_LOG2];
extern const imp_exp_part imp_exp_parts[1 << IMP_EXP_PARTS_LOG2];

#endif
