/* Exponential, logarithm and powers, the same bits on every processor and with every C library:
 * only correctly rounded operations in a fixed order, none of them fused. Errors in units in the
 * last place. */
#ifndef IMP_NUM_EXPONENTIAL_H
#define IMP_NUM_EXPONENTIAL_H

/* e^x, below .52; where the result is below 1e-295, .9; where it is not normal, .9 of the least
 * number. */
double imp_exp(double x);

/* Natural logarithm, below .51; -infinity of 0, NaN of negative numbers. */
double imp_log(double x);

/* log(1 + x), below 1.1. */
double imp_log1p(double x);

/* Inverse hyperbolic tangent of x in [0, 1], below 2.4. */
double imp_atanh(double x);

/* x^y for x >= 0 and finite y, below .52 where the result is above 1e-295; NaN for negative x, 1
 * for y = 0. */
double imp_power(double x, double y);

/* x^(2/3) for x >= 0, 0 or normal, below 1.3. */
double imp_two_thirds(double x);

/* x^(2/5), below 1.5. */
double imp_two_fifths(double x);

/* Hyperbolic cosine and sine, both below 1.8. */
typedef struct imp_hyperbola {
    double cosine, sine;
} imp_hyperbola;
imp_hyperbola imp_cosine_sine_hyperbolic(double x);

#endif
