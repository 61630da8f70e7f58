/* The theory `continuum` against two discretisations of its equations without phases, layers or
 * series: a foundation of springs, each with its own limit of friction, and shells of constant
 * density, which every small step adds, removes or reverses by the rules of Jaeger's superposition.
 * Both march by velocity Verlet. The scales are those of the theory: B by b22, normal force
 * delta^1.5, approach at speed 1. */
#include <math.h>
#include <stdlib.h>

#include "support/batch.h"
#include "support/contacts.h"
#include "support/suite.h"

/* dw/dt = alpha G - delta^1.5, du/dt = beta delta^1.5 - gamma G, and u(0). */
typedef struct problem {
    double alpha, beta, gamma, u;
} problem;

typedef struct motion {
    double delta, w, zeta, u, p, g, time;
} motion;

/* ---- a foundation of springs ---- */

enum { SPRINGS = 2500, STEPS = 2500 };

/* Spring i touches when delta > place[i], and represents the forces between edge[i] and edge[i +
 * 1]. */
typedef struct foundation {
    double place[SPRINGS], weight[SPRINGS], bent[SPRINGS];
    double delta;
} foundation;

static void foundation_open(foundation *f, double deepest) {
    double before = 0;
    for (int i = 0; i < SPRINGS; i++) {
        double root = sqrt(deepest) * (i + 1) / SPRINGS;
        f->place[i] = (before * before + root * root) / 2;
        f->weight[i] = 1.5 * (root - before);
        f->bent[i] = 0;
        before = root;
    }
    f->delta = 0;
}

/* Springs that are touched within the step take only the part of the displacement after the
 * touch. */
static double foundation_force(void *context, double delta, double shift) {
    foundation *f = context;
    double force = 0;
    for (int i = 0; i < SPRINGS && f->place[i] < fmax(delta, f->delta); i++) {
        bool touched = f->place[i] < f->delta;
        double part = touched               ? 1
                      : f->place[i] < delta ? (delta - f->place[i]) / (delta - f->delta)
                                            : 0;
        double most = fmax(0, delta - f->place[i]);
        f->bent[i] = fmax(-most, fmin(most, f->bent[i] + shift * part));
        force += f->bent[i] * f->weight[i];
    }
    f->delta = delta;
    return force;
}

/* ---- shells ---- */

enum { MOST_SHELLS = 400000 };

/* Shells from the centre outward: ends, and Z and G up to there. */
typedef struct shells {
    int n;
    double delta, zeta;
    double end[MOST_SHELLS], z[MOST_SHELLS], g[MOST_SHELLS];
    double stuck; /* c */
} shells;

static double power(double w) {
    return w * sqrt(w);
}

static double end_of(const shells *s, int n) {
    return n > 0 ? s->end[n - 1] : 0;
}

static double density(const shells *s, int i) {
    double from = end_of(s, i), z = i > 0 ? s->z[i - 1] : 0;
    return (s->z[i] - z) / (s->end[i] - from);
}

/* Cuts the shells at w inside shell n, and removes the rest. */
static void cut(shells *s, int n, double w) {
    double from = end_of(s, n), z = n > 0 ? s->z[n - 1] : 0, g = n > 0 ? s->g[n - 1] : 0;
    double h = density(s, n);
    s->z[n] = z + h * (w - from);
    s->g[n] = g + h * (power(w) - power(from));
    s->end[n] = w;
    s->n = w > from ? n + 1 : n;
}

static void append(shells *s, double end, double h) {
    double from = end_of(s, s->n), z = s->n > 0 ? s->z[s->n - 1] : 0;
    double g = s->n > 0 ? s->g[s->n - 1] : 0;
    if (end > from && s->n < MOST_SHELLS) {
        s->end[s->n] = end;
        s->z[s->n] = z + h * (end - from);
        s->g[s->n] = g + h * (power(end) - power(from));
        s->n++;
    }
}

/* Shells from the edge inward slip in direction s, until the displacement is reached. */
static void overwrite(shells *s, double sign, double delta) {
    while (s->n > 0) {
        int n = s->n - 1;
        double z = n > 0 ? s->z[n - 1] : 0;
        /* Negative where c is too far out. */
        if (sign * (s->zeta - z) <= delta - end_of(s, n)) {
            double h = density(s, n), from = end_of(s, n);
            double left = delta - from - sign * (s->zeta - z);
            double c = from + left / (1 - sign * h);
            if (sign * h < 1 && c < s->end[n]) {
                cut(s, n, c);
            }
            break;
        }
        s->n--;
    }
    if (s->n == 0) {
        s->zeta = sign * delta;
    }
    s->stuck = end_of(s, s->n);
    append(s, delta, sign);
}

