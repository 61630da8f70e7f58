#include "store/map.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "solve/block.h"
#include "store/layout.h"
#include "store/lock.h"
#include "store/partial.h"

/* Bytes of values after which marks are written even before their period is over. */
static const size_t values_between_syncs = (size_t)256 << 20;

/* While a file is made a stop is looked for after so many bytes were written and synced, or were
 * reserved (which writes something into every block where the file system cannot reserve). */
static const size_t filled_at_once = (size_t)32 << 20;
static const off_t reserved_at_once = (off_t)256 << 20;

/* Where a dataset's values stand in the file. */
typedef struct extent {
    off_t offset;
    size_t bytes;
} extent;

#define FIELD_ENUM(name, type, file_type, member, unit, meaning) SESSION_##name,
enum { IMP_SESSION_FIELDS(FIELD_ENUM) N_SESSION_FIELDS };
#undef FIELD_ENUM

/* Outcomes that are remembered until the values are synced: runs of cells, their codes in a row. */
typedef struct marks {
    imp_text runs, outcomes;
} marks;

typedef struct run {
    int64_t first;
    uint64_t count;
} run;

struct imp_map {
    const imp_sweep *sweep;
    imp_layout layout; /* of the blocks that are written */
    char *path;
    int descriptor;
    int64_t cells;
    extent outputs[IMP_MAX_OUTPUTS], outcome, sessions[N_SESSION_FIELDS], complete, writer;
    imp_checkpoint checkpoint;
    bool (*stop)(void); /* while the file is made; may be NULL */
    double unsynced_since;
    size_t unsynced;   /* bytes of values written since the last sync */
    marks *remembered; /* by writer */
    int n_writers;
    int mode_position; /* of `mode` among the outputs; -1: it is not stored */
    int session;       /* number of this session; -1 before it is noted */
};

static imp_err io_error(const char *path, const char *what) {
    return imp_fail(IMP_ERR_IO, "%s: %s: %s", path, what, strerror(errno));
}

static imp_err write_all(const imp_map *map, const void *bytes, size_t n, off_t offset) {
    const char *at = bytes;
    while (n > 0) {
        ssize_t written = pwrite(map->descriptor, at, n, offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return io_error(map->path, "could not write");
        }
        at += written;
        offset += written;
        n -= (size_t)written;
    }
    return IMP_OK;
}

static imp_err read_all(const imp_map *map, void *bytes, size_t n, off_t offset) {
    char *at = bytes;
    while (n > 0) {
        ssize_t got = pread(map->descriptor, at, n, offset);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got == 0) {
            return imp_fail(IMP_ERR_IO, "%s: is cut short", map->path);
        }
        if (got < 0) {
            return io_error(map->path, "could not read");
        }
        at += got;
        offset += got;
        n -= (size_t)got;
    }
    return IMP_OK;
}

/* ---- finding the extents ---- */

/* The extent of a dataset that must be contiguous and have this type and number of values. */
static imp_err find_extent(hid_t file, const char *path, const char *name, hid_t type,
                           int64_t values, extent *found) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0) {
        return imp_fail(IMP_ERR_IO, "%s: has no dataset '%s'; it is damaged", path, name);
    }
    hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
    haddr_t offset = H5Dget_offset(dataset);
    bool good = offset != HADDR_UNDEF && H5Tequal(stored, type) > 0 &&
                H5Sget_simple_extent_npoints(space) == values;
    *found = (extent){(off_t)offset, (size_t)values * H5Tget_size(type)};
    H5Sclose(space);
    H5Tclose(stored);
    H5Dclose(dataset);
    return good ? IMP_OK
                : imp_fail(IMP_ERR_INPUT,
                           "%s: the dataset '%s' cannot be written to (is the map compressed, or "
                           "not made by impactsweep?)",
                           path, name);
}

