#include "support/dashpots.h"

#include <math.h>
#include <string.h>

#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

double dashpots_value(const batch *b, const char *output, size_t i) {
    const double *values = batch_out(b, output);
    size_t length = strcmp(output, "slip_loss") == 0 ? 8 : 1;
    double sum = 0;
    for (size_t k = 0; k < length; k++) {
        double value = values[i * length + k];
        sum += length > 1 && isnan(value) ? 0 : value;
    }
    return sum;
}

/* ---- cells of an integration ---- */

/* 1 over the mean of b11 and b22, which is the mass but for the pendulum; the difference of the two
 * and b12, over their mean. */
static void set_mobility(dashpots_contact *c, const batch *b, size_t i, dashpots_body body) {
    bool sphere = body == DASHPOTS_SPHERE, hangs = body == DASHPOTS_PENDULUM;
    double mass = (hangs ? 2 : 1) * batch_in(b, "mass")[i];
    double twice = sphere ? 0 : 2 * batch_in(b, "angle")[i];
    double coupling = sphere ? 0 : hangs ? 1 : batch_in(b, "inertia_coupling")[i];
    c->b11 = sphere ? 3.5 / mass : (1 + coupling * cos(twice)) / mass;
    c->b12 = coupling * sin(twice) / mass;
    c->b22 = (1 - coupling * cos(twice)) / mass;
}

/* v . B^-1 v / 2; a pendulum moves in one direction. */
static double energy_of(const dashpots_contact *c, dashpots_body body) {
    double determinant = c->b11 * c->b22 - c->b12 * c->b12;
    return body == DASHPOTS_PENDULUM ? c->v_n * c->v_n / c->b22 / 2
                                     : (c->b22 * c->v_t * c->v_t - 2 * c->b12 * c->v_t * c->v_n +
                                        c->b11 * c->v_n * c->v_n) /
                                           2 / determinant;
}

dashpots_contact dashpots_contact_of(const batch *b, size_t i, dashpots_body body) {
    dashpots_contact c = {.k3 = batch_in(b, "normal_stiffness")[i],
                          .friction = batch_in(b, "friction")[i],
                          .by_elongation = batch_in(b, "contact_end")[i] > 0,
                          .v_n = -batch_in(b, "normal_speed")[i]};
    set_mobility(&c, b, i, body);
    c.k1 = c.k3 / batch_in(b, "stiffness_ratio")[i];
    c.c1 = 2 * batch_in(b, "tangential_damping_ratio")[i] * sqrt(c.k1 / c.b11);
    c.c3 = 2 * batch_in(b, "normal_damping_ratio")[i] * sqrt(c.k3 / c.b22);
    c.v_t = body == DASHPOTS_PENDULUM ? c.b12 / c.b22 * c.v_n
                                      : -c.v_n * batch_in(b, "velocity_ratio")[i];
    c.energy = energy_of(&c, body);
    return c;
}

int dashpots_first_phase(const dashpots_contact *c) {
    int slip = c->v_t < 0 ? -1 : 1;
    if (c->c1 > 0) {
        return c->c1 * fabs(c->v_t) < c->friction * c->c3 * fabs(c->v_n) ? 0 : slip;
    }
    return c->c3 > 0 && c->friction > 0 ? 0 : slip;
}

void dashpots_compare(const batch *b, size_t i, const dashpots_contact *c, const dashpots_end *end,
                      double tolerance) {
    const struct {
        const char *output;
        double value, scale;
    } all[] = {
        {"kinematic_restitution", -end->v_n / c->v_n, 1},
        {"velocity_ratio_out", -end->v_t / c->v_n, 1},
        {"normal_impulse", end->normal_impulse, end->normal_impulse},
        {"tangential_impulse", end->tangential_impulse, end->normal_impulse},
        {"duration", end->duration, end->duration},
        {"compression_time", end->compression_time, end->duration},
        {"normal_loss", end->normal_loss / c->energy, 1},
        {"tangential_loss", end->tangential_loss / c->energy, 1},
        {"slip_loss", end->slip_loss / c->energy, 1},
        {"trapped_energy", end->trapped_energy / c->energy, 1},
    };
    for (int k = 0; k < SUITE_COUNT(all); k++) {
        CHECK_NEAR(dashpots_value(b, all[k].output, i), all[k].value, tolerance * all[k].scale,
                   "%s of %s", all[k].output, batch_text(b, i));
    }
}

