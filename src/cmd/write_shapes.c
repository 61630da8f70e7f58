/* Boundaries and junctions of a refined map as shapes: GeoJSON-like, and as VTK for ParaView. */
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/error.h"
#include "cmd/found.h"
#include "cmd/selection.h"
#include "cmd/value.h"
#include "cmd/writers.h"

/* A table of places: columns of each axis and of the ends of its bracket or box, and the number and
 * labels of each place. */
typedef struct shapes {
    const imp_selection *selection;
    imp_found found;
    int n_own; /* columns of the table; the others are outer axes */
    imp_labels labels;
    char axes[4][IMP_NAME];
    int n_axes;
    const double *at[4], *low[4], *high[4];
    const double *number, *refinement, *left, *right;
    double factor[4]; /* degrees per radian, or 1 */
} shapes;

static const double *column(const shapes *s, const char *prefix, const char *axis,
                            const char *ending) {
    char name[3 * IMP_NAME];
    snprintf(name, sizeof name, "%s%s%s", prefix, axis, ending);
    return imp_found_column(&s->found, name);
}

static const char *unit_of(const shapes *s, const double *values) {
    for (int c = 0; c < s->found.n_columns; c++) {
        if (s->found.values[c] == values) {
            return s->found.variables[c]->unit;
        }
    }
    return "1";
}

static imp_err open_shapes(const imp_selection *selection, const char *group, const char *prefix,
                           shapes *s) {
    *s = (shapes){.selection = selection};
    imp_err error = imp_found_read(selection->catalog, group, &s->found);
    s->n_own = s->found.n_columns;
    error = error ? error : imp_found_add_outer(selection->catalog, &s->found);
    imp_labels_read(selection->catalog, &s->labels);
    s->n_axes = imp_found_axes(&s->found, prefix, s->axes);
    for (int k = 0; k < s->n_axes; k++) {
        s->at[k] = column(s, prefix, s->axes[k], "");
        s->low[k] = column(s, prefix, s->axes[k], "_low");
        s->high[k] = column(s, prefix, s->axes[k], "_high");
        if (!error && (!s->at[k] || !s->low[k] || !s->high[k])) {
            error = imp_fail(IMP_ERR_IO, "the table '%s' lacks columns; the map is damaged", group);
        }
        bool degrees = s->at[k] && selection->degrees && strcmp(unit_of(s, s->at[k]), "rad") == 0;
        s->factor[k] = degrees ? IMP_DEGREES_PER_RADIAN : 1;
    }
    s->number = column(s, prefix, "number", "");
    s->refinement = column(s, prefix, "refinement", "");
    s->left = column(s, prefix, "left", "");
    s->right = column(s, prefix, "right", "");
    return error;
}

static void close_shapes(shapes *s) {
    imp_labels_free(&s->labels);
    imp_found_free(&s->found);
}

/* ---- GeoJSON ---- */

static void print_text(FILE *to, const char *text) {
    putc('"', to);
    for (const char *at = text; *at; at++) {
        bool plain = (unsigned char)*at >= ' ' && (unsigned char)*at < 0x7F && !strchr("\"\\", *at);
        putc(plain ? *at : '?', to);
    }
    putc('"', to);
}

static void print_place(FILE *to, const shapes *s, const double *const columns[4], int64_t i) {
    putc('[', to);
    for (int k = 0; k < s->n_axes; k++) {
        fprintf(to, "%s%.17g", k ? "," : "", s->factor[k] * columns[k][i]);
    }
    putc(']', to);
}

static void print_box(FILE *to, const shapes *s, int64_t i) {
    putc('[', to);
    print_place(to, s, s->low, i);
    putc(',', to);
    print_place(to, s, s->high, i);
    putc(']', to);
}

static double factor_of(const imp_selection *selection, const imp_variable *v) {
    return imp_selection_degrees(selection, v) ? IMP_DEGREES_PER_RADIAN : 1;
}

static const char *shown_unit(const imp_selection *selection, const imp_variable *v) {
    return imp_selection_degrees(selection, v) ? "deg" : v->unit;
}

