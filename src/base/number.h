/* Numbers read strictly to their end, from text that users write. */
#ifndef IMP_BASE_NUMBER_H
#define IMP_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The unit that followed the number. IMP_UNIT_SI: a unit other than deg, from which the value has
 * been converted. */
typedef enum imp_unit { IMP_UNIT_NONE, IMP_UNIT_SI, IMP_UNIT_DEGREE } imp_unit;

/* A value in SI units, or in degrees if it was written so. A grid in degrees is laid out in
 * degrees, so that 30 deg on an axis has the same bits as a single 30 deg. */
typedef struct imp_quantity {
    double value;
    imp_unit unit;
} imp_quantity;

/* Reads a decimal number with an optional unit, such as "-1.5e-3", "30deg", "19.4 mm", "50/s".
 * si: the unit of the quantity, "1" for a number without one. Returns NULL, or what is wrong (a
 * static text: "is not a number", ...). nan, infinities, hexadecimal, trailing characters, units of
 * other quantities and overflow are refused. */
const char *imp_read_quantity(const char *text, const char *si, imp_quantity *quantity);

/* What is wrong with an infinity, with 1e999, with "abc" and with "3 kg" where the unit is m. */
extern const char imp_not_finite[], imp_too_large[], imp_no_quantity[], imp_other_quantity[];

/* In radians if it is an angle in degrees, otherwise as it is. */
double imp_quantity_si(imp_quantity quantity);

/* Reads a whole number in decimal digits, at most 2^63-1, optional exponent form refused.
 * Returns NULL or what is wrong. */
const char *imp_read_count(const char *text, int64_t *count);

/* The shortest decimals, of 15 to 17 digits, that read back to the same bits. */
typedef struct imp_decimals {
    char text[32];
} imp_decimals;
imp_decimals imp_shortest(double value);

#endif
