/* JSON (RFC 8259) read into a tree, strictly: one value, nothing behind it, every string UTF-8, no
 * member twice. base/json.h writes it. */
#ifndef IMP_BASE_TREE_H
#define IMP_BASE_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* The levels of lists and objects, at most. */
enum { IMP_TREE_DEPTH = 16 };

typedef enum imp_node_kind {
    IMP_NODE_NULL,
    IMP_NODE_TRUTH,
    IMP_NODE_NUMBER,
    IMP_NODE_TEXT,
    IMP_NODE_LIST,
    IMP_NODE_OBJECT
} imp_node_kind;

typedef struct imp_node {
    imp_node_kind kind;
    const char *name; /* of a member of an object; NULL elsewhere */
    const char *text; /* of a text, without the character 0 */
    double number;
    bool truth;
    const struct imp_node *first, *next; /* of a list or an object; after this one in either */
} imp_node;

/* Start with {0}; the owner calls imp_tree_free. */
typedef struct imp_json_tree {
    imp_node *nodes; /* the first is the whole; NULL: nothing was read */
    char *texts;
} imp_json_tree;

/* Reads `length` bytes. NULL, or what is wrong: a static text; *at is then the byte it is wrong
 * at. */
const char *imp_tree_read(const char *bytes, size_t length, imp_json_tree *tree, size_t *at);
void imp_tree_free(imp_json_tree *tree);

/* The member of an object; NULL: it has none of this name, or is no object. */
const imp_node *imp_node_member(const imp_node *object, const char *name);

#endif
