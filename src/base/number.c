#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"

static const char *skip_digits(const char *text) {
    while (isdigit((unsigned char)*text)) {
        text++;
    }
    return text;
}

/* End of the decimal number at the start of `text`, or NULL. strtod alone would also accept nan,
 * inf and hexadecimal. */
static const char *number_end(const char *text) {
    const char *at = text + (*text == '+' || *text == '-');
    const char *whole = skip_digits(at);
    const char *end = whole;
    size_t digits = (size_t)(whole - at);
    if (*end == '.') {
        end = skip_digits(whole + 1);
        digits += (size_t)(end - whole - 1);
    }
    if (digits == 0) {
        return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1 + (end[1] == '+' || end[1] == '-');
        const char *after = skip_digits(exponent);
        end = after > exponent ? after : end;
    }
    return end;
}

static const char *read_unit(const char *text, bool angle, imp_unit *unit) {
    *unit = IMP_UNIT_NONE;
    while (*text == ' ') {
        text++;
    }
    if (*text == 0) {
        return NULL;
    }
    bool degree = strcmp(text, "deg") == 0;
    if (!degree && strcmp(text, "rad") != 0) {
        return angle ? "is not a number with an optional unit deg or rad" : "is not a number";
    }
    if (!angle) {
        return "has the unit of an angle where none is allowed";
    }
    *unit = degree ? IMP_UNIT_DEGREE : IMP_UNIT_RADIAN;
    return NULL;
}

const char *imp_read_quantity(const char *text, bool angle, imp_quantity *quantity) {
    const char *end = number_end(text);
    if (!end) {
        return angle ? "is not a number with an optional unit deg or rad" : "is not a number";
    }
    if (*end == ',' && isdigit((unsigned char)end[1])) {
        return "is not a number: write a decimal point, not a comma";
    }
    errno = 0;
    char *parsed;
    double value = strtod(text, &parsed);
    if (parsed != end) {
        return "is not a number";
    }
    if (!isfinite(value)) {
        return "is too large for a double";
    }
    *quantity = (imp_quantity){value, IMP_UNIT_NONE};
    return read_unit(end, angle, &quantity->unit);
}

double imp_quantity_si(imp_quantity quantity) {
    return quantity.unit == IMP_UNIT_DEGREE ? quantity.value * IMP_RADIANS_PER_DEGREE
                                            : quantity.value;
}

const char *imp_read_count(const char *text, int64_t *count) {
    if (!isdigit((unsigned char)*text) || *skip_digits(text) != 0) {
        return "is not a whole number written in digits alone";
    }
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    if (errno != 0) {
        return "is too large (at most 2^63-1)";
    }
    *count = value;
    return NULL;
}
