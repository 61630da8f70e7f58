/* A message and an exit code when a library ends the process. */
#ifndef IMP_CMD_GUARD_H
#define IMP_CMD_GUARD_H

/* Guards against a crash inside HDF5, and against a library that ends the process with a foreign
 * exit code, as HDF5 does when memory runs out: the program then removes its unfinished file,
 * prints a message and ends with IMP_EXIT_FAILURE. Other crashes are not changed. Call once, before
 * MPI starts. */
void imp_guard(void);

#endif
