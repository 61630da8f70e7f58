#include "models/viscoelastic/rod.h"

#include <math.h>
#include <string.h>

#include "models/phases.h"
#include "models/theory.h"
#include "num/exponential.h"
#include "num/lanes/width.h"
#include "num/larger.h"
#include "num/trigonometry.h"

typedef imp_viscoelastic_march march;
typedef imp_viscoelastic_event event;

/* ---- lanes ---- */

IMP_EACH_WIDTH(imp_viscoelastic_enter, (imp_viscoelastic_block * block), imp_lane_width(), (block))
IMP_EACH_WIDTH(imp_viscoelastic_round, (imp_viscoelastic_block * block), imp_lane_width(), (block))

/* Columns from one lane to another. */
static void copy_lane(const void *from, int lane, void *to, int to_lane, size_t size) {
    const double *values = from;
    double *copies = to;
    for (size_t k = 0; k < size / sizeof(double); k += IMP_MOST_LANES) {
        copies[k + (size_t)to_lane] = values[k + (size_t)lane];
    }
}

/* A variable of the state at the start of the step. */
static double now(const march *a, int variable) {
    return a->block->start.y[variable][a->lane];
}

/* ---- the observer ---- */

static imp_viscoelastic_instant instant_at(const imp_viscoelastic_piece *piece, double time) {
    const march *a = piece->motion;
    imp_viscoelastic_block alone;
    memset(&alone, 0, sizeof alone);
    copy_lane(a->block, a->lane, &alone, 0, sizeof alone);
    alone.tries[0] = 0;
    alone.length[0] = time;
    if (time > 0) {
        imp_viscoelastic_round(&alone);
    }
    const imp_viscoelastic_points *at = time > 0 ? &alone.at : &alone.start;
    double v_t = alone.v_t[0] + at->y[IMP_VISCOELASTIC_P_T][0],
           v_n = at->y[IMP_VISCOELASTIC_V_N][0];
    double w = at->y[IMP_VISCOELASTIC_TURN][0];
    return (imp_viscoelastic_instant){
        .time = at->y[IMP_VISCOELASTIC_ELAPSED][0],
        .depth = at->y[IMP_VISCOELASTIC_DEPTH][0],
        .angle = at->y[IMP_VISCOELASTIC_ANGLE][0],
        .w = w,
        .f_t = imp_viscoelastic_tangential(at, 0),
        .f_n = imp_viscoelastic_normal(at, 0),
        .tip_t = alone.motion.slip[0] == 0 ? 0 : at->tip_t[0],
        .tip_n = -at->distance[IMP_VISCOELASTIC_TURNING][0],
        .p_t = at->y[IMP_VISCOELASTIC_P_T][0],
        .p_n = v_n - a->v_n,
        .work_t = at->y[IMP_VISCOELASTIC_WORK_T][0],
        .work_n = at->y[IMP_VISCOELASTIC_WORK_N][0],
        .kinetic = (v_t * v_t + v_n * v_n + w * w / alone.motion.lightness[0]) / 2,
    };
}

static void show(const march *a, double duration) {
    double slip = a->block->motion.slip[a->lane];
    imp_viscoelastic_piece piece = {.span = {.phase = slip == 0  ? IMP_STICK
                                                      : slip < 0 ? IMP_SLIP_BACK
                                                                 : IMP_SLIP_FORTH,
                                             .number = a->phases - 1,
                                             .start = now(a, IMP_VISCOELASTIC_ELAPSED),
                                             .duration = duration},
                                    .motion = a,
                                    .at = instant_at};
    a->problem->observer->see_piece(a->problem->observer, &piece);
}

/* ---- rest ---- */

/* The forces at first contact of an upright body, both 0, by the rates at which they grow. */
static void grow_forces(const march *a, double *normal, double *holding) {
    const imp_viscoelastic_problem *p = a->problem;
    double w = p->spin, c = a->block->start.cosine[a->lane], lever = p->lever;
    *normal = p->exponent > 1 ? 0 : p->stiffness * (1 + p->damping);
    *holding = -lever * c * w * w * w / (1 + p->lightness * lever * lever * c * c);
}

/* The tangential force that keeps the tip from slipping. */
static double holding_force(const march *a, const imp_viscoelastic_points *at, double normal,
                            double w) {
    const imp_viscoelastic_problem *p = a->problem;
    double s = at->sine[a->lane], c = at->cosine[a->lane], lever = p->lever;
    double arm = lever * lever * s * c, below = 1 / p->lightness + lever * lever * c * c;
    return (normal * arm - lever * s * w * w / p->lightness) / below;
}

