#include "store/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/fingerprint.h"
#include "store/provenance.h"

/* What is needed while a file is laid out. */
typedef struct draft {
    const imp_sweep *sweep;
    hid_t file;
    hid_t scales[IMP_MAX_AXES]; /* open dimension scales */
    hid_t scale_of_sessions;
    bool failed;
} draft;

hid_t imp_layout_type(const imp_sweep *sweep, int output) {
    switch (sweep->theory->outputs[output].kind) {
    case IMP_CATEGORY:
        return H5T_STD_I8LE;
    case IMP_SEQUENCE:
        return H5T_STD_U64LE;
    default:
        return imp_sweep_single(sweep, output) ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    }
}

static void check(draft *d, bool good) {
    d->failed = d->failed || !good;
}

/* The name in words, for labels of axes. */
static void put_long_name(draft *d, hid_t dataset, const char *name) {
    char words[64];
    snprintf(words, sizeof words, "%s", name);
    for (char *at = words; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    check(d, imp_h5_put_text(dataset, "long_name", words) == IMP_OK);
}

static void relabel(draft *d, hid_t dataset, const char *label) {
    check(d, H5Adelete(dataset, "long_name") >= 0 &&
                 imp_h5_put_text(dataset, "long_name", label) == IMP_OK);
}

/* A contiguous dataset whose place in the file is fixed now. It is filled by the writer. */
static hid_t add_dataset(draft *d, const char *name, hid_t type, int rank, const hsize_t *extents,
                         const char *role, const char *unit, const char *meaning) {
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(creation, H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hid_t space = rank > 0 ? H5Screate_simple(rank, extents, NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(d->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(creation);
    check(d, dataset >= 0);
    if (dataset >= 0) {
        put_long_name(d, dataset, name);
        check(d, imp_h5_put_text(dataset, "description", meaning) == IMP_OK);
        check(d, imp_h5_put_text(dataset, "units", unit) == IMP_OK);
        check(d, imp_h5_put_text(dataset, IMP_ATTRIBUTE_ROLE, role) == IMP_OK);
    }
    return dataset;
}

static void write_values(draft *d, hid_t dataset, hid_t memory_type, const void *values) {
    check(d, H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

/* CF flags: codes and names of a category. */
static void put_flags(draft *d, hid_t dataset, const int8_t *codes, const char *const *names,
                      int n) {
    imp_text joined = {0};
    for (int i = 0; i < n; i++) {
        imp_text_print(&joined, "%s%s", i ? " " : "", names[i]);
    }
    hsize_t extent = (hsize_t)n;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t attribute =
        H5Acreate2(dataset, "flag_values", H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT);
    check(d, attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT8, codes) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    check(d, imp_h5_put_text(dataset, "flag_meanings", imp_text_get(&joined)) == IMP_OK);
    imp_text_free(&joined);
}

static void put_choice_flags(draft *d, hid_t dataset, const imp_choice *choice) {
    int8_t codes[64];
    const char *names[64];
    int n = choice->n_options < 64 ? choice->n_options : 64;
    for (int i = 0; i < n; i++) {
        codes[i] = (int8_t)i;
        names[i] = choice->options[i]->name;
    }
    put_flags(d, dataset, codes, names, n);
}

/* Codes of a theory's table, after 0 for none of them. */
static void put_mode_flags(draft *d, hid_t dataset, const imp_mode *modes, int n_modes) {
    int8_t codes[64] = {0};
    const char *names[64] = {"none"};
    int n = 1;
    for (int i = 0; i < n_modes && n < 64; i++, n++) {
        codes[n] = (int8_t)modes[i].code;
        names[n] = modes[i].name;
    }
    put_flags(d, dataset, codes, names, n);
}

static void put_category_flags(draft *d, hid_t dataset, const imp_output *output) {
    int n;
    const imp_mode *categories = imp_output_categories(d->sweep->theory, output, &n);
    put_mode_flags(d, dataset, categories, n);
}

static void put_outcome_flags(draft *d, hid_t dataset) {
    int8_t codes[IMP_OUTCOME_COUNT];
    const char *names[IMP_OUTCOME_COUNT];
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        codes[i] = (int8_t)i;
        names[i] = imp_outcome_name(i);
    }
    put_flags(d, dataset, codes, names, IMP_OUTCOME_COUNT);
}

/* A parameter as the options of the sweep describe it: others may give it another unit. A part of a map
 * may hold none of the options that have it; then as any option does. */
static const imp_parameter *describe(const imp_sweep *sweep, const char *name) {
    const imp_parameter *found = NULL;
    int n = 0;
    imp_signature *signatures = imp_sweep_signatures(sweep, &n);
    for (int i = 0; signatures && !found && i < n; i++) {
        int p = imp_signature_find(&signatures[i], name);
        found = p >= 0 ? signatures[i].parameter[p] : NULL;
    }
    free(signatures);
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    n = imp_theory_every_parameter(sweep->theory, all);
    for (int p = 0; !found && p < n; p++) {
        found = strcmp(all[p]->name, name) == 0 ? all[p] : NULL;
    }
    return found;
}

/* A column of an axis: its values, as the axis's scale or as an auxiliary coordinate. */
static hid_t add_column(draft *d, const imp_axis *axis, const imp_column *column,
                        const char *role) {
    hsize_t extent = (hsize_t)axis->size;
    if (column->choice < 0) {
        const imp_parameter *parameter = describe(d->sweep, column->name);
        check(d, parameter != NULL);
        hid_t dataset =
            add_dataset(d, column->name, H5T_IEEE_F64LE, 1, &extent, role,
                        parameter ? parameter->unit : "1", parameter ? parameter->meaning : "");
        write_values(d, dataset, H5T_NATIVE_DOUBLE, column->values);
        return dataset;
    }
    const imp_choice *choice = &d->sweep->theory->choices[column->choice];
    hid_t dataset =
        add_dataset(d, column->name, H5T_STD_I8LE, 1, &extent, role, "1", choice->meaning);
    write_values(d, dataset, H5T_NATIVE_DOUBLE, column->values);
    put_choice_flags(d, dataset, choice);
    return dataset;
}

/* A scale that counts from `base`. */
static hid_t add_index(draft *d, const char *name, int64_t base, int64_t size, const char *role,
                       const char *meaning) {
    hsize_t extent = (hsize_t)size;
    hid_t dataset = add_dataset(d, name, H5T_STD_I64LE, 1, &extent, role, "1", meaning);
    int64_t *index = malloc((size_t)size * sizeof *index);
    check(d, index != NULL);
    for (int64_t i = 0; index && i < size; i++) {
        index[i] = base + i;
    }
    if (index) {
        write_values(d, dataset, H5T_NATIVE_INT64, index);
    }
    free(index);
    check(d, H5DSset_scale(dataset, name) >= 0);
    return dataset;
}

/* An axis of one column bears its name and values; a table's rows are numbered instead, and its
 * columns are auxiliary coordinates. */
static void add_axis(draft *d, int number) {
    const imp_axis *axis = &d->sweep->grid.axes[number];
    if (axis->n_columns == 1 && strcmp(axis->name, axis->columns[0].name) == 0) {
        d->scales[number] = add_column(d, axis, &axis->columns[0], IMP_ROLE_AXIS);
        check(d, H5DSset_scale(d->scales[number], axis->name) >= 0);
        return;
    }
    d->scales[number] = add_index(d, axis->name, 0, axis->size, IMP_ROLE_AXIS,
                                  axis->sample ? "point of the sample" : "row of the table");
    for (int c = 0; c < axis->n_columns; c++) {
        hid_t column = add_column(d, axis, &axis->columns[c], IMP_ROLE_COLUMN);
        check(d, H5DSattach_scale(column, d->scales[number], 0) >= 0);
        H5Dclose(column);
    }
}

/* Fixed values bear their parameter's or choice's name too, as coordinates without dimension. */
static void add_fixed(draft *d, imp_text *coordinates) {
    const imp_sweep *sweep = d->sweep;
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_parameter *parameter = sweep->fixed[f].parameter;
        hid_t dataset = add_dataset(d, parameter->name, H5T_IEEE_F64LE, 0, NULL, IMP_ROLE_FIXED,
                                    parameter->unit, parameter->meaning);
        write_values(d, dataset, H5T_NATIVE_DOUBLE, &sweep->fixed[f].value);
        H5Dclose(dataset);
        imp_text_print(coordinates, " %s", parameter->name);
    }
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        if (sweep->chosen[c] < 0) {
            continue;
        }
        hid_t dataset = add_dataset(d, choice->name, H5T_STD_I8LE, 0, NULL, IMP_ROLE_FIXED, "1",
                                    choice->meaning);
        write_values(d, dataset, H5T_NATIVE_INT, &sweep->chosen[c]);
        put_choice_flags(d, dataset, choice);
        H5Dclose(dataset);
        imp_text_print(coordinates, " %s", choice->name);
    }
}

/* The scale of a dimension that outputs have beside the axes; the first of them makes it. */
static hid_t open_dimension(draft *d, const imp_output *output) {
    return H5Lexists(d->file, output->dimension, H5P_DEFAULT) > 0
               ? H5Dopen2(d->file, output->dimension, H5P_DEFAULT)
               : add_index(d, output->dimension, 1, output->length, IMP_ROLE_DIMENSION,
                           "number of the value");
}

/* A dataset with the values of every cell; output: what they are, NULL for the outcome. */
static hid_t add_variable(draft *d, const char *name, hid_t type, const char *role,
                          const char *unit, const char *meaning, const char *coordinates,
                          const imp_output *output) {
    const imp_grid *grid = &d->sweep->grid;
    hsize_t extents[IMP_MAX_AXES + 1];
    int rank = grid->n_axes;
    for (int a = 0; a < grid->n_axes; a++) {
        extents[a] = (hsize_t)grid->axes[a].size;
    }
    if (output && output->dimension) {
        extents[rank++] = (hsize_t)output->length;
    }
    hid_t dataset = add_dataset(d, name, type, rank, extents, role, unit, meaning);
    for (int a = 0; a < grid->n_axes; a++) {
        check(d, H5DSattach_scale(dataset, d->scales[a], (unsigned)a) >= 0);
    }
    if (rank > grid->n_axes) {
        hid_t scale = open_dimension(d, output);
        check(d, H5DSattach_scale(dataset, scale, (unsigned)grid->n_axes) >= 0);
        H5Dclose(scale);
    }
    if (*coordinates) {
        check(d, imp_h5_put_text(dataset, "coordinates", coordinates) == IMP_OK);
    }
    return dataset;
}

/* The modes in which an output has no value. */
static void put_undefined(draft *d, hid_t dataset, const imp_output *output) {
    imp_text modes = {0};
    for (int i = 0; i < d->sweep->theory->n_modes; i++) {
        const imp_mode *mode = &d->sweep->theory->modes[i];
        if (output->undefined_in >> mode->code & 1) {
            imp_text_print(&modes, "%s%s", modes.length ? " " : "", mode->name);
        }
    }
    if (modes.length > 0) {
        check(d, imp_h5_put_text(dataset, "undefined_in", imp_text_get(&modes)) == IMP_OK);
    }
    imp_text_free(&modes);
}

static void put_missing(draft *d, hid_t dataset, hid_t type) {
    double nan = NAN;
    hsize_t one = 1;
    hid_t space = H5Screate_simple(1, &one, NULL);
    hid_t attribute = H5Acreate2(dataset, "_FillValue", type, space, H5P_DEFAULT, H5P_DEFAULT);
    check(d, attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, &nan) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void add_outputs(draft *d, const char *coordinates) {
    const imp_sweep *sweep = d->sweep;
    for (int o = 0; o < sweep->n_outputs; o++) {
        const imp_output *output = &sweep->theory->outputs[sweep->outputs[o]];
        hid_t type = imp_layout_type(sweep, sweep->outputs[o]);
        hid_t dataset =
            add_variable(d, output->name, type, IMP_ROLE_OUTPUT, imp_sweep_unit(sweep, output),
                         output->meaning, coordinates, output);
        if (output->kind == IMP_CATEGORY) {
            put_category_flags(d, dataset, output);
        } else if (output->kind == IMP_REAL) {
            put_missing(d, dataset, type);
        }
        put_undefined(d, dataset, output);
        if (output->label) {
            relabel(d, dataset, output->label);
        }
        H5Dclose(dataset);
    }
    hid_t outcome = add_variable(d, "outcome", H5T_STD_I8LE, IMP_ROLE_OUTCOME, "1",
                                 "what happened in the cell", coordinates, NULL);
    put_outcome_flags(d, outcome);
    H5Dclose(outcome);
}

/* Space for what differs from run to run; see imp_session. */
static void add_sessions(draft *d) {
    hsize_t extent = IMP_MAX_SESSIONS;
    hid_t index = add_index(d, "run_session", 0, IMP_MAX_SESSIONS, IMP_ROLE_SESSION,
                            "session that wrote to this file");
    hid_t dataset;
#define ADD(name, type, file_type, member, unit, meaning)                                          \
    dataset =                                                                                      \
        add_dataset(d, #name, file_type, 1, &extent, IMP_ROLE_SESSION, unit, "session: " meaning); \
    check(d, H5DSattach_scale(dataset, index, 0) >= 0);                                            \
    H5Dclose(dataset);
    IMP_SESSION_FIELDS(ADD)
#undef ADD
    H5Dclose(index);
    extent = IMP_WRITER_BYTES;
    index = add_index(d, "run_character", 0, IMP_WRITER_BYTES, IMP_ROLE_SESSION,
                      "place of a character");
    dataset = add_dataset(d, "run_writer", H5T_STD_I8LE, 1, &extent, IMP_ROLE_SESSION, "1",
                          "process that writes or wrote last, as text");
    check(d, H5DSattach_scale(dataset, index, 0) >= 0);
    H5Dclose(dataset);
    H5Dclose(index);
    H5Dclose(add_dataset(d, "run_complete", H5T_STD_I8LE, 0, NULL, IMP_ROLE_SESSION, "1",
                         "1 when every cell is done"));
}

/* What files of both kinds say of themselves. */
static void put_origin(draft *d, const imp_provenance *provenance) {
    imp_text title = {0};
    const imp_theory *theory = d->sweep->theory;
    imp_sweep_title(d->sweep, &title);
    check(d, imp_h5_put_text(d->file, "title", imp_text_get(&title)) == IMP_OK);
    check(d, imp_h5_put_text(d->file, "Conventions", "CF-1.8") == IMP_OK);
    check(d, imp_h5_put_text(d->file, "theory", theory->name) == IMP_OK);
    check(d, imp_h5_put_text(d->file, "summary", theory->title) == IMP_OK);
    check(d, imp_h5_put_integer(d->file, IMP_ATTRIBUTE_RESULTS, theory->results_version) == IMP_OK);
    check(d, imp_h5_put_text(d->file, "references", theory->source) == IMP_OK);
    check(d, imp_h5_put_text(d->file, "residual_identity", theory->residual) == IMP_OK);
    check(d, imp_provenance_put(d->file, provenance) == IMP_OK);
    imp_text_free(&title);
}

static void put_attributes(draft *d, const imp_provenance *provenance) {
    imp_text fingerprint = {0};
    imp_fingerprint(d->sweep, &fingerprint);
    put_origin(d, provenance);
    check(d, imp_h5_put_integer(d->file, IMP_ATTRIBUTE_FORMAT, IMP_FORMAT) == IMP_OK);
    check(d, imp_h5_put_integer(d->file, IMP_ATTRIBUTE_PART, d->sweep->part) == IMP_OK);
    check(d, imp_h5_put_integer(d->file, IMP_ATTRIBUTE_PARTS, d->sweep->parts) == IMP_OK);
    check(d, imp_h5_put_long_text(d->file, IMP_ATTRIBUTE_FINGERPRINT, imp_text_get(&fingerprint)) ==
                 IMP_OK);
    imp_text_free(&fingerprint);
}

static void fill_draft(draft *d, const imp_provenance *provenance) {
    imp_text coordinates = {0};
    const imp_grid *grid = &d->sweep->grid;
    put_attributes(d, provenance);
    for (int a = 0; a < grid->n_axes; a++) {
        add_axis(d, a);
        for (int c = 0; c < grid->axes[a].n_columns; c++) {
            if (strcmp(grid->axes[a].columns[c].name, grid->axes[a].name) != 0) {
                imp_text_print(&coordinates, " %s", grid->axes[a].columns[c].name);
            }
        }
    }
    add_fixed(d, &coordinates);
    const char *names = imp_text_get(&coordinates);
    add_outputs(d, *names == ' ' ? names + 1 : names);
    add_sessions(d);
    for (int a = 0; a < grid->n_axes; a++) {
        H5Dclose(d->scales[a]);
    }
    imp_text_free(&coordinates);
}

static hid_t create_file(const char *path) {
    imp_h5_quiet();
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_alignment(access, 65536, 4096);
    H5Pset_file_locking(access, false, true);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
    return file;
}

static imp_err close_file(draft *d, const char *path) {
    check(d, H5Fclose(d->file) >= 0);
    return d->failed ? imp_fail(IMP_ERR_IO, "%s: HDF5 could not write it", path) : IMP_OK;
}

imp_err imp_layout_create(const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance) {
    draft d = {.sweep = sweep, .file = create_file(path)};
    if (d.file < 0) {
        return imp_fail(IMP_ERR_IO, "%s: HDF5 could not create it", path);
    }
    fill_draft(&d, provenance);
    return close_file(&d, path);
}

/* ---- histories ---- */

/* A dataset along the history; the first is its own scale. */
static hid_t add_along(draft *d, const char *name, hid_t type, size_t n, const char *unit,
                       const char *meaning) {
    hsize_t extent = (hsize_t)n;
    bool first = d->scales[0] == 0;
    hid_t dataset = add_dataset(d, name, type, 1, &extent, first ? IMP_ROLE_AXIS : IMP_ROLE_OUTPUT,
                                unit, meaning);
    if (first) {
        check(d, H5DSset_scale(dataset, name) >= 0);
        d->scales[0] = dataset;
    } else {
        check(d, H5DSattach_scale(dataset, d->scales[0], 0) >= 0);
    }
    return dataset;
}

static void add_columns(draft *d, const imp_rows *rows) {
    const imp_history *history = d->sweep->theory->history;
    double *values = malloc((rows->n + 1) * sizeof *values);
    check(d, values != NULL);
    for (int c = 0; values && c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        for (size_t i = 0; i < rows->n; i++) {
            values[i] = rows->values[i * (size_t)rows->n_columns + (size_t)c];
        }
        hid_t dataset = add_along(d, column->name, H5T_IEEE_F64LE, rows->n,
                                  imp_sweep_unit(d->sweep, column), column->meaning);
        write_values(d, dataset, H5T_NATIVE_DOUBLE, values);
        if (c > 0) {
            H5Dclose(dataset);
        }
    }
    free(values);
}

static void add_codes(draft *d, const char *name, const char *meaning, const int8_t *codes,
                      size_t n, const imp_mode *modes, int n_modes) {
    hid_t dataset = add_along(d, name, H5T_STD_I8LE, n, "1", meaning);
    put_mode_flags(d, dataset, modes, n_modes);
    if (n > 0) {
        write_values(d, dataset, H5T_NATIVE_INT8, codes);
    }
    H5Dclose(dataset);
}

imp_err imp_layout_history(const char *path, const imp_sweep *sweep, const imp_rows *rows,
                           imp_outcome outcome, const imp_provenance *provenance) {
    const imp_history *history = sweep->theory->history;
    draft d = {.sweep = sweep, .file = create_file(path)};
    if (d.file < 0) {
        return imp_fail(IMP_ERR_IO, "%s: HDF5 could not create it", path);
    }
    imp_text coordinates = {0};
    put_origin(&d, provenance);
    check(&d, imp_h5_put_integer(d.file, IMP_ATTRIBUTE_HISTORY, IMP_FORMAT) == IMP_OK);
    check(&d, imp_h5_put_text(d.file, "outcome", imp_outcome_name((int)outcome)) == IMP_OK);
    add_columns(&d, rows);
    add_codes(&d, "phase", "phase that the row lies in", rows->phases, rows->n, history->phases,
              history->n_phases);
    add_codes(&d, "event", "event that the row marks", rows->events, rows->n, history->events,
              history->n_events);
    add_fixed(&d, &coordinates);
    const char *names = imp_text_get(&coordinates);
    check(&d, imp_h5_put_text(d.file, "coordinates", *names == ' ' ? names + 1 : names) == IMP_OK);
    imp_text_free(&coordinates);
    H5Dclose(d.scales[0]);
    return close_file(&d, path);
}
