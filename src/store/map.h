/* The map file: HDF5 that is netCDF-4 too, its own checkpoint, and valid after a kill at any
 * moment.
 *
 * HDF5 lays it out in memory; it is written to a file that has no name yet (store/partial.h), read
 * back, filled, synced, and named. After that HDF5 has no part in writing: values go by pwrite into the
 * contiguous extents of the datasets, the outcomes of their cells after them. A cell whose outcome is
 * not pending is complete. */
#ifndef IMP_STORE_MAP_H
#define IMP_STORE_MAP_H

#include "solve/sweep.h"

/* Where the file comes from; stored as attributes. Strings may be "" but not NULL. */
typedef struct imp_provenance {
    const char *config_path;
    const char *config;    /* verbatim */
    const char *tables;    /* those that the config names: for each a line "path<tab>bytes", then
                              its text and a newline */
    const char *overrides; /* of --set, separated by newlines */
    const char *command;
    const char *libraries; /* names and versions of those that the program runs with */
} imp_provenance;

/* One run on the file, stored in the group `run`. Times in seconds since 1970. */
typedef struct imp_session {
    double start, end, seconds; /* seconds: spent computing, summed over ranks */
    int64_t job;                /* of the batch system; 0: none */
    int32_t ranks;
} imp_session;

enum { IMP_MAX_SESSIONS = 128 }; /* later ones replace the last */

typedef struct imp_map imp_map;

typedef enum imp_map_policy {
    IMP_MAP_NEW,     /* refuse if the file exists */
    IMP_MAP_REPLACE, /* replace it */
    IMP_MAP_RESUME   /* go on with it, or create it if absent */
} imp_map_policy;

/* How values and marks reach the disk. A mark is the outcome of a cell in the file: it says that
 * the cell's values are there. Marks are remembered, and written after the values were synced:
 * every `period` seconds or 256 MB of values, so that not even the loss of the machine leaves a
 * mark without values. period 0: at once and without syncing, which a killed process cannot harm.
 */
typedef struct imp_checkpoint {
    double period;
} imp_checkpoint;

/* Creates or opens the file for writing and locks it against other writers. Creation ends early when
 * `stop` (may be NULL) says so. *seconds: time spent on it. On failure *map is NULL and an existing
 * file is as it was.
 * IMP_ERR_INPUT: it exists (IMP_MAP_NEW), is of another sweep (the message lists what differs), or
 * is no map. IMP_ERR_IO: disk full, locked (the message says by whom), damaged. IMP_ERR_STOPPED. */
imp_err imp_map_open(const char *path, const imp_sweep *sweep, const imp_provenance *provenance,
                     imp_map_policy policy, imp_checkpoint checkpoint, bool (*stop)(void),
                     imp_map **map, double *seconds);

/* Opens a map that another process has open and locked, to write values into it. */
imp_err imp_map_open_shared(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                            imp_map **map);

/* Writes a block (solve/block.h) of the cells first .. first+n-1, and remembers their marks. */
imp_err imp_map_write(imp_map *map, int64_t first, size_t n, const void *block);

/* The parts of imp_map_write, for a process that writes values and another that writes marks.
 * writer: 0 for this process, otherwise the number of the one that wrote the values. */
imp_err imp_map_write_values(imp_map *map, int64_t first, size_t n, const void *block);
imp_err imp_map_mark(imp_map *map, int writer, int64_t first, size_t n, const uint8_t *outcomes);

/* Whether values should be synced now; synced values; writes the remembered marks of a writer whose
 * values are synced. */
bool imp_map_sync_is_due(const imp_map *map);
imp_err imp_map_sync_values(imp_map *map);
imp_err imp_map_commit(imp_map *map, int writer);

/* Whether the file is still at its path, and whole: IMP_ERR_IO if it was removed, replaced or cut short. */
imp_err imp_map_check_path(const imp_map *map);

/* Outcomes (and, if the sweep stores `mode`, modes) of cells that are in the file, without marks
 * that are only remembered. modes may be NULL; it is filled with 0 if the mode is not stored. */
imp_err imp_map_read(imp_map *map, int64_t first, size_t n, uint8_t *outcomes, int8_t *modes);

/* Records this session in its place, and whether every cell is done. */
imp_err imp_map_note_session(imp_map *map, const imp_session *session, bool complete);

/* Checks the path, syncs values, writes all remembered marks of this process,
 * and syncs those. */
imp_err imp_map_finish(imp_map *map);

/* Unlocks and closes without writing what is only remembered; returns the first error of doing so.
 * *map is NULL afterwards. */
imp_err imp_map_close(imp_map **map);

#endif
