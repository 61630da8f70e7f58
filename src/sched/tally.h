/* The progress of a run. */
#ifndef IMP_SCHED_TALLY_H
#define IMP_SCHED_TALLY_H

#include "impact.h"

/* Counts include the cells that the file had before. */
typedef struct imp_tally {
    int64_t cells;                       /* of the grid */
    int64_t done, done_before;           /* not pending; of these, from earlier runs */
    int64_t outcomes[IMP_OUTCOME_COUNT]; /* by code; pending ones are not counted */
    int64_t modes[64];                   /* by code, of solved cells; all 0 if not stored */
    double elapsed;                      /* seconds since the run began */
    double computing;                    /* seconds spent on cells, all ranks */
    double left;                         /* estimate of the seconds to go; 0: not known */
    int64_t chunks;
    int ranks_that_solved;
} imp_tally;

/* Counts n cells. modes: NULL if they are not known. */
void imp_tally_count(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes);

/* The opposite, for cells that are to be computed again. */
void imp_tally_uncount(imp_tally *tally, size_t n, const uint8_t *outcomes, const int8_t *modes);

/* Sets the elapsed time in seconds, and with it the estimate `left`. */
void imp_tally_time(imp_tally *tally, double elapsed);

#endif
