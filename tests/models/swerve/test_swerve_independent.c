/* Rigid impact in space against brute force: friction that is regularised near rest, -mu v_t /
 * sqrt(|v_t|^2
 * + tiny^2), makes one smooth and stiff equation in the normal impulse of slip, halt, stick and
 * resumed slip. Nothing of the product is used. */
#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "support/batch.h"
#include "support/inertia.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { V1, V2, V3, P1, P2, WORK, STATE };

typedef struct body {
    inertia m;
    double mu, tiny;
} body;

static int rates(double p, const double y[], double dydp[], void *context) {
    (void)p;
    const body *b = context;
    double size = sqrt(y[V1] * y[V1] + y[V2] * y[V2] + b->tiny * b->tiny);
    double t1 = -b->mu * y[V1] / size, t2 = -b->mu * y[V2] / size;
    for (int k = 0; k < 3; k++) {
        dydp[k] = b->m.b[k][0] * t1 + b->m.b[k][1] * t2 + b->m.b[k][2];
    }
    dydp[P1] = t1;
    dydp[P2] = t2;
    dydp[WORK] = y[V3];
    return GSL_SUCCESS;
}

static int jacobian(double p, const double y[], double *dfdy, double dfdp[], void *context) {
    (void)p;
    const body *b = context;
    double square = y[V1] * y[V1] + y[V2] * y[V2] + b->tiny * b->tiny;
    double below = square * sqrt(square);
    double t[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            t[i][j] = -b->mu * ((i == j ? square : 0) - y[i] * y[j]) / below;
        }
    }
    memset(dfdy, 0, STATE * STATE * sizeof *dfdy);
    memset(dfdp, 0, STATE * sizeof *dfdp);
    for (int j = 0; j < 2; j++) {
        for (int k = 0; k < 3; k++) {
            dfdy[k * STATE + j] = b->m.b[k][0] * t[0][j] + b->m.b[k][1] * t[1][j];
        }
        dfdy[P1 * STATE + j] = t[0][j];
        dfdy[P2 * STATE + j] = t[1][j];
    }
    dfdy[WORK * STATE + V3] = 1;
    return GSL_SUCCESS;
}

/* The cubic through both ends of a step with their slopes, at a fraction x of it. */
static double between(double y0, double d0, double y1, double d1, double h, double x) {
    double rest = 1 - x;
    return rest * rest * (y0 * (1 + 2 * x) + h * x * d0) +
           x * x * (y1 * (3 - 2 * x) - h * rest * d1);
}

typedef struct march {
    const body *b;
    double p, y[STATE];
    double last_p, last[STATE];
    double from; /* the fraction of the last step before which all events are known */
} march;

typedef struct place {
    double p, y[STATE];
} place;

/* The state at a fraction x of the last step. */
static place look_back(const march *a, double x) {
    double before[STATE], after[STATE], h = a->p - a->last_p;
    rates(0, a->last, before, (void *)a->b);
    rates(0, a->y, after, (void *)a->b);
    place there = {.p = a->last_p + x * h};
    for (int k = 0; k < STATE; k++) {
        there.y[k] = between(a->last[k], before[k], a->y[k], after[k], h, x);
    }
    return there;
}

typedef struct stepper {
    gsl_odeiv2_step *step;
    gsl_odeiv2_control *control;
    gsl_odeiv2_evolve *evolve;
    double h, longest;
} stepper;

