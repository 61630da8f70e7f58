/* One step of stick of a contact with three linear springs, in time: Taylor series, events as zeros
 * of polynomials. In the units of contact.h. */
#ifndef IMP_MODELS_COMPLIANT3D_STICK_STEP_H
#define IMP_MODELS_COMPLIANT3D_STICK_STEP_H

#include "bodies/spatial/body3d.h"

/* Lists of members, each for a structure of doubles and one of lanes (num/lanes/gather.h). Further
 * parameters are the types of structures inside. */
#define IMP_COMPLIANT3D_STATE(NUMBER)                                                              \
    NUMBER u1, u2, w; /* elongations; w: compression along the present line */                     \
    NUMBER v1, v2, v3;                                                                             \
    NUMBER p1, p2, p3, work, friction_loss, time;                                                  \
    NUMBER normal_loss, tangential_loss; /* in dashpots */                                         \
    NUMBER speed;                        /* of slip, where it lags (slip_step.h) */
typedef struct imp_compliant3d_state {
    IMP_COMPLIANT3D_STATE(double)
} imp_compliant3d_state;

/* From this kappa on, a small kappa w has lost digits. */
static const double imp_compliant3d_steep = 100;

/* A step of stick: up to the first of the events in it. */
#define IMP_COMPLIANT3D_STICK_STEP(NUMBER, STATE)                                                  \
    STATE end;                                                                                     \
    NUMBER circle, rise, load, leave; /* times of the events; infinite: not in the step */         \
    NUMBER first;                     /* of these times */                                         \
    NUMBER length;
typedef struct imp_compliant3d_stick_step {
    IMP_COMPLIANT3D_STICK_STEP(double, imp_compliant3d_state)
} imp_compliant3d_stick_step;

/* A step to be taken. The truths are 0 or 1. */
#define IMP_COMPLIANT3D_STICK_GIVEN(NUMBER, INVERSE_MASS, STATE)                                   \
    INVERSE_MASS b;                                                                                \
    NUMBER soft;               /* - the stiffness of the tangential springs */                     \
    NUMBER damping, drag, lag; /* of the dashpots (slip_step.h) */                                 \
    NUMBER stiffness;          /* of the normal spring along its present line */                   \
    NUMBER kappa;              /* radius of the friction circle over w */                          \
    NUMBER fresh;  /* order of contact with the circle where stick starts on it; 0: it does not */ \
    NUMBER peaked; /* w is at its greatest */                                                      \
    NUMBER reload; /* w at which the spring is loaded again; infinite: it is not unloading */      \
    NUMBER by_elongation; /* the contact ends where w is 0, not the normal force */                \
    NUMBER longest;       /* step */                                                               \
    NUMBER until;         /* time at which it ends without an event; may be infinite */            \
    STATE from;
typedef struct imp_compliant3d_stick_given {
    IMP_COMPLIANT3D_STICK_GIVEN(double, imp_inverse_mass, imp_compliant3d_state)
} imp_compliant3d_stick_given;

typedef struct imp_compliant3d_stick_trial {
    imp_compliant3d_stick_given given;
    imp_compliant3d_stick_step step; /* the result */
} imp_compliant3d_stick_trial;

/* Takes the steps of n trials together; n: at most imp_lane_width(). All are without dashpots, or
 * all with them. */
void imp_compliant3d_stick_advance(imp_compliant3d_stick_trial *const *trials, int n);
void imp_compliant3d_damped_stick_advance(imp_compliant3d_stick_trial *const *trials, int n);

#endif
