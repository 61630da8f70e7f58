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

/* One cell: its scales, its body's B. The effect of friction is how it compares with the normal reaction of a free
 * body; a constrained one knows no bounds, its phases are closed forms. */
typedef struct imp_compliant_cell {
    double speed, effect;
    imp_compliant_scales scales;
    const imp_contact *contact;
} imp_compliant_cell;

/* Whether every output can be expressed in the cell's units without overflow; so decided that it does not depend on
 * which outputs are wanted. */
bool imp_compliant_representable(const imp_compliant_cell *c, const imp_compliant_result *r);

/* Writes the outputs of a solved cell i that are wanted. account: NULL where no energy or force is wanted. */
void imp_compliant_put(const imp_compliant_cell *c, const imp_compliant_result *r,
                       const imp_account *account, double *const *out, size_t i);

#endif
