/* The law `dashpot` against Taylor series in quadruple precision, which share nothing with the
 * product: in each phase the motion is x' = A x, x = (u1, u3, v_t, v_n), so that the coefficients
 * follow from A, whatever the roots; events by bisection. Agreement to 1e-12, of bodies without
 * constraint and of pendulums, whose B has rank one.
 *
 *   F3 = -(k3 u3 + c3 v_n), pull T = k1 u1 + c1 u1', F1 = -T, d(v_t, v_n)/dt = B (F1, F3)
 *   stick: u1' = v_t; slip along s: T = s mu |F3|, c1 u1' = T - k1 u1; c1 = 0: u1 = T / k1 */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/dashpots.h"
#include "support/random.h"
#include "support/suite.h"

__extension__ typedef __float128 quad;

enum { U1, U3, V_T, V_N, STATE };
enum { STICK, FORTH, BACK = -FORTH };
enum { ORDER = 26, MOST_STEPS = 40000 };

/* A number that follows from the state by these factors. */
typedef quad row[STATE];

typedef struct contact {
    quad b11, b12, b22, k1, k3, c1, c3, mu;
    bool by_elongation;
} contact;

typedef struct march {
    contact c;
    int phase, side; /* side: sign of F3 */
    bool fresh;      /* the phase begins: in stick the cone is at its limit */
    row force, pull; /* F3 and T */
    row rate[STATE]; /* A */
    quad term[ORDER + 1][STATE];
    quad x[STATE], time, turn, deepest;
    quad impulse_t, impulse_n, normal, tangential, slip;
    char sequence[512];
} march;

static quad product(const quad *a, const quad *x) {
    return a[0] * x[0] + a[1] * x[1] + a[2] * x[2] + a[3] * x[3];
}

/* ---- the motion of a phase ---- */

static void set_motion(march *m) {
    const contact *c = &m->c;
    const quad part = m->phase * m->side * c->mu;
    memset(m->rate, 0, sizeof m->rate);
    memcpy(m->force, (row){[U3] = -c->k3, [V_N] = -c->c3}, sizeof m->force);
    memcpy(m->pull, (row){[U1] = c->k1, [V_T] = c->c1}, sizeof m->pull);
    for (int i = 0; i < STATE; i++) {
        m->pull[i] = m->phase == STICK ? m->pull[i] : part * m->force[i];
        m->rate[V_T][i] = -c->b11 * m->pull[i] + c->b12 * m->force[i];
        m->rate[V_N][i] = -c->b12 * m->pull[i] + c->b22 * m->force[i];
    }
    m->rate[U3][V_N] = 1;
    for (int i = 0; i < STATE; i++) {
        quad force_rate = -c->k3 * (i == V_N) - c->c3 * m->rate[V_N][i];
        m->rate[U1][i] = m->phase == STICK ? i == V_T
                         : c->c1 > 0       ? (m->pull[i] - (i == U1 ? c->k1 : 0)) / c->c1
                                           : part * force_rate / c->k1;
    }
}

/* The coefficients from here on, and a step in which they converge to the last place. */
static quad expand(march *m) {
    quad most = 20;
    memcpy(m->term[0], m->x, sizeof m->x);
    for (int k = 1; k <= ORDER; k++) {
        for (int i = 0; i < STATE; i++) {
            m->term[k][i] = product(m->rate[i], m->term[k - 1]) / k;
        }
    }
    for (int i = 0; i < STATE; i++) {
        quad sum = 0;
        for (int j = 0; j < STATE; j++) {
            sum += m->rate[i][j] < 0 ? -m->rate[i][j] : m->rate[i][j];
        }
        most = sum > most / 2 ? 2 * sum : most;
    }
    return 1 / most;
}

static void at(const march *m, quad time, quad *x) {
    for (int i = 0; i < STATE; i++) {
        x[i] = 0;
        for (int k = ORDER; k >= 0; k--) {
            x[i] = x[i] * time + m->term[k][i];
        }
    }
}

static quad value_at(const march *m, const quad *of, quad time) {
    quad x[STATE];
    at(m, time, x);
    return product(of, x);
}

/* Where it falls to 0 between two times; it is positive at the first. */
static quad fall_between(const march *m, const quad *of, quad low, quad high) {
    for (int i = 0; i < 112; i++) {
        quad middle = (low + high) / 2;
        bool behind = value_at(m, of, middle) < 0;
        low = behind ? low : middle;
        high = behind ? middle : high;
    }
    return high;
}

