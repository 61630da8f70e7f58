/* Names of datasets and attributes in files. */
#ifndef IMP_STORE_NAMES_H
#define IMP_STORE_NAMES_H

/* Version of the layout: 1 has its sessions beside the values, as run_start and so on; 2 has a
 * group `run`. */
enum { IMP_FORMAT = 2, IMP_OLDEST_FORMAT = 1, IMP_HISTORY_FORMAT = 1, IMP_WRITER_BYTES = 128 };

/* Attributes of the file. */
#define IMP_ATTRIBUTE_FORMAT "impactsweep_format"
#define IMP_ATTRIBUTE_HISTORY "impactsweep_history" /* of a history */
#define IMP_ATTRIBUTE_FINGERPRINT "fingerprint"
#define IMP_ATTRIBUTE_RESULTS "results_version"
#define IMP_ATTRIBUTE_CASES "cases" /* a line for each case: "NAME: THEORY key=value..." */
#define IMP_ATTRIBUTE_PART "part"   /* number of the part, from 1; 0 in a whole map */
#define IMP_ATTRIBUTE_PARTS "parts" /* number of parts; 0 in a whole map */

/* Attributes of the file and of datasets; the role of a dataset is its attribute
 * "impactsweep_role". */
#define IMP_ATTRIBUTE_FIGURE "figure"       /* options of postprocess/plot.py, one per line */
#define IMP_ATTRIBUTE_SEARCH "search"       /* the search in words */
#define IMP_ATTRIBUTE_UNCERTAIN "uncertain" /* the uncertain parameters in words */
#define IMP_ATTRIBUTE_MEMBERS "members"     /* of a dimension: names of its places, by blanks */
#define IMP_ATTRIBUTE_SPACING "spacing"     /* of a range: linear, log */
#define IMP_ATTRIBUTE_DESIGN "design"       /* of the points of a sample: sobol, latin, saltelli */
#define IMP_ATTRIBUTE_DISTRIBUTION "distribution" /* of the coordinates of a sample, in words */
#define IMP_ATTRIBUTE_COMMON "flag_common"        /* of modes: names by which theories agree */
#define IMP_ATTRIBUTE_FORMULA "formula"           /* of a parameter that follows others */
#define IMP_ATTRIBUTE_ROLE "impactsweep_role"
#define IMP_ROLES(X)                                                                               \
    X(AXIS, "axis")           /* coordinate with the name of its dimension */                      \
    X(COLUMN, "column")       /* coordinate along the rows of a table or sample */                 \
    X(DIMENSION, "dimension") /* numbers, from 1, of the values that an output has per cell */     \
    X(FIXED, "fixed")         /* value of a fixed parameter or choice */                           \
    X(OUTPUT, "output")       /* one or several values per cell */                                 \
    X(OUTCOME, "outcome")     /* one code per cell */                                              \
    X(SESSION, "session")     /* about the runs; differs from run to run */                        \
    X(POINT, "point")         /* of a refined map: a coordinate or output of its points */         \
    X(FINDING, "finding")     /* of a refined map: a column of a table of findings */

#define IMP_DATASET_OUTCOME "outcome"

/* Data about the runs, in a separate group because they do not have the dimensions of the cells. */
#define IMP_GROUP_RUN "run"
#define IMP_RUN_COMPLETE "complete"
#define IMP_RUN_WRITER "writer"

/* Of refined maps: the plan of the refinement, without the keys in the fingerprint; names of
 * labels, one per line; where the sides of boundaries hold (without it, in maps of older versions,
 * on the lattice); the points, in a separate group for the same reason; and the findings, in one
 * group per table: its constant in findings.h, name and dimension, and the first word of its
 * columns. */
#define IMP_ATTRIBUTE_REFINEMENT "refinement"
#define IMP_ATTRIBUTE_LABELS "labels"
#define IMP_ATTRIBUTE_SIDES "sides"
#define IMP_SIDES_IN_VALUES "values"
#define IMP_GROUP_POINTS "points"
#define IMP_POINT_PREFIX IMP_GROUP_POINTS "/point_"
#define IMP_POINT_LATTICE IMP_POINT_PREFIX "lattice"
#define IMP_POINT_REFINEMENT IMP_POINT_PREFIX "refinement"
#define IMP_POINT_OUTCOME IMP_POINT_PREFIX IMP_DATASET_OUTCOME
#define IMP_FINDING_TABLES(X)                                                                      \
    X(REFINEMENTS, "refinements", "refinement", "refinement")                                      \
    X(LABELS, "labels", "label", "label")                                                          \
    X(SHARES, "shares", "share", "share")                                                          \
    X(BOUNDARIES, "boundaries", "vertex", "boundary")                                              \
    X(TRIANGLES, "triangles", "triangle", "triangle")                                              \
    X(JUNCTIONS, "junctions", "junction", "junction")                                              \
    X(FILAMENTS, "filaments", "filament", "filament")                                              \
    X(REGIONS, "regions", "region", "region")                                                      \
    X(BORDERS, "borders", "border", "border")                                                      \
    X(EVENTS, "events", "event", "event")

/* The datasets of sessions and the members of imp_session. */
#define IMP_SESSION_FIELDS(X)                                                                      \
    X(start, double, H5T_IEEE_F64LE, "s", "start, since 1970")                                     \
    X(end, double, H5T_IEEE_F64LE, "s", "end, since 1970")                                         \
    X(seconds, double, H5T_IEEE_F64LE, "s", "time spent computing, all ranks")                     \
    X(job, int64_t, H5T_STD_I64LE, "1", "job of the batch system, 0: none")                        \
    X(ranks, int32_t, H5T_STD_I32LE, "1", "number of ranks")

#endif
