/* Rigid impact with Coulomb friction in the impulse plane, under a law of restitution. */
#include <string.h>

#include "bodies/planar/choice.h"
#include "bodies/planar/motion.h"
#include "models/impulse.h"
#include "models/rigid/laws.h"
#include "models/rigid/outputs.h"
#include "models/theory.h"
#include "models/yielding.h"
#include "num/lanes/gather.h"

enum { RESTITUTION, NORMAL_SPEED, YIELD_SPEED, N_PARAMETERS };

/* ---- parameters ---- */

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [RESTITUTION] = &imp_parameter_restitution,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
    [YIELD_SPEED] = &imp_parameter_yield_speed,
};

static const imp_choice choices[IMP_RIGID_N_CHOICES] = {
    [IMP_RIGID_BODY] = IMP_BODY_CHOICE,
    [IMP_RIGID_LAW] =
        IMP_CHOICE("law", "law of restitution", imp_rigid_laws, IMP_RIGID_LAW_energetic),
};

static const char *const unit_parameters[] = {"mass", "normal_speed"};

/* ---- cells ---- */

/* Data that cells of one signature share, and the body of the cell before. */
typedef struct run {
    int law;
    imp_rigid_more more;
    const double *const *in, *const *of_body, *const *of_law;
    bool turns, energies; /* an angular velocity is wanted; the kinetic energy of the body */
    imp_contact_memory memory;
    imp_turning part[IMP_MAX_PARTS];
    imp_rigid_problem scaled;
    double lightness; /* 1 / b22 */
    double inverse;   /* 1 / (2 determinant) */
} run;

/* Sets the body of cell i, unless it is the body of the cell before. */
static void recall(run *r, size_t i) {
    const imp_contact *contact = &r->memory.contact;
    if (imp_contact_recall(&r->memory, r->of_body, i)) {
        r->lightness = 1 / contact->b22;
        r->scaled.a = contact->b11 * r->lightness;
        r->scaled.c = contact->b12 * r->lightness;
        r->scaled.determinant = contact->determinant * r->lightness * r->lightness;
        r->scaled.constrained = contact->constrained;
        r->inverse = 0.5 / r->scaled.determinant;
        if (r->turns) {
            r->memory.body->turning(r->memory.value, r->part);
        }
    }
}

/* Enters what cells with the body of the cell recalled last have in common, from `at` to `end`. */
static void enter_body(const run *r, imp_rigid_block *b, size_t at, size_t end) {
    const imp_rigid_problem p = r->scaled;
    const double mass = r->memory.contact.mass, b22 = r->memory.contact.b22;
    for (size_t i = at; i < end; i++) {
        b->problem.a[i] = p.a;
        b->problem.c[i] = p.c;
        b->problem.determinant[i] = p.determinant;
        b->problem.constrained[i] = p.constrained;
        b->mass[i] = mass;
        b->b22[i] = b22;
    }
    const imp_turning part[IMP_MAX_PARTS] = {r->part[0], r->part[1]};
    for (size_t i = at; r->turns && i < end; i++) {
        b->arm_t[i] = part[0].arm_t;
        b->arm_n[i] = part[0].arm_n;
        for (int k = 0; k < IMP_MAX_PARTS; k++) {
            b->initial_turn[k][i] = part[k].initial;
            b->per_t[k][i] = part[k].per_t;
            b->per_n[k][i] = part[k].per_n;
            b->of_t[k][i] = part[k].of_t;
            b->of_n[k][i] = part[k].of_n;
        }
    }
}

/* Enters the velocities of n cells with the body of the cell recalled last, and what depends on
 * them. */
static void enter_velocities(const run *r, size_t first, size_t n, imp_rigid_block *b, size_t at) {
    const imp_contact_memory *memory = &r->memory;
    const imp_contact contact = memory->contact;
    const imp_rigid_problem p = r->scaled;
    const double *apart = memory->velocity >= 0 ? r->of_body[memory->velocity] + first : NULL;
    const double inverse = r->inverse, mass = contact.mass * r->lightness;
    for (size_t i = 0; i < n; i++) {
        double v_t = p.constrained != 0 ? -p.c : apart ? apart[i] : contact.velocity_ratio;
        double across = v_t + p.c; /* the part of v_t that no normal impulse produces */
        double speed =
            contact.normal_speed > 0 ? contact.normal_speed : r->in[NORMAL_SPEED][first + i];
        b->problem.v_t[at + i] = v_t;
        b->initial[at + i] = p.constrained != 0 ? 0.5 : 0.5 + across * across * inverse;
        b->speed[at + i] = speed;
        b->impulse[at + i] = mass * speed;
    }
    const imp_body *body = r->energies ? memory->body : NULL;
    for (size_t i = at; body && i < at + n; i++) {
        b->whole[i] =
            imp_motion_energy(body, memory->value, contact.mass, b->problem.v_t[i], b->speed[i]);
    }
}

