/* The marks of cells, kept until the values of their writer are synced. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/map_impl.h"

typedef struct run {
    int64_t first;
    uint64_t count;
} run;

static imp_err write_marks(const imp_map *map, const void *outcomes, size_t n, int64_t first) {
    return imp_disk_write(map->descriptor, map->path, outcomes, n, map->outcome.offset + first);
}

static imp_err room_for_writer(imp_map *map, int writer) {
    if (writer < map->n_writers) {
        return IMP_OK;
    }
    imp_marks *more = realloc(map->remembered, ((size_t)writer + 1) * sizeof *more);
    if (!more) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    map->remembered = more;
    while (map->n_writers <= writer) {
        map->remembered[map->n_writers++] = (imp_marks){{0}, {0}, {0}};
    }
    return IMP_OK;
}

imp_err imp_map_mark(imp_map *map, int writer, int64_t first, size_t n, const uint8_t *outcomes,
                     const int8_t *modes) {
    if (map->checkpoint.period <= 0) {
        return write_marks(map, outcomes, n, first);
    }
    imp_err error = room_for_writer(map, writer);
    if (error) {
        return error;
    }
    imp_marks *m = &map->remembered[writer];
    run cells = {first, n};
    imp_text_append(&m->runs, &cells, sizeof cells);
    imp_text_append(&m->outcomes, outcomes, n);
    if (modes) {
        imp_text_append(&m->modes, modes, n);
    }
    bool failed = m->runs.failed || m->outcomes.failed || m->modes.failed;
    return failed ? imp_fail(IMP_ERR_MEMORY, "out of memory") : IMP_OK;
}

imp_err imp_map_commit(imp_map *map, int writer) {
    if (writer >= map->n_writers) {
        return IMP_OK;
    }
    imp_marks *m = &map->remembered[writer];
    const char *outcomes = imp_text_get(&m->outcomes);
    imp_err error = IMP_OK;
    for (size_t at = 0; !error && at < m->runs.length; at += sizeof(run)) {
        run cells;
        memcpy(&cells, m->runs.bytes + at, sizeof cells);
        error = write_marks(map, outcomes, cells.count, cells.first);
        outcomes += cells.count;
    }
    m->runs.length = m->outcomes.length = m->modes.length = 0;
    return error;
}

void imp_map_take_back(imp_map *map, int writer,
                       void (*tell)(void *context, int64_t first, size_t n, const uint8_t *outcomes,
                                    const int8_t *modes),
                       void *context) {
    imp_marks *m = writer < map->n_writers ? &map->remembered[writer] : NULL;
    size_t done = 0;
    for (size_t at = 0; m && at < m->runs.length; at += sizeof(run)) {
        run cells;
        memcpy(&cells, m->runs.bytes + at, sizeof cells);
        const char *modes = m->modes.length > 0 ? m->modes.bytes + done : NULL;
        tell(context, cells.first, cells.count, (const uint8_t *)m->outcomes.bytes + done,
             (const int8_t *)modes);
        done += cells.count;
    }
    if (m) {
        m->runs.length = m->outcomes.length = m->modes.length = 0;
    }
}
