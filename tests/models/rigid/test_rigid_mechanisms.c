/* Rigid impact of mechanisms: the pendulum's closed forms, its limit of stiff springs, the double
 * pendulum from its mass matrix. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 50000 };

/* ---- pendulum ---- */

/* With T = tan(angle) and c2 = (T - mu)/(T + mu): it wedges iff mu >= T, otherwise it leaves at
 * e sqrt(c2) (energetic), e c2 (poisson), e (newton) times its speed. */
static void check_pendulum(const char *choices, double (*expected)(double e, double c2)) {
    batch b = batch_open("rigid", choices, CELLS);
    random_source source = {511};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 0.001, pi / 2 - 0.001);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "restitution")[i] = random_between(&source, 0, 1);
    }
    batch_solve(&b);
    int wedged = 0;
    for (size_t i = 0; i < CELLS; i++) {
        double t = tan(batch_in(&b, "angle")[i]), mu = batch_in(&b, "friction")[i];
        double c2 = (t - mu) / (t + mu), e = batch_in(&b, "restitution")[i];
        bool wedge = strcmp(batch_mode(&b, i), "wedge") == 0;
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(wedge == (mu >= t) || fabs(mu - t) < 1e-11, "wedge: %s", batch_text(&b, i));
        wedged += wedge;
        if (wedge) {
            CHECK_CELL(&b, i, batch_out(&b, "energy_loss")[i] == 1);
            CHECK_CELL(&b, i, isnan(batch_out(&b, "kinematic_restitution")[i]));
            continue;
        }
        double found = batch_out(&b, "kinematic_restitution")[i];
        CHECK_CELL_NEAR(&b, i, found * found, pow(expected(e, c2), 2), 1e-13);
        CHECK_CELL_NEAR(&b, i, batch_out(&b, "velocity_ratio_out")[i] * t, found, 1e-12);
        /* The law newton needs ever larger impulses towards the wedge. */
        CHECK_OUTPUT(&b, i, "energy_loss", 1 - found * found,
                     1e-13 + 1e-15 * batch_out(&b, "normal_impulse")[i]);
    }
    CHECK(wedged > CELLS / 10 && wedged < 9 * CELLS / 10, "%d cells wedge", wedged);
    batch_close(&b);
}

static double by_newton(double e, double c2) {
    (void)c2;
    return e;
}

static double by_poisson(double e, double c2) {
    return e * c2;
}

static double by_energetic(double e, double c2) {
    return e * sqrt(c2);
}

static void pendulum(void) {
    check_pendulum("body=pendulum law=newton", by_newton);
    check_pendulum("body=pendulum law=poisson", by_poisson);
    check_pendulum("body=pendulum law=energetic", by_energetic);
}

/* The limit of the compliant theory for a stiff tangential spring, without losses of the
 * springs. */
static void stiff_limit(const char *body, double tolerance) {
    char rigid_choices[80] = "law=energetic body=", stiff_choices[80] = "law=linear body=";
    strcat(rigid_choices, body);
    strcat(stiff_choices, body);
    batch rigid = batch_open("rigid", rigid_choices, 2000);
    batch stiff = batch_open("compliant", stiff_choices, 2000);
    random_source source = {512};
    int compared = 0;
    batch_set(&rigid, "restitution", 1);
    batch_set(&stiff, "stiffness_ratio", 1e-6);
    for (size_t i = 0; i < rigid.n; i++) {
        double angle = random_between(&source, 0.02, pi / 2 - 0.02);
        double friction = random_between(&source, 0, 1.5);
        const char *name = imp_input(rigid.solver, "q1") >= 0 ? "q1" : "angle";
        batch_in(&rigid, name)[i] = batch_in(&stiff, name)[i] = angle;
        batch_in(&rigid, "friction")[i] = batch_in(&stiff, "friction")[i] = friction;
        if (imp_input(rigid.solver, "q2") >= 0) {
            batch_in(&rigid, "q2")[i] = batch_in(&stiff, "q2")[i] = angle;
        }
    }
    BATCH_SOLVE(&rigid, &stiff);
    for (size_t i = 0; i < rigid.n; i++) {
        double one = batch_out(&rigid, "kinematic_restitution")[i];
        double other = batch_out(&stiff, "kinematic_restitution")[i];
        bool wedges = strcmp(batch_mode(&rigid, i), "wedge") == 0;
        bool other_wedges = strcmp(batch_mode(&stiff, i), "wedge") == 0;
        double margin =
            tan(batch_in(&rigid, imp_input(rigid.solver, "q1") >= 0 ? "q1" : "angle")[i]) -
            batch_in(&rigid, "friction")[i];
        CHECK_CELL(&rigid, i, wedges == other_wedges || fabs(margin) < 1e-3);
        if (!wedges && !other_wedges) {
            CHECK_CELL_NEAR(&rigid, i, one * one, other * other, tolerance);
            compared++;
        }
    }
    CHECK(compared > 500, "only %d cells", compared);
    BATCH_CLOSE(&rigid, &stiff);
}

