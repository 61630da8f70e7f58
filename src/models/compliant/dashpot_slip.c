/* Slip under the law `dashpot`: one motion of the normal force, which the tangential elongation
 * follows. */
#include <math.h>

#include "models/compliant/dashpot_impl.h"
#include "num/exponential.h"
#include "num/gauss.h"
#include "num/larger.h"

/* A slip on its way. T = s mu |F| = mu s F with mu of the sign of F. */
typedef struct slide {
    dashpot_contact *k;
    const imp_compliant_problem *p;
    state start;
    double s, mu;
    double q, g;          /* rates of v_n and v_t over F */
    imp_damped d;         /* of F, v_n and delta */
    double force[2];      /* F and its rate at the start */
    double u_rate, relax; /* at the start; rate at which u follows, 0: at once */
} slide;

/* ---- the elongation that follows the force ---- */

/* Of a quantity that relaxes toward s mu f, where f moves as F does: the value, and its first and
 * second derivative. */
typedef struct follower {
    double w, w1, w2;
} follower;

/* f: f and its derivatives now; f_start: f and its rate at the start; w: at the start. */
static follower follow(const slide *k, const imp_damped_now *now, double time, const double f[4],
                       const double f_start[2], double w) {
    const imp_damped *d = &k->d;
    double rate = k->relax, size = k->s * k->mu, far = d->q + rate * (rate - d->p);
    const double near = d->swings ? 0.05 : 0.4; /* of swings the other way has no more digits */
    if (rate == 0) {
        return (follower){.w = size * f[0], .w1 = size * f[1], .w2 = size * f[2]};
    }
    if (fabs(far) > near * (rate * (rate + fabs(d->p)) + fabs(d->q))) {
        double a = rate * size / far, b = rate - d->p;
        double own = w - a * (b * f_start[0] - f_start[1]), left = own * imp_exp(-rate * time);
        return (follower){.w = a * (b * f[0] - f[1]) + left,
                          .w1 = a * (b * f[1] - f[2]) - rate * left,
                          .w2 = a * (b * f[2] - f[3]) + rate * rate * left};
    }
    double kept = imp_damped_kept(d, rate, time, now);
    double driven = f_start[0] * (now->push + (d->p - rate) * kept) + f_start[1] * kept;
    double value = w * imp_exp(-rate * time) + rate * size * driven;
    double first = rate * (size * f[0] - value);
    return (follower){.w = value, .w1 = first, .w2 = rate * (size * f[1] - first)};
}

/* ---- the contact at a time ---- */

/* F and its derivatives. */
typedef struct sliding {
    imp_damped_now now;
    double f[5];
    double p_n, v_t, v_n, delta;
    follower u_rate;
} sliding;

static void derive(const imp_damped *d, double f[5]) {
    for (int i = 2; i < 5; i++) {
        f[i] = -d->p * f[i - 1] - d->q * f[i - 2];
    }
}

/* Of the contact only F and the rate of u. */
static sliding pulled_at(const slide *k, double time) {
    sliding a = {.now = imp_damped_at(&k->d, time)};
    const imp_damped_now *now = &a.now;
    double q = k->d.q, start[5] = {k->force[0], k->force[1]};
    derive(&k->d, start);
    a.f[0] = now->rest * k->force[0] + now->push * k->force[1];
    a.f[1] = now->rate * k->force[1] - q * now->push * k->force[0];
    derive(&k->d, a.f);
    a.u_rate = follow(k, now, time, a.f + 1, start + 1, k->u_rate);
    return a;
}

static sliding sliding_at(const slide *k, double time) {
    sliding a = pulled_at(k, time);
    const imp_damped_now *now = &a.now;
    double q = k->d.q, kept = imp_damped_kept(&k->d, 0, time, now);
    a.p_n = (now->push + k->d.p * kept) * k->force[0] + kept * k->force[1];
    a.v_n = now->rate * k->start.v_n + q * now->push * k->start.delta;
    a.delta = now->rest * k->start.delta - now->push * k->start.v_n;
    a.v_t = k->p->constrained ? k->p->c * a.v_n : k->start.v_t + k->g * a.p_n;
    return a;
}

/* The elongation is the pull less the dashpot's part. A strong dashpot has nearly all of the pull:
 * then the elongation is found as what follows the force. */
