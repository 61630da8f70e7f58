#include "models/viscoelastic/rod.h"

#include <math.h>

#include "models/phases.h"
#include "num/bracket.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/runge_kutta.h"
#include "num/trigonometry.h"

/* The rod in units of its mass and length: half its length, and dw/dt per torque. */
static const double half = 0.5, lightness = 12;

/* The state: penetration, angle, normal velocity of the mass centre, angular velocity; then
 * integrals. */
enum { DEPTH, ANGLE, V_N, TURN, WORK_N, WORK_T, P_T, ELAPSED };

typedef struct motion {
    const imp_rod_problem *p;
    double slip;           /* direction of slip, 0 in stick */
    double from_t, from_n; /* velocities of the mass centre at the start of the phase */
} motion;

typedef imp_rk_row state;

/* ---- forces ---- */

typedef struct forces {
    imp_sincos at;
    double tip_n, normal, tangential;
} forces;

/* Above the surface the force continues smoothly, so that separation can be found from both
 * sides. */
static inline double elastic(const imp_rod_problem *p, double depth) {
    double size = fabs(depth);
    double force = p->exponent == 1     ? size
                   : p->exponent == 1.5 ? size * sqrt(size)
                                        : imp_power(size, p->exponent);
    return p->stiffness * (depth < 0 ? -force : force);
}

/* The tangential force that keeps the tip from slipping. */
static inline double holding_force(const imp_sincos *at, double normal, double w) {
    double s = at->sine, c = at->cosine;
    double arm = half * half * s * c, below = 1 / lightness + half * half * c * c;
    return (normal * arm - half * s * w * w / lightness) / below;
}

static inline forces forces_at(const motion *m, const state *y) {
    forces f = {.at = imp_sine_cosine(y->x[ANGLE])};
    f.tip_n = y->x[V_N] + half * y->x[TURN] * f.at.sine;
    f.normal = elastic(m->p, y->x[DEPTH]) * (1 - m->p->damping * f.tip_n);
    f.tangential = m->slip == 0 ? holding_force(&f.at, f.normal, y->x[TURN])
                                : -m->p->friction * m->slip * f.normal;
    return f;
}

static inline state rates_under(const motion *m, const state *y, const forces *f) {
    state rate;
    /* In slip both impulses keep one ratio, so the tangential velocity follows from the normal one. */
    double v_t = m->from_t - m->p->friction * m->slip * (y->x[V_N] - m->from_n);
    double tip_t = m->slip == 0 ? 0 : v_t - half * y->x[TURN] * f->at.cosine;
    rate.x[DEPTH] = -f->tip_n;
    rate.x[ANGLE] = y->x[TURN];
    rate.x[V_N] = f->normal;
    rate.x[TURN] = lightness * half * (f->normal * f->at.sine - f->tangential * f->at.cosine);
    rate.x[WORK_N] = f->normal * f->tip_n;
    rate.x[WORK_T] = f->tangential * tip_t;
    rate.x[P_T] = f->tangential;
    rate.x[ELAPSED] = 1;
    return rate;
}

static inline void rates(const void *system, const state *y, state *rate) {
    const motion *m = system;
    forces f = forces_at(m, y);
    *rate = rates_under(m, y, &f);
}

/* ---- events ---- */

typedef enum event {
    HALT,
    BREAK,
    SURFACE,
    RELEASE,
    TURNING,
    LYING,   /* the other end reaches the surface */
    CLOSEST, /* the other end is near the surface, and nearest */
    N_EVENTS,
    NONE = N_EVENTS
} event;

typedef struct march {
    motion m;
    state y, rate;
    forces f;          /* in the state y */
    double v_t, v_n;   /* of the mass centre at first contact */
    double longest, h; /* steps */
    double weight[IMP_RK_SIZE];
    int64_t left; /* of the budget */
    uint64_t sequence;
    int phases;
    imp_rod_result result; /* filled in as it becomes known */
} march;

static double tip_t(const march *a, const state *y, const forces *f) {
    return a->v_t + y->x[P_T] - half * y->x[TURN] * f->at.cosine;
}

/* Height of the other end above the surface; below, the speed at which it comes down. */
static double clearance(const state *y, const forces *f) {
    return f->at.cosine - y->x[DEPTH];
}

static double descent(const state *y, const forces *f) {
    return f->at.sine * y->x[TURN] - f->tip_n;
}

/* A quantity that is positive before the event and 0 at the event; infinite if the event cannot
 * happen. f: the forces in the state. */
static double distance(const march *a, const state *y, const forces *f, event which) {
    switch (which) {
    case HALT:
        return a->m.slip == 0 ? INFINITY : a->m.slip * tip_t(a, y, f);
    case BREAK:
        return a->m.slip != 0 || a->m.p->latched
                   ? INFINITY
                   : a->m.p->friction * f->normal - fabs(f->tangential);
    case SURFACE:
        return y->x[DEPTH];
    case RELEASE:
        return 1 - a->m.p->damping * f->tip_n;
    case TURNING:
        return -f->tip_n;
    case LYING:
        return clearance(y, f);
    default:
        return clearance(y, f) < y->x[DEPTH] ? descent(y, f) : INFINITY;
    }
}

