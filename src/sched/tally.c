#include "sched/tally.h"

void imp_tally_count(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    int64_t outcome[256] = {0}, mode[256] = {0};
    for (size_t i = 0; i < n; i++) {
        outcome[outcomes[i]]++;
        mode[modes ? (uint8_t)modes[i] : 0]++;
    }
    for (int i = 1; i < IMP_OUTCOME_COUNT; i++) {
        tally->outcomes[i] += outcome[i];
        tally->done += outcome[i];
    }
    for (int i = 1; i < 64; i++) {
        tally->modes[i] += mode[i];
    }
}

void imp_tally_time(imp_tally *tally, double elapsed) {
    double done = (double)(tally->done - tally->done_before);
    tally->elapsed = elapsed;
    tally->left = done > 0 ? elapsed / done * (double)(tally->cells - tally->done) : 0;
}
