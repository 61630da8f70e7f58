#include "models/bounce/stages.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "models/bounce/watch.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* Two touches closer than this part of the flight between them and the last one have no order. */
static const double one_instant = 1e-12;

/* ---- the gaps ---- */

/* The gaps and their rates as functions of the time since the flight began. */
typedef struct flight {
    int n;
    double gravity, spin;
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS]; /* at the start */
    double x[IMP_BOUNCE_POINTS], y[IMP_BOUNCE_POINTS];
    double fall[IMP_BOUNCE_POINTS]; /* bound of the acceleration of each point toward the plane */
    double clear, velocity_n;       /* height of the mass centre above its reach, and its rate */
} flight;

static flight flight_of(const imp_bounce_cell *c) {
    flight f = {.n = c->p.body.n,
                .gravity = c->p.gravity,
                .spin = c->m.spin,
                .velocity_n = imp_bounce_velocity_n(c)};
    double turning = f.spin * f.spin;
    for (int j = 0; j < f.n; j++) {
        f.gap[j] = imp_larger(imp_bounce_gap(c, j), 0);
        f.rate[j] = imp_bounce_rate(c, j);
        f.x[j] = c->pose.x[j];
        f.y[j] = c->pose.y[j];
        f.fall[j] = f.gravity + turning * c->p.body.r[j];
    }
    f.clear = imp_bounce_height(c) - c->p.body.reach;
    return f;
}

/* 1 - cos a, sin a and a - sin a with all digits. */
typedef struct turn {
    double versine, sine, lag;
} turn;

static inline turn turn_of(double a) {
    if (fabs(a) > 0.5) {
        imp_sincos half = imp_sine_cosine(a / 2);
        double sine = 2 * half.sine * half.cosine;
        return (turn){.versine = 2 * half.sine * half.sine, .sine = sine, .lag = a - sine};
    }
    double z = a * a;
    double lag =
        z * a *
        (1.0 / 6 -
         z * (1.0 / 120 - z * (1.0 / 5040 - z * (1.0 / 362880 - z * (1.0 / 39916800 -
                                                                     z * (1.0 / 6227020800.0))))));
    double versine =
        z * (0.5 - z * (1.0 / 24 -
                        z * (1.0 / 720 -
                             z * (1.0 / 40320 - z * (1.0 / 3628800 - z * (1.0 / 479001600.0))))));
    return (turn){.versine = versine, .sine = a - lag, .lag = lag};
}

/* The gaps and rates at a time of the flight. */
static void flight_at(const flight *f, double time, double *gap, double *rate) {
    turn by = turn_of(f->spin * time);
    double fallen = f->gravity * time, sunk = fallen * time / 2;
    for (int j = 0; j < f->n; j++) {
        gap[j] = f->gap[j] + (f->rate[j] * time - sunk - f->y[j] * by.versine - f->x[j] * by.lag);
        rate[j] = f->rate[j] - fallen - f->spin * (f->y[j] * by.sine + f->x[j] * by.versine);
    }
}

/* ---- the next touch ---- */

/* As imp_bounce_earliest for a point that lifts off with no velocity: by its acceleration, or by
 * the rate of that where it is 0 too. */
static double lift_off(const flight *f, int j, double r) {
    double w = fabs(f->spin), away = -f->gravity - w * w * f->y[j];
    double jerk = -f->spin * w * w * f->x[j];
    const double hardly = 1e-14 * (f->gravity + w * w * r);
    return away > hardly ? away / (w * w * w * r) : jerk > 0 ? 2 * jerk / (w * w * w * w * r) : 0;
}

/* At least this long the mass centre stays above its reach, from a time of the flight on. */
static double clear_for(const flight *f, double time) {
    double rate = f->velocity_n - f->gravity * time;
    double height = f->clear + (f->velocity_n + rate) * time / 2;
    return height > 0 ? imp_bounce_earliest(height, rate, f->gravity) : 0;
}

/* Without gravity: whether no point touches after this time of the flight. A disc that does not
 * move along n keeps its gap, 0 too, however it turns. */
static bool leaves(const flight *f, double time) {
    bool away = f->velocity_n > 0 && (time == INFINITY || f->clear + f->velocity_n * time > 0);
    bool turned = f->n == 1 || f->spin == 0 || fabs(f->spin) * time >= 2 * IMP_PI;
    bool hovers = f->velocity_n == 0 && turned;
    return f->gravity == 0 && (away || hovers);
}

/* Gaps, their rates, and which of them vanishes after which step at the earliest. */
typedef struct sight {
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS];
    int point;
    double step;
} sight;

/* first: a point may lift off with no velocity. */
static inline void look(const imp_bounce_cell *c, const flight *f, bool first, sight *s) {
    s->step = INFINITY;
    for (int j = 0; j < f->n; j++) {
        bool lifts = first && s->gap[j] <= 0 && s->rate[j] == 0;
        double own = lifts ? lift_off(f, j, c->p.body.r[j])
                           : imp_bounce_earliest(imp_larger(s->gap[j], 0), s->rate[j], f->fall[j]);
        s->point = own < s->step ? j : s->point;
        s->step = own < s->step ? own : s->step;
    }
}

/* Keeps the least gap above 0 that lies between two sights, as their rates tell. */
static inline void see_minima(imp_bounce_cell *c, const sight *a, const sight *b, double time) {
    for (int j = 0; j < c->p.body.n; j++) {
        double before = a->rate[j], after = b->rate[j];
        if (before < 0 && after > 0) {
            double least = a->gap[j] + before * (before / (before - after)) * time / 2;
            least = imp_larger(least, 0) / c->p.body.reach;
            c->tally.margin = least < c->tally.margin ? least : c->tally.margin;
        }
    }
}

