#include "cmd/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/selection.h"

/* ---- values along an axis ---- */

/* A variable along an axis of one map, with its values. */
typedef struct points {
    const imp_variable *variable;
    double *values;
} points;

/* A variable of either map, and the greatest of their absolute values. */
typedef struct facing {
    points of[2];
    double longest;
} facing;

static imp_err read_points(const imp_catalog *catalog, const imp_variable *v, points *p) {
    *p = (points){v, malloc((size_t)v->size * sizeof *p->values)};
    return p->values ? imp_catalog_read(catalog, v, 0, v->size, p->values) : imp_out_of_memory();
}

static double longest_of(const points *p) {
    double longest = 0;
    for (int64_t i = 0; i < p->variable->size; i++) {
        longest = fmax(longest, fabs(p->values[i]));
    }
    return longest;
}

/* Reads `one`, of map `first`, and `other`, of the other map. The caller frees the values in any
 * case. */
static imp_err read_facing(const imp_pair *pair, int first, const imp_variable *one,
                           const imp_variable *other, facing *f) {
    *f = (facing){.longest = 0};
    imp_err error = read_points(pair->catalog[first], one, &f->of[0]);
    error = error ? error : read_points(pair->catalog[1 - first], other, &f->of[1]);
    f->longest = error ? 0 : fmax(longest_of(&f->of[0]), longest_of(&f->of[1]));
    return error;
}

static void free_facing(facing *f) {
    free(f->of[0].values);
    free(f->of[1].values);
}

/* Rounding of a formula for the points of a range, relative to a value and to the longest one. */
static const double rounding = 1e-13, rounding_of_longest = 1e-16;

/* Whether two points are the same: options by name, numbers but for rounding. */
static bool is_same(const facing *f, int64_t i, int64_t k) {
    const points *one = &f->of[0], *other = &f->of[1];
    double a = one->values[i], b = other->values[k];
    if (one->variable->kind == IMP_CATEGORY || other->variable->kind == IMP_CATEGORY) {
        const char *first = imp_variable_flag(one->variable, a);
        const char *second = imp_variable_flag(other->variable, b);
        return first && second && strcmp(first, second) == 0;
    }
    double near = fmax(rounding * fmax(fabs(a), fabs(b)), rounding_of_longest * f->longest);
    return a == b || fabs(a - b) <= near;
}

static bool ascends(const points *p) {
    for (int64_t i = 1; i < p->variable->size; i++) {
        if (!(p->values[i] > p->values[i - 1])) {
            return false;
        }
    }
    return p->variable->kind != IMP_CATEGORY;
}

/* The first point of ascending values that is not below x, or their number. */
static int64_t first_from(const points *p, double x) {
    int64_t low = 0, high = p->variable->size;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        *(p->values[middle] < x ? &low : &high) = middle + (p->values[middle] < x);
    }
    return low;
}

/* The place of point i of the first variable on the axis of the other one, -1 if it has none.
 * sorted: whether the other one ascends. */
static int64_t place_of(const facing *f, int64_t i, bool sorted) {
    const points *other = &f->of[1];
    int64_t size = other->variable->size;
    int64_t near = sorted ? first_from(other, f->of[0].values[i]) : 0;
    int64_t first = sorted ? near - 1 : 0, last = sorted ? near : size - 1;
    for (int64_t k = first < 0 ? 0 : first; k <= last && k < size; k++) {
        if (is_same(f, i, k)) {
            return k;
        }
    }
    return -1;
}

/* ---- axes ---- */

static imp_err begin_axis(const imp_pair *pair, const char *name, imp_common_axis *axis) {
    *axis = (imp_common_axis){.size = {1, 1}};
    memcpy(axis->name, name, sizeof axis->name);
    for (int side = 0; side < 2; side++) {
        axis->axis[side] = imp_catalog_axis_named(pair->catalog[side], name);
        if (axis->axis[side] >= 0) {
            axis->size[side] = imp_catalog_grid(pair->catalog[side])->extents[axis->axis[side]];
        }
    }
    /* A foreign map may repeat a value: several points of one map are then at one of the other. */
    int64_t most = axis->size[0] > axis->size[1] ? axis->size[0] : axis->size[1];
    for (int side = 0; side < 2; side++) {
        bool has = axis->axis[side] >= 0;
        axis->at[side] = has ? calloc((size_t)most, sizeof *axis->at[side]) : NULL;
        if (has && !axis->at[side]) {
            return imp_out_of_memory();
        }
    }
    return IMP_OK;
}

/* Matches the points of `one`, of map `first`, with those of `other`, of the other map. */
static imp_err match_variables(const imp_pair *pair, int first, imp_common_axis *axis,
                               const imp_variable *one, const imp_variable *other) {
    facing f;
    imp_err error = read_facing(pair, first, one, other, &f);
    bool sorted = !error && ascends(&f.of[1]);
    for (int64_t i = 0; !error && i < one->size; i++) {
        int64_t k = place_of(&f, i, sorted);
        if (k >= 0) {
            axis->at[first][axis->n] = i;
            if (axis->at[1 - first]) {
                axis->at[1 - first][axis->n] = k;
            }
            axis->n++;
        }
    }
    free_facing(&f);
    return error;
}

