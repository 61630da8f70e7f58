/* Crossings of the cone of friction that fall close together, under Hertz's law with damping:
 * strong damping takes nearly all of the normal force away, and great friction holds with next to
 * none, so that a stick may slip for an instant in the middle of a step of any integrator. The
 * reference is an integration in short steps of order 4, which looks at what is watched after each
 * of them and at every local minimum between. Nothing is shared with the product: B is computed
 * here too.
 *
 * Units: mass, normal stiffness and |v_n(0)| are 1. Indentation d, elongation u of the tangential
 * spring, F_n = d^1.5 (1 - zeta v_n), stick F_t = -k u sqrt|u|, slip in direction s F_t = -mu s
 * F_n. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { U, D, V_T, V_N, STATE };
enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 };

typedef struct motion {
    double b11, b12, b22, mu, k, zeta;
    int phase;
    double y[STATE];
} motion;

static double direction(const motion *m) {
    return m->phase == STICK ? 0 : m->phase == SLIP_BACK ? -1 : 1;
}

static double normal_force(const motion *m, const double *y) {
    return pow(fmax(0, y[D]), 1.5) * fmax(0, 1 - m->zeta * y[V_N]);
}

/* |u| at which friction gives way. */
static double rim(const motion *m, const double *y) {
    return fmax(0, y[D]) * cbrt(pow(m->mu / m->k * fmax(0, 1 - m->zeta * y[V_N]), 2));
}

static void rates(const motion *m, const double *y, double *rate) {
    double s = direction(m), f_n = normal_force(m, y);
    double f_t = s == 0 ? -m->k * y[U] * sqrt(fabs(y[U])) : -m->mu * s * f_n;
    rate[V_T] = m->b11 * f_t + m->b12 * f_n;
    rate[V_N] = m->b12 * f_t + m->b22 * f_n;
    rate[D] = -y[V_N];
    double x = 1 - m->zeta * y[V_N]; /* the rim is d x^(2/3) but for a factor */
    double share = -y[V_N] - (x > 0 ? 2.0 / 3 * m->zeta * rate[V_N] / x * fmax(0, y[D]) : 0);
    rate[U] = s == 0 ? y[V_T] : s * cbrt(pow(m->mu / m->k * fmax(0, x), 2)) * share;
}