static double shells_force(void *context, double delta, double shift) {
    shells *s = context;
    double rise = delta - s->delta;
    s->zeta += shift;
    if (rise > 0 && fabs(shift) <= rise) {
        append(s, delta, shift / rise);
        s->stuck = delta;
    } else if (rise > 0) {
        overwrite(s, shift > 0 ? 1 : -1, delta);
    } else {
        while (s->n > 0 && end_of(s, s->n - 1) >= delta) {
            s->n--;
        }
        if (s->n > 0 && s->end[s->n - 1] > delta) {
            cut(s, s->n - 1, delta);
        }
        double z = s->n > 0 ? s->z[s->n - 1] : 0;
        overwrite(s, s->zeta > z ? 1 : -1, delta);
    }
    s->delta = delta;
    return s->n > 0 ? s->g[s->n - 1] : 0;
}

/* ---- the march ---- */

typedef double force_of(void *context, double delta, double shift);

/* The length of a step, by which the fastest oscillation of the contact has many. */
static double step_of(const problem *p, int steps) {
    return 3 / pow(1 + fabs(p->alpha), 0.4) / steps / sqrt(fmax(1, 0.6 * p->gamma));
}

static motion follow(const problem *p, double dt, force_of *force, void *context, double (*seen)[2],
                     int *n_seen, int most_seen) {
    motion m = {.w = 1, .u = p->u};
    double a_w = 0, a_u = 0, f = 0, g = 0;
    for (int i = 0; i < 400000; i++) {
        double delta = m.delta + dt * (m.w + dt / 2 * a_w);
        if (delta <= 0) {
            /* The rest of the contact, during which the force falls as the remaining time to the
             * power 1.5. */
            double tau = -m.delta / m.w;
            m.p += 0.4 * tau * f;
            m.g += 0.4 * tau * g;
            m.w += 0.4 * tau * a_w;
            m.u += 0.4 * tau * a_u;
            m.time += tau;
            return m;
        }
        double next = force(context, delta, dt * (m.u + dt / 2 * a_u)), rise = power(delta);
        double w_next = p->alpha * next - rise, u_next = p->beta * rise - p->gamma * next;
        m.w += dt / 2 * (a_w + w_next);
        m.u += dt / 2 * (a_u + u_next);
        m.p += dt / 2 * (f + rise);
        m.g += dt / 2 * (g + next);
        m.time += dt;
        m.delta = delta;
        a_w = w_next;
        a_u = u_next;
        f = rise;
        g = next;
        if (seen && *n_seen < most_seen) {
            seen[*n_seen][0] = m.time;
            seen[(*n_seen)++][1] = sqrt(((shells *)context)->stuck / delta);
        }
    }
    m.w = NAN;
    return m;
}

static motion by_springs(const problem *p) {
    static foundation f;
    double q =
        1 - p->alpha * copysign(1, p->u); /* the indentation is deepest with slip from the start */
    foundation_open(&f, 1.3 * pow(1.25, 0.4) * fmax(1, q > 0.2 ? pow(q, -0.4) : 2));
    return follow(p, step_of(p, STEPS), foundation_force, &f, NULL, NULL, 0);
}

static motion by_shells(const problem *p, int steps) {
    static shells s;
    s.n = 0;
    s.delta = s.zeta = 0;
    return follow(p, step_of(p, steps), shells_force, &s, NULL, NULL, 0);
}

/* ---- against the theory ---- */

/* Bodies by their B with b22 = 1. */
static problem problem_at(const batch *b, size_t i) {
    double mu = batch_in(b, "friction")[i], eta = batch_in(b, "stiffness_ratio")[i], m = mu * eta;
    double c = batch_in(b, "b12")[i], a = batch_in(b, "b11")[i];
    return (problem){mu * c, c / m, a / eta, batch_in(b, "velocity_ratio")[i] / m};
}

