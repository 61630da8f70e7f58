/* One normal and one tangential compliance at the contact; stick and slip as events in time. */
#include <math.h>

#include "bodies/planar/body.h"
#include "models/compliant/account.h"
#include "models/compliant/history.h"
#include "models/compliant/laws.h"
#include "models/compliant/outputs.h"
#include "models/compliant/tables.h"

/* Bounds of the effect of friction: below, friction is lost in rounding; above, the end of
 * stick. */
static const double least_effect = 1e-14, most_effect = 1e9;

/* Quantities that the wanted outputs of a batch need. */
typedef struct wants {
    bool turn, time;
    bool energies; /* any output from the account's part of the table */
    bool account,
        peaks; /* account: energies that need every piece of the contact; peaks: of the forces */
} wants;

static bool any_of(double *const *out, int first, int last) {
    bool any = false;
    for (int o = first; o <= last; o++) {
        any |= out[o] != NULL;
    }
    return any;
}

static wants wants_of(double *const *out) {
    wants w = {
        .energies = any_of(out, IMP_COMPLIANT_OF_NORMAL_WORK_COMPRESSION,
                           IMP_COMPLIANT_OF_PEAK_TANGENTIAL_FORCE_TIME),
        .peaks = any_of(out, IMP_COMPLIANT_OF_PEAK_NORMAL_FORCE,
                        IMP_COMPLIANT_OF_PEAK_TANGENTIAL_FORCE_TIME),
    };
    w.account = w.peaks || any_of(out, IMP_COMPLIANT_OF_TANGENTIAL_WORK_COMPRESSION,
                                  IMP_COMPLIANT_OF_SLIP_LOSS);
    w.time = w.account || out[IMP_COMPLIANT_OF_DURATION] || out[IMP_COMPLIANT_OF_COMPRESSION_TIME];
    w.turn = w.energies || out[IMP_COMPLIANT_OF_KINETIC] || out[IMP_COMPLIANT_OF_ENERGETIC] ||
             out[IMP_COMPLIANT_OF_COMPRESSION_TIME];
    return w;
}

/* A cell's problem, all but its friction. */
static imp_compliant_problem scaled(const imp_contact *b, const imp_compliant_scales *scales,
                                    const wants *wanted, int64_t budget) {
    double square = scales->square, root = scales->root;
    return (imp_compliant_problem){
        .a = b->b11 / (square * b->b22),
        .c = b->b12 / (root * b->b22),
        .determinant = b->determinant / (square * b->b22 * b->b22),
        .v_t = b->velocity_ratio / root,
        .constrained = b->constrained,
        .want_turn = wanted->turn,
        .want_time = wanted->time,
        .budget = budget,
    };
}

/* The body of a cell, its units and its problem, which neighbours often share. */
typedef struct memory {
    wants wanted;
    int64_t budget;
    double value[IMP_MAX_PARAMETERS];
    imp_contact contact;
    double inequality; /* root of b11 / b22 */
    imp_compliant_given given;
    imp_compliant_scales scales;
    imp_compliant_problem problem; /* but for the friction */
    bool known;
} memory;

/* Makes the contact of the cell known; true if the cell before had the same. */
static bool recall_contact(const imp_body *body, const double *const *in, size_t i, memory *last) {
    bool same = last->known;
    for (int k = 0; k < body->option.n_parameters; k++) {
        double value = in[N_PARAMETERS + k][i];
        same &= value == last->value[k];
        last->value[k] = value;
    }
    if (!same) {
        last->contact = body->contact(last->value);
        last->inequality = sqrt(last->contact.b11 / last->contact.b22);
        last->known = true;
    }
    return same;
}

/* Makes the scales of the cell known; true if the cell before had the same. */
static bool recall_scales(const imp_compliant_law *law, const imp_compliant_given *given,
                          memory *last) {
    const imp_compliant_given *before = &last->given;
    bool same = given->stiffness_ratio == before->stiffness_ratio && given->mass == before->mass &&
                given->stiffness == before->stiffness && given->speed == before->speed;
    if (!same) {
        last->given = *given;
        last->scales = law->scales(given);
    }
    return same;
}

