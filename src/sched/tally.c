#include "sched/tally.h"

void imp_counts_add(imp_counts *counts, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    int64_t outcome[256] = {0}, mode[256] = {0};
    for (size_t i = 0; i < n; i++) {
        outcome[outcomes[i]]++;
        /* A pending cell has a mode where a run ended between its values and its mark. */
        mode[modes && outcomes[i] != IMP_PENDING ? (uint8_t)modes[i] : 0]++;
    }
    for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
        counts->outcomes[i] += outcome[i];
    }
    for (int i = 1; i < IMP_MODE_CODES; i++) {
        counts->modes[i] += mode[i];
    }
}

static void add(imp_tally *tally, const imp_counts *counts, int sign) {
    for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
        tally->outcomes[i] += sign * counts->outcomes[i];
        tally->done += sign * counts->outcomes[i];
    }
    for (int i = 1; i < IMP_MODE_CODES; i++) {
        tally->modes[i] += sign * counts->modes[i];
    }
}

void imp_tally_add(imp_tally *tally, const imp_counts *counts) {
    add(tally, counts, 1);
}

void imp_tally_subtract(imp_tally *tally, const imp_counts *counts) {
    add(tally, counts, -1);
}

void imp_tally_count(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    imp_counts counts = {{0}, {0}};
    imp_counts_add(&counts, n, outcomes, modes);
    imp_tally_add(tally, &counts);
}

void imp_tally_time(imp_tally *tally, double elapsed) {
    double done = (double)(tally->done - tally->done_before);
    tally->elapsed = elapsed;
    tally->left = done > 0 ? elapsed / done * (double)(tally->cells - tally->done) : 0;
}
