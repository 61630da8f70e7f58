/* Points that fill the unit cube evenly, the same on every machine, and normal quantiles. */
#ifndef IMP_NUM_SAMPLE_H
#define IMP_NUM_SAMPLE_H

#include <stdint.h>

enum { IMP_SAMPLE_DIMENSIONS = 32 };
#define IMP_SAMPLE_MOST_POINTS (INT64_C(1) << 31)

/* n values in (0, 1): the first n points of the Sobol sequence, each coordinate shifted bit by bit
 * (exclusive or) by a number drawn from the seed, which keeps them even. dimension: 0 ..
 * IMP_SAMPLE_DIMENSIONS-1; n at most IMP_SAMPLE_MOST_POINTS. Direction numbers: Joe and Kuo 2008,
 * new-joe-kuo-6.21201; order of the Gray code. */
void imp_sample_sobol(int dimension, uint64_t seed, int64_t n, double *values);

/* n values in (0, 1), one in each of n equal parts, in an order drawn from the seed (Latin
 * hypercube; McKay, Beckman and Conover 1979). */
void imp_sample_latin(int dimension, uint64_t seed, int64_t n, double *values);

/* The values of parameter number `parameter` (from 0) of `parameters` in Saltelli's design for
 * Sobol indices (Saltelli and others 2010): n groups of parameters + 2 points. The first point a
 * and the last point b of a group are halves of a point of the Sobol sequence in 2 parameters
 * dimensions, at most IMP_SAMPLE_DIMENSIONS; point 1 + k is a with the value of parameter k from
 * b. */
void imp_sample_saltelli(int parameter, int parameters, uint64_t seed, int64_t n, double *values);

/* One coordinate of the Sobol points above, of which any stretch can be computed. */
typedef struct imp_sobol {
    uint32_t directions[32], shift;
} imp_sobol;

imp_sobol imp_sobol_coordinate(int dimension, uint64_t seed);

/* The values number first .. first+n-1, which are those of imp_sample_sobol. */
void imp_sobol_fill(const imp_sobol *coordinate, int64_t first, int64_t n, double *values);

/* The values number first .. first+n-1 of a sequence of independent random numbers in (0, 1). */
void imp_sample_random(int dimension, uint64_t seed, int64_t first, int64_t n, double *values);

/* The seed of a further, independent randomisation; number 0 is the seed itself. */
uint64_t imp_sample_seed(uint64_t seed, uint64_t number);

/* The least and the greatest value that the functions above return: 2^-33 and 1 - 2^-33; those of a
 * Latin hypercube of n points may be 2^20 / n times nearer to 0 and 1. */
#define IMP_SAMPLE_LEAST 0x1p-33

/* The quantile of the standard normal distribution for the probability p in (0, 1). Relative error
 * below 1e-14, or absolute error below 1e-15 where that is more. */
double imp_normal_quantile(double p);

/* The probability that a standard normal number is at most x. Relative error below 1e-13. */
double imp_normal_probability(double x);

#endif