static double elongation(const slide *k, const sliding *a, double time) {
    double rate = k->relax, size = k->s * k->mu;
    if (!(rate > 0 && rate * time < 1)) {
        return size * a->f[0] - k->p->drag * a->u_rate.w;
    }
    double kept = imp_damped_kept(&k->d, rate, time, &a->now);
    double driven = k->force[0] * (a->now.push + (k->d.p - rate) * kept) + k->force[1] * kept;
    return k->start.u * imp_exp(-rate * time) + rate * size * driven;
}

/* ---- losses ---- */

/* What the tangential dashpot takes until a time. The rate of u is smooth on each of the stretches,
 * which grow as what is quicker fades; Gauss's rule of 16 points leaves nothing but rounding. */
static double tangential_loss(const slide *k, double end) {
    double quick = k->d.swings ? k->d.size : fabs(k->d.fast) + fabs(k->d.slow), sum = 0;
    double pace = k->d.swings ? k->d.size : imp_smaller(fabs(k->d.fast), fabs(k->d.slow));
    double longest = imp_larger(2 / (pace + 1e-3), end / 64), from = 0;
    double length = imp_smaller(longest, 1 / (k->relax + quick));
    while (k->relax > 0 && from < end) {
        double to = imp_smaller(from + length, end), half = (to - from) / 2;
        for (int i = 0; i < IMP_GAUSS_HALF; i++) {
            sliding low = pulled_at(k, from + half * (1 - imp_gauss_node[i]));
            sliding high = pulled_at(k, from + half * (1 + imp_gauss_node[i]));
            double squares = low.u_rate.w * low.u_rate.w + high.u_rate.w * high.u_rate.w;
            sum += half * imp_gauss_weight[i] * squares;
        }
        if (!(to > from)) {
            break; /* a stretch that rounding cannot tell from an instant */
        }
        from = to;
        length = imp_smaller(longest, 2 * length);
    }
    return k->p->drag * sum;
}

/* What friction and the tangential dashpot take together. */
static double sliding_loss(const slide *k, const sliding *a, double u) {
    double work = k->s * k->mu * a->p_n * (k->start.v_t + a->v_t) / 2;
    return work - (u - k->start.u) * (u + k->start.u) / 2;
}

static double normal_work(const slide *k, const sliding *a) {
    return a->p_n * (k->start.v_n + a->v_n) / 2;
}

static double normal_loss(const slide *k, const sliding *a) {
    double stored = (a->delta - k->start.delta) * (a->delta + k->start.delta) / 2;
    return -normal_work(k, a) - stored;
}

static imp_compliant_instant instant_at(const imp_compliant_piece *piece, double time) {
    const slide *k = piece->motion;
    sliding a = sliding_at(k, time);
    double u = elongation(k, &a, time), both = sliding_loss(k, &a, u);
    return (imp_compliant_instant){
        .time = time,
        .u = u,
        .delta = a.delta,
        .v_t = a.v_t,
        .v_n = a.v_n,
        .f_t = -k->s * k->mu * a.f[0],
        .f_n = a.f[0],
        .f_t_rate = -k->s * k->mu * a.f[1],
        .f_n_rate = a.f[1],
        .slip = a.v_t - a.u_rate.w,
        .p_t = -k->s * k->mu * a.p_n,
        .p_n = a.p_n,
        .work_t = -k->s * k->mu * a.p_n * (k->start.v_t + a.v_t) / 2,
        .work_n = normal_work(k, &a),
        .loss = both - tangential_loss(k, time),
        .stored_t = u * u / 2,
        .stored_n = a.delta * a.delta / 2,
    };
}

/* ---- the halt ---- */

/* The slip speed and its derivatives, and bounds of the second and third one for a while. */
typedef struct pace {
    double f, f1, f2, bend, jerk;
} pace;

/* What a slip speed that began with 0 has gained: shortly after that the difference of velocities
 * has less digits. */
static double gained(const slide *k, const sliding *a, double time) {
    const imp_damped *d = &k->d;
    double rate = k->relax, kept = imp_damped_kept(d, rate, time, &a->now);
    double first = k->force[1], second = -d->p * k->force[1] - d->q * k->force[0];
    double driven = first * (a->now.push + (d->p - rate) * kept) + second * kept;
    imp_hyperbola half = imp_cosine_sine_hyperbolic(rate * time / 2);
    double lost = 2 * imp_exp(-rate * time / 2) * half.sine; /* 1 - exp(-rate time) */
    return k->s * (k->g * a->p_n + k->u_rate * lost - rate * k->s * k->mu * driven);
}

