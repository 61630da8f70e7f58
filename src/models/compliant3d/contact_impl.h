/* A contact with three springs on its way, which its phases share. Events in stick.c and slip.c
 * lead from one phase to the next through contact.c. A contact waits for each step, which it takes
 * together with other contacts. */
#ifndef IMP_MODELS_COMPLIANT3D_CONTACT_IMPL_H
#define IMP_MODELS_COMPLIANT3D_CONTACT_IMPL_H

#include "models/compliant3d/contact.h"
#include "models/compliant3d/slip_step.h"
#include "models/compliant3d/stick_step.h"
#include "models/phases.h"
#include "num/bracket.h"
#include "num/lanes/width.h"

/* A sequence counts every slip as slip+: in space slip has no sign. */
enum { STICK = IMP_STICK, SLIP = IMP_SLIP_FORTH };

typedef imp_compliant3d_state state;

typedef struct peak {
    double force, p, time, work;
} peak;

typedef enum motion {
    STICKS,
    SLIPS,
    SEPARATED,
    WEDGED,
    CREEPS, /* comes to rest before the normal spring is released */
    OUT_OF_BUDGET,
    STALLED,
    LOST,
    FLEETING /* a phase ended as it began */
} motion;

/* What ends a step of slip. FLIP: the normal force changes its sign. */
typedef enum event { NONE, HALT, TURN, RELOAD, LEAVE, FLIP } event;

/* The search for the step of slip that ends at an event: Newton's method inside a bracket. */
typedef struct search {
    event which;         /* NONE: the step is a whole one */
    imp_bracket bracket; /* its upper end is infinite until a trial passes the event */
    double farthest;     /* of the trials */
    double scale;        /* of the distance from the event */
    int trials;
    int searches; /* in this step, each for a sooner event */
    bool refused; /* the step passes an event that is not at its end */
} search;

/* What a contact waits for. */
enum {
    FOR_NOTHING,
    FOR_STICK,
    FOR_SLIP,
    WAITS_WITHOUT_DASHPOTS,
    FOR_DAMPED_STICK = WAITS_WITHOUT_DASHPOTS,
    FOR_DAMPED_SLIP,
    WAITS
};

typedef struct contact {
    const imp_compliant3d_problem *p;
    imp_observer *observer; /* NULL: none */
    double friction;        /* as given, or a neighbour of it */
    bool damped;            /* there are dashpots */
    double drag, lag;       /* of the tangential dashpots; lag: drag over the stiffness */
    double side;  /* sign of the normal force; -1 only where elongation ends the contact */
    bool lenient; /* goes on after a fleeting phase */
    state now;
    state began;      /* of the phase */
    bool unloading;   /* the normal spring is on the steeper line */
    double stiffness; /* of the present line */
    double kappa;     /* radius of the friction circle over w */
    peak greatest;    /* of the indentation */
    double phi;       /* direction of slip */
    double step;      /* of slip, the next to try */
    bool fresh;       /* the phase begins: stick starts on the circle, at its centre or its rim */
    int order;        /* of contact with the circle there; 0: it starts inside */
    bool peaked;      /* unloading begins: w is at its greatest */
    imp_compliant3d_slip_step last;    /* last step of slip; solved: without an event */
    int wait;                          /* FOR_.. */
    imp_compliant3d_stick_trial stick; /* the steps that it waits for */
    imp_compliant3d_slip_trial slip;
    search search;
    double neighbour; /* how far the friction is off, as a part of it */
    double since;     /* time at the end of the first step of the phase */
    int phases_then;  /* before that step */
    motion motion;
    uint64_t sequence;
    int phases;
    int64_t steps;
} contact;

/* Upper bound of the angular frequencies. */
double imp_compliant3d_fastest(const contact *a);

/* The normal force. */
static inline double imp_compliant3d_force(const contact *a) {
    return a->stiffness * a->now.w - a->p->damping * a->now.v3;
}

/* A direction in the plane. */
typedef struct direction {
    double c, s;
} direction;

/* That in which the tangential springs and dashpots would pull if their foot rested. */
direction imp_compliant3d_pull(const contact *a);

/* The slip speed toward which a slip in this direction tends, and which it has at once without a
 * lag. */
