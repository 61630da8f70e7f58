#include "sched/written.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

/* An interval of cells, or, where `first` is below 0, the number of cells with the code -1 - first:
 * of an outcome, or, from IMP_OUTCOME_COUNT on, of a mode. */
typedef imp_interval note;

static void add(imp_written *written, int code, int64_t number) {
    note n = {-1 - code, number};
    if (number > 0) {
        imp_text_append(&written->notes, &n, sizeof n);
    }
}

imp_err imp_written_add(imp_written *written, imp_interval cells, const imp_counts *counts) {
    assert(cells.first >= 0 && cells.count > 0);
    imp_text_append(&written->notes, &cells, sizeof cells);
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        add(written, i, counts->outcomes[i]);
    }
    for (int i = 0; i < IMP_MODE_CODES; i++) {
        add(written, IMP_OUTCOME_COUNT + i, counts->modes[i]);
    }
    return written->notes.failed ? imp_out_of_memory() : IMP_OK;
}

static bool next_note(const imp_written *written, size_t *at, note *n) {
    bool there = *at < written->notes.length;
    if (there) {
        memcpy(n, written->notes.bytes + *at, sizeof *n);
        *at += sizeof *n;
    }
    return there;
}

bool imp_written_next(const imp_written *written, size_t *at, imp_interval *cells) {
    bool there;
    do {
        there = next_note(written, at, cells);
    } while (there && cells->first < 0);
    return there;
}

imp_counts imp_written_counts(const imp_written *written) {
    imp_counts counts = {{0}, {0}};
    note n;
    for (size_t at = 0; next_note(written, &at, &n);) {
        int64_t code = -1 - n.first;
        if (code >= IMP_OUTCOME_COUNT) {
            counts.modes[code - IMP_OUTCOME_COUNT] += n.count;
        } else if (code >= 0) {
            counts.outcomes[code] += n.count;
        }
    }
    return counts;
}

void imp_written_clear(imp_written *written) {
    written->notes.length = 0;
}

void imp_written_free(imp_written *written) {
    imp_text_free(&written->notes);
}
