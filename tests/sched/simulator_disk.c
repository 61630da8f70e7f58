/* The virtual disk: what imp_map writes through store/disk.h, checked byte by byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"
#include "sched/simulator_impl.h"

static int64_t place_of(int part) {
    return (int64_t)(part + 1) << 40;
}

int8_t mode_of(int64_t cell) {
    return (int8_t)(1 + (cell * 7 + cell / 3) % 2);
}

double value_of(int64_t cell) {
    return 0.25 + 3.5 * (double)cell;
}

imp_map *virtual_map(void) {
    imp_map *map = calloc(1, sizeof *map);
    *map = (imp_map){.sweep = &w.sweep,
                     .layout = w.layout,
                     .path = strdup("a virtual map"),
                     .descriptor = -1,
                     .cells = w.cells,
                     .checkpoint = w.checkpoint,
                     .mode_position = 0,
                     .session = -1};
    for (int o = 0; o < OUTPUTS; o++) {
        map->outputs[o].offset = place_of(o);
    }
    map->outcome.offset = place_of(OUTPUTS);
    return map;
}

/* Ranks that write mark their cells; what a lost one has marked unheard, another marks again. */
static bool is_lost(int rank) {
    return rank > 0 && (w.rank[rank].dead || w.rank[rank].forgotten);
}

static void check_mark(int64_t cell, uint8_t outcome) {
    virtual_cell *c = &w.cell[cell];
    c->marks += c->marks == 0 || !(is_lost(c->marker) || is_lost(w.actor));
    c->marker = w.actor;
    bool right = c->has_mode && c->has_value && c->mode == mode_of(cell) &&
                 c->value == value_of(cell) && outcome == IMP_SOLVED;
    if (!right) {
        violated("cell %lld is marked without its values", (long long)cell);
    }
    if (c->marks > 1) {
        violated("cell %lld is marked %d times", (long long)cell, c->marks);
    }
    if (w.checkpoint.period > 0 && !c->synced) {
        violated("cell %lld is marked before its values are synced", (long long)cell);
    }
}

static void put(int part, int64_t cell, const unsigned char *bytes) {
    virtual_cell *c = &w.cell[cell];
    if (part == OUTPUTS) {
        check_mark(cell, *bytes);
        return;
    }
    if (c->marks > 0 && !imp_sweep_writes_in_parallel(&w.sweep)) {
        violated("cell %lld is written again", (long long)cell);
    }
    /* A rank that was given up may write the same bytes once more; a sync by either is enough. */
    bool same = part == 0 ? c->has_mode && c->mode == (int8_t)*bytes
                          : c->has_value && memcmp(&c->value, bytes, sizeof c->value) == 0;
    c->synced = c->synced && same;
    c->writers = (same ? c->writers : 0) | 1U << w.actor;
    if (part == 0) {
        c->mode = (int8_t)*bytes;
        c->has_mode = true;
    } else {
        memcpy(&c->value, bytes, sizeof c->value);
        c->has_value = true;
    }
    if (c->marks > 0 && (c->mode != mode_of(cell) || c->value != value_of(cell))) {
        violated("cell %lld has lost its values", (long long)cell);
    }
}

imp_err __wrap_imp_disk_write(int descriptor, const char *path, const void *bytes, size_t n,
                              int64_t offset);
imp_err __wrap_imp_disk_read(int descriptor, const char *path, void *bytes, size_t n,
                             int64_t offset);
imp_err __wrap_imp_disk_sync_values(int descriptor, const char *path);
imp_err __wrap_imp_disk_sync(int descriptor, const char *path);
imp_err __wrap_imp_map_check_path(const imp_map *map);

/* A disk that fails once may work afterwards. What it lost then is lost: a later sync does not
 * bring it back. */
static imp_err fail(const char *path) {
    w.disk_failed = true;
    w.writes_left = chance(0.5) ? -1 : 0;
    return imp_fail(IMP_ERR_IO, "%s: the disk fails", path);
}

/* A failing disk takes the first half. From frozen_at on nothing reaches the disk, as if rank 0 had
 * died there. */
imp_err __wrap_imp_disk_write(int descriptor, const char *path, const void *bytes, size_t n,
                              int64_t offset) {
    int part = (int)(offset >> 40) - 1;
    size_t size = w.layout.size[part];
    int64_t first = (offset - place_of(part)) / (int64_t)size;
    bool fails = w.writes_left == 0;
    (void)descriptor;
    bool lost = w.mutation == LOSE_VALUES && part < OUTPUTS && chance(0.05);
    if (w.time >= w.frozen_at || is_outside() || lost) {
        return IMP_OK;
    }
    w.writes_left -= w.writes_left > 0;
    for (size_t i = 0; i < n / size / (fails ? 2 : 1); i++) {
        put(part, first + (int64_t)i, (const unsigned char *)bytes + i * size);
    }
    w.result.failures += fails;
    return fails ? fail(path) : IMP_OK;
}

imp_err __wrap_imp_disk_read(int descriptor, const char *path, void *bytes, size_t n,
                             int64_t offset) {
    int part = (int)(offset >> 40) - 1;
    (void)descriptor;
    (void)path;
    for (size_t i = 0; i < n; i++) { /* outcomes and modes have a byte each */
        const virtual_cell *c = &w.cell[offset - place_of(part) + (int64_t)i];
        ((uint8_t *)bytes)[i] =
            part == OUTPUTS ? (c->marks > 0 ? IMP_SOLVED : IMP_PENDING) : (uint8_t)c->mode;
    }
    return IMP_OK;
}

/* A rank syncs what it wrote itself, as on another node. */
imp_err __wrap_imp_disk_sync_values(int descriptor, const char *path) {
    (void)descriptor;
    if (is_outside()) {
        return IMP_OK;
    }
    bool fails = w.writes_left == 0;
    for (int64_t i = 0; i < w.cells && w.time < w.frozen_at; i++) {
        bool own = w.cell[i].writers >> w.actor & 1;
        w.cell[i].synced |= own && !fails && w.mutation != MARK_UNSYNCED;
        w.cell[i].writers &= ~(1U << w.actor);
    }
    return fails ? fail(path) : IMP_OK;
}

/* Of what a rank marked last. */
imp_err __wrap_imp_disk_sync(int descriptor, const char *path) {
    (void)descriptor, (void)path;
    return IMP_OK;
}

imp_err __wrap_imp_map_check_path(const imp_map *map) {
    (void)map;
    return IMP_OK;
}

void lose_power(void) {
    for (int64_t i = 0; i < w.cells; i++) {
        virtual_cell *c = &w.cell[i];
        if (!c->synced && c->marks == 0) {
            *c = (virtual_cell){.value = NAN};
        }
    }
}
