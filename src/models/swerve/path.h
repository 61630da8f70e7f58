/* One impact in space, in normal impulse: curved slip, halt, stick or straight slip, until the law of
 * restitution is met.
 *
 * Units: velocities over |v3(0)|, B times the mass, impulses over mass times |v3(0)|. Curved slip is
 * integrated in the time tau with dp = s dtau, in which its equations
 *     dv/dtau = s bt - mu Btt v,   s = |v|
 * stay regular as s falls to 0, by Taylor series of the velocity itself: a recurrence gives their terms, every quantity is a polynomial within a step, and an event is the first zero of a polynomial. The truncation error of a step is below 1e-16 of the slip speed.
 */
#ifndef IMP_MODELS_SWERVE_PATH_H
#define IMP_MODELS_SWERVE_PATH_H

#include <stdint.h>

#include "models/observer.h"
#include "models/phases.h"
#include "models/swerve/flow.h"

typedef enum imp_swerve_law {
#define LAW(code, ...) IMP_SWERVE_##code,
#include "models/swerve/laws.def"
#undef LAW
} imp_swerve_law;

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_swerve_mode {
    IMP_SWERVE_NONE,
    IMP_SWERVE_SLIP,
    IMP_SWERVE_SLIP_STICK,
    IMP_SWERVE_SLIP_RESUMED,
    IMP_SWERVE_STICK,
    IMP_SWERVE_SLIP_FROM_REST,
    IMP_SWERVE_WEDGE
} imp_swerve_mode;

/* Phases of a history; its events are those of imp_impulse_event. */
typedef enum imp_swerve_phase {
    IMP_SWERVE_IN_SLIP = 1,
    IMP_SWERVE_IN_STICK,
    IMP_SWERVE_IN_RESUMED_SLIP
} imp_swerve_phase;

/* Impulses and works count from first touch, and anew from the end of compression. */
typedef struct imp_swerve_state {
    double v1, v2, v3;
    double p, p1, p2; /* impulses */
    double work;      /* of the normal force */
    double loss;      /* to friction */
} imp_swerve_state;

/* A piece of the path, over which a state can be read at any normal impulse. */
typedef struct imp_swerve_piece {
    imp_swerve_phase phase;
    const imp_swerve_state *start;
    double impulse;  /* normal impulse of the piece */
    const void *way; /* private to path.c */
    imp_swerve_state (*at)(const struct imp_swerve_piece *piece, double impulse);
} imp_swerve_piece;

typedef struct imp_swerve_problem {
    const imp_spatial_contact *contact;
    imp_flow *flow;
    imp_swerve_law law;
    double restitution;
    double weight[2];       /* of the laws poisson and energetic in the compromise, at most 1 */
    int64_t budget;         /* steps */
    imp_observer *observer; /* of imp_swerve_piece and imp_swerve_state; NULL: none */
} imp_swerve_problem;

typedef struct imp_swerve_result {
    imp_outcome outcome;
    imp_swerve_mode mode;
    imp_swerve_state compressed; /* at the end of compression, counted from first touch */
    imp_swerve_state
        rebound;    /* at the end, counted from compressed; wedge in compression: 0 impulses */
    double lift;    /* dv3/dp right after the end of compression */
    double halt;    /* normal impulse at which slip halts, if it does */
    double swerve;  /* turn of the heading until the halt, or the end */
    double heading; /* of the final slip, where there is one */
    double balance; /* energy: (kept + lost - initial) / initial */
} imp_swerve_result;

imp_swerve_result imp_swerve_solve(const imp_swerve_problem *problem);

#endif
