#include "models/bounce/flight.h"

#include <math.h>

#include "base/constants.h"
#include "models/bounce/watch.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* Two touches closer than this part of the flight between them and the last one have no order. */
static const double one_instant = 1e-12;

/* ---- the gaps ---- */

imp_bounce_flight imp_bounce_flight_of(const imp_bounce_cell *c) {
    imp_bounce_flight f = {.n = c->p.body.n,
                           .gravity = c->p.gravity,
                           .spin = c->m.spin,
                           .velocity_n = imp_bounce_velocity_n(c)};
    double turning = f.spin * f.spin;
    for (int j = 0; j < f.n; j++) {
        bool base = j == c->m.base;
        f.gap[j] = base ? c->m.gap : imp_larger(imp_bounce_gap(c, j), 0);
        f.rate[j] = base ? c->m.rate : imp_bounce_rate(c, j);
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

void imp_bounce_flight_at(const imp_bounce_flight *f, double time, double *gap, double *rate) {
    turn by = turn_of(f->spin * time);
    double fallen = f->gravity * time, sunk = fallen * time / 2;
    for (int j = 0; j < f->n; j++) {
        gap[j] = f->gap[j] + (f->rate[j] * time - sunk - f->y[j] * by.versine - f->x[j] * by.lag);
        rate[j] = f->rate[j] - fallen - f->spin * (f->y[j] * by.sine + f->x[j] * by.versine);
    }
}

/* ---- the next touch ---- */

/* The time after which a gap with this rate vanishes at the earliest, where the acceleration toward
 * the plane is at most `fall`. */
static inline double earliest(double gap, double rate, double fall) {
    double root = sqrt(rate * rate + 2 * fall * gap);
    if (rate < 0) {
        return 2 * gap / (root - rate);
    }
    return fall > 0 ? (rate + root) / fall : INFINITY;
}

/* The same for a point that lifts off with no velocity: by its acceleration, or by the rate of
 * that where it is 0 too. */
static double lift_off(const imp_bounce_flight *f, int j, double r) {
    double w = fabs(f->spin), away = -f->gravity - w * w * f->y[j];
    double jerk = -f->spin * w * w * f->x[j];
    const double hardly = 1e-14 * (f->gravity + w * w * r);
    return away > hardly ? away / (w * w * w * r) : jerk > 0 ? 2 * jerk / (w * w * w * w * r) : 0;
}

/* At least this long the mass centre stays above its reach, from a time of the flight on. */
static double clear_for(const imp_bounce_flight *f, double time) {
    double rate = f->velocity_n - f->gravity * time;
    double height = f->clear + (f->velocity_n + rate) * time / 2;
    return height > 0 ? earliest(height, rate, f->gravity) : 0;
}

/* Without gravity: whether no point touches after this time of the flight. A disc that does not
 * move along n keeps its gap, 0 too, however it turns. */
static bool leaves(const imp_bounce_flight *f, double time) {
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

static inline void look(const imp_bounce_flight *f, sight *s) {
    s->step = INFINITY;
    for (int j = 0; j < f->n; j++) {
        double own = earliest(imp_larger(s->gap[j], 0), s->rate[j], f->fall[j]);
        s->point = own < s->step ? j : s->point;
        s->step = own < s->step ? own : s->step;
    }
}

/* The first look, where a point may lift off with no velocity. */
static sight first_look(const imp_bounce_cell *c, const imp_bounce_flight *f) {
    sight s = {.step = INFINITY};
    for (int j = 0; j < f->n; j++) {
        s.gap[j] = f->gap[j];
        s.rate[j] = f->rate[j];
        bool lifts = s.gap[j] <= 0 && s.rate[j] == 0;
        double own =
            lifts ? lift_off(f, j, c->p.body.r[j]) : earliest(s.gap[j], s.rate[j], f->fall[j]);
        s.point = own < s.step ? j : s.point;
        s.step = own < s.step ? own : s.step;
    }
    return s;
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
static inline bool arrives(const imp_bounce_flight *f, const sight *s, double next) {
    double excess = f->fall[s->point] - f->gravity;
    double speed = f->fall[s->point] * s->step - s->rate[s->point];
    return excess * s->step * s->step <= 0x1p-54 * speed * next || next + s->step / 2 == next;
}

/* The time of the first touch of a flight, within rounding, and the point; -1: there is none, or
 * the cell has ended. */
static double next_touch(imp_bounce_cell *c, const imp_bounce_flight *f, int *point) {
    sight s = first_look(c, f);
    for (double time = 0;; look(f, &s)) {
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
        imp_bounce_flight_at(f, next, s.gap, s.rate);
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

void imp_bounce_move(imp_bounce_cell *c, double time, int base, double gap, double rate) {
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
    imp_bounce_flight f = imp_bounce_flight_of(piece->cell);
    imp_bounce_flight_at(&f, within, gap, rate);
    imp_bounce_move(now, within, now->m.base, gap[now->m.base], rate[now->m.base]);
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

/* Whether the base has just been struck, and touches again before any other point can: at a turning
 * so slow all points fall, so that a bound of each gap is concave, and its end decides. */
static bool hops(const imp_bounce_cell *c) {
    double turning = c->m.spin * c->m.spin, gravity = c->p.gravity;
    double slowest = gravity - turning * c->p.body.reach;
    if (!(c->m.gap == 0 && c->m.rate > 0 && slowest > 0)) {
        return false;
    }
    double time = 2 * c->m.rate / slowest;
    bool clear = true;
    for (int j = 0; j < c->p.body.n; j++) {
        double fall = gravity + turning * c->p.body.r[j];
        double gap = imp_bounce_gap(c, j) + time * (imp_bounce_rate(c, j) - fall * time / 2);
        clear &= j == c->m.base || gap > 0;
    }
    return clear;
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
        imp_bounce_move(c, time, base, 0, rate);
        imp_bounce_refer(c, base);
        return base;
    }
    imp_bounce_flight f = imp_bounce_flight_of(c);
    double gap[IMP_BOUNCE_POINTS], rate[IMP_BOUNCE_POINTS];
    int point;
    double time = next_touch(c, &f, &point);
    if (point < 0) {
        return -1;
    }
    imp_bounce_flight_at(&f, time, gap, rate);
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
    imp_bounce_move(c, time - late, point, 0, rate[point]);
    imp_bounce_refer(c, point);
    return c->mode == IMP_BOUNCE_GOES_ON ? point : -1;
}
