/* The layout of the file of a refined map: points, and, at the end of the refinement, the flat grid
 * and the tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/units.h"
#include "store/layout.h"
#include "store/points_impl.h"

/* ---- places of points ---- */

/* Adds a column; size: bytes of each of its values. */
static void add_point_column(imp_point_column *columns, int *n, const char *name,
                             imp_point_column column, size_t size) {
    column.size = size * (size_t)column.length;
    snprintf(column.name, sizeof column.name, "%s", name);
    columns[(*n)++] = column;
}

int imp_point_columns(const imp_sweep *sweep, imp_point_column columns[IMP_PLACE_COLUMNS]) {
    int n = 0, axes = sweep->refine.lattice.n_axes;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        for (int c = 0; c < sweep->grid.axes[a].n_columns && n < IMP_MAX_COLUMNS; c++) {
            const imp_column *column = &sweep->grid.axes[a].columns[c];
            imp_point_column value = {"", IMP_POINT_IS_VALUE, a, c, 0, H5T_IEEE_F64LE, 1};
            imp_point_column choice = {"", IMP_POINT_IS_CHOICE, a, c, 0, H5T_STD_I8LE, 1};
            bool chosen = column->choice >= 0;
            char name[IMP_NAME];
            snprintf(name, sizeof name, IMP_POINT_PREFIX "%.50s", column->name);
            add_point_column(columns, &n, name, chosen ? choice : value,
                             chosen ? 1 : sizeof(double));
        }
    }
    imp_point_column key = {"", IMP_POINT_IS_KEY, -1, 0, 0, H5T_STD_U32LE, axes};
    imp_point_column cell = {"", IMP_POINT_IS_CELL, -1, 0, 0, H5T_STD_I64LE, 1};
    add_point_column(columns, &n, IMP_POINT_LATTICE, key, sizeof(uint32_t));
    if (sweep->grid.n_axes > axes) {
        add_point_column(columns, &n, IMP_POINT_REFINEMENT, cell, sizeof(int64_t));
    }
    return n;
}

void imp_map_dataset(const imp_sweep *sweep, const char *name, char whole[IMP_NAME]) {
    snprintf(whole, IMP_NAME, "%s%.50s", imp_sweep_is_refined(sweep) ? IMP_POINT_PREFIX : "", name);
}

void imp_refinement_text(const imp_sweep *sweep, imp_text *text) {
    const imp_refine_plan *plan = &sweep->refine;
    imp_text_print(text,
                   "base\t%d\ndepth\t%d\nboundary\t%.17g\nbudget\t%lld\naudit\t%lld\nlines\t%d\n",
                   plan->base, plan->depth, plan->boundary, (long long)plan->budget,
                   (long long)plan->audit, plan->lines);
    if (plan->tolerance > 0) {
        imp_text_print(text, "tolerance\t%.17g\n", plan->tolerance);
    }
}

/* The name of a dataset in its group. */
static const char *in_group(const char *name) {
    const char *slash = strchr(name, '/');
    return slash ? slash + 1 : name;
}

static void add_place(imp_new_file *d, const imp_point_column *c, int64_t rows, hid_t points,
                      hid_t axes) {
    bool key = c->kind == IMP_POINT_IS_KEY;
    hsize_t extents[2] = {(hsize_t)rows, (hsize_t)d->sweep->refine.lattice.n_axes};
    char text[IMP_UNIT_TEXT];
    const char *unit = "1",
               *meaning = key ? "position of the point on the lattice, 0 to 2^31 on each "
                                "axis (2^21 with three axes, 2^16 with four)"
                              : "number of the cell of the axes that are not refined, "
                                "in C order from 0";
    const imp_column *column =
        c->axis >= 0 ? &d->sweep->grid.axes[c->axis].columns[c->column] : NULL;
    if (c->kind == IMP_POINT_IS_VALUE) {
        const imp_parameter *parameter = imp_layout_parameter(d->sweep, column->name);
        unit = imp_sweep_parameter_unit(d->sweep, column->name, text);
        meaning = parameter ? parameter->meaning : "";
    } else if (c->kind == IMP_POINT_IS_CHOICE) {
        meaning = d->sweep->theory->choices[column->choice].meaning;
    }
    hid_t dataset = imp_new_dataset(d, in_group(c->name), c->type, key ? 2 : 1, extents,
                                    IMP_IS_POINT, unit, meaning);
    imp_new_attach(d, dataset, points, 0);
    if (key) {
        imp_new_attach(d, dataset, axes, 1);
    } else if (c->kind == IMP_POINT_IS_CHOICE) {
        imp_new_choice_flags(d, dataset, &d->sweep->theory->choices[column->choice]);
    }
    imp_new_close(d, dataset);
}

