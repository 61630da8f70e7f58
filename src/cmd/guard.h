/* A message and an exit code when a library ends the process. */
#ifndef IMP_CMD_GUARD_H
#define IMP_CMD_GUARD_H

#include <stdbool.h>

/* Guards against a crash inside HDF5, and against a library that ends the process with a foreign
 * exit code, as HDF5 does when memory runs out: the program then removes its unfinished file,
 * prints a message and ends with IMP_EXIT_FAILURE. Other crashes are not changed. Call once, before
 * MPI starts. */
void imp_guard(void);

/* For a subcommand that reads a map of unknown origin, of which a few bytes may make HDF5 ask for
 * any memory or never return: makes a child process with limits, in which this returns true. The
 * parent waits for its end and gets false and its exit code; if a signal ended it, the parent
 * prints a message, and *code stays as it was. True also if no child could be made. Limits: two
 * gigabytes and two bytes for each byte of the files that are named by the words; a minute of the
 * processor and a second for each of their megabytes. */
bool imp_guard_reader(int argc, char **argv, int *code);

#endif