static imp_err find_extents(imp_map *map, hid_t file) {
    const imp_theory *theory = map->sweep->theory;
    imp_err error = IMP_OK;
    for (int o = 0; !error && o < map->sweep->n_outputs; o++) {
        int output = map->sweep->outputs[o];
        int64_t values = map->cells * (int64_t)imp_output_length(&theory->outputs[output]);
        error = find_extent(file, map->path, theory->outputs[output].name,
                            imp_layout_type(map->sweep, output), values, &map->outputs[o]);
    }
    error = error
                ? error
                : find_extent(file, map->path, "outcome", H5T_STD_I8LE, map->cells, &map->outcome);
#define FIND(name, type, file_type, member, unit, meaning)                                         \
    error = error ? error                                                                          \
                  : find_extent(file, map->path, #name, file_type, IMP_MAX_SESSIONS,               \
                                &map->sessions[SESSION_##name]);
    IMP_SESSION_FIELDS(FIND)
#undef FIND
    error = error ? error
                  : find_extent(file, map->path, "run_complete", H5T_STD_I8LE, 1, &map->complete);
    return error ? error
                 : find_extent(file, map->path, "run_writer", H5T_STD_I8LE, IMP_WRITER_BYTES,
                               &map->writer);
}

/* ---- a new file ---- */

static imp_err interrupted(const imp_map *map) {
    return map->stop && map->stop()
               ? imp_fail(IMP_ERR_STOPPED, "%s: stopped while the file was made", map->path)
               : IMP_OK;
}

static imp_err reserve(const imp_map *map, int descriptor, extent e) {
    off_t end = e.offset + (off_t)e.bytes;
    for (off_t at = e.offset; at < end; at += reserved_at_once) {
        off_t n = end - at < reserved_at_once ? end - at : reserved_at_once;
        int failure = posix_fallocate(descriptor, at, n);
        if (failure) {
            return imp_fail(IMP_ERR_IO, "%s: could not reserve %.1f MB: %s", map->path,
                            (double)e.bytes / 1e6, strerror(failure));
        }
        imp_err error = interrupted(map);
        if (error) {
            return error;
        }
    }
    return IMP_OK;
}

/* Values of cells that are not computed are NaN; categories, sequences and outcomes are 0, as
 * reserved space reads. */
static imp_err fill_with_nan(const imp_map *map, extent e, bool single) {
    enum { BYTES = 1 << 20 };
    static const float single_nan = NAN;
    static const double double_nan = NAN;
    char *piece = malloc(BYTES);
    if (!piece) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    const void *nan = single ? (const void *)&single_nan : (const void *)&double_nan;
    size_t size = single ? sizeof single_nan : sizeof double_nan;
    for (size_t i = 0; i < BYTES; i += size) {
        memcpy(piece + i, nan, size);
    }
    imp_err error = IMP_OK;
    for (size_t done = 0; !error && done < e.bytes; done += BYTES) {
        size_t n = e.bytes - done < BYTES ? e.bytes - done : BYTES;
        error = write_all(map, piece, n, e.offset + (off_t)done);
        /* Not all at the end, which would last as long as it likes. */
        if (!error && done % filled_at_once == 0 && fdatasync(map->descriptor) != 0) {
            error = io_error(map->path, "could not sync it");
        }
        error = error ? error : interrupted(map);
    }
    free(piece);
    return error;
}

static imp_err fill_extents(const imp_map *map) {
    imp_err error = reserve(map, map->descriptor, map->outcome);
    for (int o = 0; !error && o < map->sweep->n_outputs; o++) {
        error = reserve(map, map->descriptor, map->outputs[o]);
    }
    for (int o = 0; !error && o < map->sweep->n_outputs; o++) {
        if (map->sweep->theory->outputs[map->sweep->outputs[o]].kind == IMP_REAL) {
            error = fill_with_nan(map, map->outputs[o],
                                  imp_sweep_single(map->sweep, map->sweep->outputs[o]));
        }
    }
    for (int f = 0; !error && f < N_SESSION_FIELDS; f++) {
        error = reserve(map, map->descriptor, map->sessions[f]);
    }
    error = error ? error : reserve(map, map->descriptor, map->writer);
    return error ? error : reserve(map, map->descriptor, map->complete);
}

/* The folder of a path; the caller frees it. NULL when memory is out. */
static char *folder_of(const char *path) {
    char *folder = strdup(path);
    char *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash) {
        slash[slash == folder] = 0;
        return folder;
    }
    free(folder);
    return strdup(".");
}

/* Makes the rename last. */
static imp_err sync_folder(const char *path) {
    char *folder = folder_of(path);
    int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
    int status = descriptor < 0 ? -1 : fsync(descriptor);
    if (descriptor >= 0) {
        close(descriptor);
    }
    free(folder);
    /* Some file systems cannot sync a folder; they say EINVAL. */
    return status < 0 && errno != EINVAL ? io_error(path, "could not sync its folder") : IMP_OK;
}

/* Says in the file who writes it, for those who find it locked. */
static imp_err sign(const imp_map *map) {
    char text[IMP_WRITER_BYTES] = "", host[64] = "an unknown host";
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    return write_all(map, text, sizeof text, map->writer.offset);
}

/* Opens the file (at `path`, which may still be the partial one) to write into its extents. */
static imp_err attach(imp_map *map, const char *path, bool alone) {
    hid_t file;
    imp_err error = imp_h5_open(path, &file);
    if (error) {
        return error;
    }
    error = find_extents(map, file);
    H5Fclose(file);
    if (error) {
        return error;
    }
    map->descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (map->descriptor < 0) {
        return io_error(map->path, "could not open it for writing");
    }
    return alone ? imp_lock_take(map->descriptor, map->path) : IMP_OK;
}

/* HDF5 says only that it failed; the operating system says why. A folder without any write
 * permission is refused even where the user could write to it all the same. */
static imp_err try_folder(const char *partial) {
    char *folder = folder_of(partial);
    struct stat status;
    if (!folder) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode) && !(status.st_mode & 0222)) {
        imp_err error = imp_fail(IMP_ERR_INPUT, "%s: the folder %s is read-only", partial, folder);
        free(folder);
        return error;
    }
    free(folder);
    int descriptor = open(partial, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (descriptor >= 0) {
        close(descriptor);
        return IMP_OK;
    }
    imp_err error = io_error(partial, "could not create it");
    return errno == ENOSPC || errno == EDQUOT || errno == EIO ? error : IMP_ERR_INPUT;
}

