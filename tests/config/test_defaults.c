/* Parameters that are left out of a sweep over two options: its cells are those that are solved
 * alone, or the sweep is refused with the names of the parameters whose defaults differ. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/block.h"
#include "solve/evaluator.h"
#include "solve/solver.h"
#include "support/reading.h"
#include "support/suite.h"

enum { MOST = 2 * IMP_MAX_PARAMETERS, LONGEST = 256 };

/* Two options of a choice; the other choices are made alike. */
typedef struct pair {
    const imp_theory *theory;
    int choice;
    imp_signature one[2];
    const imp_parameter *parameter[MOST]; /* of either, each name once */
    bool given[MOST], unlike[MOST];       /* unlike: a default of both that is not the same */
    int n;
} pair;

static const char *option(const pair *of, int i) {
    return of->theory->choices[of->choice].options[of->one[i].chosen[of->choice]]->name;
}

static const imp_parameter *in(const pair *of, int i, const char *name) {
    int p = imp_signature_find(&of->one[i], name);
    return p < 0 ? NULL : of->one[i].parameter[p];
}

/* Gives what neither option has a default of. */
static pair make_pair(const imp_theory *theory, int choice, const int chosen[2][IMP_MAX_CHOICES]) {
    pair made = {.theory = theory, .choice = choice};
    for (int i = 0; i < 2; i++) {
        made.one[i] = imp_signature_of(theory, chosen[i]);
    }
    for (int i = 0; i < 2; i++) {
        for (int p = 0; p < made.one[i].n_parameters; p++) {
            const imp_parameter *own = made.one[i].parameter[p];
            const imp_parameter *other = in(&made, 1 - i, own->name);
            if ((i == 1 && other) || own->stands_for) {
                continue;
            }
            made.parameter[made.n] = own;
            made.given[made.n] = isnan(own->fallback) && (!other || isnan(other->fallback));
            made.unlike[made.n] =
                other && !made.given[made.n] && !(own->fallback == other->fallback);
            made.n++;
        }
    }
    return made;
}

typedef enum shape { AXIS, CASES, CASES_WITH_AXIS } shape;

static reading read_pair(const pair *of, shape written) {
    const char *name = of->theory->choices[of->choice].name;
    imp_text text = {0};
    if (written == CASES) {
        imp_text_print(
            &text, "axes: [{cases: {a: {model: '%s', %s: '%s'}, b: {model: '%s', %s: '%s'}}}]",
            of->theory->name, name, option(of, 0), of->theory->name, name, option(of, 1));
    } else {
        imp_text_print(&text,
                       written == AXIS ? "model: '%s'\naxes: ["
                                       : "axes: [{cases: {a: {model: '%s'}}}, ",
                       of->theory->name);
        imp_text_print(&text, "{param: %s, values: ['%s', '%s']}]", name, option(of, 0),
                       option(of, 1));
    }
    const char *between = "\nchoose: {";
    for (int c = 0; c < of->theory->n_choices; c++) {
        if (c != of->choice) {
            imp_text_print(&text, "%s%s: '%s'", between, of->theory->choices[c].name,
                           of->theory->choices[c].options[of->one[0].chosen[c]]->name);
            between = ", ";
        }
    }
    imp_text_print(&text, of->theory->n_choices > 1 ? "}\nfixed: {" : "\nfixed: {");
    between = "";
    for (int p = 0; p < of->n; p++) {
        if (of->given[p]) {
            imp_text_print(&text, "%s%s: %.17g", between, of->parameter[p]->name,
                           of->parameter[p]->example);
            between = ", ";
        }
    }
    imp_text_print(&text, "}\n");
    reading r = read_text(imp_text_get(&text));
    imp_text_free(&text);
    return r;
}

static int count(const char *text, const char *word) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++) {
        n++;
    }
    return n;
}

/* The line of a parameter has the default of both options. */
static void expect_told(const pair *of, shape written, int p, const char *messages) {
    char start[LONGEST], both[2][LONGEST];
    const char *name = of->parameter[p]->name;
    snprintf(start, sizeof start, "missing parameter '%s' (", name);
    const char *line = strstr(messages, start);
    CHECK(line, "%s, %s: '%s' is not among the errors\n%s", of->theory->name, option(of, 0), name,
          messages);
    for (int i = 0; line && i < 2; i++) {
        const imp_parameter *own = in(of, i, name);
        const char *choice = written == CASES ? "case" : of->theory->choices[of->choice].name;
        const char *value = written == CASES ? (i ? "b" : "a") : option(of, i);
        char number[64];
        snprintf(number, sizeof number, isnan(own->fallback) ? "none" : "%.7g", own->fallback);
        snprintf(both[i], sizeof both[i], "for %s=%s", choice, value);
        const char *at = strstr(line, both[i]), *told = strstr(line, number);
        CHECK(at && told && told < at && at < strchr(line, '\n'),
              "%s: the default %s of '%s' is not told '%s'\n%s", of->theory->name, number, name,
              both[i], messages);
    }
}

static void expect_refused(const pair *of, shape written) {
    int n = 0;
    reading r = read_pair(of, written);
    const char *messages = imp_text_get(&r.messages);
    for (int p = 0; p < of->n; p++) {
        if (of->unlike[p]) {
            expect_told(of, written, p, messages);
            n++;
        }
    }
    CHECK(count(messages, "\n") == n, "%s with %s and %s, %d parameters with unlike defaults:\n%s",
          of->theory->name, option(of, 0), option(of, 1), n, messages);
    reading_free(&r);
}

