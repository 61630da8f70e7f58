/* Preloaded into the program by tests: logs calls on files, and makes some of them fail. Settings,
 * from the environment:
 * SHIM_FILE   the file with this name at the time of a call is watched, whatever name it had before
 * SHIM_UNDER  all files below this folder are watched (absolute, without symbolic links)
 * SHIM_LOG    logs go to SHIM_LOG.PID, lines "KIND start end offset length errno", in seconds
 * SHIM_FAIL   the kind of call that fails
 * SHIM_AFTER  the number of calls that succeed before, in each process
 * SHIM_TIMES  the number of calls that fail (default: all others)
 * SHIM_ERRNO  the error of a failure
 * SHIM_STOP   if set, the call stops the process by SIGSTOP instead of failing, and then succeeds
 *
 * | kind | calls |
 * | w | write, pwrite |       | s | fsync, fdatasync |        | t | ftruncate |
 * | a | posix_fallocate |     | c | close |                  | n | rename, link |
 * | r | read, pread |         | o | open |
 * Writes of stdio are seen only where a watched file was opened by fdopen; other ones do not leave
 * the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static int is_under(const char *path) {
    const char *folder = getenv("SHIM_UNDER");
    size_t length = folder ? strlen(folder) : 0;
    return length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
}

/* Whether a descriptor is that of a watched file, by its inode: the name may have been another one
 * at its opening. */
static int is_watched(int descriptor) {
    struct stat open_one, named;
    char link[64], path[PATH_MAX + 1];
    const char *name = getenv("SHIM_FILE");
    if (name && fstat(descriptor, &open_one) == 0 && stat(name, &named) == 0 &&
        open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino) {
        return 1;
    }
    if (!getenv("SHIM_UNDER")) {
        return 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX);
    path[length < 0 ? 0 : length] = 0;
    return is_under(path);
}

static int is_watched_path(const char *path) {
    struct stat one, named;
    char whole[2 * PATH_MAX + 2], folder[PATH_MAX] = "";
    const char *name = getenv("SHIM_FILE");
    if (name &&
        (strcmp(name, path) == 0 || (stat(path, &one) == 0 && stat(name, &named) == 0 &&
                                     one.st_dev == named.st_dev && one.st_ino == named.st_ino))) {
        return 1;
    }
    if (*path == '/' || !getcwd(folder, sizeof folder)) {
        return is_under(path);
    }
    snprintf(whole, sizeof whole, "%s/%s", folder, path);
    return is_under(whole);
}

static int fails_as_usual(char kind) {
    static long calls;
    const char *which = getenv("SHIM_FAIL");
    if (!which || *which != kind) {
        return 0;
    }
    long call = __atomic_fetch_add(&calls, 1, __ATOMIC_SEQ_CST), after = setting("SHIM_AFTER", 0);
    return call >= after && call < after + setting("SHIM_TIMES", 1L << 40);
}

/* Whether this call must fail, as the next of its kind. */
static int must_fail(char kind) {
    int fails = fails_as_usual(kind);
    if (fails && getenv("SHIM_STOP")) {
        raise(SIGSTOP);
        return 0;
    }
    return fails;
}

static void note(char kind, double start, long long offset, long long length, int failure) {
    static int log_file = -1;
    char path[PATH_MAX];
    if (!getenv("SHIM_LOG")) {
        return;
    }
    if (log_file < 0) {
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
        snprintf(path, sizeof path, "%s.%ld", getenv("SHIM_LOG"), (long)getpid());
        log_file = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    }
    char line[200];
    ssize_t (*write_it)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    int n = snprintf(line, sizeof line, "%c %.9f %.9f %lld %lld %d\n", kind, start, now(), offset,
                     length, failure);
    if (write_it(log_file, line, (size_t)n) < 0) {
        abort();
    }
}

/* Makes one call that is watched: `real` is the call itself, of type `type`, -1 where it fails. */
#define WATCHED(type, kind, offset, otherwise, real)                                               \
    double start = now();                                                                          \
    int fails = must_fail(kind);                                                                   \
    type result = fails ? -1 : (real);                                                             \
    int failure = fails ? (int)setting("SHIM_ERRNO", otherwise) : result < 0 ? errno : 0;          \
    note(kind, start, offset, kind == 'w' ? (long long)result : 0, failure);                       \
    errno = failure;                                                                               \
    return result

static ssize_t watched_write(const char *name, int descriptor, const void *bytes, size_t n,
                             off_t offset) {
    ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor, bytes, n, offset);
    }
    WATCHED(ssize_t, 'w', offset, ENOSPC, real(descriptor, bytes, n, offset));
}

static ssize_t watched_read(const char *name, int descriptor, void *bytes, size_t n, off_t offset) {
    ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor, bytes, n, offset);
    }
    WATCHED(ssize_t, 'r', offset, EIO, real(descriptor, bytes, n, offset));
}

