/* Finite elements: frequencies against the roots of the exact characteristic equations, their
 * order, orthogonality, rigid motions, and meshes that do not exist. */
#include <math.h>

#include "models/beam/modes.h"
#include "support/suite.h"

enum { MODES = 12 };

static imp_beam_mode_cache *cache;

static const imp_beam_modes *find(imp_beam_boundary boundary, int elements, double pin) {
    imp_beam_mesh mesh = {boundary, elements, pin};
    const imp_beam_modes *modes = NULL;
    imp_outcome outcome;
    if (!cache && !(cache = imp_beam_mode_cache_create())) {
        return NULL;
    }
    return imp_beam_mode_cache_find(cache, &mesh, MODES, &modes, &outcome) ? NULL : modes;
}

/* Roots beta of cosh cos = 1 (free), tan = tanh (pinned at the end), cosh cos = -1 (clamped), and
 * whole multiples of pi; omega = beta^2. Pinned inside: the numbers of an independent solution. */
static const struct {
    imp_beam_boundary boundary;
    double pin, omega[3];
} exact[] = {
    {IMP_BEAM_FREE, 0, {22.37328545, 61.67282287, 120.90339173}},
    {IMP_BEAM_PINNED, 0, {15.41820572, 49.96486203, 104.24769646}},
    {IMP_BEAM_PINNED, 1, {15.41820572, 49.96486203, 104.24769646}},
    {IMP_BEAM_PINNED, 0.0375, {16.6382438, 53.88070204, 112.29585112}},
    {IMP_BEAM_CLAMPED, 0, {3.51601527, 22.03449156, 61.69721441}},
    {IMP_BEAM_PINNED_PINNED, 0, {9.86960440, 39.47841760, 88.82643961}},
};

static void frequencies(void) {
    for (int i = 0; i < SUITE_COUNT(exact); i++) {
        const imp_beam_modes *modes = find(exact[i].boundary, 80, exact[i].pin);
        CHECK(modes, "mesh %d", i);
        for (int k = 0; modes && k < 3; k++) {
            double omega = sqrt(modes->lambda[modes->rigid + k]);
            CHECK_NEAR(omega / exact[i].omega[k] - 1, 0, 1e-6, "mesh %d, frequency %d", i, k);
        }
        for (int k = 0; modes && k < modes->rigid; k++) {
            CHECK(modes->lambda[k] == 0, "rigid mode %d has lambda %g", k, modes->lambda[k]);
        }
    }
}

/* Least squares of log error over log elements, 10 to 40: the order is 4. */
static void order(void) {
    static const int elements[] = {10, 14, 20, 28, 40};
    for (int i = 0; i < SUITE_COUNT(exact); i++) {
        for (int k = 1; k < 3; k++) {
            double sx = 0, sy = 0, sxx = 0, sxy = 0, n = SUITE_COUNT(elements);
            for (int e = 0; e < SUITE_COUNT(elements); e++) {
                const imp_beam_modes *modes = find(exact[i].boundary, elements[e], exact[i].pin);
                double omega = modes ? sqrt(modes->lambda[modes->rigid + k]) : NAN;
                double x = log(elements[e]), y = log(omega / exact[i].omega[k] - 1);
                sx += x;
                sy += y;
                sxx += x * x;
                sxy += x * y;
            }
            double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
            /* Where the pin is not at a multiple of the element length, meshes differ in shape. */
            double slack = exact[i].pin > 0 && exact[i].pin < 1 ? 0.3 : 0.1;
            CHECK_NEAR(slope, -4, slack, "mesh %d, frequency %d", i, k);
        }
    }
}

/* Shapes are normalised: the mass they carry at any point, summed by the trapezoidal rule. */
static void shapes(void) {
    enum { POINTS = 4000, SHOWN = 6 };
    for (int i = 0; i < SUITE_COUNT(exact); i++) {
        const imp_beam_modes *modes = find(exact[i].boundary, 80, exact[i].pin);
        double product[SHOWN][SHOWN] = {{0}};
        double value[IMP_BEAM_MOST_FREEDOMS];
        for (int x = 0; modes && x <= POINTS; x++) {
            imp_beam_modes_at(modes, (double)x / POINTS, value);
            for (int a = 0; a < SHOWN; a++) {
                for (int b = 0; b < SHOWN; b++) {
                    double part = x == 0 || x == POINTS ? 0.5 : 1;
                    product[a][b] += part * value[a] * value[b] / POINTS;
                }
            }
        }
        for (int a = 0; a < SHOWN; a++) {
            for (int b = 0; b < SHOWN; b++) {
                CHECK_NEAR(product[a][b], a == b, 1e-4, "mesh %d, modes %d and %d", i, a, b);
            }
        }
    }
}

static void held_points(void) {
    double value[IMP_BEAM_MOST_FREEDOMS];
    const imp_beam_modes *modes = find(IMP_BEAM_PINNED, 80, 0.1234567);
    CHECK(modes, "a pin anywhere");
    if (modes) {
        imp_beam_modes_at(modes, 0.1234567, value);
        for (int j = 0; j < modes->count; j++) {
            CHECK_NEAR(value[j], 0, 1e-12, "mode %d at the pin", j);
        }
    }
    CHECK(!find(IMP_BEAM_PINNED, 80, 1e-9), "an element far too short");
    CHECK(!find(IMP_BEAM_PINNED, 1, 0.5), "one element for two spans");
    CHECK(find(IMP_BEAM_PINNED, 2, 0.5), "two elements for two spans");
}

static void end(void) {
    imp_beam_mode_cache_destroy(&cache);
    CHECK(!cache, "the cache");
}

SUITE("beam, modes", frequencies, order, shapes, held_points, end)
