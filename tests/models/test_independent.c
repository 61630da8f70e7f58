/* The compliant model against a straightforward integration in time: the equations of motion in SI
 * units by a Runge-Kutta pair of order 8, small steps, events by bisection. Nothing is shared with
 * the product: B is computed here too, from the table of bodies.
 *
 * Spring elongations u1 (tangential), u3 (normal, contact while u3 < 0); forces F1 = -k1 u1,
 * F3 = -k3 u3; d(v_t, v_n)/dt = B (F1, F3). Stick: du1/dt = v_t. Slip in direction s = +-1:
 * F1 = -mu s F3, so u1 = -mu s (k3/k1) u3. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

/* ---- equations of motion ---- */

enum { U1, U3, V_T, V_N, P_T, P_N, WORK, LOSS, STATE };
typedef enum regime { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 } regime; /* codes of a sequence */

typedef struct motion {
    double b11, b12, b22;
    bool rank_one;
    double mu, k1, k3;
    double v_t, v_n; /* at the start */
    regime now;
} motion;

static double direction(regime now) {
    return now == SLIP_BACK ? -1 : now == SLIP_FORTH ? 1 : 0;
}

/* The cone: |u1| <= cone * -u3. */
static double cone(const motion *m) {
    return m->mu * m->k3 / m->k1;
}

static int rates(double time, const double y[], double dydt[], void *context) {
    (void)time;
    const motion *m = context;
    double s = direction(m->now);
    double f3 = -m->k3 * y[U3], f1 = m->now == STICK ? -m->k1 * y[U1] : -m->mu * s * f3;
    dydt[U1] = m->now == STICK ? y[V_T] : -s * cone(m) * y[V_N];
    dydt[U3] = y[V_N];
    dydt[V_T] = m->b11 * f1 + m->b12 * f3;
    dydt[V_N] = m->b12 * f1 + m->b22 * f3;
    dydt[P_T] = f1;
    dydt[P_N] = f3;
    dydt[WORK] = f3 * y[V_N];
    dydt[LOSS] = m->now == STICK ? 0 : m->mu * f3 * fabs(y[V_T] - dydt[U1]);
    return GSL_SUCCESS;
}

/* What ends a phase when it falls to 0, and its rate. Stick: distance from the two faces of the
 * cone. Slip: slip speed, and compression of the normal spring. */
typedef struct watch {
    double value, slope;
} watch;

enum { WATCHES = 2, SLIP_SPEED = 0, COMPRESSION = 1 };

static watch watch_of(const motion *m, const double *y, int which) {
    if (m->now == STICK) {
        double s = which == 0 ? -1 : 1;
        return (watch){-cone(m) * y[U3] - s * y[U1], -cone(m) * y[V_N] - s * y[V_T]};
    }
    if (which == COMPRESSION) {
        return (watch){-y[U3], -y[V_N]};
    }
    double dydt[STATE], s = direction(m->now);
    rates(0, y, dydt, (void *)m);
    return (watch){s * y[V_T] + cone(m) * y[V_N], s * dydt[V_T] + cone(m) * dydt[V_N]};
}

/* ---- steps and events ---- */

typedef struct turn {
    double indentation, time, p_n, work;
} turn;

typedef struct march {
    motion m;
    gsl_odeiv2_step *step;
    double y[STATE], time, in_phase; /* time, and time since the phase began */
    double length, speed;            /* scales of elongations and velocities */
    double h;
    regime before; /* the phase before this one; 0 at the start */
    turn greatest; /* of the indentation */
    uint64_t sequence;
    int phases;
    bool
        grazing; /* an event was missed, or met, by less than 1e-6: the outcome hangs on rounding */
} march;

static const double grazing_limit = 1e-6;

/* The state after a step of any length up to h from the present one. */
static void advance(march *a, double h, double *y) {
    double error[STATE];
    gsl_odeiv2_system system = {rates, NULL, STATE, &a->m};
    memcpy(y, a->y, sizeof a->y);
    gsl_odeiv2_step_apply(a->step, a->time, h, y, error, NULL, NULL, &system);
}

