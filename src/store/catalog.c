#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "grid/grid.h"
#include "store/catalog_impl.h"
#include "store/names.h"

static bool is_name(const char *name) {
    const char *at = name;
    while ((unsigned char)*at >= ' ' && *at != 0x7F) {
        at++;
    }
    return *at == 0 && at - name < IMP_NAME;
}

/* A group of a map while its datasets are described. */
typedef struct walk {
    imp_catalog *catalog;
    const char *prefix; /* of the names of its datasets */
    int64_t first;      /* added to the order of creation */
} walk;

/* Describes the object of a hard link, if it is a dataset. False if it is damaged. */
static bool note_hard_link(const walk *w, hid_t group, const char *link, int64_t order) {
    imp_catalog *catalog = w->catalog;
    imp_variable *next = &catalog->variables[catalog->n];
    char name[2 * IMP_NAME];
    bool usable = false;
    snprintf(name, sizeof name, "%s%s", w->prefix, link);
    if (strlen(name) >= IMP_NAME) {
        return true;
    }
    hid_t object = H5Oopen(group, link, H5P_DEFAULT);
    bool good = object >= 0 &&
                (H5Iget_type(object) != H5I_DATASET || imp_describe(object, name, next, &usable));
    if (usable) {
        next->order = w->first + order;
        catalog->n++;
    }
    imp_h5_shut(object, H5Oclose);
    if (!good) {
        memcpy(catalog->damaged, name, strlen(name) + 1);
    }
    return good;
}

/* Soft and external links are skipped: their objects may be in other files. */
static herr_t note_object(hid_t group, const char *name, const H5L_info_t *info, void *context) {
    const walk *w = context;
    if (!info->corder_valid) {
        return -1;
    }
    if (info->type != H5L_TYPE_HARD || w->catalog->n == IMP_MAX_VARIABLES || !is_name(name)) {
        return 0;
    }
    return note_hard_link(w, group, name, info->corder) ? 0 : -1;
}

/* In native order: in any other, HDF5 1.10 first makes a list, and frees entries of it that it
 * could not read. */
static bool walk_group(imp_catalog *c, hid_t group, const char *prefix, int64_t first) {
    walk w = {.catalog = c, .prefix = prefix, .first = first};
    hsize_t index = 0;
    return H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &index, note_object, &w) >= 0;
}

/* A group that only some maps have: older maps have no group `run`, maps without refinement no
 * `points`. */
static bool walk_part(imp_catalog *c, const char *group, int number) {
    H5L_info_t info;
    char prefix[IMP_NAME];
    snprintf(prefix, sizeof prefix, "%s/", group);
    htri_t exists = H5Lexists(c->file->id, group, H5P_DEFAULT);
    if (exists <= 0 || H5Lget_info(c->file->id, group, &info, H5P_DEFAULT) < 0 ||
        info.type != H5L_TYPE_HARD) {
        return true;
    }
    hid_t object = H5Oopen(c->file->id, group, H5P_DEFAULT);
    bool good = object >= 0 && (H5Iget_type(object) != H5I_GROUP ||
                                walk_group(c, object, prefix, (int64_t)number << 40));
    imp_h5_shut(object, H5Oclose);
    return good;
}

static bool walk_parts(imp_catalog *c) {
    static const char *const parts[] = {
#define NAME(constant, group, dimension, word) group,
        IMP_GROUP_POINTS, IMP_FINDING_TABLES(NAME) IMP_GROUP_RUN
#undef NAME
    };
    bool good = true;
    for (int i = 0; good && i < (int)(sizeof parts / sizeof *parts); i++) {
        good = walk_part(c, parts[i], i + 1);
    }
    return good;
}

/* ---- the interface ---- */

/* Whether an output has the shape of the grid, or one dimension more that has its own scale. */
static bool fits_grid(const imp_catalog *c, const imp_variable *v) {
    int rank = c->grid->rank;
    bool good = (v->rank == rank || v->rank == rank + 1) &&
                memcmp(v->extents, c->grid->extents, (size_t)rank * sizeof *v->extents) == 0;
    if (!good || v->rank == rank) {
        return good;
    }
    const imp_variable *scale = imp_catalog_find(c, v->dimensions[rank]);
    return scale && scale->role == IMP_IS_DIMENSION && scale->size == v->extents[rank];
}

/* Finds the outcome; whether all outputs have its shape and all coordinates the length of their
 * dimension. */
