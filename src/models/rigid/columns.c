/* The values of the outputs of a block of cells. */
#include <float.h>
#include <math.h>

#include "models/rigid/outputs.h"
#include "models/theory.h"

/* Writes an output of the first n cells, solved or not. */
typedef void column(const imp_rigid_block *b, size_t n, double *out);

#define COLUMN(name, value)                                                                        \
    static void name(const imp_rigid_block *b, size_t n, double *out) {                            \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i] = (value);                                                                      \
        }                                                                                          \
    }

/* Below, what is divided by the coefficient has lost its digits. */
static const double least_coefficient = 1e-150;

static inline double unless_zero(double e, double value) {
    return e >= least_coefficient ? value : NAN;
}

COLUMN(mode, b->mode[i])
COLUMN(sequence, b->sequence[i])
COLUMN(kinematic, b->out_n[i])
COLUMN(kinetic, b->rebound[i] / b->compression[i])
COLUMN(energetic_ratio, sqrt(-b->work_r[i] / b->work_c[i]))
COLUMN(velocity_ratio_out, b->out_t[i])
COLUMN(normal_impulse, b->p_n[i] * b->impulse[i])
COLUMN(tangential_impulse, b->p_t[i] * b->impulse[i])
COLUMN(impulse_ratio_out, b->p_t[i] / b->p_n[i])
COLUMN(approach_ratio, b->p_t_c[i] / b->compression[i])
COLUMN(rebound_ratio, unless_zero(b->e[i], (b->p_t[i] - b->p_t_c[i]) / b->rebound[i]))
COLUMN(cone, fabs(b->friction[i]) > b->cone[i] ? IMP_RIGID_YES : IMP_RIGID_NO)
COLUMN(energy_loss, b->mode[i] == IMP_RIGID_WEDGE ? 1 : -b->change[i] / b->initial[i])
COLUMN(body_energy_loss, -2 * b->change[i] / (b->b22[i] * (1 + b->v_t[i] * b->v_t[i])))
COLUMN(energy_gain, b->change[i] > 1e-12 * b->initial[i] ? IMP_RIGID_YES : IMP_RIGID_NO)
COLUMN(product, b->out_n[i] * (b->rebound[i] / b->compression[i]))
COLUMN(lambda_newton, unless_zero(b->e[i], b->out_n[i] / b->e[i]))
COLUMN(lambda_poisson, unless_zero(b->e[i], b->rebound[i] / b->compression[i] / b->e[i]))
COLUMN(lambda_energetic, unless_zero(b->e[i], sqrt(-b->work_r[i] / b->work_c[i]) / b->e[i]))
COLUMN(body_velocity_t, b->v_t[i] * b->speed[i] + b->p_t[i] * (b->impulse[i] / b->mass[i]))
COLUMN(body_velocity_n, b->p_n[i] * (b->impulse[i] / b->mass[i]) - b->speed[i])
COLUMN(residual, fabs(b->work_c[i] + b->work_r[i] + b->work_t[i] - b->change[i]) / b->initial[i])

static void turn(const imp_rigid_block *b, size_t n, int part, double *out) {
    for (size_t i = 0; i < n; i++) {
        double gained = b->per_t[part][i] * b->p_t[i] + b->per_n[part][i] * b->p_n[i];
        double velocity = b->initial_turn[part][i] + gained * b->impulse[i];
        out[i] = fabs(velocity) <= DBL_MAX ? velocity : NAN;
    }
}

static void angular_velocity(const imp_rigid_block *b, size_t n, double *out) {
    turn(b, n, 0, out);
}

static void angular_velocity_2(const imp_rigid_block *b, size_t n, double *out) {
    turn(b, n, 1, out);
}

/* A ratio at which the impulse is finite and the body separates; NaN otherwise. */
static inline double possible(double ratio, double c) {
    return fabs(ratio) <= DBL_MAX && 1 + ratio * c > 0 ? ratio + 0.0 : NAN; /* no -0 */
}

/* A constrained body slips as long as it moves: there is no end of slip to choose. */
static void critical_ratio(const imp_rigid_block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double fall = b->v_t[i] / (1 + b->e[i]);
        double below = b->a[i] + b->c[i] * fall;
        double ratio = possible(-(fall + b->c[i]) / below, b->c[i]);
        out[i] = below > 0 && b->constrained[i] == 0 ? ratio : NAN;
    }
}

