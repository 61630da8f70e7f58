/* Starts beside the rim of the cone of friction, from one unit in the last place to 1e-8: each
 * contact begins in stick inside the cone and in slip outside, and on the rim as friction can hold
 * it or not. The numbers on the rim are exact: they have few digits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/contacts.h"
#include "support/pi.h"
#include "support/plane.h"
#include "support/suite.h"

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 };

/* A start on the rim: speed = friction stiffness_ratio, or as its law has it. */
typedef struct rim {
    double friction, stiffness_ratio, speed, damping;
} rim;

/* A number from `low` to `high` of `bits` binary digits. */
static double short_number(random_source *source, double low, double high, int bits) {
    double unit = pow(2, ilogb(high) - bits + 1);
    return unit * ceil(random_between(source, low, high) / unit);
}

static rim linear_rim(random_source *source) {
    double friction = short_number(source, 0.05, 1.5, 12);
    double ratio = short_number(source, 0.1, 10, 12);
    return (rim){friction, ratio, friction * ratio, 0};
}

/* 3 v = 2 friction stiffness_ratio */
static rim coupled_rim(random_source *source) {
    rim r = linear_rim(source);
    return (rim){r.friction, 3 * r.stiffness_ratio, 2 * r.speed, 0};
}

/* v^3 = (friction stiffness_ratio (1 + damping))^2 */
static rim power_rim(random_source *source, double relief) {
    double part = short_number(source, 0.2, 1, 8), root = part * relief;
    double share = random_index(source, 2) ? 1 : 0.5;
    return (rim){part * share, root * root / share, root * root, relief - 1};
}

static rim hertz_rim(random_source *source) {
    return power_rim(source, 1);
}

static rim damped_rim(random_source *source) {
    static const double reliefs[] = {1.25, 1.5, 2, 3};
    return power_rim(source, reliefs[random_index(source, SUITE_COUNT(reliefs))]);
}

typedef struct law {
    const char *theory, *choices;
    rim (*rim)(random_source *source);
    double restitution;
    int digits; /* bits of a phase in a sequence */
    double residual;
} law;

static const law laws[] = {
    {"compliant", "body=general law=linear", linear_rim, 1, 2, 1e-9},
    {"compliant", "body=general law=linear", linear_rim, 0.6, 2, 1e-9},
    {"compliant", "body=general law=coupled", coupled_rim, 1, 2, 1e-9},
    {"compliant", "body=general law=hertz", hertz_rim, 1, 2, 1e-9},
    {"compliant", "body=general law=hertz", damped_rim, 1, 2, 1e-9},
    {"continuum", "body=general", linear_rim, 1, 3, 1e-6},
};

/* A body whose start on the rim has the velocity in this direction. */
typedef struct body {
    rim on;
    double coupling, angle, sign;
    double growth; /* of the speed of slip from the rim, per normal impulse: above 0 friction cannot
                      hold it */
} body;

/* A start beside the rim. */
typedef struct start {
    double friction, speed, off; /* off: relative distance from the rim */
    int side;                    /* 1: inside the cone, 0: on its rim, -1: outside */
} start;

/* Of the starts of a body the first is on the rim, the next three are its neighbours, others lie
 * farther away. */
enum { BODIES = 250, STARTS = 8 };

/* B of the general body. With damping the normal force, and with it the elongation at the rim,
 * changes with v_n, too. */
static double growth_of(const body *of) {
    double cosine = of->coupling * cos(2 * of->angle), sine = of->coupling * sin(2 * of->angle);
    double mu = of->on.friction, z = of->on.damping;
    double along = of->sign * sine - mu * (1 + cosine), q = 1 - cosine - mu * of->sign * sine;
    return along * (1 + z) + of->on.speed * q * (1 + 10.0 / 3 * z);
}

static body draw_body(random_source *source, const law *l) {
    body made = {.on = l->rim(source),
                 .coupling = random_between(source, 0, 0.95),
                 .angle = random_between(source, -1.57, 1.57),
                 .sign = random_index(source, 2) ? 1 : -1};
    made.growth = growth_of(&made);
    return made;
}

/* Moves a number up or down: to its neighbour, or by a drawn share. Returns the relative
 * distance. */
static double move(random_source *source, double *x, bool up, bool to_neighbour) {
    double share = random_log(source, 0x1p-51, 1e-8), from = *x;
    *x = to_neighbour ? nextafter(from, up ? INFINITY : 0) : from * (up ? 1 + share : 1 - share);
    return fabs(*x - from) / from;
}

