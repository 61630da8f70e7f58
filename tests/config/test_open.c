/* A solver opened from words: values, defaults, arrays that follow, and messages of the program. */
#include <math.h>
#include <string.h>

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

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(values), SUITE_TEST(messages)};
    return suite_run("open", tests, SUITE_COUNT(tests));
}
