
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/cmd.h"
#include "store/disk.h"

static bool is_one(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether both would be made under one name in one folder. */
static bool is_one_place(const char *one, const char *other) {
    const char *a = strrchr(one, '/'), *b = strrchr(other, '/');
    char *first = imp_disk_folder(one), *second = imp_disk_folder(other);
    struct stat here, there;
    bool same = strcmp(a ? a + 1 : one, b ? b + 1 : other) == 0 && first && second &&
                stat(first, &here) == 0 && stat(second, &there) == 0 && is_one(&here, &there);
    free(first);
    free(second);
    return same;
}

bool imp_is_same_file(const char *one, const char *other) {
    struct stat a, b;
    bool there = stat(one, &a) == 0, also = stat(other, &b) == 0;
    return there && also ? is_one(&a, &b) : is_one_place(one, other);
}

int imp_refuse_own(const char *command, const char *input, const char *output, const char *what) {
    return output && imp_is_same_file(input, output)
               ? imp_usage_error("%s: %s %s", command, output, what)
               : IMP_EXIT_OK;
}
