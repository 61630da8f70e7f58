/* Slip under the laws of power 1.5: undamped by its closed form, damped by integration. */
#include "models/compliant/power_impl.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* Sums over n of (x)_n / n! y^n / (n + w), for |y| of at most a half: two at once, because each
 * waits for its divisions. What is below the bound changes no sum. */
static imp_pair series(imp_pair x, imp_pair w, imp_pair y) {
    imp_pair term = {1, 1}, sum = 1 / w;
    for (double n = 1; n < 64; n++) {
        term *= y * (x + n - 1) / n;
        imp_pair part = term / (n + w), size = imp_pair_abs(part);
        sum += part;
        if (size[0] < 1e-17 && size[1] < 1e-17) {
            break;
        }
    }
    return sum;
}

/* An undamped slip as free motion delta'' = -q delta^1.5, with the velocity V that it has at
 * delta = 0: y = v_n / V, z = 1 - y^2 = 0.8 q delta^2.5 / V^2. */
typedef struct arc {
    double v, delta, z;
} arc;

static arc arc_of(double v_n, double delta, double q, double square) {
    return (arc){.v = v_n / sqrt(square), .delta = delta, .z = 2 * q * energy(delta) / square};
}

/* The time from one end of an arc to the other follows from two series each: where z is at most a
 * half from that of the time between the instant at which delta is 0 and this one, 0.4 delta series
 * / V; elsewhere from that of the time from the turn, 0.4 D v series / V, D the indentation at the
 * turn. */
static imp_pair arc_series(const arc *a, const arc *b, bool low_a, bool low_b) {
    return series((imp_pair){low_a ? 0.5 : 0.6, low_b ? 0.5 : 0.6},
                  (imp_pair){low_a ? 0.4 : 0.5, low_b ? 0.4 : 0.5},
                  (imp_pair){low_a ? a->z : a->v * a->v, low_b ? b->z : b->v * b->v});
}

/* Time since the turn. */
static double arc_clock(const arc *at, bool low, double sum, double depth, double speed) {
    const double quarter = 1.471637592162352328690894; /* time from the plane to the turn, D / V */
    double side = at->v < 0 ? -1 : 1, unit = 0.8 * depth / speed;
    return low ? side * (quarter * depth - 0.4 * at->delta * sum) / speed
               : unit * (at->v * sum / 2);
}

double imp_compliant_power_arc_time(const state *from, double v_n, double delta, double q) {
    double square = from->v_n * from->v_n + 2 * q * energy(from->delta), speed = sqrt(square);
    if (!(square > 0)) {
        return NAN;
    }
    arc a = arc_of(from->v_n, from->delta, q, square), b = arc_of(v_n, delta, q, square);
    bool low_a = fabs(a.z) <= 0.5, low_b = fabs(b.z) <= 0.5;
    bool one_side = low_a && low_b && (a.v < 0) == (b.v < 0);
    if (!one_side && !(q > 0)) {
        return NAN;
    }
    imp_pair sum = arc_series(&a, &b, low_a, low_b);
    if (one_side) {
        return fabs(0.4 * b.delta * sum[1] - 0.4 * a.delta * sum[0]) / speed;
    }
    double depth = imp_two_fifths(1.25 * square / q);
    return arc_clock(&b, low_b, sum[1], depth, speed) - arc_clock(&a, low_a, sum[0], depth, speed);
}

/* Begins the march of an undamped slip from `start`. Turns are to be noted in *notes. */
static void march_slip(const contact *c, const state *start, const slide *x, march *m,
                       state *notes) {
    const bool touches[] = {false, start->delta == 0};
    imp_compliant_power_march_from(c, start, x->s, touches, m);
    m->block->impulse[m->lane] = x->sticks ? x->impulse : 2 * x->impulse + 1;
    *notes = *start;
    notes->greatest.delta = x->turns ? 0 : INFINITY;
}

/* The indentation where an impulse ends compression. */
static double delta_at_turn(const state *now, double impulse) {
    return imp_two_fifths(2.5 * (energy(now->delta) - impulse * now->v_n / 2));
}

/* The turn of an undamped slip, without its time; false if there is none. */
static bool turns_in_slip(const springs *k, state *now, double s, double end) {
    double q = 1 - k->mu * s * k->c, impulse = -now->v_n / q;
    if (!(now->v_n < 0 && impulse > 0 && impulse <= end)) {
        return false;
    }
    double delta = delta_at_turn(now, impulse);
    if (delta <= now->greatest.delta) {
        return false;
    }
    now->greatest = (peak){.delta = delta,
                           .p_n = now->p_n + impulse,
                           .time = now->time,
                           .work = now->work + impulse * now->v_n / 2};
    return true;
}

