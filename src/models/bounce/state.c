#include "models/bounce/state.h"

#include <math.h>

#include "base/constants.h"
#include "num/trigonometry.h"

double imp_bounce_energy(const imp_bounce_cell *c) {
    double k = c->p.body.gyration * c->m.spin, v_n = imp_bounce_velocity_n(c);
    return c->p.gravity * imp_bounce_height(c) +
           (c->m.velocity_t * c->m.velocity_t + v_n * v_n + k * k) / 2;
}

double imp_bounce_balance(const imp_bounce_cell *c) {
    const imp_bounce_tally *t = &c->tally;
    double initial = c->initial_energy;
    return imp_bounce_over(initial - imp_bounce_energy(c) - t->normal_loss - t->friction_loss,
                           initial);
}

bool imp_bounce_spend(imp_bounce_cell *c) {
    const imp_bounce_motion *m = &c->m;
    double sum = m->time + m->x + m->alpha + m->turns + m->velocity_t + m->spin + m->gap + m->rate;
    if (!(sum - sum == 0)) {
        c->outcome = IMP_NOT_FINITE;
    } else if (++c->spent > c->p.budget) {
        c->outcome = IMP_BUDGET;
    }
    return c->outcome == IMP_PENDING;
}

double imp_bounce_angle(const imp_bounce_cell *c) {
    double angle = c->p.body.n > 1 ? c->p.body.flat[c->m.flat].angle : 0;
    return angle + 2 * IMP_PI * c->m.turns + c->m.alpha;
}

void imp_bounce_set_pose(imp_bounce_cell *c) {
    if (c->p.body.n < 2) {
        c->pose = (imp_bounce_pose){.cosine = 1};
        return;
    }
    imp_sincos turned = imp_sine_cosine(c->m.alpha);
    const imp_bounce_flat *flat = &c->p.body.flat[c->m.flat];
    c->pose.sine = turned.sine;
    c->pose.cosine = turned.cosine;
    for (int j = 0; j < c->p.body.n; j++) {
        c->pose.x[j] = flat->a[j] * turned.cosine - flat->b[j] * turned.sine;
        c->pose.y[j] = flat->a[j] * turned.sine + flat->b[j] * turned.cosine;
    }
}

static double whole(double x) {
    return floor(x + 0.5);
}

void imp_bounce_refer(imp_bounce_cell *c, int k) {
    const imp_bounce_body *body = &c->p.body;
    imp_bounce_motion *m = &c->m;
    if (body->n < 2) {
        return;
    }
    int before = imp_bounce_before(body, k);
    double half = body->corner[k] / 2, from = m->alpha;
    bool good = m->flat == k ? from >= -half && from <= half
                             : m->flat == before && from <= 0 && from >= -half;
    if (good) {
        return;
    }
    double start = body->flat[m->flat].angle, turn = 2 * IMP_PI;
    double alpha = from + (start - body->flat[k].angle);
    double extra = whole((alpha - half) / turn);
    alpha -= extra * turn;
    m->turns += extra;
    m->flat = k;
    if (alpha > half) {
        m->turns +=
            whole((body->flat[k].angle + body->corner[k] - body->flat[before].angle) / turn);
        alpha -= body->corner[k];
        m->flat = before;
    }
    m->alpha = alpha;
    imp_bounce_set_pose(c);
}

void imp_bounce_ground(imp_bounce_cell *c, int k, double rate) {
    c->m.base = k;
    c->m.gap = 0;
    c->m.rate = rate;
}
