/* Friction and dashpots only take energy, and bodies do not enter each other: in every theory, also
 * where numbers are round or almost 0, so that events coincide. A balance of energy does not tell:
 * it holds just as well where friction drives a body. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/random.h"
#include "support/suite.h"

static double special_value(random_source *source, const imp_parameter *p) {
    static const double special[] = {0,   1e-13, 1e-9, 1e-5, 0.25,       0.5,
                                     1.0, 2.0,   3.5,  1e6,  IMP_PI / 2, 0};
    double value = special[random_index(source, SUITE_COUNT(special))];
    value = random_index(source, 2) ? value : -value;
    return !p->whole && !p->words && imp_parameter_admits(p, value) ? value : p->example;
}

static void draw(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            const imp_parameter *parameter = imp_input_at(b->solver, p);
            bool is_time = strcmp(parameter->unit, "s") == 0;
            b->in[p][i] = is_time || random_index(source, 3) == 0
                              ? batch_draw(parameter, source)
                              : special_value(source, parameter);
        }
    }
}

/* Outputs that are not negative. Rounding is that of the largest of them. */
static const char *const names[] = {"friction_loss", "slip_loss", "normal_loss", "tangential_loss",
                                    "kinematic_restitution"};

static double largest_of(const batch *b, size_t i) {
    double largest = 1;
    for (int k = 0; k < SUITE_COUNT(names); k++) {
        int output = imp_output_index(b->solver, names[k]);
        double size = output < 0 ? 0 : fabs(b->out[output][i]);
        largest = size > largest ? size : largest;
    }
    return largest;
}

static void check(const batch *b, size_t i) {
    static const double noise = 1e-7; /* continuum integrates to 1e-8 */
    double least = -noise * largest_of(b, i);
    for (int k = 0; k < SUITE_COUNT(names); k++) {
        int output = imp_output_index(b->solver, names[k]);
        if (output >= 0 && b->out[output][i] < least) {
            suite_fail(__FILE__, __LINE__, "%s %s %.17g: %s", b->theory->name, names[k],
                       b->out[output][i], batch_text(b, i));
        }
    }
}

static void visit(const imp_theory *theory, const char *choices) {
    enum { CELLS = 1000, SLOW_CELLS = 20, BUDGET = 2000 };
    bool few = every_is_slow(theory) || every_is_long(theory);
    batch b = batch_open(theory->name, choices, few ? SLOW_CELLS : CELLS);
    random_source source = {91};
    draw(&b, &source);
    imp_set_budget(b.solver, BUDGET);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        if (b.outcome[i] == IMP_SOLVED) {
            check(&b, i);
        }
    }
    batch_close(&b);
}

static void nothing_gives_energy(void) {
    every_choice(visit);
}

SUITE("losses", nothing_gives_energy)
