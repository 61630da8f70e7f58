/* A sweep while it is read: the names of a theory, what the user said of each, and where. Readers
 * (YAML, tables, words) fill it in, imp_draft_resolve makes the sweep of it. */
#ifndef IMP_CONFIG_DRAFT_H
#define IMP_CONFIG_DRAFT_H

#include <stdint.h>

#include "base/number.h"
#include "config/report.h"
#include "solve/sweep.h"

/* Keys of a config that are one word; see settings.h. */
enum { IMP_N_SETTINGS = 3 };

/* Limits of a grid, checked before memory is asked for: points of a range as a power of 2, and of a sample,
 * each of which is drawn and kept while a config is read; cells. */
enum { IMP_MOST_POINTS = 28, IMP_MOST_DRAWN = 24 };
#define IMP_MAX_CELLS (INT64_C(1) << 40)

typedef enum imp_use {
    IMP_UNUSED,
    IMP_FIXED, /* a parameter is fixed, a choice is made */
    IMP_SWEPT, /* it is on an axis */
    IMP_MEANT  /* a misspelt name was near it: not to be called missing too */
} imp_use;

/* What the user said of one parameter or choice. */
typedef struct imp_slot {
    imp_use use;
    imp_place key;   /* where the name stands */
    imp_place place; /* where the value of a fixed one stands */
    bool valid;      /* the value could be read; a choice's axis is complete */
    double value;    /* of a fixed parameter */
} imp_slot;

struct imp_draft;

/* Line and column of a value in the file of its column. */
typedef struct imp_mark {
    uint32_t line, column;
} imp_mark;

/* Where the values of a column come from, parallel to imp_column. A range has no values until the draft is
 * resolved: they are laid out once nothing else is wrong. */
typedef struct imp_origin {
    const char *file;
    const char *override; /* the word of --set that gave the values; NULL: the file did */
    imp_mark *marks;      /* of each value; NULL for a range */
    void (*lay_out)(struct imp_draft *draft, imp_axis *axis, const struct imp_origin *origin);
    bool logarithmic;
    imp_quantity from, to;
    imp_mark from_mark, to_mark, points_mark;
} imp_origin;

/* The place of a value, for messages. */
imp_place imp_origin_place(const imp_origin *origin, imp_mark mark);

/* Where the range of a search stands. */
typedef struct imp_over_places {
    imp_place key, from, to, of; /* of: the output that is looked at, in the first one */
} imp_over_places;

/* Where the numbers under `refine` and its rules stand, and how its base was written; see refine.c. */
typedef struct imp_refine_places {
    imp_place key, number[6], rule[IMP_MAX_RULES];
    int64_t base_cells; /* 0: not given, or wrong */
    bool base_given, depth_given;
    bool axis_lost; /* an axis was wrong in itself */
} imp_refine_places;

/* Which name is meant; both -1 for none. */
typedef struct imp_named {
    int parameter, choice;
} imp_named;

struct imp_figure; /* see figure.h */

typedef struct imp_draft {
    imp_report *report;
    imp_sweep sweep; /* the theory; the grid, without the values of spaced columns */
    const imp_parameter *parameter[IMP_MAX_PARAMETERS]; /* every one that the theory knows */
    int n_parameters;
    imp_slot parameters[IMP_MAX_PARAMETERS], choices[IMP_MAX_CHOICES];
    imp_slot settings[IMP_N_SETTINGS];
    imp_over_places over[IMP_MAX_OVER]; /* of sweep.search */
    bool refining;                      /* there is a key `refine`: ranges have no points */
    imp_refine_places refine;           /* of sweep.refine */
    imp_origin origins[IMP_MAX_AXES][IMP_MAX_COLUMNS];
    char *paths[IMP_MAX_AXES]; /* of tables, for the places of their errors */
    int n_paths;
    imp_place wanted[IMP_MAX_OUTPUTS]; /* where an output is asked for */
    bool is_wanted[IMP_MAX_OUTPUTS], all_outputs;
    struct imp_figure *figure;                             /* NULL: none */
    imp_place parameters_place, choices_place, axes_place; /* for what is missing there */
    bool incomplete; /* a part was unreadable, and may hold what else is missing */
} imp_draft;

/* The report is borrowed. `place`: where to report what is missing. */
void imp_draft_begin(imp_draft *draft, const imp_theory *theory, imp_place place,
                     imp_report *report);
void imp_draft_end(imp_draft *draft);

/* Finds a theory; an unknown name is reported. */
const imp_theory *imp_draft_theory(imp_report *report, imp_place place, const char *name);

imp_named imp_draft_find(const imp_draft *draft, const char *name);

/* Reports a name that is none; the slot of the name that was probably meant is marked. */
void imp_draft_unknown(imp_draft *draft, imp_place place, const char *name, bool parameters,
                       bool choices);

/* Notes that the user meant this name, so that it is not called missing too. */
void imp_draft_mark_meant(imp_draft *draft, imp_named named);

/* Reads the value of a parameter, the option of a choice (-1); reported on failure. */
bool imp_draft_number(imp_draft *draft, int parameter, imp_place place, const char *text,
                      imp_quantity *quantity);
int imp_draft_option(imp_draft *draft, int choice, imp_place place, const char *text);

/* One value for a parameter, one option for a choice. What a config says is replaced by what an
 * override says. key: where the name stands. text: NULL if it was unreadable, and reported. */
void imp_draft_fix(imp_draft *draft, int parameter, imp_place key, imp_place place,
                   const char *text);
void imp_draft_choose(imp_draft *draft, int choice, imp_place key, imp_place place,
                      const char *text);

/* The axis that carries this parameter or choice and nothing else; -1, and reported, where it is one of
 * several columns. -2: its axis was wrong in itself, and is reported already. */
int imp_draft_axis_of(imp_draft *draft, imp_place place, const char *name);

/* The axis to fill in next, empty, and where its columns come from. There must be fewer than
 * IMP_MAX_AXES. */
imp_axis *imp_draft_next_axis(imp_draft *draft);
imp_origin *imp_draft_next_origins(imp_draft *draft);

/* Adds a column for a parameter or choice to the next axis, without values. */
bool imp_draft_add_column(imp_draft *draft, imp_place place, const char *name, imp_named *named);

/* Allocates `size` values and marks for a column of the next axis. */
bool imp_draft_allocate(imp_draft *draft, int column, int64_t size);

/* Ends the next axis: it becomes part of the grid, or is dropped. */
void imp_draft_end_axis(imp_draft *draft, bool complete);

/* Checks all that depends on several parts, and fills in what the sweep still lacks. */
void imp_draft_resolve(imp_draft *draft);

/* Writes the messages and ends the report: the last step of every reader. Returns what
 * imp_config_read returns. The second also moves the sweep out and ends the draft. */
imp_err imp_report_finish(imp_report *report, imp_text *messages);
imp_err imp_draft_finish(imp_draft *draft, imp_sweep *sweep, imp_text *messages);

#endif
