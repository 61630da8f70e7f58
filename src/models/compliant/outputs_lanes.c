/* The values of the outputs, column by column. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include <math.h>

#include "bodies/planar/motion.h"
#include "models/compliant/outputs.h"
#include "models/signature.h"
#include "models/theory.h"
#include "num/lanes/words.h"
#include "num/larger.h"

#define RESULT(name) (b->result.name[i])
#define ACCOUNT_OF(name) (b->account.name[i])
#define UNIT(name) (b->name[i])
#define FORCE (b->impulse[i] / b->time[i])
#define MOTION(name) imp_motion_finite(b->name[i])
#define BODY_A (b->b11[i] / b->b22[i])
#define BODY_C (b->b12[i] / b->b22[i])
#define BODY_LIGHTNESS (b->b22[i] / b->mass[i])

/* For each output a function that writes it for the first n cells of a block, solved or not; k:
 * place in a list of `length` values. */
#define ROW(code, needs, value, ...)                                                               \
    static void put_##code(const imp_compliant_block *b, size_t n, size_t k, size_t length,        \
                           double *out) {                                                          \
        (void)k;                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                           \
            out[i * length] = (value);                                                             \
        }                                                                                          \
    }
#include "models/compliant/outputs.def"

typedef void column(const imp_compliant_block *b, size_t n, size_t k, size_t length, double *out);
static column *const columns[IMP_COMPLIANT_N_OUTPUTS] = {
#define ROW(code, ...) [IMP_COMPLIANT_OF_##code] = put_##code,
#include "models/compliant/outputs.def"
};

/* Whether every output, and every column of a history, can be expressed in the units of cell i
 * without overflow. All of them count, so the result does not depend on which are wanted. */
static inline bool is_representable(const imp_compliant_block *b, size_t i) {
    const double largest = 1e200;
    /* No spring stores more than the initial energy, which bounds the forces. */
    double force = b->impulse[i] * (1 + RESULT(initial)), most = largest * b->time[i];
    return (force * b->speed[i] < largest) & (force < most) & (force < most * b->root[i]) &
           (b->time[i] < largest) & (b->impulse[i] < largest) &
           (fabs(RESULT(p_n) * b->impulse[i]) < largest) &
           (fabs(RESULT(p_t) / b->root[i] * b->impulse[i]) < largest) &
           (fabs(RESULT(v_n)) < largest) & (fabs(RESULT(v_t) * b->root[i]) < largest);
}

IMP_IN_LANES(imp_compliant_represent, (imp_compliant_block * b, size_t n)) {
    for (size_t i = 0; i < n; i++) {
        bool lost = (RESULT(outcome) == IMP_SOLVED) & !is_representable(b, i);
        RESULT(outcome) = lost ? IMP_NOT_FINITE : RESULT(outcome);
    }
}

IMP_IN_LANES(imp_compliant_put,
             (const imp_compliant_block *b, size_t n, size_t first, double *const *out)) {
    bool wedges = false;
    for (size_t i = 0; i < n; i++) {
        wedges |= RESULT(mode) == IMP_COMPLIANT_WEDGE;
    }
    for (int o = 0; o < IMP_COMPLIANT_N_OUTPUTS; o++) {
        if (!out[o]) {
            continue;
        }
        size_t length = imp_output_length(&imp_compliant_outputs[o]);
        bool undefined = imp_compliant_outputs[o].undefined_in & IMP_MODE_BIT(IMP_COMPLIANT_WEDGE);
        for (size_t k = 0; k < length; k++) {
            columns[o](b, n, k, length, out[o] + first * length + k);
        }
        for (size_t i = 0; wedges && undefined && i < n; i++) {
            out[o][first + i] = RESULT(mode) == IMP_COMPLIANT_WEDGE ? NAN : out[o][first + i];
        }
    }
}

/* ---- columns in which cells have the same numbers ---- */

IMP_IN_LANES(imp_compliant_fill,
             (const imp_compliant_shared *shared, size_t n_shared, size_t at, size_t end)) {
    for (size_t k = 0; k < n_shared; k++) {
        double *cells = shared[k].column, value = shared[k].value;
        size_t i = at;
        for (; i + IMP_LANES <= end; i += IMP_LANES) {
            imp_lanes_store(&cells[i], number(value));
        }
        for (; i < end; i++) {
            cells[i] = value;
        }
    }
}
