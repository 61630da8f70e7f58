/* One step of slip of a contact with three linear springs, in time.
 *
 * Units: mass, |v3(0)| and the normal stiffness while loading are 1. w is the compression of the
 * normal spring along its present line, with stiffness K; the tangential springs, of stiffness
 * 1/eta, are stretched by u = kappa w e with kappa = mu eta K: e = (cos phi, sin phi) is the
 * direction of slip, since friction opposes it at its limit. Then
 *     w' = -v3,  v' = B K w (-mu e, 1),  kappa w phi' = v . e',  slip speed = v . e + kappa v3,
 * where e' is e turned by a right angle. phi' is stiff where friction is low, and singular where w
 * is 0: collocation at Gauss's points, which are inside the step, solves both.
 *
 * Under the law `dashpot` K is 1, and the normal force F = w - damping v3 stands for K w. The pull
 * of the tangential spring and its dashpot together is at its limit, and the slip speed y follows
 * late, by the lag, which is the dashpot over the spring:
 *     (kappa F + lag y) phi' = (v + lag v') . e',   y + lag y' = (v + lag v') . e - kappa F'.
 * The second equation is linear: a step solves it at once. Without a lag y is its right side.
 */
#ifndef IMP_MODELS_COMPLIANT3D_SLIP_STEP_H
#define IMP_MODELS_COMPLIANT3D_SLIP_STEP_H

#include <stdbool.h>

#include "bodies/spatial/body3d.h"

/* Lists of members, each for a structure of doubles and one of lanes (num/lanes/gather.h). The
 * second parameter is the type of a structure inside. */
#define IMP_COMPLIANT3D_SLIP_LAW(NUMBER, INVERSE_MASS)                                             \
    INVERSE_MASS b;                                                                                \
    NUMBER mu, stiffness, kappa; /* dashpot: mu and kappa have the sign of F */
typedef struct imp_compliant3d_slip_law {
    IMP_COMPLIANT3D_SLIP_LAW(double, imp_inverse_mass)
} imp_compliant3d_slip_law;

/* What only steps with dashpots read. */
#define IMP_COMPLIANT3D_SLIP_DASHPOTS(NUMBER)                                                      \
    NUMBER damping, drag, lag; /* drag: of the tangential dashpots */                              \
    NUMBER speed;              /* of slip at the beginning, where it lags */
typedef struct imp_compliant3d_slip_dashpots {
    IMP_COMPLIANT3D_SLIP_DASHPOTS(double)
} imp_compliant3d_slip_dashpots;

#define IMP_COMPLIANT3D_SLIP_STATE(NUMBER)                                                         \
    NUMBER phi; /* direction of slip */                                                            \
    NUMBER w, v1, v2, v3;
typedef struct imp_compliant3d_slip_state {
    IMP_COMPLIANT3D_SLIP_STATE(double)
} imp_compliant3d_slip_state;

enum { IMP_COMPLIANT3D_SLIP_STAGES = 6 };

/* The stages as parts of a step: Gauss's points. */
static const double imp_compliant3d_slip_point[IMP_COMPLIANT3D_SLIP_STAGES] = {
    0.033765242898423986, 0.16939530676686774, 0.38069040695840155,
    0.61930959304159845,  0.83060469323313226, 0.96623475710157601};

/* A step: its end and its stages. Nothing is set but `solved` and `length` if it is not solved. */
#define IMP_COMPLIANT3D_SLIP_STEP(NUMBER, STATE)                                                   \
    STATE end;                                                                                     \
    NUMBER c, s;              /* cosine and sine of the direction at the end */                    \
    NUMBER p1, p2, p3, loss;  /* gained in the step */                                             \
    NUMBER speed, speed_rate; /* of slip at the end */                                             \
    NUMBER v3_rate;           /* at the end */                                                     \
    NUMBER error;             /* estimate, of the velocities */                                    \
    NUMBER stage_phi[IMP_COMPLIANT3D_SLIP_STAGES], stage_w[IMP_COMPLIANT3D_SLIP_STAGES];           \
    NUMBER stage_v3[IMP_COMPLIANT3D_SLIP_STAGES], stage_speed[IMP_COMPLIANT3D_SLIP_STAGES];        \
    /* Set with dashpots only: gained in them, F at the end, and its stages. */                    \
    NUMBER normal_loss, tangential_loss, force, force_rate;                                        \
    NUMBER stage_force[IMP_COMPLIANT3D_SLIP_STAGES];
typedef struct imp_compliant3d_slip_step {
    IMP_COMPLIANT3D_SLIP_STEP(double, imp_compliant3d_slip_state)
    double length; /* first of those that are not in lanes */
    bool solved;
} imp_compliant3d_slip_step;

/* A step to be taken. */
typedef struct imp_compliant3d_slip_trial {
    imp_compliant3d_slip_law law;
    imp_compliant3d_slip_dashpots dashpots;
    imp_compliant3d_slip_state from;
    double length;
    const imp_compliant3d_slip_step
        *known;   /* a solved step under the same law from which the iteration starts,
                                   NULL if there is none; may be `step` of this trial */
    double since; /* time from the beginning of the known step to that of this one */
    imp_compliant3d_slip_step step; /* the result */
} imp_compliant3d_slip_trial;

/* Takes the steps of n trials together; n: at most imp_lane_width(). All are without dashpots, or
 * all with them. */
void imp_compliant3d_slip_advance(imp_compliant3d_slip_trial *const *trials, int n);
void imp_compliant3d_damped_slip_advance(imp_compliant3d_slip_trial *const *trials, int n);

#endif