static void compliant_limit(void) {
    stiff_limit("pendulum", 1e-4);
    stiff_limit("double_pendulum", 1e-4); /* stretched out, so that the tip moves along one line */
}

/* ---- double pendulum ---- */

/* The mass matrix, the Jacobian of the tip, and the angular velocities, in SI units. */
typedef struct linkage {
    double m11, m12, m22, j_t[2], j_n[2], w[2];
} linkage;

static linkage linkage_of(const batch *b, size_t i) {
    double l1 = batch_in(b, "l1")[i], l2 = batch_in(b, "l2")[i];
    double m1 = batch_in(b, "m1")[i], m2 = batch_in(b, "m2")[i];
    double q1 = batch_in(b, "q1")[i], q2 = batch_in(b, "q2")[i];
    return (linkage){.m11 = (m1 / 3 + m2) * l1 * l1,
                     .m12 = m2 * l1 * l2 * cos(q1 - q2) / 2,
                     .m22 = m2 * l2 * l2 / 3,
                     .j_t = {l1 * cos(q1), l2 * cos(q2)},
                     .j_n = {l1 * sin(q1), l2 * sin(q2)},
                     .w = {batch_in(b, "w1")[i], batch_in(b, "w2")[i]}};
}

static double energy(const linkage *at, const double *w) {
    return (at->m11 * w[0] * w[0] + 2 * at->m12 * w[0] * w[1] + at->m22 * w[1] * w[1]) / 2;
}

static double dot(const double *j, const double *w) {
    return j[0] * w[0] + j[1] * w[1];
}

/* By the mass matrix the impulses of the outputs lead to the angular velocities of the outputs, and
 * these to the velocities of the tip and the energy of the outputs. */
static void check_linkage(const batch *b, size_t i) {
    linkage at = linkage_of(b, i);
    double p_t = batch_out(b, "tangential_impulse")[i], p_n = batch_out(b, "normal_impulse")[i];
    double w[2] = {batch_out(b, "angular_velocity")[i], batch_out(b, "angular_velocity_2")[i]};
    double change[2] = {w[0] - at.w[0], w[1] - at.w[1]};
    double first = at.m11 * change[0] + at.m12 * change[1];
    double second = at.m12 * change[0] + at.m22 * change[1];
    double size = (at.m11 + at.m22) * (fabs(change[0]) + fabs(change[1]));
    double speed = -dot(at.j_n, at.w);
    CHECK_CELL_NEAR(b, i, first, at.j_t[0] * p_t + at.j_n[0] * p_n, 1e-11 * size);
    CHECK_CELL_NEAR(b, i, second, at.j_t[1] * p_t + at.j_n[1] * p_n, 1e-11 * size);
    double fast = fabs(at.j_t[0] * w[0]) + fabs(at.j_t[1] * w[1]) + fabs(at.j_n[0] * w[0]) +
                  fabs(at.j_n[1] * w[1]) + speed;
    CHECK_NEAR(dot(at.j_n, w), batch_out(b, "kinematic_restitution")[i] * speed, 1e-10 * fast,
               "normal velocity of %s", batch_text(b, i));
    CHECK_NEAR(dot(at.j_t, w), batch_out(b, "velocity_ratio_out")[i] * speed, 1e-10 * fast,
               "tangential velocity of %s", batch_text(b, i));
    double before = energy(&at, at.w), after = energy(&at, w);
    CHECK_NEAR(batch_out(b, "energy_loss")[i] * before, before - after, 1e-9 * (before + after),
               "energy of %s", batch_text(b, i));
}

