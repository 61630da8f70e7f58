#include "base/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/constants.h"
#include "base/unit.h"

enum { LONGEST_INVERSE = 64 };

const char imp_not_finite[] = "is not finite";
const char imp_too_large[] = "is too large for a double";
const char imp_no_quantity[] = "is not a number with an optional unit";
const char imp_other_quantity[] = "has the unit of another quantity";

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

/* Why the text after a number is not a unit of the quantity, or that no number is there. */
static const char *wrong_unit(const imp_measure *own, bool known, bool angle) {
    static const imp_measure none = {.factor = 1};
    static const imp_measure radian = {.factor = 1, .power = {[IMP_RADIAN] = 1}};
    if (imp_measure_alike(own, &radian)) {
        return "is not a number with an optional unit deg or rad";
    }
    if (!imp_measure_alike(own, &none)) {
        return known ? imp_other_quantity : imp_no_quantity;
    }
    return !known  ? "is not a number"
           : angle ? "has the unit of an angle where none is allowed"
                   : "has a unit where none is allowed";
}

/* Moves the decimal point in the text, so that 19.4 mm is the number nearest to 0.0194. */
static double shifted(const char *text, const char *end, double tens) {
    char moved[512];
    const char *exponent = strpbrk(text, "eE");
    const char *stop = exponent && exponent < end ? exponent : end;
    long power = stop < end ? strtol(stop + 1, NULL, 10) : 0;
    double whole = floor(tens), rest = tens == whole ? 1 : sqrt(10);
    if (labs(power) > 9999 || stop - text > 400) {
        double value = strtod(text, NULL) * rest;
        for (; whole > 0; whole--) {
            value *= 10;
        }
        for (; whole < 0; whole++) {
            value /= 10;
        }
        return value;
    }
    snprintf(moved, sizeof moved, "%.*se%ld", (int)(stop - text), text, power + (long)whole);
    return strtod(moved, NULL) * rest;
}

/* The unit after a number, which may begin with a stroke: 50/s. */
static bool read_unit(const char *text, imp_measure *measure) {
    char whole[LONGEST_INVERSE];
    bool inverse = *text == '/' && strlen(text) < sizeof whole - 1;
    snprintf(whole, sizeof whole, "1%s", inverse ? text : "");
    return imp_measure_read(inverse ? whole : text, measure);
}

/* Turns a number with a unit, which begins at `unit`, into the unit of the quantity. */
static const char *convert(const char *text, const char *end, const char *unit, const char *si,
                           imp_quantity *quantity) {
    imp_measure own, written;
    imp_measure_read(si, &own);
    bool known = read_unit(unit, &written);
    if (!known || !imp_measure_alike(&own, &written)) {
        return wrong_unit(&own, known, known && written.power[IMP_RADIAN] == 1);
    }
    if (strcmp(unit, "deg") == 0) {
        quantity->unit = IMP_UNIT_DEGREE;
        return NULL;
    }
    *quantity =
        (imp_quantity){shifted(text, end, written.tens - own.tens) * written.factor, IMP_UNIT_SI};
    return isfinite(quantity->value) ? NULL : imp_too_large;
}

/* Whether a text is an infinity as C, Python or YAML writes it. */
static bool is_infinite(const char *text) {
    text += *text == '-' || *text == '+';
    text += *text == '.';
    return strcasecmp(text, "inf") == 0 || strcasecmp(text, "infinity") == 0;
}

const char *imp_read_quantity(const char *text, const char *si, imp_quantity *quantity) {
    const char *end = number_end(text);
    imp_measure own;
    imp_measure_read(si, &own);
    if (!end) {
        return is_infinite(text) ? imp_not_finite : wrong_unit(&own, false, false);
    }
    if (*end == ',' && isdigit((unsigned char)end[1])) {
        return "is not a number: write a decimal point, not a comma";
    }
    char *parsed;
    *quantity = (imp_quantity){strtod(text, &parsed), IMP_UNIT_NONE};
    if (parsed != end) {
        return "is not a number";
    }
    if (!isfinite(quantity->value)) {
        return imp_too_large;
    }
    const char *unit = end + strspn(end, " ");
    return *unit ? convert(text, end, unit, si, quantity) : NULL;
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

imp_decimals imp_shortest(double value) {
    imp_decimals found;
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(found.text, sizeof found.text, "%.*g", digits, value);
        if (strtod(found.text, NULL) == value) {
            break;
        }
    }
    return found;
}