/* The state after a step of h. */
static void advance(const motion *m, const double *from, double h, double *to) {
    double k[4][STATE], at[STATE];
    rates(m, from, k[0]);
    for (int stage = 1; stage < 4; stage++) {
        for (int i = 0; i < STATE; i++) {
            at[i] = from[i] + (stage < 3 ? h / 2 : h) * k[stage - 1][i];
        }
        rates(m, at, k[stage]);
    }
    for (int i = 0; i < STATE; i++) {
        to[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

/* A watched quantity, which ends the phase where it falls to 0. In stick the distance of the forces
 * from the faces s = -1, 1; in slip its speed, and the indentation. */
static double watched(const motion *m, const double *y, int which) {
    double rate[STATE], s = direction(m);
    if (m->phase == STICK) {
        double side = which == 0 ? -1 : 1;
        return m->mu * normal_force(m, y) - side * m->k * y[U] * sqrt(fabs(y[U]));
    }
    if (which == 1) {
        return y[D];
    }
    rates(m, y, rate);
    return s * (y[V_T] - rate[U]);
}

static double after(const motion *m, const double *from, double h, int which) {
    double y[STATE];
    advance(m, from, h, y);
    return watched(m, y, which);
}

/* The time before h at which the watched quantity falls to 0, starting from `from`. */
static double crossing(const motion *m, const double *from, double h, int which) {
    double low = 0, high = h;
    for (int i = 0; i < 55; i++) {
        double middle = (low + high) / 2;
        *(after(m, from, middle, which) > 0 ? &low : &high) = middle;
    }
    return high;
}

/* The time at which the watched quantity is least, by thirds. */
static double least(const motion *m, const double *from, double h, int which) {
    double low = 0, high = h;
    for (int i = 0; i < 60; i++) {
        double first = (2 * low + high) / 3, second = (low + 2 * high) / 3;
        bool falls = after(m, from, first, which) > after(m, from, second, which);
        *(falls ? &low : &high) = falls ? first : second;
    }
    return (low + high) / 2;
}

/* A share of the time scales of d, u and the damped part of the force. */
static double step_length(const motion *m, const double *y) {
    const double share = 0.02, shortest = 2e-5;
    double rate[STATE], h = share / sqrt(m->b11 * m->k + m->b22 + m->mu * fabs(m->b12));
    rates(m, y, rate);
    h = fmin(h, share * fabs(y[D] / y[V_N]));
    h = fmin(h, m->phase == STICK ? share * fabs(y[U] / y[V_T]) : INFINITY);
    h = fmin(h, share * fabs((1 / m->zeta - y[V_N]) / rate[V_N]));
    return fmax(h, shortest);
}

typedef struct outcome {
    uint64_t sequence;
    int phases;
    bool grazes; /* an event was met, or missed, by so little that rounding may decide */
    bool apart;
} outcome;

static const double narrow = 1e-6;

/* The size of the terms of the watched quantity. */
static double size_of(const motion *m, const double *y, int which) {
    return m->phase == STICK ? m->mu * normal_force(m, y) + m->k * pow(fabs(y[U]), 1.5)
           : which == 0      ? hypot(y[V_T], y[V_N])
                             : 1;
}

/* Moves to the first event, or over one step. `fresh`: steps of the phase so far. Returns the
 * event, -1 without one. */
static int move(motion *m, double *before, double *taken, int fresh, outcome *result) {
    double end[STATE], h = step_length(m, m->y), first = INFINITY, start[STATE];
    int event = -1;
    bool back = false;
    advance(m, m->y, h, end);
    for (int which = 0; which < 2; which++) {
        double there = watched(m, end, which), here = watched(m, m->y, which);
        if (there <= 0) {
            double at = crossing(m, m->y, h, which);
            event = at < first && !back ? which : event;
            first = fmin(first, at);
        } else if (fresh > 1 && watched(m, before, which) > here && here < there) {
            double at = least(m, before, *taken + h, which), y[STATE];
            advance(m, before, at, y);
            double value = watched(m, y, which), size = size_of(m, y, which);
            result->grazes = result->grazes || fabs(value) < narrow * size;
            if (value <= 0) {
                first = crossing(m, before, at, which);
                event = which;
                back = true;
            }
        }
    }
    memcpy(start, back ? before : m->y, sizeof start);
    memcpy(before, m->y, sizeof m->y);
    *taken = h;
    advance(m, start, event < 0 ? h : first, m->y);
    return event;
}

static void begin(motion *m, int phase, outcome *result) {
    m->phase = phase;
    result->sequence |= (uint64_t)phase << (2 * result->phases++);
    if (phase != STICK) {
        m->y[U] = direction(m) * rim(m, m->y);
        double speed = watched(m, m->y, 0);
        result->grazes = result->grazes || speed < narrow * hypot(m->y[V_T], m->y[V_N]);
    }
}

static outcome integrate(motion *m) {
    outcome result = {0};
    double before[STATE], taken = 0, contact[STATE] = {0, 1, m->y[V_T], -1};
    double excess = fabs(m->y[V_T]) - rim(m, contact);
    result.grazes = fabs(excess) < narrow * fabs(m->y[V_T]);
    begin(m, excess < 0 ? STICK : m->y[V_T] < 0 ? SLIP_BACK : SLIP_FORTH, &result);
    int fresh = 0;
    for (int i = 0; i < 2000000 && result.phases < 30; i++) {
        int event = move(m, before, &taken, fresh++, &result);
        if (event < 0) {
            continue;
        }
        if (m->phase != STICK && event == 1) {
            result.apart = true;
            break;
        }
        fresh = 0;
        begin(m, m->phase != STICK ? STICK : event == 0 ? SLIP_BACK : SLIP_FORTH, &result);
    }
    return result;
}

static motion motion_of(const batch *b, size_t i) {
    double coupling = batch_in(b, "inertia_coupling")[i], angle = batch_in(b, "angle")[i];
    return (motion){
        .b11 = 1 + coupling * cos(2 * angle),
        .b12 = coupling * sin(2 * angle),
        .b22 = 1 - coupling * cos(2 * angle),
        .mu = batch_in(b, "friction")[i],
        .k = 1 / batch_in(b, "stiffness_ratio")[i],
        .zeta = batch_in(b, "damping")[i],
        .y = {0, 0, batch_in(b, "velocity_ratio")[i], -1},
    };
}

/* The error of the short steps near first touch. */
static const double tolerance = 1e-5;

/* Returns false if the cell is too near to grazing to be compared. */
static bool compare(const batch *b, size_t i) {
    motion m = motion_of(b, i);
    outcome right = integrate(&m);
    if (right.grazes) {
        return false;
    }
    char text[256];
    imp_sequence_text(right.sequence, sizeof text, text);
    CHECK(right.apart, "the integration does not end: %s", batch_text(b, i));
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    CHECK((uint64_t)batch_out(b, "sequence")[i] == right.sequence, "%s instead of %s: %s",
          batch_sequence(b, i), text, batch_text(b, i));
    CHECK_OUTPUT(b, i, "kinematic_restitution", m.y[V_N], tolerance);
    CHECK_OUTPUT(b, i, "velocity_ratio_out", m.y[V_T], tolerance * (1 + fabs(m.y[V_T])));
    return true;
}

enum { CELLS = 60 };

static void compare_random(uint64_t seed, double least_damping, double most_damping) {
    batch b = batch_open("compliant", "body=general law=hertz", CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "inertia_coupling")[i] = random_between(&source, 0, 0.95);
        batch_in(&b, "angle")[i] = random_between(&source, -pi / 2, pi / 2);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -5, 5);
        batch_in(&b, "friction")[i] = random_log(&source, 30, 1000);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "damping")[i] = random_log(&source, least_damping, most_damping);
    }
    batch_solve(&b);
    int skipped = 0;
    for (size_t i = 0; i < CELLS; i++) {
        skipped += !compare(&b, i);
    }
    CHECK(skipped * 20 <= CELLS, "%d of %d cells skipped", skipped, CELLS);
    batch_close(&b);
}

