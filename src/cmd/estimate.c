#include "cmd/estimate.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "solve/block.h"
#include "solve/evaluator.h"
#include "solve/points.h"

/* Batches grow from one cell to the size of batches in a run, until they take long enough to be
 * timed. */
enum { PLACES = 64, REPEATS = 3, MOST = 256, GROWTH = 4 };
static const double limit = 0.2, long_enough = 0.01;

typedef struct stopwatch {
    imp_evaluator *evaluator;
    void *block;
    int64_t cells; /* of the grid */
    double begin;
} stopwatch;

/* Place k of a batch. Multiples of the golden ratio modulo 1 spread any number of places evenly. */
static int64_t place_of(const stopwatch *w, int64_t size, int k) {
    double part = (0.5 + 0.6180339887498949 * k) - floor(0.5 + 0.6180339887498949 * k);
    return (int64_t)(part * (double)(w->cells - size + 1));
}

static imp_err solve(const stopwatch *w, int64_t first, int64_t size) {
    return imp_evaluate(w->evaluator, first, (size_t)size, w->block, (size_t)size, 0);
}

/* The shortest of several times of this process, because others may use the machine too. A single
 * cell is timed once, after its neighbour, because in a run theories also keep data from cell to
 * cell. */
static imp_err time_batch(const stopwatch *w, int64_t first, int64_t size, double *shortest) {
    imp_err error = size == 1 && first > 0 ? solve(w, first - 1, 1) : IMP_OK;
    *shortest = INFINITY;
    for (int r = 0; !error && r < (size > 1 ? REPEATS : 1); r++) {
        double start = imp_seconds_processor();
        error = solve(w, first, size);
        *shortest = fmin(*shortest, imp_seconds_processor() - start);
    }
    return error;
}

/* Seconds per cell in batches of one size, and the time that they took together. */
static imp_err time_places(const stopwatch *w, int64_t size, double *seconds, double *together) {
    imp_err error = IMP_OK;
    int done = 0;
    *together = 0;
    for (; !error && done < PLACES && (done == 0 || imp_seconds_processor() - w->begin < limit);
         done++) {
        double shortest;
        error = time_batch(w, place_of(w, size, done), size, &shortest);
        *together += shortest;
    }
    *seconds = *together / (double)(done * size);
    return error;
}

static imp_err measure(stopwatch *w, double *seconds) {
    double together = 0;
    /* The first cell also pays for data that are made once. */
    imp_err error = time_batch(w, place_of(w, 1, 0), 1, seconds);
    w->begin = imp_seconds_processor();
    for (int64_t size = 1; !error && size <= MOST && size <= w->cells && together < long_enough &&
                           imp_seconds_processor() - w->begin < limit;
         size *= GROWTH) {
        error = time_places(w, size, seconds, &together);
    }
    return error;
}

imp_err imp_estimate(const imp_sweep *sweep, double *seconds) {
    stopwatch w = {.cells = imp_grid_cells(&sweep->grid)};
    imp_err error = imp_evaluator_open(sweep, &w.evaluator);
    imp_layout layout = imp_layout_of(sweep);
    w.block = malloc(imp_block_size(&layout, MOST));
    if (!error && !w.block) {
        error = imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    error = error ? error : measure(&w, seconds);
    free(w.block);
    imp_evaluator_close(&w.evaluator);
    return error;
}

/* Seconds of rank 0: for a byte that it receives and writes (bench_gather), and for a point whose
 * refinement it plans. */
static const double byte_seconds = 1.2e-9, point_seconds = 7e-6;

double imp_estimate_run(const imp_sweep *sweep, double seconds, int64_t n, int64_t ranks,
                        bool *limited) {
    double writing = byte_seconds * (double)imp_sweep_cell_size(sweep);
    double planning = imp_sweep_is_refined(sweep) ? point_seconds : 0;
    double of_rank_0 = planning + (imp_sweep_writes_in_parallel(sweep) ? 0 : writing);
    double shared = (seconds + writing + planning) / (double)(ranks < n ? ranks : n);
    *limited = ranks > 1 && shared < of_rank_0;
    return (double)n * fmax(shared, of_rank_0);
}
