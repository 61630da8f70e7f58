/* The protocol of guests for engines in C and C++, and the scenes of the exam, as engine.js has them. An adapter is
 *     static bool strike(const Scene &scene, double step, Motion &after) { ... }
 *     int main() { return exam("name", "version", has_space, strike); }
 * where strike returns false if there was no impact. y points out of the plane y = 0 into the body. */
#ifndef ENGINE_HPP
#define ENGINE_HPP

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <vector>

struct Motion {
    double v[3], w[3];
};

enum Body { DISC, ROD, BOX, CAPSULE };

struct Scene {
    int body;
    double radius;      // of a disc and a capsule
    double half[3];     // half sizes of a rod and a box
    double half_length; // of the capsule's axis, along x of the body
    double inertia[3];  // about the axes of the body; the mass is 1 kg
    double angle;       // about z
    double centre[3], contact[3]; // contact: relative to the centre
    Motion motion;
    double friction, restitution;
};

static const double SPEED = 10; // m/s, of the contact point toward the plane
enum { ANGLE, VELOCITY_RATIO, SIDE_RATIO, SPIN, FRICTION, RESTITUTION, TIME_STEP, PARAMETERS };
enum { OUTPUTS = 5 };

static void cross(const double *a, const double *b, double *c) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static Scene shape_of(int body) {
    Scene s = {};
    s.body = body;
    s.radius = body == DISC ? 0.5 : body == CAPSULE ? 0.1 : 0;
    s.half_length = body == CAPSULE ? 0.4 : 0;
    const double half[4][3] = {{}, {0.5, 0.01, 0.002}, {0.5, 0.25, 0.002}, {}};
    const double inertia[4][3] = {
        {0.1, 0.1, 0.1}, {1 / 12.0, 1 / 12.0, 1 / 12.0}, {0.12, 0.12, 5 / 48.0}, {0.006, 0.08, 0.08}};
    for (int k = 0; k < 3; k++) {
        s.half[k] = half[body][k];
        s.inertia[k] = inertia[body][k];
    }
    return s;
}

/* The contact point relative to the mass centre. */
static void place_contact(Scene &s, double angle) {
    double c = std::cos(angle), sine = std::sin(angle), least = 1e9;
    s.contact[1] = -s.radius;
    for (int k = 0; k < 4 && s.body != DISC; k++) {
        double x = s.body == CAPSULE ? s.half_length : s.half[0], y = s.body == CAPSULE ? 0 : s.half[1];
        x *= k & 1 ? 1 : -1;
        y *= k & 2 ? 1 : -1;
        if (sine * x + c * y < least) {
            least = sine * x + c * y;
            s.contact[0] = c * x - sine * y;
            s.contact[1] = least - (s.body == CAPSULE ? s.radius : 0);
        }
    }
}

static Scene scene_of(int body, const double *p) {
    Scene s = shape_of(body);
    double turn[3], ahead = 0.3137 * p[TIME_STEP]; // not at a special time
    place_contact(s, p[ANGLE]);
    s.motion.w[2] = p[SPIN];
    cross(s.motion.w, s.contact, turn);
    const double point[3] = {p[VELOCITY_RATIO] * SPEED, -SPEED, p[SIDE_RATIO] * SPEED};
    for (int k = 0; k < 3; k++) {
        s.motion.v[k] = point[k] - turn[k];
        s.centre[k] = -s.contact[k] - s.motion.v[k] * ahead;
    }
    s.angle = p[ANGLE] - p[SPIN] * ahead;
    s.friction = p[FRICTION];
    s.restitution = p[RESTITUTION];
    return s;
}

static double energy(const Scene &s, const Motion &m) {
    double c = std::cos(s.angle), sine = std::sin(s.angle);
    double x = c * m.w[0] + sine * m.w[1], y = -sine * m.w[0] + c * m.w[1];
    return 0.5 * (m.v[0] * m.v[0] + m.v[1] * m.v[1] + m.v[2] * m.v[2] + s.inertia[0] * x * x + s.inertia[1] * y * y +
                  s.inertia[2] * m.w[2] * m.w[2]);
}

