#include "sched/sched.h"

#include <stdlib.h>

/* Variables that launchers set for each process that they start. None of them is set in the shell
 * of a login or in the script of a batch job. */
static const char *const signs[] = {
    "OMPI_COMM_WORLD_SIZE", /* mpirun of Open MPI */
    "PMIX_RANK",            /* PMIx: prun, srun --mpi=pmix, jsrun */
    "PMI_RANK",             /* mpirun of MPICH and Intel MPI, srun --mpi=pmi2, aprun */
    "PMI_FD",
    "SLURM_STEP_NUM_TASKS", /* srun */
    "MV2_COMM_WORLD_SIZE",  /* mpirun_rsh of MVAPICH */
    "MPI_LOCALNRANKS",      /* hydra */
    "PALS_RANKID",          /* mpiexec of Cray PALS */
    "ALPS_APP_PE",          /* aprun */
    "FLUX_TASK_RANK",       /* flux run */
    "JSM_NAMESPACE_RANK",   /* jsrun */
    "IMPACTSWEEP_MPI",      /* any other launcher, by hand */
};

/* Variables with the number of a process. Those of mpirun come first: in a batch job of Slurm the
 * script has a number too. */
static const char *const numbers[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",          "PMI_RANK",
    "MV2_COMM_WORLD_RANK",  "PALS_RANKID",        "ALPS_APP_PE",
    "FLUX_TASK_RANK",       "JSM_NAMESPACE_RANK", "SLURM_PROCID",
};

int imp_launched_as(void) {
    if (!imp_was_launched()) {
        return 0;
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const char *number = getenv(numbers[i]);
        if (number && *number >= '0' && *number <= '9') {
            return atoi(number);
        }
    }
    return -1;
}

bool imp_was_launched(void) {
    bool launched = false;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        launched = launched || getenv(signs[i]);
    }
    return launched;
}
