/* Runge-Kutta steps against a motion that is known: observed orders, integrals, the step's
 * control. */
#include <math.h>
#include <stddef.h>

#include "num/lanes/runge_kutta.h"
#include "support/suite.h"

/* An oscillation in disguise: q = sin(p) with p'' = -p, which is not linear in q; and a circle. */
static void rates(const void *system, const imp_rk_lanes *y, imp_rk_lanes *rate) {
    (void)system;
    double q = y->x[0], v = y->x[1], cosine = sqrt(1 - q * q);
    double speed = v / cosine;
    *rate = (imp_rk_lanes){
        {v, -asin(q) * cosine - q * speed * speed, -y->x[3], y->x[2], speed * speed, v, 0, 1}};
}

static imp_rk_lanes exact(double t) {
    double p = 0.8 * cos(t), v = -0.8 * sin(t);
    return (imp_rk_lanes){{sin(p), cos(p) * v, cos(t), sin(t), 0.64 * (t / 2 - sin(2 * t) / 4),
                           sin(p) - sin(0.8), 0, t}};
}

static imp_rk_lanes_end step_of(const imp_rk_lanes *y, double h) {
    imp_rk_lanes rate;
    imp_rk_lanes_end end;
    rates(NULL, y, &rate);
    imp_rk_lanes_step(rates, NULL, y, &rate, h, &end);
    return end;
}

static imp_rk_lanes_end step_from(double t, double h) {
    imp_rk_lanes y = exact(t);
    return step_of(&y, h);
}

/* Error after the time 1.2 in n steps. */
static double error_of(int n) {
    imp_rk_lanes y = exact(0), end = exact(1.2);
    for (int i = 0; i < n; i++) {
        y = step_of(&y, 1.2 / n).y;
    }
    double worst = 0;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        worst = fmax(worst, fabs(y.x[i] - end.x[i]));
    }
    return worst;
}

static void order_of_the_solution(void) {
    double coarse = error_of(4), fine = error_of(8), finest = error_of(16);
    CHECK(coarse < 1e-6 && finest < 1e-12, "errors %g, %g, %g", coarse, fine, finest);
    CHECK_NEAR(log2(coarse / fine), 8, 0.8, "observed order");
    CHECK_NEAR(log2(fine / finest), 8, 0.8, "observed order, finer");
}

/* A step redone with another length is as good as one of that length: its error falls with h^9. */
static void order_within_a_step(void) {
    double error[3];
    for (int k = 0; k < 3; k++) {
        double h = 0.8 / (1 << k);
        imp_rk_lanes_end end = step_from(0.3, h);
        error[k] = fabs(end.y.x[1] - exact(0.3 + h).x[1]);
    }
    CHECK_NEAR(log2(error[0] / error[1]), 9, 1, "local order, errors %g %g", error[0], error[1]);
    CHECK_NEAR(log2(error[1] / error[2]), 9, 1, "local order, errors %g %g", error[1], error[2]);
}

/* The estimates behind the control of the step fall with h^5 and h^3. */
static void order_of_the_estimates(void) {
    double fifth[2], third[2];
    for (int k = 0; k < 2; k++) {
        imp_rk_lanes_end end = step_from(0.3, 0.1 / (1 << k));
        fifth[k] = fabs(end.error5.x[1]);
        third[k] = fabs(end.error3.x[1]);
    }
    CHECK_NEAR(log2(fifth[0] / fifth[1]), 5, 0.5, "fifth order estimate");
    CHECK_NEAR(log2(third[0] / third[1]), 3, 0.5, "third order estimate");
}

/* Steps that the control chooses keep the error near the tolerance. */
static void control_of_the_step(void) {
    double t = 0, h = 1;
    imp_rk_lanes y = exact(0), weight;
    int steps = 0;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        weight.x[i] = 1e11;
    }
    while (t < 6 && steps < 1000) {
        imp_rk_lanes_end end = step_of(&y, h);
        double error = imp_rk_lanes_error(&end, &weight, h);
        t += error <= 1 ? h : 0;
        y = error <= 1 ? end.y : y;
        h = imp_rk_lanes_next(h, error);
        steps++;
    }
    CHECK(steps > 5 && steps < 200, "%d steps", steps);
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        CHECK_NEAR(y.x[i], exact(t).x[i], 1e-9, "component %d at %g", i, t);
    }
    CHECK(imp_rk_lanes_next(1, NAN) < 1 && imp_rk_lanes_next(1, INFINITY) < 1,
          "a step out of the domain");
}

SUITE("runge_kutta", order_of_the_solution, order_within_a_step, order_of_the_estimates,
      control_of_the_step)