/* Whether a column of rows has the same values in both maps, row by row. A value may stand in many
 * rows, so none is looked for in another one. */
static imp_err is_same_column(const imp_pair *pair, const imp_variable *one, bool *same) {
    const imp_variable *other = imp_catalog_find(pair->catalog[1], one->name);
    *same = other && other->size == one->size;
    if (!*same) {
        return IMP_OK;
    }
    facing f;
    imp_err error = read_facing(pair, 0, one, other, &f);
    for (int64_t row = 0; !error && *same && row < one->size; row++) {
        *same = is_same(&f, row, row);
    }
    free_facing(&f);
    return error;
}

/* A column of a table or a sample along an axis, or one that follows others by a formula. */
static bool is_column(const imp_catalog *catalog, const imp_variable *v, int axis) {
    return v->role == IMP_IS_COLUMN && imp_catalog_axis(catalog, v) == axis;
}

static bool is_given_column(const imp_catalog *catalog, const imp_variable *v, int axis) {
    return is_column(catalog, v, axis) && !v->formula[0];
}

/* The rows of tables and samples have their given columns' values; two axes of rows are common if
 * all of these are, row by row. */
static imp_err match_rows(const imp_pair *pair, imp_common_axis *axis) {
    const imp_catalog *catalog = pair->catalog[0];
    bool same = axis->size[0] == axis->size[1];
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL;
         !error && same && (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (is_given_column(catalog, v, axis->axis[0])) {
            error = is_same_column(pair, v, &same);
        }
    }
    for (axis->n = 0; !error && same && axis->n < axis->size[0]; axis->n++) {
        axis->at[0][axis->n] = axis->at[1][axis->n] = axis->n;
    }
    return error || same
               ? error
               : imp_fail(IMP_ERR_INPUT,
                          "the rows of '%s' differ, so the maps have no common cells", axis->name);
}

static const imp_variable *value_of(const imp_pair *pair, int side, const imp_common_axis *axis) {
    const imp_variable *v = imp_catalog_find(pair->catalog[side], axis->name);
    bool fits = v && (axis->axis[side] >= 0 ? v->rank == 1 && v->size == axis->size[side]
                                            : v->role == IMP_IS_FIXED && v->size == 1);
    return fits ? v : NULL;
}

static bool has_given_columns(const imp_pair *pair, int side, const imp_common_axis *axis) {
    const imp_catalog *catalog = pair->catalog[side];
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (is_given_column(catalog, v, axis->axis[side])) {
            return true;
        }
    }
    return false;
}

/* Keeps the common points at which a variable along the axis in map `side` has the value that the
 * other map has there. */
static imp_err keep_equal(const imp_pair *pair, int side, const imp_variable *one,
                          const imp_variable *other, imp_common_axis *axis) {
    facing f;
    imp_err error = read_facing(pair, side, one, other, &f);
    int64_t kept = 0;
    for (int64_t i = 0; !error && i < axis->n; i++) {
        int64_t at = axis->at[side][i];
        int64_t other_at = other->size > 1 && axis->at[1 - side] ? axis->at[1 - side][i] : 0;
        bool computed = isnan(f.of[1].values[other_at]); /* in every cell: no value of the axis */
        if (computed || is_same(&f, at, other_at)) {
            for (int map = 0; map < 2; map++) {
                if (axis->at[map]) {
                    axis->at[map][kept] = axis->at[map][i];
                }
            }
            kept++;
        }
    }
    axis->n = error ? axis->n : kept;
    free_facing(&f);
    return error;
}

/* What follows an axis has no part in the matching of its points, but common cells have it in
 * common. */
static imp_err match_followers(const imp_pair *pair, int side, imp_common_axis *axis) {
    const imp_catalog *catalog = pair->catalog[side];
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(catalog, v)) != NULL;) {
        const imp_variable *other = imp_catalog_find(pair->catalog[1 - side], v->name);
        bool along = other && axis->axis[1 - side] >= 0 &&
                     is_column(pair->catalog[1 - side], other, axis->axis[1 - side]);
        bool fixed = other && other->role == IMP_IS_FIXED && other->size == 1;
        if (v->formula[0] && is_column(catalog, v, axis->axis[side]) && (along || fixed)) {
            error = keep_equal(pair, side, v, other, axis);
            error = error || axis->n
                        ? error
                        : imp_fail(IMP_ERR_INPUT,
                                   "no value of '%s' with the same '%s', which follows it, is in "
                                   "both maps, so they have no common cells",
                                   axis->name, v->name);
        }
    }
    return error;
}

static imp_err match_values(const imp_pair *pair, imp_common_axis *axis) {
    const imp_variable *v[2] = {value_of(pair, 0, axis), value_of(pair, 1, axis)};
    int first = axis->axis[0] >= 0 ? 0 : 1;
    if (!v[0] || !v[1]) {
        return imp_fail(IMP_ERR_INPUT,
                        "%s has an axis '%s', and %s has neither such an axis nor one value of it, "
                        "so the maps have no common cells",
                        pair->path[first], axis->name, pair->path[1 - first]);
    }
    imp_err error = match_variables(pair, first, axis, v[first], v[1 - first]);
    return error     ? error
           : axis->n ? IMP_OK
                     : imp_fail(IMP_ERR_INPUT,
                                "no value of '%s' is in both maps, so they have no common cells",
                                axis->name);
}

