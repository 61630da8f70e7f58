/* A solver opened from words: values, defaults, arrays that follow, and messages of the program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/variables.h"
#include "impact.h"
#include "support/suite.h"

enum { MOST_WORDS = 8 };

static imp_err open_words(const char *theory, const char *const *words, imp_solver **solver,
                          double *value) {
    size_t n = 0;
    while (words[n]) {
        n++;
    }
    *solver = (imp_solver *)solver;
    return imp_open_words(theory, n, words, solver, value);
}

static void values(void) {
    static const char *const words[] = {"body=pendulum",      "angle=30 deg", "friction",
                                        "poisson_ratio=0.25", "law=hertz",    NULL};
    imp_solver *solver;
    double value[IMP_MAX_PARAMETERS];
    imp_err error = open_words("compliant", words, &solver, value);
    CHECK(error == IMP_OK, "%s", imp_last_error());
    CHECK(value[imp_input(solver, "angle")] == 30 * (acos(-1) / 180), "degrees");
    CHECK(isnan(value[imp_input(solver, "friction")]), "values to come");
    CHECK(value[imp_input(solver, "poisson_ratio")] == 0.25, "a stand-in");
    CHECK(isnan(value[imp_input(solver, "stiffness_ratio")]), "what it stands for");
    CHECK(value[imp_input(solver, "mass")] == 1, "a default");
    CHECK(imp_input(solver, "damping") >= 0 && imp_input(solver, "restitution") < 0, "the law");
    imp_close(&solver);
}

/* The solver outlives the words: its theory and the names of its inputs are still there when other
 * memory was used. */
static void variables(void) {
    static const char *const words[] = {
        "body=pendulum", "variables=tilt:rad",   "tilt", "angle==tilt / 2",
        "friction=0.3",  "stiffness_ratio=1.21", NULL};
    static const char *const plain[] = {"body=pendulum", "angle", "friction=0.3",
                                        "stiffness_ratio=1.21", NULL};
    double value[IMP_MAX_PARAMETERS], tilt[2] = {0.5, 1}, angle[2] = {0.25, 0.5}, loss[2][2];
    uint8_t outcome[2];
    for (int i = 0; i < 2; i++) {
        imp_solver *solver;
        imp_err error = open_words("compliant", i ? words : plain, &solver, value);
        CHECK(error == IMP_OK, "%s", imp_last_error());
        free(memset(malloc(sizeof(imp_variables)), 0x5A, sizeof(imp_variables)));
        const double *in[IMP_MAX_PARAMETERS] = {NULL};
        double *out[IMP_MAX_OUTPUTS] = {NULL};
        double friction[2] = {0.3, 0.3}, ratio[2] = {1.21, 1.21};
        in[imp_input(solver, "friction")] = friction;
        in[imp_input(solver, "stiffness_ratio")] = ratio;
        in[imp_input(solver, i ? "tilt" : "angle")] = i ? tilt : angle;
        out[imp_output_index(solver, "energy_loss")] = loss[i];
        CHECK(!imp_solve(solver, 2, in, out, outcome), "%s", imp_last_error());
        CHECK(strcmp(imp_solver_theory(solver)->name, "compliant") == 0, "the theory");
        imp_close(&solver);
    }
    CHECK(memcmp(loss[0], loss[1], sizeof loss[0]) == 0, "other bits");
}

static void messages(void) {
    static const struct {
        const char *theory, *words[MOST_WORDS], *message;
    } cases[] = {
        {"complaint", {NULL}, "unknown theory 'complaint' (did you mean 'compliant'?)"},
        {"compliant",
         {"body=pendulum", "angle=100deg", "friction=-1", "stiffness_ratio", NULL},
         "'friction' is -1, outside its range [0, inf)\n"
         "'angle' is 1.745329 rad (100 deg), outside its range (0, 1.570796) rad = (0, 90) deg"},
        {"compliant",
         {"body=sphere", "velocity_ratio", "friction=x", "poisson_ratio", "stiffness_ratio=1"},
         "friction: 'x' is not a number\n"
         "'poisson_ratio' and 'stiffness_ratio' set the same value, give one of them"},
        {"compliant",
         {"body=rod", "angle", "velocity_ratio", "frction", "stiffness_ratio", "radius"},
         "unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
         "'radius' does not apply to body=rod; it applies to body=sphere, body=pendulum, "
         "body=capsule"},
        {"compliant",
         {"body=pendulum", "angle", "stiffness_ratio"},
         "missing parameter 'friction' (range [0, inf), no default)"},
    };
    for (int i = 0; i < SUITE_COUNT(cases); i++) {
        imp_solver *solver;
        double value[IMP_MAX_PARAMETERS];
        imp_err error = open_words(cases[i].theory, cases[i].words, &solver, value);
        CHECK(error == IMP_ERR_INPUT && !solver, "case %d is not refused", i);
        /* The message may be longer: new bodies are named at its end. */
        CHECK(strncmp(imp_last_error(), cases[i].message, strlen(cases[i].message)) == 0,
              "case %d: %s", i, imp_last_error());
        imp_close(&solver);
    }
}

SUITE("open", values, variables, messages)
