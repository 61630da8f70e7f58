#include "store/partial.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/text.h"
#include "store/disk.h"
#include "store/lock.h"

static const char ending[] = ".partial";

/* The most letters in front of ".HOST-RANDOM.partial", which has at most 89: a file system takes
 * names of 255 letters. */
enum { LONGEST_BEGINNING = 160, HOST_BYTES = 64 };

/* The name of the file that this process is making; there is never more than one. */
static const char *volatile unfinished;

/* The length of the folder in a path, with its slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Appends "path.", the beginning of all its partial files. In the place of a long name stand its
 * first letters and a digest of all of them. */
static void print_stem(const char *path, imp_text *text) {
    enum { DIGITS = 16 };
    const char *name = path + folder_length(path);
    size_t kept = strlen(name);
    if (kept <= LONGEST_BEGINNING) {
        imp_text_print(text, "%s.", path);
        return;
    }
    char digest[65];
    imp_sha256_of(name, kept, digest);
    kept = LONGEST_BEGINNING - DIGITS - 1;
    while ((name[kept] & 0xC0) == 0x80) {
        kept--; /* do not part a character of several bytes */
    }
    imp_text_append(text, path, (size_t)(name - path) + kept);
    imp_text_print(text, "~%.*s.", DIGITS, digest);
}

/* Appends "path.host-", the beginning of all partial files of this host. */
static void print_beginning(const char *path, imp_text *text) {
    char host[HOST_BYTES] = "unknown";
    gethostname(host, sizeof host - 1);
    print_stem(path, text);
    imp_text_print(text, "%s-", host);
}

/* ---- making one ---- */

/* A random name, which other processes cannot guess. */
static imp_err choose_name(const char *path, char **name) {
    uint64_t number;
    imp_text text = {0};
    if (getrandom(&number, sizeof number, 0) != sizeof number) {
        return imp_disk_error(path, "could not choose a name");
    }
    print_beginning(path, &text);
    imp_text_print(&text, "%016llx%s", (unsigned long long)number, ending);
    *name = text.failed ? NULL : strdup(imp_text_get(&text));
    imp_text_free(&text);
    return *name ? IMP_OK : imp_out_of_memory();
}

/* Refuses a folder without write permission, even if the user (root) could write to it. */
static imp_err check_folder(const char *path) {
    char *folder = imp_disk_folder(path);
    struct stat status;
    imp_err error = folder ? IMP_OK : imp_out_of_memory();
    if (folder && stat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
        !(status.st_mode & 0222)) {
        error = imp_fail(IMP_ERR_INPUT, "%s: the folder %s is read-only", path, folder);
    }
    free(folder);
    return error;
}

static imp_err open_new(imp_partial *partial) {
    partial->descriptor =
        open(partial->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (partial->descriptor >= 0) {
        return IMP_OK;
    }
    bool disk = errno == ENOSPC || errno == EDQUOT || errno == EIO || errno == EINTR ||
                errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    imp_err error = imp_disk_error(partial->path, "could not create it");
    return disk ? error : IMP_ERR_INPUT;
}

/* Locks the new file. False if another process removes it as a stale one. */
static bool claim(const imp_partial *partial) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    bool locked = fcntl(partial->descriptor, F_SETLK, &whole) == 0;
    bool elsewhere = !locked && (errno == EACCES || errno == EAGAIN);
    return !elsewhere && imp_disk_is_named(partial->descriptor, partial->name);
}

imp_err imp_partial_create(const char *path, imp_partial *partial) {
    enum { TRIES = 10 };
    *partial = (imp_partial){.path = path, .descriptor = -1};
    imp_err error = check_folder(path);
    if (error) {
        return error;
    }
    imp_partial_remove_stale(path);
    for (int i = 0; i < TRIES; i++) {
        error = choose_name(path, &partial->name);
        unfinished = partial->name; /* before there is such a file: a signal may end the process */
        error = error ? error : open_new(partial);
        if (!error && claim(partial)) {
            return IMP_OK;
        }
        imp_partial_discard(partial);
        partial->path = path;
        if (error) {
            return error;
        }
    }
    return imp_fail(IMP_ERR_IO, "%s: could not create it: other processes remove the partial file",
                    path);
}

FILE *imp_partial_stream(imp_partial *partial) {
    if (!partial->stream) {
        partial->stream = fdopen(partial->descriptor, "w");
    }
    return partial->stream;
}

static imp_err rename_over(imp_partial *partial) {
    return rename(partial->name, partial->path) == 0
               ? IMP_OK
               : imp_disk_error(partial->path, "could not give the finished file its name");
}

/* Gives the file its name unless the name exists; if two processes finish at the same time, one
 * fails. */
