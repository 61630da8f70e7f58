#include "cmd/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/value.h"
#include "cmd/writers.h"

void imp_table_open(const imp_selection *selection, imp_table *table) {
    *table = (imp_table){.selection = selection,
                         .catalog = selection->catalog,
                         .grid = imp_catalog_grid(selection->catalog)};
}

void imp_table_close(imp_table *table) {
    for (int p = 0; p < table->n; p++) {
        free(table->parts[p].values);
        free(table->parts[p].degrees);
    }
    table->n = 0;
}

static int axis_of(const imp_table *t, const imp_variable *v) {
    return v->role == IMP_IS_FIXED                              ? IMP_TABLE_FIXED
           : v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN ? imp_catalog_axis(t->catalog, v)
                                                                : IMP_TABLE_OUTPUT;
}

imp_err imp_table_add(imp_table *t, const imp_variable *v) {
    if (t->n == IMP_TABLE_COLUMNS) {
        return imp_fail(IMP_ERR_INPUT, "the map has more than %d variables", IMP_TABLE_COLUMNS);
    }
    int axis = axis_of(t, v);
    bool is_output = axis == IMP_TABLE_OUTPUT;
    int64_t length = is_output ? imp_catalog_length(t->catalog, v) : 1;
    int64_t size = is_output ? IMP_SELECTION_ROWS * length : v->size;
    imp_table_part *p = &t->parts[t->n];
    *p = (imp_table_part){.variable = v,
                          .axis = axis,
                          .length = length,
                          .taken = 1,
                          .degrees = calloc((size_t)length + 1, sizeof *p->degrees),
                          .values = malloc((size_t)size * sizeof *p->values)};
    if (is_output) {
        imp_selection_part(t->selection, v, length, &p->first, &p->taken);
    }
    t->n++;
    if (!p->values || !p->degrees) {
        return imp_out_of_memory();
    }
    for (int64_t k = 0; k < length; k++) {
        p->degrees[k] = t->selection->degrees && imp_is_angle(t->catalog, v, k);
    }
    return is_output ? IMP_OK : imp_catalog_read(t->catalog, v, 0, size, p->values);
}

imp_err imp_table_add_selected(imp_table *t) {
    imp_err error = IMP_OK;
    int first = t->selection->hex ? IMP_TABLE_FIXED : 0;
    for (int axis = first; axis < t->grid->rank; axis++) {
        for (const imp_variable *v = NULL;
             !error && axis != IMP_TABLE_OUTPUT && (v = imp_catalog_next(t->catalog, v)) != NULL;) {
            if (axis_of(t, v) == axis) {
                error = imp_table_add(t, v);
            }
        }
    }
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(t->catalog, v)) != NULL;) {
        if ((v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME) &&
            imp_selection_has(t->selection, v)) {
            error = imp_table_add(t, v);
        }
    }
    return error;
}

imp_err imp_table_read(imp_table *t, int64_t first, int64_t n) {
    imp_err error = IMP_OK;
    t->first = first;
    for (int i = 0; !error && i < t->n; i++) {
        const imp_table_part *p = &t->parts[i];
        if (p->axis == IMP_TABLE_OUTPUT) {
            error = imp_catalog_read(t->catalog, p->variable, first * p->length, n * p->length,
                                     p->values);
        }
    }
    return error;
}

double imp_table_value(const imp_table *t, int part, int64_t cell, int64_t k) {
    const imp_table_part *p = &t->parts[part];
    return p->axis >= 0                  ? p->values[imp_catalog_place(t->catalog, cell, p->axis)]
           : p->axis == IMP_TABLE_OUTPUT ? p->values[(cell - t->first) * p->length + k]
                                         : p->values[0];
}

/* Prints a name from the file, which may be foreign: quoted unless it is a plain word, and never a
 * formula for a spreadsheet. */