enum { MOST_LAW_PARAMETERS = 4 };

/* Leaves the problem of the cell in last->problem. */
static imp_compliant_cell cell_at(const imp_body *body, const imp_compliant_law *law,
                                  const double *const *in, size_t i, const double *of_law,
                                  memory *last) {
    const imp_contact *contact = &last->contact;
    bool same_contact = recall_contact(body, in, i, last);
    imp_compliant_given given = {
        .stiffness_ratio = in[STIFFNESS_RATIO][i],
        .mass = contact->mass / contact->b22,
        .stiffness = of_law[IMP_COMPLIANT_STIFFNESS],
        .speed = contact->normal_speed > 0 ? contact->normal_speed : in[NORMAL_SPEED][i],
    };
    if (!recall_scales(law, &given, last) || !same_contact) {
        last->problem = scaled(contact, &last->scales, &last->wanted, last->budget);
    }
    double friction = in[FRICTION][i];
    double effect = contact->constrained ? 1 : friction * last->inequality;
    last->problem.mu = effect < least_effect ? 0 : friction * last->scales.root;
    return (imp_compliant_cell){
        .speed = given.speed,
        .effect = effect,
        .scales = last->scales,
        .contact = contact,
        .body = body,
        .value = last->value,
    };
}

/* Above this b11 / b22 the slower of the two frequencies is lost in the rounding of the faster. */
static const double most_unequal = 1e24;

static bool is_outside(const imp_compliant_cell *c) {
    const imp_contact *b = c->contact;
    bool lost = !b->constrained && b->b11 > most_unequal * b->b22;
    return b->outside || lost || !(c->effect <= most_effect);
}

static imp_outcome outcome_of(const imp_compliant_cell *c, const imp_compliant_result *result) {
    bool lost = result->outcome == IMP_SOLVED && !imp_compliant_representable(c, result);
    return lost ? IMP_NOT_FINITE : result->outcome;
}

/* Evaluations that are ample for a contact whose phases end. */
static const int64_t ample = 200000;

static int64_t first_budget(int64_t budget) {
    return budget < ample ? budget : ample;
}

/* Exactly where two sequences of phases meet, phases may follow one another without end, or an
 * event may not be found. Then a neighbour within rounding takes the place of *problem. Returns
 * false if no neighbour is solved. */
static bool move_aside(imp_compliant_problem *problem, imp_compliant_solve *by,
                       imp_compliant_memory *known) {
    static const double distances[] = {1e-12, -1e-12, 1e-11};
    for (int k = 0; k < IMP_COUNT(distances); k++) {
        imp_compliant_problem neighbour = *problem;
        neighbour.observer = NULL;
        neighbour.account = NULL;
        neighbour.mu += fabs(distances[k]) + distances[k] * problem->mu;
        if (!problem->constrained) {
            neighbour.v_t += distances[k] * (1 + fabs(problem->v_t));
        }
        if (by(&neighbour, known).outcome == IMP_SOLVED) {
            neighbour.observer = problem->observer;
            neighbour.account = problem->account;
            *problem = neighbour;
            return true;
        }
    }
    return false;
}

static bool is_lost(imp_outcome outcome) {
    return outcome != IMP_SOLVED && outcome != IMP_OUTSIDE;
}

/* Solves a problem again that the first budget did not solve: as a neighbour, which takes the place
 * of *problem, or with the whole budget. */
__attribute__((noinline, cold)) static imp_compliant_result
solve_again(imp_compliant_problem *problem, imp_compliant_solve *by, imp_compliant_memory *known,
            int64_t budget, const imp_compliant_result *lost) {
    bool moved = move_aside(problem, by, known);
    if (!moved && (lost->outcome != IMP_BUDGET || budget <= ample)) {
        return *lost;
    }
    problem->budget = moved ? problem->budget : budget;
    if (problem->observer) {
        problem->observer->restart(problem->observer);
    }
    return by(problem, known);
}