/* a x^2 + 2 half x - (1 - e) = 0; the sum whose quotients are both roots. */
static inline double neutral_sum(const imp_rigid_block *b, size_t i, double *a) {
    double half = b->v_t[i] + b->e[i] * b->c[i];
    *a = 2 * b->v_t[i] * b->c[i] + (1 + b->e[i]) * b->a[i];
    double square = half * half + *a * (1 - b->e[i]);
    double root = sqrt(square);
    return half < 0 ? root - half : -half - root;
}

static void neutral_ratio(const imp_rigid_block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double a, sum = neutral_sum(b, i, &a);
        out[i] = possible(sum / a, b->c[i]);
    }
}

static void neutral_ratio_2(const imp_rigid_block *b, size_t n, double *out) {
    for (size_t i = 0; i < n; i++) {
        double a, sum = neutral_sum(b, i, &a);
        out[i] = possible((b->e[i] - 1) / sum, b->c[i]);
    }
}

static column *const columns[IMP_RIGID_N_OUTPUTS] = {
    [IMP_RIGID_OF_MODE] = mode,
    [IMP_RIGID_OF_SEQUENCE] = sequence,
    [IMP_RIGID_OF_KINEMATIC] = kinematic,
    [IMP_RIGID_OF_KINETIC] = kinetic,
    [IMP_RIGID_OF_ENERGETIC] = energetic_ratio,
    [IMP_RIGID_OF_VELOCITY_RATIO_OUT] = velocity_ratio_out,
    [IMP_RIGID_OF_NORMAL_IMPULSE] = normal_impulse,
    [IMP_RIGID_OF_TANGENTIAL_IMPULSE] = tangential_impulse,
    [IMP_RIGID_OF_IMPULSE_RATIO_OUT] = impulse_ratio_out,
    [IMP_RIGID_OF_APPROACH_RATIO] = approach_ratio,
    [IMP_RIGID_OF_REBOUND_RATIO] = rebound_ratio,
    [IMP_RIGID_OF_CRITICAL_RATIO] = critical_ratio,
    [IMP_RIGID_OF_NEUTRAL_RATIO] = neutral_ratio,
    [IMP_RIGID_OF_NEUTRAL_RATIO_2] = neutral_ratio_2,
    [IMP_RIGID_OF_CONE] = cone,
    [IMP_RIGID_OF_ENERGY_LOSS] = energy_loss,
    [IMP_RIGID_OF_BODY_ENERGY_LOSS] = body_energy_loss,
    [IMP_RIGID_OF_ENERGY_GAIN] = energy_gain,
    [IMP_RIGID_OF_PRODUCT] = product,
    [IMP_RIGID_OF_LAMBDA_NEWTON] = lambda_newton,
    [IMP_RIGID_OF_LAMBDA_POISSON] = lambda_poisson,
    [IMP_RIGID_OF_LAMBDA_ENERGETIC] = lambda_energetic,
    [IMP_RIGID_OF_BODY_VELOCITY_T] = body_velocity_t,
    [IMP_RIGID_OF_BODY_VELOCITY_N] = body_velocity_n,
    [IMP_RIGID_OF_ANGULAR_VELOCITY] = angular_velocity,
    [IMP_RIGID_OF_ANGULAR_VELOCITY_2] = angular_velocity_2,
    [IMP_RIGID_OF_RESIDUAL] = residual,
};

void imp_rigid_put(const imp_instance *instance, const imp_rigid_block *b, size_t n, size_t first,
                   double *const *out) {
    bool wedges = false;
    for (size_t i = 0; i < n; i++) {
        wedges |= b->mode[i] == IMP_RIGID_WEDGE;
    }
    for (int o = 0; o < IMP_RIGID_N_OUTPUTS; o++) {
        if (!out[o] || !imp_rigid_has_output(instance, o)) {
            continue;
        }
        columns[o](b, n, out[o] + first);
        bool undefined = imp_rigid_outputs[o].undefined_in & IMP_MODE_BIT(IMP_RIGID_WEDGE);
        for (size_t i = 0; wedges && undefined && i < n; i++) {
            out[o][first + i] = b->mode[i] == IMP_RIGID_WEDGE ? NAN : out[o][first + i];
        }
    }
}
