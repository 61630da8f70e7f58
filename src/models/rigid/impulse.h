/* Rigid impact with Coulomb friction, followed in the normal impulse p, in closed form.
 *
 * Everything here is scaled: B by b22 and velocities by |v_n(0)|, so that b22 = 1, v_n(0) = -1 and
 * impulses are in units of |v_n(0)| / b22. Slip, v_n and the tangential impulse are linear in p
 * with at most one break, where slip halts; then the contact sticks or slips the other way. The law
 * of restitution only sets how far the path goes beyond the end of compression.
 *
 * Sources: Routh's method in the impulse plane; Brach 1993; Stronge 1990; Baruh 2022
 * (compromise). */
#ifndef IMP_MODELS_RIGID_IMPULSE_H
#define IMP_MODELS_RIGID_IMPULSE_H

#include <stdbool.h>
#include <stdint.h>

#include "impact.h"
#include "models/phases.h"

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_rigid_mode {
    IMP_RIGID_NONE,
    IMP_RIGID_COMPRESSION_STICK,
    IMP_RIGID_COMPRESSION_REVERSE,
    IMP_RIGID_RESTITUTION_STICK,
    IMP_RIGID_RESTITUTION_REVERSE,
    IMP_RIGID_SLIDE,
    IMP_RIGID_GROSS_STICK,
    IMP_RIGID_SLIP_FROM_REST,
    IMP_RIGID_WEDGE,
    IMP_RIGID_PRESCRIBED
} imp_rigid_mode;

typedef struct imp_rigid_problem {
    double a, c;        /* b11 / b22, b12 / b22 */
    double determinant; /* a - c^2; not read when constrained */
    double v_t;         /* v_t(0) / |v_n(0)| */
    bool constrained;   /* a = c^2 and v_t = -c by construction */
    double e;           /* the law's own coefficient, 0 to 1 */
    double friction;    /* >= 0; or the impulse ratio P_t / P_n if the law prescribes it */
    double weight[2];   /* of the laws poisson and energetic in their compromise; >= 0, one > 0 */
} imp_rigid_problem;

/* The rates of a phase per normal impulse. */
typedef struct imp_rigid_phase {
    double v_n, v_t, p_t;
} imp_rigid_phase;

/* The path up to the end of compression, and on: the same for every law of restitution. */
typedef struct imp_rigid_path {
    int phase_code[2]; /* IMP_STICK..; 0: none, or the ratio of the impulses is given */
    imp_rigid_phase phase[2];
    double halt; /* impulse at which the first phase ends; 0: the second one starts at once */
    double compression; /* impulse at the end of compression */
    double work;        /* of the normal impulse until then, negative */
} imp_rigid_path;

/* The result of a cell. */
typedef struct imp_rigid_result {
    imp_outcome outcome;
    imp_rigid_mode mode; /* NONE: the contact never ends */
    uint64_t sequence;
    double p_n, p_t;             /* at separation; wedge: at the halt */
    double v_n, v_t;             /* at separation; wedge: 0, the velocity at the halt */
    double compression, rebound; /* normal impulses before and after the end of compression */
    double p_t_compression;      /* tangential impulse at the end of compression */
    double work_c, work_r;       /* of the normal impulse in compression and after it */
    double work_t;               /* of the tangential impulse */
    double change;               /* of the kinetic energy, from impulses and end velocities */
} imp_rigid_result;

/* Solves one problem under a law, IMP_RIGID_LAW_..., in units of its own. */
void imp_rigid_solve_one(int law, const imp_rigid_problem *problem, imp_rigid_path *path,
                         imp_rigid_result *result);

#endif
