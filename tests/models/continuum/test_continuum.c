/* The theory `continuum`: reference values of a sphere, closed forms of gross slip and of a
 * constrained body, and identities of every body. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/continuum/problem.h"
#include "support/batch.h"
#include "support/contacts.h"
#include "support/pi.h"
#include "support/suite.h"

static double larger_of_one(double size) {
    return fmax(1, fabs(size));
}

/* ---- a sphere: psi = v_t / (friction eta |v_n|), chi = 1.75 / eta ---- */

/* psi2 over psi1, extrapolated from another integration of these equations (velocity Verlet), and
 * checked by a foundation of springs; the error is below 2e-11. */
typedef struct row {
    double nu, psi1, psi2;
} row;

static const row rows[] = {
    {0.30, 0.10, 0.02059070607},  {0.30, 0.30, 0.04585529830},  {0.30, 0.70, 0.02417241458},
    {0.30, 1.00, -0.05969670394}, {0.30, 1.50, -0.42801653174}, {0.30, 2.00, -0.83721000677},
    {0.30, 3.00, -1.37968329236}, {0.30, 4.00, -1.43651222469}, {0.30, 4.50, -1.21761729799},
    {0.30, 5.00, -0.76470588235}, {0.28, 0.10, 0.02280673270},  {0.28, 0.30, 0.05340890494},
    {0.28, 0.70, 0.04505336300},  {0.28, 1.00, -0.02886645325}, {0.28, 1.50, -0.38815236468},
    {0.28, 2.00, -0.79989788522}, {0.28, 3.00, -1.36273538683}, {0.28, 4.00, -1.46014700887},
    {0.28, 4.50, -1.27729600166}, {0.28, 5.00, -0.86046511628}};

static double ratio_of_poisson(double nu) {
    return (2 - nu) / (2 * (1 - nu));
}

static batch spheres(size_t n, double friction, double eta) {
    batch b = batch_open("continuum", "body=sphere", n);
    BATCH_SET(&b, {"friction", friction}, {"stiffness_ratio", eta});
    return b;
}

/* psi2 of cells whose psi1 are given. */
static void solve_psi(const batch *b, const double *psi1, double *psi2) {
    double unit = batch_in(b, "friction")[0] * batch_in(b, "stiffness_ratio")[0];
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "velocity_ratio")[i] = psi1[i] * unit;
    }
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
        psi2[i] = batch_out(b, "velocity_ratio_out")[i] / unit;
    }
}

static void check_rows(double friction, double tolerance, double error) {
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        batch b = spheres(1, friction, ratio_of_poisson(rows[i].nu));
        double psi2;
        batch_set(&b, "tolerance", tolerance);
        solve_psi(&b, &rows[i].psi1, &psi2);
        CHECK_NEAR(psi2, rows[i].psi2, error, "tolerance %g: %s", tolerance, batch_text(&b, 0));
        batch_close(&b);
    }
}

/* psi2 depends on psi1, but not on the friction. */
static void reference_values(void) {
    check_rows(0.3, 1e-8, 4e-9);
    check_rows(0.05, 1e-8, 2e-8);
    check_rows(1.7, 1e-8, 4e-9);
    check_rows(0.3, 1e-4, 4e-5);
    check_rows(0.3, 1e-6, 4e-7);
    check_rows(0.3, 1e-12, 3e-11);
}

/* Where psi1 >= 4 chi - 1 the whole contact slips throughout; just below, psi2 differs from psi1 -
 * 4 chi by the distance squared times a factor. */
