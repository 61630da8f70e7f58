#include "models/swerve/outputs.h"

#include <math.h>

#include "bodies/spatial/motion.h"
#include "models/swerve/path.h"
#include "models/theory.h"
#include "num/larger.h"

#define BIT(mode) IMP_MODE_BIT(IMP_SWERVE_##mode)
#define NO_SEPARATION BIT(WEDGE)
#define NO_SLIP_AT_THE_END (BIT(SLIP_STICK) | BIT(STICK) | BIT(WEDGE))
#define NO_SLIP_AT_THE_START (BIT(STICK) | BIT(SLIP_FROM_REST))
#define NO_HALT (BIT(SLIP) | BIT(STICK) | BIT(SLIP_FROM_REST))

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
    {EVERY_DIRECTION, "every_direction", "slip keeps every direction"},
    {NODE_SADDLE, "node_saddle", "a node, along which slip halts, and a saddle; stick follows"},
    {TWO_SADDLES, "two_saddles", "two saddles; slip from rest follows one of the two"},
    {TWO_NODES_TWO_SADDLES, "two_nodes_two_saddles", "two nodes and two saddles; stick follows"},
    {NODE_THREE_SADDLES, "node_three_saddles",
     "a node and three saddles; slip from rest follows one of the saddles"},
    {OTHER, "other", "at the border between classes"},
};

#define TANGENT .dimension = "tangent", .length = 2
#define DIRECTION .dimension = "direction", .length = IMP_MOST_ZEROS

const imp_output imp_swerve_outputs[IMP_SWERVE_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_SWERVE_OF_##code] = __VA_ARGS__,
#include "models/swerve/outputs.def"
};

const imp_mode imp_swerve_modes[IMP_SWERVE_N_MODES] = {
    {IMP_SWERVE_SLIP, "slip", "slips until separation"},
    {IMP_SWERVE_SLIP_STICK, "slip_stick", "slip halts, then the contact sticks"},
    {IMP_SWERVE_SLIP_RESUMED, "slip_resumed", "slip halts, then starts again in a straight line"},
    {IMP_SWERVE_STICK, "stick", "sticks from the first touch to separation"},
    {IMP_SWERVE_SLIP_FROM_REST, "slip_from_rest",
     "no slip at first touch, but too little friction to stick"},
    {IMP_SWERVE_WEDGE, "wedge", "slip halts and the body cannot separate"},
};

/* ---- outputs of one cell ---- */

/* The three restitutions, and each over the coefficient of the law. */
typedef struct ratios {
    double kinematic, kinetic, energetic;
    double newton, poisson, stronge;
} ratios;

/* As the coefficient e goes to 0, the rebound is straight, with a normal impulse of x e. */
static void set_limits(const imp_swerve_cell *c, ratios *r) {
    const imp_swerve_state *turn = &c->path.result.compressed;
    double lift = c->path.result.lift, work = fabs(turn->work);
    double l = sqrt(2 * work / lift) / turn->p, w1 = c->weight[0], w2 = c->weight[1];
    double x = c->law == IMP_SWERVE_NEWTON      ? 1 / lift
               : c->law == IMP_SWERVE_POISSON   ? turn->p
               : c->law == IMP_SWERVE_ENERGETIC ? sqrt(2 * work / lift)
                                                : turn->p * l * (w1 * l + w2) / (w1 * l * l + w2);
    r->newton = x * lift;
    r->poisson = x / turn->p;
    r->stronge = x * sqrt(lift / (2 * work));
}

