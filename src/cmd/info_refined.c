/* The part of `info` about a refined map: points, shares with their bounds, boundaries, junctions,
 * audit, base. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/found.h"
#include "cmd/info_impl.h"
#include "store/names.h"

/* The most refinements that are printed one by one; JSON lists all. */
enum { FEW = 8 };

/* The tables of a refined map that `info` reads. */
typedef struct tables {
    imp_found refinements, shares, boundaries, junctions;
    imp_labels labels;
} tables;

static imp_err open_tables(const imp_catalog *catalog, tables *t) {
    *t = (tables){.labels = {.n = 0}};
    imp_err error = imp_found_read(catalog, "refinements", &t->refinements);
    error = error ? error : imp_found_read(catalog, "shares", &t->shares);
    error = error ? error : imp_found_read(catalog, "boundaries", &t->boundaries);
    error = error ? error : imp_found_read(catalog, "junctions", &t->junctions);
    imp_labels_read(catalog, &t->labels);
    return error;
}

static void close_tables(tables *t) {
    imp_found_free(&t->refinements);
    imp_found_free(&t->shares);
    imp_found_free(&t->boundaries);
    imp_found_free(&t->junctions);
    imp_labels_free(&t->labels);
}

/* A value of a table; 0 where the file lacks the column. */
static double value(const imp_found *f, const char *name, int64_t row) {
    const double *column = imp_found_column(f, name);
    return column ? column[row] : 0;
}

/* Whether a row of a table belongs to a refinement; all rows do if there is only one. */
static bool belongs(const imp_found *f, const char *column, int64_t row, int64_t refinement) {
    const double *number = imp_found_column(f, column);
    return !number || number[row] == (double)refinement;
}

static int64_t count(const imp_found *f, const char *column, int64_t refinement) {
    int64_t n = 0;
    for (int64_t i = 0; i < f->n; i++) {
        n += belongs(f, column, i, refinement);
    }
    return n;
}

/* Number of polylines of a refinement; with one, three or four axes, of vertices. */
static int64_t count_lines(const tables *t, int64_t refinement) {
    const imp_found *f = &t->boundaries;
    const double *number = imp_found_column(f, "boundary_number");
    int64_t n = 0;
    double last = -1;
    for (int64_t i = 0; number && i < f->n; i++) {
        if (belongs(f, "boundary_refinement", i, refinement)) {
            n += number[i] != last;
            last = number[i];
        }
    }
    return n;
}

/* ---- text ---- */

static void print_shares(const tables *t, int64_t refinement) {
    for (int64_t i = 0; i < t->shares.n; i++) {
        if (belongs(&t->shares, "share_refinement", i, refinement)) {
            char points[32];
            double label = value(&t->shares, "share_label", i);
            imp_things_text((int64_t)value(&t->shares, "share_points", i), "point", "points",
                            points);
            printf("%-14s %-26s %9.4f %% +- %.2g %%, %s%s\n", "share",
                   imp_label_name(&t->labels, label), 100 * value(&t->shares, "share_area", i),
                   100 * value(&t->shares, "share_bound", i), points,
                   value(&t->shares, "share_thin", i) > 0 ? ", only on a line or at single points"
                                                          : "");
        }
    }
}

static void print_refinement(const tables *t, int64_t r) {
    const imp_found *f = &t->refinements;
    char points[32], rounds[64], vertices[64], junctions[32], lines[64], audit[64], wrong[32];
    imp_count_text((int64_t)value(f, "refinement_points", r), points);
    imp_things_text((int64_t)value(f, "refinement_rounds", r), "round", "rounds", rounds);
    imp_things_text(count(&t->boundaries, "boundary_refinement", r), "vertex", "vertices",
                    vertices);
    imp_things_text(count_lines(t, r), "boundary", "boundaries", lines);
    imp_count_text(count(&t->junctions, "junction_refinement", r), junctions);
    imp_things_text((int64_t)value(f, "refinement_audit_points", r), "random point",
                    "random points", audit);
    imp_count_text((int64_t)value(f, "refinement_audit_wrong", r), wrong);
    if (f->n > 1) {
        printf("%-14s %lld\n", "refinement", (long long)r);
    }
    printf("%-14s %s in %s%s\n", "points", points, rounds,
           value(f, "refinement_within_budget", r) > 0 ? "" : "; the budget ended the refinement");
    print_shares(t, r);
    printf("%-14s %s, %s in all, length %.6g where every range has the length 1\n", "boundaries",
           lines, vertices, value(f, "refinement_boundary_length", r));
    printf("%-14s %s\n", "junctions", junctions);
    if (value(f, "refinement_audit_points", r) > 0) {
        printf("%-14s %s of %s wrong: less than %.2g %% of the whole is wrong, with "
               "95 %% confidence\n",
               "audit", wrong, audit, 100 * value(f, "refinement_audit_bound", r));
    }
}

