/* Cases: several theories as one. The cells of a case are those of its theory, bit for bit, beside
 * every other theory; and springs against rigid impact, where both must agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/describe.h"
#include "solve/cases/cases.h"
#include "solve/solver.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/suite.h"

enum { CELLS = 24, MOST = 256 };

/* Every theory with every choice; hidden ones and what needs PETSc apart. */
static imp_case all[MOST];
static char words[MOST][128];
static int n_all;

static void note(const imp_theory *theory, const char *choices) {
    imp_solver *solver;
    if (theory->hidden || every_needs_petsc(theory, choices) || n_all == MOST) {
        return;
    }
    CHECK(imp_open(theory->name, choices, &solver) == IMP_OK, "%s", imp_last_error());
    all[n_all].signature = *imp_solver_signature(solver);
    snprintf(words[n_all++], sizeof *words, "%s", choices);
    imp_close(&solver);
}

static const char *body_of(const imp_case *one) {
    int c = imp_theory_choice(one->signature.theory, "body");
    return c < 0 ? "" : one->signature.theory->choices[c].options[one->signature.chosen[c]]->name;
}

/* Ordinary values around the examples. */
static void draw(const batch *b, random_source *source) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        for (size_t i = 0; i < b->n; i++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
    }
}

static const char *name_of(const imp_theory *theory, int output, double code) {
    int n;
    const imp_mode *codes = imp_output_categories(theory, &theory->outputs[output], &n);
    for (int i = 0; i < n; i++) {
        if (codes[i].code == (int)code) {
            return codes[i].name;
        }
    }
    return "none";
}

/* The same where several theories meet: of modes the name by which they agree. */
static const char *common_name_of(const batch *alone, const batch *united, int output,
                                  double code) {
    const imp_theory *theory = alone->theory;
    bool modes = !theory->outputs[output].categories && united->theory->n_agreements == 0;
    for (int i = 0; modes && i < theory->n_modes; i++) {
        if (theory->modes[i].code == (int)code) {
            return imp_mode_common(theory, &theory->modes[i]);
        }
    }
    return name_of(theory, output, code);
}

/* Compares one output of a theory with that of the cases. */
static void compare_output(const batch *alone, int o, const batch *united, const char *where) {
    const imp_output *output = &alone->theory->outputs[o];
    int to = imp_output_index(united->solver, output->name);
    bool has = imp_output_index(alone->solver, output->name) >= 0;
    CHECK(has == (to >= 0), "%s: %s: one has it", where, output->name);
    for (size_t i = 0; has && i < alone->n * batch_length(alone, o); i++) {
        double a = alone->out[o][i], b = united->out[to][i];
        bool category = output->kind == IMP_CATEGORY;
        bool same = category ? strcmp(common_name_of(alone, united, o, a),
                                      name_of(united->theory, to, b)) == 0
                             : batch_same(a, b);
        CHECK(same, "%s: %s: %.17g and %.17g of %s", where, output->name, a, b,
              batch_text(alone, i));
    }
}

/* Whether the modes in which an output is called undefined have no value. */
static void check_undefined(const batch *united, const char *where) {
    int mode = imp_output_index(united->solver, "mode");
    for (int o = 0; mode >= 0 && o < united->theory->n_outputs; o++) {
        const imp_output *output = &united->theory->outputs[o];
        for (size_t i = 0; output->kind == IMP_REAL && i < united->n; i++) {
            bool undefined = output->undefined_in >> (int)united->out[mode][i] & 1;
            CHECK(!undefined || isnan(united->out[o][i * batch_length(united, o)]),
                  "%s: %s has a value", where, output->name);
        }
    }
}

/* Cells of all[index], alone and as case `number` of the cases; if `fixing`, the case fixes its
 * first parameter. */
static void compare_case(const imp_cases *cases, int number, int index, bool fixing,
                         const char *where) {
    random_source source = {(uint64_t)index + 1};
    imp_signature signature = imp_signature_of(imp_cases_theory(cases), &number);
    imp_solver *solver;
    batch alone = batch_open(all[index].signature.theory->name, words[index], CELLS);
    CHECK(imp_solver_open(&signature, &solver) == IMP_OK, "%s", imp_last_error());
    batch united = batch_of(solver, CELLS);
    draw(&alone, &source);
    for (int p = 0; p < imp_input_count(alone.solver); p++) {
        const imp_parameter *parameter = imp_input_at(alone.solver, p);
        int to = imp_input(united.solver, parameter->name);
        CHECK((to < 0) == (fixing && p == 0), "%s: %s", where, parameter->name);
        for (size_t i = 0; i < CELLS; i++) {
            alone.in[p][i] = to < 0 ? parameter->example : alone.in[p][i];
        }
        if (to >= 0) {
            memcpy(united.in[to], alone.in[p], CELLS * sizeof(double));
        }
    }
    BATCH_SOLVE(&alone, &united);
    CHECK(memcmp(alone.outcome, united.outcome, CELLS) == 0, "%s: other outcomes", where);
    for (int o = 0; o < alone.theory->n_outputs; o++) {
        compare_output(&alone, o, &united, where);
    }
    check_undefined(&united, where);
    BATCH_CLOSE(&alone, &united);
}

