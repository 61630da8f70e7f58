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

/* Whether the node is of the type, a list or a mapping; otherwise reports an error. what: "'axes'",
 * "an axis". */
bool imp_document_is(imp_document *document, const yaml_node_t *node, yaml_node_type_t type,
                     const char *what);

/* Text of a single value; for anything else NULL, and reports an error. */
const char *imp_document_text(imp_document *document, const yaml_node_t *node, const char *name);

/* Text of a single value that must not be quoted, as a number. */
const char *imp_document_number(imp_document *document, const yaml_node_t *node, const char *name);

/* Text of the key of a pair; NULL, and reports an error, if the key is no word. */
const char *imp_document_key(imp_document *document, const yaml_node_pair_t *pair);

/* One of the keys that a mapping may have. */
typedef struct imp_field {
    const char *name;
    bool given; /* the user wrote it, or meant to */
    yaml_node_t *key, *value;
} imp_field;

/* Finds the fields in a mapping and reports unknown and duplicate keys. where: "an axis". */
void imp_document_fields(imp_document *document, const yaml_node_t *mapping, const char *where,
                         imp_field *fields, int n);

#endif
