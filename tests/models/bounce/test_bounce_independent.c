/* Drops up to their fifth impact by an independent method: flights in small steps, touches by
 * bisection, impacts followed phase by phase in the normal impulse. Nothing is shared with the
 * theory; sine and cosine are those of libm. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { POINTS = 4, IMPACTS = 5, DROPS = 2000 };
enum { NEWTON, POISSON, ENERGETIC };

/* The discs of a body of mass 1, and its squared gyration radius. */
typedef struct body {
    int n;
    double r[POINTS], beta[POINTS], radius, square;
} body;

typedef struct motion {
    double time, y, phi, u, v, w; /* of the mass centre */
} motion;

typedef struct impact {
    double time, impulse;
    int point;
} impact;

/* ---- one impact ---- */

/* Velocities of the contact and work of the normal impulse p. */
typedef struct contact {
    double b11, b12, b22, friction;
    double v_t, v_n, p, p_t, work;
} contact;

/* Tangential impulse per normal impulse. */
static double traction(const contact *c) {
    if (c->v_t != 0) {
        return c->v_t > 0 ? -c->friction : c->friction;
    }
    double hold = -c->b12 / c->b11;
    return fabs(hold) <= c->friction ? hold : hold > 0 ? c->friction : -c->friction;
}

/* Follows the contact by an impulse p on which the traction is one. */
static void press(contact *c, double p, bool halts) {
    double pull = traction(c), rate = c->b22 + pull * c->b12;
    c->work += p * (c->v_n + rate * p / 2);
    c->v_t = halts ? 0 : c->v_t + p * (c->b12 + pull * c->b11);
    c->v_n += rate * p;
    c->p += p;
    c->p_t += pull * p;
}

/* The normal impulse up to the end of the slip. */
static double to_halt(const contact *c) {
    double rate = c->b12 + traction(c) * c->b11;
    bool brakes = c->v_t != 0 && c->v_t * rate < 0;
    return brakes ? -c->v_t / rate : INFINITY;
}

/* The impulse from now on to the end of the restitution. */
static double to_end(const contact *c, int law, double e, double v_n, double p_c, double work_c) {
    double rate = c->b22 + traction(c) * c->b12;
    if (law == POISSON) {
        return (1 + e) * p_c - c->p;
    }
    if (law == NEWTON) {
        return (-e * v_n - c->v_n) / rate;
    }
    double left = (1 - e * e) * work_c - c->work; /* of the work */
    return 2 * left / (c->v_n + sqrt(c->v_n * c->v_n + 2 * rate * left));
}

static void collide(contact *c, int law, double e) {
    double v_n = c->v_n;
    for (bool done = false; !done;) {
        double rate = c->b22 + traction(c) * c->b12, halt = to_halt(c), turn = -c->v_n / rate;
        done = rate > 0 && turn <= halt;
        press(c, done ? turn : halt, !done);
    }
    c->v_n = 0;
    double p_c = c->p, work_c = c->work;
    for (bool done = false; !done;) {
        double halt = to_halt(c), end = to_end(c, law, e, v_n, p_c, work_c);
        done = end <= halt;
        press(c, done ? (end > 0 ? end : 0) : halt, !done);
    }
}

/* ---- a drop ---- */

static double gap_of(const body *b, const motion *m, double gravity, int j, double t) {
    return m->y + m->v * t - gravity * t * t / 2 + b->r[j] * sin(m->phi + m->w * t + b->beta[j]) -
           b->radius;
}

static void strike(const body *b, motion *m, int j, double friction, int law, double e,
                   impact *made) {
    double x = b->r[j] * cos(m->phi + b->beta[j]);
    double y = b->r[j] * sin(m->phi + b->beta[j]) - b->radius;
    contact c = {.b11 = 1 + y * y / b->square,
                 .b12 = -x * y / b->square,
                 .b22 = 1 + x * x / b->square,
                 .friction = friction,
                 .v_t = m->u - m->w * y,
                 .v_n = m->v + m->w * x};
    collide(&c, law, e);
    m->u += c.p_t;
    m->v += c.p;
    m->w += (x * c.p - y * c.p_t) / b->square;
    *made = (impact){m->time, c.p, j + 1};
}

/* The first touch after the last one, at point `last` (-1: there is none); its time, and the point;
 * the step stays below a share of what it takes for the fastest change. */
