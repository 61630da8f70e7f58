/* imp_open: a theory and its choices from their names. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/solver.h"

/* Fails with the fault `what` of a choice, followed by the options that are allowed. */
static imp_err fail_to_choose(const imp_choice *choice, const char *what) {
    imp_text list = {0};
    for (int o = 0; o < choice->n_options; o++) {
        imp_text_print(&list, "%s%s", o ? ", " : "", choice->options[o]->name);
    }
    imp_err error = imp_fail(IMP_ERR_INPUT, "%s, allowed: %s", what, imp_text_get(&list));
    imp_text_free(&list);
    return error;
}

static imp_err unknown_option(const imp_choice *choice, const char *option) {
    enum { MOST = 64 };
    char what[256];
    const char *names[MOST];
    int n = choice->n_options < MOST ? choice->n_options : MOST;
    for (int o = 0; o < n; o++) {
        names[o] = choice->options[o]->name;
    }
    snprintf(what, sizeof what, "'%s=%s': '%s' has no option of this name%s", choice->name, option,
             choice->name, imp_hint(option, names, (size_t)n).text);
    return fail_to_choose(choice, what);
}

static imp_err unknown_choice(const imp_theory *theory, const char *word) {
    const char *names[IMP_MAX_CHOICES];
    for (int c = 0; c < theory->n_choices; c++) {
        names[c] = theory->choices[c].name;
    }
    return imp_fail(IMP_ERR_INPUT,
                    "'%s' is not a choice of the theory %s with an option, as in NAME=OPTION%s",
                    word, theory->name, imp_hint(word, names, (size_t)theory->n_choices).text);
}

static imp_err unknown_theory(const char *name) {
    enum { MOST = 64 };
    const char *names[MOST];
    size_t n = 0;
    for (const imp_theory *one = NULL; n < MOST && (one = imp_theory_offered(one)) != NULL;) {
        names[n++] = one->name;
    }
    return imp_fail(IMP_ERR_INPUT, "there is no theory '%.63s'%s", name,
                    imp_hint(name, names, n).text);
}

static imp_err missing_option(const imp_theory *theory, const imp_choice *choice) {
    char what[256];
    snprintf(what, sizeof what, "the choice '%s' of the theory %s is missing and has no default",
             choice->name, theory->name);
    return fail_to_choose(choice, what);
}

/* Reads one "name=option" of `length` characters into chosen. */
static imp_err choose(const imp_theory *theory, const char *word, size_t length, int *chosen) {
    char name[64], option[64] = "";
    const char *equals = memchr(word, '=', length);
    size_t before = equals ? (size_t)(equals - word) : length;
    snprintf(name, sizeof name, "%.*s", (int)before, word);
    if (equals) {
        snprintf(option, sizeof option, "%.*s", (int)(length - before - 1), equals + 1);
    }
    int c = equals ? imp_theory_choice(theory, name) : -1;
    int o = c < 0 ? -1 : imp_choice_option(&theory->choices[c], option);
    if (o < 0) {
        return c < 0 ? unknown_choice(theory, name) : unknown_option(&theory->choices[c], option);
    }
    chosen[c] = o;
    return IMP_OK;
}

imp_err imp_open(const char *theory_name, const char *choices, imp_solver **solver) {
    *solver = NULL;
    const imp_theory *theory = imp_theory_find(theory_name);
    if (!theory) {
        return unknown_theory(theory_name);
    }
    int chosen[IMP_MAX_CHOICES];
    for (int c = 0; c < theory->n_choices; c++) {
        chosen[c] = theory->choices[c].fallback;
    }
    for (const char *at = choices; *(at += strspn(at, " ")) != 0;) {
        size_t length = strcspn(at, " ");
        imp_err error = choose(theory, at, length, chosen);
        if (error) {
            return error;
        }
        at += length;
    }
    for (int c = 0; c < theory->n_choices; c++) {
        if (chosen[c] < 0) {
            return missing_option(theory, &theory->choices[c]);
        }
    }
    imp_signature signature = imp_signature_of(theory, chosen);
    return imp_solver_open(&signature, solver);
}
