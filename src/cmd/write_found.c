/* Boundaries, junctions and points of a refined map as CSV: one row per vertex, junction or
 * point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/error.h"
#include "cmd/found.h"
#include "cmd/selection.h"
#include "cmd/value.h"
#include "cmd/writers.h"
#include "store/names.h"

enum { ROWS_AT_ONCE = 1 << 14 };

static void print_value(FILE *to, const imp_selection *s, const imp_variable *v, double value) {
    char text[256];
    if (imp_code_text(v, value, sizeof text, text)) {
        fputs(text, to);
    } else if (isfinite(value)) {
        bool degrees = imp_selection_degrees(s, v);
        fprintf(to, "%.*g", v->single ? 9 : 17, degrees ? value * IMP_DEGREES_PER_RADIAN : value);
    }
}

static void print_label(FILE *to, const imp_labels *labels, double label) {
    const char *name = imp_label_name(labels, label);
    bool plain = !strpbrk(name, ",\"");
    fputs(plain ? "" : "\"", to);
    for (const char *at = name; *at; at++) {
        putc(*at == '"' || (unsigned char)*at < ' ' ? '?' : *at, to);
    }
    fputs(plain ? "" : "\"", to);
}

/* The values of the axes that are not refined are columns too, but of borders, of which each is one
 * of regions, and of events, which have an axis of their own. */
static imp_err print_table(const imp_selection *s, FILE *to) {
    bool borders = strcmp(s->group, "borders") == 0, events = strcmp(s->group, "events") == 0;
    imp_found f;
    imp_labels labels;
    imp_err error = imp_found_read(s->catalog, s->group, &f);
    error = error || borders || events ? error : imp_found_add_outer(s->catalog, &f);
    imp_labels_read(s->catalog, &labels);
    for (int c = 0; !error && c < f.n_columns; c++) {
        fprintf(to, "%s%s%s", c ? "," : "", imp_found_head(f.variables[c]),
                imp_selection_degrees(s, f.variables[c]) ? " [deg]" : "");
    }
    for (int64_t i = -1; !error && i < f.n; i++) {
        for (int c = 0; i >= 0 && c < f.n_columns; c++) {
            fputs(c ? "," : "", to);
            if (imp_is_label(f.variables[c])) {
                print_label(to, &labels, f.values[c][i]);
            } else {
                print_value(to, s, f.variables[c], f.values[c][i]);
            }
        }
        fputs("\n", to);
    }
    imp_labels_free(&labels);
    imp_found_free(&f);
    return error;
}

/* Maps of older versions have neither regions nor borders; every other map has a region. */
imp_err imp_found_print(const void *map, FILE *to) {
    const imp_selection *s = map;
    bool regions = strcmp(s->group, "regions") == 0 || strcmp(s->group, "borders") == 0;
    bool old = regions && imp_catalog_has_grid(s->catalog) && imp_catalog_is_refined(s->catalog) &&
               !imp_catalog_find(s->catalog, "regions/region_label");
    return old ? imp_fail(IMP_ERR_INPUT, "the map has no regions, because an older version of the "
                                         "program computed it; they need a new run")
               : print_table(s, to);
}

/* ---- points ---- */

/* The columns of the points, read in pieces. */
typedef struct pieces {
    const imp_selection *s;
    const imp_variable *variables[IMP_MOST_FOUND];
    double *values[IMP_MOST_FOUND];
    int64_t length[IMP_MOST_FOUND];
    int n, outcome;
} pieces;

static imp_err choose(pieces *p) {
    const imp_catalog *catalog = p->s->catalog;
    p->outcome = -1;
    for (const imp_variable *v = NULL;
         (v = imp_catalog_next(catalog, v)) != NULL && p->n < IMP_MOST_FOUND;) {
        if (v->role == IMP_IS_POINT) {
            p->outcome = strcmp(v->name, IMP_POINT_OUTCOME) == 0 ? p->n : p->outcome;
            p->length[p->n] = v->rank > 1 ? v->extents[1] : 1;
            p->variables[p->n] = v;
            p->values[p->n] = malloc((size_t)(ROWS_AT_ONCE * p->length[p->n]) * sizeof(double));
            if (!p->values[p->n++]) {
                return imp_out_of_memory();
            }
        }
    }
    return p->outcome >= 0 ? IMP_OK
                           : imp_fail(IMP_ERR_INPUT, "the map was not refined: it has no points");
}

static void print_points_heads(const pieces *p, FILE *to) {
    for (int c = 0; c < p->n; c++) {
        for (int64_t k = 0; k < p->length[c]; k++) {
            fprintf(to, "%s%s", c || k ? "," : "", imp_found_head(p->variables[c]));
            if (p->length[c] > 1) {
                fprintf(to, "_%lld", (long long)k + 1);
            }
            fputs(imp_selection_degrees(p->s, p->variables[c]) ? " [deg]" : "", to);
        }
    }
    fputs("\n", to);
}

static void print_point(const pieces *p, int64_t row, FILE *to) {
    for (int c = 0; c < p->n; c++) {
        for (int64_t k = 0; k < p->length[c]; k++) {
            fputs(c || k ? "," : "", to);
            print_value(to, p->s, p->variables[c], p->values[c][row * p->length[c] + k]);
        }
    }
    fputs("\n", to);
}

imp_err imp_points_print(const void *map, FILE *to) {
    pieces p = {.s = map};
    imp_err error = choose(&p);
    int64_t rows = error ? 0 : p.variables[p.outcome]->size;
    if (!error) {
        print_points_heads(&p, to);
    }
    for (int64_t first = 0; !error && first < rows; first += ROWS_AT_ONCE) {
        int64_t n = rows - first < ROWS_AT_ONCE ? rows - first : ROWS_AT_ONCE;
        /* Outcomes first: a live run writes a point before its mark. */
        for (int c = -1; !error && c < p.n; c++) {
            int from = c < 0 ? p.outcome : c;
            if (c != p.outcome) {
                error = imp_catalog_read(p.s->catalog, p.variables[from], first * p.length[from],
                                         n * p.length[from], p.values[from]);
            }
        }
        for (int64_t i = 0; !error && i < n; i++) {
            if (p.values[p.outcome][i] != IMP_PENDING) {
                print_point(&p, i, to);
            }
        }
    }
    for (int c = 0; c < p.n; c++) {
        free(p.values[c]);
    }
    return error;
}