static void limit_of_gross_slip(void) {
    enum { CELLS = 200 };
    double psi1[CELLS], psi2[CELLS], eta = ratio_of_poisson(0.3), chi = 1.75 / eta;
    batch b = spheres(CELLS, 0.4, eta);
    for (int i = 0; i < CELLS; i++) {
        psi1[i] = 4 * chi - 1 + 1e-9 + 0.05 * i;
    }
    solve_psi(&b, psi1, psi2);
    for (int i = 0; i < CELLS; i++) {
        CHECK_CELL_NEAR(&b, (size_t)i, psi2[i], psi1[i] - 4 * chi, 1e-14 * larger_of_one(psi1[i]));
        CHECK(strcmp(batch_sequence(&b, (size_t)i), "slip+") == 0, "%s",
              batch_sequence(&b, (size_t)i));
        psi1[i] = 4 * chi - 1 - 2e-4 * (i + 1);
    }
    batch_set(&b, "tolerance", 1e-12);
    solve_psi(&b, psi1, psi2);
    for (int i = 0; i < CELLS; i++) {
        double distance = 4 * chi - 1 - psi1[i], share = (psi2[i] - psi1[i] + 4 * chi);
        CHECK_NEAR(share / (distance * distance), 0.76, 0.02 + 1e-10 / (distance * distance), "%g",
                   distance);
        CHECK(strcmp(batch_mode(&b, (size_t)i), "slip_stick_slip_reversed") == 0, "%s",
              batch_mode(&b, (size_t)i));
    }
    batch_close(&b);
}

/* Up to psi1 = 1 the contact sticks at first, beyond it slips, and psi2 is continuous there. At
 * small psi1 psi2 is positive: the sphere goes on in the direction of its approach. */
static void limit_of_stick(void) {
    const double psi1[] = {1 - 1e-9, 1, 1 + 1e-9, 0.8099, 0.80994, 0.417};
    double psi2[6];
    batch b = spheres(6, 0.4, ratio_of_poisson(0.3));
    solve_psi(&b, psi1, psi2);
    CHECK(batch_sequence(&b, 0)[0] == 's' && batch_sequence(&b, 0)[1] == 't', "%s",
          batch_sequence(&b, 0));
    CHECK(strncmp(batch_sequence(&b, 1), "stick", 5) == 0, "%s", batch_sequence(&b, 1));
    CHECK(strncmp(batch_sequence(&b, 2), "slip+", 5) == 0, "%s", batch_sequence(&b, 2));
    CHECK_NEAR(psi2[0], psi2[1], 1e-7, "below psi1 = 1");
    CHECK_NEAR(psi2[2], psi2[1], 1e-7, "above psi1 = 1");
    CHECK(psi2[3] > 0 && psi2[4] < 0, "psi2 %g and %g", psi2[3], psi2[4]);
    CHECK_NEAR(psi2[5], 0.05002, 1e-5, "the largest");
    batch_close(&b);
}

/* ---- a constrained body: the restitution of two linear springs, and where it wedges ---- */

static void pendulums(void) {
    enum { CELLS = 2000 };
    batch b = batch_open("continuum", "body=pendulum", CELLS);
    batch linear = batch_open("compliant", "body=pendulum law=linear", CELLS);
    random_source source = {21};
    int wedged = 0, stuck = 0;
    contacts_draw(&b, &source);
    for (size_t i = 0; i < CELLS; i++) {
        static const char *const same[] = {"friction", "stiffness_ratio", "angle"};
        for (int k = 0; k < SUITE_COUNT(same); k++) {
            batch_in(&linear, same[k])[i] = batch_in(&b, same[k])[i];
        }
    }
    BATCH_SOLVE(&b, &linear);
    for (size_t i = 0; i < CELLS; i++) {
        const char *mode = batch_mode(&b, i);
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(strcmp(mode, batch_mode(&linear, i)) == 0, "%s instead of %s: %s", mode,
              batch_mode(&linear, i), batch_text(&b, i));
        CHECK_OUTPUT(&b, i, "residual", 0, 5e-8);
        wedged += strcmp(mode, "wedge") == 0;
        stuck += strcmp(mode, "gross_stick") == 0;
        double e = batch_out(&linear, "kinematic_restitution")[i];
        if (!isnan(e)) {
            CHECK_OUTPUT(&b, i, "kinematic_restitution", e, 1e-12);
            CHECK_OUTPUT(&b, i, "velocity_ratio_out", e / tan(batch_in(&b, "angle")[i]),
                         1e-9 * larger_of_one(1 / tan(batch_in(&b, "angle")[i])));
        }
    }
    CHECK(wedged > 100 && stuck > 100, "%d wedge, %d stick", wedged, stuck);
    BATCH_CLOSE(&b, &linear);
}

