#include "store/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/describe.h"
#include "store/fingerprint.h"
#include "store/names.h"
#include "store/new_file.h"

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

/* Writes the names by which theories agree, where they are not the names themselves. */
static void put_common_names(imp_new_file *d, hid_t dataset, const imp_mode *modes, int n) {
    imp_text joined = {0};
    bool differ = false;
    imp_text_print(&joined, "none");
    for (int i = 0; i < n; i++) {
        const char *common = imp_mode_common(d->sweep->theory, &modes[i]);
        imp_text_print(&joined, " %s", common);
        differ |= strcmp(common, modes[i].name) != 0;
    }
    if (!differ) {
        imp_text_free(&joined);
    }
    imp_new_words(d, dataset, IMP_ATTRIBUTE_COMMON, &joined);
}

static void put_category_flags(imp_new_file *d, hid_t dataset, const imp_output *output) {
    int n;
    const imp_mode *categories = imp_output_categories(d->sweep->theory, output, &n);
    imp_new_mode_flags(d, dataset, categories, n);
    put_common_names(d, dataset, categories, n);
}

void imp_layout_outcome_flags(imp_new_file *d, hid_t dataset) {
    const char *names[IMP_OUTCOME_COUNT];
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        names[i] = imp_outcome_name(i);
    }
    imp_new_flags(d, dataset, NULL, names, IMP_OUTCOME_COUNT);
}

/* If no option of this part of a map has the parameter, any option of the theory describes it. */
const imp_parameter *imp_layout_parameter(const imp_sweep *sweep, const char *name) {
    const imp_parameter *found = NULL;
    int n = 0;
    imp_signature *signatures = imp_sweep_signatures(sweep, &n);
    for (int i = 0; signatures && !found && i < n; i++) {
        int p = imp_signature_find(&signatures[i], name);
        found = p >= 0 ? signatures[i].parameter[p] : NULL;
    }
    free(signatures);
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    n = imp_theory_variants(sweep->theory, name, variants);
    return found ? found : n > 0 ? variants[0] : NULL;
}

/* The spacing of the values of a column, or the distribution that they were drawn from. */
static void put_order(imp_new_file *d, hid_t dataset, const imp_axis *axis,
                      const imp_column *column) {
    if (column->formula[0]) {
        imp_new_text(d, dataset, IMP_ATTRIBUTE_FORMULA, column->formula);
    } else if (column->distribution[0]) {
        imp_new_text(d, dataset, IMP_ATTRIBUTE_DISTRIBUTION, column->distribution);
    } else if (axis->spacing) {
        imp_new_text(d, dataset, IMP_ATTRIBUTE_SPACING, axis->spacing);
    }
}

/* Adds the values of a column of an axis, the scale of the axis or an auxiliary coordinate. */
static hid_t add_column(imp_new_file *d, const imp_axis *axis, const imp_column *column,
                        imp_role role) {
    hsize_t extent = (hsize_t)axis->size;
    const imp_choice *choice =
        column->choice < 0 ? NULL : &d->sweep->theory->choices[column->choice];
    const imp_parameter *parameter = choice ? NULL : imp_layout_parameter(d->sweep, column->name);
    imp_new_check(d, choice || parameter);
    const char *meaning = choice ? choice->meaning : parameter ? parameter->meaning : "";
    hid_t dataset = imp_new_input(d, column->name, choice, meaning, &extent, role);
    imp_new_values(d, dataset, H5T_NATIVE_DOUBLE, column->values);
    if (choice) {
        imp_new_choice_flags(d, dataset, choice);
    } else {
        put_order(d, dataset, axis, column);
    }
    return dataset;
}

hid_t imp_layout_index(imp_new_file *d, const char *name, int64_t base, int64_t size, imp_role role,
                       const char *meaning) {
    hsize_t extent = (hsize_t)size;
    hid_t dataset = imp_new_dataset(d, name, H5T_STD_I64LE, 1, &extent, role, "1", meaning);
    int64_t *index = malloc((size_t)size * sizeof *index);
    imp_new_check(d, index != NULL);
    for (int64_t i = 0; index && i < size; i++) {
        index[i] = base + i;
    }
    if (index) {
        imp_new_values(d, dataset, H5T_NATIVE_INT64, index);
    }
    free(index);
    imp_new_check(d, H5DSset_scale(dataset, name) >= 0);
    return dataset;
}

/* The scale of an axis of one parameter has the name and the values of this column; the scale of a
 * table numbers its rows. Further columns are auxiliary coordinates. */
