/* What `run` prints: its progress, and the census at its end. */
#ifndef IMP_CMD_RUN_REPORT_H
#define IMP_CMD_RUN_REPORT_H

#include "sched/sched.h"

/* What the progress is of, and how it is shown. The context of the callbacks. */
typedef struct imp_run_view {
    const imp_sweep *sweep;
    bool bar;
} imp_run_view;

/* Callbacks of imp_run_options. */
void imp_run_print_progress(void *context, const imp_tally *tally);
void imp_run_print_line(void *context, const char *line);

/* Outcomes and modes, and the times in seconds that it took to create the file and to sync it. */
void imp_run_print_census(const imp_sweep *sweep, const imp_tally *tally, int ranks,
                          double creating, double syncing);

/* Categories of the cells other than their mode, such as warnings. They are read back, because ranks
 * do not tell each other of them. */
imp_err imp_run_print_flags(const char *path, const imp_sweep *sweep);

#endif