/* Slip that friction can just hold from the start: friction, stiffness ratio and the slope of the
 * velocity have the product 1, within `off`. */
static batch pendulums_on_the_limit(double off) {
    enum { CELLS = 2000 };
    batch b = batch_open("continuum", "body=pendulum", CELLS);
    random_source source = {22};
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.1, 1.5);
        double ratio = exp(random_between(&source, -2.5, 2.5));
        batch_in(&b, "angle")[i] = angle;
        batch_in(&b, "stiffness_ratio")[i] = ratio;
        batch_in(&b, "friction")[i] =
            (1 + off * random_between(&source, -2, 2)) / (ratio * tan(angle));
    }
    batch_solve(&b);
    return b;
}

/* (v_n(f) / v_n(0))^2 by Birlik. */
static double square_of_restitution(const batch *b, size_t i) {
    double slope = tan(batch_in(b, "angle")[i]), grip = batch_in(b, "friction")[i] / slope;
    double held = batch_in(b, "friction")[i] * batch_in(b, "stiffness_ratio")[i] * slope;
    return held >= 1 ? 1 : (1 - grip + 4 * grip * held / (held + 1)) / (1 + grip);
}

/* No such pendulum wedges, and all goes on smoothly across the limit. */
static void limit_of_pendulums(void) {
    static const double sizes[] = {0,     1e-16, 1e-15, 3e-15, 1e-14, 3e-14, 1e-13,
                                   3e-13, 1e-12, 1e-11, 1e-10, 1e-9,  1e-8};
    static const char *const smooth[] = {"duration", "compression_time", "normal_impulse",
                                         "peak_tangential_force"};
    for (int k = 0; k < SUITE_COUNT(sizes); k++) {
        batch b = pendulums_on_the_limit(sizes[k]), inside = batch_again(&b, "body=pendulum");
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&inside, "friction")[i] *= 1 + 1e-7;
        }
        batch_solve(&inside);
        for (size_t i = 0; i < b.n; i++) {
            double mode = batch_out(&b, "mode")[i], e = batch_out(&b, "kinematic_restitution")[i];
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK(mode == IMP_CONTINUUM_GROSS_STICK || mode == IMP_CONTINUUM_REVERSED, "%s: %s",
                  batch_mode(&b, i), batch_text(&b, i));
            CHECK_CELL_NEAR(&b, i, e, sqrt(square_of_restitution(&b, i)), 2e-14);
            CHECK_OUTPUT(&b, i, "energy_loss", 1 - e * e, 1e-14);
            for (int j = 0; j < SUITE_COUNT(smooth); j++) {
                double beside = batch_out(&inside, smooth[j])[i];
                CHECK_NEAR(batch_out(&b, smooth[j])[i], beside, 1e-6 * beside, "%s of %s",
                           smooth[j], batch_text(&b, i));
            }
        }
        BATCH_CLOSE(&b, &inside);
    }
}

/* ---- every free body ---- */

typedef struct inertia {
    double b11, b12, b22;
} inertia;

enum { CELLS = 6000 };

static inertia inertia_of(const batch *b, size_t i) {
    double coupling = batch_in(b, "inertia_coupling")[i], angle = 2 * batch_in(b, "angle")[i];
    return (inertia){1 + coupling * cos(angle), coupling * sin(angle), 1 - coupling * cos(angle)};
}

static double kinetic_energy(inertia b, double v_t, double v_n) {
    double square = b.b22 * v_t * v_t - 2 * b.b12 * v_t * v_n + b.b11 * v_n * v_n;
    return square / (2 * (b.b11 * b.b22 - b.b12 * b.b12));
}

/* Losses by friction in phases of slip, the account of works, momentum; all but the first are
 * recomputed here. */
