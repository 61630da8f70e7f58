#include "support/folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

folder folder_new(void) {
    folder made = {"/tmp/impactsweep-XXXXXX"};
    if (!mkdtemp(made.path)) {
        perror(made.path);
        exit(1);
    }
    return made;
}

file_name folder_file(const folder *own, const char *name) {
    file_name file;
    snprintf(file.path, sizeof file.path, "%s/%s", own->path, name);
    return file;
}

/* Calls `visit` for each file whose name ends like this. */
static int for_each(const folder *own, const char *ending,
                    void (*visit)(const file_name *file, void *context), void *context) {
    int n = 0;
    DIR *list = opendir(own->path);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        size_t length = strlen(entry->d_name), end = strlen(ending);
        if (entry->d_name[0] != '.' && length >= end &&
            strcmp(entry->d_name + length - end, ending) == 0) {
            file_name file = folder_file(own, entry->d_name);
            visit(&file, context);
            n++;
        }
    }
    if (list) {
        closedir(list);
    }
    return n;
}

static void note(const file_name *file, void *name) {
    if (name) {
        *(file_name *)name = *file;
    }
}

static void drop(const file_name *file, void *context) {
    (void)context;
    unlink(file->path);
}

int folder_count(const folder *own, const char *ending, file_name *name) {
    return for_each(own, ending, note, name);
}

void folder_remove(const folder *own) {
    for_each(own, "", drop, NULL);
    rmdir(own->path);
}
