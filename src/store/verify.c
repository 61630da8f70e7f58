#include "store/verify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "num/alike.h"
#include "store/catalog_impl.h"
#include "store/fingerprint.h"
#include "store/names.h"
#include "store/partial.h"
#include "store/points_impl.h"

/* Compares the dataset of a parameter or a choice with `values`; codes are converted to double. */
static imp_err check_values(const imp_catalog *catalog, const char *name, const double *values,
                            int64_t n) {
    const imp_variable *variable = imp_catalog_find(catalog, name);
    if (!variable || variable->size != n) {
        return imp_fail(IMP_ERR_INPUT, "%s: is damaged: values of '%s' are missing", catalog->path,
                        name);
    }
    double *stored = malloc((size_t)n * sizeof *stored);
    imp_err error =
        stored ? imp_catalog_read(catalog, variable, 0, n, stored) : imp_out_of_memory();
    for (int64_t i = 0; !error && i < n; i++) {
        if (!imp_is_same(stored[i], values[i])) { /* NaN: computed in every cell */
            error =
                imp_fail(IMP_ERR_INPUT, "%s: is damaged: value %lld of '%s' is %.17g, not %.17g",
                         catalog->path, (long long)i, name, stored[i], values[i]);
        }
    }
    free(stored);
    return error;
}

/* Compares coordinates and fixed values with those of the sweep. */
static imp_err check_coordinates(const imp_catalog *catalog, const imp_sweep *sweep) {
    imp_err error = IMP_OK;
    int axes = imp_sweep_is_refined(sweep)
                   ? 0
                   : sweep->grid.n_axes; /* the coordinates of points are not on axes */
    for (int a = 0; a < axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        for (int c = 0; !error && c < axis->n_columns; c++) {
            const imp_column *column = &axis->columns[c];
            error = check_values(catalog, column->name, column->values, axis->size);
        }
    }
    for (int f = 0; !error && f < sweep->n_fixed; f++) {
        error = check_values(catalog, sweep->fixed[f].parameter->name, &sweep->fixed[f].value, 1);
    }
    for (int c = 0; !error && c < sweep->theory->n_choices; c++) {
        double code = sweep->chosen[c];
        if (code >= 0) {
            error = check_values(catalog, sweep->theory->choices[c].name, &code, 1);
        }
    }
    return error;
}

/* Compares the results version, which is in the fingerprint and in its own attribute. */
static imp_err check_results(const imp_catalog *catalog, const imp_sweep *sweep) {
    int64_t results = 0;
    bool there = imp_h5_get_integer(catalog->file->id, IMP_ATTRIBUTE_RESULTS, &results);
    return there && results == sweep->theory->results_version
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT,
                          "%s: is of another configuration:\n"
                          "  results version: the file has %lld, the config %d\n",
                          catalog->path, (long long)results, sweep->theory->results_version);
}

static imp_err check_fingerprint(const imp_catalog *catalog, const imp_sweep *sweep) {
    imp_text wanted = {0}, differences = {0};
    imp_fingerprint(sweep, &wanted);
    const char *stored = imp_catalog_text(catalog, IMP_ATTRIBUTE_FINGERPRINT);
    if (stored) {
        imp_fingerprint_compare(stored, imp_text_get(&wanted), &differences);
    }
    imp_err error = imp_memory_check();
    if (!error && !stored) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is not a map of impactsweep", catalog->path);
    } else if (!error && differences.length > 0) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is of another configuration:\n%s", catalog->path,
                         imp_text_get(&differences));
    }
    imp_text_free(&wanted);
    imp_text_free(&differences);
    return error;
}

/* ---- refinements ---- */

/* The number of a key; 0: there is none, as maps of older versions lack some. */
static double number_of(const char *plan, const char *key) {
    size_t length;
    const char *value = imp_fingerprint_value(plan, key, strlen(key), &length);
    return value ? strtod(value, NULL) : 0;
}

