#include "cmd/selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/message.h"
#include "base/number.h"
#include "cmd/cmd.h"
#include "cmd/value.h"

/* A selection while it is read. */
typedef struct reader {
    const char *command;
    imp_selection *selection;
    const imp_variable *grid;
    int code; /* exit code */
} reader;

#define WRONG(r, format, ...)                                                                      \
    ((r)->code = imp_usage_error("%s: " format, (r)->command, __VA_ARGS__))

/* The index of an option by its name; -1, and reports an error, if it is not on the axis. */
static int64_t pick_option(reader *r, const imp_variable *v, const double *values,
                           const char *text) {
    const char *present[IMP_MAX_FLAGS];
    size_t n = 0;
    for (int64_t i = 0; i < v->size; i++) {
        const char *flag = imp_variable_flag(v, values[i]);
        if (flag && strcmp(flag, text) == 0) {
            return i;
        }
        if (flag && n < IMP_MAX_FLAGS) {
            present[n++] = flag;
        }
    }
    imp_text allowed = {0};
    imp_print_allowed(&allowed, text, ", which has: ", present, n);
    WRONG(r, "--slice %s=%s: no such option on the axis%s", v->name, imp_show(text).text,
          imp_text_get(&allowed));
    imp_text_free(&allowed);
    return -1;
}

/* The index of the nearest point; -1, and reports an error, outside the axis. */
static int64_t pick_point(reader *r, const imp_variable *v, const double *values,
                          const char *text) {
    imp_quantity quantity;
    const char *wrong = imp_read_quantity(text, v->unit, &quantity);
    if (wrong) {
        WRONG(r, "--slice %s=%s: '%s' %s", v->name, imp_show(text).text, text, wrong);
        return -1;
    }
    double value = imp_quantity_si(quantity);
    int64_t nearest = 0, least = 0, greatest = 0;
    for (int64_t i = 1; i < v->size; i++) {
        nearest = fabs(values[i] - value) < fabs(values[nearest] - value) ? i : nearest;
        least = values[i] < values[least] ? i : least;
        greatest = values[i] > values[greatest] ? i : greatest;
    }
    double room = 1e-9 * fmax(fabs(values[least]), fabs(values[greatest]));
    if (value < values[least] - room || value > values[greatest] + room) {
        WRONG(r, "--slice %s=%s: outside the axis, which runs from %s to %s", v->name,
              imp_show(text).text, imp_shown_value(v, values[least], 6).text,
              imp_shown_value(v, values[greatest], 6).text);
        return -1;
    }
    if (fabs(values[nearest] - value) > room) {
        imp_say(stderr,
                "impactsweep: note: %s=%s is between two points; the nearest one is used: %s\n",
                v->name, imp_show(text).text, imp_shown_value(v, values[nearest], 6).text);
    }
    return nearest;
}

static void cut_axis(reader *r, int axis, const char *text) {
    const imp_variable *v = imp_catalog_find(r->selection->catalog, r->grid->dimensions[axis]);
    double *values = v ? malloc((size_t)v->size * sizeof *values) : NULL;
    imp_err error = !v       ? imp_fail(IMP_ERR_IO, "an axis of the map has no values")
                    : values ? imp_catalog_read(r->selection->catalog, v, 0, v->size, values)
                             : imp_out_of_memory();
    if (error) {
        r->code = imp_exit(error);
    } else if (r->selection->at[axis] >= 0) {
        WRONG(r, "--slice %s=%s: '%s' is cut twice", v->name, imp_show(text).text, v->name);
    } else {
        r->selection->at[axis] = v->kind == IMP_CATEGORY ? pick_option(r, v, values, text)
                                                         : pick_point(r, v, values, text);
    }
    free(values);
}

/* Length of a dimension of outputs that is not an axis; 0 if there is none of this name. */
static int64_t length_of(const reader *r, const char *name) {
    const imp_catalog *catalog = r->selection->catalog;
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (v->role == IMP_IS_OUTPUT && v->rank > r->grid->rank &&
            strcmp(v->dimensions[r->grid->rank], name) == 0) {
            return v->extents[r->grid->rank];
        }
    }
    return 0;
}

static void cut_dimension(reader *r, const char *name, int64_t length, const char *text) {
    int64_t number;
    imp_selection *s = r->selection;
    if (imp_read_count(text, &number) || number < 1 || number > length) {
        WRONG(r, "--slice %s=%s: not a number from 1 to %lld", name, imp_show(text).text,
              (long long)length);
    } else if (s->n_dimensions < IMP_MAX_RANK) {
        snprintf(s->dimension[s->n_dimensions], IMP_NAME, "%s", name);
        s->number[s->n_dimensions++] = number - 1;
    }
}

static void refuse_name(reader *r, const char *name, const char *text) {
    const imp_variable *v = imp_catalog_find(r->selection->catalog, name);
    const char *names[IMP_MAX_RANK];
    imp_text allowed = {0};
    for (int a = 0; a < r->grid->rank; a++) {
        names[a] = r->grid->dimensions[a];
    }
    imp_print_allowed(&allowed, name, "; the map has: ", names, (size_t)r->grid->rank);
    if (v && v->role == IMP_IS_COLUMN) {
        WRONG(r, "--slice %s=%s: '%s' is a column of the axis '%s'; give %s=NUMBER", name,
              imp_show(text).text, name, v->dimensions[0], v->dimensions[0]);
    } else if (v && v->role == IMP_IS_FIXED) {
        WRONG(r, "--slice %s=%s: '%s' has one value in this map and is not an axis", name,
              imp_show(text).text, name);
    } else {
        WRONG(r, "--slice %s=%s: unknown axis '%s'%s", name, imp_show(text).text, name,
              imp_text_get(&allowed));
    }
    imp_text_free(&allowed);
}

