#include "sched/tally.h"

static void add(imp_tally *tally, int sign, size_t n, const uint8_t *outcomes,
                const int8_t *modes) {
    int64_t outcome[256] = {0}, mode[256] = {0};
    for (size_t i = 0; i < n; i++) {
        outcome[outcomes[i]]++;
        /* A pending cell has a mode where a run ended between its values and its mark. */
        mode[modes && outcomes[i] != IMP_PENDING ? (uint8_t)modes[i] : 0]++;
    }
    for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
        tally->outcomes[i] += sign * outcome[i];
        tally->done += sign * outcome[i];
    }
    for (int i = 1; i < 64; i++) {
        tally->modes[i] += sign * mode[i];
    }
}

void imp_tally_count(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    add(tally, 1, n, outcomes, modes);
}

void imp_tally_uncount(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    add(tally, -1, n, outcomes, modes);
}

void imp_tally_time(imp_tally *tally, double elapsed) {
    double done = (double)(tally->done - tally->done_before);
    tally->elapsed = elapsed;
    tally->left = done > 0 ? elapsed / done * (double)(tally->cells - tally->done) : 0;
}