static quad integral(const march *m, const quad *a, quad time) {
    quad sum = 0;
    for (int k = ORDER; k >= 0; k--) {
        sum = sum * time + product(a, m->term[k]) / (k + 1);
    }
    return sum * time;
}

static quad integral_of_product(const march *m, const quad *a, const quad *b, quad time) {
    quad sum = 0;
    for (int k = ORDER; k >= 0; k--) {
        quad term = 0;
        for (int j = 0; j <= k; j++) {
            term += product(a, m->term[j]) * product(b, m->term[k - j]);
        }
        sum = sum * time + term / (k + 1);
    }
    return sum * time;
}

/* ---- events ---- */

static void enter(march *m, int phase) {
    static const char *const names[] = {"slip-", "stick", "slip+"};
    strcat(strcat(m->sequence, m->sequence[0] ? " " : ""), names[phase + 1]);
    m->phase = phase;
    m->fresh = true;
}

/* The first time in a step at which `of` falls below 0. At the beginning of a phase, and of the
 * contact, it may be 0. */
static quad first_fall(const march *m, const quad *of, quad step) {
    const quad little = step * (quad)1e-9;
    bool rises = value_at(m, of, step) >= 0;
    return rises ? INFINITY : fall_between(m, of, m->fresh ? little : 0, step);
}

/* What has happened at the end of a step. */
typedef struct event {
    quad time;
    enum { NOTHING, ENDS, TURNS, LEAVES } kind;
    int next; /* the phase that follows the last kind */
} event;

static void note(event *first, quad time, int kind, int next) {
    if (time < first->time) {
        *first = (event){.time = time, .kind = kind, .next = next};
    }
}

/* The slip velocity: v_t less the rate of u1. */
static void set_lag(const march *m, quad *lag) {
    for (int i = 0; i < STATE; i++) {
        lag[i] = (i == V_T) - m->rate[U1][i];
    }
}

static event first_event(const march *m, quad step) {
    event first = {.time = step};
    const row closer = {[U3] = -1};
    row room;
    note(&first, first_fall(m, m->c.by_elongation ? closer : m->force, step), ENDS, 0);
    if (m->c.by_elongation && m->side > 0) {
        note(&first, first_fall(m, m->force, step), TURNS, 0);
    }
    if (m->phase != STICK) {
        set_lag(m, room);
        for (int i = 0; i < STATE; i++) {
            room[i] *= m->phase;
        }
        note(&first, first_fall(m, room, step), LEAVES, STICK);
    }
    for (int way = BACK; way <= FORTH && m->phase == STICK; way += 2) {
        for (int i = 0; i < STATE; i++) {
            room[i] = m->c.mu * m->side * m->force[i] - way * m->pull[i];
        }
        note(&first, first_fall(m, room, step), LEAVES, way);
    }
    return first;
}

/* The deepest place is a turn of the normal velocity. */
static void note_turn(march *m, const quad *end, quad time) {
    quad there[STATE];
    if (m->x[V_N] < 0 && end[V_N] >= 0) {
        quad turn = fall_between(m, (row){[V_N] = -1}, 0, time);
        at(m, turn, there);
        m->turn = there[U3] < m->deepest ? m->time + turn : m->turn;
        m->deepest = there[U3] < m->deepest ? there[U3] : m->deepest;
    }
}

static void add_gains(march *m, quad time) {
    const row v_n = {[V_N] = 1};
    row lag;
    set_lag(m, lag);
    m->impulse_n += integral(m, m->force, time);
    m->impulse_t -= integral(m, m->pull, time);
    m->normal += m->c.c3 * integral_of_product(m, v_n, v_n, time);
    m->tangential += m->c.c1 * integral_of_product(m, m->rate[U1], m->rate[U1], time);
    m->slip += m->phase == STICK ? 0 : integral_of_product(m, m->pull, lag, time);
}

/* Moves to the end of a step, or to the first event in it. Returns whether the contact goes on. */
static bool advance(march *m) {
    quad end[STATE];
    set_motion(m);
    event first = first_event(m, expand(m));
    at(m, first.time, end);
    note_turn(m, end, first.time);
    add_gains(m, first.time);
    memcpy(m->x, end, sizeof end);
    m->time += first.time;
    m->fresh = false;
    if (first.kind == LEAVES) {
        enter(m, first.next);
    } else if (first.kind == TURNS) {
        m->side = -1;
    }
    return first.kind != ENDS;
}

/* ---- cells ---- */