/* Finds out before HDF5 writes whether the file will fit: HDF5 cannot close one that does not. */
static imp_err reserve_file(const imp_map *map, const char *partial) {
    size_t bytes = (size_t)map->cells * imp_sweep_cell_size(map->sweep) + (1 << 20);
    int descriptor = open(partial, O_RDWR);
    if (descriptor < 0) {
        return io_error(map->path, "could not open its beginning");
    }
    imp_err error = reserve(map, descriptor, (extent){0, bytes});
    close(descriptor);
    return error;
}

/* Gives the finished file its name. Without `replace` an existing one is left alone: another process
 * was faster. */
static imp_err give_name(const char *partial, const char *path, bool replace) {
    if (replace && rename(partial, path) != 0) {
        return io_error(path, "could not rename the finished file to it");
    }
    if (replace) {
        return IMP_OK;
    }
    if (link(partial, path) == 0) {
        unlink(partial);
        return IMP_OK;
    }
    if (errno == EEXIST) {
        return imp_fail(IMP_ERR_IO, "%s: was created by another process just now", path);
    }
    /* Some file systems have no links. */
    return rename(partial, path) == 0 ? IMP_OK
                                      : io_error(path, "could not rename the finished file to it");
}

static imp_err create(imp_map *map, const imp_provenance *provenance, bool replace) {
    imp_text name = {0};
    imp_err busy = imp_partial_refuse_busy(map->path);
    if (busy) {
        return busy;
    }
    /* A name of its own: of two that start at once, one must not spoil the other's. */
    if (imp_partial_name(map->path, "", &name)) {
        return IMP_ERR_MEMORY;
    }
    const char *partial = imp_text_get(&name);
    imp_err error = try_folder(partial);
    bool made = !error;
    error = error ? error : reserve_file(map, partial);
    error = error ? error : imp_layout_create(partial, map->sweep, provenance);
    error = error ? error : attach(map, partial, true);
    error = error ? error : sign(map);
    error = error ? error : fill_extents(map);
    if (!error && fsync(map->descriptor) != 0) {
        error = io_error(map->path, "could not sync it");
    }
    error = error ? error : give_name(partial, map->path, replace);
    error = error ? error : sync_folder(map->path);
    if (error && made) {
        unlink(partial);
    }
    imp_text_free(&name);
    return error;
}

