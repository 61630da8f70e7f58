#include "models/beam/problem.h"

#include <float.h>
#include <math.h>

#include "num/exponential.h"
#include "num/larger.h"

/* Dimensionless numbers of a case. */
typedef struct numbers {
    double rate, stiffness, internal, external, mass, pin, turning, speed;
} numbers;

static numbers scale(const imp_beam_case *c) {
    double bending = c->modulus * c->second_moment, length = c->length;
    double rate = sqrt(bending / c->mass_per_length) / (length * length);
    double softness =
        (1 - c->poisson_ratio * c->poisson_ratio) / c->modulus +
        (1 - c->striker_poisson_ratio * c->striker_poisson_ratio) / c->striker_modulus;
    /* The geometric mean of the radii, as in the paper: exact for equal crossed cylinders. */
    double radius = sqrt(c->radius) * sqrt(c->striker_radius);
    return (numbers){
        .rate = rate,
        .stiffness = 4.0 / 3 / softness * (length * length) * (length * length) / bending *
                     sqrt(radius / length),
        .internal = c->internal_damping / c->modulus * rate,
        .external = c->external_damping / (c->mass_per_length * rate),
        .mass = c->striker_mass / (c->mass_per_length * length),
        .pin = c->boundary == IMP_BEAM_PINNED ? c->pin / length : 0,
        .turning = c->angular_velocity / rate,
        .speed = c->striker_speed / (length * rate),
    };
}

static bool is_usable(const imp_beam_case *c, const numbers *s) {
    bool finite = isfinite(s->internal) && isfinite(s->external) && isfinite(s->turning) &&
                  isfinite(s->speed) && isfinite(s->rate) && isfinite(s->stiffness);
    bool mass = isinf(c->striker_mass) || (isfinite(s->mass) && s->mass > 0);
    return finite && mass && s->rate > 0 && s->stiffness > 0;
}

/* Whether the mesh and the modes exist; `mesh` is only written if so. */
static bool choose_mesh(const imp_beam_case *c, const numbers *s, imp_beam_mesh *mesh) {
    bool whole = c->elements == floor(c->elements) && c->mode_count == floor(c->mode_count);
    bool enough = c->mode_count <= c->elements + 1;
    bool inside = s->pin >= 0 && s->pin <= 1;
    bool moves =
        c->boundary == IMP_BEAM_PINNED || c->boundary == IMP_BEAM_FREE || isfinite(c->striker_mass);
    if (!whole || !enough || !inside || !moves) {
        return false;
    }
    *mesh = (imp_beam_mesh){.boundary = c->boundary, .elements = (int)c->elements, .pin = s->pin};
    return true;
}

static void set_modes(const imp_beam_modes *modes, const numbers *s, double position, int count,
                      imp_beam_problem *problem) {
    double value[IMP_BEAM_MOST_FREEDOMS];
    imp_beam_modes_at(modes, position, value);
    problem->rigid = modes->rigid;
    problem->beam = problem->n = count;
    problem->internal = s->internal;
    problem->external = s->external;
    problem->mode_error = DBL_EPSILON;
    problem->damped = s->external > 0 || s->internal > 0;
    for (int j = 0; j < count; j++) {
        problem->lambda[j] = imp_larger(modes->lambda[j], 0);
        problem->omega[j] = sqrt(problem->lambda[j]);
        problem->damping[j] = s->external + s->internal * problem->lambda[j];
        problem->shape[j] = value[j];
        problem->speed[j] = 0;
    }
    /* Rotation about the pin or the middle is the last rigid mode. */
    if (modes->rigid > 0) {
        int last = modes->rigid - 1;
        double slope =
            imp_beam_rigid_mode(&modes->mesh, last, 1) - imp_beam_rigid_mode(&modes->mesh, last, 0);
        problem->speed[last] = s->turning / slope;
    }
}

static void set_striker(const numbers *s, imp_beam_problem *problem) {
    problem->mass = s->mass;
    if (isinf(s->mass)) {
        return;
    }
    int j = problem->n++;
    problem->lambda[j] = problem->omega[j] = problem->damping[j] = 0;
    problem->shape[j] = -1 / sqrt(s->mass);
    problem->speed[j] = s->speed * sqrt(s->mass);
}

