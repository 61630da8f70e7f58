/* Sums over the modes of a state: q (n), q' (n), impulse, dissipated energy. */
#ifndef IMP_MODELS_BEAM_SUMS_H
#define IMP_MODELS_BEAM_SUMS_H

#include <stdint.h>

#include "models/beam/beam.h"

/* Work of these sums, in which a budget counts: 1 for up to 32 modes. */
int64_t imp_beam_work(const imp_beam_problem *problem);

double imp_beam_indentation(const imp_beam_problem *problem, const double *state);      /* rho */
double imp_beam_indentation_rate(const imp_beam_problem *problem, const double *state); /* rho' */
double imp_beam_indentation_curve(const imp_beam_problem *problem, const double *state);
double imp_beam_relative_velocity(const imp_beam_problem *problem, const double *rate); /* V_rel */
double imp_beam_force(const imp_beam_problem *problem, double indentation);
double imp_beam_contact_energy(const imp_beam_problem *problem, double indentation); /* stored */

/* V_rel' in contact at an indentation. */
double imp_beam_relative_acceleration(const imp_beam_problem *problem, const double *state,
                                      double indentation);

/* Kinetic energy of the rigid modes and the striker; kinetic and elastic energy of the flexible
 * ones. */
double imp_beam_rigid_energy(const imp_beam_problem *problem, const double *state);
double imp_beam_vibration_energy(const imp_beam_problem *problem, const double *state);

/* An upper bound of |rho''| in free flight from this state on. */
double imp_beam_curve_bound(const imp_beam_problem *problem, const double *state);

/* The speed, over the approach speed, by which an indentation x with rate x' misses a grazing
 * contact: sqrt(x'^2 + 2 |x''|_most |x|)/V0. */
double imp_beam_closeness(const imp_beam_problem *problem, double rate, double distance,
                          double curve);

#endif
