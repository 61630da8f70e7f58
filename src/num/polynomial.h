/* Polynomials of a Taylor step: c[k] is the coefficient of x^k. */
#ifndef IMP_NUM_POLYNOMIAL_H
#define IMP_NUM_POLYNOMIAL_H

/* The polynomial of degree n at x. */
static inline double imp_polynomial_at(const double *c, int n, double x) {
    double value = c[n];
    for (int k = n - 1; k >= 0; k--) {
        value = value * x + c[k];
    }
    return value;
}

/* The first x in [0, end] at which the polynomial of degree n rises to the value, infinite if there
 * is none. A bound of the second derivative makes every step safe, so no such x is passed. */
double imp_polynomial_first_rise(const double *c, int n, double value, double end);

/* About x^(1/n), x > 0, within 7 percent and without a library function: the step, and with it
 * every bit of a result, is the same everywhere. */
double imp_coarse_root(double x, int n);

#endif
