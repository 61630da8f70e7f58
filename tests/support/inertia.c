#include "support/inertia.h"

#include <math.h>

/* An orthogonal matrix from a random unit quaternion. */
static inertia random_turn(random_source *source) {
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
    return (inertia){{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/* turn diag(value) turn^T */
static inertia in_frame(const inertia *turn, const double *value) {
    inertia m = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                m.b[i][j] += turn->b[i][k] * value[k] * turn->b[j][k];
            }
        }
    }
    return m;
}

inertia inertia_random(random_source *source, double condition) {
    inertia turn = random_turn(source);
    double value[3];
    for (int k = 0; k < 3; k++) {
        value[k] = random_log(source, 1 / condition, 1);
    }
    return in_frame(&turn, value);
}

inertia inertia_turned(const inertia *m, double angle) {
    const double r[3][3] = {{cos(angle), -sin(angle), 0}, {sin(angle), cos(angle), 0}, {0, 0, 1}};
    inertia turned = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 9; k++) {
                turned.b[i][j] += r[i][k / 3] * m->b[k / 3][k % 3] * r[j][k % 3];
            }
        }
    }
    return turned;
}

void inertia_set(const batch *b, size_t i, const inertia *m) {
    batch_in(b, "b11")[i] = m->b[0][0];
    batch_in(b, "b12")[i] = m->b[0][1];
    batch_in(b, "b13")[i] = m->b[0][2];
    batch_in(b, "b22")[i] = m->b[1][1];
    batch_in(b, "b23")[i] = m->b[1][2];
    batch_in(b, "b33")[i] = m->b[2][2];
}

inertia inertia_get(const batch *b, size_t i) {
    double b12 = batch_in(b, "b12")[i], b13 = batch_in(b, "b13")[i], b23 = batch_in(b, "b23")[i];
    return (inertia){{{batch_in(b, "b11")[i], b12, b13},
                      {b12, batch_in(b, "b22")[i], b23},
                      {b13, b23, batch_in(b, "b33")[i]}}};
}

long double inertia_energy(const inertia *m, const double *v) {
    long double b[3][3], a[3][3], sum = 0;
    for (int i = 0; i < 9; i++) {
        b[i / 3][i % 3] = m->b[i / 3][i % 3];
    }
    for (int i = 0; i < 9; i++) {
        int p = (i / 3 + 1) % 3, q = (i / 3 + 2) % 3, r = (i % 3 + 1) % 3, s = (i % 3 + 2) % 3;
        a[i % 3][i / 3] = b[p][r] * b[q][s] - b[p][s] * b[q][r];
    }
    for (int i = 0; i < 9; i++) {
        sum += v[i / 3] * a[i / 3][i % 3] * v[i % 3];
    }
    return sum / (2 * (b[0][0] * a[0][0] + b[0][1] * a[1][0] + b[0][2] * a[2][0]));
}
