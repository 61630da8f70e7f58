/* Preloaded into the program by tests: logs what is written to one file and when it is synced, and
 * makes such a call fail. Settings, from the environment:
 * SHIM_FILE   the file, once it has this name
 * SHIM_LOG    logs go to SHIM_LOG.PID, lines "w|s start end offset length errno", in seconds
 * SHIM_FAIL   "w" or "s": which calls fail;  SHIM_AFTER: how many succeed before
 * SHIM_TIMES  how many fail (default: all others);  SHIM_ERRNO: with what */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

/* By what it is, as its name may have been another one when it was opened. */
static int is_watched(int descriptor) {
    struct stat open_one, named;
    const char *name = getenv("SHIM_FILE");
    return name && fstat(descriptor, &open_one) == 0 && stat(name, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}

/* Whether this call, the next of its kind, has to fail. */
static int must_fail(char kind) {
    static long calls;
    const char *which = getenv("SHIM_FAIL");
    if (!which || *which != kind) {
        return 0;
    }
    long call = calls++, after = setting("SHIM_AFTER", 0);
    return call >= after && call < after + setting("SHIM_TIMES", 1L << 40);
}

static void note(char kind, double start, long long offset, long long length, int failure) {
    static int log_file = -1;
    char path[4096];
    if (!getenv("SHIM_LOG")) {
        return;
    }
    if (log_file < 0) {
        snprintf(path, sizeof path, "%s.%ld", getenv("SHIM_LOG"), (long)getpid());
        log_file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
    dprintf(log_file, "%c %.9f %.9f %lld %lld %d\n", kind, start, now(), offset, length, failure);
}

static ssize_t watched_write(const char *name, int descriptor, const void *bytes, size_t n,
                             off_t offset) {
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor, bytes, n, offset);
    }
    double start = now();
    int fails = must_fail('w');
    ssize_t written = fails ? -1 : real(descriptor, bytes, n, offset);
    int failure = fails ? (int)setting("SHIM_ERRNO", ENOSPC) : written < 0 ? errno : 0;
    note('w', start, offset, written, failure);
    errno = failure;
    return written;
}

static int watched_sync(const char *name, int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor);
    }
    double start = now();
    int fails = must_fail('s');
    int status = fails ? -1 : real(descriptor);
    int failure = fails ? (int)setting("SHIM_ERRNO", EIO) : status < 0 ? errno : 0;
    note('s', start, 0, 0, failure);
    errno = failure;
    return status;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t n, off_t offset) {
    return watched_write("pwrite", descriptor, bytes, n, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t n, off_t offset) {
    return watched_write("pwrite64", descriptor, bytes, n, offset);
}

int fdatasync(int descriptor) {
    return watched_sync("fdatasync", descriptor);
}

int fsync(int descriptor) {
    return watched_sync("fsync", descriptor);
}
