/* The files that trace, export, query, report and explore write. A format is one row of the table
 * in writers.c. */
#ifndef IMP_CMD_WRITERS_H
#define IMP_CMD_WRITERS_H

#include <stdio.h>

#include "base/text.h"
#include "solve/history.h"
#include "store/partial.h"

/* Histories, and the command that traced them. */
typedef struct imp_traced {
    imp_histories of;
    imp_text command;
} imp_traced;

/* The subjects. trace writes an imp_traced; query an imp_query; diff an imp_diff; export an
 * imp_selection, as a table of its cells or, of a refined map, its boundaries, junctions,
 * filaments, regions, borders of regions, points, or boundaries as a model in space; report and
 * explore an imp_page. */
typedef enum imp_subject {
    IMP_HISTORY,
    IMP_MAP,
    IMP_FOUND_CELLS,
    IMP_DIFFERING_CELLS,
    IMP_BOUNDARY,
    IMP_JUNCTION,
    IMP_FILAMENT,
    IMP_REGION,
    IMP_BORDER,
    IMP_EVENT,
    IMP_POINTS,
    IMP_SURFACE,
    IMP_REPORT,
    IMP_EXPLORE,
    IMP_SUBJECTS
} imp_subject;

/* The file and format of a subject. */
typedef struct imp_target {
    imp_subject subject;
    const struct imp_format *format;
    const char *path; /* NULL: the standard output */
    bool direct;      /* a pipe, a device or an open descriptor */
    bool force;       /* replace any file of this name unless another process writes it */
} imp_target;

/* Chooses the format by its name (NULL: by the ending of the name of the file). A file that exists
 * is replaced if the same command wrote it, if it is empty, or by `force`; never one that another
 * process writes. Prints errors; returns the exit code. One target per program. */
int imp_target_choose(imp_subject subject, const char *format, const char *path, bool force,
                      imp_target *target);

/* Writes the subject. A file gets its name only when it is complete. */
imp_err imp_target_write(const imp_target *target, const void *what);

/* The group of a subject that is a table of a refined map; NULL: it is none. */
const char *imp_subject_group(imp_subject subject);

/* write_history.c, of an imp_traced. */
imp_err imp_history_print(const void *history, FILE *to); /* as CSV */
int64_t imp_history_room(const void *history);            /* upper bound of its bytes */
imp_err imp_history_store(const void *history, const imp_partial *partial); /* as HDF5 */

/* table.c, of an imp_selection. */
imp_err imp_map_print(const void *map, FILE *to);

/* query.c, of an imp_query. */
imp_err imp_query_print(const void *query, FILE *to);

/* write_diff.c, of an imp_diff. */
imp_err imp_diff_print(const void *diff, FILE *to);

/* write_found.c, of an imp_selection: the table of its group, and the points, as CSV. */
imp_err imp_found_print(const void *map, FILE *to);
imp_err imp_points_print(const void *map, FILE *to);

/* write_shapes.c, of an imp_selection: its group as GeoJSON; boundaries as VTK. */
imp_err imp_shapes_print(const void *map, FILE *to);
imp_err imp_boundary_vtk(const void *map, FILE *to);

#endif
