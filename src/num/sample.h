/* Points that fill the unit cube evenly, the same on every machine, and the normal distribution. */
#ifndef IMP_NUM_SAMPLE_H
#define IMP_NUM_SAMPLE_H

#include <stdint.h>

enum { IMP_SAMPLE_DIMENSIONS = 32 };
#define IMP_SAMPLE_MOST_POINTS (INT64_C(1) << 31)

/* n values in (0, 1): the first n points of the Sobol sequence, each coordinate shifted bit by bit by a
 * number drawn from the seed, which keeps what makes them even. dimension: 0 .. IMP_SAMPLE_DIMENSIONS-1;
 * n at most IMP_SAMPLE_MOST_POINTS. Direction numbers: Joe and Kuo 2008, new-joe-kuo-6.21201; order of Gray's
 * code. */
void imp_sample_sobol(int dimension, uint64_t seed, int64_t n, double *values);

/* n values in (0, 1), one in each of n equal parts, in an order drawn from the seed (Latin hypercube;
 * McKay, Beckman and Conover 1979). */
void imp_sample_latin(int dimension, uint64_t seed, int64_t n, double *values);

/* Saltelli's design for Sobol indices (Saltelli and others 2010): of one parameter, number `parameter` of
 * `parameters`, the values of n groups of parameters+2 points. The first point of a group is a, the last one b,
 * two points of the Sobol sequence in twice as many dimensions; point 1+k is a with parameter k of b.
 * 2 parameters <= IMP_SAMPLE_DIMENSIONS. */
void imp_sample_saltelli(int parameter, int parameters, uint64_t seed, int64_t n, double *values);

/* The number of standard deviations below which a part p, in (0, 1), of a normal distribution lies.
 * Relative error below 1e-14, or 1e-15 absolute where that is more. */
double imp_normal_quantile(double p);

#endif
