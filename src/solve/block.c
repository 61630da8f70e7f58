#include "solve/block.h"

#include <string.h>

size_t imp_block_offset(const imp_sweep *sweep, size_t n, int position) {
    size_t offset = 0;
    for (int i = 0; i < position; i++) {
        size_t size = n * imp_sweep_output_size(sweep, sweep->outputs[i]);
        offset += (size + 7) / 8 * 8;
    }
    return offset;
}

size_t imp_block_size(const imp_sweep *sweep, size_t n) {
    return imp_block_offset(sweep, n, sweep->n_outputs) + n;
}

void imp_block_shrink(const imp_sweep *sweep, size_t room, size_t n, void *block) {
    unsigned char *bytes = block;
    for (int o = 0; o <= sweep->n_outputs; o++) {
        size_t size = o < sweep->n_outputs ? imp_sweep_output_size(sweep, sweep->outputs[o]) : 1;
        memmove(bytes + imp_block_offset(sweep, n, o), bytes + imp_block_offset(sweep, room, o),
                n * size);
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
