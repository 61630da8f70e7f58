#include "config/words.h"

#include <string.h>

#include "base/error.h"
#include "config/config.h"
#include "config/guest.h"
#include "config/variables.h"
#include "solve/solver.h"

static void read_pair(imp_draft *draft, imp_place place, const char *key, const char *value,
                      imp_word_taker *taker) {
    imp_named named = imp_draft_find(draft, key);
    if (taker && taker(draft, place, key, named, value)) {
        return;
    }
    if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, place, place, value);
    } else if (named.parameter >= 0) {
        imp_draft_fix(draft, named.parameter, place, place, value);
    } else {
        imp_draft_unknown(draft, place, key, true, true);
    }
}

void imp_word_read(imp_draft *draft, imp_place place, const char *word, imp_word_taker *taker) {
    const char *equals = strchr(word, '=');
    if (!equals || equals == word) {
        imp_draft_error(draft, place, "'%s' is not of the form key=value", imp_show(word).text);
        return;
    }
    imp_text key = {0};
    imp_text_append(&key, word, (size_t)(equals - word));
    if (key.failed) {
        imp_report_memory(draft->report);
    } else {
        read_pair(draft, place, imp_text_get(&key), equals + 1, taker);
    }
    imp_text_free(&key);
}

static imp_place argument(size_t w) {
    return (imp_place){.kind = IMP_FROM_ARGUMENT, .line = w + 1};
}

imp_err imp_config_guest(const char *name, const char *const *words, int n_words,
                         const imp_theory **theory, imp_owned **owned, imp_text *messages) {
    imp_report report = {.n = 0};
    *theory = imp_words_theory(&report, name, (size_t)n_words, words, argument, owned);
    for (int w = 0; w < n_words; w++) {
        if (!imp_is_guest_word(words[w])) {
            imp_report_error(&report, argument((size_t)w), "'%s' is no key of a guest: command=...",
                             imp_show(words[w]).text);
        }
    }
    return imp_report_finish(&report, messages);
}

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

/* Reads one cell from the words of a command line, or of a caller of the library, who may name
 * parameters whose values come later. Otherwise as imp_config_words. */
static imp_err read_words(const char *theory_name, size_t n, const char *const *words,
                          imp_place (*place)(size_t word), imp_sweep *sweep, imp_text *messages) {
    bool by_library = place(0).kind == IMP_FROM_CALLER;
    imp_place whole = {.kind = by_library ? IMP_FROM_CALLER : IMP_FROM_NOWHERE};
    imp_report report = {.n = 0};
    imp_owned *owned = NULL;
    const imp_theory *theory = imp_words_theory(&report, theory_name, n, words, place, &owned);
    if (!theory) {
        return imp_report_finish(&report, messages);
    }
    imp_declared declared = {.report = &report, .theory = theory};
    for (size_t w = 0; w < n; w++) {
        imp_variables_word(&declared, place(w), words[w]);
    }
    imp_draft draft;
    imp_draft_begin(&draft, declared.theory, whole, &report);
    imp_variables_own(&draft, &declared);
    draft.sweep.owned = owned;
    for (size_t w = 0; w < n; w++) {
        bool taken = imp_variables_is_word(words[w]) ||
                     (imp_is_guest(theory_name) && imp_is_guest_word(words[w]));
        if (!taken && by_library && !strchr(words[w], '=')) {
            read_name(&draft, place(w), words[w]);
        } else if (!taken) {
            imp_word_read(&draft, place(w), words[w], NULL);
        }
    }
    imp_draft_resolve(&draft);
    return imp_draft_finish(&draft, sweep, messages);
}

imp_err imp_config_words(const char *theory, const char *const *words, int n_words,
                         imp_sweep *sweep, imp_text *messages) {
    *sweep = (imp_sweep){.theory = NULL};
    return read_words(theory, n_words > 0 ? (size_t)n_words : 0, words, argument, sweep, messages);
}

/* ---- for users of the library: a solver, with the checks and messages of the program ---- */

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

imp_err imp_words_note(imp_err error, imp_text *messages) {
    if (error == IMP_ERR_INPUT) {
        int length = (int)messages->length - 1; /* without the last end of line */
        imp_note_error("%.*s", length, imp_text_get(messages));
    }
    imp_text_free(messages);
    return error;
}

static imp_place at_caller(size_t word) {
    (void)word;
    return (imp_place){.kind = IMP_FROM_CALLER};
}

imp_err imp_guest_theory(const char *command, const imp_theory **theory) {
    imp_report report = {.n = 0};
    imp_text messages = {0};
    imp_called called = {.report = &report, .folder = ".", .place = at_caller(0)};
    imp_called_read(&called, IMP_GUEST_COMMAND, called.place, command);
    *theory = imp_called_start(&called, NULL);
    return imp_words_note(imp_report_finish(&report, &messages), &messages);
}

imp_err imp_open_words(const char *theory, size_t n, const char *const *words, imp_solver **solver,
                       double *value) {
    *solver = NULL;
    imp_sweep sweep = {.theory = NULL};
    imp_text messages = {0};
    imp_err error = read_words(theory, n, words, at_caller, &sweep, &messages);
    error = imp_words_note(error, &messages) ? error : open_sweep(&sweep, solver, value);
    imp_sweep_free(&sweep);
    return error;
}
