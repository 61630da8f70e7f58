/* impactsweep export FILE [-o F.csv] */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "store/catalog.h"
#include "store/partial.h"

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
    imp_catalog *catalog;
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

/* Writes the table into a file, of which messages say `path`. */
static imp_err print_into(const table *t, const char *file, const char *path) {
    FILE *to = fopen(file, "w");
    imp_err error =
        to ? print_table(t, to)
           : imp_fail(IMP_ERR_INPUT, "%s: could not create it: %s", path, strerror(errno));
    if (to && fclose(to) != 0 && !error) {
        error = imp_fail(IMP_ERR_IO, "%s: could not write it: %s", path, strerror(errno));
    }
    return error;
}

/* By way of a file of its own that takes the name only when it is whole; a device or a pipe is written
 * to as it is. */
static imp_err print_to_file(const table *t, const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return print_into(t, path, path);
    }
    imp_partial partial;
    imp_err error = imp_partial_create(path, &partial);
    FILE *to = error ? NULL : imp_partial_stream(&partial);
    error = error ? error : to ? print_table(t, to) : imp_fail(IMP_ERR_MEMORY, "out of memory");
    error = error ? error : imp_partial_finish(&partial, true);
    error = error ? error : imp_partial_close(&partial);
    imp_partial_discard(&partial);
    return error;
}

static const imp_switch switches[] = {
    {"output", 'o', "FILE", "the table to write; without it, to the standard output", imp_take_text,
     0},
};

static int export(int argc, char **argv) {
    const char *output = NULL;
    int n;
    int code = imp_read_switches(&imp_command_export, argc, argv, &output, &n);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    struct stat from, to;
    if (output && stat(argv[1], &from) == 0 && stat(output, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino) {
        return imp_usage_error("export: %s is the map itself", output);
    }
    code = output ? imp_follow_link(&output) : IMP_EXIT_OK;
    if (code != IMP_EXIT_OK) {
        return code;
    }
    table t = {.n = 0};
    imp_err error = imp_catalog_open(argv[1], &t.catalog);
    if (!error) {
        t.grid = imp_catalog_grid(t.catalog);
        error = choose_columns(&t);
    }
    if (!error) {
        error = output ? print_to_file(&t, output) : print_table(&t, stdout);
    }
    for (int c = 0; c < t.n; c++) {
        free(t.columns[c].values);
    }
    imp_catalog_close(&t.catalog);
    return imp_exit(error);
}

const imp_command imp_command_export = {
    .name = "export",
    .words = "FILE [-o F.csv]",
    .summary = "a map as a long table, one row per cell",
    .example = "export map.h5 -o map.csv",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = 1,
    .needed = "which map?",
    .run = export,
};
