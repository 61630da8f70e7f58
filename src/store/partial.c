#include "store/partial.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/lock.h"

static const char ending[] = ".partial";

/* "path.host-": what all names of this host begin with. */
static void print_beginning(const char *path, imp_text *text) {
    char host[64] = "unknown";
    gethostname(host, sizeof host - 1);
    imp_text_print(text, "%s.%s-", path, host);
}

imp_err imp_partial_name(const char *path, const char *kind, imp_text *name) {
    print_beginning(path, name);
    imp_text_print(name, "%ld%s%s", (long)getpid(), kind, ending);
    return name->failed ? imp_fail(IMP_ERR_MEMORY, "out of memory") : IMP_OK;
}

/* Whether a name is the partial file of a process that is no more. */
static bool is_stale(const char *name, const char *beginning) {
    size_t length = strlen(name), start = strlen(beginning), end = strlen(ending);
    if (length < start + end || strncmp(name, beginning, start) != 0 ||
        strcmp(name + length - end, ending) != 0) {
        return false;
    }
    char *after;
    long process = strtol(name + start, &after, 10);
    return after > name + start && *after == '.' && process > 0 && process != (long)getpid() &&
           kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Calls `visit` with the path of every file whose name begins with that of `path`, a dot, and ends
 * as partial ones do, and with the length of the folder's part. */
static imp_err for_each(const char *path,
                        imp_err (*visit)(const char *name, size_t folder, const char *path)) {
    const char *slash = strrchr(path, '/');
    size_t start = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(path + start);
    imp_text folder = {0}, name = {0};
    imp_err error = IMP_OK;
    imp_text_append(&folder, path, start);
    DIR *list = opendir(slash ? imp_text_get(&folder) : ".");
    for (struct dirent *entry; list && !error && (entry = readdir(list));) {
        const char *found = entry->d_name;
        size_t size = strlen(found), end = strlen(ending);
        if (size > length + end && strncmp(found, path + start, length) == 0 &&
            found[length] == '.' && strcmp(found + size - end, ending) == 0) {
            name.length = 0;
            imp_text_print(&name, "%s%s", imp_text_get(&folder), found);
            error = folder.failed || name.failed ? imp_fail(IMP_ERR_MEMORY, "out of memory")
                                                 : visit(imp_text_get(&name), start, path);
        }
    }
    if (list) {
        closedir(list);
    }
    imp_text_free(&folder);
    imp_text_free(&name);
    return error;
}

static imp_err remove_if_stale(const char *name, size_t folder, const char *path) {
    imp_text beginning = {0};
    print_beginning(path + folder, &beginning);
    if (!beginning.failed && is_stale(name + folder, imp_text_get(&beginning))) {
        unlink(name);
    }
    imp_text_free(&beginning);
    return IMP_OK;
}

void imp_partial_remove_stale(const char *path) {
    for_each(path, remove_if_stale);
}

static imp_err refuse_if_busy(const char *name, size_t folder, const char *path) {
    (void)folder;
    long process;
    return imp_lock_is_held(name, &process)
               ? imp_fail(IMP_ERR_IO, "%s: is being made by process %ld, as %s", path, process,
                          name)
               : IMP_OK;
}

imp_err imp_partial_refuse_busy(const char *path) {
    return for_each(path, refuse_if_busy);
}