/* The number of a setting of the refinement. */
static double setting_of(const imp_catalog *catalog, const char *key) {
    imp_text text = {0};
    char start[32];
    double number = 0;
    snprintf(start, sizeof start, "%s\t", key);
    if (imp_catalog_text(catalog, IMP_ATTRIBUTE_REFINEMENT, &text)) {
        const char *at = strstr(imp_text_get(&text), start);
        number = at ? strtod(at + strlen(start), NULL) : 0;
    }
    imp_text_free(&text);
    return number;
}

static double base(const imp_catalog *catalog) {
    double level = setting_of(catalog, "base");
    return level >= 0 && level < 32 ? (double)(INT64_C(1) << (int)level) : 0;
}

static void print_told(const imp_catalog *catalog) {
    double boundary = setting_of(catalog, "boundary");
    printf("%-14s base of %.0f cells per axis, cells to 2^-%.0f of the range", "refined",
           base(catalog), setting_of(catalog, "depth"));
    if (boundary > 0) {
        printf(", boundaries to %.3g of it", boundary);
    }
    printf("; islands smaller than the base can be missed\n");
}

imp_err imp_info_print_refined(const contents *c) {
    tables t;
    print_told(c->catalog);
    if (!imp_catalog_has_grid(c->catalog)) {
        char done[32];
        imp_count_text(imp_catalog_grid(c->catalog)->size - imp_info_pending(c), done);
        printf("%-14s %s so far; the refinement is not complete\n", "points", done);
        if (c->busy) {
            printf("%-14s %s\n", "state", c->writer);
        }
        return IMP_OK;
    }
    imp_err error = open_tables(c->catalog, &t);
    for (int64_t r = 0; !error && r < t.refinements.n && r < FEW; r++) {
        print_refinement(&t, r);
    }
    if (!error && t.refinements.n > FEW) {
        printf("%-14s %lld in all; --json lists them\n", "refinements", (long long)t.refinements.n);
    }
    close_tables(&t);
    return error;
}

/* ---- JSON ---- */

static json_t *json_shares(const tables *t, int64_t refinement) {
    json_t *shares = json_object();
    for (int64_t i = 0; i < t->shares.n; i++) {
        if (belongs(&t->shares, "share_refinement", i, refinement)) {
            const char *name = imp_label_name(&t->labels, value(&t->shares, "share_label", i));
            json_object_set_new(
                shares, name,
                json_pack("{s:o, s:o, s:o, s:b}", "share",
                          imp_json_real(value(&t->shares, "share_area", i)), "bound",
                          imp_json_real(value(&t->shares, "share_bound", i)), "points",
                          imp_json_real(value(&t->shares, "share_points", i)), "thin",
                          value(&t->shares, "share_thin", i) > 0));
        }
    }
    return shares;
}

static json_t *json_refinement(const tables *t, int64_t r) {
    const imp_found *f = &t->refinements;
    return json_pack("{s:I, s:I, s:b, s:o, s:I, s:I, s:o, s:I, s:{s:I, s:I, s:o}}", "points",
                     (json_int_t)value(f, "refinement_points", r), "rounds",
                     (json_int_t)value(f, "refinement_rounds", r), "within_budget",
                     value(f, "refinement_within_budget", r) > 0, "shares", json_shares(t, r),
                     "boundaries", (json_int_t)count_lines(t, r), "vertices",
                     (json_int_t)count(&t->boundaries, "boundary_refinement", r), "boundary_length",
                     imp_json_real(value(f, "refinement_boundary_length", r)), "junctions",
                     (json_int_t)count(&t->junctions, "junction_refinement", r), "audit", "points",
                     (json_int_t)value(f, "refinement_audit_points", r), "wrong",
                     (json_int_t)value(f, "refinement_audit_wrong", r), "bound",
                     imp_json_real(value(f, "refinement_audit_bound", r)));
}

imp_err imp_info_add_refined(const contents *c, json_t *object) {
    static const char *const keys[] = {"depth", "boundary", "budget"};
    tables t = {.labels = {.n = 0}};
    bool ended = imp_catalog_has_grid(c->catalog);
    imp_err error = ended ? open_tables(c->catalog, &t) : IMP_OK;
    json_t *refine = json_object(), *list = json_array();
    json_object_set_new(refine, "base", imp_json_real(base(c->catalog)));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_object_set_new(refine, keys[i], imp_json_real(setting_of(c->catalog, keys[i])));
    }
    for (int64_t r = 0; !error && r < t.refinements.n; r++) {
        json_array_append_new(list, json_refinement(&t, r));
    }
    json_object_set_new(object, "refine", refine);
    json_object_set_new(object, "refinements", list);
    close_tables(&t);
    return error;
}
