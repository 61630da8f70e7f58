/* The larger and the smaller of two numbers, in one instruction. fmax and fmin must ignore a NaN,
 * which costs a call or a chain of comparisons in the inner loops; here the result is b if a or b
 * is NaN. */
#ifndef IMP_NUM_LARGER_H
#define IMP_NUM_LARGER_H

static inline double imp_larger(double a, double b) {
    return a > b ? a : b;
}

static inline double imp_smaller(double a, double b) {
    return a < b ? a : b;
}

#endif
