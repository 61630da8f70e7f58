#include "support/beams.h"

#include <math.h>

#include "support/suite.h"

batch beams_along(const char *choices, size_t n, double low, double high) {
    batch b = batch_open("beam", choices, n);
    for (size_t i = 0; i < n; i++) {
        batch_in(&b, "position")[i] = fmin(high, low + (high - low) * (double)i / (double)(n - 1));
    }
    return b;
}

void beams_solve(const batch *b, double tolerance) {
    batch_set(b, "tolerance", tolerance);
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    }
}