static void check_conservation(const batch *b, size_t i) {
    inertia at = inertia_of(b, i);
    double v = batch_in(b, "velocity_ratio")[i], mu = batch_in(b, "friction")[i];
    double e = batch_out(b, "kinematic_restitution")[i];
    double out = batch_out(b, "velocity_ratio_out")[i];
    double p_n = batch_out(b, "normal_impulse")[i], p_t = batch_out(b, "tangential_impulse")[i];
    double before = kinetic_energy(at, v, -1), after = kinetic_energy(at, out, e);
    double loss = batch_out(b, "energy_loss")[i], size = larger_of_one(e) + fabs(out), sum = 0;
    double works = batch_out(b, "tangential_work_compression")[i] +
                   batch_out(b, "tangential_work_restitution")[i];
    CHECK_OUTPUT(b, i, "residual", 0, 1e-7);
    CHECK_NEAR(loss, (before - after) / before, 1e-7, "energy of %s", batch_text(b, i));
    CHECK_NEAR(works, (after - before) / before, 1e-7, "work of %s", batch_text(b, i));
    CHECK(loss >= -1e-12 && loss <= 1, "loss %.17g: %s", loss, batch_text(b, i));
    for (int k = 0; k < 8; k++) {
        double part = batch_out(b, "slip_loss")[8 * i + (size_t)k];
        CHECK(isnan(part) || part >= -1e-12, "loss %.17g: %s", part, batch_text(b, i));
        sum += isnan(part) ? 0 : part;
    }
    CHECK_NEAR(sum, loss, 1e-12, "losses of %s", batch_text(b, i));
    CHECK_CELL_NEAR(b, i, at.b12 * p_t + at.b22 * p_n, e + 1, 1e-9 * size);
    CHECK_CELL_NEAR(b, i, at.b11 * p_t + at.b12 * p_n, out - v, 1e-9 * size);
    CHECK(fabs(p_t) <= mu * p_n * (1 + 1e-9), "friction above its limit: %s", batch_text(b, i));
    CHECK_CELL(b, i, e > 0 && batch_out(b, "energetic_restitution")[i] == 1);
    CHECK_CELL(b, i,
               batch_out(b, "peak_tangential_force")[i] <=
                   mu * batch_out(b, "peak_normal_force")[i] * (1 + 1e-9));
}

/* The mode describes the centre of the contact, which sticks during partial slip. */
static const char *expected_mode(const char *sequence) {
    int n = 0, first = 0, last = 0, third = 0;
    for (const char *p = sequence; *p; p += strcspn(p, " "), p += *p == ' ') {
        bool slips = strncmp(p, "slip", 4) == 0;
        int now = !slips ? 1 : p[4] == '-' ? 2 : 3;
        if (now != last) {
            n++;
            first = n == 1 ? now : first;
            third = n == 3 ? now : third;
        }
        last = now;
    }
    static const char *const sticks_first[] = {"none", "gross_stick", "stick_slip", "multiple",
                                               "stick_slip_stick_slip"};
    if (n > 4 || (first != 1 && n != 1 && n != 3)) {
        return "multiple";
    }
    return first == 1       ? sticks_first[n]
           : n == 1         ? "gross_slip"
           : first == third ? "slip_stick_slip_same"
                            : "slip_stick_slip_reversed";
}

/* Phases change at every step, and a free body slips at the end. */
static void check_sequence(const batch *b, size_t i) {
    const char *sequence = batch_sequence(b, i);
    const char *last = strrchr(sequence, ' ') ? strrchr(sequence, ' ') + 1 : sequence;
    double m = batch_in(b, "friction")[i] * batch_in(b, "stiffness_ratio")[i];
    bool sticks = fabs(batch_in(b, "velocity_ratio")[i]) < m;
    CHECK((strncmp(sequence, "stick", 5) == 0) == sticks, "%s: %s", sequence, batch_text(b, i));
    if (!strstr(sequence, "...")) {
        CHECK(strncmp(last, "slip", 4) == 0, "%s: %s", sequence, batch_text(b, i));
        CHECK(strcmp(batch_mode(b, i), expected_mode(sequence)) == 0, "%s, %s: %s",
              batch_mode(b, i), sequence, batch_text(b, i));
    }
    CHECK(!strstr(sequence, "stick stick") && !strstr(sequence, "stick slip"), "%s: %s", sequence,
          batch_text(b, i));
}

