/* Rigid impact with Coulomb friction in the impulse plane, under a law of restitution. */
#include <float.h>
#include <math.h>

#include "bodies/planar/body.h"
#include "models/rigid/history.h"
#include "models/rigid/impulse.h"
#include "models/rigid/laws.h"
#include "models/theory.h"

enum { RESTITUTION, NORMAL_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };
enum {
    MODE,
    SEQUENCE,
    KINEMATIC,
    KINETIC,
    ENERGETIC,
    VELOCITY_RATIO_OUT,
    NORMAL_IMPULSE,
    TANGENTIAL_IMPULSE,
    IMPULSE_RATIO_OUT,
    APPROACH_RATIO,
    REBOUND_RATIO,
    CRITICAL_RATIO,
    NEUTRAL_RATIO,
    NEUTRAL_RATIO_2,
    CONE,
    ENERGY_LOSS,
    BODY_ENERGY_LOSS,
    ENERGY_GAIN,
    PRODUCT,
    LAMBDA_NEWTON,
    LAMBDA_POISSON,
    LAMBDA_ENERGETIC,
    BODY_VELOCITY_T,
    BODY_VELOCITY_N,
    ANGULAR_VELOCITY,
    ANGULAR_VELOCITY_2,
    RESIDUAL,
    N_OUTPUTS
};

/* ---- parameters ---- */

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [RESTITUTION] = &imp_parameter_restitution,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

#define BODY(name) &imp_body_##name.option,
static const imp_option *const bodies[] = {
#include "bodies/planar/bodies.def"
};
#undef BODY

static const imp_choice choices[N_CHOICES] = {
    [BODY] = {"body", "the body that meets the plane", bodies, IMP_COUNT(bodies), -1},
    [LAW] = {"law", "law of restitution", imp_rigid_laws, IMP_RIGID_N_LAWS,
             IMP_RIGID_LAW_energetic},
};

/* ---- outputs ---- */

#define NO_SEPARATION IMP_MODE_BIT(IMP_RIGID_WEDGE)
#define NO_PHASES IMP_MODE_BIT(IMP_RIGID_PRESCRIBED)
#define REAL(called, in, says)                                                                     \
    .name = called, .unit = in, .meaning = says, .undefined_in = NO_SEPARATION
#define NO_COEFFICIENT .undefined_when = "restitution is 0 (below 1e-150)"
#define OVERFLOWS .undefined_when = "it is too large for a number"

enum { NO = 1, YES = 2 };
static const imp_mode gains[] = {
    {NO, "no", "energy is kept or lost"},
    {YES, "gains", "the body leaves with more energy than before the impact"}};
static const imp_mode sides[] = {
    {NO, "inside", "friction can supply the ratio of the impulses"},
    {YES, "outside", "the ratio of the impulses is above the coefficient of friction"}};

