/* The marks of cells, kept until their values are synced. */
#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "base/interval.h"
#include "store/disk.h"
#include "store/map_impl.h"

static imp_err write_marks(const imp_map *map, const void *outcomes, size_t n, int64_t first) {
    return imp_disk_write(map->descriptor, map->path, outcomes, n, map->outcome.offset + first);
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
