#include "models/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *imp_unit_power(const char *unit) {
    const char *last = strrchr(unit, '^');
    return last && isalpha((unsigned char)last[1]) ? last + 1 : NULL;
}

const char *imp_unit_with(const char *unit, double power, char text[IMP_UNIT_TEXT]) {
    const char *name = imp_unit_power(unit);
    char digits[32] = "";
    if (!name || isnan(power)) {
        return unit;
    }
    for (int n = 1; n <= 17 && strtod(digits, NULL) != power; n++) {
        snprintf(digits, sizeof digits, "%.*g", n, power);
    }
    snprintf(text, IMP_UNIT_TEXT, "%.*s%s%s", (int)(name - 1 - unit), unit, power == 1 ? "" : "^",
             power == 1 ? "" : digits);
    return text;
}
