/* A plane body falls, strikes the plane with one point after another, and comes to rest. */
#include <math.h>

#include "bodies/planar/body.h"
#include "models/bounce/cell.h"
#include "models/bounce/history.h"
#include "models/bounce/outputs.h"
#include "models/theory.h"

enum {
    RESTITUTION,
    FRICTION,
    GRAVITY,
    TILT,
    DROP,
    VELOCITY_T,
    VELOCITY_N,
    SPIN,
    COUNT_ABOVE,
    N_PARAMETERS
};
enum { BODY, LAW, N_CHOICES };

/* ---- parameters ---- */

static const imp_parameter restitution = {
    .name = "restitution",
    .unit = "1",
    .meaning = "coefficient of restitution, as defined by the chosen law",
    .low = 0,
    .high = 1,
    .fallback = NAN,
    .example = 0.5,
};
static const imp_parameter gravity = {
    .name = "gravity",
    .unit = "m/s^2",
    .meaning = "acceleration toward the plane",
    IMP_RANGE_NOT_NEGATIVE,
    .fallback = 1,
    .example = 9.81,
};
static const imp_parameter tilt = {
    .name = "tilt",
    .unit = "rad",
    .meaning = "angle of the body at the drop, from t toward n",
    IMP_RANGE_FINITE,
    .fallback = 0,
    .example = 0.4,
};
static const imp_parameter drop = {
    .name = "drop",
    .unit = "m",
    .meaning = "gap between the plane and the lowest point of the body at the drop",
    IMP_RANGE_NOT_NEGATIVE,
    .fallback = NAN,
    .example = 1,
    .limits = "the body does not start below the plane",
};
#define VELOCITY(called, says, some)                                                               \
    {                                                                                              \
        .name = called, .unit = "m/s", .meaning = says, IMP_RANGE_FINITE, .fallback = 0,           \
        .example = some                                                                            \
    }
static const imp_parameter velocity_t =
    VELOCITY("velocity_t", "velocity of the mass centre along t at the drop", 0.3);
static const imp_parameter velocity_n =
    VELOCITY("velocity_n",
             "velocity of the mass centre along n at the drop, positive away from the plane", -0.2);
static const imp_parameter spin = {
    .name = "spin",
    .unit = "rad/s",
    .meaning = "angular velocity at the drop, positive from t to n",
    IMP_RANGE_FINITE,
    .fallback = 0,
    .example = 0.5,
};
static const imp_parameter count_above = {
    .name = "count_above",
    .unit = "1",
    .meaning = "least speed of approach of a counted impact over that of the first impact",
    .low = 1e-6,
    .high = 1,
    .high_open = true,
    .fallback = 0.01,
    .example = 0.01,
};

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [RESTITUTION] = &restitution,
    [FRICTION] = &imp_parameter_friction,
    [GRAVITY] = &gravity,
    [TILT] = &tilt,
    [DROP] = &drop,
    [VELOCITY_T] = &velocity_t,
    [VELOCITY_N] = &velocity_n,
    [SPIN] = &spin,
    [COUNT_ABOVE] = &count_above,
};

/* Of the springs. */
enum { STIFFNESS_RATIO, POISSON_RATIO, N_SPRINGS };
static const imp_parameter stiffness_ratio = {
    .name = "stiffness_ratio",
    .unit = "1",
    .meaning = "normal over tangential stiffness at the points",
    IMP_RANGE_POSITIVE,
    .fallback = NAN,
    .example = 1.21,
    .limits = "the springs need a restitution above 0",
};
static const imp_parameter *const of_springs[N_SPRINGS] = {
    [STIFFNESS_RATIO] = &stiffness_ratio, [POISSON_RATIO] = &imp_parameter_poisson_ratio};

static const imp_option newton = {"newton", "the coefficient is the kinematic restitution", NULL, 0,
                                  .without_petsc = NULL};
static const imp_option poisson = {"poisson", "the coefficient is the kinetic restitution", NULL, 0,
                                   .without_petsc = NULL};
static const imp_option energetic = {"energetic", "the coefficient is the energetic restitution",
                                     NULL, 0, .without_petsc = NULL};