/* Names or units of the axes, or of the outer axes, as a list. */
static void print_axes(FILE *to, const shapes *s, bool outer, bool units) {
    int n = outer ? s->found.n_columns - s->n_own : s->n_axes;
    for (int k = 0; k < n; k++) {
        const imp_variable *v = outer ? s->found.variables[s->n_own + k] : NULL;
        const char *name = v ? v->name : s->axes[k];
        const char *unit = v                   ? shown_unit(s->selection, v)
                           : s->factor[k] == 1 ? unit_of(s, s->at[k])
                                               : "deg";
        fputs(k ? "," : "", to);
        print_text(to, units ? unit : name);
    }
}

static void begin_collection(FILE *to, const shapes *s) {
    fputs("{\"type\":\"FeatureCollection\",\"axes\":[", to);
    print_axes(to, s, false, false);
    fputs("],\"units\":[", to);
    print_axes(to, s, false, true);
    if (s->n_own < s->found.n_columns) {
        fputs("],\"outer\":[", to);
        print_axes(to, s, true, false);
        fputs("],\"outer_units\":[", to);
        print_axes(to, s, true, true);
    }
    fputs("],\"features\":[", to);
}

static void begin_feature(FILE *to, bool first, const char *type) {
    fprintf(to, "%s\n{\"type\":\"Feature\",\"geometry\":{\"type\":\"%s\",\"coordinates\":",
            first ? "" : ",", type);
}

static void print_refinement(FILE *to, const shapes *s, int64_t i) {
    if (s->refinement) {
        fprintf(to, "\"refinement\":%.0f,", s->refinement[i]);
    }
    for (int c = s->n_own; c < s->found.n_columns; c++) {
        const imp_variable *v = s->found.variables[c];
        char word[256];
        print_text(to, v->name);
        putc(':', to);
        if (imp_code_text(v, s->found.values[c][i], sizeof word, word)) {
            print_text(to, word);
        } else {
            fprintf(to, "%.17g", factor_of(s->selection, v) * s->found.values[c][i]);
        }
        putc(',', to);
    }
}

/* The end of the polyline that begins with a vertex; without polylines every vertex stands
 * alone. */
static int64_t end_of(const shapes *s, int64_t first) {
    int64_t end = first + 1;
    while (end < s->found.n && s->number[end] == s->number[first] &&
           (!s->refinement || s->refinement[end] == s->refinement[first])) {
        end++;
    }
    return end;
}

static void print_line(FILE *to, const shapes *s, int64_t first, int64_t end) {
    bool line = end > first + 1;
    begin_feature(to, first == 0, line ? "LineString" : "Point");
    for (int64_t i = first; i < end; i++) {
        fputs(!line ? "" : i == first ? "[" : ",", to);
        print_place(to, s, s->at, i);
    }
    fprintf(to, "%s},\"properties\":{", line ? "]" : "");
    print_refinement(to, s, first);
    fprintf(to, "\"number\":%.0f,\"left\":", s->number[first]);
    print_text(to, imp_label_name(&s->labels, s->left[first]));
    fputs(",\"right\":", to);
    print_text(to, imp_label_name(&s->labels, s->right[first]));
    fputs(",\"brackets\":[", to);
    for (int64_t i = first; i < end; i++) {
        fputs(i > first ? "," : "", to);
        print_box(to, s, i);
    }
    fputs("]}}", to);
}

static void print_junction(FILE *to, const shapes *s, int64_t i) {
    begin_feature(to, i == 0, "Point");
    print_place(to, s, s->at, i);
    fputs("},\"properties\":{", to);
    print_refinement(to, s, i);
    fputs("\"box\":", to);
    print_box(to, s, i);
    fputs(",\"labels\":[", to);
    for (int k = 1; k <= 8; k++) {
        char name[32];
        snprintf(name, sizeof name, "junction_label_%d", k);
        const double *label = imp_found_column(&s->found, name);
        if (label && label[i] >= 0) {
            fputs(k > 1 ? "," : "", to);
            print_text(to, imp_label_name(&s->labels, label[i]));
        }
    }
    fputs("]}}", to);
}

