/* Three orthogonal linear springs at the contact, in space; stick and slip as events in time. */
#include <math.h>

#include "base/first.h"
#include "bodies/spatial/choice.h"
#include "bodies/spatial/motion.h"
#include "models/compliant3d/contact_impl.h"
#include "models/compliant3d/contact.h"
#include "models/crowd.h"
#include "models/theory.h"
#include "num/larger.h"

enum { FRICTION, STIFFNESS_RATIO, POISSON_RATIO, NORMAL_STIFFNESS, NORMAL_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };

/* The laws, and their parameters. */
enum { LINEAR, DASHPOT, N_LAWS };
enum { RESTITUTION };
enum { NORMAL_RATIO, TANGENTIAL_RATIO, CONTACT_END };
enum {
#define OUTPUT(code, ...) code,
#include "models/compliant3d/outputs.def"
    N_OUTPUTS
};

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [FRICTION] = IMP_PARAMETER(
        "friction", "1",
        "Coulomb coefficient of friction; a cell has the outcome outside unless friction is 0 or "
        "friction times stiffness_ratio is between 1e-9 and 1e9 (law dashpot: 1e5)",
        IMP_RANGE_NOT_NEGATIVE, .fallback = NAN, .example = 0.3),
    [STIFFNESS_RATIO] = IMP_PARAMETER(
        "stiffness_ratio", "1",
        "normal over tangential stiffness; a cell has the outcome outside unless (b11 + b22) / "
        "(b33 stiffness_ratio) is between 1e-6 and 1e6 (b11, b22, b33: elements of B) and the "
        "initial tangential speed is below 1e12 times the normal speed",
        IMP_RANGE_POSITIVE, .fallback = NAN, .example = 1.21),
    [POISSON_RATIO] = &imp_parameter_poisson_ratio,
    [NORMAL_STIFFNESS] =
        IMP_PARAMETER("normal_stiffness", "N/m", "stiffness of the normal spring while loading",
                      IMP_RANGE_POSITIVE, .fallback = 1, .example = 1),
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

static const imp_parameter *const linear_parameters[] = {
    [RESTITUTION] =
        IMP_PARAMETER("restitution", "1",
                      "energetic coefficient of restitution: the normal spring unloads with the "
                      "stiffness normal_stiffness / restitution^2; a cell has the outcome outside "
                      "if restitution is 1e-5 or less",
                      .low = 0, .high = 1, .low_open = true, .fallback = 1, .example = 0.8)};

static const imp_parameter *const dashpot_parameters[] = {
    [NORMAL_RATIO] =
        IMP_PARAMETER("normal_damping_ratio", "1",
                      "damping of the normal force over the critical one of the contact point on "
                      "the normal spring alone, sqrt(4 normal_stiffness / b33)",
                      .low = 0, .high = 100, .fallback = 0, .example = 0.2),
    [TANGENTIAL_RATIO] =
        IMP_PARAMETER("tangential_damping_ratio", "1",
                      "damping of each tangential force over the critical one of a contact point "
                      "with the mean of b11 and b22 on the tangential spring alone, sqrt(8 "
                      "tangential stiffness / (b11 + b22)); a ratio below 1e-10 counts as 0",
                      .low = 0, .high = 100, .fallback = 0, .example = 0.1),
    [CONTACT_END] = &imp_parameter_contact_end};

static const imp_option *const laws[N_LAWS] = {
    [LINEAR] = IMP_OPTION_WITH(
        "linear",
        "linear springs; with restitution below 1 the normal spring keeps a part of the energy",
        linear_parameters),
    [DASHPOT] = IMP_OPTION_WITH(
        "dashpot",
        "a linear spring and a dashpot side by side along the normal and along each of two "
        "tangents, the tangential ones in series with the slider of friction",
        dashpot_parameters),
};

static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_SPATIAL_CHOICE,
    [LAW] = IMP_CHOICE("law", "forces of the springs", laws, LINEAR),
};

#define NO_SEPARATION IMP_MODE_BIT(IMP_COMPLIANT3D_WEDGE)

static const imp_output outputs[N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [code] = __VA_ARGS__,
#include "models/compliant3d/outputs.def"
};