static void add_axis(imp_new_file *d, int number) {
    const imp_axis *axis = &d->sweep->grid.axes[number];
    bool own = strcmp(axis->name, axis->columns[0].name) == 0;
    if (own) {
        d->scales[number] = add_column(d, axis, &axis->columns[0], IMP_IS_AXIS);
        imp_new_check(d, H5DSset_scale(d->scales[number], axis->name) >= 0);
    } else {
        d->scales[number] =
            imp_layout_index(d, axis->name, 0, axis->size, IMP_IS_AXIS,
                             axis->sample ? "point of the sample" : "row of the table");
    }
    if (axis->sample) {
        imp_new_text(d, d->scales[number], IMP_ATTRIBUTE_DESIGN, axis->sample);
    }
    for (int c = own; c < axis->n_columns; c++) {
        hid_t column = add_column(d, axis, &axis->columns[c], IMP_IS_COLUMN);
        imp_new_attach(d, column, d->scales[number], 0);
        imp_new_close(d, column);
    }
}

hid_t imp_layout_dimension(imp_new_file *d, const imp_output *output) {
    if (H5Lexists(d->place, output->dimension, H5P_DEFAULT) > 0) {
        return H5Dopen2(d->place, output->dimension, H5P_DEFAULT);
    }
    hid_t scale = imp_layout_index(d, output->dimension, 1, output->length, IMP_IS_DIMENSION,
                                   "number of the value");
    imp_text members = {0};
    for (int k = 0; output->members && k < output->length; k++) {
        imp_text_print(&members, "%s%s", k ? " " : "", output->members[k]);
    }
    imp_new_words(d, scale, IMP_ATTRIBUTE_MEMBERS, &members);
    return scale;
}

/* Adds a dataset with the values of all cells; output: NULL for the outcome. */
static hid_t add_variable(imp_new_file *d, const char *name, hid_t type, imp_role role,
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
    hid_t dataset = imp_new_dataset(d, name, type, rank, extents, role, unit, meaning);
    for (int a = 0; a < grid->n_axes; a++) {
        imp_new_attach(d, dataset, d->scales[a], a);
    }
    if (rank > grid->n_axes) {
        hid_t scale = imp_layout_dimension(d, output);
        imp_new_attach(d, dataset, scale, grid->n_axes);
        imp_new_close(d, scale);
    }
    if (*coordinates) {
        imp_new_text(d, dataset, "coordinates", coordinates);
    }
    return dataset;
}

/* Writes the modes in which an output is undefined. */
static void put_undefined(imp_new_file *d, hid_t dataset, const imp_output *output) {
    imp_text modes = {0};
    for (int i = 0; i < d->sweep->theory->n_modes; i++) {
        const imp_mode *mode = &d->sweep->theory->modes[i];
        if (output->undefined_in >> mode->code & 1) {
            imp_text_print(&modes, "%s%s", modes.length ? " " : "", mode->name);
        }
    }
    imp_new_words(d, dataset, "undefined_in", &modes);
}

void imp_layout_explain(imp_new_file *d, hid_t dataset, int number) {
    const imp_output *output = &d->sweep->theory->outputs[number];
    const double nan = NAN;
    if (output->kind == IMP_CATEGORY) {
        put_category_flags(d, dataset, output);
    } else if (output->kind == IMP_REAL) {
        imp_new_list(d, dataset, "_FillValue", imp_layout_type(d->sweep, number), 1,
                     H5T_NATIVE_DOUBLE, &nan);
    }
    put_undefined(d, dataset, output);
    if (output->label) {
        imp_new_label(d, dataset, output->label);
    }
}

static void add_outputs(imp_new_file *d, const char *coordinates) {
    const imp_sweep *sweep = d->sweep;
    for (int o = 0; o < sweep->n_outputs; o++) {
        const imp_output *output = &sweep->theory->outputs[sweep->outputs[o]];
        hid_t dataset =
            add_variable(d, output->name, imp_layout_type(sweep, sweep->outputs[o]), IMP_IS_OUTPUT,
                         imp_sweep_unit(sweep, output), output->meaning, coordinates, output);
        imp_layout_explain(d, dataset, sweep->outputs[o]);
        imp_new_close(d, dataset);
    }
    hid_t outcome =
        add_variable(d, IMP_DATASET_OUTCOME, H5T_STD_I8LE, IMP_IS_OUTCOME, "1",
                     "result of the cell: solved, or the reason why not", coordinates, NULL);
    imp_layout_outcome_flags(d, outcome);
    imp_new_close(d, outcome);
}