/* A feature for each polyline of the boundaries, or for each junction. */
imp_err imp_shapes_print(const void *map, FILE *to) {
    const imp_selection *selection = map;
    bool lines = strcmp(selection->group, "boundaries") == 0;
    shapes s;
    imp_err error = open_shapes(selection, selection->group, lines ? "boundary_" : "junction_", &s);
    if (!error && lines && s.found.n > 0 && (!s.number || !s.left || !s.right)) {
        error = imp_fail(IMP_ERR_IO, "the table 'boundaries' lacks columns; the map is damaged");
    }
    if (!error) {
        begin_collection(to, &s);
        for (int64_t i = 0, end; i < s.found.n; i = end) {
            end = lines ? end_of(&s, i) : i + 1;
            if (lines) {
                print_line(to, &s, i, end);
            } else {
                print_junction(to, &s, i);
            }
        }
        fputs("]}\n", to);
    }
    close_shapes(&s);
    return error;
}

/* ---- VTK ---- */

static void print_vertices(FILE *to, const shapes *s) {
    fprintf(to, "POINTS %lld double\n", (long long)s->found.n);
    for (int64_t i = 0; i < s->found.n; i++) {
        for (int k = 0; k < 3; k++) {
            fprintf(to, "%.17g%c", k < s->n_axes ? s->factor[k] * s->at[k][i] : 0.0,
                    k < 2 ? ' ' : '\n');
        }
    }
}

/* The cells of the model: rows of a table of findings, all of them where `at` is NULL. */
typedef struct model_cells {
    const imp_selection *selection;
    const imp_found *found;
    int n_own;
    const int64_t *at;
    int64_t n;
} model_cells;

static void print_whole_numbers(FILE *to, const char *name, const double *values,
                                const model_cells *cells) {
    fprintf(to, "%s 1 %lld int\n", name, (long long)cells->n);
    for (int64_t i = 0; i < cells->n; i++) {
        fprintf(to, "%.0f\n", values[cells->at ? cells->at[i] : i]);
    }
}

/* The head of an array: "angle [rad]", in which VTK has another word for a blank. */
static void print_array_name(FILE *to, const imp_selection *selection, const imp_variable *v) {
    const char *unit = shown_unit(selection, v);
    fputs(v->name, to);
    if (strcmp(unit, "1") != 0) {
        fputs("%20[", to);
        for (const char *c = unit; *c; c++) {
            fprintf(to, "%.*s", *c == ' ' ? 3 : 1, *c == ' ' ? "%20" : c);
        }
        putc(']', to);
    }
}

static void print_outer_values(FILE *to, const model_cells *cells) {
    for (int c = cells->n_own; c < cells->found->n_columns; c++) {
        const imp_variable *v = cells->found->variables[c];
        const double *values = cells->found->values[c], factor = factor_of(cells->selection, v);
        if (v->kind == IMP_CATEGORY) {
            continue;
        }
        print_array_name(to, cells->selection, v);
        fprintf(to, " 1 %lld double\n", (long long)cells->n);
        for (int64_t i = 0; i < cells->n; i++) {
            fprintf(to, "%.17g\n", factor * values[cells->at ? cells->at[i] : i]);
        }
    }
}

/* Two labels of each cell, its refinement and the outer axes that are numbers. They are fields: of
 * several scalars readers take the first. */
static void print_cell_data(FILE *to, const model_cells *cells, const char *const names[2],
                            const double *const labels[2], const double *refinement) {
    int arrays = refinement ? 3 : 2;
    for (int c = cells->n_own; c < cells->found->n_columns; c++) {
        arrays += cells->found->variables[c]->kind != IMP_CATEGORY;
    }
    fprintf(to, "CELL_DATA %lld\nFIELD labels %d\n", (long long)cells->n, arrays);
    print_whole_numbers(to, names[0], labels[0], cells);
    print_whole_numbers(to, names[1], labels[1], cells);
    if (refinement) {
        print_whole_numbers(to, "refinement", refinement, cells);
    }
    print_outer_values(to, cells);
}