static void strong_damping(void) {
    compare_random(91, 1.6, 16);
}

static void stronger_damping(void) {
    compare_random(92, 3, 30);
}

static void weak_damping(void) {
    compare_random(93, 0.05, 3);
}

/* Cells whose crossings fall close together, found among thousands by the integration above. */
static void known_crossings(void) {
    static const char *const names[] = {"friction",       "stiffness_ratio",  "angle",
                                        "velocity_ratio", "inertia_coupling", "damping"};
    static const double cells[][SUITE_COUNT(names)] = {
        {901.1721813229857, 1.4563539129971477, -0.26043288645892826, 3.4531501763612877,
         0.44346902402777744, 1.795446771671575},
        {731.623430416215, 0.22849600446174356, 0.20704245621285389, 1.9976559738263102,
         0.79836362887608492, 4.4081940656813616},
        {484.70606084880211, 0.35523952197649761, 0.25902803928874341, -3.5388625174885111,
         0.60342158222974851, 15.458365153551814},
        {479.79950140162197, 8.3489713661776968, -0.30286475578335576, 1.3685970467416464,
         0.79603346227454808, 10.962234226135708},
        {990.91770340908477, 0.76202736539900584, -0.15133354017958478, 2.9549756328224408,
         0.70168367080448757, 2.3064305566768795},
        {516.11240980430534, 5.7591919277596544, -0.12176640204638089, 0.97361061602283616,
         0.77675811816091989, 9.7990881372112182},
        {749.12770533482001, 0.17312404159773029, -0.17800269235174837, 4.1341636364950833,
         0.84541118780200109, 13.274421342761395},
        {148.6441930755916, 0.16362635180000154, -0.17490783221217909, -4.7864088417887549,
         0.73900611090989587, 4.5855054886010986},
    };
    batch b = batch_open("compliant", "body=general law=hertz", SUITE_COUNT(cells));
    for (size_t i = 0; i < b.n; i++) {
        for (int p = 0; p < SUITE_COUNT(names); p++) {
            batch_in(&b, names[p])[i] = cells[i][p];
        }
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK(compare(&b, i), "grazes: %s", batch_text(&b, i));
    }
    batch_close(&b);
}