static const imp_output outputs[N_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [SEQUENCE] = {.name = "sequence",
                  .unit = "1",
                  .meaning = "contact phases in order, 2 bits each",
                  .kind = IMP_SEQUENCE,
                  .undefined_in = NO_PHASES},
    [KINEMATIC] = IMP_OUTPUT_KINEMATIC(NO_SEPARATION),
    [KINETIC] = IMP_OUTPUT_KINETIC(NO_SEPARATION),
    [ENERGETIC] = IMP_OUTPUT_ENERGETIC(NO_SEPARATION),
    [VELOCITY_RATIO_OUT] = IMP_OUTPUT_VELOCITY_RATIO(NO_SEPARATION),
    [NORMAL_IMPULSE] = IMP_OUTPUT_NORMAL_IMPULSE(0),
    [TANGENTIAL_IMPULSE] = IMP_OUTPUT_TANGENTIAL_IMPULSE(0),
    [IMPULSE_RATIO_OUT] = IMP_OUTPUT_IMPULSE_RATIO(NO_SEPARATION),
    [APPROACH_RATIO] = {REAL("approach_impulse_ratio", "1",
                             "tangential over normal impulse until the end of compression")},
    [REBOUND_RATIO] = {REAL("rebound_impulse_ratio", "1",
                            "tangential over normal impulse after the end of compression"),
                       NO_COEFFICIENT},
    [CRITICAL_RATIO] = {REAL("critical_ratio", "1",
                             "ratio of the impulses for which slip ends just at separation, with "
                             "the coefficient as kinematic restitution"),
                        .undefined_when = "no such ratio lets the body separate"},
    [NEUTRAL_RATIO] = {REAL("neutral_ratio", "1",
                            "ratio of the impulses that keeps the energy, with the coefficient as "
                            "kinematic restitution: the larger root in size"),
                       .undefined_when = "no such ratio lets the body separate"},
    [NEUTRAL_RATIO_2] = {REAL(
                             "neutral_ratio_2", "1",
                             "ratio of the impulses that keeps the energy, with the coefficient as "
                             "kinematic restitution: the smaller root in size, 0 at restitution 1"),
                         .undefined_when = "no such ratio lets the body separate"},
    [CONE] = {.name = "cone",
              .unit = "1",
              .meaning = "whether friction can supply the prescribed ratio of the impulses",
              .kind = IMP_CATEGORY,
              .categories = sides,
              .n_categories = IMP_COUNT(sides)},
    [ENERGY_LOSS] = IMP_OUTPUT_ENERGY_LOSS,
    [BODY_ENERGY_LOSS] = IMP_OUTPUT_BODY_ENERGY_LOSS,
    [ENERGY_GAIN] = {.name = "energy_gain",
                     .unit = "1",
                     .meaning = "whether the law of restitution makes energy",
                     .kind = IMP_CATEGORY,
                     .categories = gains,
                     .n_categories = IMP_COUNT(gains)},
    [PRODUCT] = IMP_OUTPUT_PRODUCT(NO_SEPARATION),
    [LAMBDA_NEWTON] = {REAL("lambda_newton", "1", "kinematic restitution over the coefficient"),
                       NO_COEFFICIENT},
    [LAMBDA_POISSON] = {REAL("lambda_poisson", "1", "kinetic restitution over the coefficient"),
                        NO_COEFFICIENT},
    [LAMBDA_ENERGETIC] = {REAL("lambda_energetic", "1",
                               "energetic restitution over the coefficient"),
                          NO_COEFFICIENT},
    [BODY_VELOCITY_T] = {REAL("body_velocity_t", "m/s",
                              "tangential velocity of the mass centre at separation")},
    [BODY_VELOCITY_N] = {REAL("body_velocity_n", "m/s",
                              "normal velocity of the mass centre at separation")},
    [ANGULAR_VELOCITY] = {REAL("angular_velocity", "rad/s",
                               "angular velocity at separation, positive from t to n; of a "
                               "mechanism, of the part at the pivot"),
                          OVERFLOWS},
    [ANGULAR_VELOCITY_2] = {REAL("angular_velocity_2", "rad/s",
                                 "angular velocity at separation of a mechanism's second part"),
                            OVERFLOWS},
    [RESIDUAL] = IMP_OUTPUT_RESIDUAL,
};

static const imp_mode modes[] = {
    {IMP_RIGID_COMPRESSION_STICK, "compression_stick",
     "slip halts in compression, then sticks (case 1 of Baruh)"},
    {IMP_RIGID_COMPRESSION_REVERSE, "compression_reverse",
     "slip halts in compression, then reverses or resumes (case 2)"},
    {IMP_RIGID_RESTITUTION_STICK, "restitution_stick",
     "slip halts in restitution, then sticks (case 3)"},
    {IMP_RIGID_RESTITUTION_REVERSE, "restitution_reverse",
     "slip halts in restitution, then reverses or resumes (case 4)"},
    {IMP_RIGID_SLIDE, "slide", "slips in one direction to separation (case 5)"},
    {IMP_RIGID_GROSS_STICK, "gross_stick", "no slip at the start, sticks (case 6)"},
    {IMP_RIGID_SLIP_FROM_REST, "slip_from_rest", "no slip at the start, begins to slip (case 7)"},
    {IMP_RIGID_WEDGE, "wedge", "sticks and stays: the body does not separate"},
    {IMP_RIGID_PRESCRIBED, "prescribed", "the ratio of the impulses is given"},
};

