/* The cubic through values f and slopes g at both ends of 0..h, where f0 and f1 differ in sign. */
#ifndef IMP_MODELS_BEAM_CUBIC_H
#define IMP_MODELS_BEAM_CUBIC_H

#include "num/bracket.h"

typedef struct imp_beam_cubic {
    double f0, g0, f1, g1, h;
} imp_beam_cubic;

static inline double imp_beam_cubic_at(const imp_beam_cubic *c, double t) {
    double x = t / c->h, y = 1 - x;
    return y * y * ((1 + 2 * x) * c->f0 + t * c->g0) +
           x * x * ((3 - 2 * x) * c->f1 - (c->h - t) * c->g1);
}

/* The root of the cubic, to a part 2^-halvings of h. */
static inline double imp_beam_cubic_root(const imp_beam_cubic *c, int halvings) {
    imp_bracket b = {0, c->h};
    bool positive = imp_beam_cubic_at(c, 0) > 0;
    for (int i = 0; i < halvings; i++) {
        double t = imp_bracket_middle(&b);
        imp_bracket_cut(&b, t, (imp_beam_cubic_at(c, t) > 0) == positive);
    }
    return imp_bracket_middle(&b);
}

#endif