static batch draw_double(const char *law) {
    char choices[80] = "body=double_pendulum law=";
    strcat(choices, law);
    batch b = batch_open("rigid", choices, CELLS);
    random_source source = {513};
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "l1")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "l2")[i] = random_log(&source, 0.3, 3);
        batch_in(&b, "m1")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "m2")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "q1")[i] = random_between(&source, -1.4, 1.4);
        batch_in(&b, "q2")[i] = random_between(&source, -1.4, 1.4);
        batch_in(&b, "w1")[i] = random_between(&source, -3, 3);
        batch_in(&b, "w2")[i] = random_between(&source, -3, 3);
        batch_in(&b, "friction")[i] = random_between(&source, 0, 2);
        batch_in(&b, "restitution")[i] = random_between(&source, 0.1, 1);
    }
    batch_solve(&b);
    return b;
}

static void double_pendulum(void) {
    batch b = draw_double("energetic");
    int solved = 0;
    for (size_t i = 0; i < CELLS; i++) {
        linkage at = linkage_of(&b, i);
        CHECK((b.outcome[i] == IMP_SOLVED) == (dot(at.j_n, at.w) < 0), "approach: %s",
              batch_text(&b, i));
        /* Where the links are nearly in one line, the mass matrix of the tip is nearly singular. */
        bool clear = fabs(sin(batch_in(&b, "q1")[i] - batch_in(&b, "q2")[i])) > 0.02;
        if (b.outcome[i] == IMP_SOLVED && clear) {
            check_linkage(&b, i);
            CHECK(batch_out(&b, "energy_gain")[i] == 1, "energetic gains: %s", batch_text(&b, i));
            solved++;
        }
    }
    CHECK(solved > CELLS / 3, "only %d cells", solved);
    batch_close(&b);
}

/* A double pendulum that leans forward and comes down on the plane. */
static void draw_leaning(const batch *b, size_t i, random_source *source) {
    batch_in(b, "q1")[i] = random_between(source, 0.2, 1.2);
    batch_in(b, "q2")[i] = random_between(source, -1.2, 0);
    batch_in(b, "l2")[i] = random_log(source, 0.3, 3);
    batch_in(b, "m2")[i] = random_log(source, 0.3, 3);
    batch_in(b, "w1")[i] = random_between(source, -3, -1);
    batch_in(b, "w2")[i] = random_between(source, -0.3, 0.3);
}

/* Gives a cell of the body `matrix` the inverse mass B = J M^-1 J^T of a linkage, and the velocity
 * of its tip. */
static void set_matrix(const batch *b, size_t i, const linkage *at) {
    static const char *const names[] = {"b11", "b12", "b22"};
    double determinant = at->m11 * at->m22 - at->m12 * at->m12, speed = -dot(at->j_n, at->w);
    const double *j[] = {at->j_t, at->j_n};
    for (int k = 0; k < 3; k++) {
        const double *x = j[k / 2], *y = j[(k + 1) / 2];
        double sum =
            at->m22 * x[0] * y[0] - at->m12 * (x[0] * y[1] + x[1] * y[0]) + at->m11 * x[1] * y[1];
        batch_in(b, names[k])[i] = sum / determinant;
    }
    batch_in(b, "velocity_ratio")[i] = dot(at->j_t, at->w) / speed;
    batch_in(b, "normal_speed")[i] = speed;
}

static void check_same_outputs(const batch *own, const batch *same, size_t i) {
    static const char *const outputs[] = {"kinematic_restitution", "energetic_restitution",
                                          "velocity_ratio_out", "energy_loss", "mode"};
    for (int k = 0; k < SUITE_COUNT(outputs); k++) {
        double expected = batch_out(same, outputs[k])[i];
        CHECK_NEAR(batch_out(own, outputs[k])[i], expected, 1e-8 * fmax(1, fabs(expected)),
                   "%s, %s of %s", own->theory->name, outputs[k], batch_text(own, i));
    }
    CHECK_CELL_NEAR(own, i,
                    batch_out(own, "normal_impulse")[i] / batch_out(same, "normal_impulse")[i], 1,
                    1e-8);
}