static const char *const unit_parameters[] = {"mass", "normal_speed"};

static bool has_output(const imp_instance *instance, int output) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    switch (output) {
    case BODY_ENERGY_LOSS:
    case BODY_VELOCITY_T:
    case BODY_VELOCITY_N:
        return body->own_mass;
    case ANGULAR_VELOCITY:
        return body->n_parts > 0;
    case ANGULAR_VELOCITY_2:
        return body->n_parts > 1;
    case CONE:
        return imp_rigid_behaviours[instance->chosen[LAW]].more == IMP_RIGID_CONE;
    default:
        return true;
    }
}

/* ---- a block of cells ---- */

enum { BLOCK = 64 };

/* What the outputs of some cells are made of; see imp_rigid_problem and imp_rigid_result. */
typedef struct block {
    double a[BLOCK], c[BLOCK], v_t[BLOCK], e[BLOCK], friction[BLOCK];
    double cone[BLOCK];                  /* what a prescribed ratio is held against */
    double mass[BLOCK], b22[BLOCK];      /* of the contact */
    double speed[BLOCK], impulse[BLOCK]; /* units of the scaled problem */
    double initial[BLOCK];               /* energy that the contact could dissipate, scaled */
    double constrained[BLOCK];           /* 0 or 1 */
    double mode[BLOCK], sequence[BLOCK];
    double p_n[BLOCK], p_t[BLOCK], out_n[BLOCK], out_t[BLOCK], compression[BLOCK], rebound[BLOCK];
    double p_t_c[BLOCK], work_c[BLOCK], work_r[BLOCK], work_t[BLOCK], change[BLOCK];
    double initial_turn[IMP_MAX_PARTS][BLOCK], per_t[IMP_MAX_PARTS][BLOCK],
        per_n[IMP_MAX_PARTS][BLOCK];
} block;

/* Writes an output of the first n cells, solved or not. */
typedef void column(const block *b, size_t n, double *out);

#define COLUMN(name, value)                                                                        \
    static void name(const block *b, size_t n, double *out) {                                      \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = (value);                                                                      \
        }                                                                                          \
    }

/* Below, what is divided by the coefficient has lost its digits. */
static const double least_coefficient = 1e-150;

static inline double unless_zero(double e, double value) {
    return e >= least_coefficient ? value : NAN;
}

COLUMN(mode, b->mode[i])
COLUMN(sequence, b->sequence[i])
COLUMN(kinematic, b->out_n[i])
COLUMN(kinetic, b->rebound[i] / b->compression[i])
COLUMN(energetic_ratio, sqrt(-b->work_r[i] / b->work_c[i]))
COLUMN(velocity_ratio_out, b->out_t[i])
COLUMN(normal_impulse, b->p_n[i] * b->impulse[i])
COLUMN(tangential_impulse, b->p_t[i] * b->impulse[i])
COLUMN(impulse_ratio_out, b->p_t[i] / b->p_n[i])
COLUMN(approach_ratio, b->p_t_c[i] / b->compression[i])
COLUMN(rebound_ratio, unless_zero(b->e[i], (b->p_t[i] - b->p_t_c[i]) / b->rebound[i]))
COLUMN(cone, fabs(b->friction[i]) > b->cone[i] ? YES : NO)
COLUMN(energy_loss, b->mode[i] == IMP_RIGID_WEDGE ? 1 : -b->change[i] / b->initial[i])
COLUMN(body_energy_loss, -2 * b->change[i] / (b->b22[i] * (1 + b->v_t[i] * b->v_t[i])))
COLUMN(energy_gain, b->change[i] > 1e-12 * b->initial[i] ? YES : NO)
COLUMN(product, b->out_n[i] * (b->rebound[i] / b->compression[i]))
COLUMN(lambda_newton, unless_zero(b->e[i], b->out_n[i] / b->e[i]))
COLUMN(lambda_poisson, unless_zero(b->e[i], b->rebound[i] / b->compression[i] / b->e[i]))
COLUMN(lambda_energetic, unless_zero(b->e[i], sqrt(-b->work_r[i] / b->work_c[i]) / b->e[i]))
COLUMN(body_velocity_t, b->v_t[i] * b->speed[i] + b->p_t[i] * (b->impulse[i] / b->mass[i]))
COLUMN(body_velocity_n, b->p_n[i] * (b->impulse[i] / b->mass[i]) - b->speed[i])
COLUMN(residual, fabs(b->work_c[i] + b->work_r[i] + b->work_t[i] - b->change[i]) / b->initial[i])

