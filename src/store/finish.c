/* What is done with a map that is complete. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "store/catalog.h"
#include "store/layout.h"

extern char **environ;

/* Cells that are pending; at least 1 while the map does not say that it is complete. */
static imp_err count_pending(const char *path, int64_t *pending) {
    enum { AT_ONCE = 1 << 18 };
    imp_catalog *catalog;
    *pending = 0;
    imp_err error = imp_catalog_open(path, &catalog);
    if (error) {
        return error;
    }
    const imp_variable *outcome = imp_catalog_grid(catalog);
    const imp_variable *flag = imp_catalog_find(catalog, "run_complete");
    double said = 0;
    if (!flag || imp_catalog_read(catalog, flag, 0, 1, &said) != IMP_OK || said != 1) {
        *pending = 1; /* the run that completes the map says so too */
        imp_catalog_close(&catalog);
        return IMP_OK;
    }
    double *values = malloc(AT_ONCE * sizeof *values);
    error = values ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
    for (int64_t first = 0; !error && first < outcome->size; first += AT_ONCE) {
        int64_t left = outcome->size - first, n = left < AT_ONCE ? left : AT_ONCE;
        error = imp_catalog_read(catalog, outcome, first, n, values);
        for (int64_t i = 0; !error && i < n; i++) {
            *pending += values[i] == IMP_PENDING;
        }
    }
    free(values);
    imp_catalog_close(&catalog);
    return error;
}

imp_err imp_map_is_complete(const char *path, const imp_sweep *sweep, bool *complete) {
    struct stat status;
    *complete = false;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return IMP_OK;
    }
    int64_t pending = 1;
    imp_err error = imp_map_verify(path, sweep);
    error = error ? error : count_pending(path, &pending);
    *complete = !error && pending == 0;
    return error;
}

/* h5repack from one file into another, its output thrown away. */
static imp_err repack(const char *from, const char *to) {
    char *words[] = {"h5repack", "-f", "SHUF", "-f", "GZIP=1", (char *)from, (char *)to, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int failure = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure) {
        return imp_fail(IMP_ERR_LIBRARY,
                        "%s: could not be compressed: h5repack: %s (Debian: hdf5-tools)", from,
                        strerror(failure));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "%s: could not be compressed: h5repack failed", from);
}

static imp_err digest_of(const char *path, char digest[65]) {
    imp_catalog *catalog;
    imp_err error = imp_catalog_open(path, &catalog);
    error = error ? error : imp_catalog_digest(catalog, digest);
    imp_catalog_close(&catalog);
    return error;
}

static imp_err check_same(const char *one, const char *other) {
    char digest[2][65] = {"", ""};
    imp_err error = digest_of(one, digest[0]);
    error = error ? error : digest_of(other, digest[1]);
    return error || strcmp(digest[0], digest[1]) == 0
               ? error
               : imp_fail(IMP_ERR_IO, "%s: does not read the same when compressed", one);
}

static imp_err sync_file(const char *path) {
    int descriptor = open(path, O_RDONLY);
    int status = descriptor < 0 ? -1 : fsync(descriptor);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return status == 0 ? IMP_OK
                       : imp_fail(IMP_ERR_IO, "%s: could not sync it: %s", path, strerror(errno));
}

imp_err imp_map_compress(const char *path) {
    imp_text partial = {0};
    imp_text_print(&partial, "%s.%ld.compressed.partial", path, (long)getpid());
    const char *to = imp_text_get(&partial);
    imp_err error = repack(path, to);
    error = error ? error : check_same(path, to);
    error = error ? error : sync_file(to);
    if (!error && rename(to, path) != 0) {
        error = imp_fail(IMP_ERR_IO, "%s: could not be replaced: %s", path, strerror(errno));
    }
    if (error) {
        unlink(to);
    }
    imp_text_free(&partial);
    return error;
}