/* Whether the step ends at the touch, but for the rounding of the time. */
static inline bool arrives(const flight *f, const sight *s, double next) {
    double excess = f->fall[s->point] - f->gravity;
    double speed = f->fall[s->point] * s->step - s->rate[s->point];
    return excess * s->step * s->step <= 0x1p-54 * speed * next || next + s->step / 2 == next;
}

/* The time of the first touch of a flight, within rounding, and the point; -1: there is none, or
 * the cell has ended. */
static double next_touch(imp_bounce_cell *c, const flight *f, int *point) {
    sight s = {.point = 0};
    memcpy(s.gap, f->gap, sizeof s.gap);
    memcpy(s.rate, f->rate, sizeof s.rate);
    look(c, f, true, &s);
    for (double time = 0;; look(c, f, false, &s)) {
        double clear = clear_for(f, time), step = imp_larger(clear, s.step), next = time + step;
        *point = s.point;
        if (leaves(f, next)) {
            *point = -1;
            c->mode = IMP_BOUNCE_LEAVES;
            return 0;
        }
        if (++c->spent > c->p.budget || !(next < INFINITY)) {
            c->outcome = next < INFINITY ? IMP_BUDGET : IMP_NOT_FINITE;
            *point = -1;
            return 0;
        }
        if (s.step >= clear && arrives(f, &s, next)) {
            return next;
        }
        sight before = s;
        flight_at(f, next, s.gap, s.rate);
        if (!c->tally.settled) {
            see_minima(c, &before, &s, step);
        }
        time = next;
        for (int j = 0; j < f->n; j++) {
            if (s.gap[j] <= 0 && s.rate[j] < 0) {
                *point = j;
                return time;
            }
        }
    }
}

/* The motion of the cell moved on by a time of the flight; base: the point whose gap is known. */
static void move(imp_bounce_cell *c, double time, int base, double gap, double rate) {
    c->m.time += time;
    c->m.x += c->m.velocity_t * time;
    c->m.alpha += c->m.spin * time;
    c->m.base = base;
    c->m.gap = gap;
    c->m.rate = rate;
    imp_bounce_set_pose(c);
}

static void in_flight(const imp_bounce_piece *piece, double within, imp_bounce_cell *now) {
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS];
    flight f = flight_of(piece->cell);
    flight_at(&f, within, gap, rate);
    move(now, within, now->m.base, gap[now->m.base], rate[now->m.base]);
}

static void show_flight(const imp_bounce_cell *c, double duration) {
    imp_bounce_piece piece = {.phase = IMP_BOUNCE_FLIGHT,
                              .start = c->m.time,
                              .duration = duration,
                              .at = in_flight,
                              .cell = c};
    imp_bounce_show_piece(c, &piece);
}

/* ---- hops ---- */

bool imp_bounce_others_stay_clear(const imp_bounce_cell *c, double time) {
    double turning = c->m.spin * c->m.spin;
    bool clear = true;
    for (int j = 0; j < c->p.body.n; j++) {
        double fall = c->p.gravity + turning * c->p.body.r[j];
        double gap = imp_bounce_gap(c, j) + time * (imp_bounce_rate(c, j) - fall * time / 2);
        clear &= j == c->m.base || gap > 0;
    }
    return clear;
}

/* Whether the base has just been struck, and touches again before any other point can, at a turning
 * so slow that all points fall. */
static bool hops(const imp_bounce_cell *c) {
    double slowest = c->p.gravity - c->m.spin * c->m.spin * c->p.body.reach;
    return c->m.gap == 0 && c->m.rate > 0 && slowest > 0 &&
           imp_bounce_others_stay_clear(c, 2 * c->m.rate / slowest);
}

/* The time of the hop, by Newton's method: the gap falls ever faster. *rate: its rate then. */
static double hop_time(const imp_bounce_cell *c, double *rate) {
    double w = c->m.spin, g = c->p.gravity, up = c->m.rate;
    double x = c->pose.x[c->m.base], y = c->pose.y[c->m.base], pull = g + w * w * y;
    const double close = 1e-13;
    double time = 2 * up / pull;
    for (int i = 0;; i++) {
        turn by = turn_of(w * time);
        double gap = up * time - (g * time * time / 2 + y * by.versine + x * by.lag);
        *rate = up - g * time - w * (y * by.sine + x * by.versine);
        double late = gap / *rate;
        time -= late;
        if (!(fabs(late) > close * time) || i > 20) {
            *rate += late * pull;
            return time;
        }
    }
}

int imp_bounce_fly(imp_bounce_cell *c) {
    if (hops(c)) {
        int base = c->m.base;
        double rate, time = hop_time(c, &rate);
        show_flight(c, time);
        move(c, time, base, 0, rate);
        imp_bounce_refer(c, base);
        return base;
    }
    flight f = flight_of(c);
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS];
    int point;
    double time = next_touch(c, &f, &point);
    if (point < 0) {
        return -1;
    }
    flight_at(&f, time, gap, rate);
    for (int j = 0; j < f.n; j++) { /* rounding may hide which one is first */
        bool sooner = gap[j] * rate[point] > gap[point] * rate[j];
        point = rate[j] < 0 && rate[point] < 0 && sooner ? j : point;
    }
    double late = rate[point] < 0 ? gap[point] / rate[point] : 0;
    for (int j = 0; j < f.n; j++) {
        bool together = j != point && rate[j] < 0 && rate[point] < 0 &&
                        late - gap[j] / rate[j] <= one_instant * time;
        c->mode = together ? IMP_BOUNCE_AMBIGUOUS : c->mode;
    }
    show_flight(c, time - late);
    move(c, time - late, point, 0, rate[point]);
    imp_bounce_refer(c, point);
    return c->mode == IMP_BOUNCE_GOES_ON ? point : -1;
}
