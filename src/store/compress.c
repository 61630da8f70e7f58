#include "store/map.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "store/catalog_impl.h"
#include "store/disk.h"
#include "store/lock.h"
#include "store/names.h"
#include "store/partial.h"

/* A map and the compressed file that will replace it; both are open and locked. */
typedef struct job {
    const char *path;
    int map;
    imp_partial to;
} job;

/* Lets the system end this process when its parent process ends. */
static void end_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
}

/* A name for an open file in this process and in the program that it executes next. */
static void print_descriptor(int descriptor, size_t size, char *name) {
    snprintf(name, size, "/proc/self/fd/%d", dup(descriptor));
}

/* Starts h5repack; its standard output is discarded, its errors go into the pipe `complaints`. It
 * reads and writes the open files, as their names may belong to other files by now. Returns its
 * process, or -1 with errno. */
static pid_t start_repack(const job *j, int complaints) {
    char from[64], to[64];
    char *words[] = {"h5repack", "-f", "SHUF", "-f", "GZIP=1", from, to, NULL};
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with(parent);
        print_descriptor(j->map, sizeof from, from);
        print_descriptor(j->to.descriptor, sizeof to, to);
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(complaints, STDERR_FILENO);
        execvp(words[0], words);
        dprintf(STDERR_FILENO, "%s (Debian: hdf5-tools)\n", strerror(errno));
        _exit(127);
    }
    return child;
}

/* Reads to the end and keeps the first line. */
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

/* The reason why the file could not be written, which h5repack does not tell; NULL: unknown. */
static const char *reason(const job *j) {
    const unsigned long long little = 1 << 20;
    struct statvfs disk;
    struct stat whole;
    struct rlimit most;
    if (fstatvfs(j->to.descriptor, &disk) == 0 &&
        (unsigned long long)disk.f_bavail * disk.f_frsize < little) {
        return strerror(ENOSPC);
    }
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
        fstat(j->map, &whole) == 0 && (rlim_t)whole.st_size > most.rlim_cur) {
        return strerror(EFBIG);
    }
    return NULL;
}

static imp_err repack(const job *j) {
    char complaint[200];
    int ends[2], status = 0;
    if (pipe(ends) != 0) {
        return imp_disk_error(j->path, "could not be compressed");
    }
    pid_t child = start_repack(j, ends[1]);
    close(ends[1]);
    read_line(ends[0], complaint, sizeof complaint);
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return IMP_OK;
    }
    bool missing = child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
    const char *why = missing ? NULL : reason(j);
    return imp_fail(missing ? IMP_ERR_LIBRARY : IMP_ERR_IO,
                    "%s: could not be compressed: h5repack: %s", j->path,
                    why            ? why
                    : complaint[0] ? complaint
                                   : "failed");
}

static imp_err digest_of(int descriptor, const char *path, char digest[65]) {
    imp_catalog *catalog;
    imp_err error = imp_catalog_attach(descriptor, path, &catalog);
    error = error ? error : imp_catalog_digest(catalog, true, digest);
    imp_catalog_close(&catalog);
    return error;
}

static imp_err check_same(const job *j) {
    char digest[2][65] = {"", ""};
    imp_err error = digest_of(j->map, j->path, digest[0]);
    if (error) {
        return error;
    }
    if (digest_of(j->to.descriptor, j->path, digest[1])) {
        return imp_fail(IMP_ERR_IO, "%s: could not be compressed: h5repack did not write a map",
                        j->path);
    }
    return strcmp(digest[0], digest[1]) == 0
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "%s: could not be compressed: h5repack changed its content",
                          j->path);
}

static imp_err make_compressed(const job *j) {
    imp_err error = repack(j);
    error = error ? error : imp_disk_sync(j->to.descriptor, j->path);
    return error ? error : check_same(j);
}

/* Waits for the end of the process for at most `seconds`; whether it has ended. *status: of
 * waitpid. */
static bool has_ended(pid_t child, double seconds, int *status) {
    const double pause = 0.01;
    for (double waited = 0;; waited += pause) {
        pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR)) {
            return true;
        }
        if (waited >= seconds) {
            return false;
        }
        imp_pause(pause);
    }
}

/* Ends the child of make_in_child: its exit code is the error, the text of the error goes into the
 * pipe. */
