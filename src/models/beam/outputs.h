/* The outputs of a beam's collision. */
#ifndef IMP_MODELS_BEAM_OUTPUTS_H
#define IMP_MODELS_BEAM_OUTPUTS_H

#include "impact.h"
#include "models/beam/problem.h"
#include "models/beam/result.h"

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
