/* imp_open: a theory and its choices from their names. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "solve/solver.h"

/* A word that is not one of n names, and the name that was probably meant. */
typedef struct unknown {
    char word[64], hint[96]; /* hint: "" or " (did you mean 'name'?)" */
} unknown;

static unknown unknown_word(const char *word, size_t length, const char *const *names, int n) {
    unknown u = {.hint = ""};
    snprintf(u.word, sizeof u.word, "%.*s",
             length < sizeof u.word ? (int)length : (int)sizeof u.word, word);
    const char *nearest = imp_nearest(u.word, names, (size_t)n);
    if (nearest) {
        snprintf(u.hint, sizeof u.hint, " (did you mean '%s'?)", nearest);
    }
    return u;
}

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

/* word: the option, the last `length` characters of "name=option". */
static imp_err unknown_option(const imp_choice *choice, const char *word, size_t length) {
    enum { MOST = 64 };
    char what[256];
    const char *names[MOST];
    int n = choice->n_options < MOST ? choice->n_options : MOST;
    for (int o = 0; o < n; o++) {
        names[o] = choice->options[o]->name;
    }
    unknown u = unknown_word(word, length, names, n);
    snprintf(what, sizeof what, "'%s=%s': '%s' has no option of this name%s", choice->name, u.word,
             choice->name, u.hint);
    return fail_to_choose(choice, what);
}

/* word: "name=option", or another one, of `length` characters. */
static imp_err unknown_choice(const imp_theory *theory, const char *word, size_t length) {
    const char *names[IMP_MAX_CHOICES], *equals = memchr(word, '=', length);
    for (int c = 0; c < theory->n_choices; c++) {
        names[c] = theory->choices[c].name;
    }
    unknown u =
        unknown_word(word, equals ? (size_t)(equals - word) : length, names, theory->n_choices);
    return imp_fail(IMP_ERR_INPUT,
                    "'%s' is not a choice of the theory %s with an option, as in NAME=OPTION%s",
                    u.word, theory->name, u.hint);
}

static imp_err unknown_theory(const char *name) {
    enum { MOST = 64 };
    const char *names[MOST];
    int n = 0;
    for (int i = 0; n < MOST && imp_theory_at(i); i++) {
        names[n] = imp_theory_at(i)->name;
        n += !imp_theory_at(i)->hidden;
    }
    unknown u = unknown_word(name, strlen(name), names, n);
    return imp_fail(IMP_ERR_INPUT, "there is no theory '%s'%s", u.word, u.hint);
}

static imp_err missing_option(const imp_theory *theory, const imp_choice *choice) {
    char what[256];
    snprintf(what, sizeof what, "the choice '%s' of the theory %s is missing and has no default",
             choice->name, theory->name);
    return fail_to_choose(choice, what);
}

/* Reads one "name=option" of `length` characters into chosen. */
static imp_err choose(const imp_theory *theory, const char *word, size_t length, int *chosen) {
    const char *equals = memchr(word, '=', length);
    for (int c = 0; equals && c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        size_t name = (size_t)(equals - word);
        if (strlen(choice->name) != name || memcmp(choice->name, word, name) != 0) {
            continue;
        }
        for (int o = 0; o < choice->n_options; o++) {
            const char *option = choice->options[o]->name;
            if (strlen(option) == length - name - 1 &&
                memcmp(option, equals + 1, length - name - 1) == 0) {
                chosen[c] = o;
                return IMP_OK;
            }
        }
        return unknown_option(choice, equals + 1, length - name - 1);
    }
    return unknown_choice(theory, word, length);
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
