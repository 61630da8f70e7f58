/* The problem that every law of the theory `compliant` solves, and its result.
 *
 * Everything here is scaled: B by b22, tangential lengths by the root r of the stiffness ratio that
 * makes both springs equal, velocities by |v_n(0)|, the normal stiffness to 1. So |v_n(0)| = b22 =
 * 1 and a handful of numbers remain. u is the elongation of the tangential spring, delta the
 * indentation (u1 and -u3 of the sources). Forces on the body:
 *
 *   law      normal F3              tangential F1        r                 stick while |u| <=
 *   linear   delta                  -u                   sqrt(eta)         mu delta
 *   coupled  delta^1.5              -u sqrt(delta)       sqrt(2 eta / 3)   mu delta
 *   hertz    delta^1.5 (1 - z v_n)  -u sqrt|u|           eta^(2/5)         (mu F3)^(2/3)
 *   dashpot  delta - z v_n          -(u + drag du/dt)    sqrt(eta)         |F1| <= mu |F3|
 *
 * with mu = friction r and z = damping, in hertz times |v_n(0)|.
 *
 * Problems and results are in lanes (num/lanes/lanes.h), one cell in each lane. Where IMP_LANES is
 * 1 they are plain numbers, and only there a contact can be observed.
 *
 * Sources: Stronge 1994; Birlik 2012; "Parameters Affecting Mechanical Collisions" (Oregon
 * State). */
#ifndef IMP_MODELS_COMPLIANT_PROBLEM_H
#define IMP_MODELS_COMPLIANT_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/first.h"
#include "impact.h"
#include "models/compliant/dashpot_roots.h"
#include "models/phase_rows.h"
#include "num/lanes/words.h"

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_compliant_mode {
    IMP_COMPLIANT_NONE,
    IMP_COMPLIANT_GROSS_STICK,
    IMP_COMPLIANT_STICK_SLIP,
    IMP_COMPLIANT_REVERSED,
    IMP_COMPLIANT_SAME,
    IMP_COMPLIANT_GROSS_SLIP,
    IMP_COMPLIANT_STICK_SLIP_STICK_SLIP,
    IMP_COMPLIANT_MULTIPLE,
    IMP_COMPLIANT_WEDGE
} imp_compliant_mode;

/* The contact at an instant. Impulses and works (of the forces on the body) and loss (of energy to
 * friction) count from the beginning of the piece. */
typedef struct imp_compliant_instant {
    real time; /* since the piece began */
    real u, delta, v_t, v_n;
    real f_t, f_n;           /* forces on the body */
    real f_t_rate, f_n_rate; /* their derivatives in time */
    real slip;               /* velocity of the contact's foot over the plane, v_t - du/dt */
    real p_t, p_n, work_t, work_n, loss;
    real stored_t, stored_n; /* energies that the springs give back */
} imp_compliant_instant;

/* A stretch of one phase, in which everything is smooth. */
typedef struct imp_compliant_piece {
    imp_phase_span span; /* set where an observer sees the piece: its start is not */
    real phase,
        number;    /* IMP_STICK.., all or none of the lanes; its place in the sequence, from 0 */
    real duration; /* a stick that never ends lasts one period */
    const void *motion;
    imp_compliant_instant (*at)(const struct imp_compliant_piece *piece, real time);
} imp_compliant_piece;
IMP_FIRST(imp_compliant_piece, span);

typedef struct imp_compliant_account imp_compliant_account;

/* The members that are numbers, in lanes here and in the columns of a block. */
#define IMP_COMPLIANT_GIVEN(MEMBER)                                                                \
    MEMBER(a)             /* b11 / (r^2 b22) */                                                    \
    MEMBER(c)             /* b12 / (r b22) */                                                      \
    MEMBER(determinant)   /* a - c^2; not read when constrained */                                 \
    MEMBER(mu)            /* friction r, >= 0 */                                                   \
    MEMBER(v_t)           /* velocity_ratio / r */                                                 \
    MEMBER(restitution)   /* the energetic coefficient, in (0, 1]; 1 for every law but linear */   \
    MEMBER(damping)       /* hertz: damping |v_n(0)|; dashpot: of the normal force; >= 0 */        \
    MEMBER(drag)          /* dashpot: damping of the tangential force */                           \
    MEMBER(by_elongation) /* dashpot: 1: ends where the elongation vanishes; 0: the force */
