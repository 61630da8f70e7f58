/* A folder of its own for the files of a test. */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

#include <stddef.h>

typedef struct folder {
    char path[64];
} folder;

typedef struct file_name {
    char path[400];
} file_name;

/* Ends the program if the folder cannot be made. */
folder folder_new(void);

/* Removes the files of the folder, which has no folders in it, and the folder. */
void folder_remove(const folder *own);

/* The path of a file in the folder. */
file_name folder_file(const folder *own, const char *name);

/* The number of its files whose names end like this; the name of the last of them is written to
 * `name`, unless that is NULL. */
int folder_count(const folder *own, const char *ending, file_name *name);

#endif
