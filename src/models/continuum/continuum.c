/* Elastic bodies in contact by the equations of the continuum: Hertz pressure, slip that grows from
 * the edge of the contact inward, and memory of the slip before. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/first.h"
#include "bodies/planar/choice.h"
#include "bodies/planar/motion.h"
#include "models/continuum/contact.h"
#include "models/continuum/problem.h"
#include "models/continuum/outputs.h"
#include "models/crowd.h"
#include "models/theory.h"
#include "num/beside.h"
#include "num/exponential.h"

enum {
    FRICTION,
    STIFFNESS_RATIO,
    POISSON_RATIO,
    NORMAL_STIFFNESS,
    NORMAL_SPEED,
    TOLERANCE,
    N_PARAMETERS
};
enum { BODY, N_CHOICES };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [FRICTION] = &imp_parameter_limited_friction,
    [STIFFNESS_RATIO] = IMP_PARAMETER("stiffness_ratio", "1",
                                      "normal over tangential stiffness of a contact that does not "
                                      "slip; 1 to 1.5 for like elastic bodies (poisson_ratio)",
                                      .low = 1e-6, .high = 1e6, .fallback = NAN, .example = 1.21),
    [POISSON_RATIO] = &imp_parameter_poisson_ratio,
    [NORMAL_STIFFNESS] =
        IMP_PARAMETER("normal_stiffness", "N/m^1.5",
                      "normal force over the indentation to the power 1.5, by Hertz",
                      IMP_RANGE_POSITIVE, .fallback = 1, .example = 1),
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
    [TOLERANCE] = IMP_PARAMETER("tolerance", "1",
                                "allowed error of the velocities at separation over the initial "
                                "normal speed; sets the steps of a cell",
                                .low = 1e-12, .high = 1e-3, .fallback = 1e-8, .example = 1e-8),
};

static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_BODY_CHOICE,
};

/* Stick means that the contact's centre sticks, whether its outer parts slip or not. */
static const imp_mode modes[] = {
    {IMP_CONTINUUM_GROSS_STICK, "gross_stick", "the centre sticks from first touch to separation"},
    {IMP_CONTINUUM_STICK_SLIP, "stick_slip",
     "the centre sticks at first, then slips until separation"},
    {IMP_CONTINUUM_REVERSED, "slip_stick_slip_reversed", "the centre slips, sticks, slips back"},
    {IMP_CONTINUUM_SAME, "slip_stick_slip_same",
     "the centre slips, sticks, slips on in the same direction"},
    {IMP_CONTINUUM_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_CONTINUUM_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip",
     "the centre sticks and slips twice"},
    {IMP_CONTINUUM_MULTIPLE, "multiple", "any other sequence of phases of the centre"},
    {IMP_CONTINUUM_WEDGE, "wedge", "comes to rest in contact: the body does not separate"},
};

static const char *const unit_parameters[] = {"mass", "normal_stiffness", "normal_speed"};

/* Bounds of the effect of friction: below, friction is lost in rounding; above, the end of
 * stick. */
static const double least_effect = 1e-14, most_effect = 1e9;

/* Above this b11 / b22 the slower of the two frequencies is lost in the rounding of the faster. */
static const double most_unequal = 1e24;

static imp_continuum_cell cell_at(imp_contact_memory *memory, const double *const *in, size_t i) {
    imp_contact_recall(memory, in + N_PARAMETERS, i);
    const imp_contact *b = &memory->contact;
    double mass = b->mass / b->b22, friction = in[FRICTION][i];
    double speed = b->normal_speed > 0 ? b->normal_speed : in[NORMAL_SPEED][i];
    double time = imp_two_fifths(mass * speed * speed / in[NORMAL_STIFFNESS][i]) / speed;
    return (imp_continuum_cell){
        .effect = b->constrained ? 1 : friction * sqrt(b->b11 / b->b22),
        .units = {.time = time, .length = time * speed, .speed = speed, .impulse = mass * speed},
        .contact = b,
        .body = memory->body,
        .value = memory->value,
    };
}

