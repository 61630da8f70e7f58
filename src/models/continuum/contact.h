/* A contact between its phases, and the march through one of them. */
#ifndef IMP_MODELS_CONTINUUM_CONTACT_H
#define IMP_MODELS_CONTINUUM_CONTACT_H

#include "models/continuum/problem.h"
#include "models/continuum/series.h"
#include "models/phases.h"

/* Shells from `bottom` to `top` (roots of w), and the state at the top. If the shells stuck it is
 * the state at the instant at which the edge of the contact was there. */
typedef struct imp_continuum_layer {
    double slipped; /* 0: they stuck; else the direction in which they slipped */
    double bottom, top;
    double rate, drift, force; /* W, U, H at the top */
} imp_continuum_layer;

enum { IMP_CONTINUUM_LAYERS = 256 };

/* The next phase; or a phase WAITS for a step; or the end. LOST: the motion cannot be followed. */
typedef enum imp_continuum_next {
    TO_STICK,
    TO_PARTIAL,
    TO_GROSS,
    WAITS,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    LOST
} imp_continuum_next;

/* The kind of step that a contact waits for; ENDED: none. */
enum { ENDED, FOR_RAY, FOR_STICK, FOR_SLIPPED, FOR_STUCK, FOR_ONSET, IMP_CONTINUUM_WAITS };

/* Motion along G = h delta^1.5: the changes of the velocities per normal impulse, and its
 * length. */
typedef struct imp_continuum_ray_path {
    double h, resistance, push; /* changes of -w and v_t per normal impulse */
    double v_t, w, first;       /* velocities and impulse at its start */
    double turn, end;           /* impulses from its start; infinite turn: none */
    double whole;               /* the same to separation, of gross slip */
    double speed;               /* of gross slip at its start */
    bool separates, turned, rests;
} imp_continuum_ray_path;

typedef struct imp_continuum_contact {
    const imp_continuum_problem *problem;
    imp_continuum_result *result;
    imp_continuum_next next;
    int wait;                  /* FOR_.., or ENDED */
    double alpha, beta, gamma; /* mu c, c / m, a / eta */
    double mobility;           /* m */
    double tolerance;          /* of a step */
    int64_t budget;
    double direction; /* of the slip that comes next, or goes on; -1 or 1 */
    bool onset;       /* slip begins where a stick reached the limit of friction */
    double turned;    /* time at which slip last turned because its shells had left; -1: never */
    double v_t;       /* m u, unless slip is gross */
    double v[N_VARIABLES];
    double bottom; /* of the shells that a stick adds */
    imp_continuum_ray_path ray;
    int phases, slips, centres; /* phases so far; those that slip; those of the contact's centre */
    int phase;                  /* code of the last one */
    int centre[3], last_centre; /* the first of the centre's phases, and the last */
    double greatest;            /* root of the greatest indentation so far */
    int n_layers;
    imp_continuum_layer layers[IMP_CONTINUUM_LAYERS]; /* last: not cleared */
} imp_continuum_contact;

/* ---- a contact among others ---- */

/* Begins a contact, and follows it until it waits for a step, or ends. *p and *r outlive it. */
void imp_continuum_begin(imp_continuum_contact *contact, const imp_continuum_problem *p,
                         imp_continuum_result *r);
/* Gives n contacts, at most imp_lane_width(), that wait for the same, a step, and follows each
 * until it waits again, or ends; then its result is set. */
void imp_continuum_go_on(imp_continuum_contact *const *contacts, int n, imp_continuum_block *block);

/* code: IMP_STICK.. IMP_PARTIAL_FORTH */
void imp_continuum_note_phase(imp_continuum_contact *contact, int code);
/* Adds a loss to friction and work of the tangential force, since the last call. */
void imp_continuum_note_energy(imp_continuum_contact *contact, double loss, double work);
/* Notes an instant at which the normal velocity changes its sign. impulse: the normal one; work: of
 * the tangential force. */
void imp_continuum_note_turn(imp_continuum_contact *contact, double root, double time,
                             double impulse, double work);
void imp_continuum_note_shear(imp_continuum_contact *contact, double force, double time);

struct imp_continuum_work {
    imp_continuum_block block;
    imp_continuum_contact contact;
};

/* ---- phases: each returns what follows ---- */

/* All shells slip; or, at rest, none does: G = h delta^1.5. */
imp_continuum_next imp_continuum_begin_gross(imp_continuum_contact *contact);
imp_continuum_next imp_continuum_begin_rest(imp_continuum_contact *contact, double h);
imp_continuum_next imp_continuum_begin_stick(imp_continuum_contact *contact);
imp_continuum_next imp_continuum_begin_partial(imp_continuum_contact *contact);

/* After a step in this lane. */
imp_continuum_next imp_continuum_ray_goes_on(imp_continuum_contact *contact,
                                             imp_continuum_block *block, int lane);
imp_continuum_next imp_continuum_stick_goes_on(imp_continuum_contact *contact,
                                               const imp_continuum_block *block, int lane);
imp_continuum_next imp_continuum_partial_goes_on(imp_continuum_contact *contact,
                                                 const imp_continuum_block *block, int lane);

/* ---- steps ---- */

/* The series of one lane. */
typedef struct imp_continuum_step {
    imp_continuum_series c[N_VARIABLES];
} imp_continuum_step;

imp_continuum_step imp_continuum_step_of(const imp_continuum_block *block, int lane);

/* Where c - value changes its sign between low and high. */
double imp_continuum_crossing(const double *c, double value, double low, double high);

/* Moves the contact to the end of a step of stick or partial slip, in its variables up to `last`;
 * notes turns and the peak of the tangential force on the way. */
void imp_continuum_take_step(imp_continuum_contact *contact, const imp_continuum_block *block,
                             int lane, int last);

/* ---- pieces ---- */

/* A step as an observer sees it. lost: to friction before what the series or the ray counts. Of a
 * ray G = h delta^1.5: v_t, slip, impulse and shear (the integral of G) at its start; push: change
 * of v_t per normal impulse. */
typedef struct imp_continuum_motion {
    const imp_continuum_problem *problem;
    const imp_continuum_step *step;
    double lambda; /* its end */
    bool ray, rests;
    double lost;
    double h, v_t, slip, push, impulse, shear;
} imp_continuum_motion;

void imp_continuum_show(const imp_continuum_contact *contact, const imp_continuum_motion *motion);

#endif