double imp_compliant3d_driven_speed(const contact *a, direction e);

/* The contact in a state on the present line; slip: its direction. */
imp_compliant3d_instant imp_compliant3d_instant_of(const contact *a, const state *now,
                                                   double slip_speed, direction slip);

/* Shows a step that begins now; path: for `at`, as motion of the piece. */
void imp_compliant3d_show(const contact *a, double duration, const void *path,
                          imp_compliant3d_instant (*at)(const imp_compliant3d_piece *piece,
                                                        double time));

/* The energy lost in the bilinear spring so far. */
double imp_compliant3d_crushed(const contact *a);

/* Begins a phase: STICK or SLIP. */
void imp_compliant3d_begin(contact *a, int phase);

/* Gives a slip that begins, or goes on, this direction, and a first step: a short one where its
 * speed lags. */
void imp_compliant3d_turn_slip(contact *a, direction e);

/* The normal force has fallen to 0 and pulls from now on. */
void imp_compliant3d_flip(contact *a);

/* v3 rises through 0: a greatest indentation, from which the spring unloads along its other
 * line. */
void imp_compliant3d_turn(contact *a);

/* A second compression reaches the greatest so far and goes on along the line of loading. */
void imp_compliant3d_load_again(contact *a);
void imp_compliant3d_separate(contact *a);

/* Compression of the unloading line at which it meets that of loading; infinite where there is
 * none. */
double imp_compliant3d_reload_at(const contact *a);

/* How much longer a constrained body may stick before it is taken to stick for good. */
double imp_compliant3d_patience(const contact *a);

/* Moves a constrained body that sticks, after the first step of the phase, to where it may slip
 * again or its patience ends, if that is far: see leap.c. */
void imp_compliant3d_leap(contact *a);

/* The place (u1, u2, -w) at which a constrained body that sticks would rest. */
void imp_compliant3d_place_of_rest(const contact *a, double place[3]);

/* Whether a constrained body with dashpots that sticks has too little energy left to slip again:
 * see ring.c. */
bool imp_compliant3d_rings_down(const contact *a);

/* Brings such a body to rest. */
void imp_compliant3d_rest(contact *a);

/* Whether a contact by elongation creeps toward its end and never gets there, or not before all is
 * lost in rounding: see creep.c. */
bool imp_compliant3d_creeps(const contact *a);

/* Begins a step, up to the first event in it: the contact waits, unless there is no step to
 * take. */
void imp_compliant3d_stick(contact *a);
void imp_compliant3d_slip(contact *a);

/* Goes on when the step has been taken. In slip the contact waits again while it searches for an
 * event. */
void imp_compliant3d_stick_on(contact *a);
void imp_compliant3d_slip_on(contact *a);

/* Begins the contact of a problem and follows it until it waits, or ends. The problem must live as
 * long. */
void imp_compliant3d_touch(contact *a, const imp_compliant3d_problem *p);

/* Gives n contacts, which wait for the same, their steps, and follows each until it waits again, or
 * ends; n: at most imp_lane_width(). */
void imp_compliant3d_go_on(contact *const *contacts, int n);

/* Of a contact that has ended. */
imp_compliant3d_result imp_compliant3d_result_of(const contact *a);

/* ---- passage.c ---- */

/* A quantity that is positive before an event and 0 at the event; i: a stage of the step, or
 * IMP_COMPLIANT3D_SLIP_STAGES for its end. */
double imp_compliant3d_slip_distance(const contact *a, event which,
                                     const imp_compliant3d_slip_step *step, int i);

/* Its rate at the end of the step. */
double imp_compliant3d_slip_rate(const contact *a, event which,
                                 const imp_compliant3d_slip_step *step);

/* The slip speed where the next step begins. */
double imp_compliant3d_slip_speed_at_start(const contact *a);

/* An event, or NONE, and parts of a step: until the event, nearly, and until it has been passed. */
typedef struct imp_compliant3d_slip_passage {
    event which;
    double near, behind;
} imp_compliant3d_slip_passage;

/* The first event that a solved step passes; known: an event at its end that does not count. */
imp_compliant3d_slip_passage imp_compliant3d_slip_passage_in(const contact *a,
                                                             const imp_compliant3d_slip_step *step,
                                                             event known);

#endif
