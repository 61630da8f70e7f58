/* Turns a beam in SI units into the scaled problem of its modes. */
#ifndef IMP_MODELS_BEAM_PROBLEM_H
#define IMP_MODELS_BEAM_PROBLEM_H

#include "models/beam/modes.h"

/* One cell in SI units, in which the beam strikes the striker or is struck by it. */
typedef struct imp_beam_case {
    imp_beam_boundary boundary;
    double position; /* of the contact over the length */
    double pin;      /* m, boundary pinned */
    double length, radius, striker_radius, modulus, striker_modulus;
    double poisson_ratio, striker_poisson_ratio;
    double second_moment, mass_per_length;
    double striker_mass; /* infinite: fixed */
    double striker_speed, angular_velocity;
    double internal_damping, external_damping;
    double elements, mode_count; /* whole numbers, otherwise outside */
    double tolerance;
    double full_step;         /* 1/S; solver full */
    double time_step, window; /* s; solver newmark */
} imp_beam_case;

/* Units of the scaled problem in SI: its time is 1 / rate. */
typedef struct imp_beam_units {
    double rate; /* S, 1/s */
    double length, speed, impulse, force;
} imp_beam_units;

/* Makes the problem with the modes that the case asks for, or with every mode of the mesh. *outcome
 * is IMP_SOLVED, IMP_OUTSIDE, IMP_NOT_FINITE (numbers out of range) or IMP_NO_CONVERGENCE (a mode).
 * *modes: the modes of the mesh, owned by the cache. IMP_ERR_MEMORY. */
imp_err imp_beam_problem_make(const imp_beam_case *cell, imp_beam_mode_cache *cache,
                              bool every_mode, imp_beam_problem *problem, imp_beam_units *units,
                              const imp_beam_modes **modes, imp_outcome *outcome);

#endif