/* Adds the values of an output at the points. */
static void add_output(imp_new_file *d, int number, int64_t rows, hid_t points) {
    const imp_output *output = &d->sweep->theory->outputs[number];
    hsize_t extents[2] = {(hsize_t)rows, (hsize_t)output->length};
    char name[IMP_NAME];
    imp_map_dataset(d->sweep, output->name, name);
    hid_t dataset = imp_new_dataset(d, in_group(name), imp_layout_type(d->sweep, number),
                                    output->dimension ? 2 : 1, extents, IMP_IS_POINT,
                                    imp_sweep_unit(d->sweep, output), output->meaning);
    imp_new_attach(d, dataset, points, 0);
    if (output->dimension) {
        hid_t scale = imp_layout_dimension(d, output);
        imp_new_attach(d, dataset, scale, 1);
        imp_new_close(d, scale);
    }
    imp_layout_explain(d, dataset, number);
    imp_new_close(d, dataset);
}

/* Points are in a separate group, because a reader that makes one table of a file would combine
 * every point with every cell of the grid. */
static void add_points(imp_new_file *d, int64_t rows) {
    imp_point_column columns[IMP_PLACE_COLUMNS];
    int n = imp_point_columns(d->sweep, columns);
    hsize_t extent = (hsize_t)rows;
    imp_new_group(d, IMP_GROUP_POINTS);
    hid_t points = imp_new_dimension(d, "point", rows);
    hid_t axes = imp_new_dimension(d, "refined_axis", d->sweep->refine.lattice.n_axes);
    for (int i = 0; i < n; i++) {
        add_place(d, &columns[i], rows, points, axes);
    }
    for (int o = 0; o < d->sweep->n_outputs; o++) {
        add_output(d, d->sweep->outputs[o], rows, points);
    }
    hid_t outcome =
        imp_new_dataset(d, in_group(IMP_POINT_OUTCOME), H5T_STD_I8LE, 1, &extent, IMP_IS_POINT, "1",
                        "result of the point: solved, or the reason why not");
    imp_new_attach(d, outcome, points, 0);
    imp_layout_outcome_flags(d, outcome);
    imp_new_close(d, outcome);
    imp_new_close(d, axes);
    imp_new_close(d, points);
    imp_new_group_end(d);
}

/* ---- tables ---- */

static hid_t column_type(const imp_findings_column *column) {
    static const hid_t *const types[] = {
        [IMP_COLUMN_REAL] = &H5T_IEEE_F64LE_g, [IMP_COLUMN_COUNT] = &H5T_STD_I64LE_g,
        [IMP_COLUMN_LABEL] = &H5T_STD_I32LE_g, [IMP_COLUMN_OUTCOME] = &H5T_STD_I8LE_g,
        [IMP_COLUMN_EVENT] = &H5T_STD_I8LE_g,
    };
    return *types[column->type];
}

/* Codes and names of labels as CF flags. */
static void put_label_flags(imp_new_file *d, hid_t dataset, const imp_findings *f) {
    hsize_t n = (hsize_t)f->tables[IMP_TABLE_LABELS].n;
    imp_text names = {0};
    int32_t *codes = malloc((n + 1) * sizeof *codes);
    for (hsize_t i = 0; codes && i < n; i++) {
        codes[i] = (int32_t)i;
    }
    imp_text_print(&names, "%s", imp_text_get(&f->label_names));
    for (char *at = names.bytes; at && *at; at++) {
        *at = *at == '\n' ? (at[1] ? ' ' : 0) : *at;
    }
    imp_new_check(d, codes != NULL);
    if (codes) {
        imp_new_list(d, dataset, "flag_values", H5T_STD_I32LE, n, H5T_NATIVE_INT32, codes);
    }
    imp_new_long_words(d, dataset, "flag_meanings", &names);
    free(codes);
}

