#include "cmd/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/tables.h"
#include "base/text.h"
#include "store/findings.h"
#include "store/names.h"

/* ---- tables without rows, which no file has ---- */

static void make_column(imp_found *found, const char *name, const char *unit) {
    double *values = malloc(sizeof *values);
    if (values && found->n_columns < IMP_MOST_FOUND) {
        imp_variable *v = &found->made[found->n_columns];
        v->role = IMP_IS_FINDING;
        v->kind = IMP_REAL;
        snprintf(v->name, sizeof v->name, "%s", name);
        snprintf(v->unit, sizeof v->unit, "%s", unit);
        found->variables[found->n_columns] = v;
        found->values[found->n_columns++] = values;
    } else {
        free(values);
    }
}

/* The fingerprint names the parameters that are refined. */
bool imp_found_is_refined(const imp_catalog *catalog, const char *parameter) {
    char line[2 * IMP_NAME];
    snprintf(line, sizeof line, "\n%s\trefined, ", parameter);
    return strstr(imp_catalog_words(catalog, IMP_ATTRIBUTE_FINGERPRINT), line) != NULL;
}

static void make_places(const imp_catalog *catalog, imp_found *found, int table) {
    size_t prefix = sizeof IMP_POINT_PREFIX - 1;
    const imp_table_name *names = &imp_table_names[table];
    const char *const *endings = imp_table_places_of[table].endings;
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (v->role == IMP_IS_POINT && imp_found_is_refined(catalog, v->name + prefix)) {
            for (int e = 0; e < 3 && endings[e]; e++) {
                char name[IMP_NAME];
                snprintf(name, sizeof name, "%s/%s_%.38s%s", names->group, names->word,
                         v->name + prefix, endings[e]);
                make_column(found, name, v->unit);
            }
        }
    }
}

static void make_columns(const imp_catalog *catalog, imp_found *found, int table) {
    const imp_table_name *names = &imp_table_names[table];
    char name[IMP_NAME];
    if (imp_catalog_find(catalog, IMP_POINT_REFINEMENT)) {
        snprintf(name, sizeof name, "%s/%s_refinement", names->group, names->word);
        make_column(found, name, "1");
    }
    if (imp_table_places_of[table].first) {
        make_places(catalog, found, table);
    }
    for (int k = 0; imp_table_column(table, k); k++) {
        snprintf(name, sizeof name, "%s/%s", names->group, imp_table_column(table, k));
        make_column(found, name, "1");
    }
    if (!imp_table_places_of[table].first) {
        make_places(catalog, found, table);
    }
}

/* Other tables are never exported without rows. */
static imp_err make_table(const imp_catalog *catalog, const char *group, imp_found *found) {
    static const int tables[] = {IMP_TABLE_BOUNDARIES, IMP_TABLE_JUNCTIONS, IMP_TABLE_FILAMENTS,
                                 IMP_TABLE_EVENTS, IMP_TABLE_BORDERS};
    found->made = calloc(IMP_MOST_FOUND, sizeof *found->made);
    for (size_t t = 0; found->made && t < sizeof tables / sizeof *tables; t++) {
        if (strcmp(group, imp_table_names[tables[t]].group) == 0) {
            make_columns(catalog, found, tables[t]);
        }
    }
    return found->made ? IMP_OK : imp_out_of_memory();
}

/* ---- maps of older versions ---- */

/* Whether an odd number of refined axes falls, by the fingerprint: "angle\trefined, linear from 80
 * to 2 deg". */
static bool is_mirrored(const char *fingerprint) {
    static const char mark[] = "\trefined, ";
    bool mirrored = false;
    for (const char *at = strstr(fingerprint, mark); at; at = strstr(at, mark)) {
        double from, to;
        at += sizeof mark - 1;
        mirrored ^= sscanf(at, "%*s from %lf to %lf", &from, &to) == 2 && to < from;
    }
    return mirrored;
}

