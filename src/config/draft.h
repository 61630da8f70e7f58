/* A sweep while it is read: for each name of a theory the user's value and its place. Readers
 * (YAML, tables, words) fill in the draft, imp_draft_resolve completes the sweep. */
#ifndef IMP_CONFIG_DRAFT_H
#define IMP_CONFIG_DRAFT_H

#include <stdint.h>

#include "base/number.h"
#include "config/report.h"
#include "solve/sweep.h"

/* Keys of a config that are one word; see settings.c. */
enum { IMP_N_SETTINGS = 3 };

/* Limits of a grid, checked before memory is allocated: points of a range, points of a sample (each
 * is drawn and kept while the config is read), both as powers of 2; cells. */
enum { IMP_MOST_POINTS = 28, IMP_MOST_DRAWN = 24 };
#define IMP_MAX_CELLS (INT64_C(1) << 40)

typedef enum imp_use {
    IMP_UNUSED,
    IMP_FIXED, /* a parameter is fixed, a choice is made */
    IMP_SWEPT, /* the name is on an axis */
    IMP_MEANT  /* a misspelt name was near this one: no message calls it missing too */
} imp_use;

/* The user's input for one parameter or choice. */
typedef struct imp_slot {
    imp_use use;
    imp_place key;   /* of the name */
    imp_place place; /* of the value, if fixed */
    bool valid;      /* the value could be read; a choice's axis is complete */
    double value;    /* of a fixed parameter */
} imp_slot;

struct imp_draft;

/* Line and column of a value in the file of its column. */
typedef struct imp_mark {
    uint32_t line, column;
} imp_mark;

/* The origin of the values of a column, parallel to imp_column. A range has no values until the
 * draft is resolved; they are laid out if there are no errors. */
typedef struct imp_origin {
    const char *file;
    const char *override; /* the word of --set that gave the values; NULL: they are from the file */
    imp_mark *marks;      /* of each value; NULL for a range */
    void (*lay_out)(struct imp_draft *draft, imp_axis *axis, const struct imp_origin *origin);
    bool logarithmic;
    imp_quantity from, to;
    imp_mark from_mark, to_mark, points_mark;
} imp_origin;

/* The place of a value, for messages. */
imp_place imp_origin_place(const imp_origin *origin, imp_mark mark);

/* Places of the range of a search. */
typedef struct imp_over_places {
    imp_place key, from, to, of; /* of: of the searched output, set in the first element */
} imp_over_places;

/* Places of the numbers under `refine` and of its rules, and its base as written; see refine.c. */
typedef struct imp_refine_places {
    imp_place key, number[8], rule[IMP_MAX_RULES];
    int64_t base_cells; /* 0: not given, or wrong */
    bool base_given, depth_given;
    bool axis_lost; /* an axis was wrong in itself */
} imp_refine_places;

/* The parameter or choice of a name; both -1: neither. */
typedef struct imp_named {
    int parameter, choice;
} imp_named;

/* Places of the uncertain parameters and of the outputs that they are asked for. */
typedef struct imp_uncertain_places {
    imp_place parameter[IMP_MAX_UNCERTAIN], of[IMP_MAX_OF];
    char *paths[IMP_MAX_UNCERTAIN]; /* of tables; the draft takes them */
    int n_paths;
    imp_mark *marks;                   /* of the values of tables; owned by the draft */
    int64_t offset[IMP_MAX_UNCERTAIN]; /* of the first value of a parameter among them */
} imp_uncertain_places;

struct imp_document; /* see document.h */
struct imp_figure;   /* see figure_impl.h */
struct imp_follow;   /* see follow.c */

