#include "models/swerve/outputs.h"

#include <math.h>

#include "models/theory.h"

enum {
    MODE,
    KINEMATIC,
    KINETIC,
    ENERGETIC,
    LAMBDA_NEWTON,
    LAMBDA_POISSON,
    LAMBDA_ENERGETIC,
    VELOCITY_RATIO_OUT,
    HEADING_OUT,
    SWERVE,
    NORMAL_IMPULSE,
    TANGENTIAL_IMPULSE,
    COMPRESSION_IMPULSE,
    HALT_IMPULSE,
    ENERGY_LOSS,
    BODY_ENERGY_LOSS,
    CRITICAL_FRICTION,
    FLOW_CLASS,
    INVARIANT_COUNT,
    NODE_COUNT,
    SADDLE_COUNT,
    INVARIANT_DIRECTION,
    INVARIANT_F,
    INVARIANT_G_PRIME,
    FLOW_CHANGE,
    RESIDUAL
};

#define BIT(mode) IMP_MODE_BIT(IMP_SWERVE_##mode)
#define NO_SEPARATION BIT(WEDGE)
#define NO_SLIP_AT_THE_END (BIT(SLIP_STICK) | BIT(STICK) | BIT(WEDGE))
#define NO_SLIP_AT_THE_START (BIT(STICK) | BIT(SLIP_FROM_REST))
#define NO_HALT (BIT(SLIP) | BIT(STICK) | BIT(SLIP_FROM_REST))

_Static_assert(RESIDUAL + 1 == IMP_SWERVE_N_OUTPUTS, "one code for each output");

/* Classes of flow by their invariant directions; codes are stored in files, append only. */
typedef enum flow_class {
    EVERY_DIRECTION = 1,
    NODE_SADDLE,
    TWO_SADDLES,
    TWO_NODES_TWO_SADDLES,
    NODE_THREE_SADDLES,
    OTHER
} flow_class;

static const imp_mode flow_classes[] = {
    {EVERY_DIRECTION, "every_direction", "slip keeps any direction"},
    {NODE_SADDLE, "node_saddle", "a node, along which slip halts, and a saddle; stick follows"},
    {TWO_SADDLES, "two_saddles", "two saddles, one of which slip from rest follows"},
    {TWO_NODES_TWO_SADDLES, "two_nodes_two_saddles", "two nodes and two saddles; stick follows"},
    {NODE_THREE_SADDLES, "node_three_saddles",
     "a node and three saddles, one of which slip from rest follows"},
    {OTHER, "other", "at the border between classes"},
};

#define TANGENT .dimension = "tangent", .length = 2
#define DIRECTION .dimension = "direction", .length = IMP_MOST_ZEROS

