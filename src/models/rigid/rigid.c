/* Rigid impact with Coulomb friction in the impulse plane, under a law of restitution. */
#include <math.h>

#include "bodies/planar/motion.h"
#include "models/rigid/history.h"
#include "models/rigid/impulse.h"
#include "models/rigid/laws.h"
#include "models/rigid/outputs.h"
#include "models/theory.h"

enum { RESTITUTION, NORMAL_SPEED, N_PARAMETERS };

/* ---- parameters ---- */

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [RESTITUTION] = &imp_parameter_restitution,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

static const imp_choice choices[IMP_RIGID_N_CHOICES] = {
    [IMP_RIGID_BODY] = IMP_BODY_CHOICE,
    [IMP_RIGID_LAW] = {"law", "law of restitution", imp_rigid_laws, IMP_RIGID_N_LAWS,
                       IMP_RIGID_LAW_energetic},
};

static const char *const unit_parameters[] = {"mass", "normal_speed"};

/* ---- cells ---- */

/* Data that cells of one signature share, and the body of the cell before. */
typedef struct run {
    int law;
    imp_rigid_more more;
    const double *const *in, *const *of_body, *const *of_law;
    bool turns; /* an angular velocity is wanted */
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
    r->scaled.v_t = contact->constrained ? -r->scaled.c : contact->velocity_ratio;
}

/* Enters cell i as `at` of a block. Returns whether there is such a cell. */
static bool enter_cell(run *r, size_t i, imp_rigid_block *b, size_t at) {
    const imp_contact *contact = &r->memory.contact;
    const imp_rigid_problem *p = &r->scaled;
    bool weighs = r->more == IMP_RIGID_WEIGHTS, prescribes = r->more == IMP_RIGID_CONE;
    recall(r, i);
    double across = p->v_t + p->c; /* the part of v_t that no normal impulse produces */
    b->a[at] = p->a;
    b->c[at] = p->c;
    b->determinant[at] = p->determinant;
    b->v_t[at] = p->v_t;
    b->e[at] = r->in[RESTITUTION][i];
    b->friction[at] = r->of_law[IMP_RIGID_FRICTION][i];
    b->weight[0][at] = weighs ? r->of_law[IMP_RIGID_WEIGHT_POISSON][i] : 1;
    b->weight[1][at] = weighs ? r->of_law[IMP_RIGID_WEIGHT_ENERGETIC][i] : 1;
    b->cone[at] = prescribes ? r->of_law[IMP_RIGID_CONE_OF_FRICTION][i] : 0;
    b->mass[at] = contact->mass;
    b->b22[at] = contact->b22;
    b->speed[at] = contact->normal_speed > 0 ? contact->normal_speed : r->in[NORMAL_SPEED][i];
    b->impulse[at] = contact->mass * r->lightness * b->speed[at];
    b->initial[at] = p->constrained ? 0.5 : 0.5 + across * across * r->inverse;
    b->constrained[at] = p->constrained;
    b->centre_t[at] = r->turns ? r->part[0].initial * r->part[0].arm_n : 0;
    b->centre_n[at] = r->turns ? -r->part[0].initial * r->part[0].arm_t : 0;
    b->whole[at] =
        imp_motion_energy(r->memory.body, r->memory.value, contact->mass, p->v_t, b->speed[at]);
    for (int k = 0; r->turns && k < IMP_MAX_PARTS; k++) {
        b->initial_turn[k][at] = r->part[k].initial;
        b->per_t[k][at] = r->part[k].per_t;
        b->per_n[k][at] = r->part[k].per_n;
    }
    return !contact->outside && b->weight[0][at] + b->weight[1][at] > 0;
}

/* Solves n cells from cell `first` on, as a block. */
static void solve_block(run *r, size_t first, size_t n, imp_rigid_block *b) {
    bool exists[IMP_RIGID_BLOCK];
    for (size_t i = 0; i < n; i++) {
        exists[i] = enter_cell(r, first + i, b, i);
    }
    imp_rigid_solve(r->law, b, n);
    for (size_t i = 0; i < n; i++) {
        b->outcome[i] = exists[i] ? b->outcome[i] : IMP_OUTSIDE;
        b->mode[i] = exists[i] ? b->mode[i] : IMP_RIGID_NONE;
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
    imp_rigid_block b = {.a = {0}};
    run r = run_of(instance->chosen, in);
    r.turns = r.memory.body->n_parts > 0 &&
              (out[IMP_RIGID_OF_ANGULAR_VELOCITY] || out[IMP_RIGID_OF_ANGULAR_VELOCITY_2] ||
               out[IMP_RIGID_OF_BODY_VELOCITY_T] || out[IMP_RIGID_OF_BODY_VELOCITY_N]);
    for (size_t first = 0; first < n; first += IMP_RIGID_BLOCK) {
        size_t count = n - first < IMP_RIGID_BLOCK ? n - first : IMP_RIGID_BLOCK;
        solve_block(&r, first, count, &b);
        for (size_t i = 0; i < count; i++) {
            outcome[first + i] = (uint8_t)b.outcome[i];
        }
        imp_rigid_put(instance, &b, count, first, out);
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
    *outcome = (imp_outcome)b.outcome[0];
    if (*outcome == IMP_SOLVED) {
        imp_rigid_path path = imp_rigid_path_at(&b, 0);
        imp_rigid_result result = imp_rigid_result_at(&b, 0);
        imp_rigid_record(r.scaled.v_t, &path, &result, b.speed[0], b.impulse[0], recorder);
    }
    return IMP_OK;
}

const imp_theory imp_theory_rigid = {
    .name = "rigid",
    .title = "rigid body with friction, in the impulse plane",
    .source = "Routh 1897; Brach 1993; Stronge 1994; Baruh 2022 (compromise)",
    .residual = "energy: work of the normal and tangential impulses = change of kinetic energy, "
                "from the impulses and the velocities at both ends",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 2,
    .budget = INT64_MAX,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .choices = choices,
    .n_choices = IMP_RIGID_N_CHOICES,
    .outputs = imp_rigid_outputs,
    .n_outputs = IMP_RIGID_N_OUTPUTS,
    .modes = imp_rigid_modes,
    .n_modes = IMP_RIGID_N_MODES,
    .unit_parameters = unit_parameters,
    .n_unit_parameters = IMP_COUNT(unit_parameters),
    .has_output = imp_rigid_has_output,
    .solve = solve,
    .history = &imp_rigid_history,
    .trace = trace,
};
