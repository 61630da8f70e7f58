/* Differences of products that cancel. */
#ifndef IMP_NUM_PRODUCT_H
#define IMP_NUM_PRODUCT_H

#include <math.h>

/* a b - c d with an error below 1.5 units in its last place, however much of it cancels (Kahan;
 * Jeannerod, Louvet and Muller 2013). fma() is exact, so the bits are the same everywhere; without
 * processor support it is a slow call. */
static inline double imp_difference_of_products(double a, double b, double c, double d) {
    double product = c * d, error = fma(-c, d, product);
    return fma(a, b, -product) + error;
}

#endif