/* ---- the observer ---- */

/* A step of the march, from its state before. */
static imp_rod_instant instant_at(const imp_rod_piece *piece, double time) {
    const march *a = piece->motion;
    state y = time > 0 ? imp_rk_step(rates, &a->m, &a->y, &a->rate, time).y : a->y;
    forces f = forces_at(&a->m, &y);
    double v_t = a->v_t + y.x[P_T], w = y.x[TURN];
    return (imp_rod_instant){
        .time = y.x[ELAPSED],
        .depth = y.x[DEPTH],
        .angle = y.x[ANGLE],
        .w = w,
        .f_t = f.tangential,
        .f_n = f.normal,
        .tip_t = a->m.slip == 0 ? 0 : tip_t(a, &y, &f),
        .tip_n = f.tip_n,
        .p_t = y.x[P_T],
        .p_n = y.x[V_N] - a->v_n,
        .work_t = y.x[WORK_T],
        .work_n = y.x[WORK_N],
        .kinetic = (v_t * v_t + y.x[V_N] * y.x[V_N] + w * w / lightness) / 2,
    };
}

static void show(const march *a, double duration) {
    imp_rod_piece piece = {.span = {.phase = a->m.slip == 0  ? IMP_STICK
                                             : a->m.slip < 0 ? IMP_SLIP_BACK
                                                             : IMP_SLIP_FORTH,
                                    .number = a->phases - 1,
                                    .start = a->y.x[ELAPSED],
                                    .duration = duration},
                           .motion = a,
                           .at = instant_at};
    a->m.p->observer->see_piece(a->m.p->observer, &piece);
}

static imp_rk_end advance(march *a, double h) {
    a->left -= IMP_RK_STAGES;
    return imp_rk_step(rates, &a->m, &a->y, &a->rate, h);
}

/* The step, at most h, at which the distance vanishes. The event is at the end of the step, or
 * before it within rounding. */
static double locate(march *a, event which, double h, double start, double stop) {
    enum { MOST_TRIALS = 80 };
    imp_chord c = {{0, h}, start, stop, 0};
    double left = 1;
    for (int i = 0; i < MOST_TRIALS && left != 0 && c.ends.high - c.ends.low > 1e-15 * c.ends.high;
         i++) {
        double step = i <= MOST_TRIALS / 2 ? imp_bracket_next(&c.ends, imp_chord_next(&c))
                                           : imp_bracket_middle(&c.ends);
        imp_rk_end end = advance(a, step);
        forces at_end = forces_at(&a->m, &end.y);
        left = distance(a, &end.y, &at_end, which);
        imp_chord_cut(&c, step, left);
    }
    return c.ends.high;
}

/* The first event within the step of *h to `end`, where the forces are at_end; *h becomes the step
 * to the event. */
static event first_event(march *a, const state *end, const forces *at_end, double *h) {
    event first = NONE;
    double step = *h;
    for (int which = 0; which < N_EVENTS; which++) {
        double start = distance(a, &a->y, &a->f, (event)which);
        double stop = distance(a, end, at_end, (event)which);
        if (start > 0 && stop <= 0 && start < INFINITY) {
            double at = locate(a, (event)which, step, start, stop);
            if (first == NONE || at < *h) {
                first = (event)which;
                *h = at;
            }
        }
    }
    return first;
}

/* ---- phases ---- */

static void begin_phase(march *a, double slip) {
    int code = slip == 0 ? IMP_STICK : slip < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH;
    if (a->phases < IMP_SEQUENCE_PHASES) {
        a->sequence |= (uint64_t)code << (2 * a->phases);
    }
    a->phases++;
    a->m.slip = slip;
    a->m.from_t = a->v_t + a->y.x[P_T];
    a->m.from_n = a->y.x[V_N];
    a->f = forces_at(&a->m, &a->y);
    a->rate = rates_under(&a->m, &a->y, &a->f);
    a->h = 1e-3 * a->longest;
}

/* Direction of slip of a tip at rest along the plane: 0 if friction can hold it, otherwise the
 * direction that it would take without friction. At first contact without spin, where no force acts
 * yet, the ratio of the forces counts. */
static double slip_from_rest(const march *a, bool touching) {
    motion frictionless = a->m;
    frictionless.slip = 0;
    forces f = forces_at(&frictionless, &a->y);
    double w = touching ? a->y.x[TURN] : 0, normal = touching ? f.normal : 1;
    double holding = holding_force(&f.at, normal, w);
    if (fabs(holding) <= a->m.p->friction * normal) {
        return 0;
    }
    /* The holding force is opposed to the motion that it prevents. */
    return holding > 0 ? -1 : 1;
}

