/* Finds the extents of a map, the places for writing without HDF5. */
#include <sys/stat.h>

#include "base/error.h"
#include "store/catalog_impl.h"
#include "store/layout.h"
#include "store/map_impl.h"
#include "store/points_impl.h"

/* The extent of a dataset that must be contiguous and have this type and number of values. */
static imp_err find_extent(const imp_catalog *catalog, const char *name, hid_t type, int64_t values,
                           imp_extent *found) {
    const imp_variable *v = imp_catalog_find(catalog, name);
    hid_t dataset = v ? H5Dopen2(catalog->file->id, v->name, H5P_DEFAULT) : -1;
    if (dataset < 0) {
        return imp_fail(IMP_ERR_INPUT, "%s: is damaged: the dataset '%s' is missing", catalog->path,
                        name);
    }
    hid_t stored = H5Dget_type(dataset);
    haddr_t offset = H5Dget_offset(dataset);
    bool good = offset != HADDR_UNDEF && offset <= INT64_MAX && H5Tequal(stored, type) > 0 &&
                v->size == values;
    *found = (imp_extent){.offset = (int64_t)offset, .bytes = values * (int64_t)H5Tget_size(type)};
    H5Tclose(stored);
    H5Dclose(dataset);
    return good ? IMP_OK
                : imp_fail(IMP_ERR_INPUT,
                           "%s: the dataset '%s' cannot be written to (is the map compressed, or "
                           "not made by impactsweep?)",
                           catalog->path, name);
}

static imp_err find_values(imp_map *map, const imp_catalog *catalog) {
    const imp_theory *theory = map->sweep->theory;
    imp_err error = IMP_OK;
    for (int o = 0; !error && o < map->sweep->n_outputs; o++) {
        int output = map->sweep->outputs[o];
        char name[IMP_NAME];
        imp_map_dataset(map->sweep, theory->outputs[output].name, name);
        int64_t values = map->cells * (int64_t)imp_output_length(&theory->outputs[output]);
        error = find_extent(catalog, name, imp_layout_type(map->sweep, output), values,
                            &map->outputs[o]);
    }
    char outcome[IMP_NAME];
    imp_map_dataset(map->sweep, IMP_DATASET_OUTCOME, outcome);
    return error ? error : find_extent(catalog, outcome, H5T_STD_I8LE, map->cells, &map->outcome);
}

/* The extents of the places of points in a refined map; map->cells: the number of rows in the
 * file. */
static imp_err find_places(imp_map *map, const imp_catalog *catalog) {
    imp_point_column columns[IMP_PLACE_COLUMNS];
    int n = imp_point_columns(map->sweep, columns);
    const imp_variable *outcome = imp_catalog_find(catalog, IMP_POINT_OUTCOME);
    imp_err error =
        outcome ? IMP_OK
                : imp_fail(IMP_ERR_INPUT, "%s: is damaged: the points are missing", map->path);
    map->cells = outcome ? outcome->size : 0;
    for (int i = 0; !error && i < n; i++) {
        error = find_extent(catalog, columns[i].name, columns[i].type,
                            map->cells * columns[i].length, &map->places[i]);
    }
    return error;
}

static imp_err find_run(const imp_catalog *catalog, const char *name, hid_t type, int64_t values,
                        imp_extent *found) {
    char whole[IMP_NAME];
    imp_catalog_run_name(catalog, name, whole);
    return find_extent(catalog, whole, type, values, found);
}

static imp_err find_bookkeeping(imp_map *map, const imp_catalog *catalog) {
    imp_err error = IMP_OK;
#define FIND(name, type, file_type, unit, meaning)                                                 \
    error = error ? error                                                                          \
                  : find_run(catalog, #name, file_type, IMP_MAX_SESSIONS,                          \
                             &map->sessions[IMP_SESSION_##name]);
    IMP_SESSION_FIELDS(FIND)
#undef FIND
    error = error ? error : find_run(catalog, IMP_RUN_COMPLETE, H5T_STD_I8LE, 1, &map->complete);
    return error ? error
                 : find_run(catalog, IMP_RUN_WRITER, H5T_STD_I8LE, IMP_WRITER_BYTES, &map->writer);
}

/* Whether all extents are inside the file and do not overlap, so that no write changes another
 * dataset. */
static imp_err check_apart(const imp_map *map) {
    imp_extent all[IMP_MAX_OUTPUTS + IMP_N_SESSION_FIELDS + IMP_PLACE_COLUMNS + 3];
    int n = 0;
    for (int i = 0; i < IMP_PLACE_COLUMNS && map->places[i].bytes > 0; i++) {
        all[n++] = map->places[i];
    }
    for (int o = 0; o < map->sweep->n_outputs; o++) {
        all[n++] = map->outputs[o];
    }
    for (int f = 0; f < IMP_N_SESSION_FIELDS; f++) {
        all[n++] = map->sessions[f];
    }
    all[n++] = map->outcome;
    all[n++] = map->complete;
    all[n++] = map->writer;
    bool good = true;
    for (int i = 0; i < n; i++) {
        good = good && all[i].bytes <= map->size && all[i].offset <= map->size - all[i].bytes;
        for (int k = 0; k < i; k++) {
            good = good && (all[i].offset >= all[k].offset + all[k].bytes ||
                            all[k].offset >= all[i].offset + all[i].bytes);
        }
    }
    return good ? IMP_OK
                : imp_fail(IMP_ERR_INPUT, "%s: is damaged: its datasets overlap or lie outside",
                           map->path);
}

imp_err imp_map_find_extents(imp_map *map, const imp_catalog *catalog) {
    struct stat status = {.st_size = 0};
    bool known = fstat(catalog->file->backing.descriptor, &status) == 0;
    map->size = known ? (int64_t)status.st_size : 0;
    imp_err error = imp_sweep_is_refined(map->sweep) ? find_places(map, catalog) : IMP_OK;
    error = error ? error : find_values(map, catalog);
    error = error ? error : find_bookkeeping(map, catalog);
    error = imp_h5_judge(catalog->file, map->path, error);
    return error ? error : check_apart(map);
}
