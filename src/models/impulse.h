/* Rigid impact with Coulomb friction, followed in the normal impulse p, in closed form.
 *
 * Everything here is scaled: B by b22 and velocities by |v_n(0)|, so that b22 = 1, v_n(0) = -1 and
 * impulses are in units of |v_n(0)| / b22. Slip, v_n and the tangential impulse are linear in p
 * with at most one break, where slip halts; then the contact sticks or slips the other way. The law
 * of restitution only sets how far the path goes beyond the end of compression.
 *
 * Sources: Routh's method in the impulse plane; Brach 1993; Stronge 1990; Baruh 2022
 * (compromise). */
#ifndef IMP_MODELS_IMPULSE_H
#define IMP_MODELS_IMPULSE_H

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

/* Each list of members serves a structure of doubles, one of lanes and one of columns
 * (num/lanes/gather.h). */
#define IMP_RIGID_PROBLEM(NUMBER)                                                                  \
    NUMBER a, c;        /* b11 / b22, b12 / b22 */                                                 \
    NUMBER determinant; /* a - c^2; not read when constrained */                                   \
    NUMBER v_t;         /* v_t(0) / |v_n(0)| */                                                    \
    NUMBER e;           /* the law's own coefficient, 0 to 1 */                                    \
    NUMBER friction;    /* >= 0; or the impulse ratio P_t / P_n if the law prescribes it */        \
    NUMBER weight[2];   /* of the laws poisson and energetic in their compromise; one > 0 */       \
    NUMBER constrained; /* 0 or 1: a = c^2 and v_t = -c by construction */
typedef struct imp_rigid_problem {
    IMP_RIGID_PROBLEM(double)
} imp_rigid_problem;

/* The rates of a phase per normal impulse. */
#define IMP_RIGID_PHASE(NUMBER)                                                                    \
    NUMBER v_n, v_t, p_t;                                                                          \
    NUMBER code; /* IMP_STICK..; 0: none, or the ratio of the impulses is given */
typedef struct imp_rigid_phase {
    IMP_RIGID_PHASE(double)
} imp_rigid_phase;

/* The path up to the end of compression, and on: the same for every law of restitution. */
#define IMP_RIGID_PATH(NUMBER, PHASE)                                                              \
    NUMBER mode; /* of the result */                                                               \
    PHASE phase[2];                                                                                \
    NUMBER halt; /* impulse at which the first phase ends; 0: the second one starts at once */     \
    NUMBER compression; /* impulse at the end of compression */                                    \
    NUMBER work;        /* of the normal impulse until then, negative */
typedef struct imp_rigid_path {
    IMP_RIGID_PATH(double, imp_rigid_phase)
} imp_rigid_path;

/* The result of a cell. */
#define IMP_RIGID_RESULT(NUMBER)                                                                   \
    NUMBER outcome;                                                                                \
    NUMBER mode; /* NONE: the contact never ends */                                                \
    NUMBER sequence;                                                                               \
    NUMBER p_n, p_t;             /* at separation; wedge: at the halt */                           \
    NUMBER v_n, v_t;             /* at separation; wedge: 0, the velocity at the halt */           \
    NUMBER compression, rebound; /* normal impulses before and after the end of compression */     \
    NUMBER p_t_c, p_t_r;         /* tangential impulses likewise */                                \
    NUMBER work_c, work_r;       /* of the normal impulse in compression and after it */           \
    NUMBER work_t;               /* of the tangential impulse */                                   \
    NUMBER work;                 /* of both impulses */                                            \
    NUMBER change;               /* of the kinetic energy, from impulses and end velocities */
typedef struct imp_rigid_result {
    IMP_RIGID_RESULT(double)
} imp_rigid_result;

#endif