/* Cell i of the sweep has the bits of the cell that is solved alone. */
static void expect_alone(const pair *of, const imp_sweep *sweep, const void *block, int i) {
    imp_solver *solver = NULL;
    double value[IMP_MAX_PARAMETERS], *out[IMP_MAX_OUTPUTS] = {NULL};
    const double *columns[IMP_MAX_PARAMETERS] = {NULL};
    uint8_t outcome = 0;
    imp_layout layout = imp_layout_of(sweep);
    for (int p = 0; p < of->n; p++) {
        int at = imp_signature_find(&of->one[i], of->parameter[p]->name);
        if (at >= 0 && of->given[p]) {
            value[at] = of->parameter[p]->example;
            columns[at] = &value[at];
        }
    }
    for (int o = 0; o < sweep->n_outputs; o++) {
        out[sweep->outputs[o]] =
            calloc(imp_output_length(&of->theory->outputs[sweep->outputs[o]]), sizeof(double));
    }
    CHECK(!imp_solver_open(&of->one[i], &solver), "%s", imp_last_error());
    CHECK(!imp_solve(solver, 1, columns, out, &outcome), "%s", imp_last_error());
    imp_close(&solver);
    CHECK(imp_block_outcomes(&layout, 2, block)[i] == outcome, "%s: outcome of %s",
          of->theory->name, option(of, i));
    for (int o = 0; o < sweep->n_outputs; o++) {
        const imp_output *output = &of->theory->outputs[sweep->outputs[o]];
        const unsigned char *stored =
            (const unsigned char *)block + imp_block_offset(&layout, 2, o);
        for (size_t k = 0, length = imp_output_length(output); k < length; k++) {
            double swept =
                imp_block_value(sweep, sweep->outputs[o], stored, (size_t)i * length + k);
            double alone = out[sweep->outputs[o]][k];
            CHECK(swept == alone || (isnan(swept) && isnan(alone)),
                  "%s, %s of %s with %s: %.17g in the sweep, %.17g alone", of->theory->name,
                  output->name, option(of, i), option(of, 1 - i), swept, alone);
        }
        free(out[sweep->outputs[o]]);
    }
}

static void expect_cells(const pair *of) {
    reading r = read_pair(of, AXIS);
    imp_evaluator *evaluator = NULL;
    CHECK(!r.error, "%s with %s and %s is refused:\n%s", of->theory->name, option(of, 0),
          option(of, 1), imp_text_get(&r.messages));
    if (!r.error) {
        imp_layout layout = imp_layout_of(&r.sweep);
        void *block = calloc(1, imp_block_size(&layout, 2));
        CHECK(!imp_evaluator_open(&r.sweep, &evaluator), "%s", imp_last_error());
        CHECK(!imp_evaluate(evaluator, 0, 2, block, 2, 0), "%s", imp_last_error());
        for (int i = 0; i < 2; i++) {
            expect_alone(of, &r.sweep, block, i);
        }
        imp_evaluator_close(&evaluator);
        free(block);
    }
    reading_free(&r);
}

/* Whether the theory refuses an option with its defaults and examples: a beam at rest. */
static bool refuses(const pair *of, int i) {
    const char *name;
    double value[IMP_MAX_PARAMETERS];
    imp_instance instance = imp_signature_instance(&of->one[i]);
    for (int p = 0; p < of->one[i].n_parameters; p++) {
        const imp_parameter *own = of->one[i].parameter[p];
        value[p] = isnan(own->fallback) && !own->stands_for ? own->example : own->fallback;
    }
    return of->theory->refuse && of->theory->refuse(&instance, value, &name);
}

/* A sweep of both is refused if defaults differ; with values for these it has the cells of each. */
static void check_pair(pair of) {
    bool refused = false, petsc = false;
    for (int p = 0; p < of.n; p++) {
        refused = refused || of.unlike[p];
    }
    for (int written = AXIS; refused && written <= CASES_WITH_AXIS; written++) {
        expect_refused(&of, (shape)written);
    }
    for (int p = 0; p < of.n; p++) {
        of.given[p] = of.given[p] || of.unlike[p];
    }
    for (int i = 0; i < 2; i++) {
        petsc = petsc || imp_theory_needs_petsc(of.theory, of.one[i].chosen);
    }
    if (!petsc && !(refuses(&of, 0) && refuses(&of, 1))) { /* what needs PETSc takes long */
        expect_cells(&of);
    }
}

static void check_choice(const imp_theory *theory, int choice) {
    int chosen[2][IMP_MAX_CHOICES] = {{0}};
    for (int c = 0; c < theory->n_choices; c++) {
        int usual = theory->choices[c].fallback < 0 ? 0 : theory->choices[c].fallback;
        const char *instead = theory->choices[c].options[usual]->without_petsc;
        usual = instead ? imp_choice_option(&theory->choices[c], instead) : usual;
        chosen[0][c] = chosen[1][c] = usual;
    }
    for (int i = 0; i < theory->choices[choice].n_options; i++) {
        for (int j = i + 1; j < theory->choices[choice].n_options; j++) {
            chosen[0][choice] = i;
            chosen[1][choice] = j;
            check_pair(make_pair(theory, choice, (const int(*)[IMP_MAX_CHOICES])chosen));
        }
    }
}

static void every_pair_of_options(void) {
    for (int t = 0; imp_theory_at(t); t++) {
        const imp_theory *theory = imp_theory_at(t);
        for (int c = 0; !theory->hidden && c < theory->n_choices; c++) {
            check_choice(theory, c);
        }
    }
}

SUITE("defaults", every_pair_of_options)
