/* The description of cases as a theory: its choice, and the parameters of each option. */
#include "solve/cases/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/alike.h"
#include "solve/cases/cases_impl.h"

const imp_theory *imp_cases_theory(const imp_cases *cases) {
    return &cases->theory;
}

int imp_cases_count(const imp_cases *cases) {
    return cases->n / cases->of_one;
}

const imp_case *imp_cases_at(const imp_cases *cases, int index) {
    return &cases->cases[index * cases->of_one];
}

const imp_case *imp_cases_chosen(const imp_cases *cases, const int *chosen) {
    return &cases->cases[imp_cases_number(cases, chosen)];
}

bool imp_cases_know_choice(const imp_cases *cases, const char *choice) {
    for (int c = 0; c < cases->n; c++) {
        if (imp_theory_choice(cases->cases[c].signature.theory, choice) >= 0) {
            return true;
        }
    }
    return false;
}

void imp_cases_print(const imp_cases *cases, int index, imp_text *text) {
    imp_case_print(imp_cases_at(cases, index), cases->of_one, text);
}

/* Widens the range of a parameter of a case by that of the same name under another option. */
static void widen(const imp_parameter **at, imp_parameter *wide, const imp_parameter *other) {
    const imp_parameter one = **at;
    bool same = one.low == other->low && one.high == other->high && one.whole == other->whole &&
                one.low_open == other->low_open && one.high_open == other->high_open &&
                imp_is_same(one.fallback, other->fallback);
    if (same) {
        return;
    }
    *wide = one;
    wide->low = one.low < other->low ? one.low : other->low;
    wide->high = one.high > other->high ? one.high : other->high;
    wide->low_open =
        (one.low_open || one.low > wide->low) && (other->low_open || other->low > wide->low);
    wide->high_open =
        (one.high_open || one.high < wide->high) && (other->high_open || other->high < wide->high);
    wide->whole = one.whole && other->whole;
    wide->fallback = one.fallback == other->fallback ? one.fallback : (double)NAN;
    wide->limits = NULL;
    *at = wide;
}

/* Adds what a signature of the case leaves to the map to the n parameters of its option. */
static int add_parameters(imp_cases *s, int c, const imp_case *one, int n) {
    const imp_parameter **list = s->parameters[c];
    for (int p = 0; p < one->signature.n_parameters; p++) {
        const imp_parameter *parameter = one->signature.parameter[p];
        int at = 0;
        while (at < n && strcmp(list[at]->name, parameter->name) != 0) {
            at++;
        }
        if (at < n) {
            widen(&list[at], &s->wide[c][at], parameter);
        } else if (imp_case_leaves(one, p) && n < IMP_MAX_PARAMETERS) {
            list[n++] = parameter;
        }
    }
    return n;
}

static void add_case(imp_cases *s, int c) {
    const imp_case *one = imp_cases_at(s, c);
    int n = 0;
    for (int k = 0; k < s->of_one; k++) {
        n = add_parameters(s, c, one + k, n);
    }
    imp_cases_print(s, c, &s->words[c]);
    s->option[0][c] = (imp_option){.name = one->name,
                                   .meaning = imp_text_get(&s->words[c]),
                                   .parameters = s->parameters[c],
                                   .n_parameters = n};
    s->options[0][c] = &s->option[0][c];
}

/* Adds a choice that an axis carries. Its parameters are those of the cases. */
static void add_choice(imp_cases *s, const imp_swept_choice *swept) {
    int k = s->theory.n_choices++;
    s->choices[k] = (imp_choice){.name = swept->choice->name,
                                 .meaning = swept->choice->meaning,
                                 .options = s->options[k],
                                 .n_options = swept->n_options,
                                 .fallback = -1};
    for (int o = 0; o < swept->n_options; o++) {
        const imp_option *from = swept->choice->options[swept->option[o]];
        s->option[k][o] = (imp_option){.name = from->name, .meaning = from->meaning};
        s->options[k][o] = &s->option[k][o];
    }
    s->of_one *= swept->n_options;
}

/* Adds the parameters on which the units of the outputs of a theory depend. */
static void add_units(imp_cases *s, const imp_theory *theory) {
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        int k = 0;
        while (k < s->theory.n_unit_parameters &&
               strcmp(s->units[k], theory->unit_parameters[u]) != 0) {
            k++;
        }
        if (k == s->theory.n_unit_parameters && k < IMP_MAX_PARAMETERS) {
            s->units[s->theory.n_unit_parameters++] = theory->unit_parameters[u];
        }
    }
}

static bool has_output(const imp_instance *instance, int output) {
    const imp_cases *s = imp_cases_of(instance);
    int c = imp_cases_number(s, instance->chosen), inner = s->inner[c][output];
    return output == s->tangential_end
               ? imp_case_has_tangential_end(&s->cases[c])
               : inner >= 0 && imp_signature_has_output(&s->cases[c].signature, inner);
}

/* Everything but the lists of options, outputs and modes. */
static void describe(imp_cases *s) {
    const imp_theory *first = s->cases[0].signature.theory;
    s->choices[0] = (imp_choice){.name = "case",
                                 .meaning = "a theory with its choices and values of parameters",
                                 .options = s->options[0],
                                 .fallback = -1};
    s->theory = (imp_theory){.name = "cases",
                             .title = "several theories on one grid",
                             .source = "those of the theories of the cases",
                             .residual = "that of the theory of each case",
                             .symbols = first->symbols,
                             .results_version = IMP_CASES_VERSION,
                             .hidden = true,
                             .choices = s->choices,
                             .n_choices = 1,
                             .outputs = s->outputs,
                             .modes = s->modes,
                             .unit_parameters = s->units,
                             .has_output = has_output,
                             .open = imp_cases_cell_open,
                             .close = imp_cases_cell_close,
                             .solve = imp_cases_cell_solve,
                             .refuse = imp_cases_cell_refuse};
}

/* Copies the followers of a case; false if memory is out. */
static bool copy_followers(imp_case *to, const imp_case *from) {
    size_t n = (size_t)from->n_followers;
    to->followers = malloc((n + 1) * sizeof *to->followers);
    to->formulas = malloc((n + 1) * sizeof *to->formulas);
    if (to->followers && to->formulas && n > 0) {
        memcpy(to->followers, from->followers, n * sizeof *to->followers);
        memcpy(to->formulas, from->formulas, n * sizeof *to->formulas);
    }
    return to->followers && to->formulas;
}

imp_cases *imp_cases_make(const imp_case *cases, int n, const imp_swept_choice *swept,
                          int n_swept) {
    imp_cases *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    bool failed = false;
    s->n = n;
    s->of_one = 1;
    memcpy(s->cases, cases, (size_t)n * sizeof *cases);
    describe(s);
    for (int c = 0; c < n; c++) {
        failed |= !copy_followers(&s->cases[c], &cases[c]);
        add_units(s, cases[c].signature.theory);
    }
    for (int k = 0; k < n_swept; k++) {
        add_choice(s, &swept[k]);
    }
    s->choices[0].n_options = imp_cases_count(s);
    for (int c = 0; !failed && c < imp_cases_count(s); c++) {
        add_case(s, c);
        failed = s->words[c].failed;
    }
    imp_cases_unite(s);
    if (failed) {
        imp_cases_free(&s);
    }
    return s;
}

void imp_cases_free(imp_cases **cases) {
    imp_cases *s = *cases;
    for (int c = 0; s && c < s->n; c++) {
        imp_text_free(&s->words[c]);
        free(s->cases[c].followers);
        free(s->cases[c].formulas);
    }
    free(s);
    *cases = NULL;
}
