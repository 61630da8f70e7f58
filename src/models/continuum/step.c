#include "models/continuum/contact.h"
#include "num/lanes/polynomial.h"

enum { N = IMP_CONTINUUM_ORDER };

static double value_at(const double *c, double lambda) {
    return imp_lanes_polynomial_at(c, N, lambda);
}

imp_continuum_step imp_continuum_step_of(const imp_continuum_block *block, int lane) {
    imp_continuum_step step;
    for (int i = 0; i < N_VARIABLES; i++) {
        for (int k = 0; k <= N; k++) {
            step.c[i][k] = block->c[i][k][lane];
        }
    }
    return step;
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

/* Notes the greatest G within a step: where its slope is 0. */
static void seek_shear(imp_continuum_contact *contact, const imp_continuum_step *step,
                       double lambda) {
    enum { PARTS = IMP_CONTINUUM_PARTS };
    const double *g = step->c[FORCE];
    imp_continuum_series slope;
    for (int k = 0; k < N; k++) {
        slope[k] = (k + 1) * g[k + 1];
    }
    slope[N] = 0;
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

static void note_turn(imp_continuum_contact *contact, const imp_continuum_step *step,
                      double lambda) {
    double turn = imp_continuum_crossing(step->c[RATE], 0, 0, lambda);
    imp_continuum_note_turn(contact, value_at(step->c[ROOT], turn), value_at(step->c[TIME], turn),
                            value_at(step->c[IMPULSE], turn),
                            contact->problem->mu * contact->mobility *
                                value_at(step->c[WORK], turn));
}

void imp_continuum_take_step(imp_continuum_contact *contact, const imp_continuum_block *block,
                             int lane, int last) {
    const imp_continuum_problem *p = contact->problem;
    double before = contact->v[RATE], lambda = block->lambda[lane];
    for (int i = 0; i <= last; i++) {
        contact->v[i] = block->v[i][lane];
    }
    bool turns = before > 0 && contact->v[RATE] <= 0,
         bends = p->want_peaks && block->bends[lane] != 0;
    if (p->want_peaks) {
        imp_continuum_note_shear(contact, contact->v[FORCE], contact->v[TIME]);
    }
    if (!turns && !bends && !p->observer) {
        return;
    }
    imp_continuum_step step = imp_continuum_step_of(block, lane);
    if (turns) {
        note_turn(contact, &step, lambda);
    }
    if (bends) {
        seek_shear(contact, &step, lambda);
    }
    if (p->observer) {
        imp_continuum_show(contact, &(imp_continuum_motion){.problem = p,
                                                            .step = &step,
                                                            .lambda = lambda,
                                                            .lost = contact->result->loss});
    }
}

/* ---- steps, in the narrowest lanes that hold them ---- */

#define EACH(name) IMP_EACH_WIDTH(name, (imp_continuum_block * block, int n), n, (block, n))
EACH(imp_continuum_ray)
EACH(imp_continuum_stick)
EACH(imp_continuum_over_slipped)
EACH(imp_continuum_over_stuck)
EACH(imp_continuum_onset)
