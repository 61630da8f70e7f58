#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "config/encoding.h"

static const size_t largest = (size_t)IMP_MAX_TEXT_MEBIBYTES << 20;

/* Reads to the end, also of a pipe, whose size nobody knows. */
static const char *read_all(int file, char **bytes, size_t *length) {
    size_t capacity = 0;
    for (;;) {
        if (*length + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            char *more = realloc(*bytes, capacity);
            if (!more) {
                return strerror(ENOMEM);
            }
            *bytes = more;
        }
        ssize_t got = read(file, *bytes + *length, capacity - *length - 1);
        if (got < 0 && errno != EINTR) {
            return strerror(errno);
        }
        *length += got > 0 ? (size_t)got : 0;
        if (*length > largest) {
            return "File is larger than 64 MiB";
        }
        if (got == 0) {
            (*bytes)[*length] = 0;
            return NULL;
        }
    }
}

static const char *load_file(void *context, const char *path, char **bytes, size_t *length) {
    (void)context;
    *bytes = NULL;
    *length = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return strerror(errno);
    }
    const char *reason = read_all(file, bytes, length);
    close(file);
    if (reason) {
        free(*bytes);
        *bytes = NULL;
    }
    return reason;
}

const imp_loader imp_file_loader = {.load = load_file, .context = NULL};