static batch draw_general(uint64_t seed) {
    random_source source = {seed};
    batch b = batch_open("continuum", "body=general", CELLS);
    contacts_draw(&b, &source);
    for (size_t i = 0; i < CELLS; i += 2) {
        batch_in(&b, "velocity_ratio")[i] /= 8;
    }
    return b;
}

static void conservation(void) {
    batch b = draw_general(31);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        check_conservation(&b, i);
        check_sequence(&b, i);
    }
    batch_close(&b);
}

/* How outputs change in a mirror and where the stiffness ratio is absorbed into the body. */
static const struct {
    const char *output;
    int mirror, root;
} outputs[] = {{"kinematic_restitution", 1, 0},
               {"kinetic_restitution", 1, 0},
               {"velocity_ratio_out", -1, 1},
               {"normal_impulse", 1, 0},
               {"tangential_impulse", -1, -1},
               {"energy_loss", 1, 0},
               {"duration", 1, 0},
               {"compression_time", 1, 0},
               {"peak_normal_force", 1, 0},
               {"peak_tangential_force", 1, -1}};

/* A body as a matrix: mirrored, or with the stiffness ratio 1. */
static void check_changed(const batch *b, bool mirror, double tolerance) {
    batch other = batch_open("continuum", "body=matrix", b->n);
    for (size_t i = 0; i < b->n; i++) {
        inertia at = inertia_of(b, i);
        double ratio = batch_in(b, "stiffness_ratio")[i], root = mirror ? 1 : sqrt(ratio);
        double sign = mirror ? -1 : 1;
        batch_in(&other, "stiffness_ratio")[i] = mirror ? ratio : 1;
        batch_in(&other, "b11")[i] = at.b11 / (root * root);
        batch_in(&other, "b12")[i] = sign * at.b12 / root;
        batch_in(&other, "b22")[i] = at.b22;
        batch_in(&other, "friction")[i] = batch_in(b, "friction")[i] * root;
        batch_in(&other, "velocity_ratio")[i] = sign * batch_in(b, "velocity_ratio")[i] / root;
    }
    batch_solve(&other);
    for (size_t i = 0; i < b->n; i++) {
        double ratio = mirror ? 1 : batch_in(b, "stiffness_ratio")[i];
        for (int k = 0; k < SUITE_COUNT(outputs); k++) {
            double before = batch_out(b, outputs[k].output)[i];
            double factor = mirror ? outputs[k].mirror : pow(ratio, -0.5 * outputs[k].root);
            double after = batch_out(&other, outputs[k].output)[i] / factor;
            CHECK_NEAR(after, before, tolerance * larger_of_one(before), "%s of %s",
                       outputs[k].output, batch_text(b, i));
        }
        CHECK(batch_out(b, "mode")[i] == batch_out(&other, "mode")[i], "%s: %s",
              batch_mode(&other, i), batch_text(b, i));
    }
    batch_close(&other);
}

static void symmetries(void) {
    batch b = draw_general(32);
    batch_solve(&b);
    check_changed(&b, true, 1e-8);
    check_changed(&b, false, 1e-6);
    batch_close(&b);
}

/* The mirror image of a cell has the same bits. */
static void mirror_images(void) {
    batch b = draw_general(34), image = batch_again(&b, "body=general");
    for (size_t i = 0; i < b.n; i++) {
        batch_in(&image, "angle")[i] *= -1;
        batch_in(&image, "velocity_ratio")[i] *= -1;
    }
    BATCH_SOLVE(&b, &image);
    for (size_t i = 0; i < b.n; i++) {
        for (int k = 0; k < SUITE_COUNT(outputs); k++) {
            double before = batch_out(&b, outputs[k].output)[i];
            double after = outputs[k].mirror * batch_out(&image, outputs[k].output)[i];
            CHECK(batch_same(before, after), "%s %.17g and %.17g of %s", outputs[k].output, before,
                  after, batch_text(&b, i));
        }
    }
    BATCH_CLOSE(&b, &image);
}

/* ---- where modes meet ---- */

/* Moves one input of each pair of cells until they are next to each other, as long as their modes
 * differ; pairs of one mode stay as they are. */