/* Solves a cell whose energies or forces are wanted. */
static imp_outcome solve_with_account(const imp_compliant_cell *c, imp_compliant_problem problem,
                                      imp_compliant_solve *by, imp_compliant_memory *known,
                                      const wants *wanted, int64_t budget, double *const *out,
                                      size_t i) {
    imp_account account = imp_account_open(wanted->peaks);
    problem.observer = wanted->account ? &account.observer : NULL;
    imp_compliant_result result = by(&problem, known);
    if (is_lost(result.outcome)) {
        result = solve_again(&problem, by, known, budget, &result);
    }
    imp_outcome outcome = outcome_of(c, &result);
    if (outcome == IMP_SOLVED) {
        imp_compliant_put(c, &result, &account, out, i);
    }
    return outcome;
}

/* A cell that is solved together with others. */
typedef struct place {
    imp_compliant_cell cell;
    memory memory; /* to which the cell points */
    imp_account account;
    size_t i;
} place;

enum { BLOCK = 64 };

/* Enters cell i, with an account of its own; false if it lies outside. */
static bool enter(const imp_body *body, const imp_compliant_law *law, const double *const *in,
                  size_t i, memory *last, place *to) {
    double of_law[MOST_LAW_PARAMETERS];
    imp_gather(in + N_PARAMETERS + body->option.n_parameters, i, law->option.n_parameters, of_law);
    to->cell = cell_at(body, law, in, i, of_law, last);
    law->enter(of_law, to->cell.speed, &last->problem);
    if (is_outside(&to->cell)) {
        return false;
    }
    to->memory = *last;
    to->cell.contact = &to->memory.contact;
    to->cell.value = to->memory.value;
    to->account = imp_account_open(last->wanted.peaks);
    to->memory.problem.account = last->wanted.account ? &to->account : NULL;
    to->memory.problem.observer = last->wanted.account ? &to->account.observer : NULL;
    to->i = i;
    return true;
}

/* Solves the cells of some places together. */
static void solve_block(const imp_compliant_law *law, place *places, size_t n, int64_t budget,
                        double *const *out, uint8_t *outcome) {
    const imp_compliant_problem *problem[BLOCK];
    imp_compliant_result result[BLOCK];
    imp_compliant_memory known = {.loading = {.a = 0}};
    for (size_t k = 0; k < n; k++) {
        problem[k] = &places[k].memory.problem;
    }
    law->solve_many(problem, n, result);
    for (size_t k = 0; k < n; k++) {
        place *at = &places[k];
        if (is_lost(result[k].outcome)) {
            result[k] = solve_again(&at->memory.problem, law->solve, &known, budget, &result[k]);
        }
        outcome[at->i] = (uint8_t)outcome_of(&at->cell, &result[k]);
        if (outcome[at->i] == IMP_SOLVED) {
            bool energies = at->memory.wanted.energies;
            imp_compliant_put(&at->cell, &result[k], energies ? &at->account : NULL, out, at->i);
        }
    }
}