static void read_slice(reader *r, const char *word) {
    const char *equals = strchr(word, '=');
    if (!equals || equals == word || !equals[1]) {
        WRONG(r, "--slice %s: write axis=value", imp_show(word).text);
        return;
    }
    char name[IMP_NAME];
    snprintf(name, sizeof name, "%.*s", (int)(equals - word), word);
    int axis = imp_catalog_axis_named(r->selection->catalog, name);
    if (axis >= 0) {
        cut_axis(r, axis, equals + 1);
    } else if (length_of(r, name) > 0) {
        cut_dimension(r, name, length_of(r, name), equals + 1);
    } else {
        refuse_name(r, name, equals + 1);
    }
}

static void want(reader *r, const char *name) {
    const char *names[IMP_MAX_OUTPUTS];
    size_t n = 0;
    const imp_catalog *catalog = r->selection->catalog;
    for (const imp_variable *v = NULL;
         (v = imp_catalog_next(catalog, v)) != NULL && n < IMP_MAX_OUTPUTS;) {
        if (v->role == IMP_IS_OUTPUT || v->role == IMP_IS_OUTCOME) {
            if (strcmp(v->name, name) == 0) {
                if (!imp_selection_has(r->selection, v)) {
                    r->selection->wanted[r->selection->n_wanted++] = v;
                }
                return;
            }
            names[n++] = v->name;
        }
    }
    imp_text allowed = {0};
    imp_print_allowed(&allowed, name, "; the map has: ", names, n);
    WRONG(r, "--fields: unknown output '%s'%s", name, imp_text_get(&allowed));
    imp_text_free(&allowed);
}

static void read_fields(reader *r, const char *fields) {
    char *copy = strdup(fields), *rest = copy;
    if (!copy) {
        r->code = imp_exit(imp_out_of_memory());
        return;
    }
    for (char *name; (name = strsep(&rest, ",")) != NULL;) {
        want(r, name);
    }
    free(copy);
}

int imp_selection_read(const char *command, const imp_catalog *catalog, const imp_overrides *slices,
                       const char *fields, bool degrees, imp_selection *selection) {
    *selection = (imp_selection){.catalog = catalog, .all = !fields, .degrees = degrees};
    reader r = {.command = command,
                .selection = selection,
                .grid = imp_catalog_grid(catalog),
                .code = IMP_EXIT_OK};
    for (int a = 0; a < IMP_MAX_RANK; a++) {
        selection->at[a] = -1;
    }
    for (int i = 0; i < slices->n; i++) {
        read_slice(&r, slices->words[i]);
    }
    if (fields) {
        read_fields(&r, fields);
    }
    return r.code;
}

imp_err imp_selection_check_grid(const imp_catalog *catalog) {
    return imp_catalog_has_grid(catalog)
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT,
                          "the refinement of the map is not complete, so it has no grid yet; "
                          "export --points exports the points solved so far");
}

bool imp_selection_has(const imp_selection *s, const imp_variable *output) {
    bool has = s->all || output->role == IMP_IS_OUTCOME;
    for (int w = 0; w < s->n_wanted; w++) {
        has = has || s->wanted[w] == output;
    }
    return has;
}

bool imp_selection_degrees(const imp_selection *s, const imp_variable *variable) {
    return s->degrees && strcmp(variable->unit, "rad") == 0;
}

void imp_selection_part(const imp_selection *s, const imp_variable *output, int64_t length,
                        int64_t *first, int64_t *n) {
    *first = 0;
    *n = length;
    for (int d = 0; d < s->n_dimensions; d++) {
        if (strcmp(output->dimensions[output->rank - 1], s->dimension[d]) == 0) {
            *first = s->number[d];
            *n = 1;
        }
    }
}

/* The first selected cell from `cell` on, or the number of all cells if there is none; *run: number
 * of selected cells from there on without a gap. */
static int64_t next(const imp_selection *s, int64_t cell, int64_t *run) {
    const imp_variable *grid = imp_catalog_grid(s->catalog);
    int64_t stride = grid->size;
    *run = 1;
    /* Each cut axis moves the cell on, the slowest first; the last one sets the length of the
     * run. */
    for (int a = 0; cell < grid->size && a < grid->rank; a++) {
        int64_t whole = stride;
        stride /= grid->extents[a];
        if (s->at[a] < 0) {
            continue;
        }
        int64_t begin = cell / whole * whole + s->at[a] * stride;
        if (cell >= begin + stride) {
            return next(s, cell / whole * whole + whole, run);
        }
        cell = cell < begin ? begin : cell;
        *run = begin + stride - cell;
    }
    bool cut = false;
    for (int a = 0; a < grid->rank; a++) {
        cut = cut || s->at[a] >= 0;
    }
    *run = cell >= grid->size ? 0 : cut ? *run : grid->size - cell;
    return cell < grid->size ? cell : grid->size;
}

imp_err imp_selection_walk(const imp_selection *s,
                           imp_err (*read)(void *to, int64_t first, int64_t n),
                           void (*use)(void *to, int64_t cell), void *to) {
    enum { SHORT = 256 }; /* runs that are read together with what lies between them */
    imp_err error = IMP_OK;
    int64_t size = imp_catalog_grid(s->catalog)->size, run, cell = next(s, 0, &run);
    while (!error && cell < size) {
        int64_t first = cell, n = run < SHORT ? size - first : run;
        n = n < IMP_SELECTION_ROWS ? n : IMP_SELECTION_ROWS;
        error = read(to, first, n);
        while (!error && cell < first + n) {
            int64_t end = run < first + n - cell ? cell + run : first + n;
            for (; cell < end; cell++) {
                use(to, cell);
            }
            cell = next(s, cell, &run);
        }
    }
    return error;
}