static const imp_mode modes[] = {
    {IMP_COMPLIANT3D_GROSS_STICK, "gross_stick", "sticks from first touch to separation"},
    {IMP_COMPLIANT3D_STICK_SLIP, "stick_slip", "sticks at first, then slips until separation"},
    {IMP_COMPLIANT3D_SLIP_STICK_SLIP, "slip_stick_slip", "slips, sticks, slips again"},
    {IMP_COMPLIANT3D_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_COMPLIANT3D_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip", "sticks and slips twice"},
    {IMP_COMPLIANT3D_MULTIPLE, "multiple", "any other sequence of phases"},
    {IMP_COMPLIANT3D_WEDGE, "wedge", "sticks for good: the body does not separate"},
};

static const char *const unit_parameters[] = {"mass", "normal_stiffness", "normal_speed"};

static bool has_output(const imp_instance *instance, int output) {
    bool damped = output == FRICTION_LOSS || output == NORMAL_LOSS || output == TANGENTIAL_LOSS ||
                  output == TRAPPED_ENERGY;
    return imp_spatial_has_output(instance, output) &&
           (!damped || instance->chosen[LAW] == DASHPOT);
}

typedef struct cell {
    const imp_spatial *body;
    double value[IMP_MAX_PARAMETERS]; /* of the body */
    imp_spatial_contact contact;
    double time, impulse, speed; /* units */
    imp_compliant3d_result result;
} cell;

/* Whether every output, wanted or not, can be expressed in the cell's units without overflow. */
static bool representable(const cell *c) {
    const double largest = 1e150;
    const imp_compliant3d_result *r = &c->result;
    double impulse = fabs(r->p1) + fabs(r->p2) + r->p3;
    return c->time < largest && c->impulse < largest && impulse * c->impulse < largest &&
           r->duration * c->time < largest && c->contact.energy < largest &&
           fabs(r->v1) + fabs(r->v2) + fabs(r->v3) < largest &&
           c->impulse * c->speed * (1 + c->contact.energy) < largest &&
           (r->mode == IMP_COMPLIANT3D_WEDGE || (r->p_turn > 0 && r->work_approach < 0));
}

/* Of the body, at separation. */
static imp_spatial_motion motion_of(const cell *c) {
    const imp_compliant3d_result *r = &c->result;
    const double v[3] = {r->v1 * c->speed, r->v2 * c->speed, r->v3 * c->speed};
    const double p[3] = {r->p1 * c->impulse, r->p2 * c->impulse, r->p3 * c->impulse};
    return imp_spatial_motion_after(c->body, c->value, v, p);
}

static void put_cell(const cell *c, double *const *out, size_t i) {
    const imp_compliant3d_result *r = &c->result;
    double whole = imp_spatial_energy(c->body, c->value, &c->contact, c->speed);
    double speed = sqrt(r->v1 * r->v1 + r->v2 * r->v2);
#define OUTPUT(code, value, ...) IMP_PUT_ROW(outputs, code, r->mode, value)
#include "models/compliant3d/outputs.def"
}

/* Beyond these limits, which the meanings of the parameters state, friction or one of the springs
 * is lost in rounding. */
static bool is_moderate(const imp_compliant3d_problem *p) {
    const double most_spread = 1e6, least_restitution = 1e-5, most_speed = 1e12;
    const double least_circle = 1e-9, most_circle = p->damping > 0 || p->drag > 0 ? 1e5 : 1e9;
    const imp_spatial_contact *b = p->contact;
    double spread = (b->b.b11 + b->b.b22) / (p->stiffness_ratio * b->b.b33);
    double circle = p->friction * p->stiffness_ratio;
    double speed = sqrt(b->v1 * b->v1 + b->v2 * b->v2);
    return spread < most_spread && spread > 1 / most_spread && p->restitution > least_restitution &&
           circle < most_circle && (p->friction == 0 || circle > least_circle) &&
           speed < most_speed;
}

/* Enters what the law has of its own. */
static void enter_law(const imp_instance *instance, const double *const *in, size_t i,
                      const imp_spatial_contact *b, imp_compliant3d_problem *problem) {
    const double least =
        1e-10; /* of less the layers where slip begins and ends are lost in rounding */
    const double *const *of_law =
        in + N_PARAMETERS + imp_spatial_at(instance->chosen[BODY])->option.n_parameters;
    problem->restitution = instance->chosen[LAW] == LINEAR ? of_law[RESTITUTION][i] : 1;
    if (instance->chosen[LAW] == LINEAR) {
        return;
    }
    double normal = of_law[NORMAL_RATIO][i], tangential = of_law[TANGENTIAL_RATIO][i];
    double inertia = (b->b.b11 + b->b.b22) / 2;
    problem->damping = 2 * normal / sqrt(b->b.b33);
    problem->drag =
        tangential < least ? 0 : 2 * tangential / sqrt(problem->stiffness_ratio * inertia);
    problem->by_elongation = normal > 0 && of_law[CONTACT_END][i] > 0;
}

/* Makes the problem of cell i; false if the cell is outside. */
static bool prepare(const imp_instance *instance, const double *const *in, size_t i, cell *c,
                    imp_compliant3d_problem *problem) {
    c->body = imp_spatial_at(instance->chosen[BODY]);
    imp_gather(in + N_PARAMETERS, i, c->body->option.n_parameters, c->value);
    c->contact = c->body->contact(c->value);
    if (c->contact.outside) {
        return false;
    }
    c->speed = in[NORMAL_SPEED][i];
    c->time = sqrt(c->contact.mass / in[NORMAL_STIFFNESS][i]);
    c->impulse = c->contact.mass * c->speed;
    *problem = (imp_compliant3d_problem){
        .contact = &c->contact,
        .friction = in[FRICTION][i],
        .stiffness_ratio = in[STIFFNESS_RATIO][i],
        .budget = instance->budget,
    };
    enter_law(instance, in, i, &c->contact, problem);
    return is_moderate(problem);
}

static imp_outcome outcome_of(const cell *c) {
    bool lost = c->result.outcome == IMP_SOLVED && !representable(c);
    return lost ? IMP_NOT_FINITE : c->result.outcome;
}

/* ---- batches ---- */

/* A cell in progress. */
typedef struct task {
    contact contact;
    cell cell;
    imp_compliant3d_problem problem;
} task;
IMP_FIRST(task, contact);

static bool begin(void *member, const imp_instance *instance, const double *const *in, size_t i) {
    task *t = member;
    if (!prepare(instance, in, i, &t->cell, &t->problem)) {
        return false;
    }
    imp_compliant3d_touch(&t->contact, &t->problem);
    return true;
}

/* The contact is the first that a task has. */
static void go_on(void *const *tasks, int n) {
    imp_compliant3d_go_on((contact *const *)tasks, n);
}

static imp_outcome end(void *member, double *const *out, size_t i) {
    task *t = member;
    t->cell.result = imp_compliant3d_result_of(&t->contact);
    imp_outcome outcome = outcome_of(&t->cell);
    if (outcome == IMP_SOLVED) {
        put_cell(&t->cell, out, i);
    }
    return outcome;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    imp_crowd_rules rules = IMP_CROWD_RULES(task, contact.wait, WAITS - 1);
    task tasks[IMP_CROWD_CELLS(WAITS - 1)];
    /* The fewer kinds, the fewer cells are in progress. */
    rules.kinds = instance->chosen[LAW] == LINEAR ? WAITS_WITHOUT_DASHPOTS - 1 : WAITS - 1;
    return imp_crowd_solve(&rules, tasks, instance, n, in, out, outcome);
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    cell c;
    imp_compliant3d_problem problem;
    imp_spread(value, in);
    bool inside = prepare(instance, in, 0, &c, &problem);
    if (!inside) {
        *outcome = IMP_OUTSIDE;
        return IMP_OK;
    }
    c.result = imp_compliant3d_solve(&problem);
    *outcome = outcome_of(&c);
    if (*outcome != IMP_NOT_FINITE) { /* its rows would not be finite either */
        const imp_contact_units units = {
            .time = c.time, .length = c.time * c.speed, .speed = c.speed, .impulse = c.impulse};
        *outcome = imp_compliant3d_record(problem, &units, recorder);
    }
    return IMP_OK;
}

const imp_theory imp_theory_compliant3d = {
    .name = "compliant3d",
    .title = "three springs at the contact in space, stick and slip in time",
    .source = "Stronge 1994 and Birlik 2012 in the plane; extended to space for this program",
    .residual = "energy: initial kinetic energy = final energy + losses to friction, in the normal "
                "spring and in dashpots",
    .symbols = IMP_SPATIAL_SYMBOLS,
    .results_version = 10,
    .budget = 100000,
    IMP_THEORY_TABLES(parameters, choices, outputs, modes),
    IMP_THEORY_UNITS(unit_parameters),
    .has_output = has_output,
    .solve = solve,
    .history = &imp_compliant3d_history,
    .trace = trace,
    .refuse = imp_spatial_refuse,
};
