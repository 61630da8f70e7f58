#include "support/falls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/pi.h"
#include "support/suite.h"

typedef struct strike_seen {
    double time, impulse;
    int point;
} strike_seen;

/* ---- by steps ---- */

static double gap_of(const falls_body *b, const falls_motion *m, double gravity, int j, double t) {
    return m->y + m->v * t - gravity * t * t / 2 + b->r[j] * sin(m->phi + m->w * t + b->beta[j]) -
           b->radius;
}

static bool strike_at(const falls_drop *d, falls_motion *m, int j, falls_strike *strike,
                      void *context, strike_seen *made) {
    const falls_body *b = &d->body;
    double x = b->r[j] * cos(m->phi + b->beta[j]);
    double y = b->r[j] * sin(m->phi + b->beta[j]) - b->radius;
    falls_impact c = {.b11 = 1 + y * y / b->square,
                      .b12 = -x * y / b->square,
                      .b22 = 1 + x * x / b->square,
                      .v_t = m->u - m->w * y,
                      .v_n = m->v + m->w * x};
    bool known = strike(&c, d, context);
    m->u += c.p_t;
    m->v += c.p_n;
    m->w += (x * c.p_n - y * c.p_t) / b->square;
    *made = (strike_seen){m->time, c.p_n, j + 1};
    return known;
}

/* The first touch after the last one, at point `last` (-1: there is none); its time, and the point;
 * the step stays below a share of what it takes for the fastest change. */
static double touch(const falls_body *b, const falls_motion *m, double gravity, int last,
                    int *point) {
    double far = 0, most = 1e9;
    for (int j = 0; j < b->n; j++) {
        far = fmax(far, b->r[j]);
    }
    double fastest = 0.002 / (fabs(m->w) + sqrt(gravity / (far + b->radius)));
    double lift = last < 0 ? 1 : m->v + m->w * b->r[last] * cos(m->phi + b->beta[last]);
    double step = fmin(fastest, 0.02 * lift / (gravity + m->w * m->w * far)), t = 0;
    while (t < most) {
        double next = t + step, first = INFINITY;
        for (int j = 0; j < b->n; j++) {
            double early = t, late = next;
            if (gap_of(b, m, gravity, j, next) > 0 || (j == last && t == 0)) {
                continue;
            }
            for (int i = 0; i < 70; i++) {
                double middle = (early + late) / 2;
                bool above = gap_of(b, m, gravity, j, middle) > 0;
                early = above ? middle : early;
                late = above ? late : middle;
            }
            *point = late < first ? j : *point;
            first = fmin(first, late);
        }
        if (first < INFINITY) {
            return first;
        }
        t = next;
        step = fmin(fastest, 1.3 * step);
    }
    return INFINITY;
}

/* Returns how many impacts are known. */
static int follow(const falls_drop *d, falls_strike *strike, void *context, strike_seen *made) {
    const falls_body *b = &d->body;
    falls_motion m = d->start;
    int point = -1;
    for (int k = 0; k < FALLS_IMPACTS; k++) {
        int next = -1;
        double t = touch(b, &m, 1, point, &next);
        m.time += t;
        m.y += m.v * t - t * t / 2;
        m.v -= t;
        m.phi += m.w * t;
        point = next;
        m.y = b->radius - b->r[point] * sin(m.phi + b->beta[point]);
        if (!strike_at(d, &m, point, strike, context, &made[k])) {
            return k;
        }
    }
    return FALLS_IMPACTS;
}

/* ---- by the theory ---- */

typedef struct watch {
    imp_recorder recorder;
    const imp_history *history;
    int n;
    strike_seen made[FALLS_IMPACTS];
} watch;

static int column(const imp_history *history, const char *name) {
    int k = 0;
    while (strcmp(history->columns[k].name, name) != 0) {
        k++;
    }
    return k;
}

static void see(imp_recorder *recorder, const double *row, int phase, int event) {
    watch *w = (watch *)recorder;
    (void)phase;
    if (event == 1 && w->n < FALLS_IMPACTS) {
        w->made[w->n++] = (strike_seen){row[0], row[column(w->history, "normal_impulse")],
                                        (int)row[column(w->history, "point")]};
    }
}