static void turn(const block *b, size_t n, int part, double *out) {
    for (size_t i = 0; i < n; i++) {
        double gained = b->per_t[part][i] * b->p_t[i] + b->per_n[part][i] * b->p_n[i];
        double velocity = b->initial_turn[part][i] + gained * b->impulse[i];
        out[i] = fabs(velocity) <= DBL_MAX ? velocity : NAN;
    }
}

static void angular_velocity(const block *b, size_t n, double *out) {
    turn(b, n, 0, out);
}

static void angular_velocity_2(const block *b, size_t n, double *out) {
    turn(b, n, 1, out);
}

/* A ratio at which the impulse is finite and the body separates; NaN otherwise. */
static inline double possible(double ratio, double c) {
    return fabs(ratio) <= DBL_MAX && 1 + ratio * c > 0 ? ratio + 0.0 : NAN; /* no -0 */
}

/* A constrained body slips as long as it moves: there is no end of slip to choose. */
static void critical_ratio(const block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double fall = b->v_t[i] / (1 + b->e[i]);
        double below = b->a[i] + b->c[i] * fall;
        double ratio = possible(-(fall + b->c[i]) / below, b->c[i]);
        out[i] = below > 0 && b->constrained[i] == 0 ? ratio : NAN;
    }
}

/* a x^2 + 2 half x - (1 - e) = 0; the sum whose quotients are both roots. */
static inline double neutral_sum(const block *b, size_t i, double *a) {
    double half = b->v_t[i] + b->e[i] * b->c[i];
    *a = 2 * b->v_t[i] * b->c[i] + (1 + b->e[i]) * b->a[i];
    double square = half * half + *a * (1 - b->e[i]);
    double root = sqrt(square);
    return half < 0 ? root - half : -half - root;
}

static void neutral_ratio(const block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double a, sum = neutral_sum(b, i, &a);
        out[i] = possible(sum / a, b->c[i]);
    }
}

static void neutral_ratio_2(const block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double a, sum = neutral_sum(b, i, &a);
        out[i] = possible((b->e[i] - 1) / sum, b->c[i]);
    }
}

static column *const columns[N_OUTPUTS] = {
    [MODE] = mode,
    [SEQUENCE] = sequence,
    [KINEMATIC] = kinematic,
    [KINETIC] = kinetic,
    [ENERGETIC] = energetic_ratio,
    [VELOCITY_RATIO_OUT] = velocity_ratio_out,
    [NORMAL_IMPULSE] = normal_impulse,
    [TANGENTIAL_IMPULSE] = tangential_impulse,
    [IMPULSE_RATIO_OUT] = impulse_ratio_out,
    [APPROACH_RATIO] = approach_ratio,
    [REBOUND_RATIO] = rebound_ratio,
    [CRITICAL_RATIO] = critical_ratio,
    [NEUTRAL_RATIO] = neutral_ratio,
    [NEUTRAL_RATIO_2] = neutral_ratio_2,
    [CONE] = cone,
    [ENERGY_LOSS] = energy_loss,
    [BODY_ENERGY_LOSS] = body_energy_loss,
    [ENERGY_GAIN] = energy_gain,
    [PRODUCT] = product,
    [LAMBDA_NEWTON] = lambda_newton,
    [LAMBDA_POISSON] = lambda_poisson,
    [LAMBDA_ENERGETIC] = lambda_energetic,
    [BODY_VELOCITY_T] = body_velocity_t,
    [BODY_VELOCITY_N] = body_velocity_n,
    [ANGULAR_VELOCITY] = angular_velocity,
    [ANGULAR_VELOCITY_2] = angular_velocity_2,
    [RESIDUAL] = residual,
};

