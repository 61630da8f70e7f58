#include "store/map.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/interval.h"
#include "solve/block.h"
#include "solve/points.h"
#include "store/disk.h"
#include "store/lock.h"
#include "store/map_impl.h"
#include "store/partial.h"
#include "store/verify.h"

/* After so many bytes of values, or of marks, which memory keeps, marks are written even before the
 * end of their period. */
static const size_t values_between_syncs = (size_t)256 << 20, most_marks = (size_t)16 << 20;

/* After so many bytes of values the disk begins with them, while cells are computed; otherwise the
 * next sync would wait for all of them. */
static const size_t values_at_once = (size_t)32 << 20;

static imp_err write_all(const imp_map *map, const void *bytes, size_t n, int64_t offset) {
    return imp_disk_write(map->descriptor, map->path, bytes, n, offset);
}

static imp_err read_all(const imp_map *map, void *bytes, size_t n, int64_t offset) {
    return imp_disk_read(map->descriptor, map->path, bytes, n, offset);
}

imp_err imp_map_sign(const imp_map *map) {
    char text[IMP_WRITER_BYTES] = "", host[64] = "an unknown host";
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "process %ld on %s", (long)getpid(), host);
    return write_all(map, text, sizeof text, map->writer.offset);
}

imp_err imp_map_attach(imp_map *map) {
    imp_catalog *catalog;
    imp_err error = imp_catalog_attach(map->descriptor, map->path, &catalog);
    if (error) {
        return error;
    }
    error = imp_verify(catalog, map->sweep, NULL);
    error = error ? error : imp_map_find_extents(map, catalog);
    imp_catalog_close(&catalog);
    return error;
}

/* ---- an existing file ---- */

static imp_err check_modes(const imp_map *map, int64_t first, size_t n, const int8_t *modes) {
    bool known[256] = {true};
    for (int code = 1; code < 64; code++) {
        known[code] = imp_mode_name(map->sweep->theory, code) != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        if (!known[(uint8_t)modes[i]]) {
            return imp_undefined_code(map->path, first + (int64_t)i, "mode", modes[i]);
        }
    }
    return IMP_OK;
}

imp_err imp_map_read(imp_map *map, int64_t first, size_t n, uint8_t *outcomes, int8_t *modes) {
    assert(first >= 0 && first + (int64_t)n <= map->cells);
    imp_err error = read_all(map, outcomes, n, map->outcome.offset + (int64_t)first);
    for (size_t i = 0; !error && i < n; i++) {
        error = outcomes[i] < IMP_OUTCOME_COUNT
                    ? IMP_OK
                    : imp_undefined_code(map->path, first + (int64_t)i, "outcome", outcomes[i]);
    }
    if (error || !modes) {
        return error;
    }
    if (map->mode_position < 0) {
        memset(modes, 0, n);
        return IMP_OK;
    }
    error = read_all(map, modes, n, map->outputs[map->mode_position].offset + (int64_t)first);
    return error ? error : check_modes(map, first, n, modes);
}

/* IMP_ERR_INPUT if a cell has an outcome or a mode with an unknown code; done before anything is
 * written. */
static imp_err check_cells(imp_map *map) {
    enum { AT_ONCE = 1 << 20 };
    uint8_t *outcomes = malloc(AT_ONCE);
    int8_t *modes = malloc(AT_ONCE);
    imp_err error = outcomes && modes ? IMP_OK : imp_out_of_memory();
    for (int64_t first = 0; !error && first < map->cells; first += AT_ONCE) {
        int64_t left = map->cells - first;
        error = imp_map_read(map, first, left < AT_ONCE ? (size_t)left : AT_ONCE, outcomes, modes);
    }
    free(outcomes);
    free(modes);
    return error;
}

