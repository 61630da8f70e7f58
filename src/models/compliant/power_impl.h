/* The laws of power 1.5, hertz and coupled: what their files share. power_crowd.c gives contacts
 * their lanes; power.c follows a contact from phase to phase; power_slip.c has slips in closed
 * form; power_event.c finds events in a step; power_march.c has the march through one phase, as
 * accounts and observers see it. Each calls only those after it, and the lanes of
 * power_round_lanes.c. */
#ifndef IMP_MODELS_COMPLIANT_POWER_IMPL_H
#define IMP_MODELS_COMPLIANT_POWER_IMPL_H

#include <math.h>

#include "models/compliant/account_impl.h"
#include "models/compliant/power_block.h"
#include "models/compliant/state_impl.h"
#include "num/bracket.h"
#include "num/exponential.h"

typedef struct springs {
    double a, c, mu;
    double kappa;   /* stick while |u| <= kappa delta (1 - damping v_n)^(2/3) */
    double damping; /* hertz only */
    double slip;    /* direction; 0: stick */
    double q, g;    /* slip: dv_n and dv_t per normal impulse */
    bool coupled;   /* the law */
    bool constrained;
} springs;

typedef struct point {
    IMP_COMPLIANT_POWER_POINT(double)
} point;

/* A quantity that falls to 0 at an event, at a point: with its rates in the variable of the
 * step. */
typedef struct mark {
    double h, value, slope, bend;
} mark;

/* What the next point is for: power_event.c. */
typedef enum purpose { STEP, RISE, SPLIT, RIGHT_OF, ROOT, FETCH, PEAK } purpose;

enum { LOOKS = 48 };

/* The search for an event in a step: which, and what is known of the stretch at hand. The peaks of
 * forces are events, too. */
typedef struct search {
    int which;
    purpose purpose;
    int looks, halvings, rounds;
    mark from, to;
    mark later[LOOKS]; /* ends of the stretches that follow */
    int n_later;
} search;

/* One phase as it is integrated, in a lane of a block. */
typedef struct march {
    const imp_compliant_problem *problem;
    springs k;
    imp_compliant_power_block *block;
    int lane;
    int number;                          /* of the phase */
    point end;                           /* of the step at hand */
    int event;                           /* at this end; -1: none */
    mark from[2];                        /* quantities where the step starts */
    mark to[IMP_COMPLIANT_POWER_SIGHTS]; /* and at its end */
    int roots[2];                        /* between them */
    point turn;                          /* in the step */
    bool turns;
    search search;
} march;

/* What is integrated: a stick, a damped slip, or the time of an undamped slip. */
typedef enum integral { OF_STICK, OF_DAMPED_SLIP, OF_SLIP_TIME } integral;

/* An undamped slip. */
typedef struct slide {
    double s, q, rate;  /* direction; changes of v_n and of the slip speed per normal impulse */
    double impulse;     /* normal, to the end; infinite if it never ends */
    double speed;       /* of slip, at the start */
    double v_n, delta;  /* at the end */
    double work, time;  /* until then; time: NaN if it must be integrated */
    double turn_time;   /* until the greatest indentation so far, if it passes that */
    bool sticks, turns; /* ends in stick; passes the greatest indentation so far */
} slide;

/* A contact as a whole. */
typedef struct contact {
    imp_compliant_problem problem;
    springs k; /* of stick */
    int64_t budget;
    double damped; /* energy lost to damping */
    state now;
    double s; /* direction of the last slip; 0 where the contact starts with stick */
    integral integral;
    imp_compliant_result result; /* where it has ended */
    march march;
    int turns;   /* of a constrained stick */
    slide slide; /* undamped slip */
    state notes; /* undamped slip: turns are noted here */
    state start; /* damped slip */
} contact;

/* ---- forces ---- */

static inline double positive(double x) {
    return x > 0 ? x : 0;
}

/* (1 - damping v_n)^(2/3) */
static inline double relief(const springs *k, double v_n) {
    double x = positive(1 - k->damping * v_n);
    return k->damping == 0 ? 1 : imp_two_thirds(x);
}