const imp_output imp_swerve_outputs[IMP_SWERVE_N_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [KINEMATIC] = IMP_OUTPUT_KINEMATIC(NO_SEPARATION),
    [KINETIC] = IMP_OUTPUT_KINETIC(NO_SEPARATION),
    [ENERGETIC] = IMP_OUTPUT_ENERGETIC(NO_SEPARATION),
    [LAMBDA_NEWTON] =
        {.name = "lambda_newton",
         .unit = "1",
         .meaning =
             "kinematic restitution over the coefficient (the limit where the coefficient is 0)",
         .undefined_in = NO_SEPARATION},
    [LAMBDA_POISSON] =
        {.name = "lambda_poisson",
         .unit = "1",
         .meaning =
             "kinetic restitution over the coefficient (the limit where the coefficient is 0)",
         .undefined_in = NO_SEPARATION},
    [LAMBDA_ENERGETIC] =
        {.name = "lambda_energetic",
         .unit = "1",
         .meaning =
             "energetic restitution over the coefficient (the limit where the coefficient is 0)",
         .undefined_in = NO_SEPARATION},
    [VELOCITY_RATIO_OUT] = {.name = "velocity_ratio_out",
                            .unit = "1",
                            .meaning = "final slip speed over the initial normal speed",
                            .undefined_in = NO_SEPARATION},
    [HEADING_OUT] = {.name = "heading_out",
                     .unit = "rad",
                     .own_unit = true,
                     .meaning = "direction of the final slip velocity, -pi to pi",
                     .undefined_in = NO_SLIP_AT_THE_END},
    [SWERVE] = {.name = "swerve",
                .unit = "rad",
                .own_unit = true,
                .meaning =
                    "turn of the slip velocity up to the halt, in the limit as the slip speed "
                    "falls to 0, or to separation; 0 where slip keeps every direction",
                .undefined_in = NO_SLIP_AT_THE_START},
    [NORMAL_IMPULSE] = {.name = "normal_impulse",
                        .unit = "N s",
                        .meaning = "normal impulse at separation; of a wedge: at the halt"},
    [TANGENTIAL_IMPULSE] = {.name = "tangential_impulse",
                            .unit = "N s",
                            .meaning =
                                "impulse along axes 1 and 2 at separation; of a wedge: at the halt",
                            TANGENT},
    [COMPRESSION_IMPULSE] = {.name = "compression_impulse",
                             .unit = "N s",
                             .meaning = "normal impulse at the end of compression"},
    [HALT_IMPULSE] = {.name = "halt_impulse",
                      .unit = "N s",
                      .meaning = "normal impulse at which slip halts",
                      .undefined_in = NO_HALT},
    [ENERGY_LOSS] = IMP_OUTPUT_ENERGY_LOSS,
    [BODY_ENERGY_LOSS] = IMP_OUTPUT_BODY_ENERGY_LOSS,
    [CRITICAL_FRICTION] = {.name = "critical_friction",
                           .unit = "1",
                           .meaning = "least friction with which the contact can stick"},
    [FLOW_CLASS] = {.name = "flow_class",
                    .unit = "1",
                    .meaning = "nodes and saddles among the invariant directions",
                    .kind = IMP_CATEGORY,
                    .categories = flow_classes,
                    .n_categories = IMP_COUNT(flow_classes)},
    [INVARIANT_COUNT] = {.name = "invariant_count",
                         .unit = "1",
                         .meaning = "number of directions that slip keeps; -1: every direction",
                         .whole = true},
    [NODE_COUNT] = {.name = "node_count",
                    .unit = "1",
                    .meaning = "number of invariant directions that attract the flow and along "
                               "which slip slows down",
                    .whole = true},
    [SADDLE_COUNT] = {.name = "saddle_count",
                      .unit = "1",
                      .meaning = "number of invariant directions that are no nodes",
                      .whole = true},
    [INVARIANT_DIRECTION] = {.name = "invariant_direction",
                             .unit = "rad",
                             .own_unit = true,
                             .meaning = "directions that slip keeps, ascending from 0 to 2 pi",
                             .undefined_when = "the cell has fewer invariant directions",
                             DIRECTION},
    [INVARIANT_F] = {.name = "invariant_f",
                     .unit = "1/kg",
                     .meaning =
                         "slip speed gained per normal impulse along each invariant direction",
                     .undefined_when = "the cell has fewer invariant directions",
                     DIRECTION},
    [INVARIANT_G_PRIME] = {.name = "invariant_g_prime",
                           .unit = "1/kg",
                           .meaning = "rate at which the flow leaves each invariant direction, "
                                      "negative where the direction attracts",
                           .undefined_when = "the cell has fewer invariant directions",
                           DIRECTION},
    [FLOW_CHANGE] = {.name = "flow_change",
                     .unit = "rad",
                     .own_unit = true,
                     .meaning = "directions in which the slip speed does not change, ascending "
                                "from 0 to 2 pi",
                     .undefined_when = "the cell has fewer of them",
                     DIRECTION},
    [RESIDUAL] = IMP_OUTPUT_RESIDUAL,
};