/* Smallest h in (0, h] at which `falls` becomes true, by bisection; y is the state there. */
static double bisect(march *a, double h, int which,
                     bool (*falls)(const march *, const double *, int), double *y) {
    double low = 0, high = h;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        advance(a, middle, y);
        if (falls(a, y, which)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    advance(a, high, y);
    return high;
}

static bool has_ended(const march *a, const double *y, int which) {
    return watch_of(&a->m, y, which).value <= 0;
}

static bool rises_again(const march *a, const double *y, int which) {
    return watch_of(&a->m, y, which).slope >= 0;
}

static bool rebounds(const march *a, const double *y, int which) {
    (void)a;
    (void)which;
    return y[V_N] >= 0;
}

/* Whether the phase began on this very face of the cone, where value and slope are 0. */
static bool entered_here(const march *a, int which) {
    return a->m.now == STICK && a->in_phase == 0 &&
           a->before == (which == 0 ? SLIP_BACK : SLIP_FORTH);
}

/* Time of the event in the next step, or infinity. An event can hide between the ends of a step:
 * then the watched value has a minimum there. */
static double event_in_step(march *a, int which, const double *end) {
    double y[STATE], h = a->h;
    watch start = watch_of(&a->m, a->y, which), stop = watch_of(&a->m, end, which);
    if (stop.value > 0) {
        if (entered_here(a, which) || !(start.slope < 0 && stop.slope > 0)) {
            return INFINITY;
        }
        h = bisect(a, a->h, which, rises_again, y);
        double least = watch_of(&a->m, y, which).value;
        double scale = a->m.now == STICK || which == COMPRESSION ? a->length : a->speed;
        a->grazing = a->grazing || fabs(least) < grazing_limit * scale;
        if (least > 0) {
            return INFINITY;
        }
    }
    return bisect(a, h, which, has_ended, y);
}

static void note_turn(march *a, double h, const double *end) {
    double y[STATE];
    if (!(a->y[V_N] < 0 && end[V_N] >= 0)) {
        return;
    }
    double time = a->time + bisect(a, h, 0, rebounds, y);
    if (-y[U3] > a->greatest.indentation) {
        a->greatest = (turn){-y[U3], time, y[P_N], y[WORK]};
    }
}

/* One step, at most to the first event. Returns which event came, -1 if none did. */
static int march_on(march *a) {
    double y[STATE], first = INFINITY;
    int which = -1;
    advance(a, a->h, y);
    for (int w = 0; w < WATCHES; w++) {
        double at = event_in_step(a, w, y);
        if (at < first) {
            first = at;
            which = w;
        }
    }
    double h = which < 0 ? a->h : first;
    advance(a, h, y);
    note_turn(a, h, y);
    memcpy(a->y, y, sizeof y);
    a->time += h;
    a->in_phase += h;
    return which;
}

/* ---- phases ---- */

static void begin_phase(march *a, regime next) {
    double s = direction(next);
    a->before = a->phases ? a->m.now : (regime)0;
    a->m.now = next;
    a->in_phase = 0;
    a->sequence |= (uint64_t)next << (2 * a->phases);
    a->phases++;
    if (next != STICK) {
        a->y[U1] = -s * cone(&a->m) * a->y[U3];
        double speed = s * a->y[V_T] + cone(&a->m) * a->y[V_N];
        a->grazing = a->grazing || speed < grazing_limit * a->speed;
    }
}

typedef enum ending { GOES_ON, SEPARATES, WEDGES, LOST } ending;

/* After an event (or none, -1). */
static ending next_phase(march *a, int event) {
    const double *y = a->y;
    if (event < 0) {
        /* With one degree of freedom stick is periodic: what half a period does not end, lasts. */
        double w = sqrt(a->m.b11 * a->m.k1 + a->m.b22 * a->m.k3);
        bool forever = a->m.now == STICK && a->m.rank_one && a->in_phase > 1.5 * pi / w;
        return forever ? WEDGES : GOES_ON;
    }
    if (a->m.now != STICK) {
        if (event == COMPRESSION) {
            return SEPARATES;
        }
        begin_phase(a, STICK);
        return GOES_ON;
    }
    if (-y[U3] < 1e-9 * a->length) {
        return SEPARATES;
    }
    a->grazing = a->grazing || a->in_phase < grazing_limit * a->length / a->speed;
    begin_phase(a, event == 0 ? SLIP_BACK : SLIP_FORTH);
    return GOES_ON;
}

static ending integrate(march *a) {
    const motion *m = &a->m;
    enum { MOST_STEPS = 1000000 };
    double tangential = fabs(m->v_t), limit = cone(m) * fabs(m->v_n);
    a->speed = hypot(m->v_t, m->v_n);
    a->length = fabs(m->v_n) / sqrt(m->b22 * m->k3);
    a->h = 0.05 / sqrt(m->b11 * m->k1 + m->b22 * m->k3 + m->mu * fabs(m->b12) * m->k3);
    a->y[V_T] = m->v_t;
    a->y[V_N] = m->v_n;
    a->grazing = fabs(tangential - limit) < grazing_limit * a->speed;
    begin_phase(a, tangential < limit ? STICK : m->v_t < 0 ? SLIP_BACK : SLIP_FORTH);
    ending end = GOES_ON;
    for (int i = 0; i < MOST_STEPS && end == GOES_ON; i++) {
        end = next_phase(a, march_on(a));
        end = a->phases > 25 ? LOST : end;
    }
    return end == GOES_ON ? LOST : end;
}

/* ---- cells of every body ---- */

typedef struct subject {
    const char *name, *choices;
    /* Sets the body's own parameters of cell i. */
    void (*draw)(const batch *b, size_t i, random_source *source);
    /* B and v_t(0) / |v_n(0)| of cell i; rank_one if it has one degree of freedom. */
    void (*inertia)(const batch *b, size_t i, motion *m);
} subject;

static void draw_sphere(const batch *b, size_t i, random_source *source) {
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void sphere(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i];
    m->b11 = 3.5 / mass;
    m->b12 = 0;
    m->b22 = 1 / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_rod(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    batch_in(b, "angle")[i] = random_between(source, -pi / 2, pi / 2);
}

static void rod(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double c = cos(angle), s = sin(angle);
    m->b11 = (1 + 3 * c * c) / mass;
    m->b12 = 3 * s * c / mass;
    m->b22 = (1 + 3 * s * s) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_general(const batch *b, size_t i, random_source *source) {
    draw_rod(b, i, source);
    batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.95);
}

static void general(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    double coupling = batch_in(b, "inertia_coupling")[i];
    m->b11 = (1 + coupling * cos(2 * angle)) / mass;
    m->b12 = coupling * sin(2 * angle) / mass;
    m->b22 = (1 - coupling * cos(2 * angle)) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_pendulum(const batch *b, size_t i, random_source *source) {
    batch_in(b, "angle")[i] = random_between(source, 1, 89) * pi / 180;
    batch_in(b, "mass")[i] = random_log(source, 0.1, 10);
}

static void pendulum(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], angle = batch_in(b, "angle")[i];
    m->b11 = cos(angle) * cos(angle) / mass;
    m->b12 = sin(angle) * cos(angle) / mass;
    m->b22 = sin(angle) * sin(angle) / mass;
    m->v_t = -1 / tan(angle);
    m->rank_one = true;
}

static void draw_matrix(const batch *b, size_t i, random_source *source) {
    double b11 = random_log(source, 0.2, 5), b22 = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = b11;
    batch_in(b, "b12")[i] = random_between(source, -0.95, 0.95) * sqrt(b11 * b22);
    batch_in(b, "b22")[i] = b22;
    batch_in(b, "velocity_ratio")[i] = random_between(source, -5, 5);
}

static void matrix(const batch *b, size_t i, motion *m) {
    m->b11 = batch_in(b, "b11")[i];
    m->b12 = batch_in(b, "b12")[i];
    m->b22 = batch_in(b, "b22")[i];
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

/* Both signs of b12, so also pendulums that lean the other way. */
static void draw_singular(const batch *b, size_t i, random_source *source) {
    double along = random_between(source, -3, 3), scale = random_log(source, 0.2, 5);
    batch_in(b, "b11")[i] = along * along * scale;
    batch_in(b, "b12")[i] = along * scale;
    batch_in(b, "b22")[i] = scale;
    batch_in(b, "velocity_ratio")[i] = -along;
}

static void singular(const batch *b, size_t i, motion *m) {
    matrix(b, i, m);
    m->rank_one = true;
}

/* Up to the angles at which the axis lies in the plane. */
static void draw_capsule(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double slenderness = batch_in(b, "slenderness")[i] = random_log(source, 0.2, 20);
    batch_in(b, "angle")[i] = atan(slenderness / 2) * random_between(source, -1, 1);
}

/* Cylinder and hemispheres of radius 1 about their common mass centre, and the contact's place. */
static void capsule(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], length = batch_in(b, "slenderness")[i];
    double angle = batch_in(b, "angle")[i], tilt = angle + asin(2 * sin(angle) / length);
    double x = length / 2 * sin(tilt), y = 1 + length / 2 * cos(tilt);
    double tip = 3.0 / 8, ends = 4.0 / 3, middle = length;
    double of_ends = 0.4 - tip * tip + (length / 2 + tip) * (length / 2 + tip);
    double of_middle = 0.25 + length * length / 12;
    double spin = (ends + middle) / (mass * (ends * of_ends + middle * of_middle));
    m->b11 = 1 / mass + y * y * spin;
    m->b12 = x * y * spin;
    m->b22 = 1 / mass + x * x * spin;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static void draw_lamina(const batch *b, size_t i, random_source *source) {
    draw_sphere(b, i, source);
    double k = batch_in(b, "gyration_radius")[i] = random_log(source, 0.1, 10);
    batch_in(b, "offset_t")[i] = random_between(source, -3, 3) * k;
    batch_in(b, "offset_n")[i] = random_between(source, -3, 3) * k;
}

static void lamina(const batch *b, size_t i, motion *m) {
    double mass = batch_in(b, "mass")[i], k = batch_in(b, "gyration_radius")[i];
    double x = batch_in(b, "offset_t")[i] / k, y = batch_in(b, "offset_n")[i] / k;
    m->b11 = (1 + y * y) / mass;
    m->b12 = -x * y / mass;
    m->b22 = (1 + x * x) / mass;
    m->v_t = batch_in(b, "velocity_ratio")[i];
}

static const subject subjects[] = {
    {"sphere", "body=sphere", draw_sphere, sphere},
    {"rod", "body=rod", draw_rod, rod},
    {"general", "body=general", draw_general, general},
    {"pendulum", "body=pendulum", draw_pendulum, pendulum},
    {"matrix", "body=matrix", draw_matrix, matrix},
    {"singular matrix", "body=matrix", draw_singular, singular},
    {"capsule", "body=capsule", draw_capsule, capsule},
    {"lamina", "body=lamina", draw_lamina, lamina},
};

/* ---- comparison ---- */

static void check_output(const batch *b, size_t i, const char *output, double expected,
                         double scale, double tolerance) {
    double actual = batch_out(b, output)[i], size = fmax(fabs(expected), scale);
    CHECK_NEAR(actual / size, expected / size, tolerance, "%s of %s", output, batch_text(b, i));
}

static void check_separation(const batch *b, size_t i, const march *a) {
    const double *y = a->y, speed = -a->m.v_n, impulse = speed / a->m.b22;
    const turn *c = &a->greatest;
    check_output(b, i, "kinematic_restitution", y[V_N] / speed, 1, 1e-8);
    check_output(b, i, "velocity_ratio_out", y[V_T] / speed, 1, 1e-8);
    check_output(b, i, "normal_impulse", y[P_N], impulse, 1e-8);
    check_output(b, i, "tangential_impulse", y[P_T], impulse, 1e-8);
    check_output(b, i, "kinetic_restitution", (y[P_N] - c->p_n) / c->p_n, 1, 1e-8);
    check_output(b, i, "energetic_restitution", sqrt((y[WORK] - c->work) / -c->work), 1, 1e-8);
    check_output(b, i, "duration", a->time, 0, 1e-8);
    check_output(b, i, "compression_time", c->time, 0, 1e-8);
}

/* The most that the contact could dissipate; a rank-one body moves in the range of B only. */
static double dissipable(const motion *m) {
    if (m->rank_one) {
        return m->v_n * m->v_n / (2 * m->b22);
    }
    double determinant = m->b11 * m->b22 - m->b12 * m->b12;
    double square =
        m->b22 * m->v_t * m->v_t - 2 * m->b12 * m->v_t * m->v_n + m->b11 * m->v_n * m->v_n;
    return square / (2 * determinant);
}

/* Returns false if the cell is too near to grazing to be compared. */
static bool compare(const subject *body, const batch *b, size_t i, gsl_odeiv2_step *step) {
    double speed = batch_in(b, "normal_speed")[i], k3 = batch_in(b, "normal_stiffness")[i];
    march a = {.step = step};
    body->inertia(b, i, &a.m);
    a.m.mu = batch_in(b, "friction")[i];
    a.m.k3 = k3;
    a.m.k1 = k3 / batch_in(b, "stiffness_ratio")[i];
    a.m.v_t *= speed;
    a.m.v_n = -speed;
    ending end = integrate(&a);
    if (a.grazing) {
        return false;
    }
    CHECK(end != LOST, "%s: the integration does not end: %s", body->name, batch_text(b, i));
    CHECK(b->outcome[i] == IMP_SOLVED, "%s: %s", body->name, batch_text(b, i));
    char expected[256];
    imp_sequence_text(a.sequence, sizeof expected, expected);
    CHECK((uint64_t)batch_out(b, "sequence")[i] == a.sequence, "sequence %s instead of %s: %s",
          batch_sequence(b, i), expected, batch_text(b, i));
    bool wedge = strcmp(batch_mode(b, i), "wedge") == 0;
    CHECK(wedge == (end == WEDGES), "mode %s: %s", batch_mode(b, i), batch_text(b, i));
    check_output(b, i, "energy_loss", a.y[LOSS] / dissipable(&a.m), 1, 1e-8);
    if (end == SEPARATES) {
        check_separation(b, i, &a);
    }
    return true;
}

static void compare_body(const subject *body, uint64_t seed) {
    enum { CELLS = 2000 };
    batch b = batch_open("compliant", body->choices, CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "stiffness_ratio")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_stiffness")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "normal_speed")[i] = random_log(&source, 0.1, 10);
        body->draw(&b, i, &source);
    }
    batch_solve(&b);
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    int skipped = 0;
    for (size_t i = 0; i < CELLS; i++) {
        skipped += !compare(body, &b, i, step);
    }
    CHECK(skipped * 100 <= CELLS, "%s: %d of %d cells skipped", body->name, skipped, CELLS);
    gsl_odeiv2_step_free(step);
    batch_close(&b);
}

static void every_body(void) {
    for (int i = 0; i < SUITE_COUNT(subjects); i++) {
        compare_body(&subjects[i], 8000 + (uint64_t)i);
    }
}

/* The integration itself, where the answer is known: a sphere that slips throughout meets the
 * plane for half a period of its normal spring and takes the normal impulse 2 m |v_n|. */
static void the_integration_itself(void) {
    gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATE);
    march a = {.step = step,
               .m = {.b11 = 3.5, .b22 = 1, .mu = 0.2, .k1 = 0.5, .k3 = 4, .v_t = 5, .v_n = -1}};
    CHECK(integrate(&a) == SEPARATES, "the sphere stays");
    CHECK(a.phases == 1 && a.sequence == SLIP_FORTH, "%d phases", a.phases);
    CHECK_NEAR(a.time, pi / 2, 1e-12, "duration");
    CHECK_NEAR(a.y[V_N], 1, 1e-12, "normal velocity");
    CHECK_NEAR(a.y[V_T], 5 - 3.5 * 0.2 * 2, 1e-12, "tangential velocity");
    /* Energy: rotation and translation act on the tangential motion as a mass of 2/7. */
    CHECK_NEAR(a.y[LOSS], (25 - 3.6 * 3.6) / 7, 1e-12, "loss");
    CHECK_NEAR(a.greatest.time, pi / 4, 1e-12, "time of greatest indentation");
    gsl_odeiv2_step_free(step);
}

int main(void) {
    gsl_set_error_handler_off();
    static const suite_test tests[] = {SUITE_TEST(the_integration_itself), SUITE_TEST(every_body)};
    return suite_run("independent", tests, SUITE_COUNT(tests));
}
