/* Names and shapes inside a map file, shared by those who create, open and read it. */
#ifndef IMP_STORE_LAYOUT_H
#define IMP_STORE_LAYOUT_H

#include "solve/history.h"
#include "store/h5.h"
#include "store/map.h"

enum { IMP_FORMAT = 1, IMP_WRITER_BYTES = 128 };

#define IMP_ATTRIBUTE_FORMAT "impactsweep_format"
#define IMP_ATTRIBUTE_HISTORY "impactsweep_history" /* of a file that is no map */
#define IMP_ATTRIBUTE_FINGERPRINT "fingerprint"
#define IMP_ATTRIBUTE_RESULTS "results_version"
#define IMP_ATTRIBUTE_PART "part"   /* 0 in a whole map */
#define IMP_ATTRIBUTE_PARTS "parts" /* likewise */

/* What a dataset is, for readers: its attribute "impactsweep_role". */
#define IMP_ATTRIBUTE_ROLE "impactsweep_role"
#define IMP_ROLE_AXIS "axis"           /* coordinate of a dimension, of the same name */
#define IMP_ROLE_COLUMN "column"       /* further coordinate of a table's dimension */
#define IMP_ROLE_DIMENSION "dimension" /* numbers, from 1, of the values of an output */
#define IMP_ROLE_FIXED "fixed"         /* value that is the same in every cell */
#define IMP_ROLE_OUTPUT "output"       /* one value per cell, or several */
#define IMP_ROLE_OUTCOME "outcome"     /* likewise, the outcome */
#define IMP_ROLE_SESSION "session"     /* bookkeeping, differs from run to run */

/* The datasets of sessions, in the order of imp_session's members as stored. */
#define IMP_SESSION_FIELDS(X)                                                                      \
    X(run_start, double, H5T_IEEE_F64LE, start, "s", "start, since 1970")                          \
    X(run_end, double, H5T_IEEE_F64LE, end, "s", "end, since 1970")                                \
    X(run_seconds, double, H5T_IEEE_F64LE, seconds, "s", "time spent computing, all ranks")        \
    X(run_job, int64_t, H5T_STD_I64LE, job, "1", "job of the batch system, 0: none")               \
    X(run_ranks, int32_t, H5T_STD_I32LE, ranks, "1", "number of ranks")

/* The type in the file of an output, and of outcomes. */
hid_t imp_layout_type(const imp_sweep *sweep, int output);

/* Writes a whole new file: metadata and coordinates, extents reserved but not filled, closed. */
imp_err imp_layout_create(const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance);

/* Writes the history of the only cell of a sweep: a dimension named after its first column, the other
 * columns, `phase` and `event` along it, parameters and choices as coordinates, provenance as in a
 * map. An existing file is overwritten. */
imp_err imp_layout_history(const char *path, const imp_sweep *sweep, const imp_rows *rows,
                           imp_outcome outcome, const imp_provenance *provenance);

#endif