/* Sets the quantities that follow from the modes; false if beam and striker do not approach. */
static bool set_contact(const numbers *s, double tolerance, imp_beam_problem *problem) {
    double compliance = 0, approach = 0, twice = 0;
    for (int j = 0; j < problem->n; j++) {
        twice += problem->speed[j] * problem->speed[j];
        if (j < problem->rigid || j >= problem->beam) {
            compliance += problem->shape[j] * problem->shape[j];
            approach -= problem->shape[j] * problem->speed[j];
        }
    }
    problem->stiffness = s->stiffness;
    problem->tolerance = tolerance;
    problem->approach = approach;
    problem->energy = twice / 2;
    problem->effective_mass = 1 / compliance;
    double ratio = problem->effective_mass / s->stiffness;
    problem->contact_time = imp_power(ratio * ratio / approach, 0.2);
    return approach > 0;
}

/* Errors of fast modes have less weight: they change the indentation little and have little energy.
 * With damping the speeds of fast modes dissipate energy and have more weight. The powers, and the
 * share of the tolerance in the stepper, were found by trial: differences between two tolerances
 * stay below imp_beam_uncertainty, residuals below 1e-6. */
static void set_errors(imp_beam_problem *problem) {
    const double power = problem->damped ? 0.5 : 0.75;
    for (int j = 0; j < problem->n; j++) {
        double turns = imp_larger(problem->omega[j] * problem->contact_time, 1);
        problem->speed_error[j] = imp_power(turns, power);
        problem->place_error[j] = problem->contact_time * problem->speed_error[j] / turns;
    }
}

/* Whether squares and products of rates and masses stay within the range of a double. */
static bool is_moderate(const imp_beam_problem *problem) {
    const double least = 1e-40, most = 1e40;
    const double value[] = {problem->approach, problem->energy, problem->effective_mass,
                            problem->contact_time, problem->stiffness};
    for (int i = 0; i < 5; i++) {
        if (!(value[i] > least && value[i] < most)) {
            return false;
        }
    }
    return problem->internal < most && problem->external < most;
}

static imp_beam_units units_of(const imp_beam_case *c, double rate) {
    double speed = c->length * rate, impulse = c->mass_per_length * c->length * speed;
    return (imp_beam_units){
        .rate = rate,
        .length = c->length,
        .speed = speed,
        .impulse = impulse,
        .force = impulse * rate,
    };
}

imp_err imp_beam_problem_make(const imp_beam_case *cell, imp_beam_mode_cache *cache,
                              bool every_mode, imp_beam_problem *problem, imp_beam_units *units,
                              const imp_beam_modes **modes, imp_outcome *outcome) {
    numbers s = scale(cell);
    imp_beam_mesh mesh;
    *outcome = IMP_NOT_FINITE;
    if (!is_usable(cell, &s)) {
        return IMP_OK;
    }
    *outcome = IMP_OUTSIDE;
    if (!choose_mesh(cell, &s, &mesh)) {
        return IMP_OK;
    }
    int wanted = every_mode ? IMP_BEAM_MOST_FREEDOMS : (int)cell->mode_count;
    imp_err error = imp_beam_mode_cache_find(cache, &mesh, wanted, modes, outcome);
    if (error || *outcome != IMP_SOLVED) {
        return error;
    }
    *outcome = IMP_OUTSIDE;
    if (cell->mode_count > (*modes)->n || cell->mode_count < (*modes)->rigid) {
        return IMP_OK;
    }
    *units = units_of(cell, s.rate);
    set_modes(*modes, &s, cell->position, every_mode ? (*modes)->n : wanted, problem);
    set_striker(&s, problem);
    if (set_contact(&s, cell->tolerance, problem)) {
        set_errors(problem);
        *outcome = is_moderate(problem) ? IMP_SOLVED : IMP_NOT_FINITE;
    }
    return IMP_OK;
}
