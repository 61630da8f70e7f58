/* The outputs of a cell: their table and their values. */
#ifndef IMP_MODELS_CONTINUUM_OUTPUTS_H
#define IMP_MODELS_CONTINUUM_OUTPUTS_H

#include "bodies/planar/body.h"
#include "models/continuum/problem.h"

enum {
#define OUTPUT(code, ...) IMP_CONTINUUM_OF_##code,
#include "models/continuum/outputs.def"
    IMP_CONTINUUM_N_OUTPUTS
};

extern const imp_output imp_continuum_outputs[IMP_CONTINUUM_N_OUTPUTS];

/* One cell: its units and its contact. effect: friction times sqrt(b11 / b22) for a free body; 1
 * for a constrained one. */
typedef struct imp_continuum_cell {
    double effect;
    imp_contact_units units;
    const imp_contact *contact;
    const imp_body *body;
    const double *value; /* of the body's parameters */
} imp_continuum_cell;

/* Whether every output, and every column of a history, can be expressed in the cell's units without
 * overflow. All of them count, so the result does not depend on which are wanted. */
bool imp_continuum_representable(const imp_continuum_cell *c, const imp_continuum_result *r);

/* Writes the wanted outputs of the solved cell i. */
void imp_continuum_put(const imp_continuum_cell *c, const imp_continuum_result *r,
                       double *const *out, size_t i);

#endif