/* Adds a dataset about the runs, along its scale. */
static void add_run(imp_new_file *d, const char *name, hid_t type, hid_t scale, hsize_t extent,
                    const char *unit, const char *meaning) {
    hid_t dataset =
        imp_new_dataset(d, name, type, scale < 0 ? 0 : 1, &extent, IMP_IS_SESSION, unit, meaning);
    if (scale >= 0) {
        imp_new_attach(d, dataset, scale, 0);
    }
    imp_new_close(d, dataset);
}

/* In a separate group, because a reader that makes one table of a file multiplies all dimensions of
 * a group. The last bytes of the file are not written before the end of a run, so that a file that
 * was cut short can be recognised. */
void imp_layout_bookkeeping(imp_new_file *d) {
    imp_new_group(d, IMP_GROUP_RUN);
    hid_t character = imp_layout_index(d, "character", 0, IMP_WRITER_BYTES, IMP_IS_SESSION,
                                       "index of a character, from 0");
    add_run(d, IMP_RUN_WRITER, H5T_STD_I8LE, character, IMP_WRITER_BYTES, "1",
            "process that writes or was the last to write, as text");
    imp_new_close(d, character);
    add_run(d, IMP_RUN_COMPLETE, H5T_STD_I8LE, -1, 1, "1",
            "1: every cell is done; 0: cells are pending");
    hid_t session = imp_layout_index(
        d, "session", 0, IMP_MAX_SESSIONS, IMP_IS_SESSION,
        "number of the session, from 0; a session is one run that wrote to this file");
#define ADD(name, type, file_type, unit, meaning)                                                  \
    add_run(d, #name, file_type, session, IMP_MAX_SESSIONS, unit, "session: " meaning);
    IMP_SESSION_FIELDS(ADD)
#undef ADD
    imp_new_close(d, session);
    imp_new_group_end(d);
}

void imp_layout_attributes(imp_new_file *d, const imp_provenance *provenance) {
    imp_text fingerprint = {0}, search = {0}, uncertain = {0};
    imp_fingerprint(d->sweep, &fingerprint);
    imp_new_origin(d, provenance);
    imp_new_integer(d, IMP_ATTRIBUTE_FORMAT, IMP_FORMAT);
    imp_new_integer(d, IMP_ATTRIBUTE_PART, d->sweep->part);
    imp_new_integer(d, IMP_ATTRIBUTE_PARTS, d->sweep->parts);
    imp_new_long_words(d, d->file, IMP_ATTRIBUTE_FINGERPRINT, &fingerprint);
    if (d->sweep->search) {
        imp_search_print_title(d->sweep->search, &search);
    }
    if (d->sweep->uncertain) {
        imp_uncertain_print(d->sweep->uncertain, 7, &uncertain);
    }
    imp_new_words(d, d->file, IMP_ATTRIBUTE_SEARCH, &search);
    imp_new_long_words(d, d->file, IMP_ATTRIBUTE_UNCERTAIN, &uncertain);
    if (d->sweep->figure) {
        imp_new_check(d, imp_h5_put_long_text(d->file, IMP_ATTRIBUTE_FIGURE, d->sweep->figure) ==
                             IMP_OK);
    }
}

void imp_layout_grid(imp_new_file *d) {
    imp_text coordinates = {0};
    const imp_grid *grid = &d->sweep->grid;
    for (int a = 0; a < grid->n_axes; a++) {
        add_axis(d, a);
        for (int c = 0; c < grid->axes[a].n_columns; c++) {
            if (strcmp(grid->axes[a].columns[c].name, grid->axes[a].name) != 0) {
                imp_text_print(&coordinates, " %s", grid->axes[a].columns[c].name);
            }
        }
    }
    imp_new_fixed(d, &coordinates);
    const char *names = imp_text_get(&coordinates);
    add_outputs(d, *names == ' ' ? names + 1 : names);
    for (int a = 0; a < grid->n_axes; a++) {
        imp_new_close(d, d->scales[a]);
    }
    imp_text_free(&coordinates);
}

imp_err imp_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                          const imp_provenance *provenance) {
    imp_new_file d;
    *image = (imp_image){.n = 0};
    imp_err error = imp_new_begin(&d, sweep, path);
    if (error) {
        return error;
    }
    imp_layout_attributes(&d, provenance);
    imp_layout_grid(&d);
    imp_layout_bookkeeping(&d);
    error = imp_new_end(&d);
    *image = d.image;
    return error;
}
