/* Power series of one step of a phase, and the steps that contacts take together, each in a lane.
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

#include "num/lanes/width.h"

enum { IMP_CONTINUUM_ORDER = 14, IMP_CONTINUUM_TERMS = IMP_CONTINUUM_ORDER + 1 };
/* Parts of a step in which a peak of the tangential force is sought. */
enum { IMP_CONTINUUM_PARTS = 8 };

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

typedef double imp_continuum_series[IMP_CONTINUUM_TERMS];

/* How a step ends. A ray ARRIVES at its goal. A stick reaches the limit of friction in the
 * direction of slip, BACK or FORTH. Partial slip reaches the BOTTOM of the layer; at a TURN the
 * outermost stuck shell falls below the limit of friction; at an EDGE all shells that slipped have
 * left the contact. */
typedef enum imp_continuum_stop {
    GO_ON,
    ARRIVES,
    BACK,
    FORTH,
    BOTTOM,
    TURN,
    EDGE
} imp_continuum_stop;

typedef double imp_continuum_column[IMP_MOST_LANES];

/* Steps of one kind: a column has a number for each lane. */
typedef struct imp_continuum_block {
    /* Given. v: the state, at the end of the step afterwards. alpha, beta, gamma: mu c, c / m, a /
     * eta. direction: of slip, -1 or 1. strong: whether friction is so strong that only thin rings
     * slip while forces are great (else 0). bottom: of the layer over which slip spreads. sheds:
     * whether all shells that slip may leave the contact (else 0). resistance: of delta^1.5 against
     * w along a ray, G = h delta^1.5. separates: whether a ray ends where delta is 0 (else 0);
     * goal, turn: IMPULSE at its end otherwise, and where w is 0. seeks_shear: whether `bends` is
     * wanted. */
    imp_continuum_column v[N_VARIABLES];
    imp_continuum_column alpha, beta, gamma, tolerance, direction, strong, bottom, sheds;
    imp_continuum_column resistance, separates, goal, turn;
    bool seeks_shear;
    /* Found. stride: the greatest lambda at which the series are within the tolerance; a step is
     * good if it is positive. lambda: the end of the step. stop: imp_continuum_stop. bends: whether
     * the slope of G changes its sign. Of a ray: whether it `turned`, and the root of delta and the
     * time there, or at the end of the step. c: the series; a ray has only TIME, ROOT, RATE and
     * IMPULSE, S_ variables are found over shells that stuck alone. */
    imp_continuum_column stride, lambda, stop, bends;
    imp_continuum_column turned, turn_root, turn_time;
    imp_continuum_column c[N_VARIABLES][IMP_CONTINUUM_TERMS];
} imp_continuum_block;

/* Each takes a step in the first n lanes, at most imp_lane_width(). */
void imp_continuum_ray(imp_continuum_block *block, int n);
void imp_continuum_stick(imp_continuum_block *block, int n);
/* Slip that spreads over shells that slipped the other way; over shells that stuck; the same at the
 * onset of slip, where q = Q = 0. */
void imp_continuum_over_slipped(imp_continuum_block *block, int n);
void imp_continuum_over_stuck(imp_continuum_block *block, int n);
void imp_continuum_onset(imp_continuum_block *block, int n);

#endif
