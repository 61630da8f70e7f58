/* One impact in space, in normal impulse: curved slip, halt, stick or straight slip, until the law
 * of restitution is met. A path goes on by itself along straight legs; where it waits for a step of
 * curved slip, or for a search, it goes on together with other paths that wait for the same.
 *
 * Units: velocities over |v3(0)|, B times the mass, impulses over mass times |v3(0)|.
 */
#ifndef IMP_MODELS_SWERVE_PATH_H
#define IMP_MODELS_SWERVE_PATH_H

#include <stdint.h>

#include "models/observer.h"
#include "models/phases.h"
#include "models/swerve/flow.h"
#include "models/swerve/leg.h"

typedef enum imp_swerve_law {
#define LAW(code, ...) IMP_SWERVE_##code,
#include "models/swerve/laws.def"
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

/* A piece of the path, over which a state can be read at any normal impulse. */
typedef struct imp_swerve_piece {
    imp_swerve_phase phase;
    const imp_swerve_leg *leg;
    double impulse; /* normal impulse of the piece */
} imp_swerve_piece;

/* The state at an impulse from the start of the piece. */
imp_swerve_state imp_swerve_along(const imp_swerve_piece *piece, double impulse);

typedef struct imp_swerve_problem {
    const imp_spatial_contact *contact;
    imp_swerve_flow *flow;
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
    double heading; /* of the final slip, where there is one */
    double balance; /* energy: (kept + lost - initial) / initial */
} imp_swerve_result;

/* What a path waits for. */
enum {
    IMP_SWERVE_FOR_NOTHING, /* it has ended */
    IMP_SWERVE_FOR_STEP,
    IMP_SWERVE_FOR_COMPROMISE, /* on a straight leg */
    IMP_SWERVE_FOR_GOAL,       /* on a curved leg */
    IMP_SWERVE_WAITS
};

/* What a path does now. */
typedef enum imp_swerve_motion {
    IMP_SWERVE_SLIPS,
    IMP_SWERVE_RESTS,
    IMP_SWERVE_ENDS,
    IMP_SWERVE_STOPS_WEDGED,
    IMP_SWERVE_NEVER_ENDS,
    IMP_SWERVE_SPENDS_ALL
} imp_swerve_motion;

/* A path that has begun. The problem must live as long. */
typedef struct imp_swerve_path {
    const imp_swerve_problem *problem;
    int wait;                 /* IMP_SWERVE_FOR_.. */
    imp_swerve_result result; /* once it waits for nothing */
    /* Private to path.c and ending.c. */
    imp_swerve_motion motion;
    imp_swerve_phase phase;
    imp_swerve_state now;
    imp_swerve_leg leg;
    bool slips_first, compressed, halted, started, turned, together;
    bool straight; /* slip no longer turns */
    double first;  /* slip speed at the start, over the present scale */
    double rated;  /* scale for which the rates of the leg are set; 0: not set */
    int64_t steps;
    double e1, e2, g; /* direction and rate of turning at the start */
    double v1, v2;    /* at the start of the last leg in slip, before a halt; over its scale */
    double speed;     /* |v| at the start */
    double works;     /* of both forces, of a locked body */
} imp_swerve_path;

/* Begins a path and follows it until it waits, or ends. */
void imp_swerve_begin(imp_swerve_path *path, const imp_swerve_problem *problem);

/* Gives n paths, at most imp_lane_width(), what they wait for, the same for all, and follows each
 * until it waits again, or ends. */
void imp_swerve_go_on(imp_swerve_path *const *paths, int n);

/* Follows one path to its end. */
void imp_swerve_follow(imp_swerve_path *path);

/* ---- ending.c: what a path that is over amounts to ---- */

/* Sets the result of a path that neither slips nor rests any longer. */
void imp_swerve_end(imp_swerve_path *path);

/* Turn of the heading until the halt, or until the end. Looks for the invariant directions. */
double imp_swerve_turn(const imp_swerve_path *path);

/* ---- history.c ---- */

extern const imp_history imp_swerve_history;

/* Records samples evenly spaced in the normal impulse, and every event, of the problem whose result
 * is `known`. speed, impulse: units of its velocities and impulses, m/s and N s. The rows of an
 * unsolved path end where the path does. */
void imp_swerve_record(const imp_swerve_problem *problem, const imp_swerve_result *known,
                       double speed, double impulse, imp_recorder *recorder);

#endif
