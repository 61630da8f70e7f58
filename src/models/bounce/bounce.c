/* A plane body falls, strikes the plane with one point after another, and comes to rest. */
#include <math.h>

#include "bodies/planar/body.h"
#include "models/bounce/state.h"
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

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [RESTITUTION] = IMP_PARAMETER("restitution", "1",
                                  "coefficient of restitution, as defined by the chosen law",
                                  .low = 0, .high = 1, .fallback = NAN, .example = 0.5),
    [FRICTION] = &imp_parameter_friction,
    [GRAVITY] = IMP_PARAMETER("gravity", "m/s^2", "acceleration toward the plane",
                              IMP_RANGE_NOT_NEGATIVE, .fallback = 1, .example = 9.81),
    [TILT] = IMP_PARAMETER("tilt", "rad", "angle of the body at the drop, from t toward n",
                           IMP_RANGE_FINITE, .fallback = 0, .example = 0.4),
    [DROP] = IMP_PARAMETER("drop", "m",
                           "gap between the plane and the lowest point of the body at the drop",
                           IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = 1,
                           .limits = "the body does not start below the plane"),
    [VELOCITY_T] =
        IMP_PARAMETER("velocity_t", "m/s", "velocity of the mass centre along t at the drop",
                      IMP_RANGE_FINITE, .fallback = 0, .example = 0.3),
    [VELOCITY_N] = IMP_PARAMETER(
        "velocity_n", "m/s",
        "velocity of the mass centre along n at the drop, positive away from the plane",
        IMP_RANGE_FINITE, .fallback = 0, .example = -0.2),
    [SPIN] = IMP_PARAMETER("spin", "rad/s", "angular velocity at the drop, positive from t to n",
                           IMP_RANGE_FINITE, .fallback = 0, .example = 0.5),
    [COUNT_ABOVE] =
        IMP_PARAMETER("count_above", "1",
                      "least speed of approach of a counted impact over that of the first impact",
                      .low = 1e-6, .high = 1, .high_open = true, .fallback = 0.01, .example = 0.01),
};

/* Of the springs. */
enum { STIFFNESS_RATIO, POISSON_RATIO, N_SPRINGS };
static const imp_parameter *const of_springs[N_SPRINGS] = {
    [STIFFNESS_RATIO] =
        IMP_PARAMETER("stiffness_ratio", "1", "normal over tangential stiffness at the points",
                      IMP_RANGE_POSITIVE, .fallback = NAN, .example = 1.21,
                      .limits = "the springs need a restitution above 0"),
    [POISSON_RATIO] = &imp_parameter_poisson_ratio};

static const imp_option *const laws[IMP_BOUNCE_LAWS] = {
    [IMP_BOUNCE_NEWTON] = IMP_OPTION("newton", "the coefficient is the kinematic restitution"),
    [IMP_BOUNCE_POISSON] = IMP_OPTION("poisson", "the coefficient is the kinetic restitution"),
    [IMP_BOUNCE_ENERGETIC] =
        IMP_OPTION("energetic", "the coefficient is the energetic restitution"),
    [IMP_BOUNCE_COMPLIANT] = IMP_OPTION_WITH(
        "compliant",
        "two linear springs, as law linear of compliant: the coefficient is the energetic "
        "restitution of the normal one, above 0; impacts take no time, whatever the stiffness",
        of_springs),
};
static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_CHOICE("body", "the body that falls", imp_bounce_bodies, -1),
    [LAW] = IMP_CHOICE("law", "law of restitution", laws, IMP_BOUNCE_ENERGETIC),
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
    .results_version = 8,
    .budget = 100000,
    IMP_THEORY_TABLES(parameters, choices, imp_bounce_outputs, imp_bounce_modes),
    .solve = solve,
    .history = &imp_bounce_history,
    .trace = trace,
};