static void put_event_flags(imp_new_file *d, hid_t dataset) {
    static const char *const names[] = {
#define NAME(kind) #kind,
        IMP_EVENT_KINDS(NAME)
#undef NAME
    };
    int8_t codes[IMP_EVENT_EXCHANGED];
    for (int i = 0; i < IMP_EVENT_EXCHANGED; i++) {
        codes[i] = (int8_t)(i + 1);
    }
    imp_new_flags(d, dataset, codes, names, IMP_EVENT_EXCHANGED);
}

static void add_column(imp_new_file *d, const imp_findings *f, const imp_findings_table *table,
                       int number, hid_t scale) {
    const imp_findings_column *column = &table->columns[number];
    hsize_t extent = (hsize_t)table->n;
    double *values = malloc(table->n * sizeof *values);
    imp_new_check(d, values != NULL);
    hid_t dataset = imp_new_dataset(d, column->name, column_type(column), 1, &extent,
                                    IMP_IS_FINDING, column->unit, column->meaning);
    imp_new_attach(d, dataset, scale, 0);
    for (size_t i = 0; values && i < table->n; i++) {
        values[i] = table->values[i * (size_t)table->n_columns + (size_t)number];
    }
    if (values) {
        imp_new_values(d, dataset, H5T_NATIVE_DOUBLE, values);
    }
    if (column->type == IMP_COLUMN_LABEL) {
        put_label_flags(d, dataset, f);
    } else if (column->type == IMP_COLUMN_OUTCOME) {
        imp_layout_outcome_flags(d, dataset);
    } else if (column->type == IMP_COLUMN_EVENT) {
        put_event_flags(d, dataset);
    }
    imp_new_close(d, dataset);
    free(values);
}

static void add_tables(imp_new_file *d, const imp_findings *f) {
    for (int t = 0; t < IMP_N_TABLES; t++) {
        const imp_findings_table *table = &f->tables[t];
        if (table->n == 0) {
            continue; /* netCDF has no dimension without values */
        }
        imp_new_group(d, imp_table_names[t].group);
        hid_t scale = imp_new_dimension(d, imp_table_names[t].dimension, (int64_t)table->n);
        for (int c = 0; c < table->n_columns; c++) {
            add_column(d, f, table, c, scale);
        }
        imp_new_close(d, scale);
        imp_new_group_end(d);
    }
}

/* ---- the flat grid ---- */

/* A sweep with the axes and outputs of the flat grid; call free_flat, also after an error. */
static imp_err flat_sweep(const imp_sweep *sweep, int level, imp_sweep *flat) {
    imp_err error = IMP_OK;
    *flat = *sweep;
    flat->n_outputs = 0;
    for (int o = 0; o < sweep->n_outputs; o++) {
        if (imp_findings_in_grid(sweep, sweep->outputs[o])) {
            flat->outputs[flat->n_outputs++] = sweep->outputs[o];
        }
    }
    for (int k = 0; k < sweep->refine.lattice.n_axes; k++) {
        imp_axis *axis = &flat->grid.axes[sweep->refined[k]];
        axis->size = (INT64_C(1) << level) + 1;
        double *values = malloc((size_t)axis->size * sizeof *values);
        double step = ldexp(1, imp_lattice_bits(sweep->refine.lattice.n_axes) - level);
        for (int64_t i = 0; values && i < axis->size; i++) {
            values[i] = imp_lattice_value(&sweep->refine.lattice, k, (double)i * step);
        }
        axis->columns[0].values = values;
        error = values ? error : imp_out_of_memory();
    }
    return error;
}

static void free_flat(imp_sweep *flat) {
    for (int k = 0; k < flat->refine.lattice.n_axes; k++) {
        free(flat->grid.axes[flat->refined[k]].columns[0].values);
    }
}

