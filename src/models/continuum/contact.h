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

/* The next phase, or the end. LOST: the motion cannot be followed. */
typedef enum imp_continuum_end {
    TO_STICK,
    TO_PARTIAL,
    TO_GROSS,
    SEPARATED,
    WEDGED,
    OUT_OF_BUDGET,
    LOST
} imp_continuum_end;

typedef struct imp_continuum_contact {
    const imp_continuum_problem *problem;
    imp_continuum_result *result;
    imp_continuum_body body;
    double mobility;  /* m */
    double tolerance; /* of a step */
    int64_t budget;
    double direction; /* of the slip that comes next, or goes on; -1 or 1 */
    bool onset;       /* slip begins where a stick reached the limit of friction */
    double v_t;       /* m u, unless slip is gross */
    double v[N_VARIABLES];
    imp_continuum_layer layers[IMP_CONTINUUM_LAYERS];
    int n_layers;
    int phases, slips, centres; /* phases so far; those that slip; those of the contact's centre */
    int phase;                  /* code of the last one */
    int centre[3], last_centre; /* the first of the centre's phases, and the last */
    double greatest;            /* root of the greatest indentation so far */
} imp_continuum_contact;

/* code: IMP_STICK.. IMP_PARTIAL_FORTH */
void imp_continuum_note_phase(imp_continuum_contact *contact, int code);
/* Adds a loss to friction and work of the tangential force, since the last call. */
void imp_continuum_note_energy(imp_continuum_contact *contact, double loss, double work);
/* Notes an instant at which the normal velocity changes its sign. impulse: the normal one; work: of
 * the tangential force. */
void imp_continuum_note_turn(imp_continuum_contact *contact, double root, double time,
                             double impulse, double work);
void imp_continuum_note_shear(imp_continuum_contact *contact, double force, double time);

/* All shells slip; or, at rest, none does: G = h delta^1.5. */
imp_continuum_end imp_continuum_gross(imp_continuum_contact *contact);
imp_continuum_end imp_continuum_rest(imp_continuum_contact *contact, double h);
imp_continuum_end imp_continuum_stick_phase(imp_continuum_contact *contact);
imp_continuum_end imp_continuum_partial_phase(imp_continuum_contact *contact);

/* ---- steps ---- */

/* Value of every variable at lambda. */
void imp_continuum_values(const imp_continuum_step *step, double lambda, double *v);

/* The greatest lambda at which the series of these variables are within the tolerance. */
double imp_continuum_stride(const imp_continuum_step *step, const int *variables, int n,
                            double tolerance);

/* Where c rises to 0 for the first time after 0; 0 if it is positive from there on. */
double imp_continuum_first_rise(const double *c, double end);

/* Where c - value changes its sign between low and high. */
double imp_continuum_crossing(const double *c, double value, double low, double high);

/* Moves the contact to lambda, the end of a step of stick or partial slip; notes turns and the peak
 * of the tangential force on the way. */
void imp_continuum_take_step(imp_continuum_contact *contact, const imp_continuum_step *step,
                             double lambda);

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