static batch draw(size_t n, uint64_t seed) {
    batch b = batch_open("continuum", "body=matrix", n);
    random_source source = {seed};
    for (size_t i = 0; i < n; i++) {
        double a = random_log(&source, 0.5, 8), eta = random_between(&source, 0.5, 2);
        double mu = random_between(&source, 0.1, 0.8);
        batch_in(&b, "friction")[i] = mu;
        batch_in(&b, "stiffness_ratio")[i] = eta;
        batch_in(&b, "b11")[i] = a;
        batch_in(&b, "b22")[i] = 1;
        batch_in(&b, "b12")[i] = random_between(&source, -0.7, 0.7) * sqrt(a);
        batch_in(&b, "velocity_ratio")[i] = random_between(&source, -5, 5) * mu * eta;
    }
    batch_solve(&b);
    return b;
}

static void check(const batch *b, size_t i, const motion *m, double tolerance) {
    double mu = batch_in(b, "friction")[i], mobility = mu * batch_in(b, "stiffness_ratio")[i];
    double e = batch_out(b, "kinematic_restitution")[i], size = 1 + fabs(e);
    CHECK_NEAR(e, -m->w, tolerance * size, "%s: %s", batch_sequence(b, i), batch_text(b, i));
    CHECK_NEAR(batch_out(b, "velocity_ratio_out")[i], mobility * m->u,
               tolerance * size * fmax(1, mobility), "%s: %s", batch_sequence(b, i),
               batch_text(b, i));
    CHECK_OUTPUT(b, i, "normal_impulse", m->p, tolerance * size);
    CHECK_OUTPUT(b, i, "tangential_impulse", -mu * m->g, tolerance * size);
    CHECK_OUTPUT(b, i, "duration", m->time, 2 * tolerance * (1 + m->time));
}

static void springs(void) {
    batch b = draw(60, 11);
    for (size_t i = 0; i < b.n; i++) {
        problem p = problem_at(&b, i);
        motion m = by_springs(&p);
        check(&b, i, &m, 3e-6);
    }
    batch_close(&b);
}

static motion mixed(const motion *one, const motion *two, double weight) {
    return (motion){.w = two->w + weight * (two->w - one->w),
                    .u = two->u + weight * (two->u - one->u),
                    .p = two->p + weight * (two->p - one->p),
                    .g = two->g + weight * (two->g - one->g),
                    .time = two->time + weight * (two->time - one->time)};
}

/* Extrapolated from two steps of second order. */
static void superposition(void) {
    batch b = draw(250, 12);
    for (size_t i = 0; i < b.n; i++) {
        problem p = problem_at(&b, i);
        motion coarse = by_shells(&p, 3000), fine = by_shells(&p, 6000);
        motion m = mixed(&coarse, &fine, 1.0 / 3);
        check(&b, i, &m, 5e-8);
    }
    batch_close(&b);
}

/* ---- the radius of the circle that sticks ---- */

typedef struct tape {
    imp_recorder recorder;
    const double (*seen)[2];
    int n_seen, at, compared;
    double largest;
} tape;

static void compare_radius(imp_recorder *recorder, const double *row, int phase, int event) {
    enum { TIME = 0, STUCK = 9, PARTIAL_BACK = 4 };
    tape *t = (tape *)recorder;
    while (t->at + 1 < t->n_seen && t->seen[t->at + 1][0] < row[TIME]) {
        t->at++;
    }
    if (event == 0 && phase >= PARTIAL_BACK && t->at + 1 < t->n_seen) {
        double low = fmin(t->seen[t->at][1], t->seen[t->at + 1][1]);
        double high = fmax(t->seen[t->at][1], t->seen[t->at + 1][1]);
        double off = fmax(low - row[STUCK], row[STUCK] - high);
        t->largest = fmax(t->largest, off);
        t->compared++;
    }
}

static void stuck_radius(void) {
    enum { MOST = 60000 };
    static double seen[MOST][2];
    static shells s;
    batch b = draw(40, 13);
    int compared = 0;
    for (size_t i = 0; i < b.n; i++) {
        problem p = problem_at(&b, i);
        tape t = {.recorder = {200, compare_radius}, .seen = (const double(*)[2])seen};
        s.n = 0;
        s.delta = s.zeta = 0;
        follow(&p, step_of(&p, 6000), shells_force, &s, seen, &t.n_seen, MOST);
        CHECK_CELL(&b, i, batch_trace(&b, i, &t.recorder) == IMP_SOLVED);
        CHECK(t.largest < 1e-4, "radius off by %g: %s", t.largest, batch_text(&b, i));
        compared += t.compared;
    }
    CHECK(compared > 1000, "%d rows of partial slip", compared);
    batch_close(&b);
}

SUITE("continuum independent", springs, superposition, stuck_radius)