static imp_err check_refinement(const imp_catalog *catalog, const imp_sweep *sweep, bool *same) {
    /* unlimited: 0 means no limit; more: a larger number means further refinement. */
    static const struct {
        const char *key;
        bool unlimited, more;
    } rows[] = {{"depth", false, true}, {"boundary", true, false}, {"budget", true, true},
                {"audit", false, true}, {"lines", false, true},    {"tolerance", true, false}};
    imp_text wanted = {0}, wrong = {0};
    imp_refinement_text(sweep, &wanted);
    const char *stored = imp_catalog_words(catalog, IMP_ATTRIBUTE_REFINEMENT);
    *same = strcmp(stored, imp_text_get(&wanted)) == 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double file = number_of(stored, rows[i].key),
               config = number_of(imp_text_get(&wanted), rows[i].key);
        double before = rows[i].unlimited && file == 0 ? INFINITY : file;
        double now = rows[i].unlimited && config == 0 ? INFINITY : config;
        if (!(rows[i].more ? now >= before : now <= before)) {
            imp_text_print(&wrong, "  %s: the file has %.9g, the config %.9g\n", rows[i].key, file,
                           config);
        }
    }
    imp_err error = imp_memory_check();
    if (!error && wrong.length > 0) {
        error = imp_fail(IMP_ERR_INPUT, "%s: was refined further than the config asks for:\n%s",
                         catalog->path, imp_text_get(&wrong));
    }
    imp_text_free(&wanted);
    imp_text_free(&wrong);
    return error;
}

imp_err imp_verify(const imp_catalog *catalog, const imp_sweep *sweep, bool *same) {
    bool alike = true;
    imp_err error = check_fingerprint(catalog, sweep);
    error = error ? error : check_results(catalog, sweep);
    error = error ? error : check_coordinates(catalog, sweep);
    if (!error && imp_sweep_is_refined(sweep)) {
        error = check_refinement(catalog, sweep, &alike);
    }
    *(same ? same : &alike) = alike;
    return imp_h5_judge(catalog->file, catalog->path, error);
}

/* ---- completeness ---- */

imp_err imp_undefined_code(const char *path, int64_t cell, const char *kind, double code) {
    return imp_fail(IMP_ERR_INPUT, "%s: is damaged: cell %lld has %s code %g, which is not defined",
                    path, (long long)cell, kind, code);
}

/* Whether the map has the flag of a complete map, which the last run writes. */
static bool says_complete(const imp_catalog *catalog) {
    const imp_variable *flag = imp_catalog_run(catalog, IMP_RUN_COMPLETE);
    double said = 0;
    return flag && imp_catalog_read(catalog, flag, 0, 1, &said) == IMP_OK && said == 1;
}

static imp_err count_pending(const imp_catalog *catalog, const char *path, int64_t *pending) {
    enum { AT_ONCE = 1 << 18 };
    const imp_variable *outcome = imp_catalog_grid(catalog);
    double *values = malloc(AT_ONCE * sizeof *values);
    imp_err error = values ? IMP_OK : imp_out_of_memory();
    *pending = 0;
    for (int64_t first = 0; !error && first < outcome->size; first += AT_ONCE) {
        int64_t left = outcome->size - first, n = left < AT_ONCE ? left : AT_ONCE;
        error = imp_catalog_read(catalog, outcome, first, n, values);
        for (int64_t i = 0; !error && i < n; i++) {
            *pending += values[i] == IMP_PENDING;
            if (!(values[i] >= 0 && values[i] < IMP_OUTCOME_COUNT)) {
                error = imp_undefined_code(path, first + i, "outcome", values[i]);
            }
        }
    }
    free(values);
    return error;
}

imp_err imp_map_is_complete(const char *path, const imp_sweep *sweep, bool *complete) {
    struct stat status;
    imp_catalog *catalog;
    *complete = false;
    imp_partial_remove_stale(path);
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        return IMP_OK;
    }
    int64_t pending = 1;
    imp_err error = imp_catalog_open(path, &catalog);
    if (error) {
        return error;
    }
    bool same;
    error = imp_verify(catalog, sweep, &same);
    if (!error && same && says_complete(catalog)) {
        error = count_pending(catalog, path, &pending);
    }
    *complete = !error && pending == 0;
    imp_catalog_close(&catalog);
    return error;
}