/* Marches until the watched quantity (an index, or -1: the impulse itself) reaches the value. */
static bool march_to(march *a, stepper *s, int watched, double value, place *there) {
    gsl_odeiv2_system system = {rates, jacobian, STATE, (void *)a->b};
    while ((watched < 0 ? a->p : a->y[watched]) < value) {
        a->last_p = a->p;
        a->from = 0;
        memcpy(a->last, a->y, sizeof a->y);
        s->h = fmin(s->h, s->longest);
        if (gsl_odeiv2_evolve_apply(s->evolve, s->control, s->step, &system, &a->p, 1e9, &s->h,
                                    a->y) != GSL_SUCCESS ||
            a->p > 1e6 * s->longest) {
            return false;
        }
    }
    double low = a->from, high = 1;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        *there = look_back(a, middle);
        if ((watched < 0 ? there->p : there->y[watched]) < value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    a->from = high;
    *there = look_back(a, high);
    return true;
}

typedef enum law { NEWTON, POISSON, ENERGETIC } law;

typedef struct ending {
    double v[3], p1, p2, p, kinetic, energetic;
} ending;

static bool impact(const body *b, law which, double e, const double *v, ending *end) {
    stepper s = {gsl_odeiv2_step_alloc(gsl_odeiv2_step_bsimp, STATE),
                 gsl_odeiv2_control_y_new(1e-11, 1e-10), gsl_odeiv2_evolve_alloc(STATE), 1e-9,
                 0.01 / b->m.b[2][2]};
    march a = {.b = b, .y = {v[0], v[1], v[2]}};
    place c = {.p = 0}, last = {.p = 0};
    bool ended = march_to(&a, &s, V3, 0, &c);
    int watched = which == NEWTON ? V3 : which == POISSON ? -1 : WORK;
    double work = c.y[WORK];
    double value = which == NEWTON ? e : which == POISSON ? (1 + e) * c.p : work - e * e * work;
    ended = ended && march_to(&a, &s, watched, value, &last);
    *end = (ending){{last.y[V1], last.y[V2], last.y[V3]},
                    last.y[P1],
                    last.y[P2],
                    last.p,
                    last.p / c.p - 1,
                    sqrt(fmax(0, (last.y[WORK] - work) / -work))};
    gsl_odeiv2_evolve_free(s.evolve);
    gsl_odeiv2_control_free(s.control);
    gsl_odeiv2_step_free(s.step);
    return ended;
}

static void check(const batch *b, size_t i, const char *output, double expected, double scale) {
    double found = batch_out(b, output)[i];
    CHECK_NEAR(found, expected, 1e-5 * scale, "%s, %s: %s", output, batch_mode(b, i),
               batch_text(b, i));
}

static void compare(const batch *b, size_t i, law which) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    double v[3] = {speed * cos(heading), speed * sin(heading), -1};
    body free = {.m = inertia_get(b, i), .mu = batch_in(b, "friction")[i], .tiny = 1e-7};
    ending end;
    CHECK(impact(&free, which, batch_in(b, "restitution")[i], v, &end), "no end: %s",
          batch_text(b, i));
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    check(b, i, "kinematic_restitution", end.v[2], 1);
    check(b, i, "kinetic_restitution", end.kinetic, 1);
    check(b, i, "energetic_restitution", end.energetic, 1);
    check(b, i, "velocity_ratio_out", hypot(end.v[0], end.v[1]), 1 + speed);
    check(b, i, "normal_impulse", end.p, end.p);
    const double *t = &batch_out(b, "tangential_impulse")[2 * i];
    CHECK_NEAR(t[0], end.p1, 1e-5 * end.p, "impulse 1: %s", batch_text(b, i));
    CHECK_NEAR(t[1], end.p2, 1e-5 * end.p, "impulse 2: %s", batch_text(b, i));
}

static void brute_force(void) {
    /* The first cells of all, and some of the few whose slip halts and starts again. */
    enum { CELLS = 5000, FIRST = 65, RESUMED = 8 };
    static const char *const laws[] = {"body=matrix3d law=newton", "body=matrix3d law=poisson",
                                       "body=matrix3d law=energetic"};
    int modes[8] = {0};
    for (int l = 0; l < SUITE_COUNT(laws); l++) {
        batch b = batch_open("swerve", laws[l], CELLS);
        random_source source = {7400 + (uint64_t)l};
        for (size_t i = 0; i < CELLS; i++) {
            inertia m = inertia_random(&source, 20);
            inertia_set(&b, i, &m);
            batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
            batch_in(&b, "velocity_ratio")[i] = i % 10 == 0 ? 0 : random_log(&source, 0.05, 5);
            batch_in(&b, "friction")[i] = random_between(&source, 0.05, 1.5);
            batch_in(&b, "restitution")[i] = random_between(&source, 0.05, 1);
        }
        batch_solve(&b);
        for (size_t i = 0, resumed = 0; i < CELLS; i++) {
            bool rare = strcmp(batch_mode(&b, i), "slip_resumed") == 0 && resumed < RESUMED;
            if (i < FIRST || rare) {
                modes[(int)batch_out(&b, "mode")[i]]++;
                resumed += rare;
                compare(&b, i, (law)l);
            }
        }
        batch_close(&b);
    }
    for (int mode = 1; mode <= 5; mode++) {
        CHECK(modes[mode] > 0, "mode %d does not occur", mode);
    }
}

SUITE("swerve, independent", brute_force)