/* The greatest |u| that friction holds; in slip |u| is this large. */
static inline double limit(const springs *k, double delta, double v_n) {
    return k->kappa * delta * relief(k, v_n);
}

/* 2/5 x^2.5, the energy of a spring. */
static inline double energy(double x) {
    return 0.4 * x * x * sqrt(fabs(x));
}

static inline double spring_energy(const springs *k, double u, double delta) {
    return k->coupled ? u * u * sqrt(positive(delta)) / 2 : energy(fabs(u));
}

/* Change of the slip speed per normal impulse. */
static inline double slip_change(const springs *k, double s) {
    double q = 1 - k->mu * s * k->c;
    return k->constrained ? q * (k->kappa + s * k->c) : k->kappa * q + s * k->c - k->mu * k->a;
}

/* ---- power.c ---- */

/* Begins a contact, whose march has a block and a lane, and follows it until it marches; returns
 * false if it ends. */
bool imp_compliant_power_begin(const imp_compliant_problem *problem, contact *c);

/* Takes up a march after a round, and follows its contact until it marches again; returns false if
 * it ends. */
bool imp_compliant_power_go_on(contact *c);

/* ---- power_event.c ---- */

/* Goes on with a march that has stopped: with a search for events in its step, or at the end of the
 * step. Returns the event that ends the phase, -1 if the march asks for another step or point.
 * Turns are noted in *now. */
int imp_compliant_power_heed(march *m, state *now);

/* Marches alone, to the end of the phase, within a budget. Returns the event that ends it, -1 if
 * the budget is spent. */
int imp_compliant_power_march_alone(march *m, state *now, int64_t budget);

/* ---- power_march.c ---- */

/* A march that begins in the state `now`, in a lane of a block; slip: direction of slip, 0 for
 * stick. `touches`: which quantities are 0 as the phase begins. */
void imp_compliant_power_march_from(const contact *c, const state *now, double slip,
                                    const bool *touches, march *m);

/* The point where the step at hand starts, as the end of a step of no length. */
point imp_compliant_power_start_of(const march *m);

/* A point from a lane, and into it. */
void imp_compliant_power_get_point(const imp_compliant_power_points *points, int lane, point *p);
void imp_compliant_power_put_point(const point *p, imp_compliant_power_points *points, int lane);

/* Shows the step that ends at m->end to the observer. */
void imp_compliant_power_show(const march *m);

/* Adds the step that ends at m->end to the sums of the account. */
void imp_compliant_power_add_step(march *m);

/* Notes a force in the step at hand in the sums of the account; time: since the march began. */
void imp_compliant_power_note_force(march *m, int which, double force, double time);

/* Brings the account of the contact up to date. */
void imp_compliant_power_store_sums(const march *m);

/* Notes a turn in the step at hand: its forces, and the turn itself if it is the greatest
 * indentation so far. */
void imp_compliant_power_note_turn(march *m, const point *turn, state *now);

/* Moves the state to the end of a march. The loss to damping follows from the energy of the normal
 * spring. */
void imp_compliant_power_take_over(contact *c);

/* ---- power_slip.c ---- */

/* The ends of a part of the contact in which both forces rise together, or fall. */
typedef struct monotone_part {
    imp_compliant_instant start, end;
} monotone_part;

/* Adds a part of a phase, of this number, to the account; turns: its end is the greatest
 * indentation so far. */
void imp_compliant_power_add_part(imp_compliant_account *account, const monotone_part *part,
                                  bool slips, double number, bool turns);

/* Time from one state of an undamped slip to another; NaN if the series do not reach. */
double imp_compliant_power_arc_time(const state *from, double v_n, double delta, double q);

/* A slip in direction c->s, to its end or to a march, after whose end imp_compliant_power_end_slip
 * goes on. event: that ends the march. */
phase_end imp_compliant_power_slip(contact *c);
phase_end imp_compliant_power_end_slip(contact *c, int event);

#endif
