#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/catalog.h"
#include "store/names.h"

/* Process and host of the last writer, from the file: "process 7 on host"; "" if unknown. */
static void read_writer(const char *path, char writer[IMP_WRITER_BYTES + 1]) {
    double codes[IMP_WRITER_BYTES];
    imp_catalog *catalog;
    memset(writer, 0, IMP_WRITER_BYTES + 1);
    if (imp_catalog_open(path, &catalog)) {
        return;
    }
    const imp_variable *v = imp_catalog_run(catalog, IMP_RUN_WRITER);
    bool good = v && v->size == IMP_WRITER_BYTES &&
                imp_catalog_read(catalog, v, 0, IMP_WRITER_BYTES, codes) == IMP_OK;
    for (int i = 0; good && i < IMP_WRITER_BYTES && codes[i] != 0; i++) {
        writer[i] = codes[i] >= ' ' && codes[i] < 0x7F ? (char)codes[i] : '?';
    }
    imp_catalog_close(&catalog);
}

/* process: number from the system; 0 or less: on another host, then the file has the number. */
static imp_err refuse(const char *path, long process) {
    char writer[IMP_WRITER_BYTES + 1], beginning[64], host[64] = "this host";
    read_writer(path, writer);
    snprintf(beginning, sizeof beginning, "process %ld on ", process);
    if (process <= 0 || strncmp(writer, beginning, strlen(beginning)) == 0) {
        return imp_fail(IMP_ERR_IO, "%s: is being written by %s", path,
                        writer[0] ? writer : "another process");
    }
    gethostname(host, sizeof host - 1);
    return imp_fail(IMP_ERR_IO, "%s: is being written by %s%s", path, beginning, host);
}

imp_err imp_lock_take(int descriptor, const char *path) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &whole) == 0) {
        return IMP_OK;
    }
    if (errno != EACCES && errno != EAGAIN) {
        return imp_fail(IMP_ERR_IO, "%s: could not lock it: %s", path, strerror(errno));
    }
    bool known = fcntl(descriptor, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    return refuse(path, known ? (long)whole.l_pid : 0);
}

bool imp_lock_is_held(const char *path, long *process) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    bool held =
        descriptor >= 0 && fcntl(descriptor, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    if (descriptor >= 0) {
        close(descriptor);
    }
    *process = held ? (long)whole.l_pid : 0;
    return held;
}

imp_err imp_lock_refuse(const char *path) {
    long process;
    return imp_lock_is_held(path, &process) ? refuse(path, process) : IMP_OK;
}
