/* Cells on the surfaces between two kinds of motion, which ratios of inputs hit exactly. */
#include <math.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};

static batch batch_with(const char *body, const char *law, size_t n) {
    char choices[100] = "body=";
    strcat(strcat(strcat(choices, body), " law="), law);
    return batch_open("swerve", choices, n);
}

static double angle_between(double a, double b) {
    return fabs(remainder(a - b, 2 * pi));
}

/* ---- slip that ends as the bodies separate keeps its direction to the last ---- */

/* Bodies whose slip goes in a straight line, and loses `slower` times the friction per normal
 * impulse, while the normal velocity gains 1: a sphere, and an upright rod. */
typedef struct straight_body {
    const char *body;
    double slower;
} straight_body;

/* By Poisson's law the contact ends at (1 + e) times the impulse of compression; the others give
 * the same for such bodies. */
static void end_with_slip(const straight_body *of, const char *law) {
    enum { CELLS = 4000 };
    batch b = batch_with(of->body, law, CELLS);
    random_source source = {7811};
    for (size_t i = 0; i < CELLS; i++) {
        double mu = i % 2 == 0 ? 0.01 * (double)(5 + i % 195) : random_between(&source, 0.05, 2);
        double e = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.5 : random_between(&source, 0, 1);
        batch_in(&b, "friction")[i] = mu;
        batch_in(&b, "restitution")[i] = e;
        batch_in(&b, "velocity_ratio")[i] = of->slower * mu * (1 + e);
        batch_in(&b, "heading")[i] = random_between(&source, -pi, pi);
    }
    if (strcmp(of->body, "rod3d") == 0) {
        batch_set(&b, "angle", 0);
    }
    batch_solve(&b);
    int slipping = 0, still = 0;
    for (size_t i = 0; i < CELLS; i++) {
        CHECK(b.outcome[i] == IMP_SOLVED, "%s: %s", law, batch_text(&b, i));
        if (strcmp(batch_mode(&b, i), "slip") != 0) {
            continue;
        }
        slipping++;
        still += batch_out(&b, "velocity_ratio_out")[i] == 0;
        double out = batch_out(&b, "heading_out")[i], in = batch_in(&b, "heading")[i];
        CHECK(angle_between(out, in) <= 1e-14, "%s: %.17g after %s", law, out, batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "swerve")[i], 0, 1e-14, "%s: %s", law, batch_text(&b, i));
    }
    CHECK(slipping > CELLS / 4 && still > CELLS / 20, "%s, %s: %d slip, %d of them stand still",
          of->body, law, slipping, still);
    batch_close(&b);
}

static void slip_ends_at_separation(void) {
    static const straight_body bodies[] = {{"sphere3d", 3.5}, {"rod3d", 4}};
    for (int k = 0; k < SUITE_COUNT(bodies); k++) {
        for (int j = 0; j < SUITE_COUNT(laws); j++) {
            end_with_slip(&bodies[k], laws[j]);
        }
    }
}

/* Rods that slip in the vertical plane through them, which halts them as compression ends; without
 * restitution the contact ends there. Returns false if friction does not stop the slip. */
static bool set_rod(const batch *b, size_t i, random_source *source) {
    double angle = random_between(source, -1.5, 1.5), azimuth = random_between(source, -pi, pi);
    double mu = random_between(source, 0.05, 1.5), sign = i % 2 == 0 ? 1 : -1;
    double c = cos(angle), s = sin(angle), b13 = sign * 3 * s * c;
    double slower = mu * (4 - 3 * s * s) - b13, lift = 4 - 3 * c * c - mu * b13;
    bool stops = slower > 0.01 && lift > 0.01;
    batch_in(b, "angle")[i] = angle;
    batch_in(b, "azimuth")[i] = azimuth;
    batch_in(b, "heading")[i] = sign > 0 ? azimuth : azimuth > 0 ? azimuth - pi : azimuth + pi;
    batch_in(b, "friction")[i] = mu;
    batch_in(b, "velocity_ratio")[i] = stops ? slower / lift : 1;
    return stops;
}

static void end_with_compression(const char *law) {
    enum { CELLS = 4000 };
    batch b = batch_with("rod3d", law, CELLS);
    static bool stops[CELLS];
    random_source source = {7812};
    for (size_t i = 0; i < CELLS; i++) {
        stops[i] = set_rod(&b, i, &source);
    }
    batch_set(&b, "restitution", 0);
    batch_solve(&b);
    int slipping = 0;
    for (size_t i = 0; i < CELLS; i++) {
        if (stops[i] && strcmp(batch_mode(&b, i), "slip") == 0) {
            double out = batch_out(&b, "heading_out")[i], in = batch_in(&b, "heading")[i];
            CHECK(angle_between(out, in) <= 1e-12, "%s: %.17g after %s", law, out,
                  batch_text(&b, i));
            slipping++;
        }
    }
    CHECK(slipping > CELLS / 10, "%s: %d slip", law, slipping);
    batch_close(&b);
}

static void slip_ends_with_compression(void) {
    for (int j = 0; j < SUITE_COUNT(laws); j++) {
        end_with_compression(laws[j]);
    }
}

int main(void) {
    static const suite_test tests[] = {SUITE_TEST(slip_ends_at_separation),
                                       SUITE_TEST(slip_ends_with_compression)};
    return suite_run("swerve, surfaces between kinds of motion", tests, SUITE_COUNT(tests));
}
