/* A map, or a selection of it, as a long table: CSV with one row per cell. */
#include <stdio.h>

#include "cmd/table.h"
#include "cmd/writers.h"

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
