#include "support/contacts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/signature.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

static void draw_body(const batch *b, size_t i, random_source *source) {
    if (imp_input(b->solver, "b11") >= 0) {
        double b11 = random_log(source, 0.1, 10), b22 = random_log(source, 0.1, 10);
        batch_in(b, "b11")[i] = b11;
        batch_in(b, "b22")[i] = b22;
        batch_in(b, "b12")[i] = random_between(source, -0.95, 0.95) * sqrt(b11 * b22);
    }
    if (imp_input(b->solver, "inertia_coupling") >= 0) {
        batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.95);
    }
    if (imp_input(b->solver, "gyration_radius") >= 0) {
        batch_in(b, "offset_t")[i] = random_between(source, -2, 2);
        batch_in(b, "offset_n")[i] = random_between(source, -2, 2);
    }
    if (imp_input(b->solver, "slenderness") >= 0) {
        /* Its round ends touch up to the angle with tan = slenderness / 2. */
        double slenderness = random_between(source, 0.5, 5), most = atan(slenderness / 2);
        batch_in(b, "slenderness")[i] = slenderness;
        batch_in(b, "angle")[i] = random_between(source, -0.6, 0.6) * most;
    } else if (imp_input(b->solver, "angle") >= 0) {
        double from = imp_input(b->solver, "velocity_ratio") >= 0 ? -pi / 2 : 0.01;
        batch_in(b, "angle")[i] = random_between(source, from, pi / 2);
    }
}

void contacts_draw(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "friction")[i] = random_between(source, 0, 2);
        batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.01, 10);
        if (imp_input(b->solver, "velocity_ratio") >= 0) {
            batch_in(b, "velocity_ratio")[i] = random_between(source, -20, 20);
        }
        if (imp_input(b->solver, "restitution") >= 0) {
            batch_in(b, "restitution")[i] = random_between(source, 0.1, 1);
        }
        if (imp_input(b->solver, "damping") >= 0) {
            batch_in(b, "damping")[i] = i % 2 ? random_between(source, 0, 2) : 0;
        }
        draw_body(b, i, source);
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
        CHECK(b->outcome[i] == IMP_SOLVED, "%s", batch_text(b, i));
        CHECK_NEAR(out[residual][i], 0, 1e-8, "%s", batch_text(b, i));
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