static void bisect(batch *one, batch *other, const char *const *moved, int n_moved) {
    for (int step = 0; step < 70; step++) {
        batch middle = batch_again(one, "body=rod");
        for (size_t i = 0; i < one->n; i++) {
            const char *input = moved[i % (size_t)n_moved];
            batch_in(&middle, input)[i] = (batch_in(one, input)[i] + batch_in(other, input)[i]) / 2;
        }
        batch_solve(&middle);
        for (size_t i = 0; i < one->n; i++) {
            const char *input = moved[i % (size_t)n_moved];
            bool alike = middle.outcome[i] == IMP_SOLVED &&
                         batch_out(&middle, "mode")[i] == batch_out(one, "mode")[i];
            batch_in(alike ? one : other, input)[i] = batch_in(&middle, input)[i];
        }
        batch_close(&middle);
    }
    BATCH_SOLVE(one, other);
}

/* Cells on both sides of a border of modes are solved, and velocities go on across it. */
static void borders(void) {
    enum { PAIRS = 1200 };
    static const char *const moved[] = {"friction", "stiffness_ratio", "velocity_ratio"};
    batch one = batch_open("continuum", "body=rod", PAIRS);
    random_source source = {51};
    int met = 0;
    contacts_draw(&one, &source);
    batch other = batch_again(&one, "body=rod"), drawn = batch_again(&one, "body=rod");
    contacts_draw(&drawn, &source);
    for (size_t i = 0; i < PAIRS; i++) {
        const char *input = moved[i % SUITE_COUNT(moved)];
        batch_in(&other, input)[i] = batch_in(&drawn, input)[i];
    }
    batch_solve(&one);
    bisect(&one, &other, moved, SUITE_COUNT(moved));
    for (size_t i = 0; i < PAIRS; i++) {
        double v = batch_out(&one, "velocity_ratio_out")[i];
        CHECK_CELL(&other, i, other.outcome[i] == IMP_SOLVED);
        if (batch_out(&one, "mode")[i] != batch_out(&other, "mode")[i]) {
            met++;
            CHECK_CELL_NEAR(&one, i, batch_out(&other, "velocity_ratio_out")[i], v,
                            1e-6 * larger_of_one(v));
        }
    }
    CHECK(met > PAIRS / 4, "%d borders", met);
    BATCH_CLOSE(&one, &other, &drawn);
}

/* Every body over the box of tests/support/contacts.h, in which no cell may fail. */
static void check_body(const char *body, bool free, void *context) {
    enum { BOX = 1500 };
    random_source source = {41};
    batch b = batch_open("continuum", body, BOX);
    (void)free;
    (void)context;
    contacts_draw(&b, &source);
    batch_set(&b, "tolerance", 1e-6);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK_OUTPUT(&b, i, "residual", 0, 1e-5);
    }
    batch_close(&b);
}

static void named_body(const char *body, bool free, void *context) {
    char choices[64];
    snprintf(choices, sizeof choices, "body=%s", body);
    check_body(choices, free, context);
}

static void every_body(void) {
    contacts_every_body(named_body, NULL);
}

/* Errors are below the tolerance times a factor, but for few cells, and sequences hardly depend on
 * it. */
static void tolerances(void) {
    batch exact = draw_general(33);
    batch_set(&exact, "tolerance", 1e-12);
    batch_solve(&exact);
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100) {
        batch b = draw_general(33);
        int beyond = 0, other = 0;
        batch_set(&b, "tolerance", tolerance);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            static const char *const velocities[] = {"kinematic_restitution", "velocity_ratio_out"};
            for (int k = 0; k < SUITE_COUNT(velocities); k++) {
                double off = batch_out(&b, velocities[k])[i] - batch_out(&exact, velocities[k])[i];
                beyond += !(fabs(off) <= tolerance);
                CHECK_CELL_NEAR(&b, i, off, 0, 20 * tolerance);
            }
            other += batch_out(&b, "sequence")[i] != batch_out(&exact, "sequence")[i];
        }
        CHECK(beyond < CELLS / 100, "%d of %d beyond %g", beyond, CELLS, tolerance);
        CHECK(other <= 1 + CELLS * 50 * tolerance, "%d other sequences at %g", other, tolerance);
        batch_close(&b);
    }
    batch_close(&exact);
}