static imp_err solve_together(const imp_instance *instance, size_t n, const double *const *in,
                              double *const *out, uint8_t *outcome) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    const imp_compliant_law *law = imp_compliant_law_at(instance->chosen[LAW]);
    memory last = {.wanted = wants_of(out), .budget = first_budget(instance->budget)};
    place places[BLOCK];
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t end = n - first < BLOCK ? n : first + BLOCK, count = 0;
        for (size_t i = first; i < end; i++) {
            outcome[i] = IMP_OUTSIDE;
            count += enter(body, law, in, i, &last, &places[count]);
        }
        solve_block(law, places, count, instance->budget, out, outcome);
    }
    return IMP_OK;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    const imp_compliant_law *law = imp_compliant_law_at(instance->chosen[LAW]);
    memory last = {.wanted = wants_of(out), .budget = first_budget(instance->budget)};
    imp_compliant_memory known = {.loading = {.a = 0}};
    if (law->solve_many) {
        return solve_together(instance, n, in, out, outcome);
    }
    for (size_t i = 0; i < n; i++) {
        double of_law[MOST_LAW_PARAMETERS];
        imp_gather(in + N_PARAMETERS + body->option.n_parameters, i, law->option.n_parameters,
                   of_law);
        imp_compliant_cell c = cell_at(body, law, in, i, of_law, &last);
        if (is_outside(&c)) {
            outcome[i] = IMP_OUTSIDE;
            continue;
        }
        imp_compliant_solve *by = law->enter(of_law, c.speed, &last.problem);
        if (last.wanted.energies) {
            outcome[i] = (uint8_t)solve_with_account(&c, last.problem, by, &known, &last.wanted,
                                                     instance->budget, out, i);
            continue;
        }
        imp_compliant_result result = by(&last.problem, &known);
        if (is_lost(result.outcome)) {
            imp_compliant_problem problem = last.problem;
            result = solve_again(&problem, by, &known, instance->budget, &result);
        }
        outcome[i] = (uint8_t)outcome_of(&c, &result);
        if (outcome[i] == IMP_SOLVED) {
            imp_compliant_put(&c, &result, NULL, out, i);
        }
    }
    return IMP_OK;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    const imp_compliant_law *law = imp_compliant_law_at(instance->chosen[LAW]);
    const double *in[IMP_MAX_PARAMETERS];
    int first = N_PARAMETERS + body->option.n_parameters;
    imp_spread(value, in);
    memory last = {.wanted = {.turn = true, .time = true},
                   .budget = first_budget(instance->budget)};
    imp_compliant_cell c = cell_at(body, law, in, 0, value + first, &last);
    if (is_outside(&c)) {
        *outcome = IMP_OUTSIDE;
        return IMP_OK;
    }
    imp_compliant_solve *by = law->enter(value + first, c.speed, &last.problem);
    imp_compliant_problem alone = last.problem;
    imp_compliant_memory known = {.loading = {.a = 0}};
    imp_compliant_result result = by(&alone, &known);
    if (is_lost(result.outcome)) {
        result = solve_again(&alone, by, &known, instance->budget, &result);
    }
    alone.budget = instance->budget;
    *outcome = outcome_of(&c, &result);
    if (*outcome != IMP_NOT_FINITE) { /* its rows would not be finite either */
        *outcome = imp_compliant_record(alone, by, &c.scales, c.speed, recorder);
    }
    return IMP_OK;
}

const imp_theory imp_theory_compliant = {
    .name = "compliant",
    .title = "two springs at the contact, stick and slip in time",
    .source = "Stronge 1994; Birlik 2012 (thesis, pendulum); Parameters Affecting Mechanical "
              "Collisions (thesis, Oregon State University)",
    .residual =
        "energy: initial kinetic energy = final energy + losses (friction, restitution, "
        "damping); law coupled: momentum, because the forces of that law have no potential energy",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 6,
    /* The evaluations in stick grow with the ratio of the frequencies: 85,000 at an inertia
     * coupling of 1 - 1e-10. */
    .budget = 4000000,
    .parameters = imp_compliant_parameters,
    .n_parameters = N_PARAMETERS,
    .choices = imp_compliant_choices,
    .n_choices = N_CHOICES,
    .outputs = imp_compliant_outputs,
    .n_outputs = IMP_COMPLIANT_N_OUTPUTS,
    .modes = imp_compliant_modes,
    .n_modes = IMP_COMPLIANT_MODES,
    .unit_parameters = imp_compliant_units,
    .n_unit_parameters = IMP_COMPLIANT_UNITS,
    .has_output = imp_compliant_has_output,
    .solve = solve,
    .history = &imp_compliant_history,
    .trace = trace,
};
