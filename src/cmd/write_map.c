/* A map, or a selection of it, as a long table: CSV with one row per cell. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/table.h"
#include "cmd/writers.h"

typedef struct printer {
    imp_table table;
    FILE *to;
} printer;

static imp_err read_rows(void *of, int64_t first, int64_t n) {
    printer *p = of;
    return ferror(p->to) ? imp_fail(IMP_ERR_IO, "could not write the table: %s", strerror(errno))
                         : imp_table_read(&p->table, first, n);
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
    return error        ? error
           : ferror(to) ? imp_fail(IMP_ERR_IO, "could not write the table: %s", strerror(errno))
                        : IMP_OK;
}

bool imp_map_starts(const char *line) {
    static const char word[] = "abcdefghijklmnopqrstuvwxyz0123456789_, []", last[] = ",outcome";
    size_t length = strspn(line, word), end = sizeof last - 1;
    return length > end && line[length] == '\n' && strncmp(line + length - end, last, end) == 0;
}
