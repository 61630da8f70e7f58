#include <string.h>

#include "solve/units.h"

static void print_cases(const imp_sweep *sweep, imp_text *title) {
    bool all = sweep->cases && sweep->chosen[0] < 0;
    for (int c = 0; all && c < imp_cases_count(sweep->cases); c++) {
        imp_text_print(title, "%s%s", c ? ", " : " ", imp_cases_at(sweep->cases, c)->name);
    }
}

void imp_sweep_title(const imp_sweep *sweep, imp_text *title) {
    imp_text_print(title, "%s", sweep->theory->name);
    print_cases(sweep, title);
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        if (sweep->chosen[c] >= 0) {
            imp_text_print(title, ", %s %s", choice->name, choice->options[sweep->chosen[c]]->name);
        }
    }
    if (sweep->search) {
        imp_text_print(title, ", ");
        imp_search_print_title(sweep->search, title);
    }
    if (sweep->uncertain) {
        imp_text_print(title, ", ");
        imp_uncertain_print_title(sweep->uncertain, title);
    }
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_fixed *fixed = &sweep->fixed[f];
        char text[IMP_UNIT_TEXT];
        const char *unit = imp_sweep_parameter_unit(sweep, fixed->parameter->name, text);
        bool bare = strcmp(unit, "1") == 0;
        if (fixed->formula[0]) {
            imp_text_print(title, ", %s = %s", fixed->parameter->name, fixed->formula);
        } else if (fixed->given) {
            imp_text_print(title, ", %s %.6g%s%s", fixed->parameter->name, fixed->value,
                           bare ? "" : " ", bare ? "" : unit);
        }
    }
}
