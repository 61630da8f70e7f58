#include "support/contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "bodies/planar/body.h"
#include "solve/solver.h"
#include "support/suite.h"

/* One side of the box. A parameter that is not among these keeps its default, or its example. */
typedef struct side {
    const char *name;
    double low, high;
    bool log;
} side;

static const side sides[] = {
    {"friction", 0, 2, false},
    {"stiffness_ratio", 0.01, 10, true},
    {"velocity_ratio", -20, 20, false},
    {"restitution", 0.1, 1, false},
    {"damping", 0, 2, false},
    {"b11", 0.1, 10, true},
    {"b22", 0.1, 10, true},
    {"b12", -0.95, 0.95, false}, /* over the square root of b11 b22 */
    {"inertia_coupling", 0, 0.95, false},
    {"offset_t", -2, 2, false},
    {"offset_n", -2, 2, false},
    {"slenderness", 0.5, 5, false},
    {"angle", -IMP_PI / 2, IMP_PI / 2, false},
};

/* A value of a parameter in its side of the box, as far as the range of the parameter reaches; that
 * range may differ from body to body. */
static double draw_within(const imp_parameter *parameter, const side *within,
                          random_source *source) {
    double low = fmax(within->low, parameter->low + (parameter->low_open ? 0.01 : 0));
    double high = fmin(within->high, parameter->high);
    if (low >= high) {
        return parameter->example;
    }
    return within->log ? random_log(source, low, high) : random_between(source, low, high);
}

static void draw_cell(const batch *b, size_t i, random_source *source) {
    for (int k = 0; k < SUITE_COUNT(sides); k++) {
        int p = imp_input(b->solver, sides[k].name);
        bool undamped = strcmp(sides[k].name, "damping") == 0 && i % 2 == 0;
        if (p >= 0) {
            b->in[p][i] = undamped ? 0 : draw_within(imp_input_at(b->solver, p), &sides[k], source);
        }
    }
    if (imp_input(b->solver, "b12") >= 0) {
        batch_in(b, "b12")[i] *= sqrt(batch_in(b, "b11")[i] * batch_in(b, "b22")[i]);
    }
}

/* Whether there is a body with the parameters of a cell. */
static bool has_body(const batch *b, size_t i) {
    const imp_signature *signature = imp_solver_signature(b->solver);
    const imp_body *body =
        imp_body_at(signature->chosen[imp_theory_choice(signature->theory, "body")]);
    double value[IMP_MAX_PARAMETERS];
    for (int p = 0; p < body->option.n_parameters; p++) {
        value[p] = batch_in(b, body->option.parameters[p]->name)[i];
    }
    return !body->contact(value).outside;
}

void contacts_draw(const batch *b, random_source *source) {
    enum { MOST_TRIES = 1000 };
    for (size_t i = 0; i < b->n; i++) {
        int tries = 0;
        do {
            draw_cell(b, i, source);
        } while (!has_body(b, i) && ++tries < MOST_TRIES);
        CHECK(tries < MOST_TRIES, "no body: %s", batch_text(b, i));
    }
}

enum { CHUNK = 20000 };

static void check_chunk(const batch *b) {
    double *out[IMP_MAX_OUTPUTS] = {0};
    const double *in[IMP_MAX_PARAMETERS];
    int residual = imp_output_index(b->solver, "residual");
    out[residual] = b->out[residual];
    batch_inputs(b, 0, in);
    imp_solve(b->solver, b->n, in, out, b->outcome);
    for (size_t i = 0; i < b->n; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        CHECK_CELL_NEAR(b, i, out[residual][i], 0, 1e-8);
    }
}

void contacts_every_body(void (*visit)(const char *body, bool free, void *context), void *context) {
    const imp_theory *theory = imp_theory_find("compliant");
    const imp_choice *bodies = &theory->choices[imp_theory_choice(theory, "body")];
    for (int o = 0; o < bodies->n_options; o++) {
        const imp_option *body = bodies->options[o];
        bool free = false;
        for (int p = 0; p < body->n_parameters; p++) {
            free |= strcmp(body->parameters[p]->name, "velocity_ratio") == 0;
        }
        visit(body->name, free, context);
    }
}

/* The number of cells of each body, and the seed of their random numbers. */
typedef struct box {
    int n;
    uint64_t seed;
} box;

static void check_body(const char *body, bool free, void *context) {
    static const char *const laws[] = {"linear", "coupled", "hertz"};
    box *cells = context;
    (void)free;
    for (int law = 0; law < SUITE_COUNT(laws); law++) {
        char choices[64];
        snprintf(choices, sizeof choices, "body=%s law=%s", body, laws[law]);
        batch b = batch_open("compliant", choices, CHUNK);
        random_source source = {cells->seed++};
        for (int done = 0; done < cells->n; done += CHUNK) {
            contacts_draw(&b, &source);
            check_chunk(&b);
        }
        batch_close(&b);
    }
}

void contacts_check_box(int n, uint64_t seed) {
    box cells = {n, seed};
    contacts_every_body(check_body, &cells);
}

void contacts_check_sound(const batch *b, size_t i, double residual) {
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK_NEAR(batch_out(b, "residual")[i], 0, residual, "residual of %s", batch_text(b, i));
    if (!batch_has_mode(b, i, "wedge")) {
        double e = batch_out(b, "kinematic_restitution")[i];
        CHECK(e > 0 && isfinite(e), "restitution %g: %s", e, batch_text(b, i));
        CHECK(batch_out(b, "duration")[i] > 0, "no duration: %s", batch_text(b, i));
    }
}
