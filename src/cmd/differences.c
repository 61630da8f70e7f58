#include "cmd/differences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { AT_ONCE = 1 << 12 };

/* ---- which outputs ---- */

/* An output of a map, or its outcome, by its name; NULL if there is none. */
static const imp_variable *output_named(const imp_catalog *catalog, const char *name) {
    const imp_variable *v = imp_catalog_find(catalog, name);
    return v && (v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME) ? v : NULL;
}

static bool is_asked(const char *fields, const char *name) {
    size_t length = strlen(name);
    for (const char *at = fields; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) {
            return true;
        }
    }
    return !fields;
}

/* Adds an output of the first map that the other one has as well. */
static void add_output(imp_differences *all, const imp_variable *v) {
    const imp_pair *pair = all->pair;
    const imp_variable *other = output_named(pair->catalog[1], v->name);
    if (other && (v->kind == IMP_REAL) == (other->kind == IMP_REAL)) {
        int64_t one = imp_catalog_length(pair->catalog[0], v);
        int64_t two = imp_catalog_length(pair->catalog[1], other);
        all->of[all->n++] =
            (imp_difference){.variable = {v, other}, .length = one < two ? one : two, .cell = -1};
    }
}

static void add_outputs(imp_differences *all, const char *fields) {
    const imp_catalog *catalog = all->pair->catalog[0];
    for (const imp_variable *v = NULL;
         (v = imp_catalog_next(catalog, v)) != NULL && all->n < IMP_MAX_OUTPUTS;) {
        if (v->role == IMP_IS_OUTPUT && is_asked(fields, v->name)) {
            add_output(all, v);
        }
    }
    add_output(all, imp_catalog_grid(catalog));
}

static imp_err check_fields(const imp_pair *pair, const char *fields) {
    char *copy = fields ? strdup(fields) : NULL, *rest = copy;
    imp_err error = fields && !copy ? imp_out_of_memory() : IMP_OK;
    for (char *name; !error && rest && (name = strsep(&rest, ",")) != NULL;) {
        for (int side = 0; !error && side < 2; side++) {
            if (!output_named(pair->catalog[side], name)) {
                error = imp_fail(IMP_ERR_INPUT, "--fields: %s has no output '%s'", pair->path[side],
                                 name);
            }
        }
    }
    free(copy);
    return error;
}

/* ---- values ---- */

bool imp_difference_none(const imp_difference *d, imp_tolerance tolerance, double one,
                         double other) {
    if (d->variable[0]->kind == IMP_CATEGORY) {
        const char *first = imp_variable_common(d->variable[0], one);
        const char *second = imp_variable_common(d->variable[1], other);
        return first && second ? strcmp(first, second) == 0 : !first && !second && one == other;
    }
    if (isnan(one) || isnan(other)) {
        return isnan(one) && isnan(other);
    }
    if (d->variable[0]->kind == IMP_SEQUENCE || one == other) {
        return one == other;
    }
    double larger = fmax(fabs(one), fabs(other));
    return fabs(one - other) <= tolerance.absolute + tolerance.relative * larger;
}

static void note_change(imp_difference *d, double from, double to) {
    int64_t i = 0;
    while (i < d->n_changes && (d->from[i] != from || d->to[i] != to)) {
        i++;
    }
    if (i == d->n_changes && i < IMP_CHANGES) {
        d->from[i] = from;
        d->to[i] = to;
        d->n_changes++;
    }
    *(i < IMP_CHANGES ? &d->count[i] : &d->other_changes) += 1;
}

static void note_value(imp_difference *d, int64_t cell, int64_t number, double one, double other) {
    double size = fabs(one - other);
    if (d->variable[0]->kind != IMP_REAL) {
        note_change(d, one, other);
    } else if (size > d->largest) {
        d->largest = size;
        d->cell = cell;
        d->number = number;
        d->value[0] = one;
        d->value[1] = other;
    }
}

/* Compares the values of one cell, and returns whether any of them differs. */
static bool note_cell(imp_difference *d, imp_tolerance tolerance, int64_t cell, const double *one,
                      const double *other) {
    bool differs = false, appears = false;
    for (int64_t k = 0; k < d->length; k++) {
        if (!imp_difference_none(d, tolerance, one[k], other[k])) {
            differs = true;
            appears = appears || isnan(one[k]) != isnan(other[k]);
            note_value(d, cell, k, one[k], other[k]);
        }
    }
    d->cells += differs;
    d->appears += appears;
    return differs;
}

