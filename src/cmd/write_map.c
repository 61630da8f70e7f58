/* A map, or what is selected of it, as a long table: CSV with one row per cell. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/selection.h"
#include "cmd/writers.h"
#include "store/catalog.h"

enum { ROWS_AT_ONCE = 1 << 14, MAX_COLUMNS = 128 };

/* One variable of the table: a coordinate, looked up by the cell's index on its axis, or an output,
 * which has one column for each of its values. */
typedef struct column {
    const imp_variable *variable;
    int axis;             /* of a coordinate; -1 for an output */
    int64_t length;       /* values per cell */
    int64_t first, taken; /* of the values per cell, which are printed */
    bool degrees;
    double *values; /* all of a coordinate, or the rows at hand of an output */
} column;

typedef struct table {
    const imp_selection *selection;
    const imp_catalog *catalog;
    const imp_variable *grid;
    column columns[MAX_COLUMNS];
    int n;
} table;

static imp_err add(table *t, const imp_variable *v, int axis) {
    int64_t length = axis >= 0 ? 1 : imp_catalog_length(t->catalog, v);
    int64_t size = axis >= 0 ? v->size : ROWS_AT_ONCE * length;
    column *c = &t->columns[t->n];
    *c = (column){.variable = v,
                  .axis = axis,
                  .length = length,
                  .taken = 1,
                  .degrees = imp_selection_degrees(t->selection, v),
                  .values = malloc((size_t)size * sizeof *c->values)};
    if (axis < 0) {
        imp_selection_part(t->selection, v, length, &c->first, &c->taken);
    }
    if (!c->values) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    t->n++;
    return axis >= 0 ? imp_catalog_read(t->catalog, v, 0, size, c->values) : IMP_OK;
}

/* Coordinates in the order of the axes, then outputs in the order of the file, the outcome last. */
static imp_err choose_columns(table *t) {
    imp_err error = IMP_OK;
    int n = imp_catalog_count(t->catalog);
    for (int axis = 0; axis < t->grid->rank; axis++) {
        for (int i = 0; !error && i < n && t->n < MAX_COLUMNS; i++) {
            const imp_variable *v = imp_catalog_at(t->catalog, i);
            bool coordinate = v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN;
            if (coordinate && imp_catalog_axis(t->catalog, v) == axis) {
                error = add(t, v, axis);
            }
        }
    }
    for (int i = 0; !error && i < n && t->n < MAX_COLUMNS; i++) {
        const imp_variable *v = imp_catalog_at(t->catalog, i);
        if ((v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME) &&
            imp_selection_has(t->selection, v)) {
            error = add(t, v, -1);
        }
    }
    return error;
}

/* A name from the file, which may not be ours: quoted where it is no plain word, and never a formula. */
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

/* In as few digits as give the same radians, so that 30 deg is 30. */
static void print_degrees(FILE *to, const imp_variable *v, double radians) {
    char text[40];
    imp_quantity read = {0, IMP_UNIT_NONE};
    double degrees = radians * IMP_DEGREES_PER_RADIAN;
    snprintf(text, sizeof text, "%.*gdeg", v->single ? 7 : 15, degrees);
    bool same = !imp_read_quantity(text, true, &read) && imp_quantity_si(read) == radians;
    fprintf(to, "%.*g", v->single ? 9 : same ? 15 : 17, degrees);
}

static void print_value(FILE *to, const imp_variable *v, double value) {
    char text[256];
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (flag) {
        print_name(to, flag);
    } else if (v->kind == IMP_SEQUENCE && value >= 0 && value < 0x1p53) {
        imp_sequence_text((uint64_t)value, sizeof text, text);
        fputs(text, to);
    } else if (isfinite(value)) {
        fprintf(to, "%.*g", v->single ? 9 : 17, value);
    }
}

/* Prints n cells from `cell` on; the columns hold those from `first` on. */
static void print_rows(const table *t, int64_t first, int64_t cell, int64_t n, FILE *to) {
    for (int64_t i = cell - first; i < cell - first + n; i++) {
        int64_t index[IMP_MAX_RANK], rest = first + i;
        for (int a = t->grid->rank - 1; a >= 0; a--) {
            index[a] = rest % t->grid->extents[a];
            rest /= t->grid->extents[a];
        }
        for (int c = 0; c < t->n; c++) {
            const column *from = &t->columns[c];
            int64_t at = from->axis >= 0 ? index[from->axis] : i * from->length;
            for (int64_t k = from->first; k < from->first + from->taken; k++) {
                fputs(c || k > from->first ? "," : "", to);
                if (from->degrees && isfinite(from->values[at + k])) {
                    print_degrees(to, from->variable, from->values[at + k]);
                } else {
                    print_value(to, from->variable, from->values[at + k]);
                }
            }
        }
        fputs("\n", to);
    }
}

/* The values of an output are numbered from 1, as along their dimension. A unit is written as a table of a config
 * has it. */
static void print_heads(const table *t, FILE *to) {
    for (int c = 0; c < t->n; c++) {
        const column *from = &t->columns[c];
        bool several = from->axis < 0 && from->variable->rank > t->grid->rank;
        for (int64_t k = from->first; k < from->first + from->taken; k++) {
            fprintf(to, "%s%s", c || k > from->first ? "," : "", from->variable->name);
            if (several) {
                fprintf(to, "_%lld", (long long)k + 1);
            }
            fputs(from->degrees ? " [deg]" : "", to);
        }
    }
    fputs("\n", to);
}

/* Reads the outputs of n cells. */
static imp_err read_rows(const table *t, int64_t first, int64_t n) {
    imp_err error = IMP_OK;
    for (int c = 0; !error && c < t->n; c++) {
        const column *from = &t->columns[c];
        if (from->axis < 0) {
            error = imp_catalog_read(t->catalog, from->variable, first * from->length,
                                     n * from->length, from->values);
        }
    }
    return error;
}

/* Short runs of cells are read together with what lies between them. */
static imp_err print_table(const table *t, FILE *to) {
    enum { SHORT = 256 };
    imp_err error = IMP_OK;
    print_heads(t, to);
    int64_t run, cell = imp_selection_next(t->selection, 0, &run);
    while (!error && cell < t->grid->size) {
        int64_t first = cell, left = t->grid->size - first;
        int64_t n = run < SHORT ? left : run;
        n = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
        error = read_rows(t, first, n);
        while (!error && cell < first + n) {
            run = run < first + n - cell ? run : first + n - cell;
            print_rows(t, first, cell, run, to);
            cell = imp_selection_next(t->selection, cell + run, &run);
        }
        if (!error && ferror(to)) {
            error = imp_fail(IMP_ERR_IO, "could not write the table: %s", strerror(errno));
        }
    }
    return error;
}

imp_err imp_map_print(const void *map, FILE *to) {
    const imp_selection *selection = map;
    table t = {.selection = selection,
               .catalog = selection->catalog,
               .grid = imp_catalog_grid(selection->catalog)};
    imp_err error = choose_columns(&t);
    error = error ? error : print_table(&t, to);
    for (int c = 0; c < t.n; c++) {
        free(t.columns[c].values);
    }
    return error;
}

bool imp_map_starts(const char *line) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_, []", last[] = ",outcome";
    size_t length = strspn(line, word), end = sizeof last - 1;
    return length > end && line[length] == '\n' && strncmp(line + length - end, last, end) == 0;
}
