/* The state of a contact with three springs, which its phases share. Events in stick.c and slip.c
 * lead from one phase to the next through contact.c. */
#ifndef IMP_MODELS_COMPLIANT3D_CONTACT_IMPL_H
#define IMP_MODELS_COMPLIANT3D_CONTACT_IMPL_H

#include "models/compliant3d/contact.h"
#include "models/compliant3d/slip_step.h"
#include "models/phases.h"

/* A sequence counts every slip as slip+: in space slip has no sign. */
enum { STICK = IMP_STICK, SLIP = IMP_SLIP_FORTH };

typedef struct state {
    double u1, u2, w; /* elongations; w: compression along the present line */
    double v1, v2, v3;
    double p1, p2, p3, work, friction_loss, time;
} state;

typedef struct peak {
    double force, p, time, work;
} peak;

typedef enum motion {
    STICKS,
    SLIPS,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    STALLED,
    LOST,
    FLEETING /* a phase ended as it began */
} motion;

typedef struct contact {
    const imp_springs_problem *p;
    imp_observer *observer; /* NULL: none */
    double friction;        /* as given, or a neighbour of it */
    bool lenient;           /* goes on after a fleeting phase */
    state now;
    state began;        /* of the phase */
    bool unloading;     /* the normal spring is on the steeper line */
    double stiffness;   /* of the present line */
    double kappa;       /* radius of the friction circle over w */
    peak greatest;      /* of the indentation */
    double spring_loss; /* in the bilinear spring */
    double phi;         /* direction of slip */
    double step;        /* of slip, the next to try */
    bool refused;       /* the step before was too long */
    bool fresh;         /* the phase begins: stick starts on the circle, at its centre or its rim */
    bool peaked;        /* unloading begins: w is at its greatest */
    imp_slip_step last; /* last step of slip; if solved, the next iteration starts from it */
    motion motion;
    uint64_t sequence;
    int phases;
    int64_t steps;
} contact;

/* From this kappa on, a small kappa w has lost digits. */
static const double imp_springs_steep = 100;

/* Upper bound of the angular frequencies. */
double imp_springs_fastest(const contact *a);

/* The contact in a state on the present line. */
imp_springs_instant imp_springs_instant_of(const contact *a, const state *now, double slip_speed);

/* Shows a step that begins now; path: for `at`, as motion of the piece. */
void imp_springs_show(const contact *a, double duration, const void *path,
                      imp_springs_instant (*at)(const imp_springs_piece *piece, double time));

/* The energy lost in the bilinear spring so far. */
double imp_springs_crushed(const contact *a);

/* Begins a phase: STICK or SLIP. */
void imp_springs_begin(contact *a, int phase);

/* v3 rises through 0: a greatest indentation, from which the spring unloads along its other
 * line. */
void imp_springs_turn(contact *a);

/* A second compression reaches the greatest so far and goes on along the line of loading. */
void imp_springs_load_again(contact *a);
void imp_springs_separate(contact *a);

/* Compression of the unloading line at which it meets that of loading; infinite where there is none. */
double imp_springs_reload_at(const contact *a);

/* One step, up to the first event in it. */
void imp_springs_stick(contact *a);
void imp_springs_slip(contact *a);

#endif