/* ---- stretches of cells ---- */

typedef struct stretch {
    double *values[2];
    bool *skipped, *differs;
} stretch;

/* Values of all outputs in one cell. */
static int64_t width_of(const imp_differences *all) {
    int64_t width = 0;
    for (int i = 0; i < all->n; i++) {
        width += all->of[i].length;
    }
    return width;
}

static imp_err read_output(const imp_pair *pair, const imp_difference *d, int side, int64_t first,
                           int64_t n, double *to) {
    int64_t length = imp_catalog_length(pair->catalog[side], d->variable[side]);
    double *all = malloc((size_t)(n * length) * sizeof *all);
    imp_err error =
        all ? imp_pair_read(pair, side, d->variable[side], first, n, all) : imp_out_of_memory();
    for (int64_t i = 0; !error && i < n; i++) {
        memcpy(to + i * d->length, all + i * length, (size_t)d->length * sizeof *to);
    }
    free(all);
    return error;
}

/* Cells that a map has not tried yet are left out. */
static void note_pending(imp_differences *all, stretch *s, int64_t n, const double *one,
                         const double *other) {
    for (int64_t i = 0; i < n; i++) {
        s->skipped[i] = one[i] == IMP_PENDING || other[i] == IMP_PENDING;
        s->differs[i] = false;
        all->pending += s->skipped[i];
        all->compared += !s->skipped[i];
    }
}

static void compare_output(imp_differences *all, imp_difference *d, stretch *s, int64_t first,
                           int64_t n, const double *one, const double *other) {
    for (int64_t i = 0; i < n; i++) {
        bool differs = !s->skipped[i] && note_cell(d, all->tolerance, first + i,
                                                   one + i * d->length, other + i * d->length);
        s->differs[i] = s->differs[i] || differs;
    }
}

static imp_err compare_stretch(imp_differences *all, stretch *s, int64_t first, int64_t n) {
    imp_err error = IMP_OK;
    double *at[2] = {s->values[0], s->values[1]}, *begin[IMP_MAX_OUTPUTS + 1][2];
    for (int i = 0; !error && i < all->n; i++) {
        for (int side = 0; !error && side < 2; side++) {
            begin[i][side] = at[side];
            error = read_output(all->pair, &all->of[i], side, first, n, at[side]);
            at[side] += n * all->of[i].length;
        }
    }
    if (error) {
        return error;
    }
    note_pending(all, s, n, begin[all->n - 1][0], begin[all->n - 1][1]);
    for (int i = 0; i < all->n; i++) {
        compare_output(all, &all->of[i], s, first, n, begin[i][0], begin[i][1]);
    }
    for (int64_t i = 0; i < n; i++) {
        all->first = s->differs[i] && all->first < 0 ? first + i : all->first;
        all->cells += s->differs[i];
    }
    return IMP_OK;
}

static imp_err open_stretch(const imp_differences *all, stretch *s) {
    size_t values = (size_t)width_of(all) * AT_ONCE;
    s->values[0] = malloc(values * sizeof *s->values[0]);
    s->values[1] = malloc(values * sizeof *s->values[1]);
    s->skipped = malloc(2 * AT_ONCE * sizeof *s->skipped);
    s->differs = s->skipped ? s->skipped + AT_ONCE : NULL;
    return s->values[0] && s->values[1] && s->skipped ? IMP_OK : imp_out_of_memory();
}

imp_err imp_differences_find(const imp_pair *pair, const char *fields, imp_tolerance tolerance,
                             imp_err (*seen)(void *to, const imp_differences *all,
                                             const imp_compared *some),
                             void *to, imp_differences *all) {
    stretch s = {.skipped = NULL};
    *all = (imp_differences){.pair = pair, .tolerance = tolerance, .first = -1};
    imp_err error = check_fields(pair, fields);
    add_outputs(all, fields);
    error = error ? error : open_stretch(all, &s);
    for (int64_t first = 0; !error && first < pair->cells; first += AT_ONCE) {
        int64_t n = pair->cells - first < AT_ONCE ? pair->cells - first : AT_ONCE;
        error = compare_stretch(all, &s, first, n);
        if (!error && seen) {
            const imp_compared some = {
                .first = first, .n = n, .values = {s.values[0], s.values[1]}, .differs = s.differs};
            error = seen(to, all, &some);
        }
    }
    free(s.values[0]);
    free(s.values[1]);
    free(s.skipped);
    return error;
}