/* ---- drops ---- */

static void set_body(const batch *b, int kind, random_source *source, falls_body *own) {
    if (kind == 0) {
        *own = (falls_body){2, {.5, .5}, {0, pi}, 0, 1.0 / 12};
    } else if (kind == 1) {
        double w = random_between(source, .3, 1.5), x = w / 2, r = sqrt(x * x + .25);
        double beta = atan2(.5, x);
        batch_set(b, "width", w);
        *own =
            (falls_body){4, {r, r, r, r}, {pi + beta, -beta, beta, pi - beta}, 0, (w * w + 1) / 12};
    } else if (kind == 2) {
        double s = random_between(source, .5, 4), volume = 4.0 / 3 + s;
        batch_set(b, "slenderness", s);
        *own = (falls_body){2,
                            {s / 2, s / 2},
                            {0, pi},
                            1,
                            (8.0 / 15 + .75 * s + s * s / 3 + s * s * s / 12) / volume};
    } else {
        batch_set(b, "gyration_radius", .6);
        *own = (falls_body){4, {1, .9, 1.1, .8}, {.2, 2.2, 4.1, 5.3}, 0, .36};
        for (int k = 0; k < 4; k++) {
            char name[32];
            snprintf(name, sizeof name, "corner_distance_%d", k + 1);
            batch_set(b, name, own->r[k]);
            snprintf(name, sizeof name, "corner_angle_%d", k + 1);
            batch_set(b, name, own->beta[k]);
        }
    }
}

falls_drop falls_draw(int i, const char *law, random_source *source) {
    static const char *const kinds[] = {"rod", "block", "capsule", "points"};
    int kind = i % 4;
    char choices[64];
    snprintf(choices, sizeof choices, "body=%s law=%s", kinds[kind], law);
    falls_drop d = {.b = batch_open("bounce", choices, 1)};
    set_body(&d.b, kind, source, &d.body);
    d.restitution = random_between(source, .1, .9);
    d.friction = i % 7 ? random_between(source, 0, 1.2) : 0;
    double height = random_between(source, .05, 2), low = INFINITY;
    d.start = (falls_motion){.phi = random_between(source, -3, 3),
                             .u = random_between(source, -2, 2),
                             .v = random_between(source, -2, 1),
                             .w = random_between(source, -3, 3)};
    for (int j = 0; j < d.body.n; j++) {
        low = fmin(low, d.body.r[j] * sin(d.start.phi + d.body.beta[j]));
    }
    d.start.y = height + d.body.radius - low;
    const char *const names[] = {"restitution", "friction",   "drop", "tilt",
                                 "velocity_t",  "velocity_n", "spin", "count_above"};
    const double values[] = {d.restitution, d.friction, height,    d.start.phi,
                             d.start.u,     d.start.v,  d.start.w, 1e-6};
    for (int k = 0; k < SUITE_COUNT(names); k++) {
        batch_set(&d.b, names[k], values[k]);
    }
    return d;
}

static void check_impacts(int i, const watch *w, const strike_seen *made, int n) {
    for (int k = 0; k < n; k++) {
        const double close = 1e-9;
        CHECK(w->made[k].point == made[k].point &&
                  fabs(w->made[k].time - made[k].time) <= close * made[k].time &&
                  fabs(w->made[k].impulse - made[k].impulse) <= close * made[0].impulse,
              "drop %d, impact %d: points %d, %d, times %.15g, %.15g, impulses %.15g, %.15g", i,
              k + 1, w->made[k].point, made[k].point, w->made[k].time, made[k].time,
              w->made[k].impulse, made[k].impulse);
    }
}

int falls_compare(int i, falls_drop *drop, falls_strike *strike, void *context) {
    watch w = {.recorder = {2, see}, .history = drop->b.theory->history};
    batch_trace(&drop->b, 0, &w.recorder);
    strike_seen made[FALLS_IMPACTS];
    int known = follow(drop, strike, context, made), n = known < w.n ? known : w.n;
    check_impacts(i, &w, made, n);
    batch_close(&drop->b);
    return n;
}