/* Writes all nodes of the refinement of one outer cell. */
static void write_cell(imp_new_file *d, hid_t dataset, const imp_sweep *flat, int64_t cell,
                       const void *values) {
    hsize_t start[IMP_MAX_AXES], count[IMP_MAX_AXES];
    for (int a = flat->grid.n_axes - 1; a >= 0; a--) {
        hsize_t size = (hsize_t)flat->grid.axes[a].size;
        bool outer = imp_sweep_lattice_axis(flat, a) < 0;
        start[a] = outer ? (hsize_t)cell % size : 0;
        count[a] = outer ? 1 : size;
        cell /= outer ? (int64_t)size : 1;
    }
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    hid_t memory = H5Screate_simple(flat->grid.n_axes, count, NULL);
    imp_new_check(d, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                         H5Dwrite(dataset, type, memory, space, imp_h5_transfer(), values) >= 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Tclose(type);
}

/* Writes a dataset of the grid: each node gets the value of its point. by_row: values of all
 * points. */
static void write_flat(imp_new_file *d, const imp_sweep *flat, const char *name, size_t size,
                       const imp_findings *f, const unsigned char *by_row) {
    unsigned char *values = malloc((size_t)f->nodes * size);
    hid_t dataset = H5Dopen2(d->file, name, H5P_DEFAULT);
    imp_new_check(d, values && dataset >= 0);
    for (int64_t cell = 0; values && dataset >= 0 && cell < imp_sweep_outer_cells(flat); cell++) {
        const uint32_t *point = f->flat + cell * f->nodes;
        for (int64_t i = 0; i < f->nodes; i++) {
            memcpy(values + (size_t)i * size, by_row + (size_t)point[i] * size, size);
        }
        write_cell(d, dataset, flat, cell, values);
    }
    if (dataset >= 0) {
        imp_new_close(d, dataset);
    }
    free(values);
}

static void add_grid(imp_new_file *d, const imp_findings *f,
                     const unsigned char *const *grid_values) {
    const imp_sweep *whole = d->sweep;
    imp_sweep flat;
    imp_new_check(d, flat_sweep(whole, f->level, &flat) == IMP_OK);
    if (!d->failed) {
        d->sweep = &flat;
        d->chunked = true;
        imp_layout_grid(d);
        d->chunked = false;
        d->sweep = whole;
        for (int o = 0; o < whole->n_outputs; o++) {
            if (imp_findings_in_grid(whole, whole->outputs[o])) {
                write_flat(d, &flat, whole->theory->outputs[whole->outputs[o]].name,
                           imp_sweep_output_size(whole, whole->outputs[o]), f, grid_values[o]);
            }
        }
        write_flat(d, &flat, IMP_DATASET_OUTCOME, 1, f, grid_values[whole->n_outputs]);
    }
    free_flat(&flat);
}

/* ---- the file ---- */

static void put_plan(imp_new_file *d) {
    imp_text text = {0};
    imp_refinement_text(d->sweep, &text);
    imp_new_words(d, d->file, IMP_ATTRIBUTE_REFINEMENT, &text);
}

imp_err imp_refined_layout_create(imp_image *image, const char *path, const imp_sweep *sweep,
                                  const imp_provenance *provenance, int64_t rows,
                                  const imp_findings *findings,
                                  const unsigned char *const *grid_values) {
    imp_new_file d;
    *image = (imp_image){.n = 0};
    imp_err error = imp_new_begin(&d, sweep, path);
    if (error) {
        return error;
    }
    imp_layout_attributes(&d, provenance);
    put_plan(&d);
    if (findings) {
        imp_new_check(&d, imp_h5_put_long_text(d.file, IMP_ATTRIBUTE_LABELS,
                                               imp_text_get(&findings->label_names)) == IMP_OK);
        imp_new_text(&d, d.file, IMP_ATTRIBUTE_SIDES, IMP_SIDES_IN_VALUES);
        add_grid(&d, findings, grid_values);
        add_tables(&d, findings);
    } else {
        imp_text coordinates = {0};
        imp_new_fixed(&d, &coordinates);
        imp_text_free(&coordinates);
    }
    add_points(&d, rows);
    imp_layout_bookkeeping(&d);
    error = imp_new_end(&d);
    *image = d.image;
    return error;
}
