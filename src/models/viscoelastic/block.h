/* Contacts of several rods, which take their steps together; see rod.h. */
#ifndef IMP_MODELS_VISCOELASTIC_BLOCK_H
#define IMP_MODELS_VISCOELASTIC_BLOCK_H

#include "num/lanes/width.h"
#include "num/runge_kutta.h"

/* Error of a step relative to the scale of each variable. */
static const double imp_rod_tolerance = 1e-13;

/* Variables of the integration: penetration, angle, normal velocity of the mass centre, angular
 * velocity; integrals: works, tangential impulse, time. */
enum { IMP_ROD_DEPTH, IMP_ROD_ANGLE, IMP_ROD_V_N, IMP_ROD_TURN, IMP_ROD_WORK_N, IMP_ROD_WORK_T };
enum { IMP_ROD_P_T = IMP_ROD_WORK_T + 1, IMP_ROD_ELAPSED };

typedef enum imp_rod_event {
    IMP_ROD_HALT,
    IMP_ROD_BREAK,
    IMP_ROD_SURFACE,
    IMP_ROD_RELEASE,
    IMP_ROD_TURNING,
    IMP_ROD_LYING,   /* the other end reaches the surface */
    IMP_ROD_CLOSEST, /* the other end is near the surface, and nearest */
    IMP_ROD_EVENTS,
    IMP_ROD_NO_EVENT = IMP_ROD_EVENTS
} imp_rod_event;

/* What came of a step. REFUSED: too long, to be tried again; TAKEN: the rod has moved to its end;
 * STOPPED: somebody has to look at it. */
enum { IMP_ROD_REFUSED, IMP_ROD_TAKEN, IMP_ROD_STOPPED };

enum { IMP_ROD_LANES = IMP_MOST_LANES };

/* A number for each rod; of a narrower register only the first ones are used. */
typedef double imp_rod_column[IMP_ROD_LANES];

typedef struct imp_rod_points {
    imp_rod_column y[IMP_RK_SIZE], rate[IMP_RK_SIZE];
    imp_rod_column sine, cosine;       /* of the angle */
    imp_rod_column normal, tangential; /* forces */
    imp_rod_column holding;            /* tangential force that keeps the tip from slipping */
    imp_rod_column tip_t, tip_n;       /* velocity of the tip, if it slips */
    /* Quantities that are positive before an event and 0 at the event; infinite where it cannot
     * happen. */
    imp_rod_column distance[IMP_ROD_EVENTS];
} imp_rod_points;

/* Columns only. Truths are 0 or 1. */
typedef struct imp_rod_block {
    imp_rod_column lever, lightness, ends;                          /* see imp_rod_problem */
    imp_rod_column friction, stiffness, exponent, damping, latched; /* likewise */
    imp_rod_column
        touches;         /* 0 at first contact without spin, where no force acts yet: the ratio of
                               the forces counts */
    imp_rod_column v_t;  /* of the mass centre at first contact */
    imp_rod_column slip; /* direction, 0 in stick */
    imp_rod_column from_t, from_n; /* velocities of the mass centre at the start of the phase */
    imp_rod_column longest;        /* step */
    imp_rod_column weight_depth, weight_angle; /* 1 / tolerance */
    imp_rod_column
        tries; /* asks for a step within the tolerance; otherwise for the point after `length` */
    imp_rod_column shown;     /* stops after every step */
    imp_rod_column next;      /* length of the next step, unless it is longer than the longest */
    imp_rod_column length;    /* of the step at hand */
    imp_rod_column came;      /* REFUSED, ... */
    imp_rod_points start, at; /* of the step at hand: its start and its end */
} imp_rod_block;

/* Makes all that follows from the state at the start known. */
void imp_rod_enter(imp_rod_block *block);

/* A step of every rod. */
void imp_rod_round(imp_rod_block *block);

#endif
