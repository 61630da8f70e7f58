/* The law `dashpot` against an integration in time that shares nothing with the product: the
 * equations of motion in SI units by a Runge-Kutta pair of order 8 in small steps, events by
 * bisection.
 *
 *   F3 = -(k3 u3 + c3 v_n), pull T = k1 u1 + c1 u1', F1 = -T, d(v_t, v_n)/dt = B (F1, F3)
 *   stick: u1' = v_t; slip along s: T = s mu |F3|, so c1 u1' = s mu |F3| - k1 u1; where c1 = 0 u1
 *   itself is s mu |F3| / k1 */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/dashpots.h"
#include "support/random.h"
#include "support/suite.h"

enum { U1, U3, V_T, V_N, P_T, P_N, NORMAL, TANGENTIAL, SLIP, STATE };
enum { STICK = 1, BACK = 2, FORTH = 3 };

typedef struct contact {
    dashpots_contact of;
    int phase;
    double side; /* sign of F3 */
} contact;

static double normal_force(const contact *c, const double *y) {
    return -(c->of.k3 * y[U3] + c->of.c3 * y[V_N]);
}

static double sign_of(const contact *c) {
    return c->phase == BACK ? -1 : 1;
}

/* The pull in stick, and in slip. */
static double pull(const contact *c, const double *y) {
    return c->phase == STICK ? c->of.k1 * y[U1] + c->of.c1 * y[V_T]
                             : sign_of(c) * c->of.friction * c->side * normal_force(c, y);
}

static double tangential_rate(const contact *c, const double *y) {
    if (c->phase == STICK) {
        return y[V_T];
    }
    double f = normal_force(c, y), t = pull(c, y);
    if (c->of.c1 > 0) {
        return (t - c->of.k1 * y[U1]) / c->of.c1;
    }
    double acceleration = -c->of.b12 * t + c->of.b22 * f;
    return sign_of(c) * c->of.friction * c->side * -(c->of.k3 * y[V_N] + c->of.c3 * acceleration) /
           c->of.k1;
}

static int rates(double time, const double *y, double *rate, void *of) {
    (void)time;
    const contact *c = of;
    double f = normal_force(c, y), t = pull(c, y), u = tangential_rate(c, y);
    rate[U1] = u;
    rate[U3] = y[V_N];
    rate[V_T] = -c->of.b11 * t + c->of.b12 * f;
    rate[V_N] = -c->of.b12 * t + c->of.b22 * f;
    rate[P_T] = -t;
    rate[P_N] = f;
    rate[NORMAL] = c->of.c3 * y[V_N] * y[V_N];
    rate[TANGENTIAL] = c->of.c1 * u * u;
    rate[SLIP] = t * (y[V_T] - u);
    return GSL_SUCCESS;
}

/* What ends a phase where it falls to 0: the contact; F3, which changes its sign; the cone in stick
 * or the speed of slip. */
enum { ENDS, TURNS, LEAVES, EVENTS };

static void events(const contact *c, const double *y, double *g) {
    double f = normal_force(c, y);
    g[ENDS] = c->of.by_elongation ? -y[U3] : f;
    g[TURNS] = c->of.by_elongation && c->side > 0 ? f : 1;
    g[LEAVES] = c->phase == STICK ? c->of.friction * c->side * f - fabs(pull(c, y))
                                  : sign_of(c) * (y[V_T] - tangential_rate(c, y));
}

typedef struct march {
    contact c;
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    double y[STATE], time, turn, deepest, h;
    char sequence[256];
    bool armed[EVENTS]; /* an event that was 0 at the start of a phase has risen since */
    bool missed;        /* one that fell before that was seen */
    double force;       /* a scale */
} march;

static void step_by(march *m, const double *from, double h, double *to) {
    double error[STATE];
    memcpy(to, from, sizeof m->y);
    gsl_odeiv2_step_reset(m->step);
    gsl_odeiv2_step_apply(m->step, 0, h, to, error, NULL, NULL, &m->system);
}

/* The part of a step at which one of the functions falls to 0, or the normal velocity rises. */
static double bisect(march *m, int event) {
    double low = 0, high = m->h, y[STATE], g[EVENTS];
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        step_by(m, m->y, middle, y);
        events(&m->c, y, g);
        bool after = event < EVENTS ? g[event] <= 0 : y[V_N] > 0;
        low = after ? low : middle;
        high = after ? middle : high;
    }
    return high;
}

static void say_phase(march *m) {
    static const char *const names[] = {"", "stick", "slip-", "slip+"};
    strcat(strcat(m->sequence, m->sequence[0] ? " " : ""), names[m->c.phase]);
}

static void enter(march *m, int phase, bool says) {
    double g[EVENTS];
    m->c.phase = phase;
    if (phase != STICK && m->c.of.c1 == 0) {
        m->y[U1] = pull(&m->c, m->y) / m->c.of.k1;
    }
    events(&m->c, m->y, g);
    /* The function that ended the last phase is 0, and so is the elongation at first. */
    const double size[EVENTS] = {0, 0, m->force};
    for (int k = 0; k < EVENTS; k++) {
        m->armed[k] = g[k] > 1e-9 * size[k];
    }
    if (says) {
        say_phase(m);
    }
}

