#include "cmd/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "num/exponential.h"
#include "sched/slice.h"

/* Slices at places all over the grid, until they have taken `limit`; a few in any case, unless they
 * take `longest`. */
enum { FEWEST = 16, MOST_CELLS = 1 << 13 };
static const double limit = 0.2, longest = 1, dear = 0.02;

typedef struct stopwatch {
    const imp_grid *grid;
    imp_evaluator *evaluator;
    unsigned char *block;
    int64_t cells, room; /* of the grid; of the block */
    bool outside;        /* a guest solves the cells */
} stopwatch;

/* The golden ratio for n axes, the root of x^(n + 1) = x + 1: multiples of its powers modulo 1
 * spread any number of places evenly, over every axis and over all together. Source: M. Roberts,
 * "The unreasonable effectiveness of quasirandom sequences" (2018). */
static double ratio_for(int n) {
    double x = 1.5;
    for (int i = 0; i < 60; i++) {
        x = imp_power(1 + x, 1.0 / (n + 1));
    }
    return x;
}

/* Place k of a slice. */
static int64_t place_of(const stopwatch *w, int64_t size, int k) {
    double ratio = ratio_for(w->grid->n_axes), step = 1;
    int64_t first = 0;
    for (int a = 0; a < w->grid->n_axes; a++) {
        step /= ratio;
        double part = 0.5 + step * k;
        int64_t along = (int64_t)((part - floor(part)) * (double)w->grid->axes[a].size);
        first += along * imp_grid_stride(w->grid, a);
    }
    return first < w->cells - size ? first : w->cells - size;
}

static imp_err solve(const stopwatch *w, int64_t first, int64_t size) {
    return imp_evaluate(w->evaluator, first, (size_t)size, w->block, (size_t)size, 0);
}

double imp_estimate_now(bool outside) {
    return outside ? imp_seconds_elapsed() : imp_seconds_processor();
}

/* Time of a slice, which is solved after its neighbour, because in a run theories keep
 * data from cell to cell. *before: that of the neighbour. */
static imp_err time_slice(const stopwatch *w, int64_t first, int64_t size, double *before,
                          double *seconds) {
    double start = imp_estimate_now(w->outside);
    imp_err error = first > 0 ? solve(w, first - 1, 1) : IMP_OK;
    double begin = imp_estimate_now(w->outside);
    error = error ? error : solve(w, first, size);
    *before = begin - start;
    *seconds = imp_estimate_now(w->outside) - begin;
    return error;
}

/* Seconds per cell in the mean over the places, where every slice has the size that it would have
 * in a run. Those before the first that was large enough do not count; nor does one that only
 * seemed so because its cell is dearer than others, after which slices grow. A neighbour that takes
 * `dear` counts as a place too: what cells before it leave behind is nothing to its time. */
static imp_err measure(const stopwatch *w, double *seconds) {
    imp_pace pace = {.guest = w->outside};
    imp_err error = IMP_OK;
    double begin = imp_estimate_now(w->outside), spent = 0, sum = 0;
    int n = 0;
    bool grown = false;
    for (int k = 0; !error && (n == 0 || spent < (n < FEWEST ? longest : limit)); k++) {
        int64_t size = imp_pace_next(&pace, w->room);
        double before;
        error = time_slice(w, place_of(w, size, k), size, &before, seconds);
        imp_pace_measured(&pace, size, *seconds);
        bool growing = pace.cells >= 2 * size && size < w->room;
        grown = growing && n <= 1 ? false : grown || !growing;
        sum = grown ? sum + *seconds / (double)size : 0;
        n = grown ? n + 1 : 0;
        sum += before > dear ? before : 0;
        n += before > dear;
        spent = imp_estimate_now(w->outside) - begin;
    }
    *seconds = sum / n;
    return error;
}

imp_err imp_estimate(const imp_sweep *sweep, double *seconds) {
    stopwatch w = {.grid = &sweep->grid,
                   .cells = imp_grid_cells(&sweep->grid),
                   .room = imp_most_cells(sweep),
                   .outside = sweep->owned != NULL};
    imp_err error = imp_evaluator_open(sweep, &w.evaluator);
    imp_layout layout = imp_layout_of(sweep);
    w.room = w.room < w.cells ? w.room : w.cells;
    w.room = w.room < MOST_CELLS ? w.room : MOST_CELLS;
    w.block = malloc(imp_block_size(&layout, (size_t)w.room));
    if (!error && !w.block) {
        error = imp_out_of_memory();
    }
    error = error ? error : measure(&w, seconds);
    free(w.block);
    imp_evaluator_close(&w.evaluator);
    return error;
}

/* Seconds of rank 0: for a byte of the file that it makes; that it receives, writes and syncs, on a
 * disk that follows; and for a point whose refinement it plans. */
static const double made_seconds = 0.3e-9, byte_seconds = 0.6e-9, point_seconds = 7e-6;

double imp_estimate_run(const imp_sweep *sweep, double seconds, int64_t n, int64_t ranks,
                        bool *limited) {
    bool refined = imp_sweep_is_refined(sweep);
    double bytes = (double)(refined ? imp_sweep_point_size(sweep) : imp_sweep_cell_size(sweep));
    double writing = byte_seconds * bytes, planning = refined ? point_seconds : 0;
    double of_rank_0 = planning + (imp_sweep_writes_in_parallel(sweep) ? 0 : writing);
    double shared = (seconds + writing + planning) / (double)(ranks < n ? ranks : n);
    *limited = ranks > 1 && shared < of_rank_0;
    return (double)n * (made_seconds * bytes + fmax(shared, of_rank_0));
}