/* The contact, whose numbers are exact in quadruple precision; B of a pendulum has rank one. */
static contact exact(const dashpots_contact *c, bool hangs) {
    return (contact){.b11 = hangs ? (quad)c->b12 * c->b12 / c->b22 : c->b11,
                     .b12 = c->b12,
                     .b22 = c->b22,
                     .k1 = c->k1,
                     .k3 = c->k3,
                     .c1 = c->c1,
                     .c3 = c->c3,
                     .mu = c->friction,
                     .by_elongation = c->by_elongation};
}

static dashpots_end end_of(const march *m) {
    const quad trapped = m->c.k1 * m->x[U1] * m->x[U1] + m->c.k3 * m->x[U3] * m->x[U3];
    return (dashpots_end){.v_t = (double)m->x[V_T],
                          .v_n = (double)m->x[V_N],
                          .normal_impulse = (double)m->impulse_n,
                          .tangential_impulse = (double)m->impulse_t,
                          .duration = (double)m->time,
                          .compression_time = (double)m->turn,
                          .normal_loss = (double)m->normal,
                          .tangential_loss = (double)m->tangential,
                          .slip_loss = (double)m->slip,
                          .trapped_energy = (double)(trapped / 2)};
}

static void check_cell(const batch *b, size_t i, bool hangs, double tolerance) {
    static march m;
    int steps = 0;
    dashpots_contact c = dashpots_contact_of(b, i, hangs ? DASHPOTS_PENDULUM : DASHPOTS_GENERAL);
    m = (march){.c = exact(&c, hangs), .side = 1, .x = {[V_N] = c.v_n}};
    m.x[V_T] = hangs ? m.c.b12 / m.c.b22 * c.v_n : c.v_t;
    enter(&m, dashpots_first_phase(&c));
    while (advance(&m) && steps < MOST_STEPS) {
        steps++;
    }
    CHECK(steps < MOST_STEPS, "no end of %s", batch_text(b, i));
    CHECK(strcmp(m.sequence, batch_sequence(b, i)) == 0, "%s here, %s: %s", m.sequence,
          batch_sequence(b, i), batch_text(b, i));
    dashpots_end end = end_of(&m);
    dashpots_compare(b, i, &c, &end, tolerance);
}

/* Dashpots that are not all but absent, whose own relaxation would take small steps. */
static void draw(const batch *b, random_source *source, bool hangs) {
    dashpots_draw(b, source);
    for (size_t i = 0; i < b->n; i++) {
        int kind = random_index(source, 6);
        bool pulled = !hangs && random_index(source, 4) == 0;
        batch_in(b, "contact_end")[i] = pulled;
        batch_in(b, "normal_damping_ratio")[i] =
            kind == 0 && !pulled ? 0 : random_between(source, 0.01, pulled ? 0.8 : 1.5);
        batch_in(b, "tangential_damping_ratio")[i] =
            kind == 1 ? 0 : random_between(source, 0.05, 1.5);
        batch_in(b, "angle")[i] = random_between(source, hangs ? 0.02 : -1.5, 1.5);
        if (hangs) {
            batch_in(b, "radius")[i] = 0;
        } else {
            batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.95);
            batch_in(b, "velocity_ratio")[i] = random_between(source, -3, 3);
        }
    }
}

/* Solves cells, compares those that separate, and closes the batch. */
static void check_cells(batch *b, bool hangs, double tolerance) {
    size_t compared = 0;
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        if (b->outcome[i] == IMP_SOLVED && !strstr(batch_mode(b, i), "wedge")) {
            check_cell(b, i, hangs, tolerance);
            compared++;
        }
    }
    CHECK(compared > b->n / 2, "only %zu cells separate", compared);
    batch_close(b);
}

static void check_body(const char *choices, bool hangs, size_t n, uint64_t seed) {
    batch b = batch_open("compliant", choices, n);
    random_source source = {seed};
    draw(&b, &source, hangs);
    check_cells(&b, hangs, 1e-12);
}

static void general_bodies(void) {
    check_body("body=general law=dashpot", false, 60, 4711);
}

static void pendulums(void) {
    check_body("body=pendulum law=dashpot", true, 40, 4712);
}

/* Within a thousandth, in most cells much less. */
static double nearly_one(random_source *source) {
    double off = random_log(source, 1e-9, 1e-3);
    return random_index(source, 2) ? 1 + off : 1 - off;
}

static double often_one(random_source *source) {
    return random_index(source, 3) == 0 ? 1 : nearly_one(source);
}

/* Both directions are nearly critical, have nearly one frequency and hardly act on each other: four
 * roots nearly meet. Shares of both motions, which nearly cancel, cost digits. */
