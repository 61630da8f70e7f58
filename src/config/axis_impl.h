/* The kinds of axes: each is a file axis_KIND.c with a constant imp_axis_kind, and a line of
 * axis_kinds.def. Private to these files. */
#ifndef IMP_CONFIG_AXIS_IMPL_H
#define IMP_CONFIG_AXIS_IMPL_H

#include "config/config.h"
#include "config/document.h"
#include "config/draft.h"

/* Every key of any kind of axis. */
#define IMP_AXIS_KEYS(X)                                                                           \
    X(PARAM, "param")                                                                              \
    X(FROM, "from")                                                                                \
    X(TO, "to")                                                                                    \
    X(POINTS, "points")                                                                            \
    X(SPACING, "spacing")                                                                          \
    X(VALUES, "values")                                                                            \
    X(TABLE, "table")                                                                              \
    X(NAME, "name")                                                                                \
    X(SAMPLE, "sample")                                                                            \
    X(SEED, "seed")                                                                                \
    X(PARAMS, "params")                                                                            \
    X(CASES, "cases")

enum {
#define IMP_AXIS_KEY_ENUM(symbol, name) IMP_AXIS_##symbol,
    IMP_AXIS_KEYS(IMP_AXIS_KEY_ENUM)
#undef IMP_AXIS_KEY_ENUM
        IMP_AXIS_N_KEYS
};

#define IMP_AXIS_BIT(symbol) (1u << IMP_AXIS_##symbol)

/* An axis while it is read. node: its mapping, the place of errors about missing keys; axis: the
 * next axis of the draft; named: the parameter or choice under `param`, both -1 without this key or
 * if its name is unknown. */
typedef struct imp_axis_reader {
    imp_document *document;
    const imp_loader *loader;
    imp_draft *draft;
    const yaml_node_t *node;
    imp_axis *axis;
    imp_named named;
    imp_field field[IMP_AXIS_N_KEYS];
} imp_axis_reader;

typedef struct imp_axis_kind {
    const char *called;       /* name of the kind in messages */
    int key;                  /* the key that marks an axis of this kind */
    unsigned needed, allowed; /* bits of keys; allowed: those that may be left out */
    bool one_column;          /* its only column is named by `param`, which is read first */
    bool refinable;           /* under `refine` it has no points */
    /* Reads the axis; returns whether all parameters and choices that it carries are known. */
    bool (*read)(imp_axis_reader *reader);
} imp_axis_kind;

#define AXIS(name) extern const imp_axis_kind imp_axis_##name;
#include "config/axis_kinds.def"

imp_mark imp_axis_mark(const yaml_node_t *node);

/* Reads `points`, at most 2^most. Returns false, and reports an error, if the value is unreadable
 * or out of range; false if it is missing. */
bool imp_axis_read_points(imp_axis_reader *reader, int most, int64_t *points);

/* The words of `spacing`, linear and log. */
extern const char *const imp_spacings[2];

/* Makes a range of `points` points an axis, whose ends and spacing are in `origin`; reports errors
 * at these places. */
void imp_range_take(imp_draft *draft, imp_axis *axis, const imp_origin *origin, int64_t points,
                    imp_place points_place, imp_place spacing_place);

/* Makes a range an axis of the refinement; the lattice sets its size and values later. */
void imp_range_refine(imp_draft *draft, imp_axis *axis, const imp_origin *origin,
                      imp_place ends_place, imp_place spacing_place);

/* Fills in the values of an axis whose ends and spacing are in `origin`. */
void imp_range_lay_out(imp_draft *draft, imp_axis *axis, const imp_origin *origin);

/* Reads `name` as the name of the dimension. fallback: the name of the dimension without this key;
 * NULL if the key is required. */
void imp_axis_read_name(imp_axis_reader *reader, const char *fallback);

#endif
