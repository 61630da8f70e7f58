/* One normal and one tangential compliance at the contact; stick and slip as events in time. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "bodies/planar/choice.h"
#include "bodies/planar/motion.h"
#include "models/compliant/again.h"
#include "models/compliant/block.h"
#include "models/compliant/laws.h"
#include "models/compliant/outputs.h"
#include "models/compliant/scaled.h"
#include "models/theory.h"
#include "num/alike.h"
#include "num/lanes/width.h"

enum { FRICTION, STIFFNESS_RATIO, POISSON_RATIO, NORMAL_SPEED, N_PARAMETERS };
enum { BODY, LAW, N_CHOICES };

static const imp_parameter *const parameters[N_PARAMETERS] = {
    [FRICTION] = &imp_parameter_limited_friction,
    [STIFFNESS_RATIO] = IMP_PARAMETER(
        "stiffness_ratio", "1",
        "normal over tangential stiffness; the default budget suffices for every cell with a "
        "stiffness_ratio from 1e-3 to 1e3, velocity_ratio from -1e3 to 1e3, inertia_coupling up to "
        "0.999 and restitution from 0.01, also with damping times normal_speed up to 100 where "
        "both ratios are below 100",
        IMP_RANGE_POSITIVE, .fallback = NAN, .example = 1.21),
    [POISSON_RATIO] = &imp_parameter_poisson_ratio,
    [NORMAL_SPEED] = &imp_parameter_normal_speed,
};

static const imp_choice choices[N_CHOICES] = {
    [BODY] = IMP_BODY_CHOICE,
    [LAW] = IMP_CHOICE("law", "forces of the two springs", imp_compliant_law_options, 0),
};

static const imp_mode modes[] = {
    {IMP_COMPLIANT_GROSS_STICK, "gross_stick", "sticks from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP, "stick_slip", "sticks at first, then slips until separation"},
    {IMP_COMPLIANT_REVERSED, "slip_stick_slip_reversed", "slips, sticks, slips back"},
    {IMP_COMPLIANT_SAME, "slip_stick_slip_same", "slips, sticks, slips on in the same direction"},
    {IMP_COMPLIANT_GROSS_SLIP, "gross_slip", "slips from first touch to separation"},
    {IMP_COMPLIANT_STICK_SLIP_STICK_SLIP, "stick_slip_stick_slip", "sticks and slips twice"},
    {IMP_COMPLIANT_MULTIPLE, "multiple", "any other sequence of phases"},
    {IMP_COMPLIANT_WEDGE, "wedge", "sticks for good: the body does not separate"},
};

static const char *const unit_parameters[] = {"mass", "normal_stiffness", "normal_speed"};

static bool has_output(const imp_instance *instance, int output) {
    bool damped =
        output == IMP_COMPLIANT_OF_NORMAL_LOSS || output == IMP_COMPLIANT_OF_TANGENTIAL_LOSS;
    return imp_motion_has_output(instance, output) &&
           (!damped || instance->chosen[LAW] == IMP_COMPLIANT_LAW_dashpot);
}

/* ---- blocks ---- */

/* What the cells of a call share. */
typedef struct batch {
    const imp_body *body;
    const imp_compliant_law *law;
    const double *const *in, *const *of_body, *const *of_law;
    unsigned needs; /* of the wanted outputs: imp_compliant_needs */
    int64_t budget;
    /* Of the last cell: its body and its units, which neighbours often share. */
    imp_contact_memory memory;
    imp_compliant_given given;
    imp_compliant_scales scales;
} batch;

static batch batch_of(const imp_instance *instance, const double *const *in, unsigned needs) {
    const imp_body *body = imp_body_at(instance->chosen[BODY]);
    return (batch){.body = body,
                   .law = imp_compliant_law_at(instance->chosen[LAW]),
                   .in = in,
                   .of_body = in + N_PARAMETERS,
                   .of_law = in + N_PARAMETERS + body->option.n_parameters,
                   .needs = needs,
                   .budget = instance->budget,
                   .memory = imp_contact_memory_of(body)};
}

static bool needs(const batch *k, unsigned all) {
    return (k->needs & all) == all;
}

/* The columns are not set: they are large, and many batches small. */
static void open_block(const batch *k, imp_compliant_block *b) {
    b->want_turn = needs(k, IMP_COMPLIANT_NEEDS_TURN);
    b->want_time = needs(k, IMP_COMPLIANT_NEEDS_TIME);
    b->want_account = needs(k, IMP_COMPLIANT_NEEDS_ACCOUNT);
    b->want_peaks = needs(k, IMP_COMPLIANT_NEEDS_PEAKS);
    b->budget = imp_compliant_first_budget(k->budget);
    b->whole_budget = k->budget;
}