/* The tangential velocity; beside the limit of friction on its side. */
static double start_of(double v_t, double friction, double stiffness_ratio) {
    double limit = friction * stiffness_ratio, speed = fabs(v_t);
    return copysign(imp_beside(speed, limit, fma(friction, stiffness_ratio, -speed)), v_t);
}

static imp_continuum_problem problem_of(const imp_continuum_cell *c, const double *const *in,
                                        size_t i, int64_t budget) {
    const imp_contact *b = c->contact;
    return (imp_continuum_problem){
        .a = b->b11 / b->b22,
        .c = b->b12 / b->b22,
        .determinant = b->determinant / (b->b22 * b->b22),
        .mu = c->effect < least_effect ? 0 : in[FRICTION][i],
        .eta = in[STIFFNESS_RATIO][i],
        .v_t = b->constrained
                   ? b->velocity_ratio
                   : start_of(b->velocity_ratio, in[FRICTION][i], in[STIFFNESS_RATIO][i]),
        .constrained = b->constrained,
        .tolerance = in[TOLERANCE][i],
        .budget = budget,
    };
}

static bool is_outside(const imp_continuum_cell *c) {
    const imp_contact *b = c->contact;
    bool lost = !b->constrained && b->b11 > most_unequal * b->b22;
    return b->outside || lost || !(c->effect <= most_effect);
}

/* Friction moves the limit of stick, and may move it past the velocity. */
static double velocity_on_its_side(const imp_continuum_problem *from,
                                   const imp_continuum_problem *neighbour, double distance) {
    const imp_limited before = {.size = fabs(from->v_t), .limit = from->mu * from->eta};
    const imp_limited now = {.size = fabs(neighbour->v_t), .limit = neighbour->mu * neighbour->eta};
    return copysign(imp_on_its_side(before, now, distance), neighbour->v_t);
}

/* The sense in which a neighbour moves, the other one for a mirror image. */
static double side_of(const imp_continuum_problem *p) {
    double sense = p->v_t != 0 ? p->v_t : p->c;
    return sense < 0 ? -1 : 1;
}

/* Where two sequences of phases meet exactly, an event may not be found. Then a neighbour within
 * rounding takes the place of *problem; if none is solved, the result is *lost. */
static imp_continuum_result solve_aside(imp_continuum_problem *problem,
                                        const imp_continuum_result *lost,
                                        imp_continuum_work *work) {
    static const double distances[] = {1e-12, -1e-12, 1e-11};
    const int64_t share =
        10; /* of the budget: a neighbour that needs more would not be solved either */
    for (int k = 0; k < IMP_COUNT(distances); k++) {
        imp_continuum_problem neighbour = *problem;
        neighbour.budget = problem->budget / share + 1;
        neighbour.mu += fabs(distances[k]) + distances[k] * problem->mu;
        if (!problem->constrained) {
            neighbour.v_t += side_of(problem) * distances[k] * (1 + fabs(problem->v_t));
            neighbour.v_t = velocity_on_its_side(problem, &neighbour, fabs(distances[k]));
        }
        imp_continuum_result result = imp_continuum_solve(&neighbour, work);
        if (result.outcome == IMP_SOLVED) {
            *problem = neighbour;
            return result;
        }
    }
    return *lost;
}

/* The result of the problem or of a neighbour, which takes its place. */
static imp_continuum_result settled(const imp_continuum_cell *c, imp_continuum_problem *problem,
                                    imp_continuum_result result, imp_continuum_work *work) {
    if (result.outcome != IMP_SOLVED && result.outcome != IMP_BUDGET) {
        result = solve_aside(problem, &result, work);
    }
    if (result.outcome == IMP_SOLVED && !imp_continuum_representable(c, &result)) {
        result.outcome = IMP_NOT_FINITE;
    }
    return result;
}

/* ---- batches ---- */

/* A cell in progress. */
typedef struct task {
    imp_continuum_contact contact;
    struct workspace *work;
    const double *const *in;
    imp_continuum_problem problem;
    imp_continuum_result result;
} task;
IMP_FIRST(task, contact);

