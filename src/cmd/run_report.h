/* The output of `run`: its progress, and the census at its end. */
#ifndef IMP_CMD_RUN_REPORT_H
#define IMP_CMD_RUN_REPORT_H

#include "sched/sched.h"

/* The context of the callbacks: the sweep, and whether progress is a bar. */
typedef struct imp_run_view {
    const imp_sweep *sweep;
    bool bar;
} imp_run_view;

/* Callbacks of imp_run_options. */
void imp_run_print_progress(void *context, const imp_tally *tally);
void imp_run_print_line(void *context, const char *line);

/* Prints outcomes and modes, and the seconds spent on creating and syncing the file. */
void imp_run_print_census(const imp_sweep *sweep, const imp_tally *tally, int ranks,
                          double creating, double syncing);

/* Prints categories of the cells other than their mode, such as warnings. They are read back from
 * the file, because ranks do not exchange them. */
imp_err imp_run_print_flags(const char *path, const imp_sweep *sweep);

#endif
