/* Rigid impact in space with friction: the direction of slip swerves. */

#include "bodies/spatial/choice.h"
#include "bodies/spatial/motion.h"
#include "models/crowd.h"
#include "models/swerve/flow.h"
#include "models/swerve/outputs.h"
#include "models/swerve/path.h"
#include "models/theory.h"
#include "models/yielding.h"
#include "num/larger.h"

enum { FRICTION, RESTITUTION, NORMAL_SPEED, YIELD_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };
static const imp_parameter *const parameters[N_PARAMETERS] = {
    [FRICTION] = &imp_parameter_friction,
    [RESTITUTION] = &imp_parameter_restitution,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
    [YIELD_SPEED] = &imp_parameter_yield_speed,
};

static const imp_parameter *const weights[] = {&imp_parameter_weight_poisson,
                                               &imp_parameter_weight_energetic};

static const imp_option *const laws[] = {
#define LAW(code, option) [IMP_SWERVE_##code] = option,
#include "models/swerve/laws.def"
};

static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_SPATIAL_CHOICE,
    [LAW] = IMP_CHOICE("law", "law of restitution", laws, IMP_SWERVE_ENERGETIC),
};

static const char *const unit_parameters[] = {"mass", "normal_speed"};

/* ---- cells ---- */

/* Only the compromise has weights. */
static void set_weights(imp_swerve_cell *c, const double *const *of_law, size_t i) {
    bool weighs = c->law == IMP_SWERVE_COMPROMISE;
    double poisson = weighs ? of_law[0][i] : 1, energetic = weighs ? of_law[1][i] : 1;
    double most = imp_larger(poisson, energetic);
    c->weight[0] = most > 0 ? poisson / most : 0;
    c->weight[1] = most > 0 ? energetic / most : 0;
}

/* Parameters of cell i: its body, flow and units. Returns false if the parameters describe no
 * body. */
static bool set_cell(imp_swerve_cell *c, const int *chosen, const double *const *in, size_t i) {
    const imp_spatial *body = imp_spatial_at(chosen[BODY]);
    c->body = body;
    imp_gather(in + N_PARAMETERS, i, body->option.n_parameters, c->value);
    c->law = (imp_swerve_law)chosen[LAW];
    c->restitution = in[RESTITUTION][i];
    set_weights(c, in + N_PARAMETERS + body->option.n_parameters, i);
    c->speed = in[NORMAL_SPEED][i];
    imp_yield(&c->restitution, &c->speed, in[YIELD_SPEED] ? in[YIELD_SPEED] + i : NULL, 1);
    c->contact = body->contact(c->value);
    c->impulse = c->contact.mass * c->speed;
    if (c->contact.outside || !(c->weight[0] + c->weight[1] > 0)) {
        return false;
    }
    c->flow = imp_swerve_flow_of(&c->contact, in[FRICTION][i]);
    return true;
}

static void touch(imp_swerve_cell *c, int64_t budget) {
    c->problem = (imp_swerve_problem){
        .contact = &c->contact,
        .flow = &c->flow,
        .law = c->law,
        .restitution = c->restitution,
        .weight = {c->weight[0], c->weight[1]},
        .budget = budget,
    };
    imp_swerve_begin(&c->path, &c->problem);
}

/* ---- batches ---- */

static bool begin(void *cell, const imp_instance *instance, const double *const *in, size_t i) {
    imp_swerve_cell *c = cell;
    if (!set_cell(c, instance->chosen, in, i)) {
        return false;
    }
    touch(c, instance->budget);
    return true;
}

/* The path is the first that a cell has. */
static void go_on(void *const *cells, int n) {
    imp_swerve_go_on((imp_swerve_path *const *)cells, n);
}

static imp_outcome end(void *cell, double *const *out, size_t i) {
    imp_swerve_cell *c = cell;
    imp_outcome outcome = imp_swerve_outcome(c);
    if (outcome == IMP_SOLVED) {
        imp_swerve_put(c, out, i);
    }
    return outcome;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    static const imp_crowd_rules rules =
        IMP_CROWD_RULES(imp_swerve_cell, path.wait, IMP_SWERVE_WAITS - 1);
    imp_swerve_cell cells[IMP_CROWD_CELLS(IMP_SWERVE_WAITS - 1)];
    return imp_crowd_solve(&rules, cells, instance, n, in, out, outcome);
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    imp_spread(value, in);
    imp_swerve_cell c;
    if (!set_cell(&c, instance->chosen, in, 0)) {
        *outcome = IMP_OUTSIDE;
        return IMP_OK;
    }
    touch(&c, instance->budget);
    imp_swerve_follow(&c.path);
    *outcome = imp_swerve_outcome(&c);
    if (*outcome != IMP_NOT_FINITE) {
        imp_swerve_record(&c.problem, &c.path.result, c.speed, c.impulse, recorder);
    }
    return IMP_OK;
}

static const imp_agreement agreements[] = {{"slip", "gross_slip"}, {"stick", "gross_stick"}};

const imp_theory imp_theory_swerve = {
    .name = "swerve",
    .title =
        "rigid impact in space as a function of the normal impulse; the direction of slip turns",
    .source = "Bhatt and Koechling 1995; Stronge 1994; Birlik 2012 (thesis, chapter 4)",
    .residual = "energy: half the impulse times the sum of the first and the last velocity = works "
                "of the normal force and of friction",
    .symbols = IMP_SPATIAL_SYMBOLS,
    .results_version = 8,
    .budget = 100000,
    IMP_THEORY_TABLES(parameters, choices, imp_swerve_outputs, imp_swerve_modes),
    IMP_THEORY_AGREEMENTS(agreements),
    IMP_THEORY_UNITS(unit_parameters),
    .has_output = imp_spatial_has_output,
    .solve = solve,
    .history = &imp_swerve_history,
    .trace = trace,
    .refuse = imp_spatial_refuse,
};