/* ---- closed forms of a normal impact ---- */

/* Restitution and duration of a contact that ends by force, in units of the undamped oscillator. */
static void end_by_force(double z, double *e, double *time) {
    long double x = z, root = sqrtl(fabsl((1 - x) * (1 + x)));
    long double half = z < 1 ? atan2l(root, x) / root : z > 1 ? log1pl((x - 1) + root) / root : 1;
    *e = (double)expl(-2 * x * half);
    *time = (double)(2 * half);
}

/* Damping ratios of every size, and some beside 1. */
static double draw_ratio(random_source *source, int i) {
    double near = random_log(source, 1e-9, 1e-2), sign = random_index(source, 2) ? 1 : -1;
    return i % 10 == 0 ? 1 : i % 10 == 1 ? 1 + sign * near : random_log(source, 1e-6, 30);
}

/* Of unit mass along the normal; guided: its point cannot leave it. */
static batch open_normal_impacts(bool guided, size_t n) {
    batch b =
        batch_open("compliant", guided ? "body=matrix law=dashpot" : "body=general law=dashpot", n);
    batch_set(&b, "velocity_ratio", 0);
    if (guided) {
        BATCH_SET(&b, {"b11", 0}, {"b12", 0}, {"b22", 1});
    } else {
        BATCH_SET(&b, {"inertia_coupling", 0}, {"mass", 1});
    }
    return b;
}

/* friction 0 is a slip, friction 1 a stick: both know the same end. */
static void check_closed(bool guided, double friction, double end, size_t n) {
    batch b = open_normal_impacts(guided, n);
    random_source source = {81};
    BATCH_SET(&b, {"friction", friction}, {"contact_end", end});
    double *z = batch_in(&b, "normal_damping_ratio");
    for (size_t i = 0; i < n; i++) {
        z[i] = draw_ratio(&source, (int)(i % 10)) * (end > 0 ? 0.03 : 1);
    }
    batch_solve(&b);
    for (size_t i = 0; i < n; i++) {
        double e, time, size = sqrt(fabs((1 - z[i]) * (1 + z[i])));
        end_by_force(z[i], &e, &time);
        if (end > 0) {
            e = exp(-pi * z[i] / size);
            time = pi / size;
        }
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 4e-15 * e * or_one(time));
        CHECK_OUTPUT(&b, i, "duration", time, (guided ? 1e-13 : 4e-15) * time);
    }
    batch_close(&b);
}

void dashpots_check_closed(size_t n) {
    for (int k = 0; k < 8; k++) {
        check_closed(k / 4 > 0, k % 2, k / 2 % 2, n);
    }
}

/* ---- energy account ---- */

void dashpots_draw(const batch *b, random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        for (int p = 0; p < imp_input_count(b->solver); p++) {
            b->in[p][i] = batch_draw(imp_input_at(b->solver, p), source);
        }
        batch_in(b, "friction")[i] = random_between(source, 0, 1.5);
        batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.3, 4);
        batch_in(b, "normal_damping_ratio")[i] = random_between(source, 0, 1.5);
        batch_in(b, "tangential_damping_ratio")[i] = random_between(source, 0, 1.5);
    }
}

static void check_account(const batch *b, size_t i, size_t *outside) {
    bool pulled = batch_in(b, "contact_end")[i] > 0;
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED || b->outcome[i] == IMP_OUTSIDE);
    if (b->outcome[i] != IMP_SOLVED) {
        *outside += pulled ? 0 : 1;
        return;
    }
    double normal = batch_out(b, "normal_loss")[i], tangential = batch_out(b, "tangential_loss")[i];
    double slip = dashpots_value(b, "slip_loss", i), trapped = batch_out(b, "trapped_energy")[i];
    double loss = batch_out(b, "energy_loss")[i];
    bool wedges = batch_has_mode(b, i, "wedge");
    /* The matrix of a lamina with its mass near one place is singular but for 1e-8. */
    CHECK_OUTPUT(b, i, "residual", 0, 1e-8);
    CHECK_CELL_NEAR(b, i, normal + tangential + slip + (wedges ? 0 : trapped), loss, 1e-13);
    CHECK(normal > -1e-14 && tangential > -1e-14 && slip > -1e-14 && trapped >= 0,
          "%g %g %g %g: %s", normal, tangential, slip, trapped, batch_text(b, i));
    if (!wedges) {
        double e = batch_out(b, "kinematic_restitution")[i];
        CHECK(e >= 0 && fabs(batch_out(b, "tangential_impulse")[i]) < INFINITY, "%g: %s", e,
              batch_text(b, i));
    }
}

