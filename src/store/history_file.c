/* The file of a history. */
#include "store/history_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"
#include "store/names.h"
#include "store/new_file.h"
#include "store/partial.h"

/* Adds a dataset with one value per row of the history; the first dataset becomes the scale of the
 * others. */
static hid_t add_along(imp_new_file *d, const char *name, hid_t type, size_t n, const char *unit,
                       const char *meaning) {
    hsize_t extent = (hsize_t)n;
    bool first = d->scales[0] == 0;
    hid_t dataset = imp_new_dataset(d, name, type, 1, &extent,
                                    first ? IMP_ROLE_AXIS : IMP_ROLE_OUTPUT, unit, meaning);
    if (first) {
        imp_new_check(d, H5DSset_scale(dataset, name) >= 0);
        d->scales[0] = dataset;
    } else {
        imp_new_check(d, H5DSattach_scale(dataset, d->scales[0], 0) >= 0);
    }
    return dataset;
}

static void add_columns(imp_new_file *d, const imp_rows *rows) {
    const imp_history *history = d->sweep->theory->history;
    double *values = malloc((rows->n + 1) * sizeof *values);
    imp_new_check(d, values != NULL);
    for (int c = 0; values && c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        for (size_t i = 0; i < rows->n; i++) {
            values[i] = rows->values[i * (size_t)rows->n_columns + (size_t)c];
        }
        hid_t dataset = add_along(d, column->name, H5T_IEEE_F64LE, rows->n,
                                  imp_sweep_unit(d->sweep, column), column->meaning);
        imp_new_values(d, dataset, H5T_NATIVE_DOUBLE, values);
        if (c > 0) {
            imp_new_close(d, dataset);
        }
    }
    free(values);
}

static void add_codes(imp_new_file *d, const char *name, const char *meaning, const int8_t *codes,
                      size_t n, const imp_mode *modes, int n_modes) {
    hid_t dataset = add_along(d, name, H5T_STD_I8LE, n, "1", meaning);
    imp_new_mode_flags(d, dataset, modes, n_modes);
    if (n > 0) {
        imp_new_values(d, dataset, H5T_NATIVE_INT8, codes);
    }
    imp_new_close(d, dataset);
}

static void lay_out(imp_new_file *d, const imp_rows *rows, imp_outcome outcome,
                    const imp_provenance *provenance) {
    const imp_history *history = d->sweep->theory->history;
    imp_text coordinates = {0};
    imp_new_origin(d, provenance);
    imp_new_check(d,
                  imp_h5_put_integer(d->file, IMP_ATTRIBUTE_HISTORY, IMP_HISTORY_FORMAT) == IMP_OK);
    imp_new_text(d, d->file, "outcome", imp_outcome_name((int)outcome));
    add_columns(d, rows);
    add_codes(d, "phase", "phase of the contact at the row", rows->phases, rows->n, history->phases,
              history->n_phases);
    add_codes(d, "event", "event at the row", rows->events, rows->n, history->events,
              history->n_events);
    imp_new_fixed(d, &coordinates);
    imp_new_check(d, !coordinates.failed);
    const char *names = imp_text_get(&coordinates);
    imp_new_text(d, d->file, "coordinates", *names == ' ' ? names + 1 : names);
    imp_text_free(&coordinates);
    imp_new_close(d, d->scales[0]);
}

imp_err imp_history_file_write(const imp_partial *partial, const imp_sweep *sweep,
                               const imp_rows *rows, imp_outcome outcome,
                               const imp_provenance *provenance) {
    imp_new_file d;
    imp_err error = imp_new_begin(&d, sweep, partial->path);
    if (error) {
        return error;
    }
    lay_out(&d, rows, outcome, provenance);
    error = imp_new_end(&d);
    error = error ? error : imp_disk_reserve(partial->descriptor, partial->path, 0, d.image.size);
    error = error ? error : imp_image_store(&d.image, partial->descriptor, partial->path);
    imp_image_free(&d.image);
    return error;
}

bool imp_history_file_is(const char *path) {
    imp_h5 *file = NULL;
    int64_t format;
    bool is = imp_h5_open(path, &file) == IMP_OK &&
              imp_h5_get_integer(file->id, IMP_ATTRIBUTE_HISTORY, &format);
    imp_h5_close(&file);
    return is;
}
