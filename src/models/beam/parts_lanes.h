/* Sums over modes in eight parts, whatever the width, and what damping leaves of a motion. Of files
 * that are compiled once for each width; see num/lanes/lanes.h. */
#ifndef IMP_MODELS_BEAM_PARTS_LANES_H
#define IMP_MODELS_BEAM_PARTS_LANES_H

#include "models/beam/beam.h"
#include "num/lanes/exponential.h"
#include "num/lanes/words.h"

enum { GROUP = IMP_BEAM_GROUP, PARTS = GROUP / IMP_LANES };

typedef struct row {
    real part[PARTS];
} row;

CODE void store(double *values, const row *r) {
    for (int p = 0; p < PARTS; p++) {
        imp_lanes_store(values + p * IMP_LANES, r->part[p]);
    }
}

CODE row none(void) {
    row r;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] = number(0);
    }
    return r;
}

CODE double total(const row *r) {
    double v[GROUP];
    store(v, r);
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* e^x, x <= 0. */
CODE real fade(real x) {
    const double far = -600;
    return pick(x < far, number(0), imp_lanes_exp_long(larger(number(far), x), number(0)));
}

#endif