/* Start k of a body. */
static start draw_start(random_source *source, const body *of, int k) {
    start made = {.friction = of->on.friction, .speed = of->on.speed};
    bool up = k % 2, of_friction = k % 4 > 1;
    if (k > 0) {
        made.side = of_friction == up ? 1 : -1;
        made.off = move(source, of_friction ? &made.friction : &made.speed, up, k < 4);
    }
    return made;
}

static void enter(const batch *b, const char *parameter, size_t i, double value) {
    if (imp_input(b->solver, parameter) >= 0) {
        batch_in(b, parameter)[i] = value;
    }
}

static void enter_start(const batch *b, size_t i, const law *l, const body *of, const start *at) {
    enter(b, "inertia_coupling", i, of->coupling);
    enter(b, "angle", i, of->angle);
    enter(b, "stiffness_ratio", i, of->on.stiffness_ratio);
    enter(b, "damping", i, of->on.damping);
    enter(b, "restitution", i, l->restitution);
    enter(b, "friction", i, at->friction);
    enter(b, "velocity_ratio", i, of->sign * at->speed);
}

/* A phase of the sequence, 0 past the end. */
static int phase_of(const batch *b, size_t i, const law *l, int number) {
    uint64_t sequence = (uint64_t)batch_out(b, "sequence")[i];
    return (int)(sequence >> (l->digits * number) & ((1U << l->digits) - 1));
}

/* A short first phase is followed by the other one. */
static void check_phases(const batch *b, size_t i, const law *l, const body *of, const start *at) {
    const double decided = 1e-6;
    int slip = of->sign < 0 ? SLIP_BACK : SLIP_FORTH;
    bool known = fabs(of->growth) > decided, held = of->growth < 0;
    bool sticks = at->side > 0 || (at->side == 0 && held);
    if (known || at->side != 0) {
        CHECK(phase_of(b, i, l, 0) == (sticks ? STICK : slip), "%s, side %d, growth %g, off %g: %s",
              batch_sequence(b, i), at->side, of->growth, at->off, batch_text(b, i));
    }
    if (known && sticks != held && l->digits == 2) {
        CHECK(phase_of(b, i, l, 1) == (sticks ? slip : STICK), "%s, growth %g, off %g: %s",
              batch_sequence(b, i), of->growth, at->off, batch_text(b, i));
    }
}

/* The outcome is continuous across the rim; on: the start there. */
static void check_outputs(const batch *b, size_t i, size_t on, double off) {
    static const char *const outputs[] = {"kinematic_restitution", "velocity_ratio_out",
                                          "energy_loss", "duration"};
    for (int o = 0; o < SUITE_COUNT(outputs); o++) {
        const double *values = batch_out(b, outputs[o]);
        CHECK_NEAR(values[i], values[on], (1e-9 + 100 * off) * (1 + fabs(values[on])), "%s of %s",
                   outputs[o], batch_text(b, i));
    }
}

static void check_law(const law *l) {
    batch b = batch_open(l->theory, l->choices, (size_t)BODIES * STARTS);
    static body bodies[BODIES];
    static start starts[BODIES * STARTS];
    random_source source = {91};
    for (size_t i = 0; i < b.n; i++) {
        body *of = &bodies[i / STARTS];
        int k = (int)(i % STARTS);
        *of = k == 0 ? draw_body(&source, l) : *of;
        starts[i] = draw_start(&source, of, k);
        enter_start(&b, i, l, of, &starts[i]);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        contacts_check_sound(&b, i, l->residual);
        check_phases(&b, i, l, &bodies[i / STARTS], &starts[i]);
        check_outputs(&b, i, i - i % STARTS, starts[i].off);
    }
    batch_close(&b);
}

static void starts_beside_the_rim(void) {
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        check_law(&laws[k]);
    }
}

/* A start beside the cone that ends only as its neighbour: rounding takes it from phase to phase
 * without end, or an event is not found. */
typedef struct corner {
    const law *of;
    rim on;
    double coupling, angle;
    int first;
} corner;