/* A bound of all that a quantity changes that moves as F does, from a value and its rate, as long
 * as imp_damped_bound allows; infinite where none is known. */
static double change_of(const imp_damped *d, double f, double f1) {
    double quick = (f1 - d->slow * f) / (d->fast - d->slow), growth = d->slow > 0 ? 1.72 : 1;
    bool known = !d->swings && d->slow > d->fast;
    return known ? growth * fabs(f - quick) + fabs(quick) : INFINITY;
}

/* The speed s w relaxes toward h (see never_halts), and its derivatives toward those of h. Near the
 * rim of the cone both stay small, while the parts of the speed do not. */
static void see_together(const slide *k, const sliding *a, const double rises[5], pace *w) {
    const double hidden = 1e-2;
    double by_force = k->s * k->g + k->mu * k->d.q;
    double by_rate = k->p->drag * k->s * k->g + k->mu * k->d.p;
    double pulled = by_force * a->f[1] + by_rate * a->f[2], next = k->relax * (pulled - w->f2);
    double most = fabs(by_force) * rises[1] + fabs(by_rate) * rises[2];
    double bend = imp_larger(fabs(w->f2), most);
    if (k->relax > 0 && bend < hidden * w->bend) {
        most = fabs(by_force) * rises[2] + fabs(by_rate) * rises[3];
        w->bend = bend;
        w->jerk = imp_larger(fabs(next), most);
    }
}

static pace pace_at(const slide *k, double time, double span) {
    sliding a = sliding_at(k, time);
    bool early = k->relax > 0 && k->k->slip != ABOVE && time > 0 &&
                 (k->relax + k->d.size + fabs(k->d.p)) * time < 0.5;
    const double *f = a.f;
    double size = fabs(k->mu), g = fabs(k->g), w3 = k->relax * (k->s * k->mu * f[3] - a.u_rate.w2);
    double rises[5];
    for (int i = 1; i < 4; i++) {
        rises[i] = imp_damped_bound(&k->d, f[i], f[i + 1], span);
    }
    rises[4] = imp_damped_bound(&k->d, f[4], -k->d.p * f[4] - k->d.q * f[3], span);
    double left = k->relax > 0 ? fabs(a.u_rate.w2) : 0, next = k->relax > 0 ? fabs(w3) : 0;
    /* What follows a force cannot exceed it, nor change faster than it relaxes. */
    double drawn = k->relax * size;
    double bend = imp_larger(left, size * rises[3]), jerk = imp_larger(next, size * rises[4]);
    if (k->relax > 0) {
        bend = imp_smaller(bend, left + drawn * change_of(&k->d, f[2], f[3]));
        jerk = imp_smaller(jerk, next + drawn * change_of(&k->d, f[3], f[4]));
    }
    pace w = {
        .f = early ? gained(k, &a, time) : k->s * (a.v_t - a.u_rate.w),
        .f1 = k->s * (k->g * f[0] - a.u_rate.w1),
        .f2 = k->s * (k->g * f[1] - a.u_rate.w2),
        .bend = g * rises[1] + bend,
        .jerk = g * rises[2] + jerk,
    };
    see_together(k, &a, rises, &w);
    return w;
}

static double halt_near(const slide *k, double time) {
    enum { MOST = 12 };
    for (int i = 0; i < MOST; i++) {
        pace w = pace_at(k, time, 0);
        double step = -w.f / w.f1;
        time += step;
        if (!(fabs(step) > 1e-9 * time)) {
            break;
        }
    }
    return time;
}

/* Whether the slip clearly does not halt before its end, where F vanishes. Its speed relaxes
 * toward h = s v_t + drag s g F - mu F', which therefore must not fall below 0. While F presses,
 * F' / F falls, so that h' = (s g + mu q) F + (drag s g + mu p) F' changes its sign once at most:
 * where it falls from then on, or rises from the start, the least h is at one of the ends. Of a
 * guided body whose force creeps h is a sum of two exponentials, and has one zero at most. */
