/* What a map or a history contains, counted: outcomes, modes and other categories, and the sessions
 * that computed it. */
#ifndef IMP_CMD_CONTENTS_H
#define IMP_CMD_CONTENTS_H

#include "solve/sweep.h"
#include "store/catalog.h"

/* The number of cells with each code of a category; codes are 0..127. */
typedef struct imp_census {
    int64_t counts[128];
} imp_census;

/* A category of the cells other than their mode. */
typedef struct imp_flag_census {
    const imp_variable *variable;
    imp_census counted;
} imp_flag_census;

typedef struct imp_contents {
    imp_catalog *catalog;
    bool is_history; /* a history of one cell, not a map: without mode and counts of outcomes */
    imp_census outcomes, modes;
    imp_flag_census flags[IMP_MAX_OUTPUTS];
    int n_flags;
    const imp_variable *mode; /* NULL if it is not stored */
    char digest[65];          /* "" if not asked for */
    bool busy;                /* another process writes the file; `writer` describes it */
    char writer[256];
} imp_contents;

typedef struct imp_past_session {
    double start, end, seconds, ranks, job;
} imp_past_session;

/* Opens a map or a history and counts its categories; the caller closes the catalog, also after an
 * error. */
imp_err imp_contents_open(const char *path, bool digest, imp_contents *contents);

/* Number of cells that are not computed yet; 0 for a history. */
int64_t imp_contents_pending(const imp_contents *contents);

/* Session `index`; false if there was none. */
bool imp_past_session_at(const imp_contents *contents, int64_t index, imp_past_session *session);

#endif
