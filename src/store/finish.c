/* What is done with a map that is complete. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "store/catalog.h"
#include "store/h5.h"
#include "store/layout.h"
#include "store/lock.h"
#include "store/partial.h"

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
            if (!(values[i] >= 0 && values[i] < IMP_OUTCOME_COUNT)) {
                error = imp_fail(IMP_ERR_INPUT, "%s: is damaged: cell %lld has the outcome %g",
                                 path, (long long)(first + i), values[i]);
            }
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

/* Ends this process with the one that made it, `parent`. */
static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
}

/* Starts h5repack, its output thrown away and what it complains of in a pipe. Returns its process, or
 * -1 with errno. */
static pid_t start_repack(const char *from, const char *to, int complaints) {
    char *words[] = {"h5repack", "-f", "SHUF", "-f", "GZIP=1", (char *)from, (char *)to, NULL};
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with(parent);
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(complaints, STDERR_FILENO);
        execvp(words[0], words);
        dprintf(STDERR_FILENO, "%s (Debian: hdf5-tools)\n", strerror(errno));
        _exit(127);
    }
    return child;
}

/* Reads to the end, and keeps the first line. */
static void read_line(int pipe_end, char *line, size_t size) {
    char piece[256];
    size_t kept = 0;
    ssize_t n;
    while ((n = read(pipe_end, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR)) {
        for (ssize_t i = 0; i < n && kept + 1 < size; i++) {
            line[kept++] = piece[i];
        }
    }
    line[kept] = 0;
    line[strcspn(line, "\n")] = 0;
}

/* Why a file could not be written, if the system gives a reason; h5repack does not say. */
static const char *reason(const char *from, const char *to) {
    const unsigned long long little = 1 << 20;
    struct statvfs disk;
    struct stat whole;
    struct rlimit most;
    if (statvfs(to, &disk) == 0 && (unsigned long long)disk.f_bavail * disk.f_frsize < little) {
        return strerror(ENOSPC);
    }
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
        stat(from, &whole) == 0 && (rlim_t)whole.st_size > most.rlim_cur) {
        return strerror(EFBIG);
    }
    return NULL;
}

/* h5repack from one file into another. */
static imp_err repack(const char *from, const char *to) {
    char complaint[200];
    int ends[2], status = 0;
    if (pipe(ends) != 0) {
        return imp_fail(IMP_ERR_IO, "%s: could not be compressed: %s", from, strerror(errno));
    }
    pid_t child = start_repack(from, to, ends[1]);
    close(ends[1]);
    read_line(ends[0], complaint, sizeof complaint);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return IMP_OK;
    }
    bool missing = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
    const char *why = missing ? NULL : reason(from, to);
    return imp_fail(missing ? IMP_ERR_LIBRARY : IMP_ERR_IO,
                    "%s: could not be compressed: h5repack: %s", from,
                    why            ? why
                    : complaint[0] ? complaint
                                   : "failed");
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
    if (error) {
        return error;
    }
    if (digest_of(other, digest[1])) {
        return imp_fail(IMP_ERR_IO,
                        "%s: could not be compressed: what h5repack wrote is no map of it", one);
    }
    return strcmp(digest[0], digest[1]) == 0
               ? IMP_OK
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

static imp_err make_compressed(const char *path, const char *to) {
    imp_err error = repack(path, to);
    error = error ? error : check_same(path, to);
    return error ? error : sync_file(to);
}

/* Whether the process has ended, and how; waits for it no longer than `seconds`. */
static bool has_ended(pid_t child, double seconds, int *status) {
    const struct timespec moment = {.tv_nsec = 10000000};
    for (double waited = 0;; waited += 0.01) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return true;
        }
        if (waited >= seconds) {
            return false;
        }
        nanosleep(&moment, NULL);
    }
}

/* The other side of make_in_child: the error as it is, and its text in the pipe. */
static void end_child(imp_err error, int text) {
    const char *message = error ? imp_last_error() : "";
    ssize_t written = write(text, message, strlen(message));
    _exit(written < 0 ? IMP_ERR_IO : (int)error);
}

