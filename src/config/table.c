#include "config/table.h"

#include <string.h>

#include "config/encoding.h"
#include "config/units.h"

/* The unread rest of a table, and its last line. */
typedef struct table {
    imp_draft *draft;
    const char *path;
    char *rest;    /* NULL at the end */
    char *line;    /* ended by 0 */
    char *field;   /* the unread rest of the line, NULL at its end */
    size_t number; /* of the line */
    imp_axis *axis;
    struct {
        imp_named named;
        const char *unit; /* of the header; NULL: none */
    } columns[IMP_MAX_COLUMNS];
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

static void read_header_unit(table *t, int c, imp_place place, const char *unit) {
    imp_named named = t->columns[c].named;
    if (named.choice >= 0) {
        imp_report_error(t->draft->report, place, "a choice has no unit, but the header gives '%s'",
                         imp_show(unit).text);
        return;
    }
    const imp_parameter *parameter = t->draft->parameter[named.parameter];
    const imp_theory *theory = t->draft->sweep.theory;
    t->columns[c].unit = unit;
    if (!imp_units_match(t->draft->report, theory, parameter, place, unit)) {
        imp_text own = {0};
        imp_units_print(&own, theory, parameter);
        imp_report_error(t->draft->report, place, "the unit of '%s' is %s%s, not '%s'",
                         parameter->name, imp_text_get(&own),
                         imp_parameter_is_angle(parameter) ? " or deg" : "", imp_show(unit).text);
        imp_text_free(&own);
    }
}

static void read_header_field(table *t, char *field) {
    imp_place place = place_of(t, field);
    char *unit;
    if (strchr(field, '"')) {
        imp_report_error(t->draft->report, place,
                         "quotes are not supported in tables, leave them out");
    } else if (!split_unit(field, &unit)) {
        imp_report_error(t->draft->report, place,
                         "the header of a column must be 'name' or 'name [unit]'");
    } else if (*field == 0) {
        imp_report_error(t->draft->report, place, "the name of a column is missing");
    } else {
        int c = t->axis->n_columns;
        imp_named named;
        if (imp_draft_add_column(t->draft, place, field, &named)) {
            t->columns[c].named = named;
            if (unit) {
                read_header_unit(t, c, place, unit);
            }
        }
    }
}

static bool read_header(table *t) {
    size_t before = t->draft->report->total;
    if (!next_line(t)) {
        imp_report_error(t->draft->report, imp_file_place(t->path, 1, 1),
                         "the table is empty, its first line must name the columns");
        return false;
    }
    /* Finding the place of a field costs a walk through its line, so reading stops at the last
     * message that is shown. */
    for (char *field; t->draft->report->n < IMP_MAX_REPORTED && (field = next_field(t)) != NULL;) {
        read_header_field(t, field);
    }
    return t->draft->report->total == before;
}

static double read_number(table *t, int c, imp_place place, const char *field) {
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    int parameter = t->columns[c].named.parameter;
    const char *unit = t->columns[c].unit;
    if (!imp_draft_number(t->draft, parameter, place, field, &quantity)) {
        return 0;
    }
    if (unit && quantity.unit != IMP_UNIT_NONE) {
        imp_report_error(t->draft->report, place,
                         "'%s' has a unit, but the header of its column gives one too",
                         imp_show(field).text);
    } else if (unit && strcmp(unit, "1") != 0) {
        imp_text whole = {0};
        imp_text_print(&whole, "%s %s", field, unit);
        imp_draft_number(t->draft, parameter, place, imp_text_get(&whole), &quantity);
        imp_text_free(&whole);
    }
    return imp_quantity_si(quantity);
}

static void read_value(table *t, int c, int64_t row, const char *field) {
    imp_place place = place_of(t, field);
    imp_column *column = &t->axis->columns[c];
    imp_origin *origin = &imp_draft_next_origins(t->draft)[c];
    origin->marks[row] = (imp_mark){(uint32_t)place.line, (uint32_t)place.column};
    if (strchr(field, '"')) {
        imp_report_error(t->draft->report, place,
                         "quotes are not supported in tables, leave them out");
    } else if (*field == 0) {
        imp_report_error(t->draft->report, place, "the value of '%s' is missing", column->name);
    } else if (column->choice >= 0) {
        column->values[row] = imp_draft_option(t->draft, column->choice, place, field);
    } else {
        column->values[row] = read_number(t, c, place, field);
    }
}

static void read_row(table *t, int64_t row) {
    int c = 0;
    for (char *field; (field = next_field(t)) != NULL; c++) {
        if (c < t->axis->n_columns) {
            read_value(t, c, row, field);
        }
    }
    if (c != t->axis->n_columns) {
        imp_report_error(t->draft->report, imp_file_place(t->path, t->number, 1),
                         "%d values in this row, the header names %d columns", c,
                         t->axis->n_columns);
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
        imp_report_error(t->draft->report, imp_file_place(t->path, t->number, 1),
                         "the table has no rows under its header");
        return;
    }
    for (int c = 0; c < t->axis->n_columns; c++) {
        if (!imp_draft_allocate(t->draft, c, t->axis->size)) {
            return;
        }
    }
    for (int64_t row = 0; next_line(t); row++) {
        read_row(t, row);
    }
}

bool imp_draft_read_table(imp_draft *draft, const char *path, char *bytes, size_t length) {
    if (!imp_check_text(path, bytes, length, draft->report)) {
        return false;
    }
    table t = {.draft = draft, .path = path, .rest = bytes + imp_mark_length(bytes, length)};
    t.axis = imp_draft_next_axis(draft);
    if (!read_header(&t)) {
        return false;
    }
    read_rows(&t);
    return true;
}
