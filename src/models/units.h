/* Units of parameters whose power is the value of another parameter, as N/m^exponent. */
#ifndef IMP_MODELS_UNITS_H
#define IMP_MODELS_UNITS_H

enum { IMP_UNIT_TEXT = 128 };

/* The name of the parameter whose value is the last power of the unit; NULL: all are numbers. */
const char *imp_unit_power(const char *unit);

/* The unit with the value of that power: "N/m^1.5", and "N/m" for 1. Returns `text`, or the unit
 * itself where every power is a number, or where the value is NaN, which is none. */
const char *imp_unit_with(const char *unit, double power, char text[IMP_UNIT_TEXT]);

#endif
