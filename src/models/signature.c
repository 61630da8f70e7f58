#include "models/signature.h"

#include <math.h>
#include <string.h>

#include "models/theory.h"

static int find(const imp_parameter *const *list, int n, const char *name) {
    for (int i = 0; i < n; i++) {
        if (strcmp(list[i]->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const imp_parameter *imp_option_parameter(const imp_option *option, const char *name) {
    int at = find(option->parameters, option->n_parameters, name);
    return at < 0 ? NULL : option->parameters[at];
}

static int append(const imp_parameter **list, int n, const imp_parameter *const *more, int n_more) {
    for (int i = 0; i < n_more && n < IMP_MAX_PARAMETERS; i++) {
        list[n++] = more[i];
    }
    return n;
}

imp_signature imp_signature_of(const imp_theory *theory, const int *chosen) {
    imp_signature s = {.theory = theory};
    s.n_parameters = append(s.parameter, 0, theory->parameters, theory->n_parameters);
    for (int c = 0; c < theory->n_choices; c++) {
        s.chosen[c] = chosen[c];
        const imp_option *option = theory->choices[c].options[chosen[c]];
        s.n_parameters =
            append(s.parameter, s.n_parameters, option->parameters, option->n_parameters);
    }
    s.n_parameters = append(s.parameter, s.n_parameters, theory->variables, theory->n_variables);
    return s;
}

imp_instance imp_signature_instance(const imp_signature *signature) {
    imp_instance instance = {.theory = signature->theory, .budget = signature->theory->budget};
    memcpy(instance.chosen, signature->chosen, sizeof instance.chosen);
    return instance;
}

int imp_signature_find(const imp_signature *signature, const char *parameter) {
    return find(signature->parameter, signature->n_parameters, parameter);
}

const char *imp_parameter_target(const imp_parameter *parameter) {
    return parameter->stands_for ? parameter->stands_for : parameter->name;
}

static bool stands_beside(const imp_parameter *one, const imp_parameter *other) {
    return one->beside && strcmp(one->stands_for, other->name) == 0;
}

bool imp_parameters_exclude(const imp_parameter *one, const imp_parameter *other) {
    return strcmp(imp_parameter_target(one), imp_parameter_target(other)) == 0 &&
           !stands_beside(one, other) && !stands_beside(other, one);
}

bool imp_parameter_is_replaced(const imp_parameter *parameter) {
    return parameter->stands_for && !parameter->beside;
}

bool imp_signature_sources(const imp_signature *signature, const bool *given, int *source,
                           int rivals[2]) {
    bool alone = true;
    for (int p = 0; p < signature->n_parameters; p++) {
        source[p] = given[p] ? p : -1;
    }
    for (int p = 0; p < signature->n_parameters; p++) {
        const char *target = signature->parameter[p]->stands_for;
        int t = target && given[p] ? imp_signature_find(signature, target) : -1;
        if (t >= 0 && source[t] == t && signature->parameter[p]->beside) {
            continue;
        }
        if (t >= 0 && source[t] >= 0) {
            if (alone && rivals) {
                rivals[0] = p;
                rivals[1] = source[t];
            }
            alone = false;
        } else if (t >= 0) {
            source[t] = p;
        }
    }
    return alone;
}

bool imp_signature_has_output(const imp_signature *signature, int output) {
    const imp_theory *theory = signature->theory;
    imp_instance instance = imp_signature_instance(signature);
    return !theory->has_output || theory->has_output(&instance, output);
}

bool imp_theory_needs_petsc(const imp_theory *theory, const int *chosen) {
    bool needs = false;
    for (int c = 0; c < theory->n_choices; c++) {
        needs |= theory->choices[c].options[chosen[c]]->without_petsc != NULL;
    }
    return needs;
}

int imp_theory_choice(const imp_theory *theory, const char *name) {
    for (int i = 0; i < theory->n_choices; i++) {
        if (strcmp(theory->choices[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int imp_theory_output(const imp_theory *theory, const char *name) {
    for (int i = 0; i < theory->n_outputs; i++) {
        if (strcmp(theory->outputs[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int imp_choice_option(const imp_choice *choice, const char *name) {
    for (int i = 0; i < choice->n_options; i++) {
        if (strcmp(choice->options[i]->name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int imp_theory_every_parameter(const imp_theory *theory,
                               const imp_parameter *all[IMP_MAX_PARAMETERS]) {
    int n = append(all, 0, theory->parameters, theory->n_parameters);
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            for (int i = 0; i < option->n_parameters; i++) {
                if (find(all, n, option->parameters[i]->name) < 0) {
                    n = append(all, n, &option->parameters[i], 1);
                }
            }
        }
    }
    return append(all, n, theory->variables, theory->n_variables);
}

const imp_parameter *imp_theory_parameter(const imp_theory *theory, const char *name) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int at = find(all, imp_theory_every_parameter(theory, all), name);
    return at < 0 ? NULL : all[at];
}

const char *imp_theory_renamed(const imp_theory *theory, const char *old) {
    static const struct {
        const char *old, *name;
    } renamed[] = {
        {"modes", "mode_count"},
        {"poisson", "poisson_ratio"},
        {"stiffness", "normal_stiffness"},
        {"striker_poisson", "striker_poisson_ratio"},
    };
    for (int i = 0; i < IMP_COUNT(renamed); i++) {
        if (strcmp(renamed[i].old, old) == 0 && imp_theory_parameter(theory, renamed[i].name)) {
            return renamed[i].name;
        }
    }
    return NULL;
}

static int add_variant(const imp_parameter *const *list, int n, const char *name,
                       const imp_parameter **variants, int found) {
    int at = find(list, n, name);
    if (at >= 0 && found < IMP_MAX_VARIANTS) {
        variants[found++] = list[at];
    }
    return found;
}

int imp_theory_variants(const imp_theory *theory, const char *name,
                        const imp_parameter *variants[IMP_MAX_VARIANTS]) {
    int found = add_variant(theory->parameters, theory->n_parameters, name, variants, 0);
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            found = add_variant(option->parameters, option->n_parameters, name, variants, found);
        }
    }
    return add_variant(theory->variables, theory->n_variables, name, variants, found);
}

bool imp_parameter_admits(const imp_parameter *parameter, double value) {
    bool above = parameter->low_open ? value > parameter->low : value >= parameter->low;
    bool below = parameter->high_open ? value < parameter->high : value <= parameter->high;
    bool whole = !parameter->whole || value == floor(value);
    return isfinite(value) && above && below && whole;
}

bool imp_parameter_is_angle(const imp_parameter *parameter) {
    return strcmp(parameter->unit, "rad") == 0;
}

size_t imp_output_length(const imp_output *output) {
    return output->dimension ? (size_t)output->length : 1;
}

const imp_mode *imp_output_categories(const imp_theory *theory, const imp_output *output, int *n) {
    *n = output->categories ? output->n_categories : theory->n_modes;
    return output->categories ? output->categories : theory->modes;
}
