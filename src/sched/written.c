#include "sched/written.h"

#include <string.h>

#include "base/error.h"

imp_err imp_written_add(imp_written *written, imp_order cells, const imp_counts *counts) {
    imp_text_append(&written->runs, &cells, sizeof cells);
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        written->counts.outcomes[i] += counts->outcomes[i];
    }
    for (int i = 0; i < IMP_MODE_CODES; i++) {
        written->counts.modes[i] += counts->modes[i];
    }
    return written->runs.failed ? imp_fail(IMP_ERR_MEMORY, "out of memory") : IMP_OK;
}

size_t imp_written_runs(const imp_written *written) {
    return written->runs.length / sizeof(imp_order);
}

imp_order imp_written_run(const imp_written *written, size_t number) {
    imp_order cells;
    memcpy(&cells, written->runs.bytes + number * sizeof cells, sizeof cells);
    return cells;
}

void imp_written_clear(imp_written *written) {
    written->runs.length = 0;
    written->counts = (imp_counts){{0}, {0}};
}

void imp_written_free(imp_written *written) {
    imp_text_free(&written->runs);
}
