/* Whether a file that exists is the map of a sweep. */
#include <stdlib.h>

#include "base/error.h"
#include "store/fingerprint.h"
#include "store/h5.h"
#include "store/layout.h"
#include "store/map.h"

/* Whether the dataset of a parameter or a choice has these values; as doubles, which hold every code. */
static imp_err check_values(hid_t file, const char *path, const char *name, const double *values,
                            int64_t n) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT),
          space = dataset < 0 ? -1 : H5Dget_space(dataset);
    double *stored = malloc((size_t)n * sizeof *stored);
    bool good = stored && space >= 0 && H5Sget_simple_extent_npoints(space) == n &&
                H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored) >= 0;
    imp_err error =
        good ? IMP_OK
             : imp_fail(IMP_ERR_INPUT, "%s: is damaged: it lacks values of '%s'", path, name);
    for (int64_t i = 0; good && !error && i < n; i++) {
        if (stored[i] != values[i]) {
            error =
                imp_fail(IMP_ERR_INPUT, "%s: is damaged: value %lld of '%s' is %.17g, not %.17g",
                         path, (long long)i, name, stored[i], values[i]);
        }
    }
    free(stored);
    if (space >= 0) {
        H5Sclose(space);
    }
    if (dataset >= 0) {
        H5Dclose(dataset);
    }
    return error;
}

/* What the fingerprint says of coordinates and fixed values is so. */
static imp_err check_coordinates(hid_t file, const char *path, const imp_sweep *sweep) {
    imp_err error = IMP_OK;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        for (int c = 0; !error && c < axis->n_columns; c++) {
            const imp_column *column = &axis->columns[c];
            error = check_values(file, path, column->name, column->values, axis->size);
        }
    }
    for (int f = 0; !error && f < sweep->n_fixed; f++) {
        error =
            check_values(file, path, sweep->fixed[f].parameter->name, &sweep->fixed[f].value, 1);
    }
    for (int c = 0; !error && c < sweep->theory->n_choices; c++) {
        double code = sweep->chosen[c];
        if (code >= 0) {
            error = check_values(file, path, sweep->theory->choices[c].name, &code, 1);
        }
    }
    return error;
}

static imp_err check_format(hid_t file, const char *path) {
    int64_t format = 0;
    if (!imp_h5_get_integer(file, IMP_ATTRIBUTE_FORMAT, &format)) {
        return imp_fail(IMP_ERR_INPUT, "%s: is not a map of impactsweep", path);
    }
    return format == IMP_FORMAT
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT, "%s: has format %lld, this program writes %d", path,
                          (long long)format, IMP_FORMAT);
}

/* It stands in the fingerprint and by itself. */
static imp_err check_results(hid_t file, const char *path, const imp_sweep *sweep) {
    int64_t results = 0;
    bool there = imp_h5_get_integer(file, IMP_ATTRIBUTE_RESULTS, &results);
    return there && results == sweep->theory->results_version
               ? IMP_OK
               : imp_fail(IMP_ERR_INPUT,
                          "%s: is of another configuration:\n"
                          "  results version: the file has %lld, the config %d\n",
                          path, (long long)results, sweep->theory->results_version);
}

static imp_err check_fingerprint(hid_t file, const char *path, const imp_sweep *sweep) {
    imp_text stored = {0}, wanted = {0}, differences = {0};
    imp_err error = IMP_OK;
    imp_fingerprint(sweep, &wanted);
    if (!imp_h5_get_text(file, IMP_ATTRIBUTE_FINGERPRINT, &stored)) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is not a map of impactsweep", path);
    } else {
        imp_fingerprint_compare(imp_text_get(&stored), imp_text_get(&wanted), &differences);
    }
    if (differences.length > 0) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is of another configuration:\n%s", path,
                         imp_text_get(&differences));
    }
    imp_text_free(&stored);
    imp_text_free(&wanted);
    imp_text_free(&differences);
    return error;
}

imp_err imp_map_verify(const char *path, const imp_sweep *sweep) {
    hid_t file;
    imp_err error = imp_h5_open(path, &file);
    if (error) {
        return error;
    }
    error = check_format(file, path);
    error = error ? error : check_fingerprint(file, path, sweep);
    error = error ? error : check_results(file, path, sweep);
    error = error ? error : check_coordinates(file, path, sweep);
    H5Fclose(file);
    return error;
}
