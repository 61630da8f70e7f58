/* One case: what it leaves to the map, and its words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/cases/cases.h"

bool imp_case_leaves(const imp_case *one, int parameter) {
    const imp_signature *s = &one->signature;
    const imp_parameter *other = s->parameter[parameter];
    const char *target = other->beside ? other->name : imp_parameter_target(other);
    for (int p = 0; p < s->n_parameters; p++) {
        if (one->fixed[p] && strcmp(imp_parameter_target(s->parameter[p]), target) == 0) {
            return false;
        }
    }
    return true;
}

typedef struct digits {
    char text[32];
} digits;

/* With as few digits as have the same value again. */
static digits number(double value) {
    digits d;
    for (int n = 15; n <= 17; n++) {
        snprintf(d.text, sizeof d.text, "%.*g", n, value);
        if (strtod(d.text, NULL) == value) {
            break;
        }
    }
    return d;
}

void imp_case_print(const imp_case *one, imp_text *text) {
    const imp_theory *theory = one->signature.theory;
    imp_text_print(text, "%s", theory->name);
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        imp_text_print(text, " %s=%s", choice->name,
                       choice->options[one->signature.chosen[c]]->name);
    }
    for (int p = 0; p < one->signature.n_parameters; p++) {
        if (one->fixed[p]) {
            imp_text_print(text, " %s=%s", one->signature.parameter[p]->name,
                           number(one->value[p]).text);
        }
    }
}
