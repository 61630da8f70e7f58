#include "models/compliant/laws.h"

#include <math.h>

#include "models/compliant/power_impl.h"
#include "num/beside.h"
#include "num/wide.h"

/* ---- linear, coupled: |v_t| = mu ---- */

static bool near_mu(const imp_compliant_block *block, size_t at, size_t n) {
    int64_t near = 0; /* as wide as a double, for the sake of the compiler */
    for (size_t i = at; i < at + n; i++) {
        double mu = block->problem.mu[i];
        near |= fabs(fabs(block->problem.v_t[i]) - mu) <= imp_rounding * mu;
    }
    return near != 0;
}

static double speed_mu(double mu, double damping) {
    (void)damping;
    return mu;
}

static double inside_linear(const imp_compliant_start *start) {
    imp_wide held = imp_wide_product(start->friction, start->stiffness_ratio);
    return imp_wide_add(held, imp_wide_of(-fabs(start->velocity_ratio))).high;
}

static double inside_coupled(const imp_compliant_start *start) {
    imp_wide held = imp_wide_product(2 * start->friction, start->stiffness_ratio);
    return imp_wide_add(held, imp_wide_product(-3, fabs(start->velocity_ratio))).high;
}

/* ---- hertz: |v_t|^3 = (mu (1 + damping))^2 ---- */

static bool near_power(const imp_compliant_block *block, size_t at, size_t n) {
    bool near = false;
    for (size_t i = at; i < at + n; i++) {
        double speed = fabs(block->problem.v_t[i]);
        double force = block->problem.mu[i] * (1 + block->problem.damping[i]);
        near |= fabs(speed * speed * speed - force * force) <= 4 * imp_rounding * force * force;
    }
    return near;
}

static double speed_power(double mu, double damping) {
    return limit(&(springs){.kappa = imp_two_thirds(mu), .damping = damping}, 1, -1);
}

static double inside_power(const imp_compliant_start *start) {
    imp_wide speed = imp_wide_of(fabs(start->velocity_ratio));
    imp_wide held = imp_wide_product(start->friction, start->stiffness_ratio);
    held = imp_wide_multiply(held, imp_wide_sum(1, start->damping));
    imp_wide cube = imp_wide_multiply(imp_wide_multiply(speed, speed), speed);
    return imp_wide_add(imp_wide_multiply(held, held), imp_wide_minus(cube)).high;
}

const imp_compliant_rim imp_compliant_linear_rim = {
    .near = near_mu, .speed = speed_mu, .inside = inside_linear};
const imp_compliant_rim imp_compliant_coupled_rim = {
    .near = near_mu, .speed = speed_mu, .inside = inside_coupled};
const imp_compliant_rim imp_compliant_hertz_rim = {
    .near = near_power, .speed = speed_power, .inside = inside_power};

/* The solver of dashpots decides by itself. */
const imp_compliant_rim imp_compliant_dashpot_rim = {.near = NULL};

/* ---- a start on its side ---- */

double imp_compliant_on_its_side(const imp_compliant_rim *rim, const imp_compliant_start *start,
                                 double mu, double v_t) {
    double speed = rim->speed(mu, start->damping);
    if (!(mu > 0 && fabs(fabs(v_t) - speed) <= imp_rounding * speed)) {
        return v_t;
    }
    return copysign(imp_beside(fabs(v_t), speed, rim->inside(start)), v_t);
}

void imp_compliant_settle(const imp_compliant_rim *rim, const double *friction,
                          const double *stiffness_ratio, size_t n, imp_compliant_block *block,
                          size_t at) {
    if (block->problem.constrained[at] != 0 || !rim->near || !rim->near(block, at, n)) {
        return;
    }
    for (size_t i = at; i < at + n; i++) {
        const imp_compliant_start start = {.friction = friction[i - at],
                                           .stiffness_ratio = stiffness_ratio[i - at],
                                           .velocity_ratio = block->velocity_ratio[i],
                                           .damping = block->problem.damping[i]};
        block->problem.v_t[i] =
            imp_compliant_on_its_side(rim, &start, block->problem.mu[i], block->problem.v_t[i]);
    }
}
