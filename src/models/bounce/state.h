/* A cell of the theory in progress: where the body is, what moves it, and what was counted. */
#ifndef IMP_MODELS_BOUNCE_STATE_H
#define IMP_MODELS_BOUNCE_STATE_H

#include <math.h>

#include "models/bounce/body.h"
#include "models/observer.h"

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_bounce_mode {
    IMP_BOUNCE_GOES_ON, /* not at the end yet */
    IMP_BOUNCE_REST,
    IMP_BOUNCE_ROLL,
    IMP_BOUNCE_SLIDE,
    IMP_BOUNCE_LEAVES,
    IMP_BOUNCE_AMBIGUOUS,
    IMP_BOUNCE_JAM
} imp_bounce_mode;

typedef enum imp_bounce_law {
    IMP_BOUNCE_NEWTON,
    IMP_BOUNCE_POISSON,
    IMP_BOUNCE_ENERGETIC,
    IMP_BOUNCE_COMPLIANT, /* two linear springs */
    IMP_BOUNCE_LAWS
} imp_bounce_law;

/* What a cell is given. */
typedef struct imp_bounce_problem {
    imp_bounce_body body;
    imp_bounce_law law;
    double restitution, friction, gravity;
    double stiffness_ratio; /* of the springs, normal over tangential */
    double tilt, drop, velocity_t, velocity_n, spin;
    double count_above;
    int64_t budget;
    bool only_settle;       /* the cell ends at the first contact that lasts */
    imp_observer *observer; /* NULL: nobody watches */
} imp_bounce_problem;

/* The motion. The height is that of the gap below the point `base`, and the velocity along n that
 * of this point, because a body that hops low or lies almost flat has its digits there. */
typedef struct imp_bounce_motion {
    double time, x;
    int flat;     /* the angle of the body is that of this flat + 2 pi turns + alpha */
    double turns; /* whole */
    double alpha;
    double velocity_t, spin; /* of the mass centre */
    int base;
    double gap, rate;
} imp_bounce_motion;

/* The places of the discs' centres about the mass centre, which follow from flat and alpha. */
typedef struct imp_bounce_pose {
    double x[IMP_BOUNCE_POINTS], y[IMP_BOUNCE_POINTS];
    double sine, cosine; /* of alpha */
} imp_bounce_pose;

/* An impact, in units of the cell. */
typedef struct imp_bounce_blow {
    int number; /* of the point */
    double time, impulse;
} imp_bounce_blow;

/* Impacts in the output `sequence`; strikes that are kept, those of a cycle of 8 and 3 more;
 * settle_number where two points touch. */
enum { IMP_BOUNCE_SEQUENCE = 16, IMP_BOUNCE_STRIKES = 11, IMP_BOUNCE_BOTH = 9 };

/* What the outputs are made of. */
typedef struct imp_bounce_tally {
    int64_t impacts;    /* counted ones */
    int64_t strikes;    /* all impacts but those that complete chatter sums up */
    uint64_t sequence;  /* numbers - 1 of the first ones, 3 bits each */
    double first_speed; /* of approach */
    imp_bounce_blow first, second, largest;
    int64_t largest_index;
    int chatters;
    double normal_loss, friction_loss; /* over the mass */
    double upward;                     /* sum of the normal impulses over the mass */
    double margin;
    bool settled, settled_sticking;
    int settle_number;
    imp_bounce_motion settle;
    double settle_angle;
} imp_bounce_tally;

/* A strike by another point than the one before; complete chatter of two points is known from
 * them. */
typedef struct imp_bounce_strike {
    double time, spin;
    int point;
} imp_bounce_strike;

