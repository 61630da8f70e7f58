/* The outputs of a cell: their table and their values. */
#ifndef IMP_MODELS_COMPLIANT_OUTPUTS_H
#define IMP_MODELS_COMPLIANT_OUTPUTS_H

#include "bodies/planar/body.h"
#include "models/compliant/account.h"
#include "models/compliant/laws.h"

enum {
#define OUTPUT(code, ...) IMP_COMPLIANT_OF_##code,
#include "models/compliant/outputs.def"
    IMP_COMPLIANT_N_OUTPUTS
};

extern const imp_output imp_compliant_outputs[IMP_COMPLIANT_N_OUTPUTS];

/* See imp_theory.has_output. */
bool imp_compliant_has_output(const imp_instance *instance, int output);

/* One cell: its scales and its contact. effect: friction times sqrt(b11 / b22) for a free body; 1
 * for a constrained one, whose phases have closed forms for any friction. */
typedef struct imp_compliant_cell {
    double speed, effect;
    imp_compliant_scales scales;
    const imp_contact *contact;
    const imp_body *body;
    const double *value; /* of the body's parameters */
} imp_compliant_cell;

/* Whether every output, and every column of a history, can be expressed in the cell's units without
 * overflow. All of them count, so the result does not depend on which are wanted. */
bool imp_compliant_representable(const imp_compliant_cell *c, const imp_compliant_result *r);

/* Writes the wanted outputs of the solved cell i. account: NULL if no energy or force is wanted. */
void imp_compliant_put(const imp_compliant_cell *c, const imp_compliant_result *r,
                       const imp_account *account, double *const *out, size_t i);

#endif
