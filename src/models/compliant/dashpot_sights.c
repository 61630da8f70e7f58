/* What falls to 0 in the motions of stick: the first root of a sum of both, by steps that a bound
 * of its second derivative makes safe. */
#include <math.h>

#include "models/compliant/dashpot_impl.h"
#include "num/larger.h"

/* ---- what moves with them ---- */

dashpot_sight imp_compliant_dashpot_sight(const dashpot_motion *m, const double of_x[2],
                                          const double of_v[2]) {
    dashpot_sight s = {.constant = of_x[0] * m->rest[0] + of_x[1] * m->rest[1]};
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        for (int i = 0; i < 2; i++) {
            double x = m->x[j][i], v = m->v[j][i];
            s.value[j] += of_x[i] * x + of_v[i] * v;
            s.rate[j] += of_x[i] * v + of_v[i] * (-d->p * v - d->q * x);
        }
    }
    return s;
}

dashpot_sight imp_compliant_dashpot_rate(const dashpot_motion *m, const dashpot_sight *sight) {
    dashpot_sight s = {.constant = 0};
    for (int j = 0; j < 2; j++) {
        s.value[j] = sight->rate[j];
        s.rate[j] = -m->d[j].p * sight->rate[j] - m->d[j].q * sight->value[j];
    }
    return s;
}

dashpot_sight imp_compliant_dashpot_sum(double a, const dashpot_sight *x, double b,
                                        const dashpot_sight *y) {
    dashpot_sight s = {.constant = a * x->constant + b * y->constant};
    for (int j = 0; j < 2; j++) {
        s.value[j] = a * x->value[j] + b * y->value[j];
        s.rate[j] = a * x->rate[j] + b * y->rate[j];
    }
    return s;
}

/* A sight at a time, its derivatives, and bounds of them from then on. */
typedef struct view {
    double f, f1, f2;
    double constant, reach; /* reach: of what is not constant, where there is a constant */
    double bend, jerk;      /* of the second derivative, and the third; jerk: only at a root */
    double span;            /* for how long these two hold */
} view;

/* Where it began at a root, shortly after the start: what it has gained since, because the sum has
 * less digits. gone: what is gone of `rest`; infinite: it is too late for that. */
static double gain_of(const dashpot_sight *s, const imp_damped_now now[2], const double gone[2]) {
    double sum = 0;
    for (int j = 0; j < 2; j++) {
        sum += now[j].push * s->rate[j] - gone[j] * s->value[j];
    }
    return sum;
}

static bool nearly_alike(const imp_damped d[2]) {
    const double nearly = 1e-3;
    return fabs(d[0].p - d[1].p) <= nearly * d[1].p && fabs(d[0].q - d[1].q) <= nearly * d[1].q;
}

/* Where one of two nearly equal motions hides the other, as near the rim of the cone, bounds of
 * each say next to nothing of their sum f. It moves as the second, but for a push r by what they
 * differ: f'' + p f' + q f = -r. To r the second derivative answers with r and the integral of r
 * times the change of `rate`, which within a span goes up and down by 6 in all, or less. first: f
 * and its derivatives of the first motion alone. */
static void see_together(const dashpot_motion *m, const double first[3], view *w) {
    const double answer = 7, swing = 4, hidden = 1e-2;
    const imp_damped *d = &m->d[1];
    double by_rate = m->d[0].p - d->p, by_value = m->d[0].q - d->q;
    double f3 = -m->d[0].p * first[2] - m->d[0].q * first[1];
    double f4 = -m->d[0].p * f3 - m->d[0].q * first[2];
    double push[3];
    const double of_first[] = {first[0], first[1], first[2], f3, f4};
    for (int i = 0; i < 3; i++) {
        push[i] = by_rate * of_first[i + 1] + by_value * of_first[i];
    }
    double own2 = -d->p * w->f1 - d->q * w->f, own3 = -d->p * own2 - d->q * w->f1;
    double next = -d->p * w->f2 - d->q * w->f1, after = -d->p * next - d->q * w->f2;
    double bend = imp_damped_bound(d, own2, own3, INFINITY) +
                  answer * imp_damped_bound(&m->d[0], push[0], push[1], INFINITY);
    if (bend < hidden * w->bend) {
        w->bend = bend;
        w->jerk = imp_damped_bound(d, next, after, INFINITY) +
                  answer * imp_damped_bound(&m->d[0], push[1], push[2], INFINITY);
        w->span = d->swings ? swing / d->size : INFINITY;
    }
}

