#include "support/promises.h"

#include <math.h>

#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"
#include "support/values.h"

/* A real output is finite where it is defined, and NaN elsewhere; a code is positive where it is
 * defined, and 0 elsewhere. Of a list only the first values are defined, perhaps none; an output
 * whose table states when it is undefined may be NaN. */
static void check_value(const batch *b, size_t i, int o, bool defined) {
    const imp_output *output = &b->theory->outputs[o];
    size_t length = batch_length(b, o);
    for (size_t k = 0; k < length; k++) {
        double value = b->out[o][i * length + k];
        bool real = output->kind == IMP_REAL;
        bool absent = real ? isnan(value) : value == 0;
        bool good = defined ? (real ? isfinite(value) : value > 0) : absent;
        if (output->dimension && defined && absent) {
            defined = false;
            good = true;
        }
        good |= output->undefined_when && real && defined && absent;
        CHECK(good, "%s %s is %g: %s", b->theory->name, output->name, value, batch_text(b, i));
    }
}

void promises_check_cell(const batch *b, size_t i) {
    bool solved = b->outcome[i] == IMP_SOLVED;
    int mode_output = imp_output_index(b->solver, "mode");
    int mode = mode_output < 0 ? 0 : (int)b->out[mode_output][i];
    CHECK_CELL(b, i, imp_outcome_name(b->outcome[i]) && b->outcome[i] != IMP_PENDING);
    CHECK(imp_mode_name(b->theory, mode), "mode %d: %s", mode, batch_text(b, i));
    CHECK(mode_output < 0 || (mode != 0) == solved, "mode %d: %s", mode, batch_text(b, i));
    for (int o = 0; o < b->theory->n_outputs; o++) {
        const imp_output *output = &b->theory->outputs[o];
        bool exists = imp_output_index(b->solver, output->name) >= 0;
        check_value(b, i, o, exists && solved && !(output->undefined_in >> mode & 1));
    }
}

void promises_check_corners(const imp_theory *theory, const char *choices) {
    enum { CORNERS = 2048, SLOW_CORNERS = 220 };
    batch b = batch_open(theory->name, choices, every_is_slow(theory) ? SLOW_CORNERS : CORNERS);
    random_source source = {31};
    values_corners(&b, &source);
    imp_set_budget(b.solver, values_budget(theory));
    batch_solve(&b);
    int solved = 0;
    for (size_t i = 0; i < b.n; i++) {
        promises_check_cell(&b, i);
        solved += b.outcome[i] == IMP_SOLVED;
    }
    CHECK(solved > 0, "%s %s: no corner is solved", theory->name, choices);
    batch_close(&b);
}
