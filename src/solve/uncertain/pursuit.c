/* Extremes in a box, from several starts at once: compass search with pattern moves (Hooke and
 * Jeeves 1961). It needs no derivatives, so that kinks and jumps do not stop it. */
#include <math.h>
#include <string.h>

#include "solve/uncertain/uncertain_impl.h"

enum { MOST_ROUNDS = 4000, AHEAD = 1 };
static const double first_step = 0.125, last_step = 0x1p-40;

/* One start under way. */
typedef struct walker {
    imp_summit_place at, last;
    double step;
} walker;

/* Whether one value is better than another, which may be NaN. */
static bool is_better(double one, double other, double sign) {
    return !isnan(one) && (isnan(other) || sign * one > sign * other);
}

static double clipped(double t) {
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

/* The places that a walker tries: a step ahead in the direction of its last move, and one to each
 * side along each axis. Returns their number. */
static int scout(const walker *w, int n_axes, imp_summit_place *place) {
    for (int k = 0; k < AHEAD + 2 * n_axes; k++) {
        place[k] = w->at;
    }
    for (int a = 0; a < n_axes; a++) {
        place[0].t[a] = clipped(2 * w->at.t[a] - w->last.t[a]);
        place[AHEAD + 2 * a].t[a] = clipped(w->at.t[a] + w->step);
        place[AHEAD + 2 * a + 1].t[a] = clipped(w->at.t[a] - w->step);
    }
    return AHEAD + 2 * n_axes;
}

/* Moves to the best place, or takes smaller steps. */
static void move(walker *w, const imp_summit_place *place, int n, double sign) {
    const imp_summit_place *best = &w->at;
    for (int k = 0; k < n; k++) {
        best = is_better(place[k].value, best->value, sign) ? &place[k] : best;
    }
    if (best == &w->at) {
        w->step /= 2;
        w->last = w->at;
        return;
    }
    w->last = w->at;
    w->at = *best;
}

imp_summit_place imp_pursue(const imp_compass *p) {
    walker walkers[IMP_MOST_STARTS];
    imp_summit_place *place = p->place;
    for (int s = 0; s < p->n_starts; s++) {
        walkers[s] = (walker){.at = p->start[s], .last = p->start[s], .step = first_step};
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        int n = 0, each = AHEAD + 2 * p->n_axes;
        for (int s = 0; s < p->n_starts; s++) {
            n += walkers[s].step >= last_step ? scout(&walkers[s], p->n_axes, place + n) : 0;
        }
        if (n == 0 || !p->measure(p->context, n, place)) {
            break;
        }
        const imp_summit_place *own = place;
        for (int s = 0; s < p->n_starts; s++) {
            if (walkers[s].step >= last_step) {
                move(&walkers[s], own, each, p->sign);
                own += each;
            }
        }
    }
    imp_summit_place best = p->start[0];
    for (int s = 0; s < p->n_starts; s++) {
        best = is_better(walkers[s].at.value, best.value, p->sign) ? walkers[s].at : best;
    }
    return best;
}