static imp_err open_existing(imp_map *map) {
    map->descriptor = open(map->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    return map->descriptor >= 0 ? IMP_OK
                                : imp_disk_error(map->path, "could not open it for writing");
}

/* The lock comes first, so that the verified file is the one that is written. */
static imp_err resume(imp_map *map) {
    imp_err error = open_existing(map);
    error = error ? error : imp_lock_take(map->descriptor, map->path);
    error = error ? error : imp_map_attach(map);
    error = error ? error : imp_map_check_path(map);
    error = error ? error : check_cells(map);
    error = error ? error : imp_map_sign(map);
    return error || !imp_sweep_is_refined(map->sweep) ? error : imp_map_renew(map);
}

static imp_err open_or_create(imp_map *map, const imp_provenance *provenance,
                              imp_map_policy policy) {
    struct stat status;
    bool exists = stat(map->path, &status) == 0;
    imp_partial_remove_stale(map->path);
    if (exists && !S_ISREG(status.st_mode)) {
        return imp_fail(IMP_ERR_INPUT, "%s: exists and is not a regular file", map->path);
    }
    if (exists && policy == IMP_MAP_NEW) {
        return imp_fail(IMP_ERR_INPUT,
                        "%s: exists; use --resume to continue this map, --force to replace it",
                        map->path);
    }
    if (exists && policy == IMP_MAP_REPLACE) {
        /* A file that another process is writing is not replaced. */
        imp_err busy = imp_lock_refuse(map->path);
        return busy ? busy : imp_map_create(map, provenance, true);
    }
    return exists ? resume(map) : imp_map_create(map, provenance, false);
}

/* ---- the interface ---- */

/* Rows of a new refined map: those of the first round, and as many for the next rounds. */
static int64_t first_rows(const imp_sweep *sweep) {
    int64_t nodes = 2;
    for (int k = 0; k < sweep->refine.lattice.n_axes; k++) {
        nodes *= (INT64_C(1) << sweep->refine.base) + 1;
    }
    return nodes;
}

/* Replaces a text of the provenance by a copy. */
static bool keep(const char **to, const char *text) {
    free((char *)*to);
    *to = strdup(text);
    return *to != NULL;
}

/* Copies the provenance, which a refined map needs again. */
static imp_err keep_origins(imp_map *map, const imp_provenance *p) {
    bool good = true;
#define KEEP(name) good = keep(&map->origins.name, p->name) && good;
    IMP_PROVENANCE(KEEP)
#undef KEEP
    return good ? IMP_OK : imp_out_of_memory();
}

/* A text that the file lacks stays as it is. */
static bool adopt(const char **to, const imp_catalog *catalog, const char *name) {
    const char *text = imp_catalog_text(catalog, name);
    return !text || keep(to, text);
}

imp_err imp_map_adopt_origins(imp_map *map, const imp_catalog *catalog) {
    bool good = true;
#define ADOPT(name) good = adopt(&map->origins.name, catalog, #name) && good;
    IMP_PROVENANCE(ADOPT)
#undef ADOPT
    return good ? IMP_OK : imp_out_of_memory();
}

static imp_err new_map(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                       bool (*stop)(void), imp_map **map) {
    imp_map *m = calloc(1, sizeof *m);
    char *copy = strdup(path);
    *map = NULL;
    if (!m || !copy) {
        free(m);
        free(copy);
        return imp_out_of_memory();
    }
    *m = (imp_map){.sweep = sweep,
                   .layout = imp_layout_of(sweep),
                   .path = copy,
                   .descriptor = -1,
                   .cells = imp_sweep_is_refined(sweep) ? first_rows(sweep)
                                                        : imp_grid_cells(&sweep->grid),
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
    double start = imp_seconds_elapsed();
    imp_err error = new_map(path, sweep, checkpoint, stop, map);
    error = error ? error : keep_origins(*map, provenance);
    error = error ? error : open_or_create(*map, provenance, policy);
    if (error) {
        imp_map_close(map);
    }
    *seconds = imp_seconds_elapsed() - start;
    return error;
}

imp_err imp_map_open_shared(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                            imp_map **map) {
    imp_err error = new_map(path, sweep, checkpoint, NULL, map);
    error = error ? error : open_existing(*map);
    error = error ? error : imp_map_attach(*map);
    if (error) {
        imp_map_close(map);
    }
    return error;
}

bool imp_map_stopping(const imp_map *map) {
    return map->stop && map->stop();
}

bool imp_map_is_fresh(const imp_map *map) {
    return map->fresh;
}

imp_err imp_map_write_values(imp_map *map, int64_t first, size_t n, const void *block) {
    assert(first >= 0 && first + (int64_t)n <= map->cells);
    const char *bytes = block;
    if (map->unsynced == 0) {
        map->unsynced_since = imp_seconds_elapsed();
    }
    for (int o = 0; o < map->layout.n_outputs; o++) {
        size_t size = map->layout.size[o];
        imp_err error = write_all(map, bytes + imp_block_offset(&map->layout, n, o), n * size,
                                  map->outputs[o].offset + (int64_t)first * (int64_t)size);
        if (error) {
            return error;
        }
        map->unsynced += n * size;
    }
    if (map->checkpoint.period > 0 && map->unsynced - map->begun >= values_at_once) {
        imp_disk_begin_sync(map->descriptor);
        map->begun = map->unsynced;
    }
    return IMP_OK;
}

bool imp_map_sync_is_due(const imp_map *map) {
    return map->checkpoint.period > 0 && map->unsynced > 0 &&
           (map->unsynced >= values_between_syncs || map->marks.outcomes.length >= most_marks ||
            imp_seconds_elapsed() - map->unsynced_since >= map->checkpoint.period);
}

/* ---- marks, kept until the values of their cells are synced ---- */

static imp_err write_marks(const imp_map *map, const void *outcomes, size_t n, int64_t first) {
    return write_all(map, outcomes, n, map->outcome.offset + first);
}

bool imp_map_keeps_marks(const imp_map *map) {
    return map->checkpoint.period > 0;
}

imp_err imp_map_mark(imp_map *map, int64_t first, size_t n, const uint8_t *outcomes) {
    assert(first >= 0 && first + (int64_t)n <= map->cells);
    if (!imp_map_keeps_marks(map)) {
        return write_marks(map, outcomes, n, first);
    }
    imp_marks *m = &map->marks;
    imp_interval cells = {first, (int64_t)n};
    imp_text_append(&m->intervals, &cells, sizeof cells);
    imp_text_append(&m->outcomes, outcomes, n);
    bool failed = m->intervals.failed || m->outcomes.failed;
    return failed ? imp_out_of_memory() : IMP_OK;
}

static imp_err write_kept_marks(imp_map *map) {
    imp_marks *m = &map->marks;
    const char *outcomes = imp_text_get(&m->outcomes);
    imp_err error = IMP_OK;
    for (size_t at = 0; !error && at < m->intervals.length; at += sizeof(imp_interval)) {
        imp_interval cells;
        memcpy(&cells, m->intervals.bytes + at, sizeof cells);
        error = write_marks(map, outcomes, (size_t)cells.count, cells.first);
        outcomes += cells.count;
    }
    m->intervals.length = m->outcomes.length = 0;
    return error;
}

imp_err imp_map_sync(imp_map *map) {
    imp_err error = map->unsynced > 0 ? imp_disk_sync_values(map->descriptor, map->path) : IMP_OK;
    map->unsynced = error ? map->unsynced : 0;
    map->begun = 0;
    /* A large file would drive everything else out of the cache, and in the end its own
     * beginning. */
    if (!error && map->size > imp_disk_memory() / 4) {
        imp_disk_forget(map->descriptor);
    }
    return error ? error : write_kept_marks(map);
}

/* ---- writing ---- */

imp_err imp_map_write(imp_map *map, int64_t first, size_t n, const void *block) {
    const uint8_t *outcomes = imp_block_outcomes(&map->layout, n, block);
    imp_err error = imp_map_write_values(map, first, n, block);
    error = error ? error : imp_map_mark(map, first, n, outcomes);
    return !error && imp_map_sync_is_due(map) ? imp_map_sync(map) : error;
}

/* Finds the first session without a start; it is free. */
static imp_err find_session(imp_map *map) {
    double starts[IMP_MAX_SESSIONS];
    imp_err error = read_all(map, starts, sizeof starts, map->sessions[IMP_SESSION_start].offset);
    map->session = 0;
    while (!error && map->session < IMP_MAX_SESSIONS - 1 && starts[map->session] > 0) {
        map->session++;
    }
    return error;
}

imp_err imp_map_note_session(imp_map *map, const imp_session *session, bool complete) {
    imp_err error = map->session < 0 ? find_session(map) : IMP_OK;
#define NOTE(name, type, file_type, unit, meaning)                                                 \
    error = error ? error                                                                          \
                  : write_all(map, &session->name, sizeof(type),                                   \
                              map->sessions[IMP_SESSION_##name].offset +                           \
                                  (int64_t)(sizeof(type) * (size_t)map->session));
    IMP_SESSION_FIELDS(NOTE)
#undef NOTE
    int8_t flag = complete;
    return error ? error : write_all(map, &flag, 1, map->complete.offset);
}

imp_err imp_map_check_path(const imp_map *map) {
    struct stat open_one, named;
    if (fstat(map->descriptor, &open_one) == 0 && stat(map->path, &named) == 0) {
        if (open_one.st_dev != named.st_dev || open_one.st_ino != named.st_ino) {
            return imp_fail(IMP_ERR_IO, "%s: was replaced by another file during the run",
                            map->path);
        }
        return (int64_t)open_one.st_size >= map->size
                   ? IMP_OK
                   : imp_fail(IMP_ERR_IO, "%s: was cut short during the run", map->path);
    }
    /* After other failures of stat the values are still right. */
    return errno == ENOENT || errno == ENOTDIR || errno == ESTALE
               ? imp_disk_error(map->path, "was removed during the run")
               : IMP_OK;
}

imp_err imp_map_finish(imp_map *map) {
    imp_err error = imp_map_check_path(map);
    error = error ? error : imp_map_sync(map);
    return error ? error : imp_disk_sync(map->descriptor, map->path);
}

imp_err imp_map_close(imp_map **map) {
    imp_map *m = *map;
    imp_err error = IMP_OK;
    if (!m) {
        return IMP_OK;
    }
    if (m->descriptor >= 0) {
        error = imp_disk_close(m->descriptor, m->path);
    }
    imp_text_free(&m->marks.intervals);
    imp_text_free(&m->marks.outcomes);
#define FREE(name) free((char *)m->origins.name);
    IMP_PROVENANCE(FREE)
#undef FREE
    free(m->path);
    free(m);
    *map = NULL;
    return error;
}