#define IMP_COMPLIANT_FOUND(MEMBER)                                                                \
    MEMBER(outcome) /* imp_outcome */                                                              \
    MEMBER(mode)    /* imp_compliant_mode */                                                       \
    MEMBER(sequence)                                                                               \
    MEMBER(v_t) /* at separation; wedge: not set, nor are the members that follow */               \
    MEMBER(v_n)                                                                                    \
    MEMBER(p_t) /* impulses */                                                                     \
    MEMBER(p_n)                                                                                    \
    MEMBER(p_n_turn) /* at the greatest indentation */                                             \
    MEMBER(t_turn)                                                                                 \
    MEMBER(p_n_rebound)   /* after it */                                                           \
    MEMBER(work_approach) /* of the normal force, before and after */                              \
    MEMBER(work_rebound)                                                                           \
    MEMBER(duration)                                                                               \
    MEMBER(loss)    /* energy that does not come back; always set */                               \
    MEMBER(trapped) /* wedge: elastic energy left in the springs; otherwise 0 */                   \
    MEMBER(initial) /* energy that the contact could dissipate at most; always set */              \
    MEMBER(balance) /* the law's conservation check, relative; always set */

#define IMP_COMPLIANT_REAL(name) real name;

typedef struct imp_compliant_problem {
    IMP_COMPLIANT_GIVEN(IMP_COMPLIANT_REAL)
    truth constrained; /* a = c^2 and v_t = -c by construction */
    int64_t budget;    /* evaluations or steps that all phases of a cell may spend together */
    bool want_turn;    /* fill p_n_turn, p_n_rebound, t_turn, work_* */
    bool want_time;    /* fill duration, and t_turn if want_turn */
    /* Sees imp_compliant_piece and no events; NULL: none. With one, both of the above are
     * wanted. */
    imp_observer *observer;
    /* Of energies and peak forces, in lanes; NULL: none. With one, want_turn and want_time are
     * wanted, too. */
    imp_compliant_account *account;
} imp_compliant_problem;

typedef struct imp_compliant_result {
    IMP_COMPLIANT_FOUND(IMP_COMPLIANT_REAL)
} imp_compliant_result;

/* The two normal modes of stick for B = [[a, c], [c, 1]]: x = (u, -delta), x'' = -B x. The faster
 * mode comes first. They are kept from cell to cell, because neighbours share B. */
typedef struct imp_compliant_linear_modes {
    real a, c, determinant;           /* B of these modes; all 0: no modes yet */
    real t[2], n[2];                  /* unit vectors: their tangential and normal parts */
    real w[2], square[2], inverse[2]; /* frequencies > 0, w^2, 1/w */
} imp_compliant_linear_modes;

/* Saves time from cell to cell; no result depends on it. Starts as 0. */
typedef struct imp_compliant_memory {
    imp_compliant_linear_modes loading, unloading;
    imp_compliant_dashpot_factors roots;
} imp_compliant_memory;

typedef imp_compliant_result imp_compliant_solve(const imp_compliant_problem *problem,
                                                 imp_compliant_memory *memory);

#if IMP_LANES == 1
imp_compliant_solve imp_compliant_linear_solve;   /* exact; restitution 1 */
imp_compliant_solve imp_compliant_bilinear_solve; /* exact; any restitution */
imp_compliant_solve imp_compliant_dashpot_solve;  /* exact */
imp_compliant_solve
    imp_compliant_hertz_solve; /* slip exact where it is undamped, the rest integrated */
imp_compliant_solve imp_compliant_coupled_solve; /* slip exact, stick integrated */
#endif

/* Slip phases with a loss of their own; the last one also holds the losses of all later ones. */
enum { IMP_COMPLIANT_SLIPS = 8 };

typedef struct imp_compliant_peak_force {
    real size, time;
} imp_compliant_peak_force;

/* The energy account of a contact, and its peak forces. Before it all but want_peaks is 0. */
struct imp_compliant_account {
    bool want_peaks;
    real time; /* so far */
    /* Work of the tangential force until the greatest indentation so far, and after it. */
    real work_t_approach, work_t_rebound;
    real slip_loss[IMP_COMPLIANT_SLIPS];
    real slips;                        /* entries of slip_loss in use */
    real normal_loss, tangential_loss; /* dashpot: to the dashpots */
    imp_compliant_peak_force normal, tangential;
};

#endif