/* One step, or the part of it up to an event. Returns the event, or EVENTS. */
static int advance(march *m) {
    double y[STATE], g[EVENTS], part = m->h;
    int event = EVENTS;
    step_by(m, m->y, m->h, y);
    events(&m->c, y, g);
    for (int k = 0; k < EVENTS; k++) {
        double at = m->armed[k] && g[k] <= 0 ? bisect(m, k) : INFINITY;
        if (at < part || (event == EVENTS && at <= part)) {
            part = at;
            event = k;
        }
        m->missed = m->missed || (!m->armed[k] && g[k] < -1e-9 * m->force);
        m->armed[k] = m->armed[k] || g[k] > 0;
    }
    if (m->y[V_N] < 0 && y[V_N] > 0) {
        double at = bisect(m, EVENTS), there[STATE];
        step_by(m, m->y, at, there);
        if (at <= part && there[U3] < m->deepest) {
            m->deepest = there[U3];
            m->turn = m->time + at;
        }
    }
    step_by(m, m->y, part, y);
    memcpy(m->y, y, sizeof y);
    m->time += part;
    return event;
}

/* F3 changes its sign: slip goes on, unless its speed would fall below 0. */
static void turn_over(march *m) {
    double g[EVENTS];
    m->c.side = -1;
    if (m->c.phase == STICK) {
        return;
    }
    events(&m->c, m->y, g);
    if (g[LEAVES] < 0) {
        enter(m, STICK, true);
    }
}

/* Follows a contact to its end; false if that takes too long. */
static bool follow(march *m) {
    for (int i = 0; i < 2000000; i++) {
        int event = advance(m);
        if (event == ENDS) {
            return true;
        }
        if (m->missed) {
            return false;
        }
        if (event == TURNS) {
            turn_over(m);
        } else if (event == LEAVES && m->c.phase == STICK) {
            enter(m, m->c.of.k1 * m->y[U1] + m->c.of.c1 * m->y[V_T] < 0 ? BACK : FORTH, true);
        } else if (event == LEAVES) {
            enter(m, STICK, true);
        }
    }
    return false;
}

static march march_of(const dashpots_contact *c, double fineness) {
    march m = {.c = {.of = *c, .side = 1}, .y = {[V_T] = c->v_t, [V_N] = c->v_n}};
    m.system = (gsl_odeiv2_system){.function = rates, .dimension = STATE};
    m.step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    double rate = sqrt(c->k1 * c->b11) + sqrt(c->k3 * c->b22);
    rate += c->c1 * c->b11 + c->c3 * c->b22 + (c->c1 > 0 ? c->k1 / c->c1 : 0);
    m.h = fineness / rate;
    m.force = sqrt(c->k3 / c->b22) * fabs(c->v_n);
    return m;
}

static dashpots_end end_of(const march *m) {
    const dashpots_contact *c = &m->c.of;
    return (dashpots_end){.v_t = m->y[V_T],
                          .v_n = m->y[V_N],
                          .normal_impulse = m->y[P_N],
                          .tangential_impulse = m->y[P_T],
                          .duration = m->time,
                          .compression_time = m->turn,
                          .normal_loss = m->y[NORMAL],
                          .tangential_loss = m->y[TANGENTIAL],
                          .slip_loss = m->y[SLIP],
                          .trapped_energy =
                              (c->k1 * m->y[U1] * m->y[U1] + c->k3 * m->y[U3] * m->y[U3]) / 2};
}

/* Steps too long to see two events apart are tried again with shorter ones. */
static void check_cell(const batch *b, size_t i, bool sphere) {
    static const int first[] = {BACK, STICK, FORTH};
    dashpots_contact c = dashpots_contact_of(b, i, sphere ? DASHPOTS_SPHERE : DASHPOTS_GENERAL);
    bool same = false, ended = false;
    /* Without a dashpot force and elongation vanish together. */
    c.by_elongation = c.by_elongation && c.c3 > 0;
    for (double fineness = 0.1; fineness > 1e-4 && !same; fineness /= 10) {
        march m = march_of(&c, fineness);
        m.system.params = &m.c;
        enter(&m, first[dashpots_first_phase(&c) + 1], true);
        ended = follow(&m);
        same = ended && strcmp(m.sequence, batch_sequence(b, i)) == 0;
        if (same) {
            dashpots_end end = end_of(&m);
            dashpots_compare(b, i, &c, &end, 1e-9);
        } else if (fineness < 1e-3) {
            CHECK(same, "%s here, %s: %s", m.sequence, batch_sequence(b, i), batch_text(b, i));
        }
        gsl_odeiv2_step_free(m.step);
    }
}

static void draw(const batch *b, random_source *source, bool sphere) {
    dashpots_draw(b, source);
    for (size_t i = 0; i < b->n; i++) {
        int kind = random_index(source, 6);
        batch_in(b, "velocity_ratio")[i] = random_between(source, -3, 3);
        batch_in(b, "contact_end")[i] = random_index(source, 4) == 0;
        bool pulled = batch_in(b, "contact_end")[i] > 0;
        batch_in(b, "normal_damping_ratio")[i] =
            kind == 0 ? 0 : random_between(source, 0.05, pulled ? 0.8 : 2);
        batch_in(b, "tangential_damping_ratio")[i] =
            kind == 1 ? 0 : random_between(source, 0.05, 1.5);
        if (!sphere) {
            batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.9);
            batch_in(b, "angle")[i] = random_between(source, -1.5, 1.5);
        }
    }
}

static void check_body(const char *choices, bool sphere, size_t n, uint64_t seed) {
    batch b = batch_open("compliant", choices, n);
    random_source source = {seed};
    draw(&b, &source, sphere);
    batch_solve(&b);
    for (size_t i = 0; i < n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        if (b.outcome[i] == IMP_SOLVED) {
            check_cell(&b, i, sphere);
        }
    }
    batch_close(&b);
}

static void general_bodies(void) {
    check_body("body=general law=dashpot", false, 1500, 91);
}

static void spheres(void) {
    check_body("body=sphere law=dashpot", true, 500, 92);
}

SUITE("dashpot, independent", general_bodies, spheres)