static bool find_grid(imp_catalog *c) {
    imp_role of_grid = c->is_history ? IMP_IS_AXIS : IMP_IS_OUTCOME;
    for (int i = 0; i < c->n; i++) {
        if (c->variables[i].role == of_grid) {
            c->grid = &c->variables[i];
        }
    }
    const imp_variable *points = imp_catalog_find(c, IMP_POINT_OUTCOME);
    c->points = points && points->role == IMP_IS_POINT && points->rank == 1 ? points : NULL;
    c->grid = c->grid ? c->grid : c->points;
    bool good = c->grid && c->grid->rank <= IMP_MAX_AXES;
    for (int i = 0; good && i < c->n; i++) {
        const imp_variable *v = &c->variables[i];
        if (v->role == IMP_IS_OUTPUT) {
            good = fits_grid(c, v);
        } else if (v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN) {
            int axis = imp_catalog_axis(c, v);
            good = v->rank == 1 && axis >= 0 && v->size == c->grid->extents[axis];
        } else if (v->role == IMP_IS_DIMENSION) {
            good = v->rank == 1;
        } else if (v->role == IMP_IS_FIXED) {
            good = v->rank == 0;
        } else if (v->role == IMP_IS_POINT) {
            good = c->points && v->rank > 0 && v->rank <= 2 && v->extents[0] == c->points->size;
        } else if (v->role == IMP_IS_FINDING) {
            good = v->rank == 1;
        }
    }
    return good;
}

static int by_order(const void *a, const void *b) {
    const imp_variable *one = a, *other = b;
    return (one->order > other->order) - (one->order < other->order);
}

static imp_err check_format(imp_catalog *c) {
    if (c->is_history) {
        return imp_h5_get_integer(c->file->id, IMP_ATTRIBUTE_HISTORY, &c->format) &&
                       c->format == IMP_HISTORY_FORMAT
                   ? IMP_OK
                   : imp_fail(IMP_ERR_INPUT, "%s: is not a history that this program reads",
                              c->path);
    }
    if (!imp_h5_get_integer(c->file->id, IMP_ATTRIBUTE_FORMAT, &c->format)) {
        return imp_fail(IMP_ERR_INPUT, "%s: is not a map of impactsweep", c->path);
    }
    return c->format >= IMP_OLDEST_FORMAT && c->format <= IMP_FORMAT
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT, "%s: has format %lld, this program reads %d to %d",
                          c->path, (long long)c->format, IMP_OLDEST_FORMAT, IMP_FORMAT);
}

static imp_err survey(imp_catalog *c) {
    imp_err error = check_format(c);
    if (error) {
        return error;
    }
    if (!walk_group(c, c->file->id, "", 0) || !walk_parts(c)) {
        const char *where = c->damaged[0] ? c->damaged : "the list of its datasets";
        return imp_fail(IMP_ERR_IO, "%s: is damaged: %s", c->path, where);
    }
    qsort(c->variables, (size_t)c->n, sizeof *c->variables, by_order);
    return find_grid(c)
               ? IMP_OK
               : imp_fail(IMP_ERR_IO, "%s: is damaged: the shapes of its datasets do not agree",
                          c->path);
}

/* Opens the descriptor, or the path if the descriptor is negative. */
static imp_err open_by(int descriptor, const char *path, bool is_history, imp_catalog **catalog) {
    imp_catalog *c = calloc(1, sizeof *c);
    *catalog = NULL;
    if (!c) {
        return imp_out_of_memory();
    }
    c->is_history = is_history;
    c->path = strdup(path);
    c->variables = calloc(IMP_MAX_VARIABLES, sizeof *c->variables);
    c->asked = calloc(1, sizeof *c->asked);
    bool good = c->path && c->variables && c->asked;
    imp_err error = !good            ? imp_out_of_memory()
                    : descriptor < 0 ? imp_h5_open(path, &c->file)
                                     : imp_h5_attach(descriptor, path, &c->file);
    error = error ? error : imp_h5_judge(c->file, path, survey(c));
    if (error) {
        imp_catalog_close(&c);
        return error;
    }
    *catalog = c;
    return IMP_OK;
}

imp_err imp_catalog_open(const char *path, imp_catalog **catalog) {
    return open_by(-1, path, false, catalog);
}

imp_err imp_catalog_open_history(const char *path, imp_catalog **catalog) {
    return open_by(-1, path, true, catalog);
}

imp_err imp_catalog_attach(int descriptor, const char *path, imp_catalog **catalog) {
    return open_by(descriptor, path, false, catalog);
}

imp_err imp_catalog_judge(const imp_catalog *catalog) {
    return imp_h5_judge(catalog->file, catalog->path, IMP_OK);
}