/* Direction of slip of a tip at rest along the plane: 0 if friction can hold it, otherwise the
 * direction that it would take without friction. */
static double slip_from_rest(const march *a, const imp_viscoelastic_points *at) {
    double normal = a->touches ? imp_viscoelastic_normal(at, a->lane) : 1;
    double w = a->touches ? at->y[IMP_VISCOELASTIC_TURN][a->lane] : 0;
    double holding = holding_force(a, at, normal, w);
    if (normal == 0 && holding == 0) {
        grow_forces(a, &normal, &holding);
    }
    if (fabs(holding) <= a->problem->friction * normal) {
        return 0;
    }
    /* The holding force is opposed to the motion that it prevents. */
    return holding > 0 ? -1 : 1;
}

/* ---- steps ---- */

/* Moves to the point at hand, and asks for the next step. */
static void accept(march *a) {
    imp_viscoelastic_block *b = a->block;
    if (a->problem->observer) {
        show(a, b->length[a->lane]);
    }
    copy_lane(&b->at, a->lane, &b->start, a->lane, sizeof b->at);
    b->tries[a->lane] = 1;
    a->search.purpose = IMP_VISCOELASTIC_STEPS;
}

/* Goes on with a step that has stopped; returns whether it is over, with *which at its end. */
static bool ends_step(march *a, event *which) {
    imp_viscoelastic_search *s = &a->search;
    double *next = &a->block->next[a->lane];
    if (s->purpose == IMP_VISCOELASTIC_FETCHES) {
        *next = imp_larger(s->found, *next);
        *which = s->first;
        accept(a);
        return true;
    }
    if (s->purpose == IMP_VISCOELASTIC_STEPS) {
        imp_viscoelastic_open_search(a, slip_from_rest(a, &a->block->at));
    } else {
        imp_viscoelastic_note_trial(a);
    }
    if (imp_viscoelastic_seeks(a)) {
        return false;
    }
    if (s->first != IMP_VISCOELASTIC_NO_EVENT || a->block->length[a->lane] != s->length) {
        imp_viscoelastic_ask(a, s->found, true);
        return false;
    }
    accept(a);
    return true;
}

/* ---- phases ---- */

/* Over the longest. */
static const double first_step = 1e-3;

static void begin_phase(march *a, double slip) {
    imp_viscoelastic_block *b = a->block;
    int code = slip == 0 ? IMP_STICK : slip < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH, i = a->lane;
    if (a->phases < IMP_SEQUENCE_PHASES) {
        a->sequence |= (uint64_t)code << (2 * a->phases);
    }
    a->phases++;
    b->motion.slip[i] = slip;
    b->motion.from_t[i] = b->v_t[i] + now(a, IMP_VISCOELASTIC_P_T);
    b->motion.from_n[i] = now(a, IMP_VISCOELASTIC_V_N);
    b->next[i] = first_step * b->longest[i];
    imp_viscoelastic_enter(b);
}

static void note_turn(march *a) {
    imp_viscoelastic_result *r = &a->result;
    if (now(a, IMP_VISCOELASTIC_DEPTH) > r->penetration) {
        r->penetration = now(a, IMP_VISCOELASTIC_DEPTH);
        r->compression_time = now(a, IMP_VISCOELASTIC_ELAPSED);
        r->p_n_compression = now(a, IMP_VISCOELASTIC_V_N) - a->v_n;
        r->work_c = now(a, IMP_VISCOELASTIC_WORK_N);
    }
}

/* The slip ends; `slip` is the direction of the next one, 0: stick. A tip whose least speed is 0
 * within rounding slips on. */
static void halt(march *a, double slip) {
    imp_viscoelastic_result *r = &a->result;
    if (slip == a->block->motion.slip[a->lane]) {
        a->block->next[a->lane] = first_step * a->block->longest[a->lane];
        return;
    }
    if (r->mode == IMP_VISCOELASTIC_SLIP) {
        r->mode = slip == 0 ? IMP_VISCOELASTIC_SLIP_STICK : IMP_VISCOELASTIC_SLIP_REVERSED;
    }
    begin_phase(a, slip);
}

