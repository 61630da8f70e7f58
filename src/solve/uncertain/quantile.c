/* Order statistics without a sort: values are dealt into equal parts of their range, and only the
 * part with the wanted one is dealt again. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "num/larger.h"
#include "solve/uncertain/uncertain_impl.h"

enum { PARTS = 512, FEW = 32 };

static void insert_in_order(double *values, int64_t n) {
    for (int64_t i = 1; i < n; i++) {
        double moved = values[i];
        int64_t at = i;
        for (; at > 0 && values[at - 1] > moved; at--) {
            values[at] = values[at - 1];
        }
        values[at] = moved;
    }
}

/* Four at a time, because each comparison waits for the one before. */
void imp_find_ends(const double *values, int64_t n, double *low, double *high) {
    double least[4], most[4];
    for (int k = 0; k < 4; k++) {
        least[k] = most[k] = values[k < n ? k : 0];
    }
    for (int64_t i = 4; i < n; i++) {
        int k = i & 3;
        least[k] = values[i] < least[k] ? values[i] : least[k];
        most[k] = values[i] > most[k] ? values[i] : most[k];
    }
    *low = imp_smaller(imp_smaller(least[0], least[1]), imp_smaller(least[2], least[3]));
    *high = imp_larger(imp_larger(most[0], most[1]), imp_larger(most[2], most[3]));
}

static int part_of(double value, double low, double per_width) {
    double part = (value - low) * per_width;
    return part < PARTS - 1 ? (int)part : PARTS - 1;
}

/* Keeps those values that are in a part, in their order; returns their number. */
static int64_t keep_part(double *values, int64_t n, double low, double per_width, int part) {
    int64_t kept = 0;
    for (int64_t i = 0; i < n; i++) {
        double value = values[i];
        values[kept] = value;
        kept += part_of(value, low, per_width) == part;
    }
    return kept;
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

double imp_select(double *values, int64_t n, int64_t rank) {
    assert(rank >= 0 && rank < n);
    while (n > FEW) {
        double low, high;
        imp_find_ends(values, n, &low, &high);
        double per_width = PARTS / (high - low);
        if (!(high > low)) {
            return low;
        }
        if (!isfinite(per_width) || !(per_width > 0)) { /* the width is no ordinary number */
            qsort(values, (size_t)n, sizeof *values, ascending);
            return values[rank];
        }
        int64_t count[PARTS] = {0};
        for (int64_t i = 0; i < n; i++) {
            count[part_of(values[i], low, per_width)]++;
        }
        int part = 0;
        for (; rank >= count[part]; part++) {
            rank -= count[part];
        }
        n = keep_part(values, n, low, per_width, part);
    }
    insert_in_order(values, n);
    return values[rank];
}
