#include <math.h>

#include "models/continuum/contact.h"
#include "num/larger.h"
#include "num/polynomial.h"

enum { N = IMP_CONTINUUM_ORDER };

static double value_at(const double *c, double lambda) {
    return imp_polynomial_at(c, N, lambda);
}

void imp_continuum_values(const imp_continuum_step *step, double lambda, double *v) {
    for (int i = 0; i < N_VARIABLES; i++) {
        v[i] = value_at(step->c[i], lambda);
    }
}

double imp_continuum_stride(const imp_continuum_step *step, const int *variables, int n,
                            double tolerance) {
    /* From first touch only every fifth coefficient of a series is not 0. */
    enum { SEEN = 5 };
    const double longest = 4, least = 1e-290;
    double reach = INFINITY;
    for (int k = N - SEEN + 1; k <= N; k++) {
        double size = least;
        for (int i = 0; i < n; i++) {
            size = imp_larger(fabs(step->c[variables[i]][k]), size);
        }
        reach = imp_smaller(imp_coarse_root(1 / size, k), reach);
    }
    return imp_smaller(longest, reach * imp_coarse_root(tolerance, N + 1));
}

double imp_continuum_first_rise(const double *c, double end) {
    int zeros = 0;
    while (zeros < N && c[zeros] == 0) {
        zeros++;
    }
    return c[zeros] < 0 ? imp_polynomial_first_rise(c + zeros, N - zeros, 0, end) : 0;
}

double imp_continuum_crossing(const double *c, double value, double low, double high) {
    enum { MOST = 100 };
    double below = value_at(c, low) - value, above = value_at(c, high) - value, at = high;
    int side = 0;
    for (int i = 0; i < MOST && high - low > 4e-16 * high; i++) {
        at = low + (high - low) * (below / (below - above));
        double found = value_at(c, at) - value;
        if (!(at > low && at < high) || found == 0) {
            break;
        }
        /* By chords; the value of an end that stays is halved (the Illinois rule). */
        if ((found < 0) == (below < 0)) {
            low = at;
            below = found;
            above /= side > 0 ? 2 : 1;
            side = 1;
        } else {
            high = at;
            above = found;
            below /= side < 0 ? 2 : 1;
            side = -1;
        }
    }
    return at;
}

/* Notes the greatest G in a step: at its ends, or where its slope is 0. */
static void seek_shear(imp_continuum_contact *contact, const imp_continuum_step *step,
                       double lambda) {
    enum { PARTS = 8 };
    const double *g = step->c[FORCE];
    imp_series slope;
    for (int k = 0; k < N; k++) {
        slope[k] = (k + 1) * g[k + 1];
    }
    slope[N] = 0;
    imp_continuum_note_shear(contact, value_at(g, lambda), contact->v[TIME]);
    double before = slope[0];
    for (int i = 1; i <= PARTS; i++) {
        double after = value_at(slope, lambda * i / PARTS);
        if (before * after < 0) {
            double top =
                imp_continuum_crossing(slope, 0, lambda * (i - 1) / PARTS, lambda * i / PARTS);
            imp_continuum_note_shear(contact, value_at(g, top), value_at(step->c[TIME], top));
        }
        before = after;
    }
}

void imp_continuum_take_step(imp_continuum_contact *contact, const imp_continuum_step *step,
                             double lambda) {
    double before = step->c[RATE][0];
    imp_continuum_values(step, lambda, contact->v);
    if (before > 0 && contact->v[RATE] <= 0) {
        double turn = imp_continuum_crossing(step->c[RATE], 0, 0, lambda);
        imp_continuum_note_turn(contact, value_at(step->c[ROOT], turn),
                                value_at(step->c[TIME], turn), value_at(step->c[IMPULSE], turn),
                                contact->problem->mu * contact->mobility *
                                    value_at(step->c[WORK], turn));
    }
    if (contact->problem->want_peaks) {
        seek_shear(contact, step, lambda);
    }
    if (contact->problem->observer) {
        imp_continuum_show(contact, &(imp_continuum_motion){.problem = contact->problem,
                                                            .step = step,
                                                            .lambda = lambda,
                                                            .lost = contact->result->loss});
    }
}
