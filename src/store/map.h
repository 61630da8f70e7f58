/* The map file (format.md): HDF5 and netCDF-4; it is its own checkpoint, and valid after a kill at
 * any moment. The code is in map.c, and for new files in create.c.
 *
 * HDF5 lays the file out in memory; the layout is written to a file with a temporary name
 * (store/partial.h), read back, filled and synced, and only then the file gets its name. From then
 * on HDF5 is not used for writing: pwrite puts values into the contiguous extents of the datasets,
 * and then the outcomes of their cells. A cell whose outcome is not pending is complete. */
#ifndef IMP_STORE_MAP_H
#define IMP_STORE_MAP_H

#include "base/text.h"
#include "solve/sweep.h"

/* The origin of the file, stored as attributes. Strings may be "" but not NULL. config: verbatim;
 * tables: of the config, for each a line "path<tab>bytes", its text, a newline; overrides: of
 * --set, separated by newlines; libraries: names and versions of those in use. */
#define IMP_PROVENANCE(X) X(config_path) X(config) X(tables) X(overrides) X(command) X(libraries)
#define IMP_PROVENANCE_MEMBER(name) const char *name;
typedef struct imp_provenance {
    IMP_PROVENANCE(IMP_PROVENANCE_MEMBER)
} imp_provenance;
#undef IMP_PROVENANCE_MEMBER

/* One run that writes to the file, stored in the group `run`. Times in seconds since 1970. */
typedef struct imp_session {
    double start, end, seconds; /* seconds: computing time, summed over ranks */
    int64_t job;                /* of the batch system; 0: none */
    int32_t ranks;
} imp_session;

enum { IMP_MAX_SESSIONS = 128 }; /* later ones replace the last */

typedef struct imp_map imp_map;

typedef enum imp_map_policy {
    IMP_MAP_NEW,     /* refuse if the file exists */
    IMP_MAP_REPLACE, /* replace it */
    IMP_MAP_RESUME   /* continue it, or create it if absent */
} imp_map_policy;

/* When marks are written. A mark is the outcome of a cell in the file; it means that the values of
 * the cell are in the file. Marks are kept in memory and written after their values were synced,
 * every `period` seconds, 256 MB of values or 16 million marks, so that even a crash of the machine
 * leaves no mark without values. period 0: marks are written at once, without a sync, which is safe
 * if a process is killed but not if the machine crashes. */
typedef struct imp_checkpoint {
    double period;
} imp_checkpoint;

/* Creates or opens the file for writing and locks it against other writers. Creation ends early if
 * `stop` (may be NULL) returns true: IMP_ERR_STOPPED. *seconds: time taken. On failure *map is NULL
 * and an existing file is unchanged. IMP_ERR_INPUT: the file exists (IMP_MAP_NEW), belongs to
 * another sweep (the message lists the differences), or is not a map. IMP_ERR_IO: the disk is full,
 * the file is damaged, or another process has locked it (the message has its number and host).
 * IMP_ERR_MEMORY. */
imp_err imp_map_open(const char *path, const imp_sweep *sweep, const imp_provenance *provenance,
                     imp_map_policy policy, imp_checkpoint checkpoint, bool (*stop)(void),
                     imp_map **map, double *seconds);

/* Opens, for writing cells, a map that another process has opened and locked. Errors as of
 * imp_map_open. */
imp_err imp_map_open_shared(const char *path, const imp_sweep *sweep, imp_checkpoint checkpoint,
                            imp_map **map);

/* Whether the run that opened the map is asked to stop. */
bool imp_map_stopping(const imp_map *map);

/* Whether the file was made by this call of imp_map_open, so that every cell is pending. */
bool imp_map_is_fresh(const imp_map *map);

/* Writes a block (solve/block.h) of the cells first .. first+n-1 and keeps their marks; writes the
 * marks that are due. IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_map_write(imp_map *map, int64_t first, size_t n, const void *block);

/* The two parts of imp_map_write: values, and the marks of these cells. */
imp_err imp_map_write_values(imp_map *map, int64_t first, size_t n, const void *block);
imp_err imp_map_mark(imp_map *map, int64_t first, size_t n, const uint8_t *outcomes);

/* Whether marks wait for the next sync of their values. */
bool imp_map_keeps_marks(const imp_map *map);

/* Whether values have to be synced now; syncs values, and then writes the marks that were kept. */
bool imp_map_sync_is_due(const imp_map *map);
imp_err imp_map_sync(imp_map *map);

/* IMP_ERR_IO if the file was removed, replaced or cut short. */
imp_err imp_map_check_path(const imp_map *map);

/* Reads outcomes and modes of the cells first .. first+n-1 from the file, without marks that are
 * not yet written. modes: may be NULL; 0 if the sweep does not store `mode`. IMP_ERR_IO;
 * IMP_ERR_INPUT for an unknown code. */
imp_err imp_map_read(imp_map *map, int64_t first, size_t n, uint8_t *outcomes, int8_t *modes);

/* Writes this session into the group `run`, and whether every cell is done. IMP_ERR_IO. */
imp_err imp_map_note_session(imp_map *map, const imp_session *session, bool complete);

/* Checks the path, syncs values, writes the marks that were kept, and syncs them. IMP_ERR_IO. */
imp_err imp_map_finish(imp_map *map);

/* Closes and unlocks the file, without writing marks that are still in memory, and frees *map,
 * which becomes NULL. IMP_ERR_IO. */
imp_err imp_map_close(imp_map **map);

/* Replaces a complete map by a compressed one, after a check that both have the same content; does
 * nothing if the map is already compressed. Runs h5repack in another process, which is ended if
 * `stop` (may be NULL) returns true: IMP_ERR_STOPPED. After any failure the map is unchanged.
 * IMP_ERR_IO: the compressor failed or changed the content, or the disk failed. IMP_ERR_LIBRARY:
 * h5repack is not installed. */
imp_err imp_map_compress(const char *path, bool (*stop)(void));

/* Appends names and versions of the libraries that are used here. */
void imp_store_libraries(imp_text *text);

/* Revision of the source code, from git describe; "unknown" outside a repository. */
const char *imp_source_revision(void);

#endif