/* ---- an existing file ---- */

static imp_err damaged(const imp_map *map, int64_t cell, const char *what, int code) {
    return imp_fail(IMP_ERR_INPUT, "%s: is damaged: cell %lld has the %s %d, which there is not",
                    map->path, (long long)cell, what, code);
}

static imp_err check_modes(const imp_map *map, int64_t first, size_t n, const int8_t *modes) {
    bool known[256] = {true};
    for (int code = 1; code < 64; code++) {
        known[code] = imp_mode_name(map->sweep->theory, code) != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!known[(uint8_t)modes[i]]) {
            return damaged(map, first + (int64_t)i, "mode", modes[i]);
        }
    }
    return IMP_OK;
}

imp_err imp_map_read(imp_map *map, int64_t first, size_t n, uint8_t *outcomes, int8_t *modes) {
    imp_err error = read_all(map, outcomes, n, map->outcome.offset + (off_t)first);
    for (size_t i = 0; !error && i < n; i++) {
        error = outcomes[i] < IMP_OUTCOME_COUNT
                    ? IMP_OK
                    : damaged(map, first + (int64_t)i, "outcome", outcomes[i]);
    }
    if (error || !modes) {
        return error;
    }
    if (map->mode_position < 0) {
        memset(modes, 0, n);
        return IMP_OK;
    }
    error = read_all(map, modes, n, map->outputs[map->mode_position].offset + (off_t)first);
    return error ? error : check_modes(map, first, n, modes);
}

/* Whether every cell has an outcome and a mode that there are, before anything is written. */
static imp_err check_cells(imp_map *map) {
    enum { AT_ONCE = 1 << 20 };
    uint8_t *outcomes = malloc(AT_ONCE);
    int8_t *modes = malloc(AT_ONCE);
    imp_err error = outcomes && modes ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
    for (int64_t first = 0; !error && first < map->cells; first += AT_ONCE) {
        int64_t left = map->cells - first;
        error = imp_map_read(map, first, left < AT_ONCE ? (size_t)left : AT_ONCE, outcomes, modes);
    }
    free(outcomes);
    free(modes);
    return error;
}

static imp_err open_or_create(imp_map *map, const imp_provenance *provenance,
                              imp_map_policy policy) {
    struct stat status;
    bool exists = stat(map->path, &status) == 0;
    imp_partial_remove_stale(map->path);
    if (exists && !S_ISREG(status.st_mode)) {
        return imp_fail(IMP_ERR_INPUT, "%s: exists and is not a file", map->path);
    }
    if (exists && policy == IMP_MAP_NEW) {
        return imp_fail(IMP_ERR_INPUT, "%s: exists; --resume goes on with it, --force replaces it",
                        map->path);
    }
    if (exists && policy == IMP_MAP_REPLACE) {
        /* What another process writes is not replaced under it. */
        imp_err busy = imp_lock_refuse(map->path);
        return busy ? busy : create(map, provenance, true);
    }
    if (!exists) {
        return create(map, provenance, false);
    }
    imp_err error = imp_map_verify(map->path, map->sweep);
    error = error ? error : attach(map, map->path, true);
    error = error ? error : check_cells(map);
    return error ? error : sign(map);
}