/* ---- cells ---- */

/* What cells of one signature share, and the body of the cell before. */
typedef struct run {
    const imp_rigid_behaviour *law;
    const double *const *in, *const *of_body, *const *of_law;
    bool turns; /* an angular velocity is wanted */
    imp_contact_memory memory;
    imp_turning part[IMP_MAX_PARTS];
    imp_rigid_problem scaled; /* the body's part of it */
    double lightness;         /* 1 / b22 */
    double inverse;           /* 1 / (2 determinant) */
} run;

/* The body of cell i, unless it is that of the cell before. */
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

static void note_cell(const run *r, size_t i, block *b, size_t at) {
    const imp_contact *contact = &r->memory.contact;
    const imp_rigid_problem *p = &r->scaled;
    double across = p->v_t + p->c; /* what B cannot give along with v_n */
    b->a[at] = p->a;
    b->c[at] = p->c;
    b->v_t[at] = p->v_t;
    b->e[at] = p->e;
    b->friction[at] = p->friction;
    b->cone[at] = r->law->more == IMP_RIGID_CONE ? r->of_law[IMP_RIGID_CONE_OF_FRICTION][i] : 0;
    b->mass[at] = contact->mass;
    b->b22[at] = contact->b22;
    b->speed[at] = contact->normal_speed > 0 ? contact->normal_speed : r->in[NORMAL_SPEED][i];
    b->impulse[at] = contact->mass * r->lightness * b->speed[at];
    b->initial[at] = p->constrained ? 0.5 : 0.5 + across * across * r->inverse;
    b->constrained[at] = p->constrained;
    for (int k = 0; r->turns && k < IMP_MAX_PARTS; k++) {
        b->initial_turn[k][at] = r->part[k].initial;
        b->per_t[k][at] = r->part[k].per_t;
        b->per_n[k][at] = r->part[k].per_n;
    }
}

static void note_result(const imp_rigid_result *result, block *b, size_t at) {
    b->mode[at] = result->mode;
    b->sequence[at] = (double)result->sequence;
    b->p_n[at] = result->p_n;
    b->p_t[at] = result->p_t;
    b->out_n[at] = result->v_n;
    b->out_t[at] = result->v_t;
    b->compression[at] = result->compression;
    b->rebound[at] = result->rebound;
    b->p_t_c[at] = result->p_t_compression;
    b->work_c[at] = result->work_c;
    b->work_r[at] = result->work_r;
    b->work_t[at] = result->work_t;
    b->change[at] = result->change;
}

static imp_outcome solve_cell(run *r, size_t i, block *b, size_t at, imp_rigid_path *path,
                              imp_rigid_result *result) {
    recall(r, i);
    r->scaled.e = r->in[RESTITUTION][i];
    r->scaled.friction = r->of_law[IMP_RIGID_FRICTION][i];
    bool weighs = r->law->more == IMP_RIGID_WEIGHTS;
    r->scaled.weight[0] = weighs ? r->of_law[IMP_RIGID_WEIGHT_POISSON][i] : 1;
    r->scaled.weight[1] = weighs ? r->of_law[IMP_RIGID_WEIGHT_ENERGETIC][i] : 1;
    note_cell(r, i, b, at);
    if (r->memory.contact.outside || !(r->scaled.weight[0] + r->scaled.weight[1] > 0)) {
        b->mode[at] = IMP_RIGID_NONE;
        return IMP_OUTSIDE;
    }
    r->law->path(&r->scaled, path);
    imp_rigid_separate(&r->scaled, path, r->law->rebound, result);
    note_result(result, b, at);
    return result->outcome;
}

