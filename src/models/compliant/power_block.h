/* Marches of several contacts under the laws of power 1.5, which take their steps together. The
 * numbers of a march stay in columns, and marches in their lanes. A plain structure for each march
 * (models/crowd.h) was tried: a round reads about 60 of its numbers and writes about 75, and to
 * move them into lanes and back took 46 to 67 % of the time of a contact, number by number, and 15
 * to 23 % by transposing registers of 8. */
#ifndef IMP_MODELS_COMPLIANT_POWER_BLOCK_H
#define IMP_MODELS_COMPLIANT_POWER_BLOCK_H

#include <stdbool.h>

#include "num/lanes/width.h"
#include "num/runge_kutta.h"

/* Variables of the integration: elongations and velocities; integrals: impulses, work of the normal
 * force, time. */
enum { U, DELTA, V_T, V_N, P_T, P_N, WORK, TIME };

/* Quantities that end a phase, or mark a turn, where they fall to 0. FIRST, SECOND in stick: the
 * margins to the faces s = -1, 1; in slip: the slip speed, or the impulse that is left, and the
 * indentation. */
enum { FIRST, SECOND, TURN, IMP_COMPLIANT_POWER_SIGHTS };

/* Roots of a quantity between two points; AT_START: it has fallen to 0 where the step starts. */
enum { NONE, ONE, UNKNOWN, AT_START };

enum { NORMAL, TANGENTIAL, IMP_COMPLIANT_POWER_FORCES };

/* What came of a step. REFUSED: too long, to be tried again; TAKEN: the march has moved to its end;
 * STOPPED: the scalar code must decide what follows (imp_compliant_power_heed); ENDED: it has, and
 * the point `at` is the end of the step. */
enum { REFUSED, TAKEN, STOPPED, ENDED };

/* How a contact stands in a phase of stick. FREE: the body is free, or the phase is another one. A
 * constrained body comes to rest again and again; RESTS_BACK and RESTS_FORTH are the sign of v_n,
 * or of its rate where v_n is 0, after the last rest, and RESTS_UNDECIDED until the first step has
 * shown that sign. */
enum { FREE, RESTS_BACK = -1, RESTS_FORTH = 1, RESTS_UNDECIDED = 2 };

/* Below this indentation next to no force acts: near separation a stick would be lost in rounding,
 * and just after first touch u and the indentation are in proportion. As an impulse the bound is
 * 1e-13. */
static const double imp_compliant_power_least_delta = 1e-5;

/* The numbers of a point of a march; columns and points have them from this list. Quantities and
 * their rates are those in time; speed: of slip; pace: time over the variable of the step that
 * leads here. For accounts: forces and their rates in time; whether one of them has a peak, the
 * greatest so far, in the step that leads here; work of the tangential force and friction loss in
 * this step; energy of the tangential spring. */
#define IMP_COMPLIANT_POWER_POINT(NUMBER)                                                          \
    NUMBER h; /* step that leads here */                                                           \
    NUMBER y[IMP_RK_SIZE], rate[IMP_RK_SIZE];                                                      \
    NUMBER value[IMP_COMPLIANT_POWER_SIGHTS], slope[IMP_COMPLIANT_POWER_SIGHTS];                   \
    NUMBER bend[IMP_COMPLIANT_POWER_SIGHTS], speed, pace;                                          \
    NUMBER force[IMP_COMPLIANT_POWER_FORCES], force_rate[IMP_COMPLIANT_POWER_FORCES];              \
    NUMBER peaks[IMP_COMPLIANT_POWER_FORCES], work_t, loss, stored;

typedef struct imp_compliant_power_points {
    IMP_COMPLIANT_POWER_POINT(imp_lane_column)
} imp_compliant_power_points;

/* A force of greatest size so far. */
typedef struct imp_compliant_power_peak {
    imp_lane_column size, time;
} imp_compliant_power_peak;

/* Sums of the accounts of the contacts (problem.h): time, work of the tangential force before and
 * after the greatest indentation, friction loss of the phase, greatest forces. */
typedef struct imp_compliant_power_sums {
    imp_lane_column time, approach, rebound, loss;
    imp_compliant_power_peak peak[IMP_COMPLIANT_POWER_FORCES];
} imp_compliant_power_sums;

enum { IMP_COMPLIANT_POWER_INSTANT = 17 }; /* numbers of an imp_compliant_instant */

/* Truths are 0 or 1. */
typedef struct imp_compliant_power_block {
    bool coupled; /* the law of all marches */
    int width;    /* lanes in use, of IMP_WIDTHS */
    /* The phase: see springs and march of power_impl.h. */
    imp_lane_column a, c, mu, kappa, damping, slip, q, g;
    imp_lane_column impulse, apex, touches[2];
    /* FREE, RESTS_BACK, RESTS_FORTH or RESTS_UNDECIDED. */
    imp_lane_column rest;
    /* Whether rates and quantities at the start are not known yet. */
    imp_lane_column begins;
    /* The time that the next step may take; the length that would have been best for the last step,
     * 0 if it is unknown; the variable of the step. */
    imp_lane_column time_step, best, by_u, by_delta, sense;
    /* Whether the march asks for a step within the tolerance; otherwise it asks for the point at
     * the end of a step of the length h of `at`. */
    imp_lane_column tries;
    imp_lane_column accounts, peaks; /* whether it has an account, with peak forces */
    imp_compliant_power_sums sums;   /* of the accounts */
    imp_lane_column instant[IMP_COMPLIANT_POWER_INSTANT];
    imp_lane_column shown; /* stops after every step */
    imp_compliant_power_points start, at;
    /* Roots are sought in a step as a whole, or in the stretch that begins after a step of the
     * length `from`; the quantities and their rates in the variable of the step at its ends. */
    imp_lane_column whole, from;
    imp_lane_column value_from[2], slope_from[2], bend_from[2];
    imp_lane_column slope_by[IMP_COMPLIANT_POWER_SIGHTS], bend_by[2];
    imp_lane_column roots[2];  /* in the stretch: NONE, ONE, UNKNOWN or AT_START */
    imp_lane_column pace_from; /* pace where the step starts */
    imp_lane_column came;      /* REFUSED, TAKEN, STOPPED or ENDED */
} imp_compliant_power_block;

/* A step of every march; those that begin have only their variables at the points `start`. */
void imp_compliant_power_round(imp_compliant_power_block *block);

/* Adds the steps that have ENDED to the accounts. */
void imp_compliant_power_add(imp_compliant_power_block *block);

/* In a block of IMP_LEAST_LANES: the points at the ends of steps of the length h of `at`, without
 * what only events need; and the instants at the points `at`. */
void imp_compliant_power_go_to(imp_compliant_power_block *block);
void imp_compliant_power_find_instant(imp_compliant_power_block *block);

#endif