static imp_err match_axis(const imp_pair *pair, imp_common_axis *axis) {
    bool rows = axis->axis[0] >= 0 && axis->axis[1] >= 0 && has_given_columns(pair, 0, axis);
    imp_err error = rows ? match_rows(pair, axis) : match_values(pair, axis);
    for (int side = 0; !error && side < 2; side++) {
        error = axis->axis[side] >= 0 ? match_followers(pair, side, axis) : IMP_OK;
    }
    return error;
}

static imp_err add_axes(imp_pair *pair, int side) {
    const imp_variable *grid = imp_catalog_grid(pair->catalog[side]);
    imp_err error = IMP_OK;
    for (int a = 0; !error && a < grid->rank; a++) {
        if (side == 0 || imp_catalog_axis_named(pair->catalog[0], grid->dimensions[a]) < 0) {
            imp_common_axis *axis = &pair->axes[pair->n_axes++];
            error = begin_axis(pair, grid->dimensions[a], axis);
            error = error ? error : match_axis(pair, axis);
            pair->cells *= axis->n;
        }
    }
    return error;
}

imp_err imp_pair_open(const char *one, const char *other, imp_pair *pair) {
    *pair = (imp_pair){.path = {one, other}, .cells = 1};
    imp_err error = IMP_OK;
    for (int side = 0; !error && side < 2; side++) {
        error = imp_catalog_open(pair->path[side], &pair->catalog[side]);
        error = error ? error : imp_selection_check_grid(pair->catalog[side]);
    }
    error = error ? error : add_axes(pair, 0);
    return error ? error : add_axes(pair, 1);
}

void imp_pair_close(imp_pair *pair) {
    for (int side = 0; side < 2; side++) {
        for (int a = 0; a < pair->n_axes; a++) {
            free(pair->axes[a].at[side]);
            pair->axes[a].at[side] = NULL;
        }
        imp_catalog_close(&pair->catalog[side]);
    }
    pair->n_axes = 0;
}

/* ---- cells ---- */

int64_t imp_pair_place(const imp_pair *pair, int axis, int side, int64_t cell) {
    for (int a = pair->n_axes - 1; a > axis; a--) {
        cell /= pair->axes[a].n;
    }
    const int64_t *at = pair->axes[axis].at[side];
    return at ? at[cell % pair->axes[axis].n] : 0;
}

int64_t imp_pair_cell(const imp_pair *pair, int side, int64_t cell) {
    const imp_variable *grid = imp_catalog_grid(pair->catalog[side]);
    int64_t place[IMP_MAX_RANK] = {0}, number = 0;
    for (int a = 0; a < pair->n_axes; a++) {
        if (pair->axes[a].axis[side] >= 0) {
            place[pair->axes[a].axis[side]] = imp_pair_place(pair, a, side, cell);
        }
    }
    for (int a = 0; a < grid->rank; a++) {
        number = number * grid->extents[a] + place[a];
    }
    return number;
}

/* Values that are read together, though some lie between the cells asked for. */
enum { SPAN = 1 << 21 };

/* Reads the cells of which the numbers are given: together if they lie near enough to one another,
 * else each half of them. */
static imp_err read_cells(const imp_catalog *catalog, const imp_variable *v, const int64_t *cell,
                          int64_t n, double *values) {
    int64_t length = imp_catalog_length(catalog, v), least = cell[0], most = cell[0];
    for (int64_t i = 1; i < n; i++) {
        least = cell[i] < least ? cell[i] : least;
        most = cell[i] > most ? cell[i] : most;
    }
    int64_t span = (most - least + 1) * length;
    if (n > 1 && span > SPAN) {
        imp_err error = read_cells(catalog, v, cell, n / 2, values);
        return error ? error
                     : read_cells(catalog, v, cell + n / 2, n - n / 2, values + n / 2 * length);
    }
    double *all = malloc((size_t)span * sizeof *all);
    imp_err error =
        all ? imp_catalog_read(catalog, v, least * length, span, all) : imp_out_of_memory();
    for (int64_t i = 0; !error && i < n; i++) {
        memcpy(values + i * length, all + (cell[i] - least) * length,
               (size_t)length * sizeof *values);
    }
    free(all);
    return error;
}

imp_err imp_pair_read(const imp_pair *pair, int side, const imp_variable *variable, int64_t first,
                      int64_t n, double *values) {
    int64_t *cell = malloc((size_t)n * sizeof *cell);
    if (!cell) {
        return imp_out_of_memory();
    }
    for (int64_t i = 0; i < n; i++) {
        cell[i] = imp_pair_cell(pair, side, first + i);
    }
    imp_err error = read_cells(pair->catalog[side], variable, cell, n, values);
    free(cell);
    return error;
}