/* What the child said of itself. A text is shorter than a pipe is long. */
static imp_err error_of_child(const char *path, int status, int text) {
    char message[1024] = "";
    ssize_t length = read(text, message, sizeof message - 1);
    if (WIFEXITED(status) && WEXITSTATUS(status) == IMP_OK) {
        return IMP_OK;
    }
    return WIFEXITED(status) && length > 0
               ? imp_fail((imp_err)WEXITSTATUS(status), "%s", message)
               : imp_fail(IMP_ERR_IO, "%s: could not be compressed: the process ended", path);
}

/* make_compressed in a process of its own, as neither the compressor nor a sync can be left early.
 * It and what it started end together. */
static imp_err make_in_child(const char *path, const char *to, bool (*stop)(void)) {
    int text[2], status = 0;
    /* Not for the compressor: after the end of the child the pipe must end too. */
    if (pipe(text) != 0 || fcntl(text[1], F_SETFD, FD_CLOEXEC) != 0) {
        return imp_fail(IMP_ERR_IO, "%s: could not be compressed: %s", path, strerror(errno));
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with(parent);
        setpgid(0, 0);
        end_child(make_compressed(path, to), text[1]);
    }
    if (child > 0) {
        setpgid(child, child); /* whoever of the two comes first */
    }
    close(text[1]);
    imp_err error =
        child < 0 ? imp_fail(IMP_ERR_IO, "%s: could not be compressed: %s", path, strerror(errno))
                  : IMP_OK;
    while (!error && !has_ended(child, 0.05, &status)) {
        if (stop && stop()) {
            kill(-child, SIGKILL);
            has_ended(child, 1, &status);
            error = imp_fail(IMP_ERR_STOPPED, "%s: stopped while it was compressed", path);
        }
    }
    if (child > 0) {
        kill(-child, SIGKILL); /* a compressor that outlives it */
    }
    error = error ? error : error_of_child(path, status, text[0]);
    close(text[0]);
    return error;
}

/* Whether its cells are in chunks, as those of compressed maps only. */
static imp_err is_compressed(const char *path, bool *compressed) {
    hid_t file;
    imp_err error = imp_h5_open(path, &file);
    if (error) {
        return error;
    }
    hid_t dataset = H5Dopen2(file, "outcome", H5P_DEFAULT);
    hid_t creation = dataset < 0 ? -1 : H5Dget_create_plist(dataset);
    *compressed = creation >= 0 && H5Pget_layout(creation) == H5D_CHUNKED;
    if (creation >= 0) {
        H5Pclose(creation);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    H5Fclose(file);
    return IMP_OK;
}

/* Gives the compressed file the name of the map, if that still is the file it was made of. */
static imp_err replace(const char *compressed, const char *path, int map) {
    struct stat one, other;
    if (fstat(map, &one) != 0 || stat(path, &other) != 0 || one.st_dev != other.st_dev ||
        one.st_ino != other.st_ino) {
        return imp_fail(IMP_ERR_IO, "%s: was replaced or removed while it was compressed", path);
    }
    return rename(compressed, path) == 0
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "%s: could not be replaced: %s", path, strerror(errno));
}

/* Compresses a map that nobody else may write meanwhile. */
static imp_err compress_alone(const char *path, int map, bool (*stop)(void)) {
    imp_text partial = {0};
    imp_err error = imp_partial_name(path, ".compressed", &partial);
    const char *to = imp_text_get(&partial);
    error = error ? error : make_in_child(path, to, stop);
    error = error ? error : replace(to, path, map);
    if (error) {
        unlink(to);
    }
    imp_text_free(&partial);
    return error;
}

imp_err imp_map_compress(const char *path, bool (*stop)(void)) {
    bool compressed = false;
    imp_err error = is_compressed(path, &compressed);
    if (error || compressed) {
        return error;
    }
    imp_partial_remove_stale(path);
    int map = open(path, O_RDWR | O_CLOEXEC);
    if (map < 0) {
        return imp_fail(IMP_ERR_IO, "%s: could not be compressed: %s", path, strerror(errno));
    }
    error = imp_lock_take(map, path);
    error = error ? error : compress_alone(path, map, stop);
    close(map);
    return error;
}