static void end_child(imp_err error, int text) {
    const char *message = error ? imp_last_error() : "";
    ssize_t written = write(text, message, strlen(message));
    _exit(written < 0 ? IMP_ERR_IO : (int)error);
}

/* The error of the child, from its exit code and the text in the pipe. A text always fits into a
 * pipe. */
static imp_err error_of_child(const char *path, int status, int text) {
    char message[1024] = "";
    ssize_t length = read(text, message, sizeof message - 1);
    if (WIFEXITED(status) && WEXITSTATUS(status) == IMP_OK) {
        return IMP_OK;
    }
    return WIFEXITED(status) && length > 0 ? imp_fail((imp_err)WEXITSTATUS(status), "%s", message)
                                           : imp_fail(IMP_ERR_IO,
                                                      "%s: could not be compressed: the process "
                                                      "that does this was ended from outside",
                                                      path);
}

/* Runs make_compressed in its own process, because neither the compressor nor a sync can be
 * interrupted. The process and the compressor end together. */
static imp_err make_in_child(const job *j, bool (*stop)(void)) {
    int text[2], status = 0;
    /* The compressor must not inherit the pipe, which has to end with the child. */
    if (pipe(text) != 0 || fcntl(text[1], F_SETFD, FD_CLOEXEC) != 0) {
        return imp_disk_error(j->path, "could not be compressed");
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        end_with(parent);
        setpgid(0, 0);
        end_child(make_compressed(j), text[1]);
    }
    if (child > 0) {
        setpgid(child, child); /* parent and child both do this: either may be the first */
    }
    close(text[1]);
    imp_err error = child < 0 ? imp_disk_error(j->path, "could not be compressed") : IMP_OK;
    while (!error && !has_ended(child, 0.05, &status)) {
        if (stop && stop()) {
            kill(-child, SIGKILL);
            has_ended(child, 1, &status);
            error = imp_fail(IMP_ERR_STOPPED, "%s: stopped while it was compressed", j->path);
        }
    }
    if (child > 0) {
        kill(-child, SIGKILL); /* a compressor that is still running */
    }
    error = error ? error : error_of_child(j->path, status, text[0]);
    close(text[0]);
    return error;
}

/* Whether the cells are in chunks, as only in compressed maps. */
static imp_err is_compressed(const job *j, bool *compressed) {
    imp_catalog *catalog;
    imp_err error = imp_catalog_attach(j->map, j->path, &catalog);
    if (error) {
        return error;
    }
    hid_t dataset = H5Dopen2(catalog->file->id, IMP_DATASET_OUTCOME, H5P_DEFAULT);
    hid_t creation = dataset < 0 ? -1 : H5Dget_create_plist(dataset);
    *compressed = creation >= 0 && H5Pget_layout(creation) == H5D_CHUNKED;
    imp_h5_shut(creation, H5Pclose);
    imp_h5_shut(dataset, H5Dclose);
    error = imp_h5_judge(catalog->file, j->path, IMP_OK);
    imp_catalog_close(&catalog);
    return error;
}

/* Gives the compressed file the name of the map, if this is still the name of the file that was
 * compressed. */
static imp_err replace(job *j) {
    return imp_disk_is_named(j->map, j->path)
               ? imp_partial_finish(&j->to, true)
               : imp_fail(IMP_ERR_IO, "%s: was replaced or removed while it was compressed",
                          j->path);
}

/* Compresses a map that no other process may write meanwhile. */
static imp_err compress_alone(job *j, bool (*stop)(void)) {
    bool compressed = false;
    imp_err error = is_compressed(j, &compressed);
    if (error || compressed) {
        return error;
    }
    error = imp_partial_create(j->path, &j->to);
    error = error ? error : make_in_child(j, stop);
    error = error ? error : replace(j);
    error = error ? error : imp_partial_close(&j->to);
    imp_partial_discard(&j->to);
    return error;
}

imp_err imp_map_compress(const char *path, bool (*stop)(void)) {
    job j = {.path = path, .to = {.descriptor = -1}};
    j.map = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (j.map < 0) {
        return imp_disk_error(path, "could not be compressed");
    }
    imp_err error = imp_lock_take(j.map, path);
    error = error ? error : compress_alone(&j, stop);
    close(j.map); /* was only read */
    return error;
}