/* deep: with a bound of the third derivative. */
static view view_of(const dashpot_motion *m, const dashpot_sight *s, const imp_damped_now now[2],
                    bool deep) {
    view w = {.f = s->constant, .constant = s->constant, .span = INFINITY};
    double first[3] = {0, 0, 0};
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        if (s->value[j] == 0 && s->rate[j] == 0) {
            continue;
        }
        double f = now[j].rest * s->value[j] + now[j].push * s->rate[j];
        double f1 = now[j].rate * s->rate[j] - d->q * now[j].push * s->value[j];
        double f2 = -d->p * f1 - d->q * f, f3 = -d->p * f2 - d->q * f1, f4 = -d->p * f3 - d->q * f2;
        w.f += f;
        w.f1 += f1;
        w.f2 += f2;
        w.bend += imp_damped_bound(d, f2, f3, INFINITY);
        w.jerk += deep ? imp_damped_bound(d, f3, f4, INFINITY) : 0;
        w.reach += s->constant != 0 ? imp_damped_bound(d, f, f1, INFINITY) : 0;
        if (j == 0) {
            first[0] = f, first[1] = f1, first[2] = f2;
        }
    }
    if (nearly_alike(m->d)) {
        see_together(m, first, &w);
    }
    return w;
}

/* A sight at a time and its rate, in the bits of view_of. */
typedef struct slope {
    double f, f1;
} slope;

static slope slope_of(const dashpot_motion *m, const dashpot_sight *s,
                      const imp_damped_now now[2]) {
    slope w = {.f = s->constant};
    for (int j = 0; j < 2; j++) {
        if (s->value[j] != 0 || s->rate[j] != 0) {
            w.f += now[j].rest * s->value[j] + now[j].push * s->rate[j];
            w.f1 += now[j].rate * s->rate[j] - m->d[j].q * now[j].push * s->value[j];
        }
    }
    return w;
}

static void motions_at(const dashpot_motion *m, double time, imp_damped_now now[2]) {
    now[0] = imp_damped_at(&m->d[0], time);
    now[1] = imp_damped_at(&m->d[1], time);
}

double imp_compliant_dashpot_value(const dashpot_motion *m, const dashpot_sight *sight,
                                   double time) {
    imp_damped_now now[2];
    motions_at(m, time, now);
    return slope_of(m, sight, now).f;
}

/* ---- falls ---- */

/* Whether a time is so short that no motion has changed much; sets what is gone of each `rest`. */
static bool is_early(const dashpot_motion *m, double time, const imp_damped_now now[2],
                     double gone[2]) {
    for (int j = 0; j < 2; j++) {
        const imp_damped *d = &m->d[j];
        if (!((d->size + fabs(d->p)) * time < 0.5)) {
            return false;
        }
        gone[j] = d->q * imp_damped_kept(d, 0, time, &now[j]);
    }
    return true;
}

/* A step from a root, which the function leaves upward. */
static double step_from_root(const view *w, dashpot_root root) {
    bool rises = w->f1 >= 0 || root == HALTED;
    double by_slope = w->f1 > 0 ? w->f1 / w->bend : 0;
    double by_bend = w->f2 > 0 && rises ? 1.5 * w->f2 / w->jerk : 0;
    return imp_smaller(imp_larger(by_slope, by_bend), w->span);
}

/* Infinite where the function never falls to 0, or has come to rest but for what doubles can hold:
 * the squares of its bounds. */
