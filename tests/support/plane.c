#include "support/pi.h"
#include "support/plane.h"

#include <math.h>

static plane_inertia lamina_inertia(const batch *b, size_t i) {
    double mass = batch_in(b, "mass")[i], k = batch_in(b, "gyration_radius")[i];
    double x = batch_in(b, "offset_t")[i], y = batch_in(b, "offset_n")[i];
    double spin = 1 / (mass * k * k);
    return (plane_inertia){1 / mass + y * y * spin, -x * y * spin, 1 / mass + x * x * spin};
}

/* Inertia coupling of a capsule of radius 1: its angle leads to the tilt of its axis. */
static double capsule_coupling(double angle, double length) {
    double tilt = angle + asin(2 * sin(angle) / length);
    double lever = length * length / 4 + length * cos(tilt) + 1;
    double gyration =
        (8.0 / 15 + 0.75 * length + length * length / 3 + pow(length, 3) / 12) / (4.0 / 3 + length);
    return 1 / (1 + 2 * gyration / lever);
}

plane_inertia plane_inertia_of(const batch *b, size_t i) {
    if (imp_input(b->solver, "b11") >= 0) {
        return (plane_inertia){batch_in(b, "b11")[i], batch_in(b, "b12")[i], batch_in(b, "b22")[i]};
    }
    if (imp_input(b->solver, "offset_t") >= 0) {
        return lamina_inertia(b, i);
    }
    double mass = batch_in(b, "mass")[i], coupling = 0;
    if (imp_input(b->solver, "angle") < 0) { /* a solid sphere */
        return (plane_inertia){3.5 / mass, 0, 1 / mass};
    }
    if (imp_input(b->solver, "slenderness") >= 0) {
        coupling = capsule_coupling(batch_in(b, "angle")[i], batch_in(b, "slenderness")[i]);
        mass *= 1 - coupling;
    } else {
        coupling = batch_in(b, "inertia_coupling")[i];
    }
    double twice = 2 * batch_in(b, "angle")[i];
    return (plane_inertia){(1 + coupling * cos(twice)) / mass, coupling * sin(twice) / mass,
                           (1 - coupling * cos(twice)) / mass};
}

double plane_energy(plane_inertia b, double v_t, double v_n) {
    double square = b.b22 * v_t * v_t - 2 * b.b12 * v_t * v_n + b.b11 * v_n * v_n;
    return square / (2 * (b.b11 * b.b22 - b.b12 * b.b12));
}

batch plane_draw_common(const char *choices, size_t n, random_source *source) {
    batch b = batch_open("compliant", choices, n);
    double *friction = batch_in(&b, "friction"), *ratio = batch_in(&b, "stiffness_ratio");
    double *velocity = batch_in(&b, "velocity_ratio");
    for (size_t i = 0; i < n; i++) {
        friction[i] = random_between(source, 0, 1.5);
        ratio[i] = random_between(source, 0.1, 1.5);
        velocity[i] = random_between(source, -5, 5);
    }
    return b;
}

batch plane_draw_general(size_t n) {
    random_source source = {71};
    batch b = plane_draw_common("body=general law=linear", n, &source);
    double *angle = batch_in(&b, "angle"), *coupling = batch_in(&b, "inertia_coupling");
    for (size_t i = 0; i < n; i++) {
        angle[i] = random_between(&source, -pi / 2, pi / 2);
        coupling[i] = random_between(&source, 0, 0.95);
    }
    return b;
}

batch plane_draw_matrix(size_t n) {
    random_source source = {72};
    batch b = plane_draw_common("body=matrix law=linear", n, &source);
    double *b11 = batch_in(&b, "b11"), *b12 = batch_in(&b, "b12"), *b22 = batch_in(&b, "b22");
    for (size_t i = 0; i < n; i++) {
        b11[i] = random_log(&source, 0.1, 10);
        b22[i] = random_log(&source, 0.1, 10);
        b12[i] = random_between(&source, -0.95, 0.95) * sqrt(b11[i] * b22[i]);
    }
    return b;
}

batch plane_draw_capsule(size_t n) {
    random_source source = {76};
    batch b = plane_draw_common("body=capsule law=linear", n, &source);
    double *angle = batch_in(&b, "angle"), *slenderness = batch_in(&b, "slenderness");
    for (size_t i = 0; i < n; i++) {
        slenderness[i] = random_log(&source, 0.1, 20);
        angle[i] = atan(slenderness[i] / 2) * random_between(&source, -0.999, 0.999);
    }
    return b;
}

batch plane_draw_lamina(size_t n) {
    random_source source = {77};
    batch b = plane_draw_common("body=lamina law=linear", n, &source);
    for (size_t i = 0; i < n; i++) {
        double k = batch_in(&b, "gyration_radius")[i] = random_log(&source, 0.1, 10);
        batch_in(&b, "offset_t")[i] = random_between(&source, -3, 3) * k;
        batch_in(&b, "offset_n")[i] = random_between(&source, -3, 3) * k;
    }
    return b;
}
