/* The progress of a run. */
#ifndef IMP_SCHED_TALLY_H
#define IMP_SCHED_TALLY_H

#include "impact.h"

enum { IMP_MODE_CODES = 64 };

/* Counts include the cells that the file had before. */
typedef struct imp_tally {
    int64_t cells;                       /* of the grid */
    int64_t done, done_before;           /* not pending; of these, from earlier runs */
    int64_t outcomes[IMP_OUTCOME_COUNT]; /* by code; pending ones are not counted */
    int64_t modes[IMP_MODE_CODES];       /* by code, of solved cells; all 0 if not stored */
    double elapsed;                      /* seconds since the run began */
    double computing;                    /* seconds spent on cells, all ranks */
    double left;                         /* estimate of the seconds to go; 0: not known */
    int64_t chunks;
    int ranks_that_solved;
} imp_tally;

/* Cells by their codes. */
typedef struct imp_counts {
    int64_t outcomes[IMP_OUTCOME_COUNT];
    int64_t modes[IMP_MODE_CODES];
} imp_counts;

/* Adds n cells to the counts. modes: NULL if they are not known. */
void imp_counts_add(imp_counts *counts, size_t n, const uint8_t *outcomes, const int8_t *modes);

/* Adds cells to the tally, or takes them away, because they are to be computed again. */
void imp_tally_add(imp_tally *tally, const imp_counts *counts);
void imp_tally_subtract(imp_tally *tally, const imp_counts *counts);

/* Counts n cells. */
void imp_tally_count(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes);

/* Sets the elapsed time in seconds, and with it the estimate `left`. */
void imp_tally_time(imp_tally *tally, double elapsed);

#endif