typedef struct workspace {
    imp_continuum_work alone;
    imp_continuum_block block;
    imp_contact_memory memory;
    bool want_peaks;
    task tasks[IMP_CROWD_CELLS(IMP_CONTINUUM_WAITS - 1)];
} workspace;

static imp_err open_work(imp_instance *instance) {
    const size_t line = 64; /* of the cache: columns do not straddle two */
    instance->work = aligned_alloc(line, (sizeof(workspace) + line - 1) / line * line);
    return instance->work ? IMP_OK : imp_out_of_memory();
}

static void close_work(imp_instance *instance) {
    free(instance->work);
}

static bool begin(void *room, const imp_instance *instance, const double *const *in, size_t i) {
    task *t = room;
    t->work = instance->work;
    t->in = in;
    imp_continuum_cell c = cell_at(&t->work->memory, in, i);
    if (is_outside(&c)) {
        return false;
    }
    t->problem = problem_of(&c, in, i, instance->budget);
    t->problem.want_peaks = t->work->want_peaks;
    imp_continuum_begin(&t->contact, &t->problem, &t->result);
    return true;
}

/* The contact is the first that a task has. */
static void go_on(void *const *tasks, int n) {
    imp_continuum_go_on((imp_continuum_contact *const *)tasks, n,
                        &((const task *)tasks[0])->work->block);
}

static imp_outcome end(void *member, double *const *out, size_t i) {
    task *t = member;
    imp_continuum_cell c = cell_at(&t->work->memory, t->in, i);
    imp_continuum_result result = settled(&c, &t->problem, t->result, &t->work->alone);
    if (result.outcome == IMP_SOLVED) {
        imp_continuum_put(&c, &result, out, i);
    }
    return result.outcome;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    static const imp_crowd_rules rules =
        IMP_CROWD_RULES(task, contact.wait, IMP_CONTINUUM_WAITS - 1);
    workspace *w = instance->work;
    w->memory = imp_contact_memory_of(imp_body_at(instance->chosen[BODY]));
    w->want_peaks = out[IMP_CONTINUUM_OF_PEAK_TANGENTIAL_FORCE] ||
                    out[IMP_CONTINUUM_OF_PEAK_TANGENTIAL_FORCE_TIME];
    return imp_crowd_solve(&rules, w->tasks, instance, n, in, out, outcome);
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    imp_contact_memory memory = imp_contact_memory_of(imp_body_at(instance->chosen[BODY]));
    imp_continuum_work *work = &((workspace *)instance->work)->alone;
    const double *in[IMP_MAX_PARAMETERS];
    imp_spread(value, in);
    imp_continuum_cell c = cell_at(&memory, in, 0);
    if (is_outside(&c)) {
        *outcome = IMP_OUTSIDE;
        return IMP_OK;
    }
    imp_continuum_problem problem = problem_of(&c, in, 0, instance->budget);
    *outcome = settled(&c, &problem, imp_continuum_solve(&problem, work), work).outcome;
    if (*outcome != IMP_NOT_FINITE) { /* its rows would not be finite either */
        *outcome = imp_continuum_record(problem, &c.units, work, recorder);
    }
    return IMP_OK;
}

const imp_theory imp_theory_continuum = {
    .name = "continuum",
    .title = "elastic bodies in contact, with slip that grows from the edge inward",
    .source = "Maw, Barber and Fawcett, Wear 38 (1976) 101; Jaeger, New Solutions in Contact "
              "Mechanics (2005): elastically similar bodies, Hertz pressure, quasi-static "
              "half-spaces, axisymmetric tangential displacement, no loss in the normal direction",
    .residual = "energy: initial kinetic energy = final energy + losses to friction",
    .symbols = IMP_PLANAR_SYMBOLS,
    .results_version = 7,
    .budget = 100000,
    IMP_THEORY_TABLES(parameters, choices, imp_continuum_outputs, modes),
    IMP_THEORY_UNITS(unit_parameters),
    .has_output = imp_motion_has_output,
    .open = open_work,
    .close = close_work,
    .solve = solve,
    .history = &imp_continuum_history,
    .trace = trace,
    .refuse = imp_body_refuse,
};
