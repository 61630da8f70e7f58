#include "config/range.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "models/signature.h"

static void print_unit(imp_text *text, const imp_parameter *parameter) {
    if (strcmp(parameter->unit, "1") != 0) {
        imp_text_print(text, " %s", parameter->unit);
    }
}

void imp_print_value(imp_text *text, const imp_parameter *parameter, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.7g", value);
    /* Rounding would hide the error; of an angle the degrees tell it. */
    bool hidden = imp_parameter_admits(parameter, strtod(digits, NULL)) !=
                  imp_parameter_admits(parameter, value);
    if (hidden && !imp_parameter_is_angle(parameter)) {
        snprintf(digits, sizeof digits, "%.17g", value);
    }
    imp_text_print(text, "%s", digits);
    print_unit(text, parameter);
    if (imp_parameter_is_angle(parameter)) {
        imp_text_print(text, " (%.7g deg)", value * IMP_DEGREES_PER_RADIAN);
    }
    for (int i = 0; parameter->words && parameter->words[i]; i++) {
        if (value == i) {
            imp_text_print(text, " (%s)", parameter->words[i]);
        }
    }
}

static void print_interval(imp_text *text, const imp_parameter *parameter, double scale) {
    imp_text_print(text, "%c%.7g, %.7g%c", parameter->low_open ? '(' : '[', parameter->low * scale,
                   parameter->high * scale, parameter->high_open ? ')' : ']');
}

static void print_range(imp_text *text, const imp_parameter *parameter) {
    print_interval(text, parameter, 1);
    imp_text_print(text, parameter->whole ? " of whole numbers" : "");
    print_unit(text, parameter);
    if (imp_parameter_is_angle(parameter)) {
        imp_text_print(text, " = ");
        print_interval(text, parameter, IMP_DEGREES_PER_RADIAN);
        imp_text_print(text, " deg");
    }
}

static bool same_range(const imp_parameter *a, const imp_parameter *b) {
    return a->low == b->low && a->high == b->high && a->low_open == b->low_open &&
           a->high_open == b->high_open && a->whole == b->whole && strcmp(a->unit, b->unit) == 0;
}

void imp_print_ranges(imp_text *text, const imp_parameter *const *parameters, int n) {
    assert(n >= 1);
    for (int i = 0; i < n; i++) {
        bool printed = false;
        for (int j = 0; j < i; j++) {
            printed = printed || same_range(parameters[i], parameters[j]);
        }
        if (!printed) {
            imp_text_print(text, "%s", i > 0 ? " or " : "");
            print_range(text, parameters[i]);
        }
    }
}
