/* Impact through one normal and one tangential linear spring with Coulomb friction, exact.
 *
 * Everything here is scaled: B by b22, tangential lengths by the square root of the stiffness ratio
 * (which makes both springs equal), velocities by |v_n(0)|, so that k = b22 = |v_n(0)| = 1 and five
 * numbers remain. u is the elongation of the tangential spring, delta the compression of the normal
 * one; the cone is |u| <= mu delta. Slip phases are solved in the normal impulse, stick phases by
 * two normal modes with an exit search that cannot pass a root.
 *
 * Sources: Stronge 1994; Birlik 2012; "Parameters Affecting Mechanical Collisions" (Oregon State).
 */
#ifndef IMP_MODELS_COMPLIANT_LINEAR_H
#define IMP_MODELS_COMPLIANT_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "impact.h"
#include "num/trigonometry.h"

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

typedef struct imp_linear_problem {
    double a, c;        /* b11 / (eta b22), b12 / (sqrt(eta) b22) */
    double determinant; /* a - c^2; not read when constrained */
    double mu;          /* friction sqrt(eta), >= 0 */
    double v_t;         /* velocity_ratio / sqrt(eta) */
    bool constrained;   /* a = c^2 and v_t = -c by construction */
    int64_t budget;     /* evaluations that all stick phases may spend together */
    bool want_turn;     /* fill p_n_turn and t_turn, work_* */
    bool want_time;     /* fill duration, and t_turn if want_turn */
} imp_linear_problem;

typedef struct imp_linear_result {
    imp_outcome outcome;
    imp_compliant_mode mode;
    uint64_t sequence;
    double v_t, v_n;                    /* at separation; wedge: not set, as all that follow */
    double p_t, p_n;                    /* impulses */
    double p_n_turn, t_turn;            /* at the greatest indentation */
    double work_approach, work_rebound; /* of the normal force before and after it */
    double duration;
    double loss;    /* friction loss; always set */
    double initial; /* energy that the contact could dissipate at most; always set */
    double balance; /* (energy now + loss - initial) / initial; always set */
} imp_linear_result;

/* The two normal modes of stick for B = [[a, c], [c, 1]]: x = (u, -delta), x'' = -B x. The faster
 * mode comes first. They are kept from cell to cell, because neighbours share B. */
typedef struct imp_linear_modes {
    double a, c, determinant;    /* of which they are the modes; all 0: of none yet */
    imp_pair t, n;               /* unit vectors: their tangential and normal parts */
    imp_pair w, square, inverse; /* frequencies > 0, w^2, 1/w */
} imp_linear_modes;

/* modes: those of the cell before, or all 0; they save time and do not change the result. */
imp_linear_result imp_linear_solve(const imp_linear_problem *problem, imp_linear_modes *modes);

#endif