/* ---- beside the boundaries between sequences ---- */

typedef struct line {
    batch b; /* one cell, moved along velocity_ratio */
    int boundaries;
} line;

static uint64_t sequence_at(line *at, double velocity_ratio) {
    batch_set(&at->b, "velocity_ratio", velocity_ratio);
    batch_solve(&at->b);
    CHECK_CELL(&at->b, 0, at->b.outcome[0] == IMP_SOLVED);
    return (uint64_t)batch_out(&at->b, "sequence")[0];
}

/* A free body cannot separate in stick after a slip: the tangential spring is still stretched when
 * the normal one is released, and the opposite face of the cone is reached before. */
static void look_beside(line *at, double low, double high) {
    enum { HALVINGS = 60, DISTANCES = 24 };
    uint64_t below = sequence_at(at, low);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        *(sequence_at(at, middle) == below ? &low : &high) = middle;
    }
    at->boundaries++;
    for (int i = -DISTANCES; i <= DISTANCES; i++) {
        uint64_t sequence = sequence_at(at, low + copysign(pow(10, -15.5 + abs(i) / 3.0), i));
        int phases = 0, last = STICK;
        for (uint64_t rest = sequence; rest; rest >>= 2) {
            last = (int)(rest & 3);
            phases++;
        }
        CHECK((last != STICK || phases == 1) && phases < 9, "%s: %s", batch_sequence(&at->b, 0),
              batch_text(&at->b, 0));
    }
}

static void beside_boundaries(const char *choices, double damping) {
    enum { LINES = 6, POINTS = 40 };
    random_source source = {94};
    line at = {.b = batch_open("compliant", choices, 1)};
    for (int i = 0; i < LINES; i++) {
        batch_set(&at.b, "inertia_coupling", random_between(&source, 0, 0.95));
        batch_set(&at.b, "angle", random_between(&source, -pi / 2, pi / 2));
        batch_set(&at.b, "friction", random_log(&source, 0.05, 3));
        batch_set(&at.b, "stiffness_ratio", random_log(&source, 0.1, 10));
        if (damping > 0) {
            batch_set(&at.b, "damping", damping);
        }
        for (int k = 0; k < POINTS; k++) {
            double low = -6 + 0.3 * k, high = low + 0.3;
            if (sequence_at(&at, low) != sequence_at(&at, high)) {
                look_beside(&at, low, high);
            }
        }
    }
    CHECK(at.boundaries > 2 * LINES, "%s: %d boundaries", choices, at.boundaries);
    batch_close(&at.b);
}

static void beside_boundaries_of_hertz(void) {
    beside_boundaries("body=general law=hertz", 0);
}

static void beside_boundaries_of_damped_hertz(void) {
    beside_boundaries("body=general law=hertz", 0.6);
}

static void beside_boundaries_of_coupled(void) {
    beside_boundaries("body=general law=coupled", 0);
}

SUITE("crossings", known_crossings, strong_damping, stronger_damping, weak_damping,
      beside_boundaries_of_hertz, beside_boundaries_of_damped_hertz, beside_boundaries_of_coupled)