/* ---- the interface ---- */

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static imp_err new_map(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                       bool (*stop)(void), imp_map **map) {
    imp_map *m = calloc(1, sizeof *m);
    char *copy = strdup(path);
    *map = NULL;
    if (!m || !copy) {
        free(m);
        free(copy);
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    *m = (imp_map){.sweep = sweep,
                   .layout = imp_layout_of(sweep),
                   .path = copy,
                   .descriptor = -1,
                   .cells = imp_grid_cells(&sweep->grid),
                   .checkpoint = checkpoint,
                   .stop = stop,
                   .mode_position = imp_sweep_position(sweep, "mode"),
                   .session = -1};
    *map = m;
    return IMP_OK;
}

imp_err imp_map_open(const char *path, const imp_sweep *sweep, const imp_provenance *provenance,
                     imp_map_policy policy, imp_checkpoint checkpoint, bool (*stop)(void),
                     imp_map **map, double *seconds) {
    double start = now();
    imp_err error = new_map(path, sweep, checkpoint, stop, map);
    error = error ? error : open_or_create(*map, provenance, policy);
    if (error) {
        imp_map_close(map);
    }
    *seconds = now() - start;
    return error;
}

imp_err imp_map_assist(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                       imp_map **map) {
    imp_err error = new_map(path, sweep, checkpoint, NULL, map);
    error = error ? error : attach(*map, path, false);
    if (error) {
        imp_map_close(map);
    }
    return error;
}

imp_err imp_map_write_values(imp_map *map, int64_t first, size_t n, const void *block) {
    const char *bytes = block;
    if (map->unsynced == 0) {
        map->unsynced_since = now();
    }
    for (int o = 0; o < map->layout.n_outputs; o++) {
        size_t size = map->layout.size[o];
        imp_err error = write_all(map, bytes + imp_block_offset(&map->layout, n, o), n * size,
                                  map->outputs[o].offset + (off_t)first * (off_t)size);
        if (error) {
            return error;
        }
        map->unsynced += n * size;
    }
    return IMP_OK;
}

static imp_err room_for_writer(imp_map *map, int writer) {
    if (writer < map->n_writers) {
        return IMP_OK;
    }
    marks *more = realloc(map->remembered, ((size_t)writer + 1) * sizeof *more);
    if (!more) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    map->remembered = more;
    while (map->n_writers <= writer) {
        map->remembered[map->n_writers++] = (marks){{0}, {0}};
    }
    return IMP_OK;
}

imp_err imp_map_mark(imp_map *map, int writer, int64_t first, size_t n, const uint8_t *outcomes) {
    if (map->checkpoint.period <= 0) {
        return write_all(map, outcomes, n, map->outcome.offset + (off_t)first);
    }
    imp_err error = room_for_writer(map, writer);
    if (error) {
        return error;
    }
    marks *m = &map->remembered[writer];
    run cells = {first, n};
    imp_text_append(&m->runs, &cells, sizeof cells);
    imp_text_append(&m->outcomes, outcomes, n);
    return m->runs.failed || m->outcomes.failed ? imp_fail(IMP_ERR_MEMORY, "out of memory")
                                                : IMP_OK;
}

bool imp_map_sync_is_due(const imp_map *map) {
    return map->checkpoint.period > 0 && map->unsynced > 0 &&
           (map->unsynced >= values_between_syncs ||
            now() - map->unsynced_since >= map->checkpoint.period);
}

imp_err imp_map_sync_values(imp_map *map) {
    if (map->unsynced > 0 && fdatasync(map->descriptor) != 0) {
        return io_error(map->path, "could not sync it");
    }
    map->unsynced = 0;
    return IMP_OK;
}

imp_err imp_map_commit(imp_map *map, int writer) {
    if (writer >= map->n_writers) {
        return IMP_OK;
    }
    marks *m = &map->remembered[writer];
    const char *outcomes = imp_text_get(&m->outcomes);
    imp_err error = IMP_OK;
    for (size_t at = 0; !error && at < m->runs.length; at += sizeof(run)) {
        run cells;
        memcpy(&cells, m->runs.bytes + at, sizeof cells);
        error = write_all(map, outcomes, cells.count, map->outcome.offset + (off_t)cells.first);
        outcomes += cells.count;
    }
    m->runs.length = m->outcomes.length = 0;
    return error;
}

imp_err imp_map_write(imp_map *map, int64_t first, size_t n, const void *block) {
    const uint8_t *outcomes = imp_block_outcomes(&map->layout, n, block);
    imp_err error = imp_map_write_values(map, first, n, block);
    error = error ? error : imp_map_mark(map, 0, first, n, outcomes);
    if (!error && imp_map_sync_is_due(map)) {
        error = imp_map_sync_values(map);
        error = error ? error : imp_map_commit(map, 0);
    }
    return error;
}

/* The first session that never started is free. */
static imp_err find_session(imp_map *map) {
    double starts[IMP_MAX_SESSIONS];
    imp_err error = read_all(map, starts, sizeof starts, map->sessions[SESSION_run_start].offset);
    map->session = 0;
    while (!error && map->session < IMP_MAX_SESSIONS - 1 && starts[map->session] > 0) {
        map->session++;
    }
    return error;
}

imp_err imp_map_note_session(imp_map *map, const imp_session *session, bool complete) {
    imp_err error = map->session < 0 ? find_session(map) : IMP_OK;
#define NOTE(name, type, file_type, member, unit, meaning)                                         \
    error = error ? error                                                                          \
                  : write_all(map, &session->member, sizeof(type),                                 \
                              map->sessions[SESSION_##name].offset +                               \
                                  (off_t)(sizeof(type) * (size_t)map->session));
    IMP_SESSION_FIELDS(NOTE)
#undef NOTE
    int8_t flag = complete;
    return error ? error : write_all(map, &flag, 1, map->complete.offset);
}

imp_err imp_map_look(const imp_map *map) {
    struct stat open_one, named;
    if (fstat(map->descriptor, &open_one) == 0 && stat(map->path, &named) == 0) {
        return open_one.st_dev == named.st_dev && open_one.st_ino == named.st_ino
                   ? IMP_OK
                   : imp_fail(IMP_ERR_IO, "%s: was replaced by another file during the run",
                              map->path);
    }
    /* What else may keep it from being seen does not make its values wrong. */
    return errno == ENOENT || errno == ENOTDIR || errno == ESTALE
               ? io_error(map->path, "was removed during the run")
               : IMP_OK;
}

imp_err imp_map_finish(imp_map *map) {
    imp_err error = imp_map_look(map);
    error = error ? error : imp_map_sync_values(map);
    error = error ? error : imp_map_commit(map, 0);
    return error || fsync(map->descriptor) == 0 ? error : io_error(map->path, "could not sync it");
}

imp_err imp_map_close(imp_map **map) {
    imp_map *m = *map;
    imp_err error = IMP_OK;
    if (!m) {
        return IMP_OK;
    }
    if (m->descriptor >= 0 && close(m->descriptor) != 0) {
        error = io_error(m->path, "could not close it");
    }
    for (int w = 0; w < m->n_writers; w++) {
        imp_text_free(&m->remembered[w].runs);
        imp_text_free(&m->remembered[w].outcomes);
    }
    free(m->remembered);
    free(m->path);
    free(m);
    *map = NULL;
    return error;
}