static ratios ratios_of(const imp_swerve_cell *c) {
    const imp_swerve_state *turn = &c->path.result.compressed, *end = &c->path.result.rebound;
    const double vanishing = 1e-100;
    ratios r = {
        .kinematic = end->v3,
        .kinetic = end->p / turn->p,
        .energetic = sqrt(imp_larger(end->work, 0) / fabs(turn->work)),
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
    const imp_swerve_state *turn = &c->path.result.compressed, *end = &c->path.result.rebound;
    if (c->flow.rest.locked) {
        return c->contact.energy - imp_swerve_locked_energy(&c->flow.rest, end->v1, end->v2);
    }
    return turn->loss + end->loss - turn->work - end->work;
}

/* Of the body, at separation. */
static imp_spatial_motion motion_of(const imp_swerve_cell *c) {
    const imp_swerve_state *turn = &c->path.result.compressed, *end = &c->path.result.rebound;
    const double v[3] = {end->v1 * c->speed, end->v2 * c->speed, end->v3 * c->speed};
    const double p[3] = {(turn->p1 + end->p1) * c->impulse, (turn->p2 + end->p2) * c->impulse,
                         (turn->p + end->p) * c->impulse};
    return imp_spatial_motion_after(c->body, c->value, v, p);
}

/* Whether every output can be expressed in the cell's units without overflow. All outputs count, so
 * the result does not depend on which of them are wanted. */
static bool representable(const imp_swerve_cell *c, const ratios *r) {
    const double largest = 1e150;
    const imp_swerve_state *turn = &c->path.result.compressed, *end = &c->path.result.rebound;
    double impulse = turn->p + end->p + fabs(turn->p1 + end->p1) + fabs(turn->p2 + end->p2);
    double sum = impulse + fabs(end->v1) + fabs(end->v2) + c->flow.rest.critical +
                 c->flow.fastest / c->contact.mass + loss_of(c) / c->contact.energy;
    if (c->path.result.mode != IMP_SWERVE_WEDGE) {
        sum += r->kinetic + r->energetic + r->newton + r->poisson + r->stronge;
    }
    return sum < largest && c->contact.energy < largest && c->speed < largest &&
           c->impulse < largest && impulse * c->impulse < largest;
}

static flow_class class_of(const imp_swerve_flow_directions *d) {
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
#define FLOW(code, ...) wants |= out[IMP_SWERVE_OF_##code] != NULL;
#include "models/swerve/outputs.def"
    return wants;
}

/* The value, if the flow has an invariant direction k; otherwise NaN. */
static double of_invariant(const imp_swerve_flow_directions *d, size_t k, double value) {
    return (int)k < d->invariant_count ? value : NAN;
}

static void put_flow(const imp_swerve_cell *c, const imp_swerve_flow_directions *d,
                     double *const *out, size_t i) {
#define FLOW(code, value, ...)                                                                     \
    IMP_PUT_ROW(imp_swerve_outputs, IMP_SWERVE_OF_##code, c->path.result.mode, value)
#include "models/swerve/outputs.def"
}

static bool wants_motion(double *const *out) {
    return out[IMP_SWERVE_OF_BODY_VELOCITY_T] || out[IMP_SWERVE_OF_BODY_VELOCITY_N] ||
           out[IMP_SWERVE_OF_ANGULAR_VELOCITY];
}

static void put_cell(const imp_swerve_cell *c, const ratios *r, double *const *out, size_t i) {
    const imp_swerve_state *turn = &c->path.result.compressed, *end = &c->path.result.rebound;
    double whole = imp_spatial_energy(c->body, c->value, &c->contact, c->speed);
    imp_spatial_motion motion = {.velocity = {0}};
    if (wants_motion(out)) {
        motion = motion_of(c);
    }
#define FLOW(...)
#define OUTPUT(code, value, ...)                                                                   \
    IMP_PUT_ROW(imp_swerve_outputs, IMP_SWERVE_OF_##code, c->path.result.mode, value)
#include "models/swerve/outputs.def"
}

imp_outcome imp_swerve_outcome(const imp_swerve_cell *c) {
    ratios r = ratios_of(c);
    bool lost = c->path.result.outcome == IMP_SOLVED && !representable(c, &r);
    return lost ? IMP_NOT_FINITE : c->path.result.outcome;
}

void imp_swerve_put(imp_swerve_cell *c, double *const *out, size_t i) {
    ratios r = ratios_of(c);
    put_cell(c, &r, out, i);
    if (wants_flow(out)) {
        imp_swerve_flow_directions d = imp_swerve_flow_directions_of(&c->flow);
        put_flow(c, &d, out, i);
    }
}
