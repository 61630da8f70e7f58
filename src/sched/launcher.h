/* Whether this process is one of the ranks of a job. */
#ifndef IMP_SCHED_LAUNCHER_H
#define IMP_SCHED_LAUNCHER_H

#include <stdbool.h>

/* Whether a launcher (mpirun, srun, ...) started this process, or the user asks for MPI by
 * IMPACTSWEEP_MPI. A process that was started by hand is alone, and saves the start of MPI. */
bool imp_was_launched(void);

/* The number that the launcher has given this rank, which is known before MPI starts; 0: this
 * process is alone; -1: the launcher does not say. */
int imp_launched_as(void);

#endif
