/* The text of a value of a variable of a map. */
#ifndef IMP_CMD_VALUE_H
#define IMP_CMD_VALUE_H

#include "store/catalog.h"

/* The name of a code of a category, or the phases of a sequence; false where the value is a
 * number. */
bool imp_code_text(const imp_variable *variable, double value, size_t size, char *text);

/* The same, or the number with its unit, angles in degrees: "30 deg"; 0 without a sign. */
typedef struct imp_value_words {
    char text[256];
} imp_value_words;

imp_value_words imp_shown_value(const imp_variable *variable, double value, int digits);

/* Whether value k, from 0, of those that a variable has in each cell is an angle: by the unit of
 * the variable, or by that of the uncertain parameter of which it is the value. A parameter of a
 * guest is known only if it has values of its own in the map. */
bool imp_is_angle(const imp_catalog *catalog, const imp_variable *variable, int64_t k);

#endif
