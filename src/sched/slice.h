/* Solves the cells of an order in slices, between which the rank can handle messages. */
#ifndef IMP_SCHED_SLICE_H
#define IMP_SCHED_SLICE_H

#include "sched/deal.h"
#include "sched/message.h"
#include "solve/evaluator.h"

/* The size of a slice. Target: 200 us at the speed of the last slice. If fewer than 128 cells fit,
 * the time of 128 cells, at most 2 ms, because kernels solve cells together. At least one cell, and
 * never more than twice the last size. A stop waits for the end of a slice: if cells suddenly take
 * a thousand times as long, one slice lasts two seconds. Start with `guest` alone. */
typedef struct imp_pace {
    int64_t cells;
    double cell_seconds; /* of the last slice */
    bool guest;          /* a guest solves the cells: 50 ms, for the sake of large requests */
} imp_pace;

/* Cells of the next slice, 1 .. left. */
int64_t imp_pace_next(const imp_pace *pace, int64_t left);

/* Reports the time that a slice of `cells` took. */
void imp_pace_measured(imp_pace *pace, int64_t cells, double seconds);

/* An order under way. */
typedef struct imp_task {
    imp_interval order;
    const imp_deal *deal;
    int64_t room; /* cells that fit into the block; the order may have more */
    /* Number of the evaluator's cell 0: in a refined sweep the first of the order, otherwise 0. */
    int64_t origin;
    int64_t done;
    double start;   /* imp_seconds_elapsed */
    double seconds; /* spent on the finished cells */
    double wait;    /* imp_longest_wait */
    unsigned char *block;
} imp_task;

/* Cells that a block holds at most. */
int64_t imp_most_cells(const imp_sweep *sweep);

/* The most seconds that results wait for the end of their order. The more ranks there are, the
 * longer, because the answers of all keep rank 0 busy; but at least a second. */
double imp_longest_wait(int ranks);

/* Solves one more slice; none if a stop is wanted and the cells at hand notice it. Errors: those of
 * imp_evaluate. */
imp_err imp_task_go_on(imp_task *task, imp_evaluator *evaluator, imp_pace *pace);

/* Most cells of the blocks that the task needs. */
int64_t imp_task_most(const imp_task *task);

/* Cells of the next block: those of the order that follow each other and for which there is room,
 * up to the end of a page (imp_end_with_page) if that does not end the order. */
int64_t imp_task_stretch(const imp_task *task);

/* Whether finished cells should be handed over: the block is full, or `wait` is over. */
bool imp_task_is_due(const imp_task *task);

/* Shrinks the block to the finished cells, and returns these and the seconds that they took. The
 * task can then go on with the rest of the order, in a block with `room`. */
imp_interval imp_task_cut(imp_task *task, const imp_layout *layout, double *seconds);

#endif
