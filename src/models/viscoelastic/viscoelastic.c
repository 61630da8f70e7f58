/* A plane body that turns while a point of it is in contact with a viscoelastic surface. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "bodies/planar/body.h"
#include "bodies/planar/motion.h"
#include "models/crowd.h"
#include "models/theory.h"
#include "models/viscoelastic/rod.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/trigonometry.h"

enum {
    VELOCITY_RATIO,
    FRICTION,
    DAMPING,
    STIFFNESS,
    EXPONENT,
    MASS,
    NORMAL_SPEED,
    SPIN,
    N_PARAMETERS
};
/* Behind them those of the body. */
enum { ANGLE = N_PARAMETERS, LENGTH };
enum { OFFSET_T = N_PARAMETERS, OFFSET_N, GYRATION_RADIUS };
enum {
#define OUTPUT(code, ...) code,
#include "models/viscoelastic/outputs.def"
    N_OUTPUTS
};
enum { BODY, STICK_RULE, N_CHOICES };
enum { ROD, LAMINA };
enum { LATCHED, COULOMB };

/* ---- parameters ---- */

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [VELOCITY_RATIO] = &imp_parameter_velocity_ratio,
    [FRICTION] = &imp_parameter_friction,
    [DAMPING] = IMP_PARAMETER("damping", "s/m",
                              "damping of the surface: the normal force is normal_stiffness "
                              "penetration^exponent (1 - damping v_n)",
                              IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 1.69),
    [STIFFNESS] =
        IMP_PARAMETER("normal_stiffness", "N/m^exponent",
                      "stiffness of the surface: normal force over the penetration to the power "
                      "exponent",
                      IMP_RANGE_POSITIVE, .fallback = 1000, .example = 1000),
    [EXPONENT] = IMP_PARAMETER("exponent", "1", "power of the penetration in the normal force",
                               .low = 1, .high = 5, .fallback = 1, .example = 1),
    [MASS] = &imp_parameter_mass,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
    [SPIN] = IMP_PARAMETER("initial_spin", "rad/s",
                           "initial angular velocity, positive from t to n; velocity_ratio and "
                           "normal_speed are those of the tip",
                           IMP_RANGE_FINITE, .fallback = 0, .example = 0),
};

static const imp_parameter *const of_rod[] = {
    IMP_PARAMETER("angle", "rad",
                  "angle from the plane's normal to the rod at first contact, positive when the "
                  "rod leans toward -t; a cell has the outcome outside if the rod's other end "
                  "reaches the surface before separation: length cos(angle) = penetration",
                  .low = -IMP_PI / 2, .high = IMP_PI / 2, .low_open = true, .high_open = true,
                  .fallback = -IMP_PI / 4, .example = -IMP_PI / 4),
    &imp_parameter_length};
static const imp_parameter *const of_lamina[] = {&imp_parameter_offset_t, &imp_parameter_offset_n,
                                                 &imp_parameter_gyration_radius};
static const imp_option *const bodies[] = {
    [ROD] = IMP_OPTION_WITH("rod", "slender rod that touches with the tip", of_rod),
    [LAMINA] = IMP_OPTION_WITH("lamina",
                               "plane body that touches with one point throughout, given by the "
                               "place relative to the mass centre",
                               of_lamina),
};
static const imp_option *const stick_rules[] = {
    [LATCHED] = IMP_OPTION("latched", "a tip that sticks does so to the end"),
    [COULOMB] = IMP_OPTION("coulomb", "stick breaks at the limit of friction"),
};
static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_CHOICE("body", "the body that meets the surface", bodies, ROD),
    [STICK_RULE] = IMP_CHOICE("stick_rule", "how long stick lasts", stick_rules, LATCHED),
};

/* ---- outputs ---- */

static const imp_output outputs[N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [code] = __VA_ARGS__,
#include "models/viscoelastic/outputs.def"
};

static const imp_mode modes[] = {
    {IMP_VISCOELASTIC_SLIP, "slip", "slips in one direction from first touch to separation"},
    {IMP_VISCOELASTIC_SLIP_STICK, "slip_stick",
     "slips to a halt, then sticks; what follows is in the sequence"},
    {IMP_VISCOELASTIC_SLIP_REVERSED, "slip_reversed", "slips to a halt, then slips back"},
    {IMP_VISCOELASTIC_STICK, "stick", "sticks from first touch; what follows is in the sequence"},
};