/* What follows a halt. A tip that friction drives on, but that halts before it has moved, sticks
 * until friction fails on the other side. */
static double slip_after_halt(const march *a) {
    double slip = slip_from_rest(a, &a->block->start);
    return a->search.found == 0 && slip == a->block->motion.slip[a->lane] ? 0 : slip;
}

static void take_event(march *a, event which) {
    if (which != IMP_VISCOELASTIC_NO_EVENT) {
        note_turn(a); /* another event at the same time may hide it */
    }
    if (which == IMP_VISCOELASTIC_HALT) {
        halt(a, slip_after_halt(a));
    } else if (which == IMP_VISCOELASTIC_BREAK) {
        bool at_once = a->search.found == 0;
        double force =
            at_once ? a->search.end_side : imp_viscoelastic_tangential(&a->block->start, a->lane);
        begin_phase(a, force > 0 ? -1 : 1);
    }
}

/* ---- the contact ---- */

static void enter_problem(march *a, double depth) {
    const imp_viscoelastic_problem *p = a->problem;
    imp_viscoelastic_block *b = a->block;
    int i = a->lane;
    b->motion.lever[i] = p->lever;
    b->motion.lightness[i] = p->lightness;
    b->ends[i] = p->ends;
    b->motion.friction[i] = p->friction;
    b->motion.stiffness[i] = p->stiffness;
    b->motion.exponent[i] = p->exponent;
    b->motion.damping[i] = p->damping;
    b->latched[i] = p->latched;
    b->shown[i] = p->observer != NULL;
    b->tries[i] = 1;
    b->longest[i] = depth / 20; /* about a sixtieth of the contact */
    b->weight_depth[i] = 1 / (imp_viscoelastic_tolerance * depth);
    b->weight_angle[i] = 1 / (imp_viscoelastic_tolerance * imp_smaller(depth, 1));
    for (int k = 0; k < IMP_RK_SIZE; k++) {
        b->start.y[k][i] = 0;
    }
}

/* A slip speed below the rounding of the tip's velocity vanishes before the body has moved: in its
 * sequence of phases the slip lasts no time. */
static void begin_first_phase(march *a) {
    const imp_viscoelastic_problem *p = a->problem;
    double rest = slip_from_rest(a, &a->block->start);
    double slip = p->v_t == 0 ? rest : p->v_t < 0 ? -1 : 1;
    a->result.mode = slip == 0 ? IMP_VISCOELASTIC_STICK : IMP_VISCOELASTIC_SLIP;
    a->touches = true;
    begin_phase(a, slip);
    if (slip != rest && fabs(p->v_t) <= a->rounding) {
        if (p->observer) {
            show(a, 0);
        }
        halt(a, rest);
    }
}

void imp_viscoelastic_begin(march *a, const imp_viscoelastic_problem *p, imp_viscoelastic_block *b,
                            int lane) {
    imp_sincos at = imp_sine_cosine(p->angle);
    double b22 = 1 + p->lightness * p->lever * p->lever * at.sine * at.sine, n = p->exponent + 1;
    *a = (march){.problem = p, .block = b, .lane = lane, .left = p->budget};
    enter_problem(a, imp_power(n / (2 * p->stiffness * b22), 1 / n));
    a->v_n = -1 - p->lever * p->spin * at.sine;
    a->rounding = 1e-12 * (1 + fabs(p->v_t) + p->lever * fabs(p->spin));
    b->v_t[lane] = b->motion.from_t[lane] = p->v_t + p->lever * p->spin * at.cosine;
    b->motion.from_n[lane] = a->v_n;
    b->start.y[IMP_VISCOELASTIC_ANGLE][lane] = p->angle;
    b->start.y[IMP_VISCOELASTIC_V_N][lane] = a->v_n;
    b->start.y[IMP_VISCOELASTIC_TURN][lane] = p->spin;
    b->motion.slip[lane] = 0;
    a->touches = p->spin != 0;
    imp_viscoelastic_enter(b);
    begin_first_phase(a);
}

/* With friction above about 1e6 the end of the slip may be lost in rounding, and its energy. */
static imp_outcome judge(const imp_viscoelastic_result *r) {
    if (!isfinite(r->balance)) {
        return IMP_NOT_FINITE;
    }
    return fabs(r->balance) <= IMP_ENERGY_TOLERANCE * r->initial ? IMP_SOLVED : IMP_NO_CONVERGENCE;
}