/* ---- couplings of the size of rounding ---- */

/* A rod that stands upright and strikes along the normal: its b12 is rounding; nothing slips. */
static void upright(void) {
    static const double frictions[] = {.2, .3, .5, 1, 2, 3, 10}, ratios[] = {.8, 1, 1.21, 1.5, 2};
    for (int side = -1; side < 2; side += 2) {
        batch b = batch_open("continuum", "body=rod", SUITE_COUNT(frictions) * SUITE_COUNT(ratios));
        BATCH_SET(&b, {"angle", side * (pi / 2)}, {"velocity_ratio", 0});
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&b, "friction")[i] = frictions[i % SUITE_COUNT(frictions)];
            batch_in(&b, "stiffness_ratio")[i] = ratios[i / SUITE_COUNT(frictions)];
        }
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_CELL(&b, i, batch_out(&b, "mode")[i] == IMP_CONTINUUM_GROSS_STICK);
            CHECK_OUTPUT(&b, i, "kinematic_restitution", 1, 1e-15);
            CHECK_OUTPUT(&b, i, "tangential_impulse", 0, 1e-15);
        }
        batch_close(&b);
    }
}

/* Couplings that are hardly more: the tangential velocity is at most that of a body without
 * friction, 2 b12. A cell that rounding halts is solved as a neighbour within 1e-11. */
static void hardly_coupled(void) {
    static const double b11[] = {1, 1.5, 2, 3.5, 10}, sizes[] = {1, -1.8, 3.3};
    for (double b12 = 1e-18; b12 < 1e-5; b12 *= 10) {
        batch b = batch_open("continuum", "body=matrix", SUITE_COUNT(b11) * SUITE_COUNT(sizes));
        BATCH_SET(&b, {"b22", 1}, {"stiffness_ratio", 1.21}, {"velocity_ratio", 0});
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&b, "friction")[i] = b11[(i + 2) % SUITE_COUNT(b11)];
            batch_in(&b, "b11")[i] = b11[i % SUITE_COUNT(b11)];
            batch_in(&b, "b12")[i] = b12 * sizes[i / SUITE_COUNT(b11)];
        }
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            double most = 2 * fabs(batch_in(&b, "b12")[i]) + 1e-11;
            CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
            CHECK_OUTPUT(&b, i, "velocity_ratio_out", 0, most);
        }
        batch_close(&b);
    }
}

/* Strong friction holds all but thin rings, and the more there is of it the less it matters. The
 * way in which the loss of these is told changes at 1e3. */
static void strong_friction(void) {
    enum { RODS = 100 };
    static const double frictions[] = {1000, 1e4, 1e5, 3e5, 1e6, 1e7};
    double before[RODS], friction = nextafter(frictions[0], INFINITY);
    for (int k = -1; k < SUITE_COUNT(frictions); k++) {
        batch b = batch_open("continuum", "body=rod", RODS);
        random_source source = {31};
        for (size_t i = 0; i < RODS; i++) {
            batch_in(&b, "angle")[i] = random_between(&source, -1.5, 1.5);
            batch_in(&b, "stiffness_ratio")[i] = random_between(&source, 0.5, 1.5);
            batch_in(&b, "velocity_ratio")[i] = random_between(&source, -4, 4);
            batch_in(&b, "friction")[i] = k < 0 ? friction : frictions[k];
        }
        batch_solve(&b);
        for (size_t i = 0; i < RODS; i++) {
            double most = k <= 0 ? 1e-9 : 5 / frictions[k - 1];
            CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
            CHECK_OUTPUT(&b, i, "residual", 0, k < 5 ? 1e-7 : 2e-6);
            if (k >= 0) {
                CHECK_OUTPUT(&b, i, "kinematic_restitution", before[i], most);
            }
            before[i] = batch_out(&b, "kinematic_restitution")[i];
        }
        batch_close(&b);
    }
}

SUITE("continuum", reference_values, limit_of_gross_slip, limit_of_stick, pendulums,
      limit_of_pendulums, conservation, symmetries, every_body, tolerances, upright, hardly_coupled,
      mirror_images, borders, strong_friction)
