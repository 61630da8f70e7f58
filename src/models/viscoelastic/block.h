/* Contacts of several rods, which take their steps together; see rod.h. */
#ifndef IMP_MODELS_VISCOELASTIC_BLOCK_H
#define IMP_MODELS_VISCOELASTIC_BLOCK_H

#include "num/lanes/width.h"
#include "num/runge_kutta.h"

/* Error of a step relative to the scale of each variable. */
static const double imp_viscoelastic_tolerance = 1e-13;

/* Variables of the integration: penetration, angle, normal velocity of the mass centre, angular
 * velocity; integrals: works, tangential impulse, time. */
enum {
    IMP_VISCOELASTIC_DEPTH,
    IMP_VISCOELASTIC_ANGLE,
    IMP_VISCOELASTIC_V_N,
    IMP_VISCOELASTIC_TURN,
    IMP_VISCOELASTIC_WORK_N,
    IMP_VISCOELASTIC_WORK_T
};
enum { IMP_VISCOELASTIC_P_T = IMP_VISCOELASTIC_WORK_T + 1, IMP_VISCOELASTIC_ELAPSED };

typedef enum imp_viscoelastic_event {
    IMP_VISCOELASTIC_HALT,
    IMP_VISCOELASTIC_BREAK,
    IMP_VISCOELASTIC_SURFACE,
    IMP_VISCOELASTIC_RELEASE,
    IMP_VISCOELASTIC_TURNING,
    IMP_VISCOELASTIC_LYING,   /* the other end reaches the surface */
    IMP_VISCOELASTIC_CLOSEST, /* the other end is near the surface, and nearest */
    IMP_VISCOELASTIC_EVENTS,
    IMP_VISCOELASTIC_NO_EVENT = IMP_VISCOELASTIC_EVENTS
} imp_viscoelastic_event;

/* What came of a step. REFUSED: too long, to be tried again; TAKEN: the rod has moved to its end;
 * STOPPED: imp_viscoelastic_go_on decides what follows. */
enum { IMP_VISCOELASTIC_REFUSED, IMP_VISCOELASTIC_TAKEN, IMP_VISCOELASTIC_STOPPED };

typedef struct imp_viscoelastic_points {
    imp_lane_column y[IMP_RK_SIZE], rate[IMP_RK_SIZE];
    imp_lane_column sine, cosine; /* of the angle */
    imp_lane_column tip_t;        /* velocity of the tip along the plane, if it slips */
    imp_lane_column slip_rate;    /* of change of the slip speed; 0 in stick */
    /* Quantities that are positive before an event and 0 at the event; infinite where it cannot
     * happen. */
    imp_lane_column distance[IMP_VISCOELASTIC_EVENTS];
} imp_viscoelastic_points;

/* The forces at a point, whose impulses are variables: the mass is 1. */
static inline double imp_viscoelastic_normal(const imp_viscoelastic_points *at, int lane) {
    return at->rate[IMP_VISCOELASTIC_V_N][lane];
}
static inline double imp_viscoelastic_tangential(const imp_viscoelastic_points *at, int lane) {
    return at->rate[IMP_VISCOELASTIC_P_T][lane];
}

/* The members of a problem that its equations of motion have, and what they need besides. */
#define IMP_VISCOELASTIC_LAW(NUMBER)                                                               \
    NUMBER lever;     /* from the mass centre to the tip; of a rod 1/2 */                          \
    NUMBER lightness; /* mass over moment of inertia; of a rod 12 */                               \
    NUMBER friction;  /* >= 0 */                                                                   \
    NUMBER stiffness; /* of F_n = stiffness d^exponent (1 - damping v_C) */                        \
    NUMBER exponent;  /* >= 1 */                                                                   \
    NUMBER damping;   /* >= 0 */
#define IMP_VISCOELASTIC_MOTION(NUMBER)                                                            \
    IMP_VISCOELASTIC_LAW(NUMBER)                                                                   \
    NUMBER slip;           /* direction, 0 in stick */                                             \
    NUMBER from_t, from_n; /* velocities of the mass centre at the start of the phase */

/* Columns only. Truths are 0 or 1. */
typedef struct imp_viscoelastic_block {
    struct {
        IMP_VISCOELASTIC_MOTION(imp_lane_column)
    } motion;
    imp_lane_column ends, latched;              /* see imp_viscoelastic_problem */
    imp_lane_column v_t;                        /* of the mass centre at first contact */
    imp_lane_column longest;                    /* step */
    imp_lane_column weight_depth, weight_angle; /* 1 / tolerance */
    imp_lane_column tries;  /* asks for a step within the tolerance; otherwise for the point after
                              `length` */
    imp_lane_column shown;  /* stops after every step */
    imp_lane_column next;   /* length of the next step, unless it is longer than the longest */
    imp_lane_column length; /* of the step at hand */
    imp_lane_column came;   /* REFUSED, ... */
    imp_viscoelastic_points start, at; /* of the step at hand: its start and its end */
} imp_viscoelastic_block;

/* Makes all that follows from the state at the start known. */
void imp_viscoelastic_enter(imp_viscoelastic_block *block);

/* A step of every rod. */
void imp_viscoelastic_round(imp_viscoelastic_block *block);

#endif
