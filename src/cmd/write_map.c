/* A map as a long table: CSV with one row per cell. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/writers.h"
#include "store/catalog.h"

enum { ROWS_AT_ONCE = 1 << 14, MAX_COLUMNS = 128 };

/* One variable of the table: a coordinate, looked up by the cell's index on its axis, or an output,
 * which has one column for each of its values. */
typedef struct column {
    const imp_variable *variable;
    int axis;       /* of a coordinate; -1 for an output */
    int64_t length; /* values per cell */
    double *values; /* all of a coordinate, or the rows at hand of an output */
} column;

typedef struct table {
    const imp_catalog *catalog;
    const imp_variable *grid;
    column columns[MAX_COLUMNS];
    int n;
} table;

static imp_err add(table *t, const imp_variable *v, int axis) {
    int64_t length = axis >= 0 ? 1 : imp_catalog_length(t->catalog, v);
    int64_t size = axis >= 0 ? v->size : ROWS_AT_ONCE * length;
    column *c = &t->columns[t->n];
    *c = (column){v, axis, length, malloc((size_t)size * sizeof *c->values)};
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
        if (v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME) {
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

static void print_rows(const table *t, int64_t first, int64_t n, FILE *to) {
    for (int64_t i = 0; i < n; i++) {
        int64_t index[IMP_MAX_RANK], rest = first + i;
        for (int a = t->grid->rank - 1; a >= 0; a--) {
            index[a] = rest % t->grid->extents[a];
            rest /= t->grid->extents[a];
        }
        for (int c = 0; c < t->n; c++) {
            const column *from = &t->columns[c];
            int64_t at = from->axis >= 0 ? index[from->axis] : i * from->length;
            for (int64_t k = 0; k < from->length; k++) {
                fputs(c || k ? "," : "", to);
                print_value(to, from->variable, from->values[at + k]);
            }
        }
        fputs("\n", to);
    }
}

/* The values of an output are numbered from 1, as along their dimension. */
static void print_heads(const table *t, FILE *to) {
    for (int c = 0; c < t->n; c++) {
        const column *from = &t->columns[c];
        bool several = from->axis < 0 && from->variable->rank > t->grid->rank;
        for (int64_t k = 0; k < from->length; k++) {
            fprintf(to, "%s%s", c || k ? "," : "", from->variable->name);
            if (several) {
                fprintf(to, "_%lld", (long long)k + 1);
            }
        }
    }
    fputs("\n", to);
}

static imp_err print_table(const table *t, FILE *to) {
    imp_err error = IMP_OK;
    print_heads(t, to);
    for (int64_t first = 0; !error && first < t->grid->size; first += ROWS_AT_ONCE) {
        int64_t left = t->grid->size - first, n = left < ROWS_AT_ONCE ? left : ROWS_AT_ONCE;
        for (int c = 0; !error && c < t->n; c++) {
            const column *from = &t->columns[c];
            if (from->axis < 0) {
                error = imp_catalog_read(t->catalog, from->variable, first * from->length,
                                         n * from->length, from->values);
            }
        }
        if (!error) {
            print_rows(t, first, n, to);
        }
        if (!error && ferror(to)) {
            error = imp_fail(IMP_ERR_IO, "could not write the table: %s", strerror(errno));
        }
    }
    return error;
}

imp_err imp_map_print(const void *map, FILE *to) {
    const imp_catalog *catalog = map;
    table t = {.catalog = catalog, .grid = imp_catalog_grid(catalog)};
    imp_err error = choose_columns(&t);
    error = error ? error : print_table(&t, to);
    for (int c = 0; c < t.n; c++) {
        free(t.columns[c].values);
    }
    return error;
}

bool imp_map_starts(const char *line) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_,", last[] = ",outcome";
    size_t length = strspn(line, word), end = sizeof last - 1;
    return length > end && line[length] == '\n' && strncmp(line + length - end, last, end) == 0;
}