/* The indentation after an impulse; it follows from the impulse that is left, or from the impulse
 * itself where that is only a small part of the slip. */
static double delta_after(const state *now, double q, double impulse, double separation) {
    const double small = 1e-3;
    double v_n = now->v_n + q * impulse, v_end = now->v_n + q * separation;
    bool late = separation < INFINITY && impulse > small * separation;
    double left = late ? (separation - impulse) * (v_n + v_end) / 2
                       : energy(now->delta) - impulse * (now->v_n + v_n) / 2;
    return imp_two_fifths(2.5 * imp_larger(0, left));
}

static slide slide_from(const springs *k, const state *now, double s) {
    slide x = {.s = s, .q = 1 - k->mu * s * k->c, .rate = slip_change(k, s)};
    x.speed = imp_larger(0, s * now->v_t + k->kappa * now->v_n);
    double separation = impulse_to_separation(now->v_n, sqrt(2 * energy(now->delta)), x.q);
    double size = k->kappa + k->mu * k->a + fabs(k->c) * (1 + k->kappa * k->mu);
    bool halts = k->mu > 0 && x.rate < 0 && !runs_along_rim(now, x.speed, x.rate, size);
    double halt = halts ? x.speed / -x.rate : INFINITY;
    if (k->constrained) {
        halt = -now->v_n / x.q > 0 ? -now->v_n / x.q : INFINITY;
    }
    if (halt < separation) {
        x.delta = delta_after(now, x.q, halt, separation);
        /* Near separation it goes on. */
        x.sticks = x.delta > imp_compliant_power_least_delta || now->v_n + x.q * halt <= 0;
    }
    x.delta = x.sticks ? x.delta : 0;
    x.impulse = x.sticks ? halt : separation;
    x.v_n = k->constrained && x.sticks ? 0 : now->v_n + x.q * x.impulse;
    x.work = x.impulse * (now->v_n + x.v_n) / 2;
    x.time = imp_compliant_power_arc_time(now, x.v_n, x.delta, x.q);
    return x;
}

void imp_compliant_power_add_part(imp_compliant_account *account, const monotone_part *part,
                                  bool slips, double number, bool turns) {
    const imp_compliant_instant *start = &part->start, *end = &part->end;
    double since = account->time, until = since + end->time;
    if (turns) {
        split_work(&account->work_t_approach, &account->work_t_rebound, end->work_t, true);
    }
    account->work_t_rebound += end->work_t;
    if (slips) {
        add_slip_loss(account, number, end->loss, true);
    }
    if (account->want_peaks) {
        note_force(&account->normal, end->f_n, until, turns);
        note_force(&account->tangential, start->f_t, since, !(slips && turns));
        note_force(&account->tangential, end->f_t, until, true);
    }
    account->time = until;
}

/* The instant after an impulse of a slide that starts in `start`. */
static imp_compliant_instant slide_instant(const springs *k, const slide *x, const state *start,
                                           double impulse, double v_n, double delta) {
    double root = sqrt(delta), force = delta * root, friction = -k->mu * x->s;
    double change = k->constrained ? k->c * x->q : k->c + friction * k->a;
    double after = imp_larger(0, x->speed + x->rate * impulse);
    return (imp_compliant_instant){
        .u = x->s * k->kappa * delta,
        .delta = delta,
        .v_t = start->v_t + change * impulse,
        .v_n = v_n,
        .f_t = friction * force,
        .f_n = force,
        .f_t_rate = -1.5 * root * v_n * friction,
        .f_n_rate = -1.5 * root * v_n,
        .slip = x->s * after,
        .p_t = friction * impulse,
        .p_n = impulse,
        .work_t = friction * impulse * (start->v_t + change * impulse / 2),
        .work_n = impulse * (start->v_n + v_n) / 2,
        .loss = k->mu * impulse * (x->speed + after) / 2,
        .stored_t = spring_energy(k, x->s * k->kappa * delta, delta),
        .stored_n = energy(delta),
    };
}

/* Adds a part, in which v_n has one sign, to the account, and moves to its end. */
static void add_part(const contact *c, slide *x, state *from, double impulse, double v_n,
                     double delta, double time, bool turns) {
    monotone_part part = {.start = slide_instant(&c->k, x, from, 0, from->v_n, from->delta),
                          .end = slide_instant(&c->k, x, from, impulse, v_n, delta)};
    part.end.time = time;
    imp_compliant_power_add_part(c->problem.account, &part, true, from->phases - 1, turns);
    x->speed = x->s * part.end.slip;
    from->v_t = part.end.v_t;
    from->v_n = v_n;
    from->delta = delta;
}