/* Neighbours of another friction lie on the other side, unless their velocities follow the rim. */
static void neighbours_stay_on_their_side(void) {
    static const corner corners[] = {
        {&laws[3],
         {0.12890624999999906, 0.1329345703125, 0.06646728515625, 0},
         0.47645000186626413,
         -1.536465625240548,
         SLIP_FORTH},
        {&laws[5],
         {0.38769531250000006, 0.96875, 0.375579833984375, 0},
         0.76532356693832404,
         0.67896527356647085,
         STICK},
    };
    for (int k = 0; k < SUITE_COUNT(corners); k++) {
        const corner *c = &corners[k];
        batch b = batch_open(c->of->theory, c->of->choices, 1);
        const body of = {c->on, c->coupling, c->angle, 1, 0};
        const start at = {.friction = c->on.friction, .speed = c->on.speed};
        enter_start(&b, 0, c->of, &of, &at);
        batch_solve(&b);
        contacts_check_sound(&b, 0, c->of->residual);
        CHECK(phase_of(&b, 0, c->of, 0) == c->first, "%s", batch_sequence(&b, 0));
        batch_close(&b);
    }
}

/* ---- motion along the rim ---- */

/* Where the force on the rim changes the velocity along itself, both keep their directions, and the
 * contact is one spring: it reverses the velocity, times the restitution. Numbers are of few
 * digits, and so these ties are exact, but for B of the general body, which has digits of its
 * angle. */
enum { TIES = 6000 };

static double one_of(random_source *source, const double *values, int n) {
    return values[random_index(source, n)];
}

static void enter_body(const batch *b, size_t i, random_source *source) {
    static const double couplings[] = {0.25, 0.5, 0.6, 0.75};
    static const double radii[] = {0.25, 0.5, 1, 2};
    enter(b, "b11", i, short_number(source, 0.5, 15, 6));
    enter(b, "b12", i, short_number(source, -3, 3, 5));
    enter(b, "b22", i, short_number(source, 0.5, 15, 6));
    enter(b, "offset_t", i, short_number(source, -2, 2, 4));
    enter(b, "offset_n", i, short_number(source, -2, 2, 4));
    enter(b, "gyration_radius", i, one_of(source, radii, SUITE_COUNT(radii)));
    enter(b, "inertia_coupling", i, one_of(source, couplings, SUITE_COUNT(couplings)));
    enter(b, "angle", i, pi / 4 * (random_index(source, 5) - 2));
}

/* The acceleration of a tie per indentation, 0 where the draw is none. */
static double enter_tie(const batch *b, size_t i, random_source *source, bool coupled) {
    const double most = 0.999, unit = 0x1p-8;
    double friction = short_number(source, 0.05, 3, 5), sign = random_index(source, 2) ? 1 : -1;
    enter_body(b, i, source);
    plane_inertia at = plane_inertia_of(b, i);
    double along = at.b11 * friction * sign - at.b12, rate = at.b22 - at.b12 * friction * sign;
    double ratio = unit * round(along / (sign * friction * rate) / unit);
    double off = fabs(along - ratio * sign * friction * rate);
    bool exists = at.b12 * at.b12 < most * at.b11 * at.b22 && rate > 0 && ratio > 0;
    enter(b, "friction", i, friction);
    enter(b, "stiffness_ratio", i, coupled ? 1.5 * ratio : ratio);
    enter(b, "velocity_ratio", i, sign * friction * ratio);
    return exists && off <= 1e-15 * fabs(along) ? rate : 0;
}

static void check_tie(const batch *b, size_t i, double restitution, double duration) {
    double v_t = batch_in(b, "velocity_ratio")[i];
    contacts_check_sound(b, i, 1e-9);
    CHECK_OUTPUT(b, i, "kinematic_restitution", restitution, 1e-10);
    CHECK_OUTPUT(b, i, "velocity_ratio_out", -restitution * v_t, 1e-9 * (1 + fabs(v_t)));
    CHECK_OUTPUT(b, i, "energy_loss", 1 - restitution * restitution, 1e-9);
    CHECK(isnan(duration) || fabs(batch_out(b, "duration")[i] - duration) < 1e-9 * duration,
          "%.17g instead of %.17g: %s", batch_out(b, "duration")[i], duration, batch_text(b, i));
}

