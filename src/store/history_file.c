/* The file of histories. */
#include "store/history_file.h"

#include <math.h>
#include <stdlib.h>

#include "solve/units.h"
#include "store/disk.h"
#include "store/names.h"
#include "store/new_file.h"
#include "store/partial.h"

/* One column of the file, and the memory for its values. */
typedef struct table {
    imp_new_file *d;
    const imp_histories *of;
    size_t n; /* rows */
    double *values;
    int8_t *codes;
} table;

/* Adds a dataset with one value per row; the first dataset becomes the scale of the others. */
static hid_t add_along(table *t, const char *name, imp_role role, hid_t type, const char *unit,
                       const char *meaning) {
    imp_new_file *d = t->d;
    hsize_t extent = (hsize_t)t->n;
    bool first = d->scales[0] == 0;
    hid_t dataset =
        imp_new_dataset(d, name, type, 1, &extent, first ? IMP_IS_AXIS : role, unit, meaning);
    if (first) {
        imp_new_check(d, H5DSset_scale(dataset, name) >= 0);
        d->scales[0] = dataset;
    } else {
        imp_new_attach(d, dataset, d->scales[0], 0);
    }
    return dataset;
}

static void close_along(table *t, hid_t dataset) {
    if (dataset != t->d->scales[0]) {
        imp_new_close(t->d, dataset);
    }
}

static void add_values(table *t, const char *name, imp_role role, const char *unit,
                       const char *meaning) {
    hid_t dataset = add_along(t, name, role, H5T_IEEE_F64LE, unit, meaning);
    imp_new_values(t->d, dataset, H5T_NATIVE_DOUBLE, t->values);
    close_along(t, dataset);
}

static void fill_rows(table *t) {
    for (size_t i = 0; i < t->n; i++) {
        t->values[i] = (double)i;
    }
}

/* Sets the values of all rows of each cell to one value: its number, from 1, or that of an
 * input. */
static void fill_cells(table *t, const imp_traced_input *input) {
    size_t at = 0;
    for (int c = 0; c < t->of->n; c++) {
        double value = input ? imp_traced_value(&t->of->cells[c], input) : c + 1;
        for (size_t i = 0; i < t->of->cells[c].rows.n; i++, at++) {
            t->values[at] = value;
            t->codes[at] = isfinite(value) ? (int8_t)value : -1;
        }
    }
}

/* The rows of several cells: the dimension, the cell, and the inputs in which cells differ. */
static void add_cells(table *t, imp_text *coordinates) {
    fill_rows(t);
    add_values(t, "row", IMP_IS_AXIS, "1", "number of the row, from 0");
    fill_cells(t, NULL);
    add_values(t, "cell", IMP_IS_COLUMN, "1", "number of the cell, from 1");
    imp_text_print(coordinates, " cell");
    for (int i = 0; i < t->of->n_inputs; i++) {
        const imp_traced_input *input = &t->of->inputs[i];
        const imp_choice *choice = &t->of->common.theory->choices[input->choice];
        const char *name = input->parameter ? input->parameter->name : choice->name;
        fill_cells(t, input);
        imp_text_print(coordinates, " %s", name);
        if (input->parameter) {
            char unit[IMP_UNIT_TEXT];
            add_values(t, name, IMP_IS_COLUMN, imp_sweep_parameter_unit(&t->of->common, name, unit),
                       input->parameter->meaning);
            continue;
        }
        hid_t dataset = add_along(t, name, IMP_IS_COLUMN, H5T_STD_I8LE, "1", choice->meaning);
        imp_new_choice_flags(t->d, dataset, choice);
        imp_new_values(t->d, dataset, H5T_NATIVE_INT8, t->codes);
        imp_new_close(t->d, dataset);
    }
}

static void add_columns(table *t) {
    const imp_history *history = t->of->common.theory->history;
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        size_t at = 0;
        for (int k = 0; k < t->of->n; k++) {
            const imp_rows *rows = &t->of->cells[k].rows;
            for (size_t i = 0; i < rows->n; i++) {
                t->values[at++] = rows->values[i * (size_t)rows->n_columns + (size_t)c];
            }
        }
        add_values(t, column->name, IMP_IS_OUTPUT, imp_sweep_unit(&t->of->cells[0].sweep, column),
                   column->meaning);
    }
}

static void add_codes(table *t, const char *name, const char *meaning, bool events,
                      const imp_mode *modes, int n_modes) {
    hid_t dataset = add_along(t, name, IMP_IS_OUTPUT, H5T_STD_I8LE, "1", meaning);
    size_t at = 0;
    for (int k = 0; k < t->of->n; k++) {
        const imp_rows *rows = &t->of->cells[k].rows;
        for (size_t i = 0; i < rows->n; i++) {
            t->codes[at++] = events ? rows->events[i] : rows->phases[i];
        }
    }
    imp_new_mode_flags(t->d, dataset, modes, n_modes);
    if (t->n > 0) {
        imp_new_values(t->d, dataset, H5T_NATIVE_INT8, t->codes);
    }
    imp_new_close(t->d, dataset);
}

static void put_outcomes(table *t) {
    imp_text text = {0};
    for (int i = 0; i < t->of->n; i++) {
        imp_text_print(&text, "%s%s", i ? ", " : "",
                       imp_outcome_name((int)t->of->cells[i].outcome));
    }
    imp_new_words(t->d, t->d->file, "outcome", &text);
}

static void lay_out(table *t, const imp_provenance *provenance) {
    imp_new_file *d = t->d;
    const imp_history *history = t->of->common.theory->history;
    imp_text coordinates = {0};
    imp_new_origin(d, provenance);
    imp_new_integer(d, IMP_ATTRIBUTE_HISTORY, IMP_HISTORY_FORMAT);
    put_outcomes(t);
    if (t->of->n > 1) {
        add_cells(t, &coordinates);
    }
    add_columns(t);
    add_codes(t, "phase", "phase of the contact at the row", false, history->phases,
              history->n_phases);
    add_codes(t, "event", "event at the row", true, history->events, history->n_events);
    imp_new_fixed(d, &coordinates);
    const char *names = imp_text_get(&coordinates);
    imp_new_text(d, d->file, "coordinates", *names == ' ' ? names + 1 : names);
    imp_text_free(&coordinates);
    imp_new_close(d, d->scales[0]);
}

imp_err imp_history_file_write(const imp_partial *partial, const imp_histories *of,
                               const imp_provenance *provenance) {
    imp_new_file d;
    imp_err error = imp_new_begin(&d, &of->common, partial->path);
    if (error) {
        return error;
    }
    table t = {.d = &d, .of = of};
    for (int i = 0; i < of->n; i++) {
        t.n += of->cells[i].rows.n;
    }
    t.values = malloc((t.n + 1) * sizeof *t.values);
    t.codes = malloc(t.n + 1);
    imp_new_check(&d, t.values && t.codes);
    if (t.values && t.codes) {
        lay_out(&t, provenance);
    }
    free(t.values);
    free(t.codes);
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