/* Enters the parameters of n cells that do not concern the body, as the first ones of a block. */
static void enter_law(const run *r, size_t first, size_t n, imp_rigid_block *b) {
    memcpy(b->problem.e, r->in[RESTITUTION] + first, n * sizeof *b->problem.e);
    memcpy(b->problem.friction, r->of_law[IMP_RIGID_FRICTION] + first,
           n * sizeof *b->problem.friction);
    if (r->more == IMP_RIGID_WEIGHTS) {
        memcpy(b->problem.weight[0], r->of_law[IMP_RIGID_WEIGHT_POISSON] + first,
               n * sizeof *b->problem.e);
        memcpy(b->problem.weight[1], r->of_law[IMP_RIGID_WEIGHT_ENERGETIC] + first,
               n * sizeof *b->problem.e);
    }
    if (r->more == IMP_RIGID_CONE) {
        memcpy(b->cone, r->of_law[IMP_RIGID_CONE_OF_FRICTION] + first, n * sizeof *b->cone);
    }
}

/* Enters n cells, from cell `first` on, as a block; exists[i]: whether there is such a cell. */
static void enter_cells(run *r, size_t first, size_t n, imp_rigid_block *b, bool *exists) {
    enter_law(r, first, n, b);
    for (size_t at = 0, alike; at < n; at += alike) {
        alike = imp_contact_alike(&r->memory, r->of_body, first + at, n - at);
        recall(r, first + at);
        enter_body(r, b, at, at + alike);
        enter_velocities(r, first + at, alike, b, at);
        for (size_t i = at; i < at + alike; i++) {
            bool weighs = r->more != IMP_RIGID_WEIGHTS ||
                          b->problem.weight[0][i] + b->problem.weight[1][i] > 0;
            exists[i] = !r->memory.contact.outside && weighs;
        }
    }
    const double *yield_speed = r->in[YIELD_SPEED];
    imp_yield(b->problem.e, b->speed, yield_speed ? yield_speed + first : NULL, n);
}

/* Solves n cells from cell `first` on, as a block. */
static void solve_block(run *r, size_t first, size_t n, imp_rigid_block *b) {
    bool exists[IMP_RIGID_BLOCK];
    enter_cells(r, first, n, b, exists);
    imp_rigid_solve(r->law, b, n);
    for (size_t i = 0; i < n; i++) {
        b->result.outcome[i] = exists[i] ? b->result.outcome[i] : IMP_OUTSIDE;
        b->result.mode[i] = exists[i] ? b->result.mode[i] : IMP_RIGID_NONE;
    }
}

static run run_of(const int *chosen, const double *const *in) {
    const imp_body *body = imp_body_at(chosen[IMP_RIGID_BODY]);
    return (run){
        .law = chosen[IMP_RIGID_LAW],
        .more = imp_rigid_more_of[chosen[IMP_RIGID_LAW]],
        .in = in,
        .of_body = in + N_PARAMETERS,
        .of_law = in + N_PARAMETERS + body->option.n_parameters,
        .memory = imp_contact_memory_of(body),
    };
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    imp_rigid_block b = {.want_path = false};
    run r = run_of(instance->chosen, in);
    r.turns = r.memory.body->n_parts > 0 &&
              (out[IMP_RIGID_OF_ANGULAR_VELOCITY] || out[IMP_RIGID_OF_ANGULAR_VELOCITY_2] ||
               out[IMP_RIGID_OF_BODY_VELOCITY_T] || out[IMP_RIGID_OF_BODY_VELOCITY_N]);
    r.energies = out[IMP_RIGID_OF_BODY_ENERGY_LOSS] != NULL;
    for (size_t first = 0; first < n; first += IMP_RIGID_BLOCK) {
        size_t count = n - first < IMP_RIGID_BLOCK ? n - first : IMP_RIGID_BLOCK;
        solve_block(&r, first, count, &b);
        for (size_t i = 0; i < count; i++) {
            outcome[first + i] = (uint8_t)b.result.outcome[i];
        }
        imp_rigid_put(&b, count, first, out);
    }
    return IMP_OK;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    imp_spread(value, in);
    imp_rigid_block b = {.want_path = true};
    run r = run_of(instance->chosen, in);
    solve_block(&r, 0, 1, &b);
    *outcome = (imp_outcome)b.result.outcome[0];
    if (*outcome == IMP_SOLVED) {
        imp_rigid_path path;
        imp_rigid_result result;
        IMP_LOAD_COLUMNS(&b.path, IMP_RIGID_BLOCK, 0, &path);
        IMP_LOAD_COLUMNS(&b.result, IMP_RIGID_BLOCK, 0, &result);
        imp_rigid_record(b.problem.v_t[0], &path, &result, b.speed[0], b.impulse[0], recorder);
    }
    return IMP_OK;
}

static const imp_agreement agreements[] = {{"slide", "gross_slip"}};

const imp_theory imp_theory_rigid = {
    .name = "rigid",
    .title = "rigid body with friction, in the impulse plane",
    .source = "Routh 1897; Brach 1993; Stronge 1994; Baruh 2022 (compromise)",
    .residual = "energy: work of the normal and tangential impulses = change of kinetic energy, "
                "from the impulses and the velocities at both ends",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 5,
    .budget = INT64_MAX,
    IMP_THEORY_TABLES(parameters, choices, imp_rigid_outputs, imp_rigid_modes),
    IMP_THEORY_AGREEMENTS(agreements),
    IMP_THEORY_UNITS(unit_parameters),
    .has_output = imp_rigid_has_output,
    .solve = solve,
    .history = &imp_rigid_history,
    .trace = trace,
    .refuse = imp_body_refuse,
};
