/* The inputs of a beam: parameters and choices, and the case that they describe; its outputs. */
#ifndef IMP_MODELS_BEAM_INPUTS_H
#define IMP_MODELS_BEAM_INPUTS_H

#include "impact.h"
#include "models/beam/problem.h"
#include "models/beam/result.h"

/* The choices in their order; the codes of boundary and solver are those of beam.h. */
enum { IMP_BEAM_BOUNDARY, IMP_BEAM_SECTION, IMP_BEAM_STRIKER, IMP_BEAM_SOLVER, IMP_BEAM_CHOICES };
enum { IMP_BEAM_GIVEN_SECTION, IMP_BEAM_CIRCULAR_SECTION };
enum { IMP_BEAM_FIXED_STRIKER, IMP_BEAM_FREE_STRIKER };
enum { IMP_BEAM_PARAMETERS = 13 };

extern const imp_parameter *const imp_beam_parameters[IMP_BEAM_PARAMETERS];
extern const imp_choice imp_beam_choices[IMP_BEAM_CHOICES];

/* Number of values of a cell: the parameters, then those of the chosen options. */
int imp_beam_value_count(const int *chosen);

imp_beam_case imp_beam_read_case(const int *chosen, const double *value);

#define IMP_BEAM_NO_PETSC "this solver needs PETSc, which is not here; allowed: solver=collocation"

/* Whether the solver is one of PETSc, which this build does not have. */
bool imp_beam_lacks_petsc(const int *chosen);

/* See imp_theory.refuse. */
const char *imp_beam_refuse(const imp_instance *instance, const double *value, const char **name);

/* ---- outputs.c ---- */

/* Above this uncertainty a cell is marked as grazing. */
#define IMP_BEAM_UNCERTAIN 1e-5

enum {
#define OUTPUT(code, ...) IMP_BEAM_OF_##code,
#include "models/beam/outputs.def"
    IMP_BEAM_OUTPUTS
};
enum { IMP_BEAM_KINDS = 2 };

extern const imp_output imp_beam_outputs[IMP_BEAM_OUTPUTS];
extern const imp_mode imp_beam_kinds[IMP_BEAM_KINDS]; /* of collisions */

/* See imp_theory.has_output. */
bool imp_beam_has_output(const imp_instance *instance, int output);

/* Writes the outputs of cell i. */
void imp_beam_put(const imp_beam_problem *problem, const imp_beam_units *u,
                  const imp_beam_result *result, double *const *out, size_t i);

#endif
