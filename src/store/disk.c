#define _GNU_SOURCE /* O_DIRECT, sync_file_range */
#include "store/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Most interruptions in a row; without a limit, a system that always reports one would hang the
 * program. */
enum { MOST_INTERRUPTIONS = 100 };

void imp_disk_open_standard(void) {
    static const int modes[] = {O_RDWR, O_RDONLY, O_RDWR};
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i) {
            _exit(EXIT_FAILURE); /* without a place to say why */
        }
    }
}

imp_err imp_disk_error(const char *path, const char *what) {
    return imp_fail(IMP_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

/* Whether a call with this result was interrupted and should be tried again. */
static bool try_again(int64_t result, int *interruptions) {
    return result < 0 && errno == EINTR && ++*interruptions < MOST_INTERRUPTIONS;
}

imp_err imp_disk_write(int descriptor, const char *path, const void *bytes, size_t n,
                       int64_t offset) {
    const char *at = bytes;
    int interruptions = 0;
    while (n > 0) {
        ssize_t written = pwrite(descriptor, at, n, (off_t)offset);
        if (try_again(written, &interruptions)) {
            continue;
        }
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return imp_disk_error(path, "could not write");
        }
        at += written;
        offset += written;
        n -= (size_t)written;
        interruptions = 0;
    }
    return IMP_OK;
}

bool imp_disk_pass_cache(int descriptor, bool pass) {
#ifdef O_DIRECT
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 &&
           fcntl(descriptor, F_SETFL, pass ? flags | O_DIRECT : flags & ~O_DIRECT) == 0;
#else
    (void)descriptor;
    return !pass;
#endif
}

char *imp_disk_buffer_new(size_t size) {
    enum { LARGE_PAGE = 2 << 20 };
    char *whole =
        mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED) {
        return NULL;
    }
    size_t before = (LARGE_PAGE - (uintptr_t)whole % LARGE_PAGE) % LARGE_PAGE;
    char *buffer = whole + before;
    if (before > 0) {
        munmap(whole, before);
    }
    munmap(buffer + size, LARGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(buffer, size, MADV_HUGEPAGE); /* without large pages writes are slower */
#endif
    return buffer;
}

void imp_disk_buffer_free(char *buffer, size_t size) {
    munmap(buffer, size);
}

int64_t imp_disk_read_some(int descriptor, void *bytes, size_t n, int64_t offset) {
    size_t done = 0;
    int interruptions = 0;
    while (done < n) {
        ssize_t got =
            pread(descriptor, (char *)bytes + done, n - done, (off_t)offset + (off_t)done);
        if (try_again(got, &interruptions)) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
        interruptions = 0;
    }
    return (int64_t)done;
}

imp_err imp_disk_read(int descriptor, const char *path, void *bytes, size_t n, int64_t offset) {
    int64_t got = imp_disk_read_some(descriptor, bytes, n, offset);
    if (got < 0) {
        return imp_disk_error(path, "could not read");
    }
    return got == (int64_t)n ? IMP_OK : imp_fail(IMP_ERR_IO, "%s: is cut short", path);
}

imp_err imp_disk_reserve(int descriptor, const char *path, int64_t offset, int64_t n) {
    int failure = EINTR;
    for (int tries = 0; failure == EINTR && tries < MOST_INTERRUPTIONS; tries++) {
        failure = n > 0 ? posix_fallocate(descriptor, (off_t)offset, (off_t)n) : 0;
    }
    return failure == 0 ? IMP_OK
                        : imp_fail(IMP_ERR_IO, "%s: could not reserve %.1f MB: %s", path,
                                   (double)n / 1e6, strerror(failure));
}

static imp_err sync_with(int (*sync_it)(int), int descriptor, const char *path) {
    int status, interruptions = 0;
    do {
        status = sync_it(descriptor);
    } while (try_again(status, &interruptions));
    return status == 0 ? IMP_OK : imp_disk_error(path, "could not sync it");
}

imp_err imp_disk_sync(int descriptor, const char *path) {
    return sync_with(fsync, descriptor, path);
}

imp_err imp_disk_sync_values(int descriptor, const char *path) {
    return sync_with(fdatasync, descriptor, path);
}

void imp_disk_begin_sync(int descriptor) {
#ifdef SYNC_FILE_RANGE_WRITE
    sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)descriptor;
#endif
}

void imp_disk_forget(int descriptor) {
#ifdef POSIX_FADV_DONTNEED
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
#else
    (void)descriptor;
#endif
}

int64_t imp_disk_memory(void) {
#ifdef _SC_PHYS_PAGES
    int64_t pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? pages * bytes : INT64_MAX;
#else
    return INT64_MAX;
#endif
}

char *imp_disk_folder(const char *path) {
    char *folder = strdup(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        slash[slash == folder] = 0;
        return folder;
    }
    free(folder);
    return strdup(".");
}

imp_err imp_disk_sync_folder(const char *path) {
    char *folder = imp_disk_folder(path);
    if (!folder) {
        return imp_out_of_memory();
    }
    int status, interruptions = 0, descriptor;
    do {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    } while (try_again(descriptor, &interruptions));
    free(folder);
    do {
        status = descriptor < 0 ? -1 : fsync(descriptor);
    } while (try_again(status, &interruptions));
    /* File systems that cannot sync a folder return EINVAL. */
    imp_err error =
        status < 0 && errno != EINVAL ? imp_disk_error(path, "could not sync its folder") : IMP_OK;
    if (descriptor >= 0) {
        close(descriptor); /* its result does not matter: nothing was written */
    }
    return error;
}

imp_err imp_disk_close(int descriptor, const char *path) {
    /* Linux closes the file even if the call is interrupted. */
    return close(descriptor) == 0 || errno == EINTR ? IMP_OK
                                                    : imp_disk_error(path, "could not close it");
}

bool imp_disk_is_named(int descriptor, const char *path) {
    struct stat open_one, named;
    return fstat(descriptor, &open_one) == 0 && stat(path, &named) == 0 &&
           open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino;
}