static void note_turn(march *a) {
    imp_rod_result *r = &a->result;
    if (a->y.x[DEPTH] > r->penetration) {
        r->penetration = a->y.x[DEPTH];
        r->compression_time = a->y.x[ELAPSED];
        r->p_n_compression = a->y.x[V_N] - a->v_n;
        r->work_c = a->y.x[WORK_N];
    }
}

static void take_event(march *a, event which) {
    imp_rod_result *r = &a->result;
    if (which == TURNING) {
        note_turn(a);
    } else if (which == HALT) {
        double before = a->m.slip, slip = slip_from_rest(a, true);
        if (r->mode == IMP_ROD_SLIP) {
            r->mode = slip == 0        ? IMP_ROD_SLIP_STICK
                      : slip != before ? IMP_ROD_SLIP_REVERSED
                                       : IMP_ROD_SLIP;
        }
        begin_phase(a, slip);
    } else if (which == BREAK) {
        begin_phase(a, a->f.tangential > 0 ? -1 : 1);
    }
}

/* ---- the contact ---- */

static void start(march *a, const imp_rod_problem *p) {
    imp_sincos at = imp_sine_cosine(p->angle);
    double b22 = 1 + lightness * half * half * at.sine * at.sine, n = p->exponent + 1;
    double depth = imp_power(n / (2 * p->stiffness * b22), 1 / n);
    a->v_t = p->v_t + half * p->spin * at.cosine;
    a->v_n = -1 - half * p->spin * at.sine;
    a->m = (motion){.p = p, .from_n = a->v_n, .from_t = a->v_t};
    a->y.x[ANGLE] = p->angle;
    a->y.x[V_N] = a->v_n;
    a->y.x[TURN] = p->spin;
    a->left = p->budget;
    a->longest = depth / 20; /* about a sixtieth of the contact */
    const double tolerance = 1e-13;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        a->weight[i] = 1 / tolerance;
    }
    a->weight[DEPTH] = 1 / (tolerance * depth);
    a->weight[ANGLE] = 1 / (tolerance * imp_smaller(depth, 1));
    a->weight[ELAPSED] = 0;
    double slip = fabs(p->v_t) > 1e-12 ? (p->v_t < 0 ? -1 : 1) : slip_from_rest(a, p->spin != 0);
    a->result.mode = slip == 0 ? IMP_ROD_STICK : IMP_ROD_SLIP;
    begin_phase(a, slip);
}

static void finish(march *a) {
    imp_rod_result *r = &a->result;
    const double *y = a->y.x;
    imp_sincos at = imp_sine_cosine(y[ANGLE]);
    note_turn(a); /* only if it never turned */
    r->outcome = IMP_SOLVED;
    r->sequence = a->sequence;
    r->duration = y[ELAPSED];
    r->angle = y[ANGLE];
    r->p_n = y[V_N] - a->v_n;
    r->p_t = y[P_T];
    r->v_n = y[V_N];
    r->v_t = a->v_t + y[P_T];
    r->w = y[TURN];
    r->tip_n = r->v_n + half * r->w * at.sine;
    r->tip_t = a->m.slip == 0 ? 0 : r->v_t - half * r->w * at.cosine;
    r->work_r = y[WORK_N] - r->work_c;
    r->work_t = y[WORK_T];
    double spin = a->m.p->spin;
    double before = a->v_t * a->v_t + a->v_n * a->v_n + spin * spin / lightness;
    double after = r->v_t * r->v_t + r->v_n * r->v_n + r->w * r->w / lightness;
    r->initial = before / 2;
    r->change = (after - before) / 2;
}

/* One step, at most to the first event. */
static event step(march *a) {
    double h = imp_smaller(a->longest, a->h);
    imp_rk_end end = advance(a, h);
    double error = imp_rk_error(&end, a->weight, h);
    a->h = imp_rk_next(h, error);
    if (!(error <= 1)) {
        return NONE;
    }
    double found = h;
    forces at_end = forces_at(&a->m, &end.y);
    event which = first_event(a, &end.y, &at_end, &found);
    if (which != NONE) {
        end = advance(a, found);
        at_end = forces_at(&a->m, &end.y);
        a->h = imp_larger(found, a->h);
    }
    if (a->m.p->observer) {
        show(a, found);
    }
    a->y = end.y;
    a->f = at_end;
    a->rate = rates_under(&a->m, &a->y, &a->f);
    return which;
}

imp_rod_result imp_rod_solve(const imp_rod_problem *problem) {
    march a = {.v_t = 0};
    start(&a, problem);
    while (a.left > 0) {
        event which = step(&a);
        double angle = a.y.x[ANGLE];
        if (which == LYING || (which == CLOSEST && clearance(&a.y, &a.f) <= 0)) {
            a.result.outcome = IMP_OUTSIDE;
            return a.result;
        }
        if (which == SURFACE || which == RELEASE) {
            finish(&a);
            return a.result;
        }
        if (!(a.h > 1e-300) || !isfinite(angle)) {
            a.result.outcome = IMP_NOT_FINITE;
            return a.result;
        }
        take_event(&a, which);
    }
    a.result.outcome = IMP_BUDGET;
    return a.result;
}
