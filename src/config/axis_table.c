/* {table: cases.csv, name: case}. In CSV the first line names the columns, each other line is a
 * point of the axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/encoding.h"
#include "config/units.h"

/* The head of a column. */
typedef struct head {
    const char *name;
    int column; /* of the axis; -1: the head is wrong, and its values are only read */
    imp_named named;
    const char *unit; /* NULL: none, or a wrong one */
    bool wrong_unit;
} head;

/* The unread rest of a table, and its last line. */
typedef struct table {
    imp_draft *draft;
    const char *path;
    char *rest;    /* NULL at the end */
    char *line;    /* ended by 0 */
    char *field;   /* the unread rest of the line, NULL at its end */
    size_t number; /* of the line */
    imp_axis *axis;
    head heads[IMP_MAX_COLUMNS];
    int n_heads; /* can exceed their room, which is an error of its own */
} table;

/* Whether a line is blank or a comment. Lines end in 0 or '\n'. */
static bool is_skipped(const char *line) {
    line += strspn(line, " \t\r");
    return *line == 0 || *line == '\n' || *line == '#';
}

/* Goes to the next line with content; false at the end. */
static bool next_line(table *t) {
    while (t->rest) {
        char *end = strchr(t->rest, '\n');
        t->line = t->rest;
        t->rest = end ? end + 1 : NULL;
        t->number++;
        if (end) {
            *end = 0;
        }
        if (!is_skipped(t->line)) {
            t->field = t->line;
            return true;
        }
    }
    return false;
}

static char *trim(char *text) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1])) {
        length--;
    }
    text[length] = 0;
    return text;
}

/* Next field of the line, without blanks around it; NULL at the end. */
static char *next_field(table *t) {
    char *field = t->field;
    if (!field) {
        return NULL;
    }
    char *comma = strchr(field, ',');
    t->field = comma ? comma + 1 : NULL;
    if (comma) {
        *comma = 0;
    }
    return trim(field);
}

/* The place of a field, with its column in characters. Earlier fields of the line end in 0. */
static imp_place place_of(const table *t, const char *field) {
    imp_place place = imp_file_place(t->path, t->number, 1);
    for (const char *at = t->line; at < field; at++) {
        place.column += ((unsigned char)*at & 0xC0) != 0x80;
    }
    return place;
}

/* Cuts "angle [deg]" into the name and the unit, NULL without one. False if it is malformed. */
static bool split_unit(char *field, char **unit) {
    *unit = strchr(field, '[');
    if (!*unit) {
        return true;
    }
    char *end = strchr(*unit, ']');
    if (!end || end[1] != 0) {
        return false;
    }
    *end = 0;
    **unit = 0;
    *unit = trim(*unit + 1);
    trim(field);
    return true;
}

static void read_header_unit(table *t, head *h, imp_place place, const char *unit) {
    if (h->named.choice >= 0) {
        imp_draft_error(t->draft, place, "a choice has no unit, but the header gives '%s'",
                        imp_show(unit).text);
        return;
    }
    const imp_parameter *parameter = t->draft->parameter[h->named.parameter];
    const imp_theory *theory = t->draft->sweep.theory;
    h->wrong_unit = !imp_units_match(t->draft->report, theory, parameter, place, unit);
    if (h->wrong_unit) {
        imp_text own = {0};
        imp_units_print(&own, theory, parameter);
        imp_draft_error(t->draft, place, "the unit of '%s' is %s%s, not '%s'", parameter->name,
                        imp_text_get(&own), imp_parameter_is_angle(parameter) ? " or deg" : "",
                        imp_show(unit).text);
        imp_text_free(&own);
    } else {
        h->unit = unit;
    }
}

static head read_header_field(table *t, char *field) {
    imp_place place = place_of(t, field);
    int column = t->axis->n_columns;
    head h = {.name = field, .column = -1, .named = {-1, -1}};
    char *unit;
    if (strchr(field, '"')) {
        imp_draft_error(t->draft, place, "quotes are not supported in tables, leave them out");
    } else if (!split_unit(field, &unit)) {
        imp_draft_error(t->draft, place, "the header of a column must be 'name' or 'name [unit]'");
    } else if (*field == 0) {
        imp_draft_error(t->draft, place, "the name of a column is missing");
    } else if (imp_draft_add_column(t->draft, place, field, &h.named)) {
        h.column = column;
        if (unit) {
            read_header_unit(t, &h, place, unit);
        }
    }
    return h;
}

/* Whether the rows can be read: as far as possible even if a head is wrong. *known: whether all
 * heads are known. */
