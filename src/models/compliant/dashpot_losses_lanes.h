/* What the dashpots take in a stick of a free body. With y = -delta the integral of y'^2 is the
 * difference of a quadratic form in the state at the start and at the end (Lyapunov's equation), in
 * closed form whatever the roots of the quartic are: all squares in the form, and what they are
 * divided by, are sums of numbers that are not negative. The rest of the work that the impulses do
 * goes to the tangential dashpot, so that the account of energy tells whether the impulses, which
 * are integrals of the motion, fit the velocities. In lanes. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_LOSSES_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_LOSSES_LANES_H

#include "models/compliant/dashpot_contacts_lanes.h"

/* A number at the start less that at the end, and the sum of both. */
typedef struct change {
    real lost, both;
} change;

CODE change change_of(real start, real end) {
    return (change){.lost = start - end, .both = start + end};
}

CODE real square_lost(change a) {
    return a.lost * a.both;
}

/* Twice that of a product. */
CODE real product_lost(change a, change b) {
    return a.lost * b.both + a.both * b.lost;
}

/* Along t and n: x = (u, -delta) and its rate at the start and at the end, and the impulses. */
typedef struct stuck_way {
    real x[2][2], v[2][2], p[2];
} stuck_way;

/* w is v_t - c v_n, whose rate a guide would make 0, and k is c v_t - a v_n. Directions that do not
 * act on each other need no dashpot of the other one. */
CODE real normal_stick_loss(const imp_compliant_problem *p, const stuck_way *way) {
    truth apart = is_apart(p);
    const real a = p->a, c = pick(apart, number(0), p->c), c2 = c * c, d = p->determinant;
    const real n = p->damping, t = pick(apart & (p->drag == 0), number(1), p->drag);
    const real w[2] = {way->v[0][0] - c * way->v[0][1], way->v[1][0] - c * way->v[1][1]};
    const change x = change_of(way->x[0][0], way->x[1][0]),
                 y = change_of(way->x[0][1], way->x[1][1]),
                 v = change_of(way->v[0][1], way->v[1][1]), along = change_of(w[0], w[1]);
    const change k = {.lost = c * along.lost - d * v.lost, .both = c * along.both - d * v.both};
    const real sum = n + t, h = a * t + n, g = a - 1, off = (1 - d) * (1 - d), nt = n * t * d * sum;
    const real own = d * sum * h + g * g, share = c2 * sum;
    const real turned = c * (sum * (product_lost(x, k) + product_lost(y, along)) -
                             g * (product_lost(x, y) + product_lost(along, v)));
    const real squares = share * square_lost(x) + (t * own + share) * square_lost(y) +
                         t * t * sum * square_lost(k) + c2 * h / d * square_lost(along) +
                         (nt + c2 * n + t * (off + c2 * d)) * square_lost(v);
    const real loss = n * (squares + t * turned) / (2 * (n * t * own + share * sum));
    return pick(n > 0, loss, number(0));
}

/* loss: along each direction. */
CODE void stick_losses(const imp_compliant_problem *p, const stuck_way *way, real loss[2]) {
    real all = number(0);
    for (int i = 0; i < 2; i++) {
        all -= (way->v[0][i] + way->v[1][i]) * way->p[i] -
               (way->x[0][i] - way->x[1][i]) * (way->x[0][i] + way->x[1][i]);
    }
    truth drags = p->drag > 0;
    loss[1] = pick(drags, normal_stick_loss(p, way), all / 2);
    loss[0] = pick(drags, all / 2 - loss[1], number(0));
}

#endif