/* Surfaces as triangles, with the labels on either side. */
static imp_err print_surface(FILE *to, const shapes *s, imp_found *triangles) {
    const model_cells cells = {s->selection, triangles, triangles->n_columns, NULL, triangles->n};
    imp_err error = imp_found_add_outer(s->selection->catalog, triangles);
    const double *corner[3] = {imp_found_column(triangles, "triangle_corner_1"),
                               imp_found_column(triangles, "triangle_corner_2"),
                               imp_found_column(triangles, "triangle_corner_3")};
    const double *below = imp_found_column(triangles, "triangle_below"),
                 *above = imp_found_column(triangles, "triangle_above");
    if (error || !corner[0] || !corner[1] || !corner[2] || !below || !above) {
        return error ? error
                     : imp_fail(IMP_ERR_IO,
                                "the table 'triangles' lacks columns; the map is damaged");
    }
    print_vertices(to, s);
    fprintf(to, "POLYGONS %lld %lld\n", (long long)triangles->n, 4 * (long long)triangles->n);
    for (int64_t i = 0; i < triangles->n; i++) {
        fprintf(to, "3 %.0f %.0f %.0f\n", corner[0][i], corner[1][i], corner[2][i]);
    }
    print_cell_data(to, &cells, (const char *const[]){"below", "above"},
                    (const double *const[]){below, above},
                    imp_found_column(triangles, "triangle_refinement"));
    return IMP_OK;
}

/* Curves as polylines in the plane. */
static imp_err print_curves(FILE *to, const shapes *s) {
    int64_t *firsts = malloc(((size_t)s->found.n + 1) * sizeof *firsts), n = 0;
    if (!firsts) {
        return imp_out_of_memory();
    }
    for (int64_t i = 0; i < s->found.n; i = end_of(s, i)) {
        firsts[n++] = i;
    }
    firsts[n] = s->found.n;
    print_vertices(to, s);
    fprintf(to, "LINES %lld %lld\n", (long long)n, (long long)(n + s->found.n));
    for (int64_t line = 0; line < n; line++) {
        fprintf(to, "%lld", (long long)(firsts[line + 1] - firsts[line]));
        for (int64_t i = firsts[line]; i < firsts[line + 1]; i++) {
            fprintf(to, " %lld", (long long)i);
        }
        fputs("\n", to);
    }
    const model_cells cells = {s->selection, &s->found, s->n_own, firsts, n};
    print_cell_data(to, &cells, (const char *const[]){"left", "right"},
                    (const double *const[]){s->left, s->right}, s->refinement);
    free(firsts);
    return IMP_OK;
}

/* The second line, of at most 256 characters, lists the numbers of the labels. */
static void print_vtk_head(FILE *to, const shapes *s) {
    char names[200] = "";
    size_t length = 0;
    for (int i = 0; i < s->labels.n && length < sizeof names; i++) {
        length += (size_t)snprintf(names + length, sizeof names - length, " %d %s", i,
                                   s->labels.names[i]);
    }
    fprintf(to, "# vtk DataFile Version 3.0\nimpactsweep boundaries; labels:%s\nASCII\n", names);
    fputs("DATASET POLYDATA\n", to);
}

imp_err imp_boundary_vtk(const void *map, FILE *to) {
    const imp_selection *selection = map;
    shapes s;
    imp_found triangles = {.n = 0};
    imp_err error = open_shapes(selection, "boundaries", "boundary_", &s);
    error = error ? error : imp_found_read(selection->catalog, "triangles", &triangles);
    bool good = s.n_axes >= 2 && s.n_axes <= 3 && s.number && s.left && s.right;
    if (!error && !good) {
        error = imp_fail(IMP_ERR_INPUT, "VTK shows curves or surfaces: boundaries of a map that "
                                        "was refined over two or three axes");
    }
    if (!error) {
        print_vtk_head(to, &s);
        error = s.n_axes == 3 && triangles.n > 0 ? print_surface(to, &s, &triangles)
                                                 : print_curves(to, &s);
    }
    imp_found_free(&triangles);
    close_shapes(&s);
    return error;
}