const imp_mode imp_swerve_modes[IMP_SWERVE_N_MODES] = {
    {IMP_SWERVE_SLIP, "slip", "slips until separation"},
    {IMP_SWERVE_SLIP_STICK, "slip_stick", "slip halts, then the contact sticks"},
    {IMP_SWERVE_SLIP_RESUMED, "slip_resumed", "slip halts and sets out again, straight"},
    {IMP_SWERVE_STICK, "stick", "sticks from the first touch"},
    {IMP_SWERVE_SLIP_FROM_REST, "slip_from_rest",
     "no slip at first touch, but friction is too low"},
    {IMP_SWERVE_WEDGE, "wedge", "slip halts and the body cannot separate"},
};

bool imp_swerve_has_output(const imp_spatial *body, int output) {
    return output != BODY_ENERGY_LOSS || body->own_mass;
}

/* ---- outputs of one cell ---- */

/* The three restitutions, and each over the coefficient of the law. */
typedef struct ratios {
    double kinematic, kinetic, energetic;
    double newton, poisson, stronge;
} ratios;

/* As the coefficient goes to 0 the rebound is straight, with a normal impulse of x times it. */
static void set_limits(const imp_swerve_cell *c, ratios *r) {
    const imp_swerve_state *turn = &c->result.compressed;
    double lift = c->result.lift, work = fabs(turn->work);
    double x = c->law == IMP_SWERVE_NEWTON    ? 1 / lift
               : c->law == IMP_SWERVE_POISSON ? turn->p
                                              : sqrt(2 * work / lift);
    r->newton = x * lift;
    r->poisson = x / turn->p;
    r->stronge = x * sqrt(lift / (2 * work));
}

static ratios ratios_of(const imp_swerve_cell *c) {
    const imp_swerve_state *turn = &c->result.compressed, *end = &c->result.rebound;
    const double vanishing = 1e-100;
    ratios r = {
        .kinematic = end->v3,
        .kinetic = end->p / turn->p,
        .energetic = sqrt(fmax(0, end->work) / fabs(turn->work)),
    };
    r.newton = r.kinematic / c->restitution;
    r.poisson = r.kinetic / c->restitution;
    r.stronge = r.energetic / c->restitution;
    if (c->restitution <= vanishing) {
        set_limits(c, &r);
    }
    return r;
}

static double loss_of(const imp_swerve_cell *c) {
    const imp_swerve_state *turn = &c->result.compressed, *end = &c->result.rebound;
    return turn->loss + end->loss - turn->work - end->work;
}

/* Whether every output can be expressed in the cell's units; so decided that it does not depend on
 * which outputs are wanted. */
static bool representable(const imp_swerve_cell *c, const ratios *r) {
    const double largest = 1e150;
    const imp_swerve_state *turn = &c->result.compressed, *end = &c->result.rebound;
    double impulse = turn->p + end->p + fabs(turn->p1 + end->p1) + fabs(turn->p2 + end->p2);
    double sum = impulse + fabs(end->v1) + fabs(end->v2) + c->flow.rest.critical +
                 c->flow.fastest / c->contact.mass + loss_of(c) / c->contact.energy;
    if (c->result.mode != IMP_SWERVE_WEDGE) {
        sum += r->kinetic + r->energetic + r->newton + r->poisson + r->stronge;
    }
    return sum < largest && c->contact.energy < largest && c->speed < largest &&
           c->impulse < largest && impulse * c->impulse < largest;
}

/* An output that exists in some modes only. */
static void put_if(bool defined, double *const *out, int output, size_t i, double value) {
    imp_put(out, output, i, defined ? value : NAN);
}

static bool is_defined(const imp_swerve_cell *c, int output) {
    return !(imp_swerve_outputs[output].undefined_in & IMP_MODE_BIT(c->result.mode));
}

static void put_ratios(const imp_swerve_cell *c, const ratios *r, double *const *out, size_t i) {
    const imp_swerve_state *end = &c->result.rebound;
    bool separates = c->result.mode != IMP_SWERVE_WEDGE;
    put_if(separates, out, KINEMATIC, i, r->kinematic);
    put_if(separates, out, KINETIC, i, r->kinetic);
    put_if(separates, out, ENERGETIC, i, r->energetic);
    put_if(separates, out, LAMBDA_NEWTON, i, r->newton);
    put_if(separates, out, LAMBDA_POISSON, i, r->poisson);
    put_if(separates, out, LAMBDA_ENERGETIC, i, r->stronge);
    put_if(separates, out, VELOCITY_RATIO_OUT, i, sqrt(end->v1 * end->v1 + end->v2 * end->v2));
}