static const char *const bodies[] = {"sphere",  "rod",    "general",         "pendulum",   "matrix",
                                     "capsule", "lamina", "double_pendulum", "two_laminae"};

/* ---- extremes ---- */

/* The most friction and the largest ratio of damping. */
typedef struct extreme {
    double friction, ratio;
} extreme;

static void draw_extreme(const batch *b, size_t i, const extreme *most, random_source *source) {
    bool pulled = i % 4 == 0;
    batch_in(b, "friction")[i] = random_log(source, 1e-3, most->friction);
    batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.1, 10);
    batch_in(b, "contact_end")[i] = pulled;
    batch_in(b, "normal_damping_ratio")[i] = random_log(source, 1e-8, pulled ? 0.6 : most->ratio);
    batch_in(b, "tangential_damping_ratio")[i] = random_log(source, 1e-8, most->ratio);
}

/* Rounding grows with friction and damping: of 500 cells one may be off by more than 1e-7, and one
 * may end without a result (35 of 20,000 pendulums, 5 of 340,000 others). */
static void check_extreme_cells(const batch *b, size_t n) {
    size_t coarse = 0, lost = 0;
    for (size_t i = 0; i < n; i++) {
        if (b->outcome[i] == IMP_SOLVED) {
            double residual = fabs(batch_out(b, "residual")[i]);
            CHECK(residual <= 1e-6, "%g: %s", residual, batch_text(b, i));
            coarse += residual > 1e-7;
        } else if (b->outcome[i] != IMP_OUTSIDE) {
            CHECK_CELL(b, i, b->outcome[i] == IMP_BUDGET || b->outcome[i] == IMP_NO_CONVERGENCE);
            lost++;
        }
    }
    CHECK(coarse <= n / 500 && lost <= n / 500, "%zu coarse, %zu lost: %s", coarse, lost,
          batch_text(b, 0));
}

static void check_extremes(const char *body, size_t n, const extreme *most) {
    char choices[64] = "law=dashpot body=";
    batch b = batch_open("compliant", strcat(choices, body), n);
    random_source source = {88};
    for (size_t i = 0; i < n; i++) {
        for (int p = 0; p < imp_input_count(b.solver); p++) {
            b.in[p][i] = batch_draw(imp_input_at(b.solver, p), &source);
        }
        draw_extreme(&b, i, most, &source);
    }
    batch_solve(&b);
    check_extreme_cells(&b, n);
    batch_close(&b);
}

void dashpots_check_extremes(size_t n) {
    static const extreme all[] = {{1e2, 1e8}, {1e9, 1e2}};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        for (int e = 0; e < SUITE_COUNT(all); e++) {
            check_extremes(bodies[k], n, &all[e]);
        }
    }
}

void dashpots_check_energy(size_t n) {
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        char choices[64] = "body=";
        strcat(strcat(choices, bodies[k]), " law=dashpot");
        batch b = batch_open("compliant", choices, n);
        random_source source = {82};
        size_t outside = 0;
        dashpots_draw(&b, &source);
        batch_solve(&b);
        for (size_t i = 0; i < n; i++) {
            check_account(&b, i, &outside);
        }
        bool bounded = strcmp(bodies[k], "matrix") == 0 || strcmp(bodies[k], "capsule") == 0 ||
                       strstr(bodies[k], "pendulum");
        CHECK(outside == 0 || bounded, "%s: %zu outside", bodies[k], outside);
        batch_close(&b);
    }
}
