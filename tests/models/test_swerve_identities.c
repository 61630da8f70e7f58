/* Rigid impact in space: what must hold for any B, however ill-conditioned. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static const double pi = 3.14159265358979323846;

/* ---- random bodies ---- */

typedef struct matrix {
    double b[3][3];
} matrix;

/* An orthogonal matrix from a random unit quaternion. */
static matrix random_turn(random_source *source) {
    double q[4], square = 0;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = random_between(source, -1, 1);
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(square);
    }
    double w = q[0], x = q[1], y = q[2], z = q[3];
    return (matrix){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                     {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                     {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/* Principal values spread over up to `condition`, in a random frame. */
static matrix random_inertia(random_source *source, double condition) {
    matrix turn = random_turn(source), m = {{{0}}};
    double value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = random_log(source, 1 / condition, 1);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                m.b[i][j] += turn.b[i][k] * value[k] * turn.b[j][k];
            }
        }
    }
    return m;
}

static void set_inertia(const batch *b, size_t i, const matrix *m) {
    batch_in(b, "b11")[i] = m->b[0][0];
    batch_in(b, "b12")[i] = m->b[0][1];
    batch_in(b, "b13")[i] = m->b[0][2];
    batch_in(b, "b22")[i] = m->b[1][1];
    batch_in(b, "b23")[i] = m->b[1][2];
    batch_in(b, "b33")[i] = m->b[2][2];
}

static matrix inertia_of(const batch *b, size_t i) {
    double b12 = batch_in(b, "b12")[i], b13 = batch_in(b, "b13")[i], b23 = batch_in(b, "b23")[i];
    return (matrix){{{batch_in(b, "b11")[i], b12, b13},
                     {b12, batch_in(b, "b22")[i], b23},
                     {b13, b23, batch_in(b, "b33")[i]}}};
}

/* v . B^-1 v / 2 by Cramer's rule. */
static long double energy_of(const matrix *m, const double *v) {
    long double b[3][3], a[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            b[i][j] = m->b[i][j];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            a[j][i] = b[p][r] * b[q][s] - b[p][s] * b[q][r];
        }
    }
    long double determinant = b[0][0] * a[0][0] + b[0][1] * a[1][0] + b[0][2] * a[2][0], sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            sum += v[i] * a[i][j] * v[j];
        }
    }
    return sum / (2 * determinant);
}

static void final_velocity(const batch *b, size_t i, double *v) {
    double speed = batch_out(b, "velocity_ratio_out")[i];
    double heading = batch_out(b, "heading_out")[i];
    v[0] = isnan(heading) ? 0 : speed * cos(heading);
    v[1] = isnan(heading) ? 0 : speed * sin(heading);
    v[2] = batch_out(b, "kinematic_restitution")[i];
}

/* ---- identities ---- */

static const double degree = 3.14159265358979323846 / 180;

static void draw(const batch *b, size_t i, random_source *source, double condition) {
    matrix m = random_inertia(source, condition);
    set_inertia(b, i, &m);
    batch_in(b, "heading")[i] = random_between(source, -pi, pi);
    batch_in(b, "velocity_ratio")[i] = i % 10 == 0 ? 0 : random_log(source, 1e-3, 1e2);
    batch_in(b, "friction")[i] = i % 17 == 0 ? 0 : random_log(source, 1e-2, 5);
    batch_in(b, "restitution")[i] = random_between(source, 0, 1);
}

static void check_momentum(const batch *b, size_t i, const matrix *m, const double *v) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    const double before[3] = {speed * cos(heading), speed * sin(heading), -1};
    const double p[3] = {batch_out(b, "tangential_impulse")[2 * i],
                         batch_out(b, "tangential_impulse")[2 * i + 1],
                         batch_out(b, "normal_impulse")[i]};
    double size = speed + 1;
    for (int k = 0; k < 3; k++) {
        double gained = m->b[k][0] * p[0] + m->b[k][1] * p[1] + m->b[k][2] * p[2];
        CHECK_NEAR(v[k] - before[k], gained, 1e-9 * size, "velocity %d, %s: %s", k + 1,
                   batch_mode(b, i), batch_text(b, i));
    }
    double friction = batch_in(b, "friction")[i];
    CHECK(hypot(p[0], p[1]) <= friction * p[2] * (1 + 1e-11) + 1e-12, "outside the cone: %s",
          batch_text(b, i));
}

static void check_energy(const batch *b, size_t i, const matrix *m, const double *v, bool passive) {
    double speed = batch_in(b, "velocity_ratio")[i], heading = batch_in(b, "heading")[i];
    const double before[3] = {speed * cos(heading), speed * sin(heading), -1};
    double kept = (double)(energy_of(m, v) / energy_of(m, before));
    double loss = batch_out(b, "energy_loss")[i];
    CHECK_NEAR(loss, 1 - kept, 1e-8, "loss: %s", batch_text(b, i));
    CHECK(batch_out(b, "residual")[i] <= 1e-8, "residual %.3g: %s", batch_out(b, "residual")[i],
          batch_text(b, i));
    CHECK(!passive || loss >= -1e-10, "gains %.3g: %s", -loss, batch_text(b, i));
}

/* A free body that Poisson's law would leave below the plane is outside; there are few. */
static void check_law(const char *choices, bool passive, double most_outside, uint64_t seed) {
    enum { CELLS = 34000 };
    batch b = batch_open("swerve", choices, CELLS);
    random_source source = {seed};
    for (size_t i = 0; i < CELLS; i++) {
        draw(&b, i, &source, 1e6);
    }
    batch_solve(&b);
    int outside = 0;
    for (size_t i = 0; i < CELLS; i++) {
        matrix m = inertia_of(&b, i);
        double v[3];
        if (b.outcome[i] == IMP_OUTSIDE && most_outside > 0) {
            outside++;
            continue;
        }
        CHECK(b.outcome[i] == IMP_SOLVED, "%s", batch_text(&b, i));
        final_velocity(&b, i, v);
        check_momentum(&b, i, &m, v);
        check_energy(&b, i, &m, v, passive);
    }
    CHECK(outside <= most_outside * CELLS, "%s: %d outside", choices, outside);
    batch_close(&b);
}

static void identities(void) {
    check_law("body=matrix3d law=newton", false, 0, 7001);
    check_law("body=matrix3d law=poisson", true, 0.02, 7002);
    check_law("body=matrix3d law=energetic", true, 0, 7003);
}

int main(void) {
    (void)degree;
    static const suite_test tests[] = {SUITE_TEST(identities)};
    return suite_run("swerve identities", tests, SUITE_COUNT(tests));
}