static double safe_step(const view *w) {
    const double least = 1e-150;
    bool never = w->constant != 0 ? w->constant > w->reach : w->bend < least;
    double step = imp_compliant_dashpot_step(w->f, w->f1, w->bend);
    return never ? INFINITY : imp_smaller(step, w->span);
}

static bool is_near(const view *w) {
    return imp_compliant_dashpot_is_near(w->f, w->f1, w->bend) && 2 * w->f <= -w->f1 * w->span;
}

/* The root near a time, by Newton's method. */
static double root_near(const dashpot_motion *m, const dashpot_sight *s, double time) {
    enum { MOST = 12 };
    for (int i = 0; i < MOST; i++) {
        imp_damped_now now[2];
        motions_at(m, time, now);
        slope w = slope_of(m, s, now);
        double step = -w.f / w.f1;
        time += step;
        if (!(fabs(step) > 1e-9 * time)) {
            break; /* the error left is the square of that */
        }
    }
    return time;
}

/* The first of the roots of all sights near one that was found: Newton's first step, by which it
 * was chosen, does not say which of two is the earlier. */
static dashpot_fall first_near(const dashpot_motion *m, const dashpot_sight *sights, int n,
                               const dashpot_fall *found) {
    dashpot_fall first = *found;
    for (int i = 0; i < n; i++) {
        if (i != found->which && imp_compliant_dashpot_value(m, &sights[i], found->time) < 0) {
            double time = root_near(m, &sights[i], found->time);
            first = time < first.time ? (dashpot_fall){.time = time, .which = i} : first;
        }
    }
    return first;
}

/* The nearest of several roots that may lie ahead. */
typedef struct outlook {
    double step, second; /* safe steps: the shortest, and the next longer one */
    int which;
    double newton; /* to the root; NaN: too far away to say */
} outlook;

static outlook look_ahead(const dashpot_motion *m, const dashpot_sight *sights, int n,
                          const dashpot_root *root, double from, double time) {
    imp_damped_now now[2];
    outlook ahead = {.step = INFINITY, .second = INFINITY, .which = -1, .newton = NAN};
    motions_at(m, time, now);
    double gone[2];
    bool early = time > from && from == 0 && is_early(m, time, now, gone);
    for (int i = 0; i < n; i++) {
        bool leaves = time == from && root[i] != ABOVE;
        view w = view_of(m, &sights[i], now, leaves);
        w.f = early && root[i] != ABOVE ? gain_of(&sights[i], now, gone) : w.f;
        double step = leaves ? step_from_root(&w, root[i]) : w.f > 0 ? safe_step(&w) : 0;
        if (step < ahead.step) {
            bool near = !leaves && step > 0 && is_near(&w);
            ahead = (outlook){.step = step,
                              .second = ahead.step,
                              .which = i,
                              .newton = near ? -w.f / w.f1 : (double)NAN};
        } else {
            ahead.second = imp_smaller(step, ahead.second);
        }
    }
    return ahead;
}

dashpot_fall imp_compliant_dashpot_first_fall(const dashpot_motion *m, const dashpot_sight *sights,
                                              const dashpot_root *root, int n, double from,
                                              double limit, int64_t *budget) {
    double time = from;
    while (--*budget > 0) {
        outlook ahead = look_ahead(m, sights, n, root, from, time);
        double next = time + ahead.step;
        if (ahead.newton <= ahead.second) {
            double at = root_near(m, &sights[ahead.which], time + ahead.newton);
            dashpot_fall fall =
                first_near(m, sights, n, &(dashpot_fall){.time = at, .which = ahead.which});
            fall.which = fall.time < limit ? fall.which : -1;
            return fall;
        }
        if (!(next < limit)) {
            return (dashpot_fall){.time = limit, .which = -1};
        }
        if (!(next > time)) {
            return (dashpot_fall){.time = time, .which = ahead.which};
        }
        time = next;
    }
    return (dashpot_fall){.time = time, .which = -1, .spent = true};
}
