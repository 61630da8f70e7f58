/* Restitution of bodies that yield: elastic up to the yield speed, then less and less. */
#ifndef IMP_MODELS_YIELDING_H
#define IMP_MODELS_YIELDING_H

#include <stddef.h>

/* The share of the restitution that is left at a normal speed: 1 up to the yield speed, at high
 * speeds 1.184993 (yield_speed / speed)^(1/4). NaN for yield_speed: 1. Both above 0. */
double imp_yielding(double speed, double yield_speed);

/* Multiplies n restitutions by it. yield_speed: NULL, where the bodies do not yield. */
void imp_yield(double *restitution, const double *speed, const double *yield_speed, size_t n);

#endif
