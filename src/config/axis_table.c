/* {table: cases.csv, name: case} */
#include <stdlib.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/table.h"

/* The path of a table relative to the config; the draft owns it. */
static const char *keep_path(imp_axis_reader *r, const char *name) {
    imp_text path = {0};
    const char *slash = strrchr(r->document->path, '/');
    if (slash && name[0] != '/') {
        imp_text_append(&path, r->document->path, (size_t)(slash - r->document->path) + 1);
    }
    imp_text_print(&path, "%s", name);
    bool full = r->draft->n_paths == (int)(sizeof r->draft->paths / sizeof *r->draft->paths);
    if (path.failed || full) {
        imp_text_free(&path);
        imp_report_memory(r->draft->report);
        return NULL;
    }
    r->draft->paths[r->draft->n_paths++] = path.bytes;
    return path.bytes;
}

static bool read_table(imp_axis_reader *r) {
    bool known = false;
    const yaml_node_t *node = r->field[IMP_AXIS_TABLE].value;
    const char *name = imp_field_text(r->document, &r->field[IMP_AXIS_TABLE]);
    const char *path = name ? keep_path(r, name) : NULL;
    char *bytes = NULL;
    size_t length = 0;
    const char *reason = path ? r->loader->load(r->loader->context, path, &bytes, &length) : NULL;
    if (reason) {
        r->draft->report->unread |= imp_load_failed(reason);
        imp_document_error(r->document, node, "cannot read the table '%s': %s", imp_show(path).text,
                           reason);
    } else if (path) {
        known = imp_draft_read_table(r->draft, path, bytes, length);
    }
    free(bytes);
    imp_axis_read_name(r, NULL);
    return known;
}

const imp_axis_kind imp_axis_table = {
    .called = "'table'",
    .key = IMP_AXIS_TABLE,
    .allowed = IMP_AXIS_BIT(TABLE) | IMP_AXIS_BIT(NAME),
    .needed = IMP_AXIS_BIT(TABLE) | IMP_AXIS_BIT(NAME),
    .read = read_table,
};