/* The mechanism and the body `matrix` with its B have the same results in every theory. */
static void check_as_matrix(const char *theory, const char *own_choices, const char *choices) {
    enum { MOST = 3000 };
    batch own = batch_open(theory, own_choices, MOST), same = batch_open(theory, choices, MOST);
    random_source source = {517};
    for (size_t i = 0; i < MOST; i++) {
        draw_leaning(&own, i, &source);
        linkage at = linkage_of(&own, i);
        set_matrix(&same, i, &at);
        batch_in(&own, "friction")[i] = batch_in(&same, "friction")[i] =
            random_between(&source, 0, 1.5);
    }
    BATCH_SOLVE(&own, &same);
    int solved = 0;
    for (size_t i = 0; i < MOST; i++) {
        if (own.outcome[i] != IMP_SOLVED || same.outcome[i] != IMP_SOLVED) {
            CHECK_CELL(&own, i, own.outcome[i] == IMP_OUTSIDE);
            continue;
        }
        solved++;
        check_same_outputs(&own, &same, i);
    }
    CHECK(solved > MOST / 2, "%s: only %d cells", theory, solved);
    BATCH_CLOSE(&own, &same);
}

static void as_matrix(void) {
    check_as_matrix("rigid", "body=double_pendulum law=poisson", "body=matrix law=poisson");
    check_as_matrix("compliant", "body=double_pendulum", "body=matrix");
}

/* The classical paradox: Newton's law creates energy in this mechanism at high friction. Without
 * friction it does not, because it then agrees with the energetic law. */
static void paradox(void) {
    batch b = draw_double("newton");
    int gains = 0;
    for (size_t i = 0; i < CELLS; i++) {
        gains += b.outcome[i] == IMP_SOLVED && batch_out(&b, "energy_gain")[i] == 2;
    }
    CHECK(gains > CELLS / 100, "Newton gains energy in %d cells only", gains);
    batch_set(&b, "friction", 0);
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] != IMP_SOLVED || batch_out(&b, "energy_gain")[i] == 1,
              "a gain without friction: %s", batch_text(&b, i));
    }
    batch_close(&b);
}

/* If the links are stretched or folded, the tip moves across one line and obeys the pendulum's laws
 * with the angle of that line. For angles left of the normal friction drags the other way, and
 * nothing else changes. */
static void one_line(void) {
    batch b = batch_open("rigid", "body=double_pendulum law=energetic", 4000);
    random_source source = {514};
    for (size_t i = 0; i < b.n; i++) {
        double q = random_between(&source, -1.5, 1.5);
        batch_in(&b, "q1")[i] = q;
        batch_in(&b, "q2")[i] = i % 2 ? q : q > 0 ? q - pi : q + pi;
        batch_in(&b, "l2")[i] = random_between(&source, 0.2, 0.8);
        batch_in(&b, "w1")[i] = q > 0 ? -1 : 1;
        batch_in(&b, "w2")[i] = 0;
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
    }
    batch_set(&b, "restitution", 0.9);
    batch_solve(&b);
    for (size_t i = 0; i < b.n; i++) {
        double t = fabs(tan(batch_in(&b, "q1")[i])), mu = batch_in(&b, "friction")[i];
        bool wedge = strcmp(batch_mode(&b, i), "wedge") == 0;
        CHECK_CELL(&b, i, b.outcome[i] == IMP_SOLVED);
        CHECK(wedge == (mu >= t) || fabs(mu - t) < 1e-9, "wedge: %s", batch_text(&b, i));
        if (!wedge) {
            double found = batch_out(&b, "kinematic_restitution")[i];
            CHECK_CELL_NEAR(&b, i, found * found, 0.81 * (t - mu) / (t + mu), 1e-12);
        }
    }
    batch_close(&b);
}

SUITE("rigid_mechanisms", pendulum, compliant_limit, double_pendulum, as_matrix, paradox, one_line)