static bool read_header(table *t, bool *known) {
    size_t before = t->draft->report->total;
    if (!next_line(t)) {
        imp_draft_error(t->draft, imp_file_place(t->path, 1, 1),
                        "the table is empty, its first line must name the columns");
        return false;
    }
    /* Finding the place of a field costs a walk through its line, so reading stops at the last
     * message that is shown. */
    for (char *field; t->draft->report->n < IMP_MAX_REPORTED && (field = next_field(t)) != NULL;) {
        head h = read_header_field(t, field);
        if (t->n_heads < IMP_MAX_COLUMNS) {
            t->heads[t->n_heads] = h;
        }
        t->n_heads++;
    }
    *known = t->draft->report->total == before;
    return t->draft->report->n < IMP_MAX_REPORTED;
}

/* NaN if it is unreadable, or if its unit is. */
static double read_number(table *t, const head *h, imp_place place, const char *field) {
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    int parameter = h->named.parameter;
    if (!imp_draft_number(t->draft, parameter, place, field, &quantity)) {
        return NAN;
    }
    if (h->unit && quantity.unit != IMP_UNIT_NONE) {
        imp_draft_error(t->draft, place,
                        "'%s' has a unit, but the header of its column gives one too",
                        imp_show(field).text);
    } else if (h->unit && strcmp(h->unit, "1") != 0) {
        imp_text whole = {0};
        imp_text_print(&whole, "%s %s", field, h->unit);
        imp_draft_number(t->draft, parameter, place, imp_text_get(&whole), &quantity);
        imp_text_free(&whole);
    }
    return h->wrong_unit ? NAN : imp_quantity_si(quantity);
}

static double read_field(table *t, const head *h, imp_place place, const char *field) {
    if (strchr(field, '"')) {
        imp_draft_error(t->draft, place, "quotes are not supported in tables, leave them out");
    } else if (*field == 0 && *h->name != 0) {
        imp_draft_error(t->draft, place, "the value of '%s' is missing", h->name);
    } else if (*field != 0) {
        return h->named.choice >= 0 ? imp_draft_option(t->draft, h->named.choice, place, field)
                                    : read_number(t, h, place, field);
    }
    return NAN;
}

/* The value of a wrong head has no column. */
static void put_value(table *t, const head *h, int64_t row, imp_place place, double value) {
    if (h->column >= 0) {
        t->axis->columns[h->column].values[row] = value;
        imp_draft_next_origins(t->draft)[h->column].marks[row] =
            (imp_mark){(uint32_t)place.line, (uint32_t)place.column};
    }
}

static void read_row(table *t, int64_t row) {
    int c = 0;
    for (char *field; (field = next_field(t)) != NULL; c++) {
        if (c < t->n_heads && c < IMP_MAX_COLUMNS) {
            imp_place place = place_of(t, field);
            const head *h = &t->heads[c];
            put_value(t, h, row, place, read_field(t, h, place, field));
        }
    }
    for (int rest = c; rest < t->n_heads && rest < IMP_MAX_COLUMNS; rest++) {
        put_value(t, &t->heads[rest], row, imp_file_place(t->path, t->number, 1), NAN);
    }
    if (c != t->n_heads) {
        imp_draft_error(t->draft, imp_file_place(t->path, t->number, 1),
                        "%d values in this row, the header names %d columns", c, t->n_heads);
    }
}

static int64_t count_rows(const char *rest) {
    int64_t rows = 0;
    while (rest) {
        rows += !is_skipped(rest);
        rest = strchr(rest, '\n');
        rest = rest ? rest + 1 : NULL;
    }
    return rows;
}

static void read_rows(table *t) {
    t->axis->size = count_rows(t->rest);
    if (t->axis->size == 0) {
        imp_draft_error(t->draft, imp_file_place(t->path, t->number, 1),
                        "the table has no rows under its header");
        return;
    }
    for (int c = 0; c < t->axis->n_columns; c++) {
        if (!imp_draft_allocate(t->draft, c, t->axis->size)) {
            t->axis->size = 0;
            return;
        }
    }
    for (int64_t row = 0; next_line(t); row++) {
        read_row(t, row);
    }
}

/* Reads a table into the next axis of the draft, which must be empty: its size, columns, values and
 * marks. Errors are reported. Returns whether all columns are known. The bytes are ended by 0 and
 * are changed; the path must outlive the report. */
static bool read_bytes(imp_draft *draft, const char *path, char *bytes, size_t length) {
    if (!imp_check_text(path, bytes, length, draft->report)) {
        return false;
    }
    table t = {.draft = draft, .path = path, .rest = bytes + imp_mark_length(bytes, length)};
    t.axis = imp_draft_next_axis(draft);
    bool known = false;
    if (read_header(&t, &known)) {
        read_rows(&t);
    }
    return known;
}

/* ---- the axis ---- */

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
        known = read_bytes(r->draft, path, bytes, length);
    }
    free(bytes);
    imp_axis_read_name(r, NULL);
    return known;
}

const imp_axis_kind imp_axis_table = {
    .called = "'table'",
    .key = IMP_AXIS_TABLE,
    .needed = IMP_AXIS_BIT(TABLE) | IMP_AXIS_BIT(NAME),
    .read = read_table,
};