/* The number of cells from `first` on, at most n, with one body and the same units. */
static size_t cells_alike(const batch *k, size_t first, size_t n) {
    n = imp_alike(k->of_law[IMP_COMPLIANT_STIFFNESS] + first, n);
    n = imp_alike(k->in[STIFFNESS_RATIO] + first, n);
    n = imp_alike(k->in[NORMAL_SPEED] + first, n);
    return imp_contact_alike(&k->memory, k->of_body, first, n);
}

/* Makes the body and the units of cell i those of the last cell. */
static void recall(batch *k, size_t i) {
    const imp_contact *contact = &k->memory.contact;
    imp_contact_recall(&k->memory, k->of_body, i);
    imp_compliant_given given = {
        .stiffness_ratio = k->in[STIFFNESS_RATIO][i],
        .mass = contact->mass / contact->b22,
        .stiffness = k->of_law[IMP_COMPLIANT_STIFFNESS][i],
        .speed = contact->normal_speed > 0 ? contact->normal_speed : k->in[NORMAL_SPEED][i],
    };
    const imp_compliant_given *last = &k->given;
    bool same = given.stiffness_ratio == last->stiffness_ratio && given.mass == last->mass &&
                given.stiffness == last->stiffness && given.speed == last->speed;
    if (!same) {
        k->given = given;
        k->scales = k->law->scales(&given);
    }
}

IMP_EACH_WIDTH(imp_compliant_fill,
               (const imp_compliant_shared *shared, size_t n_shared, size_t at, size_t end),
               imp_lane_width(), (shared, n_shared, at, end))

/* Enters what cells with the body and the units of the last cell have in common, from `at` to
 * `end`. */
static void enter_common(const batch *k, imp_compliant_block *b, size_t at, size_t end) {
    const imp_contact contact = k->memory.contact;
    const imp_compliant_scales scales = k->scales;
    const imp_compliant_problem problem = imp_compliant_scaled(&contact, &scales);
    const imp_compliant_shared shared[] = {
        {.column = b->problem.a, .value = problem.a},
        {.column = b->problem.c, .value = problem.c},
        {.column = b->problem.determinant, .value = problem.determinant},
        {.column = b->problem.v_t, .value = problem.v_t},
        {.column = b->problem.constrained, .value = problem.constrained},
        {.column = b->time, .value = scales.time},
        {.column = b->impulse, .value = scales.impulse},
        {.column = b->root, .value = scales.root},
        {.column = b->speed, .value = k->given.speed},
        {.column = b->b11, .value = contact.b11},
        {.column = b->b12, .value = contact.b12},
        {.column = b->b22, .value = contact.b22},
        {.column = b->mass, .value = contact.mass},
        {.column = b->velocity_ratio, .value = contact.velocity_ratio},
    };
    if (end - at == 1) { /* where each cell has a body of its own the call would take longer */
        for (size_t i = 0; i < IMP_COUNT(shared); i++) {
            shared[i].column[at] = shared[i].value;
        }
        return;
    }
    imp_compliant_fill(shared, IMP_COUNT(shared), at, end);
}

/* Enters the friction of n cells, and which of them exist. The effect of friction is friction
 * sqrt(b11 / b22) for a free body, and 1 for a constrained one, whose phases have closed forms for
 * any friction. */
static void enter_friction(const batch *k, size_t first, size_t n, imp_compliant_block *b,
                           size_t at) {
    const imp_contact *contact = &k->memory.contact;
    const double *friction = k->in[FRICTION] + first;
    bool constrained = contact->constrained;
    bool lost = imp_compliant_is_unequal(contact);
    bool outside = contact->outside || lost;
    double inequality = sqrt(contact->b11 / contact->b22), root = k->scales.root;
    double start = constrained, growth = constrained ? 0 : inequality, inside = !outside;
    for (size_t i = 0; i < n; i++) {
        double effect = start + friction[i] * growth, mu = friction[i] * root;
        b->problem.mu[at + i] = effect < imp_compliant_least_effect ? 0 : mu;
        b->exists[at + i] = effect <= imp_compliant_most_effect ? inside : 0;
    }
}

/* Enters velocity ratios that differ, and what depends on them. */
static void enter_velocity(const batch *k, size_t first, size_t n, imp_compliant_block *b,
                           size_t at) {
    const imp_contact_memory *memory = &k->memory;
    const double *apart = memory->velocity >= 0 ? k->of_body[memory->velocity] + first : NULL;
    bool differ = apart && imp_alike(apart, n) < n, whole = needs(k, IMP_COMPLIANT_NEEDS_WHOLE);
    for (size_t i = 0; differ && i < n; i++) {
        b->velocity_ratio[at + i] = apart[i];
        b->problem.v_t[at + i] = apart[i] / k->scales.root;
    }
    for (size_t i = at; whole && i < at + n; i++) {
        b->whole[i] = imp_motion_energy(k->body, memory->value, memory->contact.mass,
                                        b->velocity_ratio[i], k->given.speed);
    }
}