static int watched_sync(const char *name, int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor);
    }
    WATCHED(int, 's', 0, EIO, real(descriptor));
}

static int watched_truncate(const char *name, int descriptor, off_t length) {
    int (*real)(int, off_t) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor, length);
    }
    WATCHED(int, 't', length, EIO, real(descriptor, length));
}

/* posix_fallocate returns its error, and does not set errno. */
static int watched_allocate(const char *name, int descriptor, off_t offset, off_t length) {
    int (*real)(int, off_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!is_watched(descriptor)) {
        return real(descriptor, offset, length);
    }
    double start = now();
    int failure =
        must_fail('a') ? (int)setting("SHIM_ERRNO", ENOSPC) : real(descriptor, offset, length);
    note('a', start, offset, 0, failure);
    return failure;
}

static int watched_name(const char *name, const char *from, const char *to) {
    int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, name);
    if (!is_watched_path(to)) {
        return real(from, to);
    }
    WATCHED(int, 'n', 0, EIO, real(from, to));
}

static int watched_open(const char *name, const char *path, int flags, va_list more) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, name);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    if (!is_watched_path(path)) {
        return real(path, flags, mode);
    }
    WATCHED(int, 'o', 0, EIO, real(path, flags, mode));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t n, off_t offset) {
    return watched_write("pwrite", descriptor, bytes, n, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t n, off_t offset) {
    return watched_write("pwrite64", descriptor, bytes, n, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t n) {
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (!is_watched(descriptor)) {
        return real(descriptor, bytes, n);
    }
    WATCHED(ssize_t, 'w', 0, ENOSPC, real(descriptor, bytes, n));
}

ssize_t pread(int descriptor, void *bytes, size_t n, off_t offset) {
    return watched_read("pread", descriptor, bytes, n, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t n, off_t offset) {
    return watched_read("pread64", descriptor, bytes, n, offset);
}

ssize_t read(int descriptor, void *bytes, size_t n) {
    ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
    if (!is_watched(descriptor)) {
        return real(descriptor, bytes, n);
    }
    WATCHED(ssize_t, 'r', 0, EIO, real(descriptor, bytes, n));
}

int fdatasync(int descriptor) {
    return watched_sync("fdatasync", descriptor);
}

int fsync(int descriptor) {
    return watched_sync("fsync", descriptor);
}

int ftruncate(int descriptor, off_t length) {
    return watched_truncate("ftruncate", descriptor, length);
}

int ftruncate64(int descriptor, off_t length) {
    return watched_truncate("ftruncate64", descriptor, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    return watched_allocate("posix_fallocate", descriptor, offset, length);
}

int posix_fallocate64(int descriptor, off_t offset, off_t length) {
    return watched_allocate("posix_fallocate64", descriptor, offset, length);
}

/* As on Linux, a close that fails has closed. */
int close(int descriptor) {
    int (*real)(int) = dlsym(RTLD_NEXT, "close");
    if (!is_watched(descriptor)) {
        return real(descriptor);
    }
    double start = now();
    int fails = must_fail('c');
    int status = real(descriptor);
    int failure = fails ? (int)setting("SHIM_ERRNO", EIO) : status < 0 ? errno : 0;
    note('c', start, 0, 0, failure);
    errno = failure;
    return fails ? -1 : status;
}

int rename(const char *from, const char *to) {
    return watched_name("rename", from, to);
}

int link(const char *from, const char *to) {
    return watched_name("link", from, to);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int descriptor = watched_open("open", path, flags, more);
    va_end(more);
    return descriptor;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    int descriptor = watched_open("open64", path, flags, more);
    va_end(more);
    return descriptor;
}

/* ---- streams, which use the calls above ---- */

static int descriptor_of(void *cookie) {
    return *(int *)cookie;
}

static ssize_t write_stream(void *cookie, const char *bytes, size_t n) {
    ssize_t written = write(descriptor_of(cookie), bytes, n);
    return written < 0 ? 0 : written; /* see fopencookie(3) */
}

static int seek_stream(void *cookie, off64_t *offset, int whence) {
    off64_t result = lseek64(descriptor_of(cookie), *offset, whence);
    *offset = result < 0 ? *offset : result;
    return result < 0 ? -1 : 0;
}

static int close_stream(void *cookie) {
    int status = close(descriptor_of(cookie));
    free(cookie);
    return status;
}

FILE *fdopen(int descriptor, const char *mode) {
    static const cookie_io_functions_t calls = {
        .write = write_stream, .seek = seek_stream, .close = close_stream};
    FILE *(*real)(int, const char *) = dlsym(RTLD_NEXT, "fdopen");
    int *cookie = *mode == 'w' && is_watched(descriptor) ? malloc(sizeof *cookie) : NULL;
    if (!cookie) {
        return real(descriptor, mode);
    }
    *cookie = descriptor;
    return fopencookie(cookie, mode, calls);
}
