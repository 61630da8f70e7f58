/* The last words of a process that a library ends. */
#ifndef IMP_CMD_GUARD_H
#define IMP_CMD_GUARD_H

/* From here on a crash inside HDF5, or a library that ends the process with a code that this program has not,
 * as HDF5 does where it has no memory, leaves no unfinished file, says so and ends with IMP_EXIT_FAILURE.
 * Crashes elsewhere take their course. To be called once, before MPI starts. */
void imp_guard(void);

#endif