typedef struct imp_draft {
    imp_report *report;
    struct imp_document *document; /* that is read; NULL: none, but words */
    imp_sweep sweep;               /* the theory; the grid, without the values of spaced columns */
    const imp_parameter *parameter[IMP_MAX_PARAMETERS]; /* all parameters of the theory */
    int n_parameters;
    imp_slot parameters[IMP_MAX_PARAMETERS], choices[IMP_MAX_CHOICES];
    struct imp_follow
        *follow[IMP_MAX_PARAMETERS]; /* of a fixed parameter with a formula; NULL: none */
    imp_slot settings[IMP_N_SETTINGS];
    imp_over_places over[IMP_MAX_OVER]; /* of sweep.search */
    bool refining;                      /* the config has the key `refine`: ranges have no points */
    imp_refine_places refine;           /* of sweep.refine */
    imp_origin origins[IMP_MAX_AXES][IMP_MAX_COLUMNS];
    imp_uncertain_places uncertain;                /* of sweep.uncertain */
    char *paths[IMP_MAX_AXES + IMP_MAX_UNCERTAIN]; /* of tables, for the places of their errors */
    int n_paths;
    imp_place wanted[IMP_MAX_OUTPUTS]; /* places of the wanted outputs */
    bool is_wanted[IMP_MAX_OUTPUTS], all_outputs;
    struct imp_figure *figure;                             /* NULL: none */
    imp_place parameters_place, choices_place, axes_place; /* for errors about missing names */
    imp_place declared[IMP_MOST_VARIABLES];                /* of sweep.variables */
    bool incomplete; /* a part was unreadable; missing names may be in that part */
    bool searchless; /* the search or uncertain parameters are unreadable: names are unknown */
} imp_draft;

/* Borrows the report. place: for errors about missing names. */
void imp_draft_begin(imp_draft *draft, const imp_theory *theory, imp_place place,
                     imp_report *report);
void imp_draft_end(imp_draft *draft);

/* Reports an error at a place: imp_report_error with its format and arguments. */
#define imp_draft_error(draft, ...) imp_report_error((draft)->report, __VA_ARGS__)

/* Finds a theory; an unknown name is reported. */
const imp_theory *imp_draft_theory(imp_report *report, imp_place place, const char *name);

imp_named imp_draft_find(const imp_draft *draft, const char *name);

/* The slot of a parameter or choice; NULL: it is neither. */
imp_slot *imp_draft_slot(imp_draft *draft, imp_named named);

/* Reports an unknown name; marks the slot of the name that was probably meant. */
void imp_draft_unknown(imp_draft *draft, imp_place place, const char *name, bool parameters,
                       bool choices);

/* Notes that the user meant this name, so that no message calls it missing too. */
void imp_draft_mark_meant(imp_draft *draft, imp_named named);

/* Reads the value of a parameter; the option of a choice. On failure false or -1, and reports an
 * error. The value of an unknown parameter, -1, fails, and is reported if no double holds it. */
bool imp_draft_number(imp_draft *draft, int parameter, imp_place place, const char *text,
                      imp_quantity *quantity);
int imp_draft_option(imp_draft *draft, int choice, imp_place place, const char *text);

/* Sets one value for a parameter, one option for a choice. An override replaces the value of the
 * config. key: place of the name. text: NULL if it was unreadable, which has been reported. */
void imp_draft_fix(imp_draft *draft, int parameter, imp_place key, imp_place place,
                   const char *text);
void imp_draft_choose(imp_draft *draft, int choice, imp_place key, imp_place place,
                      const char *text);

/* The axis that carries this parameter or choice alone. -1, and reports an error, if the axis has
 * more columns; -2 if the axis itself was wrong, which has been reported. */
int imp_draft_axis_of(imp_draft *draft, imp_place place, const char *name);

/* The next axis to fill in, which is empty, and the origins of its columns. The grid must have
 * fewer than IMP_MAX_AXES axes. */
imp_axis *imp_draft_next_axis(imp_draft *draft);
imp_origin *imp_draft_next_origins(imp_draft *draft);

/* Adds a column without values for a parameter or choice to the next axis. */
bool imp_draft_add_column(imp_draft *draft, imp_place place, const char *name, imp_named *named);

/* Allocates `size` values and marks for a column of the next axis. */
bool imp_draft_allocate(imp_draft *draft, int column, int64_t size);

/* Makes the next axis one of the numbers 0 .. n - 1 of a parameter or choice, all at one place. */
bool imp_draft_add_numbers(imp_draft *draft, imp_place place, const char *name, int64_t n);

/* Ends the next axis: it becomes part of the grid, or is dropped. */
void imp_draft_end_axis(imp_draft *draft, bool complete);

/* Checks everything that depends on several parts, and completes the sweep. */
void imp_draft_resolve(imp_draft *draft);

/* Writes the messages and ends the report: the last step of every reader. imp_draft_finish also
 * moves the sweep out and ends the draft. Errors: those of imp_config_read. */
imp_err imp_report_finish(imp_report *report, imp_text *messages);
imp_err imp_draft_finish(imp_draft *draft, imp_sweep *sweep, imp_text *messages);

#endif