static void put_path(const imp_swerve_cell *c, double *const *out, size_t i) {
    const imp_swerve_state *turn = &c->result.compressed, *end = &c->result.rebound;
    double square = c->contact.v1 * c->contact.v1 + c->contact.v2 * c->contact.v2 + 1;
    imp_put(out, MODE, i, c->result.mode);
    put_if(is_defined(c, HEADING_OUT), out, HEADING_OUT, i, c->result.heading);
    put_if(is_defined(c, SWERVE), out, SWERVE, i, c->result.swerve);
    imp_put(out, NORMAL_IMPULSE, i, (turn->p + end->p) * c->impulse);
    imp_put(out, TANGENTIAL_IMPULSE, 2 * i, (turn->p1 + end->p1) * c->impulse);
    imp_put(out, TANGENTIAL_IMPULSE, 2 * i + 1, (turn->p2 + end->p2) * c->impulse);
    imp_put(out, COMPRESSION_IMPULSE, i, turn->p * c->impulse);
    put_if(is_defined(c, HALT_IMPULSE), out, HALT_IMPULSE, i, c->result.halt * c->impulse);
    imp_put(out, ENERGY_LOSS, i, loss_of(c) / c->contact.energy);
    imp_put(out, BODY_ENERGY_LOSS, i, 2 * loss_of(c) / square);
    imp_put(out, CRITICAL_FRICTION, i, c->flow.rest.critical);
    imp_put(out, RESIDUAL, i, fabs(c->result.balance));
}

static flow_class class_of(const imp_flow_directions *d) {
    switch (d->invariant_count) {
    case -1:
        return EVERY_DIRECTION;
    case 2:
        return d->nodes == 1 ? NODE_SADDLE : d->nodes == 0 ? TWO_SADDLES : OTHER;
    case 4:
        return d->nodes == 2 ? TWO_NODES_TWO_SADDLES : d->nodes == 1 ? NODE_THREE_SADDLES : OTHER;
    default:
        return OTHER;
    }
}

static bool wants_flow(double *const *out) {
    bool wants = false;
    for (int o = FLOW_CLASS; o <= FLOW_CHANGE; o++) {
        wants |= out[o] != NULL;
    }
    return wants;
}

static void put_flow(const imp_swerve_cell *c, double *const *out, size_t i) {
    imp_flow_directions d = imp_flow_directions_of(&c->flow);
    imp_put(out, FLOW_CLASS, i, class_of(&d));
    imp_put(out, INVARIANT_COUNT, i, d.invariant_count);
    imp_put(out, NODE_COUNT, i, d.nodes);
    imp_put(out, SADDLE_COUNT, i, d.saddles);
    for (int k = 0; k < IMP_MOST_ZEROS; k++) {
        size_t at = i * IMP_MOST_ZEROS + (size_t)k;
        bool invariant = k < d.invariant_count;
        put_if(invariant, out, INVARIANT_DIRECTION, at, d.invariant[k].angle);
        put_if(invariant, out, INVARIANT_F, at, d.f[k] / c->contact.mass);
        put_if(invariant, out, INVARIANT_G_PRIME, at, d.g_prime[k] / c->contact.mass);
        put_if(k < d.change_count, out, FLOW_CHANGE, at, d.change[k].angle);
    }
}

imp_outcome imp_swerve_outcome(const imp_swerve_cell *c) {
    ratios r = ratios_of(c);
    bool lost = c->result.outcome == IMP_SOLVED && !representable(c, &r);
    return lost ? IMP_NOT_FINITE : c->result.outcome;
}

void imp_swerve_put(const imp_swerve_cell *c, double *const *out, size_t i) {
    ratios r = ratios_of(c);
    put_ratios(c, &r, out, i);
    put_path(c, out, i);
    if (wants_flow(out)) {
        put_flow(c, out, i);
    }
}
