/* The number of cells that are solved between two checks for a stop, for cells of any cost. */
#include <math.h>

#include "sched/slice.h"
#include "support/suite.h"

/* Seconds of cells first .. first+n-1. */
typedef double cost(int64_t first, int64_t n);

typedef struct finding {
    double longest, total; /* seconds */
    int64_t slices, cells;
} finding;

/* Solves cells in slices, order after order of `order` cells; no cell is left out. */
static finding solve(cost *cost_of, int64_t cells, int64_t order) {
    imp_pace pace = {0};
    finding f = {0};
    int64_t largest = 0;
    while (f.cells < cells) {
        int64_t left = order - f.cells % order;
        int64_t n = imp_pace_next(&pace, left);
        double seconds = cost_of(f.cells, n);
        CHECK(n >= 1 && n <= left, "%lld of %lld cells", (long long)n, (long long)left);
        CHECK(n <= (largest > 0 ? 2 * largest : 1), "%lld cells after %lld", (long long)n,
              (long long)largest);
        largest = n > largest ? n : largest;
        imp_pace_measured(&pace, n, seconds);
        f.longest = fmax(f.longest, seconds);
        f.total += seconds;
        f.cells += n;
        f.slices++;
    }
    return f;
}

static double cheap(int64_t first, int64_t n) {
    (void)first;
    return 14e-9 * (double)n;
}

static double dear(int64_t first, int64_t n) {
    (void)first;
    return 20e-6 * (double)n;
}

static double dearer(int64_t first, int64_t n) {
    (void)first;
    return 150e-6 * (double)n;
}

static double free_of_cost(int64_t first, int64_t n) {
    (void)first;
    (void)n;
    return 0;
}

static double slow(int64_t first, int64_t n) {
    (void)first;
    return 0.3 * (double)n;
}

static double of_two_kinds(int64_t first, int64_t n, int64_t change, double before, double after) {
    int64_t early = first >= change ? 0 : first + n < change ? n : change - first;
    return before * (double)early + after * (double)(n - early);
}

static double thousand_times(int64_t first, int64_t n) {
    return of_two_kinds(first, n, 3000000, 1e-6, 1e-3);
}

static double ten_thousand_times(int64_t first, int64_t n) {
    return of_two_kinds(first, n, 3000000, 1e-6, 1e-2);
}

static double dear_thousand_times(int64_t first, int64_t n) {
    return of_two_kinds(first, n, 3000, 1e-4, 0.1);
}

/* One cell in a thousand costs as much as all others of its thousand together. */
static double mixed(int64_t first, int64_t n) {
    int64_t dear = (first + n + 999) / 1000 - (first + 999) / 1000;
    return 1e-6 * (double)(n - dear) + 1e-3 * (double)dear;
}

static void cheap_cells_cost_nothing_more(void) {
    finding f = solve(cheap, 100000000, 400000);
    CHECK(f.total / (double)f.slices > 150e-6, "slices of %g s", f.total / (double)f.slices);
    CHECK(f.longest <= 201e-6, "a slice of %g s", f.longest);
    f = solve(free_of_cost, INT64_C(1) << 40, INT64_C(1) << 40);
    CHECK(f.slices <= 42, "%lld slices", (long long)f.slices);
}

/* Kernels solve them together, in less time than one by one. */
static void cells_that_cost_more_come_in_groups(void) {
    finding f = solve(dear, 12800, 12800);
    CHECK(f.slices <= 136, "%lld slices", (long long)f.slices);
    CHECK(f.longest <= 2.01e-3, "a slice of %g s", f.longest);
    f = solve(dearer, 10000, 10000);
    CHECK(f.slices <= 780, "%lld slices", (long long)f.slices);
    CHECK(f.longest <= 2.01e-3, "a slice of %g s", f.longest);
}

static void slow_cells_are_solved_one_by_one(void) {
    finding f = solve(slow, 1000, 50);
    CHECK(f.slices == 1000, "%lld slices", (long long)f.slices);
}

static void cells_that_become_slow(void) {
    finding f = solve(thousand_times, 3100000, 100000);
    CHECK(f.longest < 0.21, "a thousand times as slow: %g s", f.longest);
    f = solve(ten_thousand_times, 3010000, 3010000);
    CHECK(f.longest < 2.1, "ten thousand times as slow: %g s", f.longest);
    f = solve(dear_thousand_times, 3100, 3100);
    CHECK(f.longest < 2.1, "a thousand times as slow, and dear before: %g s", f.longest);
    f = solve(mixed, 1000000, 70000);
    CHECK(f.longest < 0.01, "one in a thousand is slow: %g s", f.longest);
}

SUITE("slice", cheap_cells_cost_nothing_more, cells_that_cost_more_come_in_groups,
      slow_cells_are_solved_one_by_one, cells_that_become_slow)
