#include "solve/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/history.h"

/* The theory below the search and the uncertain parameters: it has every parameter. */
static const imp_theory *innermost(const imp_sweep *sweep) {
    const imp_theory *theory = sweep->theory;
    theory = sweep->search ? imp_search_plan_of(sweep->search)->theory : theory;
    return sweep->uncertain ? imp_uncertain_plan_of(sweep->uncertain)->theory : theory;
}

/* The case of these options; NULL: the sweep has no cases. */
static const imp_case *case_of(const imp_sweep *sweep, const int *chosen) {
    return sweep->cases ? imp_cases_at(sweep->cases, chosen[0]) : NULL;
}

/* The theory of a case with its own choices and those that axes carry. */
static imp_signature signature_of_case(const imp_sweep *sweep, const imp_case *one,
                                       const int *chosen) {
    const imp_theory *inner = one->signature.theory, *outer = sweep->theory;
    int made[IMP_MAX_CHOICES];
    memcpy(made, one->signature.chosen, sizeof made);
    for (int c = 0; c < inner->n_choices; c++) {
        int at = one->swept[c] ? imp_theory_choice(outer, inner->choices[c].name) : -1;
        const imp_choice *choice = at >= 0 ? &outer->choices[at] : NULL;
        made[c] = choice ? imp_choice_option(&inner->choices[c], choice->options[chosen[at]]->name)
                         : made[c];
    }
    return imp_signature_of(inner, made);
}

/* The value that a parameter has in all cells with these options; NaN: none. */
static double value_of(const imp_sweep *sweep, const imp_case *one, const imp_signature *inner,
                       const char *parameter) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(sweep->uncertain);
    int at = imp_signature_find(inner, parameter), fixed = imp_sweep_find_fixed(sweep, parameter);
    for (int k = 0; plan && k < plan->n_parameters; k++) {
        if (strcmp(imp_parameter_target(plan->parameter[k].parameter), parameter) == 0) {
            return NAN;
        }
    }
    if (one && at >= 0 && one->fixed[at]) {
        return one->value[at];
    }
    return fixed >= 0 ? sweep->fixed[fixed].value : NAN;
}

const char *imp_sweep_unit_at(const imp_sweep *sweep, const int *chosen, const char *parameter,
                              char text[IMP_UNIT_TEXT]) {
    const imp_case *one = case_of(sweep, chosen);
    imp_signature outer = imp_signature_of(sweep->theory, chosen);
    imp_signature inner =
        one ? signature_of_case(sweep, one, chosen) : imp_signature_of(innermost(sweep), chosen);
    int at = imp_signature_find(&inner, parameter), out = imp_signature_find(&outer, parameter);
    const imp_parameter *found = at >= 0    ? inner.parameter[at]
                                 : out >= 0 ? outer.parameter[out]
                                            : NULL;
    const char *power = found ? imp_unit_power(found->unit) : NULL;
    if (power) {
        return imp_unit_with(found->unit, value_of(sweep, one, &inner, power), text);
    }
    return found ? found->unit : NULL;
}

/* Appends a unit, unless the text has it. Units have no blank before and behind the word "or". */
static void join(char text[IMP_UNIT_TEXT], const char *unit) {
    size_t length = strlen(unit);
    for (const char *at = text; at; at = strstr(at, " or ")) {
        at += strncmp(at, " or ", 4) == 0 ? 4 : 0;
        if (strncmp(at, unit, length) == 0 &&
            (!at[length] || strncmp(at + length, " or ", 4) == 0)) {
            return;
        }
    }
    size_t before = strlen(text);
    if (before + length + 4 < IMP_UNIT_TEXT) {
        snprintf(text + before, IMP_UNIT_TEXT - before, "%s%s", before ? " or " : "", unit);
    }
}

static void join_units(const imp_sweep *sweep, const char *parameter, char text[IMP_UNIT_TEXT]) {
    char one[IMP_UNIT_TEXT];
    int code = 0, chosen[IMP_MAX_CHOICES] = {0};
    while (imp_sweep_next_options(sweep, &code, chosen)) {
        const char *unit = imp_sweep_unit_at(sweep, chosen, parameter, one);
        if (unit) {
            join(text, unit);
        }
    }
}

const char *imp_sweep_parameter_unit(const imp_sweep *sweep, const char *parameter,
                                     char text[IMP_UNIT_TEXT]) {
    text[0] = 0;
    for (int c = 0; c < sweep->n_traced; c++) {
        join_units(&sweep->traced[c].sweep, parameter, text);
    }
    if (!sweep->traced) {
        join_units(sweep, parameter, text);
    }
    return text[0] ? text : "1";
}

imp_parameter imp_sweep_shown_parameter(const imp_sweep *sweep, const imp_parameter *parameter,
                                        char text[IMP_UNIT_TEXT]) {
    imp_parameter shown = *parameter;
    shown.unit = imp_sweep_parameter_unit(sweep, parameter->name, text);
    return shown;
}

void imp_sweep_set_search_units(imp_sweep *sweep) {
    const imp_search_plan *plan = sweep->search ? imp_search_plan_of(sweep->search) : NULL;
    for (int k = 0; plan && k < plan->n_over; k++) {
        char text[IMP_UNIT_TEXT];
        const char *unit = imp_sweep_parameter_unit(sweep, plan->over[k].parameter->name, text);
        imp_search_set_unit(sweep->search, k, unit);
    }
}
