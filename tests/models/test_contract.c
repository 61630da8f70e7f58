/* The promises of include/impact.h, which every theory of the registry must keep, whatever its
 * physics: its tables, its example, and corners of its parameter box. A theory that is added to
 * models.def is tested here without any change. */
#include <math.h>
#include <string.h>

#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/promises.h"
#include "support/suite.h"

/* ---- the tables ---- */

static void check_modes(const imp_theory *theory) {
    for (int i = 0; i < theory->n_modes; i++) {
        const imp_mode *mode = &theory->modes[i];
        CHECK(mode->code >= 1 && mode->code <= 63, "%s: code %d", theory->name, mode->code);
        CHECK(mode->name[0] && mode->meaning[0], "%s: mode %d", theory->name, mode->code);
        for (int k = 0; k < i; k++) {
            CHECK(mode->code != theory->modes[k].code, "%s: code %d twice", theory->name,
                  mode->code);
            CHECK(strcmp(mode->name, theory->modes[k].name) != 0, "%s: mode %s twice", theory->name,
                  mode->name);
        }
    }
}

static void check_outputs(const imp_theory *theory) {
    uint64_t codes = 0;
    for (int i = 0; i < theory->n_modes; i++) {
        codes |= UINT64_C(1) << theory->modes[i].code;
    }
    CHECK(theory->n_outputs <= IMP_MAX_OUTPUTS, "%s: too many outputs", theory->name);
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        CHECK(output->name[0] && output->unit[0] && output->meaning[0], "%s: output %d",
              theory->name, o);
        CHECK(!output->dimension || (output->dimension[0] && output->length > 0), "%s: shape of %s",
              theory->name, output->name);
        CHECK(!output->categories || output->kind == IMP_CATEGORY, "%s: codes of %s", theory->name,
              output->name);
        CHECK((output->undefined_in & ~codes) == 0, "%s: %s is undefined in a mode that is none",
              theory->name, output->name);
        for (int k = 0; k < o; k++) {
            CHECK(strcmp(output->name, theory->outputs[k].name) != 0, "%s: output %s twice",
                  theory->name, output->name);
        }
    }
}

static void check_parameter(const char *theory, const imp_parameter *p) {
    CHECK(p->name[0] && p->unit[0] && p->meaning[0], "%s: a parameter without a text", theory);
    CHECK(p->low < p->high, "%s: range of %s", theory, p->name);
    CHECK(imp_parameter_admits(p, p->example), "%s: example of %s", theory, p->name);
    CHECK(isnan(p->fallback) || imp_parameter_admits(p, p->fallback), "%s: default of %s", theory,
          p->name);
}

/* A parameter that stands for another one has no default. Its values lead into the range of the
 * other one, which stands for none itself. */
static void check_stand_in(const batch *b, const imp_parameter *p) {
    int target = imp_input(b->solver, p->stands_for);
    CHECK(p->converted && isnan(p->fallback), "%s: %s", b->theory->name, p->name);
    CHECK(target >= 0, "%s: %s stands for nothing that applies", b->theory->name, p->name);
    if (!p->converted || target < 0) {
        return;
    }
    const imp_parameter *other = imp_input_at(b->solver, target);
    CHECK(!other->stands_for, "%s: %s stands for a stand-in", b->theory->name, p->name);
    CHECK(imp_parameter_admits(other, p->converted(p->example)), "%s: example of %s",
          b->theory->name, p->name);
}

static void check_signature(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, 1);
    CHECK(imp_input_count(b.solver) <= IMP_MAX_PARAMETERS, "%s: too many", theory->name);
    for (int i = 0; i < imp_input_count(b.solver); i++) {
        const imp_parameter *parameter = imp_input_at(b.solver, i);
        check_parameter(theory->name, parameter);
        CHECK(imp_input(b.solver, parameter->name) == i, "%s %s: %s twice", theory->name, choices,
              parameter->name);
        CHECK(!parameter->stands_for == !parameter->converted, "%s: %s", theory->name,
              parameter->name);
        if (parameter->stands_for) {
            check_stand_in(&b, parameter);
        }
    }
    batch_close(&b);
}

static void tables(void) {
    CHECK(imp_theory_at(0) && !imp_theory_at(-1), "the registry's ends");
    for (int t = 0; imp_theory_at(t); t++) {
        const imp_theory *theory = imp_theory_at(t);
        CHECK(theory->name[0] && theory->title[0] && theory->source[0] && theory->residual[0],
              "theory %d lacks a text", t);
        CHECK(imp_theory_find(theory->name) == theory, "%s is there twice", theory->name);
        const imp_parameter *every[IMP_MAX_PARAMETERS];
        CHECK(imp_theory_every_parameter(theory, every) < IMP_MAX_PARAMETERS,
              "%s has more parameters than a list of them holds", theory->name);
        CHECK(theory->results_version >= 1, "%s: results version", theory->name);
        check_modes(theory);
        check_outputs(theory);
        for (int u = 0; u < theory->n_unit_parameters; u++) {
            const imp_parameter *all[IMP_MAX_PARAMETERS];
            int n = imp_theory_every_parameter(theory, all), found = 0;
            for (int p = 0; p < n; p++) {
                found += strcmp(all[p]->name, theory->unit_parameters[u]) == 0;
            }
            CHECK(found == 1, "%s: unit parameter %s", theory->name, theory->unit_parameters[u]);
        }
    }
    every_choice(check_signature);
}

/* ---- cells ---- */

static void check_example(const imp_theory *theory, const char *choices) {
    batch b = batch_open(theory->name, choices, 1);
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        b.in[p][0] = imp_input_at(b.solver, p)->example;
    }
    batch_solve(&b);
    CHECK(b.outcome[0] == IMP_SOLVED, "%s %s: %s", theory->name, choices, batch_text(&b, 0));
    promises_check_cell(&b, 0);
    batch_close(&b);
}

static void examples(void) {
    every_choice(check_example);
}

/* ---- corners of the parameter box ---- */

/* Those of slow theories have a suite of their own, test_contract_slow. */
static void check_corners(const imp_theory *theory, const char *choices) {
    if (!every_is_slow(theory)) {
        promises_check_corners(theory, choices);
    }
}

static void corners(void) {
    every_choice(check_corners);
}

SUITE("contract", tables, examples, corners)
