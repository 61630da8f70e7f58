/* Power series of one step of a phase, and the recurrences of their coefficients.
 *
 * The independent variable makes every equation analytic: with x = sqrt(delta) and y = sqrt(c) the
 * time passes as dt = y dlambda (and y = x where nothing slips), so that no root of delta or c is
 * left. Where c runs back over shells that stuck, both the contact and the state at which they
 * stuck move: by r and r - 1 of lambda, with r = Q / (Q - q) so that the outermost stuck shell
 * stays at the limit of friction, q = w - s u now and Q = W - s U then. That is regular at both
 * ends, where q or Q vanishes. */
#ifndef IMP_MODELS_CONTINUUM_SERIES_H
#define IMP_MODELS_CONTINUUM_SERIES_H

#include <stdbool.h>

enum { IMP_CONTINUUM_ORDER = 14, IMP_CONTINUUM_TERMS = IMP_CONTINUUM_ORDER + 2 };

/* Variables of a state. S_: at the instant at which the outermost stuck shell entered the
 * contact. */
enum {
    TIME,
    ROOT,    /* x */
    RATE,    /* w */
    DRIFT,   /* u; a ray: not used */
    INNER,   /* y */
    TAKEN,   /* zeta */
    FORCE,   /* G */
    IMPULSE, /* integral of delta^1.5 */
    SHEAR,   /* integral of G */
    LOSS,    /* energy lost in slip, over mu m */
    WORK,    /* of the tangential force on the body, over mu m */
    S_RATE,  /* W */
    S_DRIFT, /* U */
    S_FORCE, /* H */
    N_VARIABLES
};

typedef double imp_series[IMP_CONTINUUM_TERMS];

typedef struct imp_continuum_body {
    double alpha, beta, gamma; /* mu c, c / m, a / eta */
} imp_continuum_body;

typedef struct imp_continuum_step {
    imp_series c[N_VARIABLES];
    imp_series gap; /* q = w - s u, where shells slip */
} imp_continuum_step;

/* Each takes step->c[..][0] and fills in the rest. s: direction of slip, -1 or 1. */

/* G = h delta^1.5; only TIME, ROOT, RATE and IMPULSE. resistance: of delta^1.5 against w. */
void imp_continuum_ray(imp_continuum_step *step, double resistance);
void imp_continuum_stick(imp_continuum_step *step, const imp_continuum_body *body);
/* Over shells that stuck; fold: q = Q = 0, at the onset of slip. */
void imp_continuum_over_stuck(imp_continuum_step *step, const imp_continuum_body *body, double s,
                              bool fold);
/* Over shells that slipped the other way. */
void imp_continuum_over_slipped(imp_continuum_step *step, const imp_continuum_body *body, double s);

#endif