/* Whether every output of cell i is finite in the cell's units, and its impulses have all digits. */
static inline bool representable(const block *b, size_t i) {
    const double largest = 1e150, least = 1e-150, smallest = 1e-290;
    double p_n = b->p_n[i], p_t = fabs(b->p_t[i]), unit = b->impulse[i];
    return unit < largest && b->initial[i] < largest && b->speed[i] < largest &&
           fabs(b->friction[i]) < largest && p_n < largest && p_t < largest &&
           p_n * unit < largest && p_t * unit < largest && (p_n * unit > smallest || p_n == 0) &&
           b->out_n[i] < largest && fabs(b->out_t[i]) < largest && b->work_c[i] > -largest &&
           b->work_r[i] < largest && fabs(b->change[i]) < largest &&
           (b->compression[i] > least || b->mode[i] == IMP_RIGID_WEDGE);
}

static void put_columns(const imp_instance *instance, const block *b, size_t n, size_t first,
                        double *const *out) {
    bool wedges = false;
    for (size_t i = 0; i < n; i++) {
        wedges |= b->mode[i] == IMP_RIGID_WEDGE;
    }
    for (int o = 0; o < N_OUTPUTS; o++) {
        if (!out[o] || !has_output(instance, o)) {
            continue;
        }
        columns[o](b, n, out[o] + first);
        bool undefined = outputs[o].undefined_in & NO_SEPARATION;
        for (size_t i = 0; wedges && undefined && i < n; i++) {
            out[o][first + i] = b->mode[i] == IMP_RIGID_WEDGE ? NAN : out[o][first + i];
        }
    }
}

static run run_of(const int *chosen, const double *const *in) {
    const imp_body *body = imp_body_at(chosen[BODY]);
    return (run){
        .law = &imp_rigid_behaviours[chosen[LAW]],
        .in = in,
        .of_body = in + N_PARAMETERS,
        .of_law = in + N_PARAMETERS + body->option.n_parameters,
        .memory = imp_contact_memory_of(body),
    };
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    block b = {.a = {0}};
    run r = run_of(instance->chosen, in);
    imp_rigid_path path;
    imp_rigid_result result;
    r.turns = r.memory.body->n_parts > 0 && (out[ANGULAR_VELOCITY] || out[ANGULAR_VELOCITY_2]);
    for (size_t first = 0; first < n; first += BLOCK) {
        size_t count = n - first < BLOCK ? n - first : BLOCK;
        for (size_t i = 0; i < count; i++) {
            imp_outcome end = solve_cell(&r, first + i, &b, i, &path, &result);
            bool lost = end == IMP_SOLVED && !representable(&b, i);
            outcome[first + i] = (uint8_t)(lost ? IMP_NOT_FINITE : end);
        }
        put_columns(instance, &b, count, first, out);
    }
    return IMP_OK;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    for (int k = 0; k < IMP_MAX_PARAMETERS; k++) {
        in[k] = &value[k];
    }
    block b = {.a = {0}};
    run r = run_of(instance->chosen, in);
    imp_rigid_path path;
    imp_rigid_result result;
    imp_outcome end = solve_cell(&r, 0, &b, 0, &path, &result);
    if (end == IMP_SOLVED && !representable(&b, 0)) {
        end = IMP_NOT_FINITE;
    }
    if (end == IMP_SOLVED) {
        imp_rigid_record(r.scaled.v_t, &path, &result, b.speed[0], b.impulse[0], recorder);
    }
    *outcome = end;
    return IMP_OK;
}

const imp_theory imp_theory_rigid = {
    .name = "rigid",
    .title = "rigid body with friction, in the impulse plane",
    .source = "Routh 1897; Brach 1993; Stronge 1994; Baruh 2022 (compromise)",
    .residual = "energy: work of the normal and the tangential impulse = change from the impulses "
                "and the velocities at both ends",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 2,
    .budget = INT64_MAX,
    IMP_THEORY_TABLES_WITH_UNITS,
    .has_output = has_output,
    .solve = solve,
    .history = &imp_rigid_history,
    .trace = trace,
};
