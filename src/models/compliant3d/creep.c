/* Contacts by elongation that never end: behind a strong dashpot the spring creeps.
 *
 * Once the normal force F = w - damping v3 pulls, v3' = drive F, where drive depends on friction
 * alone, and the rate v3 / w is r with r' = r^2 + drive (1 - damping r). It is 1 / damping when F
 * turns to pull. As long as drive is at least some `least`, for which r^2 + least (1 - damping r)
 * has zeros, the rate cannot pass the greater of them; where w returned to 0 it would be
 * infinite. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "num/larger.h"
#include "num/trigonometry.h"

static double coupling_of(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    return sqrt(b->b13 * b->b13 + b->b23 * b->b23);
}

/* Whether the rate stays below the greater zero. */
static bool is_bounded(const contact *a, double least) {
    double half = least * a->p->damping / 2, square = half * half - least;
    return least > 0 && square >= 0 && a->now.v3 <= (half + sqrt(square)) * a->now.w;
}

/* Whatever the friction does, which is at most mu |F|. */
static bool is_held(const contact *a) {
    return is_bounded(a, a->p->contact->b.b33 - a->friction * coupling_of(a));
}

/* The slip goes on for ever, nearly in its direction e. It turns toward that of v + lag v', whose
 * change is bounded by that of v3, until it is 0. Before that drive may halve. */
static bool slips_for_good(const contact *a) {
    const imp_inverse_mass *b = &a->p->contact->b;
    const state *s = &a->now;
    imp_sincos e = imp_sine_cosine(a->phi);
    double coupling = coupling_of(a), speed = sqrt(s->v1 * s->v1 + s->v2 * s->v2);
    double least = (b->b33 + a->friction * (b->b13 * e.cosine + b->b23 * e.sine)) / 2;
    if (!(speed > 0 && is_bounded(a, least))) {
        return false;
    }
    double force = imp_larger(fabs(imp_compliant3d_force(a)), s->v3 / (a->p->damping * least));
    double pull = a->friction * (b->b11 + b->b22) + coupling;
    double change = pull * (s->v3 / least + a->lag * force);
    double off1 = s->v1 / speed - e.cosine, off2 = s->v2 / speed - e.sine;
    double turn = sqrt(off1 * off1 + off2 * off2) + 2 * change / speed;
    double slip = speed * (1 - turn * turn / 2) - change - a->kappa * s->v3;
    return slip > 0 && a->friction * coupling * turn <= least;
}

bool imp_compliant3d_creeps(const contact *a) {
    const double rounding = 1e-12;
    const state *s = &a->now;
    if (!a->p->by_elongation) {
        return false;
    }
    bool hardly = s->w < rounding && s->v3 > 0 && s->v3 < rounding;
    return hardly || (a->side < 0 && (is_held(a) || (a->motion == SLIPS && slips_for_good(a))));
}