/* Other theories' modes without slip, or with stick to the end, mean more than those here. */
static const imp_agreement agreements[] = {{"slip", "gross_slip"}, {"slip_stick", "slip_to_stick"}};

static const char *const unit_parameters[] = {"mass", "length", "normal_stiffness", "normal_speed"};

/* ---- cells ---- */

/* A body in units of its mass and of a length: `size`, in m. */
typedef struct shape {
    double size, lever, lightness, angle;
    bool ends;
} shape;

/* The unit is the length of a rod, the gyration radius of a lamina. */
static shape shape_at(int body, const double *const *in, size_t i) {
    if (body == ROD) {
        return (shape){.size = in[LENGTH][i],
                       .lever = 0.5,
                       .lightness = 12,
                       .angle = -in[ANGLE][i],
                       .ends = true};
    }
    double size = in[GYRATION_RADIUS][i], t = in[OFFSET_T][i] / size, n = in[OFFSET_N][i] / size;
    double lever = sqrt(t * t + n * n);
    return (shape){.size = size,
                   .lever = lever,
                   .lightness = 1,
                   .angle = lever > 0 ? imp_heading(-t, -n) : 0,
                   .ends = false};
}

static imp_viscoelastic_problem problem_at(const imp_instance *instance, const double *const *in,
                                           size_t i, imp_contact_units *u) {
    shape of = shape_at(instance->chosen[BODY], in, i);
    double speed = in[NORMAL_SPEED][i], size = of.size, m = in[MASS][i];
    double power = in[EXPONENT][i];
    *u = (imp_contact_units){
        .time = size / speed, .length = size, .speed = speed, .impulse = m * speed};
    return (imp_viscoelastic_problem){
        .lever = of.lever,
        .lightness = of.lightness,
        .ends = of.ends,
        .angle = of.angle,
        .v_t = in[VELOCITY_RATIO][i],
        .spin = 0.0 - in[SPIN][i] * u->time,
        .friction = in[FRICTION][i],
        .stiffness = in[STIFFNESS][i] * imp_power(size, power - 1) * (u->time * u->time / m),
        .exponent = power,
        .damping = in[DAMPING][i] * speed,
        .latched = instance->chosen[STICK_RULE] == LATCHED,
        .budget = instance->budget,
    };
}

/* B times the mass is [[along, -turn s c], [-turn s c, across]]. */
#define BODY_A (along / across)
#define BODY_C (-turn * s * c / across)
#define BODY_LIGHTNESS (across * u->speed / u->impulse)

static void put_cell(const imp_viscoelastic_problem *p, const imp_viscoelastic_result *r,
                     const imp_contact_units *u, double *const *out, size_t i) {
    double kinetic = (r->p_n - r->p_n_compression) / r->p_n_compression;
    imp_sincos at = imp_sine_cosine(p->angle);
    double s = at.sine, c = at.cosine, whole = r->initial;
    /* v.B^-1.v / 2; the determinant of B times the mass is 1 + turn. */
    double turn = p->lightness * p->lever * p->lever;
    double across = 1 + turn * s * s, along = 1 + turn * c * c;
    double part = (across * p->v_t * p->v_t - 2 * turn * s * c * p->v_t + along) / (2 * (1 + turn));
#define OUTPUT(code, value, ...) IMP_PUT_ROW(outputs, code, r->mode, value)
#include "models/viscoelastic/outputs.def"
}

/* Whether every output is finite in the cell's units. */
static bool representable(const imp_viscoelastic_problem *p, const imp_viscoelastic_result *r,
                          const imp_contact_units *u) {
    const double largest = 1e150;
    double impulse = imp_larger(fabs(r->p_t), r->p_n),
           size = imp_larger(fabs(r->v_t), fabs(r->tip_t));
    return u->time < largest && u->time > 1 / largest && u->impulse < largest &&
           u->speed < largest && u->length < largest && impulse < largest && size < largest &&
           impulse * u->impulse < largest && fabs(r->w) < largest && r->p_n_compression > 0 &&
           r->work_c < 0 && fabs(r->change) < largest && fabs(p->v_t) < largest &&
           r->tip_n < largest && r->p_n > 0 &&
           u->impulse * u->speed * (1 + p->v_t * p->v_t) < largest && fabs(p->spin) < largest &&
           u->impulse * u->speed * r->initial < largest;
}