/* Velocity of the tip at separation. A slip that halts or begins there may have a velocity opposed
 * to it, which is an error of the integration. */
static double last_velocity(const march *a, double tip_t) {
    double slip = a->block->motion.slip[a->lane];
    bool opposed = slip * tip_t < 0 && fabs(tip_t) <= 1e3 * a->rounding;
    return slip == 0 || opposed ? 0 : tip_t;
}

static void finish(march *a) {
    imp_viscoelastic_result *r = &a->result;
    const imp_viscoelastic_block *b = a->block;
    double v_t = b->v_t[a->lane], lever = a->problem->lever, lightness = a->problem->lightness;
    note_turn(a); /* only if it never turned */
    r->sequence = a->sequence;
    r->duration = now(a, IMP_VISCOELASTIC_ELAPSED);
    r->angle = now(a, IMP_VISCOELASTIC_ANGLE);
    r->p_n = now(a, IMP_VISCOELASTIC_V_N) - a->v_n;
    r->p_t = now(a, IMP_VISCOELASTIC_P_T);
    r->v_n = now(a, IMP_VISCOELASTIC_V_N);
    r->v_t = v_t + now(a, IMP_VISCOELASTIC_P_T);
    r->w = now(a, IMP_VISCOELASTIC_TURN);
    r->tip_n = r->v_n + lever * r->w * b->start.sine[a->lane];
    r->tip_t = last_velocity(a, r->v_t - lever * r->w * b->start.cosine[a->lane]);
    r->work_r = now(a, IMP_VISCOELASTIC_WORK_N) - r->work_c;
    r->work_t = now(a, IMP_VISCOELASTIC_WORK_T);
    double spin = a->problem->spin;
    double before = v_t * v_t + a->v_n * a->v_n + spin * spin / lightness;
    double after = r->v_t * r->v_t + r->v_n * r->v_n + r->w * r->w / lightness;
    r->initial = before / 2;
    r->change = (after - before) / 2;
    r->balance = r->work_c + r->work_r + r->work_t - r->change;
}

/* Whether the contact is over after a step with an event at its end, if any. Another event within
 * rounding of separation may hide it. */
static bool has_left(const march *a, event which) {
    const imp_viscoelastic_points *at = &a->block->start;
    int i = a->lane;
    return which == IMP_VISCOELASTIC_SURFACE || which == IMP_VISCOELASTIC_RELEASE ||
           (at->distance[IMP_VISCOELASTIC_TURNING][i] < 0 &&
            (at->distance[IMP_VISCOELASTIC_SURFACE][i] <= 0 ||
             at->distance[IMP_VISCOELASTIC_RELEASE][i] <= 0));
}

/* After a step with an event at its end, if any. Returns the outcome, IMP_PENDING if the contact
 * goes on. */
static imp_outcome after_step(march *a, event which) {
    const imp_viscoelastic_block *b = a->block;
    double clearance = b->start.distance[IMP_VISCOELASTIC_LYING][a->lane];
    if (which == IMP_VISCOELASTIC_LYING || (which == IMP_VISCOELASTIC_CLOSEST && clearance <= 0)) {
        return IMP_OUTSIDE;
    }
    if (has_left(a, which)) {
        finish(a);
        return judge(&a->result);
    }
    if (!(b->next[a->lane] > 1e-300) || !isfinite(now(a, IMP_VISCOELASTIC_ANGLE))) {
        return IMP_NOT_FINITE;
    }
    take_event(a, which);
    return a->left > 0 ? IMP_PENDING : IMP_BUDGET;
}

bool imp_viscoelastic_go_on(march *a) {
    event which = IMP_VISCOELASTIC_NO_EVENT;
    a->left -= IMP_RK_STAGES;
    if (a->block->came[a->lane] == IMP_VISCOELASTIC_STOPPED && !ends_step(a, &which)) {
        return true;
    }
    a->result.outcome = after_step(a, which);
    return a->result.outcome == IMP_PENDING;
}

imp_viscoelastic_result imp_viscoelastic_solve(const imp_viscoelastic_problem *problem) {
    imp_viscoelastic_block b;
    march a;
    memset(&b, 0, sizeof b);
    imp_viscoelastic_begin(&a, problem, &b, 0);
    do {
        imp_viscoelastic_round(&b);
    } while (imp_viscoelastic_go_on(&a));
    return a.result;
}