static void exchange(imp_found *found, const char *one, const char *other) {
    int places[2] = {-1, -1};
    for (int c = 0; c < found->n_columns; c++) {
        const char *head = imp_found_head(found->variables[c]);
        places[0] = strcmp(head, one) == 0 ? c : places[0];
        places[1] = strcmp(head, other) == 0 ? c : places[1];
    }
    if (places[0] >= 0 && places[1] >= 0) {
        double *held = found->values[places[0]];
        found->values[places[0]] = found->values[places[1]];
        found->values[places[1]] = held;
    }
}

/* Sides of lines and triangles that hold on the lattice, turned to hold in values. */
static void turn_sides(const imp_catalog *catalog, imp_found *found) {
    bool old = strcmp(imp_catalog_words(catalog, IMP_ATTRIBUTE_SIDES), IMP_SIDES_IN_VALUES) != 0;
    char axes[4][IMP_NAME];
    if (old && is_mirrored(imp_catalog_words(catalog, IMP_ATTRIBUTE_FINGERPRINT))) {
        exchange(found, "below", "above");
        if (imp_found_axes(found, "boundary_", axes) == 2) {
            exchange(found, "left", "right");
        }
    }
}

/* ---- any table ---- */

imp_err imp_found_read(const imp_catalog *catalog, const char *group, imp_found *found) {
    *found = (imp_found){.n = 0};
    if (!imp_catalog_is_refined(catalog)) {
        return imp_fail(IMP_ERR_INPUT, "the map was not refined: it has no boundaries or points");
    }
    if (!imp_catalog_has_grid(catalog)) {
        return imp_fail(IMP_ERR_INPUT,
                        "the refinement of the map is not complete; go on with run --resume");
    }
    size_t length = strlen(group);
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        bool here = v->role == IMP_IS_FINDING && strncmp(v->name, group, length) == 0 &&
                    v->name[length] == '/' && found->n_columns < IMP_MOST_FOUND;
        if (!here || (found->n_columns > 0 && v->size != found->n)) {
            continue;
        }
        double *values = malloc((size_t)v->size * sizeof *values);
        found->n = v->size;
        found->variables[found->n_columns] = v;
        found->values[found->n_columns++] = values;
        error = values ? imp_catalog_read(catalog, v, 0, v->size, values) : imp_out_of_memory();
    }
    if (!error) {
        turn_sides(catalog, found);
    }
    return error || found->n_columns > 0 ? error : make_table(catalog, group, found);
}

void imp_found_free(imp_found *found) {
    for (int c = 0; c < found->n_columns; c++) {
        free(found->values[c]);
    }
    free(found->made);
    *found = (imp_found){.n = 0};
}

static const char *in_group(const imp_variable *variable) {
    const char *slash = strchr(variable->name, '/');
    return slash ? slash + 1 : variable->name;
}

const double *imp_found_column(const imp_found *found, const char *name) {
    for (int c = 0; c < found->n_columns; c++) {
        if (strcmp(in_group(found->variables[c]), name) == 0) {
            return found->values[c];
        }
    }
    return NULL;
}

const char *imp_found_head(const imp_variable *variable) {
    bool of_table = variable->role == IMP_IS_FINDING || variable->role == IMP_IS_POINT;
    const char *name = in_group(variable), *end = of_table ? strchr(name, '_') : NULL;
    return end ? end + 1 : name;
}

/* ---- the values of the axes that are not refined, as columns ---- */

/* Whether a column of the points, which every parameter of an axis is; the number of a row of a
 * table is none. */
static bool is_parameter(const imp_catalog *catalog, const imp_variable *v) {
    char name[2 * IMP_NAME];
    snprintf(name, sizeof name, IMP_POINT_PREFIX "%s", v->name);
    return (v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN) && imp_catalog_find(catalog, name);
}

