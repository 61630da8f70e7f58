#include "solve/block.h"

#include <assert.h>
#include <string.h>

imp_layout imp_layout_of(const imp_sweep *sweep) {
    imp_layout layout = {.n_outputs = sweep->n_outputs, .mode = imp_sweep_position(sweep, "mode")};
    for (int i = 0; i < sweep->n_outputs; i++) {
        layout.size[i] = imp_sweep_output_size(sweep, sweep->outputs[i]);
    }
    layout.size[layout.n_outputs] = sizeof(uint8_t);
    return layout;
}

size_t imp_block_offset(const imp_layout *layout, size_t n, int part) {
    assert(part >= 0 && part <= layout->n_outputs);
    size_t offset = 0;
    for (int i = 0; i < part; i++) {
        offset += (n * layout->size[i] + 7) / 8 * 8;
    }
    return offset;
}

size_t imp_block_size(const imp_layout *layout, size_t n) {
    return imp_block_offset(layout, n, layout->n_outputs) + n;
}

const uint8_t *imp_block_outcomes(const imp_layout *layout, size_t n, const void *block) {
    return (const uint8_t *)block + imp_block_offset(layout, n, layout->n_outputs);
}

const int8_t *imp_block_modes(const imp_layout *layout, size_t n, const void *block) {
    bool none = layout->mode < 0;
    return none ? NULL : (const int8_t *)block + imp_block_offset(layout, n, layout->mode);
}

void imp_block_shrink(const imp_layout *layout, size_t room, size_t n, void *block) {
    assert(n <= room);
    unsigned char *bytes = block;
    for (int part = 0; part <= layout->n_outputs; part++) {
        memmove(bytes + imp_block_offset(layout, n, part),
                bytes + imp_block_offset(layout, room, part), n * layout->size[part]);
    }
}

void imp_block_put(const imp_sweep *sweep, int output, const double *values, size_t n,
                   void *stored) {
    const imp_output *o = &sweep->theory->outputs[output];
    bool single = imp_sweep_single(sweep, output);
    n *= imp_output_length(o);
    switch (o->kind) {
    case IMP_CATEGORY:
        for (size_t i = 0; i < n; i++) {
            ((int8_t *)stored)[i] = (int8_t)values[i];
        }
        break;
    case IMP_SEQUENCE:
        for (size_t i = 0; i < n; i++) {
            ((uint64_t *)stored)[i] = (uint64_t)values[i];
        }
        break;
    default:
        for (size_t i = 0; single && i < n; i++) {
            ((float *)stored)[i] = (float)values[i];
        }
        if (!single) {
            memcpy(stored, values, n * sizeof *values);
        }
    }
}

double imp_block_value(const imp_sweep *sweep, int output, const void *stored, size_t i) {
    switch (sweep->theory->outputs[output].kind) {
    case IMP_CATEGORY:
        return ((const int8_t *)stored)[i];
    case IMP_SEQUENCE:
        return (double)((const uint64_t *)stored)[i];
    default:
        return imp_sweep_single(sweep, output) ? (double)((const float *)stored)[i]
                                               : ((const double *)stored)[i];
    }
}

double imp_block_judged(const imp_sweep *sweep, const imp_layout *layout, int rule, int position,
                        size_t n, const void *block, size_t i) {
    const unsigned char *bytes = block;
    return position < 0 ? 0
                        : imp_block_value(sweep, sweep->refine.rules[rule].output,
                                          bytes + imp_block_offset(layout, n, position), i);
}
