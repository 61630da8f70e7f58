#include "sched/tally.h"

enum { CODES = 256 };

static bool all_alike(size_t n, const uint8_t *codes) {
    uint8_t differing = 0;
    for (size_t i = 0; i < n; i++) {
        differing |= codes[i] ^ codes[0];
    }
    return differing == 0;
}

/* Adds how often each code occurs. Four cells in turn have counters of their own, because a counter
 * can only be raised every few cycles, and neighbours mostly have the same code. */
static void count_codes(size_t n, const uint8_t *codes, int64_t counts[CODES]) {
    enum { TURNS = 4 };
    int64_t turn[TURNS][CODES] = {{0}};
    if (n > 0 && all_alike(n, codes)) {
        counts[codes[0]] += (int64_t)n;
        return;
    }
    size_t whole = n - n % TURNS;
    for (size_t i = 0; i < whole; i += TURNS) {
        for (size_t k = 0; k < TURNS; k++) {
            turn[k][codes[i + k]]++;
        }
    }
    for (size_t i = whole; i < n; i++) {
        counts[codes[i]]++;
    }
    for (int code = 0; code < CODES; code++) {
        for (int k = 0; k < TURNS; k++) {
            counts[code] += turn[k][code];
        }
    }
}

void imp_counts_add(imp_counts *counts, size_t n, const uint8_t *outcomes, const int8_t *modes) {
    int64_t outcome[CODES] = {0}, mode[CODES] = {0};
    count_codes(n, outcomes, outcome);
    if (modes) {
        count_codes(n, (const uint8_t *)modes, mode);
    }
    /* A pending cell has a mode where a run ended between its values and its mark. */
    for (size_t i = 0; modes && outcome[IMP_PENDING] > 0 && i < n; i++) {
        mode[(uint8_t)modes[i]] -= outcomes[i] == IMP_PENDING;
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
