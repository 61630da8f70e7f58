/* One case: what it leaves to the map, and its words. */
#include <math.h>
#include <string.h>

#include "base/number.h"
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

static bool is_among(const imp_case *one, int n, const char *name) {
    bool found = false;
    for (int k = 0; k < n && !found; k++) {
        found = imp_signature_find(&one[k].signature, name) >= 0;
    }
    return found;
}

static void print_followers(const imp_case *one, imp_text *text) {
    for (int f = 0; f < one->n_followers; f++) {
        imp_text_print(text, " %s==", one->followers[f].parameter->name);
        for (const char *at = one->formulas[f]; *at; at++) {
            imp_text_append(text, at, *at != ' '); /* a word of `cell` has no blanks */
        }
    }
}

void imp_case_print(const imp_case *one, int n, imp_text *text) {
    const imp_theory *theory = one->signature.theory;
    imp_text_print(text, "%s", theory->name);
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        if (!one->swept[c]) {
            imp_text_print(text, " %s=%s", choice->name,
                           choice->options[one->signature.chosen[c]]->name);
        }
    }
    for (int k = 0; k < n; k++) {
        for (int p = 0; p < one[k].signature.n_parameters; p++) {
            const char *name = one[k].signature.parameter[p]->name;
            if (one[k].fixed[p] && !isnan(one[k].value[p]) && !is_among(one, k, name)) {
                imp_text_print(text, " %s=%s", name, imp_shortest(one[k].value[p]).text);
            }
        }
    }
    print_followers(one, text);
}
