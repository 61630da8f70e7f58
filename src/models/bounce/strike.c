#include "models/bounce/stages.h"

#include <math.h>

#include "bodies/planar/motion.h"
#include "models/bounce/watch.h"
#include "models/impulse_lanes.h"
#include "models/springs.h"

imp_contact imp_bounce_contact_at(const imp_bounce_cell *c, int k) {
    double t = c->pose.x[k] / c->p.body.gyration;
    double n = (c->pose.y[k] - c->p.body.radius) / c->p.body.gyration;
    return (imp_contact){
        .b11 = 1 + n * n, .b12 = -t * n, .b22 = 1 + t * t, .determinant = 1 + t * t + n * n};
}

/* The result of an impact in units of its normal speed; v_t: of the point, in that unit. */
static result strike_rigid(const imp_bounce_problem *of, const imp_contact *b, double v_t) {
    double lightness = 1 / b->b22;
    problem p = {.a = b->b11 * lightness,
                 .c = b->b12 * lightness,
                 .determinant = b->determinant * lightness * lightness,
                 .v_t = v_t,
                 .e = of->restitution,
                 .friction = of->friction};
    path x = coulomb_path(&p);
    double rebound = of->law == IMP_BOUNCE_NEWTON    ? newton(&p, &x)
                     : of->law == IMP_BOUNCE_POISSON ? poisson(&p, &x)
                                                     : energetic(&p, &x);
    return end_of(&p, &x, rebound);
}

static result strike_springs(const imp_bounce_problem *of, const imp_contact *b, double v_t) {
    imp_contact contact = *b;
    contact.velocity_ratio = v_t;
    const imp_springs springs = {.stiffness_ratio = of->stiffness_ratio,
                                 .friction = of->friction,
                                 .restitution = of->restitution};
    imp_springs_result r = imp_springs_strike(&contact, &springs);
    return (result){.outcome = r.outcome,
                    .p_n = r.p_n,
                    .p_t = r.p_t,
                    .v_n = r.v_n,
                    .v_t = r.v_t,
                    .work_c = r.work_approach,
                    .work_r = r.work_rebound,
                    .work_t = -r.friction_loss};
}

/* The motion after an impact; the bits are those of the theory `rigid` for a lamina. */
static void apply(imp_bounce_cell *c, int k, const result *r, double speed, double impulse) {
    double mass = c->p.body.mass, gyration = c->p.body.gyration;
    double inertia = mass * gyration * gyration;
    double arm_t = c->pose.x[k], arm_n = c->pose.y[k] - c->p.body.radius;
    double gained = -arm_n / inertia * r->p_t + arm_t / inertia * r->p_n;
    c->m.spin = imp_motion_spin(c->m.spin, gained * impulse, 0, 0, 0, 0);
    c->m.velocity_t = imp_motion_centre(c->m.velocity_t, 0, r->p_t * (impulse / mass),
                                        r->v_t * speed, c->m.spin * arm_n);
    c->sticks = r->v_t == 0;
    c->slip_out = r->v_t;
    c->ratio = r->v_n;
    imp_bounce_ground(c, k, r->v_n * speed);
}

/* ---- the account ---- */

/* Enters a counted impact. */
static void count(imp_bounce_tally *t, imp_bounce_blow blow, double speed) {
    t->impacts++;
    if (t->impacts <= IMP_BOUNCE_SEQUENCE) {
        t->sequence |= (uint64_t)(blow.number - 1) << (3 * (t->impacts - 1));
    }
    if (t->impacts == 1) {
        t->first = blow;
    }
    if (t->impacts == 2) {
        t->second = blow;
    }
    if (blow.impulse > t->largest.impulse) {
        t->largest = blow;
        t->largest_index = t->impacts;
    }
    double share = speed / t->first_speed;
    t->margin = share < t->margin ? share : t->margin;
}

static void enter(imp_bounce_cell *c, int k, const result *r, double speed, double impulse) {
    imp_bounce_tally *t = &c->tally;
    imp_bounce_blow blow = {
        .number = c->p.body.number[k], .time = c->m.time, .impulse = r->p_n * impulse};
    double unit = impulse / c->p.body.mass;
    t->strikes++;
    t->first_speed = t->impacts ? t->first_speed : speed;
    bool counted = speed >= c->p.count_above * t->first_speed;
    if (counted) {
        count(t, blow, speed);
    }
    t->normal_loss -= (r->work_c + r->work_r) * unit * speed;
    t->friction_loss -= r->work_t * unit * speed;
    t->upward += r->p_n * unit;
    if (counted && c->p.observer) {
        imp_bounce_shown shown = {.cell = c,
                                  .number = blow.number,
                                  .speed = speed,
                                  .normal = r->p_n * unit,
                                  .tangential = r->p_t * unit};
        c->p.observer->see_event(c->p.observer, IMP_BOUNCE_IMPACT, IMP_BOUNCE_FLIGHT, &shown);
    }
    if (c->strike[0].point != k || t->impacts == 1) {
        for (int i = IMP_BOUNCE_STRIKES - 1; i > 0; i--) {
            c->strike[i] = c->strike[i - 1];
        }
        c->strike[0] = (imp_bounce_strike){.time = c->m.time, .spin = c->m.spin, .point = k};
    }
}

/* The impact at point k, whose gap is 0 and which approaches with this speed: the motion after it,
 * with k as the base. */
static void strike_at(imp_bounce_cell *c, int k, double speed) {
    imp_contact b = imp_bounce_contact_at(c, k);
    double impulse = c->p.body.mass * (1 / b.b22) * speed;
    double v_t = (c->sticks ? 0 : imp_bounce_slip(c, k)) / speed;
    result r = c->p.law == IMP_BOUNCE_COMPLIANT ? strike_springs(&c->p, &b, v_t)
                                                : strike_rigid(&c->p, &b, v_t);
    if (r.outcome != IMP_SOLVED || !(r.p_n * impulse < INFINITY) || !(r.v_n < INFINITY)) {
        c->outcome = r.outcome != IMP_SOLVED ? (imp_outcome)r.outcome : IMP_NOT_FINITE;
        return;
    }
    apply(c, k, &r, speed, impulse);
    enter(c, k, &r, speed, impulse);
}

/* ---- impacts at one instant ---- */

unsigned imp_bounce_collide(imp_bounce_cell *c, const int *points, int n) {
    const double at_rest = 1e-15; /* of the first approach */
    double first = 0, rate[2] = {0};
    for (;;) {
        for (int k = 0; k < n; k++) {
            rate[k] = imp_bounce_rate(c, points[k]);
        }
        int next = n > 1 && rate[1] < rate[0];
        first = first > 0 ? first : -rate[next];
        if (!(-rate[next] > at_rest * first)) {
            break;
        }
        if (!imp_bounce_spend(c)) {
            return 0;
        }
        strike_at(c, points[next], -rate[next]);
        if (c->outcome != IMP_PENDING) {
            return 0;
        }
    }
    unsigned resting = 0;
    for (int k = 0; k < n; k++) {
        resting |= (unsigned)(rate[k] <= at_rest * first) << k;
    }
    if (resting) {
        imp_bounce_ground(c, points[resting == 2], 0);
    }
    return resting;
}
