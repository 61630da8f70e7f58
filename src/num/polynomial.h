/* What steps in lanes (lanes/polynomial.h) need for one cell: c[k] is the coefficient of x^k. */
#ifndef IMP_NUM_POLYNOMIAL_H
#define IMP_NUM_POLYNOMIAL_H

/* As imp_lanes_first_rise; by parts of the way where that stalls. */
double imp_polynomial_first_rise(const double *c, int n, double value, double end);

/* About x^(1/n), x > 0, within 7 percent and without a library function: the step, and with it
 * every bit of a result, is the same everywhere. */
double imp_coarse_root(double x, int n);

#endif