static bool is_outer(const imp_catalog *catalog, int axis) {
    return axis >= 0 && !imp_found_is_refined(catalog, imp_catalog_grid(catalog)->dimensions[axis]);
}

/* The number of refinements from one value of an axis to the next, the last axis fastest. */
static int64_t stride_of(const imp_catalog *catalog, int axis) {
    const imp_variable *grid = imp_catalog_grid(catalog);
    int64_t stride = 1;
    for (int a = axis + 1; a < grid->rank; a++) {
        stride *= is_outer(catalog, a) ? grid->extents[a] : 1;
    }
    return stride;
}

static imp_err add(const imp_catalog *catalog, const imp_variable *v, const double *refinement,
                   imp_found *found) {
    int64_t stride = stride_of(catalog, imp_catalog_axis(catalog, v));
    double *values = malloc((size_t)v->size * sizeof *values);
    double *rows = malloc(((size_t)found->n + 1) * sizeof *rows);
    imp_err error =
        values && rows ? imp_catalog_read(catalog, v, 0, v->size, values) : imp_out_of_memory();
    for (int64_t i = 0; !error && i < found->n; i++) {
        bool fits = refinement[i] >= 0 && refinement[i] < 9e18;
        rows[i] = values[fits ? (int64_t)refinement[i] / stride % v->size : 0];
    }
    found->variables[found->n_columns] = v;
    found->values[found->n_columns++] = rows;
    free(values);
    return error;
}

imp_err imp_found_add_outer(const imp_catalog *catalog, imp_found *found) {
    const double *refinement = NULL;
    for (int c = 0; c < found->n_columns; c++) {
        bool here = strcmp(imp_found_head(found->variables[c]), "refinement") == 0;
        refinement = here ? found->values[c] : refinement;
    }
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL;
         !error && refinement && (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (is_parameter(catalog, v) && is_outer(catalog, imp_catalog_axis(catalog, v)) &&
            found->n_columns < IMP_MOST_FOUND) {
            error = add(catalog, v, refinement, found);
        }
    }
    return error;
}

/* ---- labels and axes ---- */

void imp_labels_read(const imp_catalog *catalog, imp_labels *labels) {
    enum { MOST = sizeof labels->names / sizeof *labels->names };
    *labels = (imp_labels){.n = 0};
    imp_text_print(&labels->text, "%s", imp_catalog_words(catalog, IMP_ATTRIBUTE_LABELS));
    for (char *at = labels->text.bytes; at && *at && labels->n < MOST;) {
        char *end = at + strcspn(at, "\n");
        labels->names[labels->n++] = at;
        at = *end ? end + 1 : end;
        *end = 0;
    }
}

void imp_labels_free(imp_labels *labels) {
    imp_text_free(&labels->text);
}

const char *imp_label_name(const imp_labels *labels, double label) {
    return label == -1 ? "-" : label >= 0 && label < labels->n ? labels->names[(int)label] : "?";
}

bool imp_is_label(const imp_variable *variable) {
    static const char *const names[] = {"left", "right", "below", "above", "label"};
    const char *head = imp_found_head(variable);
    return variable->role == IMP_IS_FINDING &&
           (imp_word_number(head, names, IMP_COUNT(names)) >= 0 || strncmp(head, "label_", 6) == 0);
}

int imp_found_axes(const imp_found *found, const char *prefix, char axes[4][IMP_NAME]) {
    static const char ending[] = "_low";
    size_t before = strlen(prefix), after = sizeof ending - 1;
    int n = 0;
    for (int c = 0; c < found->n_columns && n < 4; c++) {
        const char *name = in_group(found->variables[c]);
        size_t length = strlen(name);
        if (length > before + after && strncmp(name, prefix, before) == 0 &&
            strcmp(name + length - after, ending) == 0) {
            snprintf(axes[n++], IMP_NAME, "%.*s", (int)(length - before - after), name + before);
        }
    }
    return n;
}