static bool never_halts(const slide *k, const sliding *last) {
    const double clearly = 1e-6, rounding = 1e-12;
    const double *f = last->f, sg = k->s * k->g, drag = k->p->drag;
    double by_force = sg + k->mu * k->d.q, by_rate = drag * sg + k->mu * k->d.p;
    double first = k->s * k->start.v_t, end = k->s * last->v_t;
    double at_first = first + drag * sg * k->force[0] - k->mu * k->force[1];
    double at_end = end + drag * sg * f[0] - k->mu * f[1];
    double size = fabs(first) + fabs(end) + k->mu * (fabs(k->force[1]) + fabs(f[1])) +
                  drag * fabs(sg) * fabs(k->force[0]);
    bool one_way = by_rate >= 0 || by_force * k->force[0] + by_rate * k->force[1] >= 0;
    bool starts = k->k->slip == HALTED ? at_first >= -rounding * size
                                       : k->k->slip == ABOVE && at_first > clearly * size;
    bool ends_tell = (k->d.q > 0 && one_way) || (k->p->constrained && !k->d.swings);
    return k->k->side > 0 && ends_tell && starts && at_end > clearly * size;
}

/* When the slip halts; infinite if it does not before `end`, NaN if the budget is spent. */
static double halt_of(slide *k, double end) {
    double time = 0, grows = k->d.q < 0 ? 1 / k->d.slow : INFINITY;
    while (--k->k->budget > 0) {
        double span = imp_smaller(grows, end - time);
        pace w = pace_at(k, time, span);
        bool leaves = time == 0 && k->k->slip != ABOVE;
        double step = w.f > 0 ? imp_compliant_dashpot_step(w.f, w.f1, w.bend) : 0;
        if (w.f > 0 && w.f1 >= 0 && w.f2 > 0) {
            step = imp_larger(step, 2.9 * w.f2 / w.jerk);
        }
        if (leaves) {
            double by_bend = w.f2 > 0 ? 1.5 * w.f2 / w.jerk : 0;
            bool hardly_falls = k->k->slip == HALTED && -w.f1 <= 1e-6 * by_bend * w.f2;
            by_bend = w.f1 >= 0 || hardly_falls ? by_bend : 0;
            step = imp_larger(w.f1 > 0 ? w.f1 / w.bend : 0, by_bend);
        } else if (w.f > 0 && imp_compliant_dashpot_is_near(w.f, w.f1, w.bend) &&
                   -w.f / w.f1 <= span) {
            double halt = halt_near(k, time - w.f / w.f1);
            return halt <= end ? halt : INFINITY;
        }
        if (!(step < span) && !(grows < end - time)) {
            return INFINITY;
        }
        step = imp_smaller(step, span);
        if (!(time + step > time)) {
            return time;
        }
        time += step;
    }
    return NAN;
}

/* ---- the whole slip ---- */

static slide slide_of(dashpot_contact *k) {
    const imp_compliant_problem *p = k->p;
    double mu = k->side * p->mu, q = 1 - mu * k->s * p->c, force = imp_compliant_dashpot_force(k);
    slide w = {.k = k, .p = p, .start = k->now, .s = k->s, .mu = mu, .q = q};
    w.g = p->constrained ? p->c * q : p->c - mu * k->s * p->a;
    w.d = imp_damped_of(q * p->damping, q);
    w.force[0] = force;
    w.force[1] = -k->now.v_n - p->damping * q * force;
    w.relax = p->drag > 0 ? 1 / p->drag : 0;
    w.u_rate = w.relax > 0 ? k->u_rate : 0;
    return w;
}

/* F is -(r1^2 A exp(r1 t) + r2^2 B exp(r2 t)) / q. */
double imp_compliant_dashpot_flat(const imp_damped *d, double delta, double speed, double force,
                                  double rate) {
    double near = speed - d->slow * delta, far = speed - d->fast * delta;
    bool apart = !d->swings && d->q > 0 && d->fast < 1.5 * d->slow && force > 0;
    if (apart && near > 0 && far > 0) {
        double time = (2 * imp_log(d->fast / d->slow) + imp_log(near / far)) / (d->slow - d->fast);
        if (time > 0) { /* the force vanishes once, and not before: otherwise that is rounding */
            return time;
        }
    }
    return imp_damped_fall(d, imp_larger(force, 0), rate);
}

/* When the force vanishes, or the elongation where that ends the contact. The force may be gone as
 * the slip begins: a strong tangential dashpot pulls until then. */
static double end_of(const slide *w, bool *releases) {
    double side = w->k->side, force = side * w->force[0], rate = side * w->force[1];
    bool gone_already = force <= 0 && rate < 0;
    double flat = gone_already ? 0
                               : imp_compliant_dashpot_flat(&w->d, w->start.delta, -w->start.v_n,
                                                            force, rate);
    *releases = w->p->by_elongation == 0;
    if (side < 0) {
        double gone = imp_damped_fall(&w->d, w->start.delta, -w->start.v_n);
        *releases = gone <= flat;
        return imp_smaller(gone, flat);
    }
    return flat;
}