static void compare_pair(int first, int second) {
    char where[300];
    imp_text why = {0};
    int culprit;
    imp_case pair[2] = {all[first], all[second]};
    bool fixing = (first + second) % 2;
    snprintf(where, sizeof where, "%s %s beside %s %s", all[first].signature.theory->name,
             words[first], all[second].signature.theory->name, words[second]);
    strcpy(pair[0].name, "first");
    strcpy(pair[1].name, "second");
    pair[0].fixed[0] = fixing;
    pair[0].value[0] = pair[0].signature.parameter[0]->example;
    CHECK(imp_cases_fit(pair, 2, &culprit, &why), "%s: %s", where, imp_text_get(&why));
    imp_cases *cases = imp_cases_make(pair, 2, NULL, 0);
    compare_case(cases, 0, first, fixing, where);
    compare_case(cases, 1, second, false, where);
    imp_cases_free(&cases);
    imp_text_free(&why);
}

/* What the symbols of a theory are about. */
static int group_of(const imp_theory *theory) {
    static const char *const marks[] = {"v_n, v_t", "axes 1, 2", "second_moment", "sequence 2 1"};
    for (int g = 0; g < SUITE_COUNT(marks); g++) {
        if (theory->symbols && strstr(theory->symbols, marks[g])) {
            return g;
        }
    }
    return -1;
}

/* Symbols without such a mark are of their theory alone. */
static bool are_kin(const imp_theory *a, const imp_theory *b) {
    bool unmarked = a->symbols && group_of(a) < 0;
    return unmarked ? a == b : group_of(a) == group_of(b);
}

/* In the plane the name of a body is the same body; of planar and spatial ones none is shared, and
 * a sequence of impacts stands apart. Of beams, whose cells are slow, a few neighbours. */
static void pairs(void) {
    int compared = 0;
    for (int first = 0; first < n_all; first++) {
        for (int second = 0; second < n_all; second++) {
            bool slow = *body_of(&all[first]) == 0 && (second != first + 1 || first % 4 != 0);
            bool same = strcmp(body_of(&all[first]), body_of(&all[second])) == 0 &&
                        are_kin(all[first].signature.theory, all[second].signature.theory);
            if (first != second && same && !slow) {
                compare_pair(first, second);
                compared++;
            }
        }
    }
    CHECK(compared > 700, "only %d pairs", compared);
}

/* Outputs of one name have one unit and kind in all theories of the plane, and in those of space;
 * other theories do not fit together, and say why. */
static void registry(void) {
    int refused = 0;
    for (int i = 0; imp_theory_at(i); i++) {
        for (int k = 0; imp_theory_at(k); k++) {
            const imp_theory *a = imp_theory_at(i), *b = imp_theory_at(k);
            imp_case pair[2] = {{.signature.theory = a}, {.signature.theory = b}};
            imp_text why = {0};
            int culprit = 0;
            bool kin = are_kin(a, b);
            bool fit = imp_cases_fit(pair, 2, &culprit, &why);
            CHECK(fit == kin, "%s beside %s: %s", a->name, b->name, imp_text_get(&why));
            CHECK(fit || (culprit == 1 && strstr(imp_text_get(&why), a->name)), "no reason");
            refused += !fit;
            imp_text_free(&why);
        }
    }
    CHECK(refused > 0, "everything fits");
}

/* ---- springs against rigid impact ---- */

enum { SPRINGS, RIGID };

/* Both theories for one body, the springs elastic, the restitution 1. */
static imp_cases *both(const char *body) {
    static const char *const names[] = {"springs", "rigid"};
    imp_case pair[2] = {{.name = ""}};
    int found = 0;
    for (int i = 0; i < n_all; i++) {
        const imp_signature *s = &all[i].signature;
        bool springs = strcmp(s->theory->name, "compliant") == 0 && strstr(words[i], "law=linear");
        bool rigid = strcmp(s->theory->name, "rigid") == 0 && strstr(words[i], "law=energetic");
        if (strcmp(body_of(&all[i]), body) == 0 && (springs || rigid)) {
            imp_case *one = &pair[springs ? SPRINGS : RIGID];
            int e = imp_signature_find(s, "restitution");
            *one = all[i];
            strcpy(one->name, names[springs ? SPRINGS : RIGID]);
            one->fixed[e] = true;
            one->value[e] = 1;
            found++;
        }
    }
    CHECK(found == 2, "%d theories for %s", found, body);
    return imp_cases_make(pair, 2, NULL, 0);
}