/* Squares of velocities are finite. */
static bool is_possible(const imp_viscoelastic_problem *p) {
    const double largest = 1e150;
    return p->stiffness < INFINITY && p->stiffness > 0 && p->damping < INFINITY &&
           fabs(p->spin) < largest && fabs(p->v_t) < largest && p->lever <= IMP_LONGEST_LEVER;
}

/* ---- batches ---- */

/* A cell in progress, and its place: a lane of a block, which is its own as long as the batch
 * lasts. */
typedef struct cell {
    int wait; /* 1 while it takes steps */
    imp_viscoelastic_block *block;
    int lane;
    imp_contact_units units;
    imp_viscoelastic_problem problem;
    imp_viscoelastic_march march;
} cell;

static bool begin(void *task, const imp_instance *instance, const double *const *in, size_t i) {
    cell *c = task;
    c->problem = problem_at(instance, in, i, &c->units);
    c->wait = is_possible(&c->problem);
    if (c->wait) {
        imp_viscoelastic_begin(&c->march, &c->problem, c->block, c->lane);
    } else {
        c->march.result.outcome = IMP_NOT_FINITE;
    }
    return true;
}

static void go_on(void *const *tasks, int n) {
    imp_viscoelastic_round(((const cell *)tasks[0])->block);
    for (int k = 0; k < n; k++) {
        cell *c = tasks[k];
        c->wait = imp_viscoelastic_go_on(&c->march);
    }
}

static imp_outcome end(void *task, double *const *out, size_t i) {
    const cell *c = task;
    const imp_viscoelastic_result *r = &c->march.result;
    if (r->outcome == IMP_SOLVED && !representable(&c->problem, r, &c->units)) {
        return IMP_NOT_FINITE;
    }
    if (r->outcome == IMP_SOLVED) {
        put_cell(&c->problem, r, &c->units, out, i);
    }
    return r->outcome;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    static const imp_crowd_rules rules = IMP_CROWD_RULES(cell, wait, 1);
    imp_viscoelastic_block block;
    cell cells[IMP_CROWD_CELLS(1)];
    memset(&block, 0, sizeof block);
    for (int lane = 0; lane < IMP_MOST_LANES; lane++) {
        cells[lane].block = &block;
        cells[lane].lane = lane;
    }
    return imp_crowd_solve(&rules, cells, instance, n, in, out, outcome);
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    imp_contact_units u;
    imp_spread(value, in);
    imp_viscoelastic_problem problem = problem_at(instance, in, 0, &u);
    imp_viscoelastic_result result = {.outcome = IMP_NOT_FINITE};
    if (is_possible(&problem)) {
        result = imp_viscoelastic_solve(&problem);
        bool lost = result.outcome == IMP_SOLVED && !representable(&problem, &result, &u);
        result.outcome = lost ? IMP_NOT_FINITE : result.outcome;
    }
    *outcome = result.outcome;
    if (*outcome != IMP_NOT_FINITE) { /* its rows would not be finite either */
        *outcome = imp_viscoelastic_record(problem, &u, recorder);
    }
    return IMP_OK;
}

const imp_theory imp_theory_viscoelastic = {
    .name = "viscoelastic",
    .title = "body that turns while a point of it presses into a viscoelastic surface",
    .source = "Brach 1993 (Int. J. Impact Engng 13)",
    .residual =
        "energy: work of the normal and the tangential force = change of the kinetic energy",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 8,
    /* Evaluations of the forces; a contact needs about two thousand. */
    .budget = 1000000,
    IMP_THEORY_TABLES(parameters, choices, outputs, modes),
    IMP_THEORY_UNITS(unit_parameters),
    IMP_THEORY_AGREEMENTS(agreements),
    .solve = solve,
    .history = &imp_viscoelastic_history,
    .trace = trace,
};