/* Of `coupled` the duration of such a contact is not checked. */
static void check_ties(const char *shape, const char *name, double restitution) {
    char choices[64];
    bool coupled = strcmp(name, "coupled") == 0;
    snprintf(choices, sizeof choices, "body=%s law=%s", shape, name);
    batch b = batch_open("compliant", choices, TIES);
    static double rate[TIES];
    random_source source = {97};
    for (size_t i = 0; i < b.n; i++) {
        do {
            rate[i] = enter_tie(&b, i, &source, coupled);
        } while (rate[i] == 0);
        enter(&b, "restitution", i, restitution);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double half = pi / 2 / sqrt(rate[i]);
        check_tie(&b, i, restitution, coupled ? NAN : half * (1 + restitution));
    }
    batch_close(&b);
}

static void motion_along_the_rim(void) {
    static const char *const bodies[] = {"matrix", "general", "lamina"};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        check_ties(bodies[k], "linear", 1);
        check_ties(bodies[k], "linear", 0.75);
        check_ties(bodies[k], "dashpot", 1);
        check_ties(bodies[k], "coupled", 1);
    }
}

/* With equal dashpots in both directions the spring has a dashpot, too. */
typedef struct oscillator {
    double pace, damping; /* natural frequency; over the critical damping */
} oscillator;

/* The restitution and the duration of its contact, which ends with the force, or with the
 * elongation where it pulls. */
static void check_damped_tie(const batch *b, size_t i, const oscillator *o) {
    double z = o->damping, root = sqrt(fabs(1 - z * z)), phase = z < 1 ? acos(z) : acosh(z);
    double half = batch_in(b, "contact_end")[i] != 0 ? pi / 2 : phase;
    check_tie(b, i, exp(-2 * z * half / root), 2 * half / (o->pace * root));
}

static oscillator enter_damped_tie(const batch *b, size_t i, random_source *source) {
    double rate = 0;
    while (rate == 0) {
        rate = enter_tie(b, i, source, false);
    }
    plane_inertia at = plane_inertia_of(b, i);
    double ratio = random_log(source, 0.01, 3), damping = ratio * sqrt(rate / at.b22);
    enter(b, "normal_damping_ratio", i, ratio);
    enter(b, "tangential_damping_ratio", i,
          ratio * sqrt(at.b11 / (at.b22 * batch_in(b, "stiffness_ratio")[i])));
    enter(b, "contact_end", i, damping < 1 ? random_index(source, 2) : 0);
    return (oscillator){.pace = sqrt(rate), .damping = damping};
}

/* Moves a number of the start by a share of any size below 1e-6; returns it. */
static double leave_tie(const batch *b, size_t i, random_source *source) {
    static const char *const numbers[] = {"friction", "velocity_ratio", "stiffness_ratio",
                                          "normal_damping_ratio", "tangential_damping_ratio"};
    double share = random_log(source, 1e-17, 1e-6);
    share = random_index(source, 2) ? share : -share;
    batch_in(b, numbers[random_index(source, SUITE_COUNT(numbers))])[i] *= 1 + share;
    return fabs(share);
}

/* A start beside a tie ends as the tie does, but for terms proportional to its distance. */
static void check_beside_ties(const batch *ties, random_source *source, const char *choices) {
    batch b = batch_again(ties, choices);
    static double off[TIES];
    for (size_t i = 0; i < b.n; i++) {
        off[i] = leave_tie(&b, i, source);
    }
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double e = batch_out(ties, "kinematic_restitution")[i];
        double speed = batch_out(ties, "velocity_ratio_out")[i];
        contacts_check_sound(&b, i, 1e-9);
        CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 1e-10 + 1e3 * off[i]);
        CHECK_OUTPUT(&b, i, "velocity_ratio_out", speed,
                     (1e-10 + 1e3 * off[i]) * (1 + fabs(speed)));
    }
    batch_close(&b);
}

static void damped_motion_along_the_rim(void) {
    static const char *const bodies[] = {"matrix", "general", "lamina", "sphere"};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        char choices[64];
        snprintf(choices, sizeof choices, "body=%s law=dashpot", bodies[k]);
        batch b = batch_open("compliant", choices, TIES);
        static oscillator tied[TIES];
        random_source source = {101};
        for (size_t i = 0; i < b.n; i++) {
            tied[i] = enter_damped_tie(&b, i, &source);
        }
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            check_damped_tie(&b, i, &tied[i]);
        }
        check_beside_ties(&b, &source, choices);
        batch_close(&b);
    }
}

SUITE("rim", starts_beside_the_rim, neighbours_stay_on_their_side, motion_along_the_rim,
      damped_motion_along_the_rim)
