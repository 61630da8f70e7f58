/* A command must not write over a file that it reads, or write two things to one place. */
#ifndef IMP_CMD_OWN_FILES_H
#define IMP_CMD_OWN_FILES_H

#include <stdbool.h>

/* Whether two names are those of one file: by links, by another way to its folder, or before there
 * is such a file. */
bool imp_is_same_file(const char *one, const char *other);

/* Refuses to write to a file that the command reads; what: "is the map itself". Prints the error;
 * returns the exit code. output: NULL for none. */
int imp_refuse_own(const char *command, const char *input, const char *output, const char *what);

#endif