/* A constrained body may halt as its indentation turns: which comes first is rounding. */
static void note_tops(const slide *w, double end) {
    const double at_once = 1e-12;
    const imp_compliant_problem *p = w->p;
    state *now = &w->k->now;
    double turn = now->v_n < 0 ? imp_damped_fall(&w->d, -now->v_n, -w->q * w->force[0]) : INFINITY;
    if (turn <= end * (1 + at_once)) {
        turn = imp_smaller(turn, end);
        sliding a = sliding_at(w, turn);
        double u = elongation(w, &a, turn);
        double work_t = -(now->loss + sliding_loss(w, &a, u) + u * u / 2);
        note_turn(now,
                  &(peak){.delta = a.delta,
                          .p_n = now->p_n + a.p_n,
                          .time = now->time + turn,
                          .work = now->work + normal_work(w, &a),
                          .work_t = work_t},
                  true);
    }
    if (p->account && p->account->want_peaks) {
        double slope = w->force[1], bend = -w->d.p * slope - w->d.q * w->force[0];
        double top = slope > 0 ? imp_damped_fall(&w->d, slope, bend) : INFINITY;
        const double times[] = {0, imp_smaller(top, end), end};
        for (int i = 0; i < IMP_COUNT(times); i++) {
            double force = sliding_at(w, times[i]).f[0];
            note_force(&p->account->normal, force, now->time + times[i], force > 0);
            note_force(&p->account->tangential, p->mu * force, now->time + times[i], true);
        }
    }
}

static void show(slide *w, double end) {
    if (w->p->observer) {
        imp_compliant_piece piece = {
            .phase = w->s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH,
            .number = w->k->now.phases - 1,
            .duration = end,
            .motion = w,
        };
        observe_piece(w->p, &piece, instant_at);
    }
}

/* a: the contact at the end. */
static void carry_over(slide *w, double end, const sliding *a) {
    dashpot_contact *k = w->k;
    state *now = &k->now;
    k->on_face = false;
    double u = elongation(w, a, end), both = sliding_loss(w, a, u);
    if (w->p->account) {
        double damped = tangential_loss(w, end);
        k->tangential_loss += damped;
        add_slip_loss(w->p->account, now->phases - 1, both - damped, true);
    }
    k->normal_loss += normal_loss(w, a);
    now->loss += both;
    now->u = u;
    now->delta = a->delta;
    now->v_t = a->v_t;
    now->v_n = a->v_n;
    now->p_n += a->p_n;
    now->p_t -= w->s * w->mu * a->p_n;
    now->work += normal_work(w, a);
    now->time += end;
    k->u_rate = a->u_rate.w;
}

phase_end imp_compliant_dashpot_slip(dashpot_contact *k) {
    const imp_compliant_problem *p = k->p;
    slide w = slide_of(k);
    bool releases;
    if (!k->turns_over) {
        note_phase(&k->now, k->s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH, true);
    }
    k->turns_over = false;
    double end = end_of(&w, &releases);
    sliding last = end < INFINITY ? sliding_at(&w, end) : (sliding){.v_t = NAN};
    bool may_halt = p->mu > 0 && !k->along_rim && !never_halts(&w, &last);
    double halt = may_halt ? halt_of(&w, end) : INFINITY;
    if (isnan(halt)) {
        return OUT_OF_BUDGET;
    }
    bool halts = halt < end;
    end = halts ? halt : end;
    if (!(end < INFINITY)) {
        return BLURRED;
    }
    last = halts ? sliding_at(&w, end) : last;
    note_tops(&w, end);
    show(&w, end);
    carry_over(&w, end, &last);
    k->slip = ABOVE;
    if (halts) {
        imp_compliant_dashpot_put_on_face(k, k->s * w.mu * imp_compliant_dashpot_force(k));
        return TO_STICK;
    }
    if (releases) {
        k->now.delta = p->by_elongation != 0 ? 0 : p->damping * k->now.v_n;
        return SEPARATED;
    }
    k->now.delta = p->damping * k->now.v_n;
    k->now.u = -p->drag * k->u_rate;
    k->side = -k->side;
    k->s = k->along_rim ? -k->s : k->s; /* the pull changes its sign as the force does */
    k->turns_over = true;
    return TO_SLIP;
}
