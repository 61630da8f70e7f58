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

/* ---- slip turns to a direction in which its speed stays the same ---- */

/* Rods with the least friction with which they can stick: the slip speed does not change along
 * their plane, which attracts the slip, and from a heading so near to it hardly before that. So
 * slip that is slow goes on for many times the impulse in which it turns. */
static void keep_speed(const char *law, double speed) {
    enum { CELLS = 450 };
    static const double off[] = {1e-15, -1e-14, 1e-13, -1e-12, 1e-11, -1e-10, 1e-9, 1e-8, -1e-7};
    batch b = batch_with("rod3d", law, CELLS);
    random_source source = {7813};
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.2, 1.5), c = cos(angle), s = sin(angle);
        bool turned = i % 2 == 0;
        batch_in(&b, "angle")[i] = turned ? -angle : angle;
        batch_in(&b, "heading")[i] = turned ? pi : 0;
        batch_in(&b, "azimuth")[i] = off[i % SUITE_COUNT(off)];
        batch_in(&b, "friction")[i] = 3 * s * c / (4 - 3 * s * s);
    }
    BATCH_SET(&b, {"velocity_ratio", speed}, {"restitution", 0.5});
    batch_solve(&b);
    for (size_t i = 0; i < CELLS; i++) {
        double azimuth = batch_in(&b, "azimuth")[i], out = batch_out(&b, "velocity_ratio_out")[i];
        CHECK(b.outcome[i] == IMP_SOLVED, "%s: %s", law, batch_text(&b, i));
        /* Rounding of the friction may halt slip that is slower. */
        CHECK(strcmp(batch_mode(&b, i), "slip") == 0 || speed < 1e-15, "%s: %s", batch_mode(&b, i),
              batch_text(&b, i));
        CHECK_NEAR(batch_out(&b, "swerve")[i], azimuth, 2e-15, "%s: %s", law, batch_text(&b, i));
        /* The speed that it gains while it turns is of the second order, and then rounding of the
         * friction makes it grow or shrink. */
        double gained = 10 * azimuth * azimuth;
        CHECK_NEAR(out, speed, gained * (1 + speed) + 2e-15, "%s: %s", law, batch_text(&b, i));
    }
    batch_close(&b);
}

static void slip_keeps_its_speed(void) {
    static const double speeds[] = {1e-300, 1e-9, 1e-6, 1e-4};
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (int j = 0; j < SUITE_COUNT(speeds); j++) {
            keep_speed(laws[k], speeds[j]);
        }
    }
}

/* ---- the least friction with which a contact sticks ---- */

/* Stick from the start wants a node, whatever rounding makes of the least friction. */
static void class_and_mode(const char *body) {
    enum { CELLS = 4000 };
    static const double part[] = {1,         1 - 1e-15, 1 + 1e-15, 1 - 1e-14, 1 + 1e-14,
                                  1 - 5e-13, 1 + 5e-13, 1 - 1e-11, 1 + 1e-11};
    batch b = batch_with(body, "newton", CELLS);
    random_source source = {7814};
    bool is_rod = strcmp(body, "rod3d") == 0;
    for (size_t i = 0; i < CELLS; i++) {
        batch_in(&b, "angle")[i] = random_between(&source, 0.1, 1.5);
        batch_in(&b, "azimuth")[i] = i % 2 == 0 ? 0 : random_between(&source, -pi, pi);
        for (int k = 0; k < 2 && !is_rod; k++) {
            const char *const axes[] = {"semi_axis_a", "semi_axis_b"};
            batch_in(&b, axes[k])[i] = random_between(&source, 0.2, 3);
        }
    }
    batch_set(&b, "velocity_ratio", 0);
    batch_solve(&b);
    static double least[CELLS];
    memcpy(least, batch_out(&b, "critical_friction"), sizeof least);
    for (int k = 0; k < SUITE_COUNT(part); k++) {
        for (size_t i = 0; i < CELLS; i++) {
            batch_in(&b, "friction")[i] = least[i] * part[k];
        }
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            bool sticks = strcmp(batch_mode(&b, i), "stick") == 0;
            double count = batch_out(&b, "invariant_count")[i];
            double nodes = batch_out(&b, "node_count")[i],
                   saddles = batch_out(&b, "saddle_count")[i];
            CHECK(sticks == (part[k] > 1 - 1e-12), "%s: %s", batch_mode(&b, i), batch_text(&b, i));
            CHECK(nodes == count / 2 - !sticks && nodes + saddles == count,
                  "%s, %g nodes, %g saddles: %s", batch_mode(&b, i), nodes, saddles,
                  batch_text(&b, i));
        }
    }
    batch_close(&b);
}

static void least_friction(void) {
    class_and_mode("rod3d");
    class_and_mode("ellipsoid3d");
}

/* ---- pendulums about to wedge ---- */

/* Along its plane a pendulum wedges from a friction of tan(angle) on. Beside it slip hardly grows
 * or shrinks, and so does the normal velocity, for thousands of times the impulse of compression.
 * Its whole energy is that of its contact: a wedged one has lost it, and of one that swings in its
 * plane the part of the square of the kinematic restitution is left. */
static void about_to_wedge(const char *law, double off, bool planar) {
    enum { CELLS = 1000 };
    batch b = batch_with("pendulum3d", law, CELLS);
    random_source source = {7815};
    for (size_t i = 0; i < CELLS; i++) {
        double angle = random_between(&source, 0.2, 1.4), e = random_between(&source, 0, 1);
        batch_in(&b, "angle")[i] = angle;
        batch_in(&b, "restitution")[i] = e;
        batch_in(&b, "swerve_ratio")[i] = planar ? 0 : random_between(&source, -2, 2);
        batch_in(&b, "friction")[i] = tan(angle) * (1 + off);
    }
    batch_solve(&b);
    int wedges = 0, swings = 0;
    for (size_t i = 0; i < CELLS; i++) {
        bool wedged = strcmp(batch_mode(&b, i), "wedge") == 0;
        double left = wedged ? 0 : batch_out(&b, "kinematic_restitution")[i];
        double loss = batch_out(&b, "energy_loss")[i];
        CHECK(b.outcome[i] == IMP_SOLVED, "%s, %g: %s", law, off, batch_text(&b, i));
        if (wedged || planar) {
            CHECK_NEAR(loss, 1 - left * left, 1e-6, "%s, %g: %s", law, off, batch_text(&b, i));
        }
        wedges += wedged;
        swings += !wedged;
    }
    /* Other pendulums slip to the end. */
    CHECK(off < 0 ? wedges == 0 && swings == CELLS : wedges > CELLS / 4, "%s, %g: %d", law, off,
          wedges);
    batch_close(&b);
}

static void pendulums(void) {
    static const double off[] = {1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    for (int k = 0; k < SUITE_COUNT(laws); k++) {
        for (int j = 0; j < SUITE_COUNT(off); j++) {
            about_to_wedge(laws[k], off[j], false);
            about_to_wedge(laws[k], off[j], true);
            about_to_wedge(laws[k], -off[j], false);
            about_to_wedge(laws[k], -off[j], true);
        }
    }
}

SUITE("swerve, surfaces between kinds of motion", slip_ends_at_separation,
      slip_ends_with_compression, slip_keeps_its_speed, least_friction, pendulums)