static void print_name(FILE *to, const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ";
    if (name[strspn(name, plain)] == 0) {
        fputs(name, to);
        return;
    }
    fputs(strchr("=+-@\t\r", name[0]) ? "\"'" : "\"", to);
    for (const char *at = name; *at; at++) {
        fputs(*at == '"' ? "\"" : "", to);
        putc((unsigned char)*at < ' ' ? '?' : *at, to);
    }
    fputs("\"", to);
}

/* Prints degrees with as few digits as give the same radians, so that 30 deg is 30. */
static void print_degrees(FILE *to, const imp_variable *v, double radians) {
    char text[40];
    imp_quantity read = {0, IMP_UNIT_NONE};
    double degrees = radians * IMP_DEGREES_PER_RADIAN;
    snprintf(text, sizeof text, "%.*gdeg", v->single ? 7 : 15, degrees);
    bool same = !imp_read_quantity(text, "rad", &read) && imp_quantity_si(read) == radians;
    fprintf(to, "%.*g", v->single ? 9 : same ? 15 : 17, degrees);
}

static void print_value(FILE *to, const imp_variable *v, double value, bool hex) {
    char text[256];
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (flag) {
        print_name(to, flag);
    } else if (v->kind == IMP_SEQUENCE && value >= 0 && value < 0x1p53) {
        imp_sequence_text((uint64_t)value, sizeof text, text);
        fputs(text, to);
    } else if (isfinite(value) && hex) {
        fprintf(to, "%a", value);
    } else if (isfinite(value)) {
        fprintf(to, "%.*g", v->single ? 9 : 17, value);
    }
}

void imp_table_print_value(FILE *to, const imp_variable *v, double value, bool degrees) {
    if (degrees && isfinite(value)) {
        print_degrees(to, v, value);
    } else {
        print_value(to, v, value, false);
    }
}

void imp_table_print_row(const imp_table *t, int64_t cell, FILE *to) {
    for (int i = 0; i < t->n; i++) {
        const imp_table_part *p = &t->parts[i];
        for (int64_t k = p->first; k < p->first + p->taken; k++) {
            double value = imp_table_value(t, i, cell, k);
            fputs(i || k > p->first ? "," : "", to);
            if (p->degrees[k] && isfinite(value)) {
                print_degrees(to, p->variable, value);
            } else {
                print_value(to, p->variable, value, t->selection->hex);
            }
        }
    }
    fputs("\n", to);
}

void imp_table_print_heads(const imp_table *t, FILE *to) {
    for (int i = 0; i < t->n; i++) {
        const imp_table_part *p = &t->parts[i];
        bool several = p->axis == IMP_TABLE_OUTPUT && p->variable->rank > t->grid->rank;
        for (int64_t k = p->first; k < p->first + p->taken; k++) {
            fprintf(to, "%s%s", i || k > p->first ? "," : "", p->variable->name);
            if (several) {
                fprintf(to, "_%lld", (long long)k + 1);
            }
            fputs(p->degrees[k] ? " [deg]" : "", to);
        }
    }
    fputs("\n", to);
}

/* ---- the cells of a map, or a selection of it ---- */

typedef struct printer {
    imp_table table;
    FILE *to;
} printer;

static imp_err read_rows(void *of, int64_t first, int64_t n) {
    printer *p = of;
    imp_err error = imp_wrote("table", p->to);
    return error ? error : imp_table_read(&p->table, first, n);
}

static void print_row(void *of, int64_t cell) {
    printer *p = of;
    imp_table_print_row(&p->table, cell, p->to);
}

imp_err imp_map_print(const void *map, FILE *to) {
    printer p = {.to = to};
    imp_table_open(map, &p.table);
    imp_err error = imp_table_add_selected(&p.table);
    if (!error) {
        imp_table_print_heads(&p.table, to);
        error = imp_selection_walk(map, read_rows, print_row, &p);
    }
    imp_table_close(&p.table);
    return error;
}