static batch cells_of(const imp_cases *cases, int number, size_t n) {
    imp_signature signature = imp_signature_of(imp_cases_theory(cases), &number);
    imp_solver *solver;
    CHECK(imp_solver_open(&signature, &solver) == IMP_OK, "%s", imp_last_error());
    return batch_of(solver, n);
}

static void copy(const batch *from, const batch *to) {
    for (int p = 0; p < imp_input_count(from->solver); p++) {
        int k = imp_input(to->solver, imp_input_at(from->solver, p)->name);
        if (k >= 0) {
            memcpy(to->in[k], from->in[p], from->n * sizeof(double));
        }
    }
}

/* The number of cells that were compared: all solved ones, or those in which both slip to the end
 * in one direction. The velocities agree to `tolerance` of what came in. */
static int agree(const char *body, double friction_to, size_t n, uint64_t seed) {
    imp_cases *cases = both(body);
    batch springs = cells_of(cases, SPRINGS, n), rigid = cells_of(cases, RIGID, n);
    random_source source = {seed};
    int compared = 0;
    draw(&springs, &source);
    for (size_t i = 0; i < n; i++) {
        batch_in(&springs, "friction")[i] =
            friction_to > 0 ? random_between(&source, 0, friction_to) : 0;
    }
    copy(&springs, &rigid);
    BATCH_SOLVE(&springs, &rigid);
    for (size_t i = 0; i < n; i++) {
        bool solved = springs.outcome[i] == IMP_SOLVED && rigid.outcome[i] == IMP_SOLVED;
        bool slip =
            batch_has_mode(&springs, i, "gross_slip") && batch_has_mode(&rigid, i, "gross_slip");
        if (!solved || (friction_to > 0 && !slip)) {
            continue;
        }
        double v = batch_out(&springs, "velocity_ratio_out")[i];
        double e = batch_out(&springs, "kinematic_restitution")[i];
        double size = 1 + fabs(v) + fabs(e);
        if (slip) {
            CHECK(batch_out(&rigid, "tangential_end")[i] ==
                      batch_out(&springs, "tangential_end")[i],
                  "tangential_end of %s", batch_text(&springs, i));
        }
        CHECK_NEAR(batch_out(&rigid, "velocity_ratio_out")[i], v, 1e-11 * size, "v_t of %s",
                   batch_text(&springs, i));
        CHECK_NEAR(batch_out(&rigid, "kinematic_restitution")[i], e, 1e-11 * size, "v_n of %s",
                   batch_text(&springs, i));
        compared++;
    }
    BATCH_CLOSE(&springs, &rigid);
    imp_cases_free(&cases);
    return compared;
}

static void limits(void) {
    static const char *const bodies[] = {"rod", "general", "lamina", "capsule", "pendulum"};
    int smooth = 0, slipping = 0;
    for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++) {
        smooth += agree(bodies[b], 0, 20000, b + 1);
        slipping += agree(bodies[b], 0.5, 40000, b + 11);
    }
    CHECK(smooth + slipping >= 100000, "%d cells without friction, %d that slip", smooth, slipping);
    CHECK(slipping > 20000, "only %d cells slip to the end", slipping);
}

/* The category is that of the velocities before and after. */
static void ends(void) {
    static const char *const names[] = {"none", "same_direction", "zero", "reversed", "wedge"};
    enum { N = 4000 };
    int seen[5] = {0};
    imp_cases *cases = both("rod");
    for (int number = 0; number < 2; number++) {
        batch b = cells_of(cases, number, N);
        random_source source = {3};
        draw(&b, &source);
        for (size_t i = 0; i < N; i++) {
            batch_in(&b, "friction")[i] = random_between(&source, 0, 2);
            batch_in(&b, "velocity_ratio")[i] = i % 8 ? random_between(&source, -2, 2) : 0;
        }
        batch_solve(&b);
        for (size_t i = 0; i < N; i++) {
            double before = batch_in(&b, "velocity_ratio")[i];
            double after = batch_out(&b, "velocity_ratio_out")[i];
            int end = (int)batch_out(&b, "tangential_end")[i];
            int expected = batch_has_mode(&b, i, "wedge") ? 4
                           : fabs(after) < 1e-12          ? 2
                           : before * after > 0           ? 1
                           : before * after < 0           ? 3
                                                          : 0;
            CHECK(end == expected, "%s instead of %s in %s", names[end], names[expected],
                  batch_text(&b, i));
            seen[end]++;
        }
        batch_close(&b);
    }
    imp_cases_free(&cases);
    CHECK(seen[0] && seen[1] && seen[2] && seen[3], "%d %d %d %d %d", seen[0], seen[1], seen[2],
          seen[3], seen[4]);
}

int main(void) {
    every_choice(note);
    return SUITE_RUN("cases", pairs, registry, limits, ends);
}