static void nearly_critical(void) {
    enum { CELLS = 160 };
    batch b = batch_open("compliant", "body=general law=dashpot", CELLS);
    random_source source = {4713};
    dashpots_draw(&b, &source);
    BATCH_SET(&b, {"contact_end", 0}, {"angle", atan(1)});
    for (size_t i = 0; i < CELLS; i++) {
        bool same = random_index(&source, 4) == 0; /* force and pull would vanish together */
        batch_in(&b, "inertia_coupling")[i] = random_log(&source, same ? 1e-9 : 1e-13, 1e-1);
        batch_in(&b, "stiffness_ratio")[i] = same ? 1 : nearly_one(&source);
        batch_in(&b, "normal_damping_ratio")[i] = often_one(&source);
        batch_in(&b, "tangential_damping_ratio")[i] = often_one(&source);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -2, 2);
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-10);
        if (b.outcome[i] == IMP_SOLVED) {
            check_cell(&b, i, false, 1e-11);
        }
    }
    batch_close(&b);
}

/* One direction is critical, the other has more damping, and they hardly act on each other. */
static void one_critical(void) {
    enum { CELLS = 200 };
    batch b = batch_open("compliant", "body=general law=dashpot", CELLS);
    random_source source = {4714};
    dashpots_draw(&b, &source);
    batch_set(&b, "contact_end", 0);
    for (size_t i = 0; i < CELLS; i++) {
        double more = random_between(&source, 1.5, 3);
        batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.7, 1.4);
        batch_in(&b, "inertia_coupling")[i] = random_log(&source, 1e-15, 1e-8);
        batch_in(&b, "normal_damping_ratio")[i] = i % 2 == 0 ? 1 : more;
        batch_in(&b, "tangential_damping_ratio")[i] = i % 2 == 0 ? more : 1;
    }
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-12);
        if (b.outcome[i] == IMP_SOLVED) {
            check_cell(&b, i, false, 1e-11);
        }
    }
    batch_close(&b);
}

/* Stronger than critical, or just that; the pull follows in the end what creeps. */
static void check_strong(const char *choices, bool hangs, uint64_t seed) {
    static const double often[] = {1, 1.01, 1.5, 2, 5};
    enum { CELLS = 120 };
    batch b = batch_open("compliant", choices, CELLS);
    random_source source = {seed};
    draw(&b, &source, hangs);
    batch_set(&b, "contact_end", 0);
    for (size_t i = 0; i < CELLS; i++) {
        double ratio = often[random_index(&source, SUITE_COUNT(often))];
        double other = random_log(&source, 0.2, 8);
        batch_in(&b, "normal_damping_ratio")[i] = i % 3 == 1 ? other : ratio;
        batch_in(&b, "tangential_damping_ratio")[i] = i % 3 == 2 ? other : ratio;
    }
    check_cells(&b, hangs, 1e-10);
}

static void strong_general_bodies(void) {
    check_strong("body=general law=dashpot", false, 4715);
}

static void strong_pendulums(void) {
    check_strong("body=pendulum law=dashpot", true, 4716);
}

/* A strong dashpot beside a weak one. */
static void unequal_general_bodies(void) {
    enum { CELLS = 60 };
    batch b = batch_open("compliant", "body=general law=dashpot", CELLS);
    random_source source = {4719};
    draw(&b, &source, false);
    batch_set(&b, "contact_end", 0);
    for (size_t i = 0; i < CELLS; i++) {
        double strong = random_log(&source, 10, 100), weak = random_log(&source, 0.02, 1);
        batch_in(&b, "normal_damping_ratio")[i] = i % 3 == 0 ? weak : strong;
        batch_in(&b, "tangential_damping_ratio")[i] = i % 3 == 0 ? strong : weak;
    }
    check_cells(&b, false, 1e-10);
}

/* Of a pendulum whose force hardly changes any more the state tells the force as a small difference
 * of an elongation and a rate; no digits of the instants are lost in it. */
static void very_strong_pendulums(void) {
    enum { CELLS = 60 };
    batch b = batch_open("compliant", "body=pendulum law=dashpot", CELLS);
    random_source source = {4717};
    draw(&b, &source, true);
    batch_set(&b, "contact_end", 0);
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "normal_damping_ratio")[i] = random_log(&source, 4, 20);
        batch_in(&b, "tangential_damping_ratio")[i] = random_log(&source, i % 2 ? 0.1 : 4, 20);
    }
    check_cells(&b, true, 1e-11);
}

SUITE("dashpot, series in quadruple precision", general_bodies, pendulums, nearly_critical,
      one_critical, strong_general_bodies, unequal_general_bodies, strong_pendulums,
      very_strong_pendulums)
