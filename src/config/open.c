/* Opens a solver from words for users of the library, with the checks and messages of the
 * program. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "config/guest.h"
#include "config/variables.h"
#include "config/words.h"
#include "solve/solver.h"

/* Reads a name alone: its values come later, like those of an axis. */
static void read_name(imp_draft *draft, imp_place place, const char *name) {
    imp_named named = imp_draft_find(draft, name);
    if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, place, place, "");
    } else if (named.parameter >= 0) {
        draft->parameters[named.parameter] = (imp_slot){.use = IMP_SWEPT, .key = place};
    } else {
        imp_draft_unknown(draft, place, name, true, true);
    }
}

static imp_err open_sweep(imp_sweep *sweep, imp_solver **solver, double *value) {
    imp_signature signature = imp_signature_of(sweep->theory, sweep->chosen);
    imp_sweep_cell_values(sweep, &signature, value);
    imp_err error = imp_solver_open(&signature, solver);
    if (!error && sweep->n_followers > 0) {
        error = imp_solver_follow(*solver, sweep->followers, sweep->n_followers);
    }
    if (error) {
        imp_close(solver);
    } else {
        imp_solver_own(*solver, sweep->variables, sweep->owned);
        sweep->variables = NULL;
        sweep->owned = NULL;
    }
    return error;
}

static void note(imp_err error, const imp_text *messages) {
    if (error == IMP_ERR_INPUT) {
        int length = (int)messages->length - 1; /* without the last end of line */
        imp_note_error("%.*s", length, imp_text_get(messages));
    }
}

static imp_place at_caller(size_t word) {
    (void)word;
    return (imp_place){.kind = IMP_FROM_CALLER};
}

static imp_err read_words(const char *theory_name, size_t n, const char *const *words,
                          imp_sweep *sweep, imp_text *messages) {
    imp_place place = at_caller(0);
    imp_report report = {.n = 0};
    imp_owned *owned = NULL;
    const imp_theory *theory = imp_words_theory(&report, theory_name, n, words, at_caller, &owned);
    if (!theory) {
        return imp_report_finish(&report, messages);
    }
    imp_declared declared = {.report = &report, .theory = theory};
    for (size_t w = 0; w < n; w++) {
        imp_variables_word(&declared, place, words[w]);
    }
    imp_draft draft;
    imp_draft_begin(&draft, declared.theory, place, &report);
    imp_variables_own(&draft, &declared);
    draft.sweep.owned = owned;
    for (size_t w = 0; w < n; w++) {
        if (imp_variables_is_word(words[w]) ||
            (imp_is_guest(theory_name) && imp_is_guest_word(words[w]))) {
            continue;
        }
        if (strchr(words[w], '=')) {
            imp_word_read(&draft, place, words[w], NULL);
        } else {
            read_name(&draft, place, words[w]);
        }
    }
    imp_draft_resolve(&draft);
    return imp_draft_finish(&draft, sweep, messages);
}

imp_err imp_guest_theory(const char *command, const imp_theory **theory) {
    imp_report report = {.n = 0};
    imp_text messages = {0};
    imp_called called = {.report = &report, .folder = ".", .place = at_caller(0)};
    imp_called_read(&called, IMP_GUEST_COMMAND, called.place, command);
    *theory = imp_called_keep(&called);
    imp_err error = imp_report_finish(&report, &messages);
    note(error, &messages);
    imp_text_free(&messages);
    return error;
}

imp_err imp_open_words(const char *theory, size_t n, const char *const *words, imp_solver **solver,
                       double *value) {
    *solver = NULL;
    imp_sweep sweep = {.theory = NULL};
    imp_text messages = {0};
    imp_err error = read_words(theory, n, words, &sweep, &messages);
    note(error, &messages);
    imp_text_free(&messages);
    error = error ? error : open_sweep(&sweep, solver, value);
    imp_sweep_free(&sweep);
    return error;
}