static const imp_option compliant = {
    "compliant",
    "two linear springs, as law linear of compliant: the coefficient is the energetic restitution "
    "of the normal one, above 0; impacts take no time, whatever the stiffness",
    of_springs, N_SPRINGS, .without_petsc = NULL};
static const imp_option *const laws[IMP_BOUNCE_LAWS] = {[IMP_BOUNCE_NEWTON] = &newton,
                                                        [IMP_BOUNCE_POISSON] = &poisson,
                                                        [IMP_BOUNCE_ENERGETIC] = &energetic,
                                                        [IMP_BOUNCE_COMPLIANT] = &compliant};
static const imp_choice choices[N_CHOICES] = {
    [BODY] = {"body", "the body that falls", imp_bounce_bodies, IMP_BOUNCE_BODIES, -1},
    [LAW] = {"law", "law of restitution", laws, IMP_BOUNCE_LAWS, IMP_BOUNCE_ENERGETIC},
};

/* ---- cells ---- */

/* Enters the parameters of a cell; false if they describe no body. */
static bool enter(const imp_instance *instance, const double *value, imp_bounce_problem *p) {
    int body = instance->chosen[BODY];
    const double *of_body = value + N_PARAMETERS;
    const double *of_law = of_body + imp_bounce_bodies[body]->n_parameters;
    bool springs = instance->chosen[LAW] == IMP_BOUNCE_COMPLIANT;
    *p = (imp_bounce_problem){.law = (imp_bounce_law)instance->chosen[LAW],
                              .restitution = value[RESTITUTION],
                              .friction = value[FRICTION],
                              .stiffness_ratio = springs ? of_law[STIFFNESS_RATIO] : 0,
                              .gravity = value[GRAVITY],
                              .tilt = value[TILT],
                              .drop = value[DROP],
                              .velocity_t = value[VELOCITY_T],
                              .velocity_n = value[VELOCITY_N],
                              .spin = value[SPIN],
                              .count_above = value[COUNT_ABOVE],
                              .budget = instance->budget};
    return imp_bounce_body_of(body, of_body, &p->body);
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    int springs = instance->chosen[LAW] == IMP_BOUNCE_COMPLIANT;
    int bodies_own = imp_bounce_bodies[instance->chosen[BODY]]->n_parameters;
    int n_values = N_PARAMETERS + bodies_own + springs; /* without what stands for another */
    for (size_t i = 0; i < n; i++) {
        imp_bounce_problem problem;
        double value[IMP_MAX_PARAMETERS];
        imp_gather(in, i, n_values, value);
        if (!enter(instance, value, &problem)) {
            outcome[i] = IMP_OUTSIDE;
            continue;
        }
        imp_bounce_cell c;
        imp_bounce_run(&problem, &c);
        outcome[i] = (uint8_t)c.outcome;
        if (c.outcome == IMP_SOLVED) {
            imp_bounce_put(&c, out, i);
        }
    }
    return IMP_OK;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    imp_bounce_problem problem;
    bool good = enter(instance, value, &problem);
    *outcome = good ? imp_bounce_record(problem, recorder) : IMP_OUTSIDE;
    return IMP_OK;
}

const imp_theory imp_theory_bounce = {
    .name = "bounce",
    .title = "plane body that falls, strikes, bounces and comes to rest",
    .source = "Routh 1897; Brach 1993; Stronge 1994; complete chatter: Zeno's sum to second order",
    .residual = "energy: initial energy = energy at the end + works of all impacts + work of "
                "friction in lasting contact",
    .symbols = "t: direction in the plane; n: direction out of the plane toward the body; "
               "sequence 2 1: point 2 strikes, then point 1",
    .results_version = 4,
    .budget = 100000,
    .parameters = parameters,
    .n_parameters = N_PARAMETERS,
    .choices = choices,
    .n_choices = N_CHOICES,
    .outputs = imp_bounce_outputs,
    .n_outputs = IMP_BOUNCE_N_OUTPUTS,
    .modes = imp_bounce_modes,
    .n_modes = IMP_BOUNCE_N_MODES,
    .solve = solve,
    .history = &imp_bounce_history,
    .trace = trace,
};