static imp_err name_new(imp_partial *partial) {
    if (link(partial->name, partial->path) == 0) {
        unlink(partial->name);
        return IMP_OK;
    }
    if (errno == EEXIST) {
        return imp_fail(IMP_ERR_IO, "%s: was created by another process just now", partial->path);
    }
    bool no_links = errno == EPERM || errno == ENOSYS || errno == EOPNOTSUPP || errno == EMLINK;
    return no_links ? rename_over(partial)
                    : imp_disk_error(partial->path, "could not give the finished file its name");
}

imp_err imp_partial_reserve(const imp_partial *partial, int64_t bytes) {
    assert(partial->descriptor >= 0 && bytes >= 0);
    return imp_disk_reserve(partial->descriptor, partial->path, 0, bytes);
}

/* Cuts the file after the printed text; reserved space behind it is removed. */
static bool flush_stream(const imp_partial *partial) {
    off_t end = fflush(partial->stream) == 0 ? ftello(partial->stream) : -1;
    return end >= 0 && !ferror(partial->stream) && ftruncate(partial->descriptor, end) == 0;
}

static imp_err flush(const imp_partial *partial) {
    bool good = !partial->stream || flush_stream(partial);
    return good ? imp_disk_sync(partial->descriptor, partial->path)
                : imp_disk_error(partial->path, "could not write");
}

static void drop_name(imp_partial *partial) {
    unfinished = NULL;
    free(partial->name);
    partial->name = NULL;
}

imp_err imp_partial_finish(imp_partial *partial, bool replace) {
    assert(partial->descriptor >= 0);
    imp_err error = flush(partial);
    error = error ? error : replace ? rename_over(partial) : name_new(partial);
    if (!error) {
        drop_name(partial);
        error = imp_disk_sync_folder(partial->path);
    }
    if (error) {
        imp_partial_discard(partial);
    }
    return error;
}

imp_err imp_partial_close(imp_partial *partial) {
    imp_err error = IMP_OK;
    if (partial->stream && fclose(partial->stream) != 0) {
        error = imp_disk_error(partial->path, "could not close it");
    } else if (!partial->stream && partial->descriptor >= 0) {
        error = imp_disk_close(partial->descriptor, partial->path);
    }
    drop_name(partial);
    *partial = (imp_partial){.descriptor = -1};
    return error;
}

void imp_partial_discard(imp_partial *partial) {
    if (partial->name && partial->descriptor >= 0) {
        unlink(partial->name); /* before the lock ends */
    }
    if (partial->stream) {
        fclose(partial->stream);
    } else if (partial->descriptor >= 0) {
        close(partial->descriptor);
    }
    drop_name(partial);
    *partial = (imp_partial){.descriptor = -1};
}

void imp_partial_unlink_unfinished(void) {
    if (unfinished) {
        unlink(unfinished);
    }
}

/* ---- files of other processes ---- */

/* Calls `visit` for every partial file of `path`, whoever made it; folder: length of the folder in
 * `name`. */
static imp_err for_each(const char *path,
                        imp_err (*visit)(const char *name, size_t folder, const char *path)) {
    size_t start = folder_length(path), length;
    imp_text folder = {0}, name = {0}, stem = {0};
    imp_err error = IMP_OK;
    imp_text_append(&folder, path, start);
    print_stem(path + start, &stem);
    DIR *list = stem.failed ? NULL : opendir(start > 0 ? imp_text_get(&folder) : ".");
    for (struct dirent *entry; list && !error && (entry = readdir(list));) {
        const char *found = entry->d_name;
        length = strlen(found);
        if (length > stem.length + strlen(ending) &&
            strncmp(found, imp_text_get(&stem), stem.length) == 0 &&
            strcmp(found + length - strlen(ending), ending) == 0) {
            name.length = 0;
            imp_text_print(&name, "%s%s", imp_text_get(&folder), found);
            error = folder.failed || name.failed ? imp_out_of_memory()
                                                 : visit(imp_text_get(&name), start, path);
        }
    }
    if (list) {
        closedir(list);
    }
    imp_text_free(&folder);
    imp_text_free(&name);
    imp_text_free(&stem);
    return error;
}

/* Removes the file if it is not locked: then the process that made it has ended, even if it is a
 * zombie or if another process now has its number. */
static void remove_unlocked(const char *name) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat status;
    int descriptor = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return;
    }
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        fcntl(descriptor, F_SETLK, &whole) == 0 && imp_disk_is_named(descriptor, name)) {
        unlink(name);
    }
    close(descriptor);
}

/* Only files of this host, as locks are not always seen on other hosts. */
static imp_err remove_if_stale(const char *name, size_t folder, const char *path) {
    imp_text beginning = {0};
    print_beginning(path + folder, &beginning);
    if (!beginning.failed &&
        strncmp(name + folder, imp_text_get(&beginning), beginning.length) == 0) {
        remove_unlocked(name);
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
               ? imp_fail(IMP_ERR_IO, "%s: is being written by process %ld, as %s", path, process,
                          name)
               : IMP_OK;
}

imp_err imp_partial_refuse_busy(const char *path) {
    return for_each(path, refuse_if_busy);
}