/* Takes steps until the motion has changed, and `more` after that. */
template <class Read, class Advance>
static bool follow(Read read, Advance advance, Motion &after, int more = 0) {
    Motion before = read();
    for (int k = 0; k < 40; k++) {
        advance();
        after = read();
        double change = 0;
        for (int i = 0; i < 3; i++) {
            change += std::fabs(after.v[i] - before.v[i]);
        }
        if (change > 1e-6) {
            for (int m = 0; m < more; m++) {
                advance();
            }
            after = read();
            return true;
        }
    }
    return false;
}

static void describe(std::FILE *answers, const char *name, const char *version, bool space) {
    std::fprintf(
        answers, "{\"impactsweep_guest\": 1, \"name\": \"%s\", \"title\": \"%s\", \"version\": \"%s\", \"batch\": 256, \"choices\": [{\"name\": "
                "\"body\", \"default\": \"rod\", \"options\": [{\"name\": \"disc\"}, {\"name\": \"rod\"}, {\"name\": \"box\"}%s]}], "
                "\"parameters\": [{\"name\": \"angle\", \"unit\": \"rad\", \"low\": -1.6, \"high\": 1.6, \"default\": 0}, "
                "{\"name\": \"velocity_ratio\", \"low\": -50, \"high\": 50, \"default\": 0}, "
                "{\"name\": \"side_ratio\", \"low\": -50, \"high\": 50, \"default\": 0}, "
                "{\"name\": \"spin\", \"unit\": \"rad/s\", \"low\": -50, \"high\": 50, \"default\": 0}, "
                "{\"name\": \"friction\", \"low\": 0, \"high\": 5}, {\"name\": \"restitution\", \"low\": 0, \"high\": 1}, "
                "{\"name\": \"time_step\", \"unit\": \"s\", \"low\": 1e-6, \"high\": 0.1, \"default\": 0.001}], "
                "\"outputs\": [{\"name\": \"normal_velocity\"}, {\"name\": \"velocity_t\"}, {\"name\": \"velocity_s\"}, "
                "{\"name\": \"spin_out\", \"unit\": \"rad/s\"}, {\"name\": \"energy_kept\"}]}\n",
                name, version, version, space ? ", {\"name\": \"capsule\"}" : "");
    std::fflush(answers);
}

static void put_answer(const Scene &s, const Motion &after, size_t i, size_t n, double *out) {
    double turn[3];
    cross(after.w, s.contact, turn);
    const int order[3] = {1, 0, 2};
    for (int k = 0; k < 3; k++) {
        out[(size_t)(1 + k) * n + i] = (after.v[order[k]] + turn[order[k]]) / SPEED;
    }
    out[4 * n + i] = after.w[2];
    out[5 * n + i] = energy(s, after) / energy(s, s.motion);
}

/* Motions that are not finite have no proper answer. */
static bool is_finite(const Motion &m) {
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        finite = finite && std::isfinite(m.v[k]) && std::isfinite(m.w[k]);
    }
    return finite;
}

static int exam(const char *name, const char *version, bool space, bool (*strike)(const Scene &, double, Motion &)) {
    double head[3];
    std::FILE *answers = fdopen(dup(1), "wb"); // some engines print to the standard output
    dup2(2, 1);
    describe(answers, name, version, space);
    while (std::fread(head, sizeof *head, 3, stdin) == 3) {
        size_t n = (size_t)head[1];
        std::vector<double> in(n * PARAMETERS), out(n * (1 + OUTPUTS));
        int body = (int)head[2];
        if (std::fread(in.data(), sizeof(double), in.size(), stdin) != in.size()) {
            return 1;
        }
        for (size_t i = 0; i < n; i++) {
            double p[PARAMETERS];
            for (size_t k = 0; k < PARAMETERS; k++) {
                p[k] = in[k * n + i];
            }
            Scene scene = scene_of(body, p);
            Motion after = {};
            bool solved = strike(scene, p[TIME_STEP], after) && is_finite(after);
            out[i] = solved ? 1 : 3; // no_convergence
            if (solved) {
                put_answer(scene, after, i, n, out.data());
            }
        }
        head[2] = (double)out.size();
        std::fwrite(head, sizeof *head, 3, answers);
        std::fwrite(out.data(), sizeof(double), out.size(), answers);
        std::fflush(answers);
    }
    return 0;
}

#endif