static double touch(const body *b, const motion *m, double gravity, int last, int *point) {
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

static void drop(const body *b, motion m, double gravity, double friction, int law, double e,
                 impact *made) {
    int point = -1;
    for (int k = 0; k < IMPACTS; k++) {
        int next = -1;
        double t = touch(b, &m, gravity, point, &next);
        m.time += t;
        m.y += m.v * t - gravity * t * t / 2;
        m.v -= gravity * t;
        m.phi += m.w * t;
        point = next;
        m.y = b->radius - b->r[point] * sin(m.phi + b->beta[point]);
        strike(b, &m, point, friction, law, e, &made[k]);
    }
}

/* ---- the same by the theory ---- */

typedef struct watch {
    imp_recorder recorder;
    const imp_history *history;
    int n;
    impact made[IMPACTS];
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
    if (event == 1 && w->n < IMPACTS) {
        w->made[w->n++] = (impact){row[0], row[column(w->history, "normal_impulse")],
                                   (int)row[column(w->history, "point")]};
    }
}

static void set_body(const batch *b, int kind, random_source *source, body *own) {
    if (kind == 0) {
        *own = (body){2, {.5, .5}, {0, pi}, 0, 1.0 / 12};
    } else if (kind == 1) {
        double w = random_between(source, .3, 1.5), x = w / 2, r = sqrt(x * x + .25);
        double beta = atan2(.5, x);
        batch_set(b, "width", w);
        *own = (body){4, {r, r, r, r}, {pi + beta, -beta, beta, pi - beta}, 0, (w * w + 1) / 12};
    } else if (kind == 2) {
        double s = random_between(source, .5, 4), volume = 4.0 / 3 + s;
        batch_set(b, "slenderness", s);
        *own = (body){2,
                      {s / 2, s / 2},
                      {0, pi},
                      1,
                      (8.0 / 15 + .75 * s + s * s / 3 + s * s * s / 12) / volume};
    } else {
        batch_set(b, "gyration_radius", .6);
        *own = (body){4, {1, .9, 1.1, .8}, {.2, 2.2, 4.1, 5.3}, 0, .36};
        for (int k = 0; k < 4; k++) {
            char name[32];
            snprintf(name, sizeof name, "corner_distance_%d", k + 1);
            batch_set(b, name, own->r[k]);
            snprintf(name, sizeof name, "corner_angle_%d", k + 1);
            batch_set(b, name, own->beta[k]);
        }
    }
}

static const char *const kinds[] = {"rod", "block", "capsule", "points"};
static const char *const laws[] = {"newton", "poisson", "energetic"};

/* Draws a drop, and follows it both ways. */
static void check_impacts(int i, const watch *w, const impact *made) {
    for (int k = 0; k < w->n; k++) {
        const double close = 1e-9;
        CHECK(w->made[k].point == made[k].point &&
                  fabs(w->made[k].time - made[k].time) <= close * made[k].time &&
                  fabs(w->made[k].impulse - made[k].impulse) <= close * made[0].impulse,
              "drop %d, impact %d: points %d, %d, times %.15g, %.15g, impulses %.15g, %.15g", i,
              k + 1, w->made[k].point, made[k].point, w->made[k].time, made[k].time,
              w->made[k].impulse, made[k].impulse);
    }
}

static void compare(int i, random_source *source, int *compared) {
    int kind = i % 4, law = i / 4 % 3;
    char choices[64];
    snprintf(choices, sizeof choices, "body=%s law=%s", kinds[kind], laws[law]);
    batch b = batch_open("bounce", choices, 1);
    body own;
    set_body(&b, kind, source, &own);
    double e = random_between(source, .1, .9),
           friction = i % 7 ? random_between(source, 0, 1.2) : 0;
    double height = random_between(source, .05, 2);
    motion m = {.phi = random_between(source, -3, 3),
                .u = random_between(source, -2, 2),
                .v = random_between(source, -2, 1),
                .w = random_between(source, -3, 3)};
    double low = INFINITY;
    for (int j = 0; j < own.n; j++) {
        low = fmin(low, own.r[j] * sin(m.phi + own.beta[j]));
    }
    m.y = height + own.radius - low;
    const char *const names[] = {"restitution", "friction",   "drop", "tilt",
                                 "velocity_t",  "velocity_n", "spin", "count_above"};
    const double values[] = {e, friction, height, m.phi, m.u, m.v, m.w, 1e-6};
    for (int k = 0; k < SUITE_COUNT(names); k++) {
        batch_set(&b, names[k], values[k]);
    }
    double value[IMP_MAX_PARAMETERS];
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        value[p] = b.in[p][0];
    }
    watch w = {.recorder = {2, see}, .history = b.theory->history};
    imp_outcome outcome;
    imp_trace(b.solver, value, &w.recorder, &outcome);
    impact made[IMPACTS];
    drop(&own, m, 1, friction, law, e, made);
    check_impacts(i, &w, made);
    *compared += w.n;
    batch_close(&b);
}

static void drops(void) {
    random_source source = {55};
    int compared = 0;
    for (int i = 0; i < DROPS; i++) {
        compare(i, &source, &compared);
    }
    CHECK(compared > DROPS * (IMPACTS - 1), "%d impacts", compared);
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(drops)};
    return suite_run("bounce_independent", tests, SUITE_COUNT(tests));
}
