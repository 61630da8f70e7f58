/* A YAML document whose nodes know their places, restricted to the needs of a config: one document,
 * no directives, anchors, aliases or tags, at most IMP_MAX_DEPTH levels and IMP_MAX_EVENTS events
 * (a value is one, a list or a mapping two). */
#ifndef IMP_CONFIG_DOCUMENT_H
#define IMP_CONFIG_DOCUMENT_H

#include <yaml.h>

#include "config/report.h"

enum { IMP_MAX_DEPTH = 16, IMP_MAX_EVENTS = 1000000 };

typedef struct imp_document {
    yaml_document_t yaml;
    const char *path;
    imp_report *report;
} imp_document;

/* Returns false, and reports an error, on failure; there is nothing to close then. Borrows path and
 * report. */
bool imp_document_open(imp_document *document, const char *path, const char *bytes, size_t length,
                       imp_report *report);
void imp_document_close(imp_document *document);

yaml_node_t *imp_document_node(imp_document *document, int index);
imp_place imp_document_place(const imp_document *document, const yaml_node_t *node);

/* Reports an error at a node: imp_report_error with its format and arguments. */
#define imp_document_error(document, node, ...)                                                    \
    imp_report_error((document)->report, imp_document_place((document), (node)), __VA_ARGS__)

/* Whether the node is of the type, a list or a mapping; otherwise reports an error. what: "'axes'",
 * "an axis". */
bool imp_document_is(imp_document *document, const yaml_node_t *node, yaml_node_type_t type,
                     const char *what);

/* Text of a single value; for anything else NULL, and reports an error. */
const char *imp_document_text(imp_document *document, const yaml_node_t *node, const char *name);

/* Text of a single value that must not be quoted, as a number. */
const char *imp_document_number(imp_document *document, const yaml_node_t *node, const char *name);

/* A single value as a number in the given unit; NaN, and reports an error, for anything else. */
double imp_document_quantity(imp_document *document, const yaml_node_t *node, const char *name,
                             const char *unit);

/* The number of items of a list, and one of them. _some: of a node that must be a list with some;
 * otherwise 0, and reports an error, with what to do instead (NULL: 0). what: "'axes'". */
int imp_document_length(const yaml_node_t *list);
int imp_document_some(imp_document *document, const yaml_node_t *node, const char *what,
                      const char *advice);
yaml_node_t *imp_document_item(imp_document *document, const yaml_node_t *list, int index);

/* For each pair of a mapping. */
#define IMP_EACH_PAIR(pair, node)                                                                  \
    for (const yaml_node_pair_t *pair = (node)->data.mapping.pairs.start;                          \
         pair < (node)->data.mapping.pairs.top; pair++)

/* Text of the key of a pair; NULL, and reports an error, if the key is no word. */
const char *imp_document_key(imp_document *document, const yaml_node_pair_t *pair);

/* One of the keys that a mapping may have. */
typedef struct imp_field {
    const char *name;
    bool given; /* the user wrote it, or meant to */
    yaml_node_t *key, *value;
} imp_field;

/* Fields of these names that are not given. */
void imp_fields_named(imp_field *fields, const char *const *names, int n);

/* Finds the fields in a mapping and reports unknown and duplicate keys. where: "an axis". */
void imp_document_fields(imp_document *document, const yaml_node_t *mapping, const char *where,
                         imp_field *fields, int n);

/* The same of a node that must be a mapping, with fields of these names; false, and an error,
 * if it is none. */
bool imp_fields_read(imp_document *document, const yaml_node_t *node, const char *where,
                     const char *const *names, imp_field *fields, int n);

/* Reports those of the fields that the mapping lacks. Returns whether all are given. */
bool imp_fields_needed(imp_document *document, const yaml_node_t *mapping, const char *where,
                       const imp_field *fields, int n);

/* Reports fields that a kind neither needs nor allows, and those that it needs and the mapping
 * lacks; bits of their numbers. with: "'cases'", "find: boundary"; where: "in an axis". */
void imp_fields_check(imp_document *document, const yaml_node_t *mapping, const imp_field *fields,
                      int n, unsigned allowed, unsigned needed, const char *with,
                      const char *where);

/* The value of a field: its text, or NULL; a number in a unit, or NaN; a whole number in low ..
 * high, or the fallback; its position among n words, or -1. Without a value likewise. Report what
 * is wrong. what: the kind of the words. */
const char *imp_field_text(imp_document *document, const imp_field *field);
double imp_field_number(imp_document *document, const imp_field *field, const char *unit);
int64_t imp_field_count(imp_document *document, const imp_field *field, int64_t low, int64_t high,
                        int64_t fallback);
int imp_field_choice(imp_document *document, const imp_field *field, const char *what,
                     const char *const *words, int n);

#endif
