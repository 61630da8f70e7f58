/* Units as users write them: "mm", "N/mm", "kg/(m s)", "N/m^1.5", "deg/s". */
#ifndef IMP_BASE_UNIT_H
#define IMP_BASE_UNIT_H

#include <stdbool.h>

enum { IMP_KILOGRAM, IMP_METRE, IMP_SECOND, IMP_RADIAN, IMP_N_DIMENSIONS };

/* A unit is factor 10^tens kg^a m^b s^c rad^d. The decimal part is kept apart, so that 19.4 mm gets
 * the bits of 0.0194. */
typedef struct imp_measure {
    double factor, tens;
    double power[IMP_N_DIMENSIONS];
} imp_measure;

/* Reads a unit with prefixes, products, quotients, and powers that are multiples of 1/2; "" and "1"
 * are none. False if it is no unit. */
bool imp_measure_read(const char *text, imp_measure *measure);

/* Whether two units measure the same quantity. */
bool imp_measure_alike(const imp_measure *a, const imp_measure *b);

#endif
