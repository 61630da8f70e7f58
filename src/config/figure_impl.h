/* The keys of a figure, as a table; private to figure.c and figure_check.c. */
#ifndef IMP_CONFIG_FIGURE_IMPL_H
#define IMP_CONFIG_FIGURE_IMPL_H

#include "config/draft.h"

/* The kinds of values. */
typedef enum imp_figure_value {
    IMP_FIGURE_WORD,   /* one of `words` */
    IMP_FIGURE_NAME,   /* an axis or an output, according to `names` */
    IMP_FIGURE_NUMBER, /* with `positive`: above 0 */
    IMP_FIGURE_TEXT,
    IMP_FIGURE_POINTS, /* {axis: point of it} */
    IMP_FIGURE_RANGES, /* {axis or output: [low, high]} */
    IMP_FIGURE_TEXTS   /* {axis or output: text} */
} imp_figure_value;

enum { IMP_FIGURE_AXIS = 1, IMP_FIGURE_OUTPUT = 2, IMP_FIGURE_COLUMN = 4 /* of a table */ };

typedef struct imp_figure_key {
    const char *name; /* of the option, with _ for - */
    imp_figure_value value;
    unsigned names;           /* IMP_FIGURE_AXIS, IMP_FIGURE_OUTPUT, IMP_FIGURE_COLUMN */
    bool several;             /* a list is allowed */
    bool positive;            /* a number must be above 0 */
    const char *const *words; /* ended by NULL */
    const char *kinds;        /* kinds of figures with this key, separated by spaces; NULL: all */
    const char *instead;      /* a key that cannot be given beside this one; NULL: none */
} imp_figure_key;

/* One option as it was written. Owns name and text. */
typedef struct imp_figure_item {
    const imp_figure_key *key;
    imp_place place;      /* of the value */
    imp_place name_place; /* of the name */
    char *name;           /* of an axis or output; NULL: none */
    char *text;           /* NULL: none */
} imp_figure_item;

enum { IMP_FIGURE_MOST = 64 };

struct imp_figure {
    imp_figure_item items[IMP_FIGURE_MOST];
    int n;
};

#endif
