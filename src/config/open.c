/* Opens a solver from words for users of the library, with the checks and messages of the
 * program. */
#include "base/error.h"
#include "config/guest.h"
#include "config/words.h"
#include "solve/solver.h"

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

imp_err imp_guest_theory(const char *command, const imp_theory **theory) {
    imp_report report = {.n = 0};
    imp_text messages = {0};
    imp_called called = {.report = &report, .folder = ".", .place = at_caller(0)};
    imp_called_read(&called, IMP_GUEST_COMMAND, called.place, command);
    *theory = imp_called_start(&called, NULL);
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
    imp_err error = imp_words_read(theory, n, words, at_caller, &sweep, &messages);
    note(error, &messages);
    imp_text_free(&messages);
    error = error ? error : open_sweep(&sweep, solver, value);
    imp_sweep_free(&sweep);
    return error;
}