void imp_catalog_close(imp_catalog **catalog) {
    imp_catalog *c = *catalog;
    *catalog = NULL;
    if (!c) {
        return;
    }
    imp_h5_close(&c->file);
    for (imp_asked_text *one = c->asked ? *c->asked : NULL, *next; one; one = next) {
        next = one->next;
        imp_text_free(&one->text);
        free(one);
    }
    free(c->asked);
    free(c->variables);
    free(c->path);
    free(c);
}

const imp_variable *imp_catalog_next(const imp_catalog *catalog, const imp_variable *variable) {
    const imp_variable *next = variable ? variable + 1 : catalog->variables;
    return next < catalog->variables + catalog->n ? next : NULL;
}

const imp_variable *imp_catalog_find(const imp_catalog *catalog, const char *name) {
    for (int i = 0; i < catalog->n; i++) {
        if (strcmp(catalog->variables[i].name, name) == 0) {
            return &catalog->variables[i];
        }
    }
    return NULL;
}

void imp_catalog_run_name(const imp_catalog *catalog, const char *name, char whole[IMP_NAME]) {
    snprintf(whole, IMP_NAME, IMP_GROUP_RUN "%c%s", catalog->format < 2 ? '_' : '/', name);
}

const imp_variable *imp_catalog_run(const imp_catalog *catalog, const char *name) {
    char whole[IMP_NAME];
    imp_catalog_run_name(catalog, name, whole);
    return imp_catalog_find(catalog, whole);
}

const imp_variable *imp_catalog_grid(const imp_catalog *catalog) {
    return catalog->grid;
}

bool imp_catalog_is_refined(const imp_catalog *catalog) {
    return catalog->points != NULL;
}

bool imp_catalog_has_grid(const imp_catalog *catalog) {
    return catalog->grid != catalog->points;
}

int64_t imp_catalog_length(const imp_catalog *catalog, const imp_variable *variable) {
    return variable->size / catalog->grid->size;
}

int imp_catalog_axis_named(const imp_catalog *catalog, const char *name) {
    for (int a = 0; a < catalog->grid->rank; a++) {
        if (strcmp(catalog->grid->dimensions[a], name) == 0) {
            return a;
        }
    }
    return -1;
}

int imp_catalog_axis(const imp_catalog *catalog, const imp_variable *variable) {
    return variable->rank == 1 ? imp_catalog_axis_named(catalog, variable->dimensions[0]) : -1;
}

int64_t imp_catalog_place(const imp_catalog *catalog, int64_t cell, int axis) {
    for (int a = catalog->grid->rank - 1; a > axis; a--) {
        cell /= catalog->grid->extents[a];
    }
    return cell % catalog->grid->extents[axis];
}

bool imp_catalog_is_flag(const imp_catalog *catalog, const imp_variable *variable) {
    return variable->role == IMP_IS_OUTPUT && variable->kind == IMP_CATEGORY &&
           variable->rank == imp_catalog_grid(catalog)->rank && strcmp(variable->name, "mode") != 0;
}

static int flag_of(const imp_variable *variable, double code) {
    int i = 0;
    while (i < variable->n_flags && variable->codes[i] != code) {
        i++;
    }
    return i < variable->n_flags ? i : -1;
}

const char *imp_variable_flag(const imp_variable *variable, double code) {
    int i = flag_of(variable, code);
    return i < 0 ? NULL : variable->flags[i];
}

const char *imp_variable_common(const imp_variable *variable, double code) {
    int i = flag_of(variable, code);
    return i < 0 ? NULL : variable->common[i];
}

const char *imp_catalog_text(const imp_catalog *catalog, const char *name) {
    imp_asked_text **at = catalog->asked;
    while (*at && strcmp((*at)->name, name) != 0) {
        at = &(*at)->next;
    }
    if (!*at && (*at = calloc(1, sizeof **at)) != NULL) {
        snprintf((*at)->name, sizeof(*at)->name, "%s", name);
        (*at)->there = imp_h5_get_text(catalog->file->id, name, &(*at)->text);
    } else if (!*at) {
        imp_note_out_of_memory();
        return NULL;
    }
    return (*at)->there ? imp_text_get(&(*at)->text) : NULL;
}

const char *imp_catalog_words(const imp_catalog *catalog, const char *name) {
    const char *text = imp_catalog_text(catalog, name);
    return text ? text : "";
}

void imp_catalog_part(const imp_catalog *catalog, int *part, int *parts) {
    int64_t number = 0, of = 0;
    bool good = imp_h5_get_integer(catalog->file->id, IMP_ATTRIBUTE_PART, &number) &&
                imp_h5_get_integer(catalog->file->id, IMP_ATTRIBUTE_PARTS, &of) && number > 0 &&
                number <= of && of <= INT32_MAX;
    *part = good ? (int)number : 0;
    *parts = good ? (int)of : 0;
}