/* An observer spends nothing of the budget: the outcome must not depend on observers. */
static void show_slide(contact *c, const state *start, slide x) {
    state now = *start;
    if (c->problem.observer) {
        imp_compliant_power_block alone = {.coupled = c->k.coupled, .width = IMP_LEAST_LANES};
        march m = {.block = &alone};
        march_slip(c, start, &x, &m, &now);
        if (x.impulse > 0) {
            imp_compliant_power_march_alone(&m, &now, c->budget);
        }
        return;
    }
    double impulse = -now.v_n / x.q, rest = x.impulse - impulse;
    if (now.v_n < 0 && impulse > 0 && impulse < x.impulse) {
        double delta = x.turns ? c->now.greatest.delta : delta_at_turn(&now, impulse);
        double time = x.turns ? x.turn_time : imp_compliant_power_arc_time(&now, 0, delta, x.q);
        add_part(c, &x, &now, impulse, 0, delta, time, x.turns);
        time = imp_compliant_power_arc_time(&now, x.v_n, x.delta, x.q);
        add_part(c, &x, &now, rest, x.v_n, x.delta, time, false);
        return;
    }
    add_part(c, &x, &now, x.impulse, x.v_n, x.delta, x.time, x.turns);
}

/* The end of the undamped slip c->slide, whose time is known. */
static phase_end end_slide(contact *c) {
    const springs *k = &c->k;
    const slide *x = &c->slide;
    state *now = &c->now;
    double after = x->sticks ? 0 : imp_larger(0, x->speed + x->rate * x->impulse);
    double change = k->constrained ? k->c * x->q : k->c - k->mu * x->s * k->a;
    now->time += x->time;
    now->loss += k->mu * x->impulse * (x->speed + after) / 2;
    now->v_t = x->sticks ? -x->s * k->kappa * x->v_n : now->v_t + change * x->impulse;
    now->v_n = x->v_n;
    now->delta = x->delta;
    now->u = x->s * k->kappa * x->delta;
    now->p_n += x->impulse;
    now->p_t -= k->mu * x->s * x->impulse;
    now->work += x->work;
    return x->sticks ? TO_STICK : SEPARATED;
}

static phase_end slip_undamped(contact *c) {
    state *now = &c->now, start = *now;
    slide *x = &c->slide;
    *x = slide_from(&c->k, now, c->s);
    if (!(x->impulse < INFINITY)) {
        return LOST;
    }
    x->turns = turns_in_slip(&c->k, now, c->s, x->impulse);
    if (x->turns) {
        x->turn_time = imp_compliant_power_arc_time(now, 0, now->greatest.delta, x->q);
        now->greatest.time = now->time + x->turn_time;
    }
    if (isnan(x->time)) {
        march_slip(c, &start, x, &c->march, &c->notes);
        c->integral = OF_SLIP_TIME;
        x->time = 0;
        return x->impulse > 0 ? MARCHES : end_slide(c);
    }
    if (is_watched(&c->problem)) {
        show_slide(c, &start, *x);
    }
    return end_slide(c);
}

static phase_end slip_damped(contact *c) {
    const state *now = &c->now;
    /* Without damping the slip speed of a constrained body is a multiple of v_n; with damping it is
     * not, and has an event of its own. */
    const bool touches[] = {!c->k.constrained || now->v_n == 0, now->delta == 0};
    imp_compliant_power_march_from(c, now, c->s, touches, &c->march);
    c->start = *now;
    c->integral = OF_DAMPED_SLIP;
    return MARCHES;
}

static phase_end end_damped(contact *c, int event) {
    state *now = &c->now;
    imp_compliant_power_take_over(c);
    bool apart = event == SECOND || (now->v_n > 0 && now->delta <= imp_compliant_power_least_delta);
    now->delta = apart ? 0 : now->delta;
    now->u = c->s * limit(&c->k, now->delta, now->v_n);
    double p_t = c->march.block->start.y[P_T][c->march.lane];
    double work = p_t * (c->start.v_t + now->v_t) / 2;
    now->loss += energy(fabs(c->start.u)) - energy(fabs(now->u)) - work;
    return apart ? SEPARATED : TO_STICK;
}

phase_end imp_compliant_power_slip(contact *c) {
    note_phase(&c->now, c->s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH, true);
    if (c->now.delta == 0 && c->now.v_n > 0) {
        return SEPARATED;
    }
    return c->k.damping > 0 ? slip_damped(c) : slip_undamped(c);
}

phase_end imp_compliant_power_end_slip(contact *c, int event) {
    if (c->integral == OF_DAMPED_SLIP) {
        return end_damped(c, event);
    }
    double took = c->march.block->start.y[TIME][c->march.lane];
    c->slide.time = (c->now.time + took) - c->now.time;
    return end_slide(c);
}