/* Whether the scaled inertia or the energy of a cell overflows. */
static bool overflows(const imp_compliant_block *b, size_t i) {
    double along = b->problem.v_t[i] + b->problem.c[i], a = b->problem.a[i];
    double energy = along * along / b->problem.determinant[i];
    double size = fabs(b->problem.c[i]) + a + (b->problem.constrained[i] != 0 ? 0 : energy);
    return !(size < INFINITY);
}

/* Cells of one body that overflow are outside: no law solves them. Speeds far from that are seen
 * without a division. */
static void leave_out_overflow(imp_compliant_block *b, size_t at, size_t n) {
    const double far = 1e150 * sqrt(b->problem.determinant[at]);
    bool constrained = b->problem.constrained[at] != 0;
    int64_t near = overflows(b, at) || (!constrained && !(fabs(b->problem.c[at]) <= far));
    for (size_t i = at; !constrained && i < at + n; i++) {
        near |= !(fabs(b->problem.v_t[i]) <= far);
    }
    for (size_t i = at; near && i < at + n; i++) {
        b->exists[i] = overflows(b, i) ? 0 : b->exists[i];
    }
}

/* Enters n cells, from cell `first` on, into a block. */
static void enter_cells(batch *k, size_t first, size_t n, imp_compliant_block *b) {
    for (size_t at = 0, alike; at < n; at += alike) {
        alike = cells_alike(k, first + at, n - at);
        recall(k, first + at);
        enter_common(k, b, at, at + alike);
        enter_friction(k, first + at, alike, b, at);
        enter_velocity(k, first + at, alike, b, at);
        leave_out_overflow(b, at, alike);
        if (k->law->enter) {
            k->law->enter(k->of_law, first + at, alike, k->given.speed, b, at);
        }
        imp_compliant_settle(k->law->rim, k->in[FRICTION] + first + at,
                             k->in[STIFFNESS_RATIO] + first + at, alike, b, at);
    }
}

/* Lanes behind the last cell hold no cell, but its numbers. */
#define COPY(name) b->problem.name[at] = b->problem.name[n - 1];
static void close_block(imp_compliant_block *b, size_t n) {
    for (size_t at = n; at % IMP_MOST_LANES != 0; at++) {
        IMP_COMPLIANT_GIVEN(COPY)
        b->problem.constrained[at] = b->problem.constrained[n - 1];
        b->exists[at] = 0;
    }
}
#undef COPY

/* Solves the lost cells of a block again. */
static void find_lost(const batch *k, size_t n, int64_t budget, imp_compliant_block *b) {
    imp_compliant_memory known = {.loading = {.a = 0}};
    int64_t lost = 0; /* as wide as a double, for the sake of the compiler */
    for (size_t at = 0; at < n; at++) {
        lost |= imp_compliant_is_lost(b->result.outcome[at]);
    }
    for (size_t at = 0; lost && at < n; at++) {
        if (imp_compliant_is_lost(b->result.outcome[at])) {
            imp_compliant_account account;
            imp_compliant_problem problem = imp_compliant_problem_at(b, at, &account);
            imp_compliant_result result = {.outcome = b->result.outcome[at]};
            int64_t spent = k->law->blocks > 1 ? problem.budget : b->budget;
            result = imp_compliant_solve_again(&problem, k->law, &known, spent, budget, &result);
            imp_compliant_store(b, at, &result, &account);
        }
    }
}

/* Finds how the bodies of cells `first` to first + n - 1 move after the contact. */
static void find_motion(const batch *k, size_t first, size_t n, imp_compliant_block *b) {
    for (size_t at = 0; at < n; at++) {
        double value[IMP_MAX_PARAMETERS], impulse = b->impulse[at], speed = b->speed[at];
        imp_gather(k->of_body, first + at, k->body->option.n_parameters, value);
        const imp_blow blow = {
            .before_t = b->velocity_ratio[at] * speed,
            .before_n = -speed,
            .after_t = b->result.v_t[at] * b->root[at] * speed,
            .after_n = b->result.v_n[at] * speed,
            .p_t = b->result.p_t[at] / b->root[at] * impulse,
            .p_n = b->result.p_n[at] * impulse,
        };
        imp_motion after = imp_motion_after(k->body, value, b->mass[at], &blow);
        b->body_t[at] = after.v_t;
        b->body_n[at] = after.v_n;
        for (int part = 0; part < IMP_MAX_PARTS; part++) {
            b->spin[part][at] = after.spin[part];
        }
    }
}