typedef struct imp_bounce_cell {
    imp_bounce_problem p;
    imp_bounce_motion m;
    imp_bounce_pose pose;
    imp_bounce_tally tally;
    imp_bounce_mode mode;
    imp_outcome outcome; /* IMP_PENDING while the cell goes on */
    int64_t spent;
    bool sticks;    /* the point in contact has no tangential velocity */
    double dragged; /* slip that the hops of the last complete chatter gave a point that then
                       sticks, over the speed of the first of them */
    double ratio,
        slip_out; /* of the last impact: speeds of lift-off and slip over that of approach */
    imp_bounce_strike strike[IMP_BOUNCE_STRIKES]; /* the last one first */
    double initial_energy;                        /* over the mass */
    int rest_left, rest_right; /* numbers of the points that touch at rest; 0: none */
} imp_bounce_cell;

/* Velocity of the mass centre along n, and its height. */
static inline double imp_bounce_velocity_n(const imp_bounce_cell *c) {
    return c->m.rate - c->m.spin * c->pose.x[c->m.base];
}

static inline double imp_bounce_height(const imp_bounce_cell *c) {
    return c->m.gap + c->p.body.radius - c->pose.y[c->m.base];
}

/* Gap below a point, and its rate. The difference of two heights keeps its digits near a flat. */
static inline double imp_bounce_gap(const imp_bounce_cell *c, int j) {
    const imp_bounce_flat *flat = &c->p.body.flat[c->m.flat];
    int k = c->m.base;
    return c->m.gap +
           ((flat->a[j] - flat->a[k]) * c->pose.sine + (flat->b[j] - flat->b[k]) * c->pose.cosine);
}

static inline double imp_bounce_rate(const imp_bounce_cell *c, int j) {
    return c->m.rate + c->m.spin * (c->pose.x[j] - c->pose.x[c->m.base]);
}

/* The point of the flat that is not the base. */
static inline int imp_bounce_other(const imp_bounce_cell *c) {
    int left = c->m.flat;
    return c->m.base == left ? imp_bounce_next(&c->p.body, left) : left;
}

/* Slip velocity of the lowest place of a disc. */
static inline double imp_bounce_slip(const imp_bounce_cell *c, int j) {
    return c->m.velocity_t - c->m.spin * (c->pose.y[j] - c->p.body.radius);
}

/* Energy over the mass, with the plane at 0. */
double imp_bounce_energy(const imp_bounce_cell *c);

/* A body that starts at rest on the plane without gravity has no energy to lose. */
static inline double imp_bounce_over(double energy, double initial) {
    return initial > 0 ? energy / initial : energy;
}

/* The energy that the account misses, over the initial one. */
double imp_bounce_balance(const imp_bounce_cell *c);

/* Counts a step; false once the budget is spent or the motion is not finite: the cell has
 * failed. */
bool imp_bounce_spend(imp_bounce_cell *c);

/* The angle of the body, with all turns. */
double imp_bounce_angle(const imp_bounce_cell *c);

/* Sets the pose that follows from the motion. */
void imp_bounce_set_pose(imp_bounce_cell *c);

/* Refers the angle to that flat beside point k which is nearer; k is the lowest point. */
void imp_bounce_refer(imp_bounce_cell *c, int k);

/* Makes a point the base of the height: its gap and rate become 0 and `rate`. */
void imp_bounce_ground(imp_bounce_cell *c, int k, double rate);

/* The time after which a number with this rate vanishes at the earliest, where its second
 * derivative is at least -fall. */
static inline double imp_bounce_earliest(double value, double rate, double fall) {
    double root = sqrt(rate * rate + 2 * fall * value);
    if (rate < 0) {
        return 2 * value / (root - rate);
    }
    return fall > 0 ? (rate + root) / fall : INFINITY;
}

/* ---- history.c ---- */

extern const imp_history imp_bounce_history;

/* Records a cell up to its end, or to where it failed. */
imp_outcome imp_bounce_record(imp_bounce_problem problem, imp_recorder *recorder);

/* ---- cell.c: a cell from the drop to the end ---- */

/* Follows the problem to its end: c->outcome, and c->mode where it is IMP_SOLVED. */
void imp_bounce_run(const imp_bounce_problem *problem, imp_bounce_cell *c);

#endif
