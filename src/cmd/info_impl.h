/* Shared by the text (info.c) and the JSON (info_json.c) of `info`. */
#ifndef IMP_CMD_INFO_IMPL_H
#define IMP_CMD_INFO_IMPL_H

#include <jansson.h>

#include "solve/sweep.h"
#include "store/catalog.h"

/* The number of cells with each code of a category; codes are 0..127. */
typedef struct census {
    int64_t counts[128];
} census;

/* A category of the cells other than their mode. */
typedef struct flag_census {
    const imp_variable *variable;
    census counted;
} flag_census;

typedef struct contents {
    imp_catalog *catalog;
    bool is_history; /* a history of one cell, not a map: without mode and counts of outcomes */
    census outcomes, modes;
    flag_census flags[IMP_MAX_OUTPUTS];
    int n_flags;
    const imp_variable *mode; /* NULL if it is not stored */
    char digest[65];          /* "" if not asked for */
    bool busy;                /* another process writes the file; `writer` describes it */
    char writer[256];
} contents;

typedef struct session {
    double start, end, seconds, ranks, job;
} session;

/* Opens a map or a history and counts its categories; the caller closes the catalog, also after an
 * error. */
imp_err imp_info_open(const char *path, bool digest, contents *c);

/* Number of cells that are not computed yet; 0 for a history. */
int64_t imp_info_pending(const contents *c);

/* Whether a dataset has input values of the cells. */
bool imp_info_is_given(const imp_variable *v);

bool imp_info_first_and_last(const contents *c, const imp_variable *v, double ends[2]);

/* Session `index`; false if there was none. */
bool imp_info_session(const contents *c, int64_t index, session *s);

/* info_refined.c: the results of a refined map, as text and as members of a JSON object; before its
 * end only the number of points. */
imp_err imp_info_print_refined(const contents *c);
imp_err imp_info_add_refined(const contents *c, json_t *object);

/* Everything as a new JSON object; NULL after an error. */
imp_err imp_info_json(const char *path, const contents *c, json_t **object);

/* Returns the exit code. */
int imp_info_print_json(const char *path, const contents *c);

#endif