/* Finds what follows from the contacts of n cells, from cell `first` on, and writes it. */
static void write_cells(const batch *k, size_t first, size_t n, imp_compliant_block *b,
                        double *const *out, uint8_t *outcome) {
    imp_compliant_represent(b, n);
    if (needs(k, IMP_COMPLIANT_NEEDS_MOTION)) {
        find_motion(k, first, n, b);
    }
    imp_compliant_put(b, n, first, out);
    for (size_t at = 0; at < n; at++) {
        outcome[first + at] = (uint8_t)b->result.outcome[at];
    }
}

static size_t least_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Not on the stack, of which threads may have little. Room for a law follows. */
typedef struct workspace {
    imp_compliant_block block[IMP_COMPLIANT_BLOCKS];
} workspace;

/* The numbers of a contact that its law does not enter. */
static void enter_defaults(imp_compliant_block *b) {
    const imp_compliant_shared shared[] = {
        {.column = b->problem.restitution, .value = 1},
        {.column = b->problem.damping, .value = 0},
        {.column = b->problem.drag, .value = 0},
        {.column = b->problem.by_elongation, .value = 0},
    };
    imp_compliant_fill(shared, IMP_COUNT(shared), 0, IMP_COMPLIANT_BLOCK);
}

static imp_err open_work(imp_instance *instance) {
    size_t line = _Alignof(workspace), room = (imp_compliant_power_room() + line - 1) / line * line;
    workspace *w = aligned_alloc(line, sizeof *w + room);
    for (size_t k = 0; w && k < IMP_COMPLIANT_BLOCKS; k++) {
        enter_defaults(&w->block[k]);
    }
    instance->work = w;
    return w ? IMP_OK : imp_out_of_memory();
}

static void close_work(imp_instance *instance) {
    free(instance->work);
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    enum { EACH = IMP_COMPLIANT_BLOCK };
    batch k = batch_of(instance, in, imp_compliant_needs(out));
    workspace *w = instance->work;
    imp_compliant_block *b = w->block;
    for (size_t first = 0, count; first < n; first += count) {
        count = least_of(n - first, k.law->blocks * EACH);
        for (size_t at = 0; at < count; at += EACH) {
            open_block(&k, &b[at / EACH]);
            enter_cells(&k, first + at, least_of(count - at, EACH), &b[at / EACH]);
            close_block(&b[at / EACH], least_of(count - at, EACH));
        }
        k.law->solve_blocks(b, count, w + 1);
        for (size_t at = 0; at < count; at += EACH) {
            size_t part = least_of(count - at, EACH);
            find_lost(&k, part, instance->budget, &b[at / EACH]);
            write_cells(&k, first + at, part, &b[at / EACH], out, outcome);
        }
    }
    return IMP_OK;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    const double *in[IMP_MAX_PARAMETERS];
    imp_spread(value, in);
    batch k = batch_of(instance, in, IMP_COMPLIANT_NEEDS_TURN | IMP_COMPLIANT_NEEDS_TIME);
    imp_compliant_block *b = ((workspace *)instance->work)->block;
    open_block(&k, b);
    enter_cells(&k, 0, 1, b);
    if (b->exists[0] == 0) {
        *outcome = IMP_OUTSIDE;
        return IMP_OK;
    }
    imp_compliant_account account;
    imp_compliant_problem alone = imp_compliant_problem_at(b, 0, &account);
    imp_compliant_memory known = {.loading = {.a = 0}};
    imp_compliant_solve *by = k.law->solver(&alone);
    imp_compliant_result result = by(&alone, &known);
    int64_t spent = alone.budget, budget = instance->budget;
    if (imp_compliant_is_lost(result.outcome)) {
        result = imp_compliant_solve_again(&alone, k.law, &known, spent, budget, &result);
    }
    imp_compliant_store(b, 0, &result, &account);
    imp_compliant_represent(b, 1);
    alone.budget = budget;
    *outcome = (imp_outcome)b->result.outcome[0];
    if (*outcome != IMP_NOT_FINITE) { /* its rows would not be finite either */
        *outcome = imp_compliant_record(alone, by, &k.scales, b->speed[0], recorder);
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
    .results_version = 27,
    .budget = IMP_COMPLIANT_BUDGET,
    IMP_THEORY_TABLES(parameters, choices, imp_compliant_outputs, modes),
    IMP_THEORY_UNITS(unit_parameters),
    .has_output = has_output,
    .open = open_work,
    .close = close_work,
    .solve = solve,
    .history = &imp_compliant_history,
    .trace = trace,
    .refuse = imp_body_refuse,
};
