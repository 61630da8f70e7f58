/* Makes the file of a new map: HDF5 lays the file out in memory, then the file is written to the
 * disk, read back and compared, and only then gets its name. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/layout.h"
#include "store/map_impl.h"
#include "store/partial.h"
#include "store/points_impl.h"

/* `stop` is called after this many bytes were written and synced, or were reserved (a file system
 * that cannot reserve writes into every block). */
static const int64_t filled_at_once = (int64_t)32 << 20;
enum { FILL_BYTES = 4 << 20 };
static const int64_t reserved_at_once = (int64_t)256 << 20;

imp_err imp_map_interrupted(const imp_map *map, const char *what) {
    return imp_map_stopping(map)
               ? imp_fail(IMP_ERR_STOPPED, "%s: stopped while the file was %s", map->path, what)
               : IMP_OK;
}

/* Done first: an error here means that the disk is too small for the file. */
imp_err imp_map_reserve(const imp_map *map, int64_t bytes) {
    imp_err error = IMP_OK;
    for (int64_t at = 0; !error && at < bytes; at += reserved_at_once) {
        int64_t n = bytes - at < reserved_at_once ? bytes - at : reserved_at_once;
        error = imp_disk_reserve(map->descriptor, map->path, at, n);
        error = error ? error : imp_map_interrupted(map, "made");
    }
    return error;
}

/* Writes a piece of a fill, past the cache if the piece is whole: that is much faster where the
 * system has to find memory for the cache first, and leaves other files in the cache. *cached: the
 * piece went through the cache. */
static imp_err fill_piece(const imp_map *map, const char *piece, size_t n, int64_t offset,
                          bool *cached) {
    *cached = n < FILL_BYTES || !imp_disk_pass_cache(map->descriptor, true);
    imp_err error = imp_disk_write(map->descriptor, map->path, piece, n, offset);
    if (!*cached) {
        *cached = error;
        imp_disk_pass_cache(map->descriptor, false);
        error = error ? imp_disk_write(map->descriptor, map->path, piece, n, offset) : IMP_OK;
    }
    return error;
}

/* Fills an extent with a piece for places in the file that are multiples of its size. */
static imp_err fill_extent(const imp_map *map, imp_extent e, const char *piece) {
    imp_err error = IMP_OK;
    int64_t end = e.offset + e.bytes, n;
    for (int64_t at = e.offset; !error && at < end; at += n) {
        int64_t begin = at % FILL_BYTES;
        bool cached;
        n = end - at < FILL_BYTES - begin ? end - at : FILL_BYTES - begin;
        error = fill_piece(map, piece + begin, (size_t)n, at, &cached);
        /* A single sync at the end could take long, without a chance to stop. */
        if (!error && cached && (at + n) % filled_at_once == 0) {
            error = imp_disk_sync_values(map->descriptor, map->path);
        }
        error = error ? error : imp_map_interrupted(map, "made");
    }
    return error;
}

/* Values of cells that are not computed are NaN; their categories, sequences and outcomes are 0,
 * like all reserved space. */
static imp_err fill_with_nan(const imp_map *map, imp_extent e, bool single) {
    static const float single_nan = NAN;
    static const double double_nan = NAN;
    char *piece = imp_disk_buffer_new(FILL_BYTES);
    if (!piece) {
        return imp_out_of_memory();
    }
    const char *nan = single ? (const char *)&single_nan : (const char *)&double_nan;
    size_t size = single ? sizeof single_nan : sizeof double_nan;
    size_t turn = size - (size_t)e.offset % size; /* the first value begins with the extent */
    for (size_t i = 0; i < size; i++) {
        piece[i] = nan[(i + turn) % size];
    }
    for (size_t done = size; done < FILL_BYTES; done *= 2) { /* both are powers of 2 */
        memcpy(piece + done, piece, done);
    }
    imp_err error = fill_extent(map, e, piece);
    imp_disk_buffer_free(piece, FILL_BYTES);
    return error;
}

imp_err imp_map_fill(const imp_map *map, int64_t first_cell) {
    imp_err error = IMP_OK;
    for (int o = 0; !error && o < map->sweep->n_outputs; o++) {
        if (map->sweep->theory->outputs[map->sweep->outputs[o]].kind == IMP_REAL) {
            int64_t before = first_cell * (int64_t)map->layout.size[o];
            imp_extent rest = {.offset = map->outputs[o].offset + before,
                               .bytes = map->outputs[o].bytes - before};
            error = fill_with_nan(map, rest, imp_sweep_single(map->sweep, map->sweep->outputs[o]));
        }
    }
    return error;
}

/* Writes the layout to the disk and checks the written bytes. */
static imp_err store_layout(imp_map *map, const imp_provenance *provenance) {
    imp_image image = {.n = 0};
    imp_err error = imp_sweep_is_refined(map->sweep)
                        ? imp_refined_layout_create(&image, map->path, map->sweep, provenance,
                                                    map->cells, NULL, NULL)
                        : imp_layout_create(&image, map->path, map->sweep, provenance);
    error = error ? error : imp_map_reserve(map, image.size);
    error = error ? error : imp_image_store(&image, map->descriptor, map->path);
    imp_image_free(&image);
    return error;
}

imp_err imp_map_create(imp_map *map, const imp_provenance *provenance, bool replace) {
    imp_partial partial = {.descriptor = -1};
    imp_err error = imp_partial_refuse_busy(map->path);
    error = error ? error : imp_partial_create(map->path, &partial);
    if (error) {
        return error;
    }
    map->descriptor = partial.descriptor;
    error = store_layout(map, provenance);
    error = error ? error : imp_map_attach(map);
    error = error ? error : imp_map_sign(map);
    error = error ? error : imp_map_fill(map, 0);
    error = error ? error : imp_partial_finish(&partial, replace);
    map->fresh = !error;
    if (error) {
        map->descriptor = -1;
        imp_partial_discard(&partial);
    }
    return error;
}
