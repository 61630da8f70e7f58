/* Errors in the user's input, and warnings: collected with their places, then written in order, one
 * per line. */
#ifndef IMP_CONFIG_REPORT_H
#define IMP_CONFIG_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/message.h"
#include "base/text.h"

enum { IMP_MAX_REPORTED = 100 };

typedef enum imp_origin_kind {
    IMP_FROM_NOWHERE,  /* of a missing word on a command line */
    IMP_FROM_FILE,     /* source, line, column */
    IMP_FROM_OVERRIDE, /* source: the "key=value" of --set */
    IMP_FROM_ARGUMENT, /* line: the number of the argument */
    IMP_FROM_WORDS,    /* source: the words from which the value follows */
    IMP_FROM_CALLER    /* the caller of the library: a message has no place */
} imp_origin_kind;

/* Line and column count from 1. The source must outlive the report. */
typedef struct imp_place {
    imp_origin_kind kind;
    const char *source;
    size_t line, column;
} imp_place;

typedef struct imp_reported {
    imp_place place;
    size_t rank, index; /* order of arrival: of its source, of the error */
    bool warning;
    char *text;
} imp_reported;

/* Start with {0}. Errors beyond IMP_MAX_REPORTED are only counted. */
typedef struct imp_report {
    imp_reported items[IMP_MAX_REPORTED];
    size_t n;
    size_t total; /* all different errors, those not kept and failures of memory too */
    bool failed;  /* memory ran out */
    bool unread;  /* the system failed to read a file */
    bool lost;    /* the model or a case is wrong: not all units and ranges are known */
    bool unnamed; /* nor are all names: its theory is not known */
    struct imp_unit_note *notes; /* units to be judged when the whole input is known: units.h */
    size_t n_notes;
} imp_report;

imp_place imp_file_place(const char *file, size_t line, size_t column);

/* The text is printed as by imp_message. */
void imp_report_error(imp_report *report, imp_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for input that is good, although its author may not have meant it: no error. */
void imp_report_warning(imp_report *report, imp_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "unknown WHAT 'word'WHERE (did you mean 'name'?)", or the names when none is near. Returns the
 * name that was suggested, or NULL. */
const char *imp_report_unknown(imp_report *report, imp_place place, const char *what,
                               const char *word, const char *where, const char *const *names,
                               size_t n);

/* Whether the word is a number although a name is expected, for instance half of a number with a
 * decimal comma; reports it. */
bool imp_report_if_number(imp_report *report, imp_place place, const char *word);

void imp_report_memory(imp_report *report);

/* Appends the lines to messages: source by source, each in the order of its lines. */
void imp_report_write(imp_report *report, imp_text *messages);

void imp_report_free(imp_report *report);

#endif
