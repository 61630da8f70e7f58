/* Solves the cells of an order little by little, with time to look around between the slices. */
#ifndef IMP_SCHED_SLICE_H
#define IMP_SCHED_SLICE_H

#include "sched/message.h"
#include "solve/evaluator.h"

/* How many cells make a slice: what takes 200 us at the speed of the last slice, at most twice as
 * many as before, at least one. So if cells suddenly take ten thousand times as long, a slice lasts
 * two seconds. Start with {0}. */
typedef struct imp_pace {
    int64_t cells;
} imp_pace;

/* Cells of the next slice, 1 .. left. */
int64_t imp_pace_next(const imp_pace *pace, int64_t left);

/* Tells how long a slice of so many cells took. */
void imp_pace_measured(imp_pace *pace, int64_t cells, double seconds);

/* An order under way. Its block has room for all its cells. */
typedef struct imp_task {
    imp_order order;
    int64_t
        origin; /* the cell that its evaluator calls 0: of a refined sweep, the first of the order */
    int64_t done;
    double start;   /* MPI_Wtime */
    double seconds; /* spent on what is done */
    unsigned char *block;
} imp_task;

/* Results wait no longer than this for the end of their order, in seconds. */
#define IMP_LONGEST_WAIT 1.0

/* Solves one more slice. Errors: those of imp_evaluate. */
imp_err imp_task_go_on(imp_task *task, imp_evaluator *evaluator, imp_pace *pace);

/* Whether what is done should be handed over: all, or part of it after IMP_LONGEST_WAIT. */
bool imp_task_is_due(const imp_task *task);

/* Turns the block into one of the cells that are done, which it returns, with the seconds that they
 * took; what is left of the order may then be gone on with, in a block that has room for it. */
imp_order imp_task_cut(imp_task *task, const imp_layout *layout, double *seconds);

#endif
