/* The inside of an open map, shared by the files that implement it. */
#ifndef IMP_STORE_MAP_IMPL_H
#define IMP_STORE_MAP_IMPL_H

#include <sys/types.h>

#include "base/text.h"
#include "solve/block.h"
#include "store/catalog.h"
#include "store/map.h"
#include "store/names.h"

/* The place of the values of a dataset in the file. */
typedef struct imp_extent {
    int64_t offset, bytes;
} imp_extent;

#define IMP_FIELD_ENUM(name, type, file_type, unit, meaning) IMP_SESSION_##name,
enum { IMP_SESSION_FIELDS(IMP_FIELD_ENUM) IMP_N_SESSION_FIELDS };
#undef IMP_FIELD_ENUM

enum { IMP_PLACE_COLUMNS = IMP_MAX_COLUMNS + 2 };

/* Outcomes that are kept until their values are synced: intervals of cells, and the codes of all
 * these cells. */
typedef struct imp_marks {
    imp_text intervals, outcomes;
} imp_marks;

struct imp_map {
    const imp_sweep *sweep;
    imp_layout layout; /* of blocks */
    char *path;
    int descriptor;
    int64_t cells, size; /* cells: rows of a refined map; size: bytes of the file */
    imp_extent outputs[IMP_MAX_OUTPUTS], outcome, sessions[IMP_N_SESSION_FIELDS], complete, writer;
    imp_extent places[IMP_PLACE_COLUMNS]; /* of a refined map: columns with the places of points */
    imp_provenance origins;               /* a copy; a refined map is written several times */
    imp_checkpoint checkpoint;
    bool (*stop)(void); /* called while the file is made; may be NULL */
    double unsynced_since;
    size_t unsynced; /* bytes of values written since the last sync */
    size_t begun;    /* of these the disk has begun with so many */
    imp_marks marks;
    int mode_position; /* of `mode` among the outputs; -1: it is not stored */
    bool fresh;        /* the file was made for this run */
    int session;       /* number of this session; -1 before it is noted */
};

/* The name in the file of the dataset of an output or of the outcome. */
void imp_map_dataset(const imp_sweep *sweep, const char *name, char whole[IMP_NAME]);

/* Rewrites the file of a refined map if the plan of its refinement has changed; otherwise the file
 * keeps its provenance. */
imp_err imp_map_renew(imp_map *map);

/* Takes the provenance from the file. IMP_ERR_MEMORY. */
imp_err imp_map_adopt_origins(imp_map *map, const imp_catalog *catalog);

/* Reserve the space of a new map; fill the real values from `first_cell` on with NaN.
 * IMP_ERR_STOPPED, IMP_ERR_IO. */
imp_err imp_map_reserve(const imp_map *map, int64_t bytes);
imp_err imp_map_fill(const imp_map *map, int64_t first_cell);

/* IMP_ERR_STOPPED if a stop is wanted: "stopped while the file was made". */
imp_err imp_map_interrupted(const imp_map *map, const char *what);

/* Finds the extents of a map of this sweep in its open file. IMP_ERR_INPUT, IMP_ERR_IO. */
imp_err imp_map_find_extents(imp_map *map, const imp_catalog *catalog);

/* Makes, fills and names the file of a new map, and leaves it open and locked. replace: whether an
 * existing file is replaced. Errors as of imp_map_open. */
imp_err imp_map_create(imp_map *map, const imp_provenance *provenance, bool replace);

/* Verifies the open file map->descriptor and finds its extents. */
imp_err imp_map_attach(imp_map *map);

/* Writes host and process of the writer into the file, for messages of other processes that find it
 * locked. IMP_ERR_IO. */
imp_err imp_map_sign(const imp_map *map);

#endif
