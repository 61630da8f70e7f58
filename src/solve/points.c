#include "solve/points.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const int64_t most_flat_nodes = INT64_C(1) << 26;

bool imp_sweep_is_refined(const imp_sweep *sweep) {
    return sweep->refine.lattice.n_axes > 0;
}

bool imp_sweep_writes_in_parallel(const imp_sweep *sweep) {
    return sweep->parallel_write && !imp_sweep_is_refined(sweep);
}

int imp_sweep_lattice_axis(const imp_sweep *sweep, int axis) {
    for (int k = 0; k < sweep->refine.lattice.n_axes; k++) {
        if (sweep->refined[k] == axis) {
            return k;
        }
    }
    return -1;
}

int64_t imp_sweep_outer_cells(const imp_sweep *sweep) {
    return imp_sweep_outer_stride(sweep, -1);
}

int imp_sweep_event_axis(const imp_sweep *sweep) {
    int found = -1;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        bool numbers = imp_axis_given(axis) == 1 && axis->columns[0].choice < 0 && !axis->sample;
        found = numbers && !axis->refined && axis->size > 1 ? a : found;
    }
    return found;
}

int64_t imp_sweep_outer_stride(const imp_sweep *sweep, int axis) {
    int64_t stride = 1;
    for (int a = axis + 1; a < sweep->grid.n_axes; a++) {
        stride *= imp_sweep_lattice_axis(sweep, a) < 0 ? sweep->grid.axes[a].size : 1;
    }
    return stride;
}

/* The index of an outer cell on an outer axis. */
static int64_t index_of(const imp_sweep *sweep, int axis, int64_t cell) {
    return cell / imp_sweep_outer_stride(sweep, axis) % sweep->grid.axes[axis].size;
}

double imp_point_value(const imp_sweep *sweep, int axis, int column, const imp_point *point) {
    int k = imp_sweep_lattice_axis(sweep, axis);
    return k >= 0
               ? imp_lattice_value(&sweep->refine.lattice, k, point->key[k])
               : sweep->grid.axes[axis].columns[column].values[index_of(sweep, axis, point->cell)];
}

int imp_sweep_flat_level(const imp_sweep *sweep) {
    int64_t outer = imp_sweep_outer_cells(sweep);
    for (int level = sweep->refine.depth; level > 0; level--) {
        int64_t nodes = outer <= most_flat_nodes ? outer : most_flat_nodes + 1;
        for (int k = 0; k < sweep->refine.lattice.n_axes && nodes <= most_flat_nodes; k++) {
            nodes *= (INT64_C(1) << level) + 1;
        }
        if (nodes <= most_flat_nodes) {
            return level;
        }
    }
    return 0;
}

/* An evaluator needs every option of a choice axis when it is opened, so the line has room for
 * all. */
static size_t room_for_options(const imp_sweep *sweep) {
    size_t room = IMP_POINTS_AT_ONCE;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        size_t size = (size_t)sweep->grid.axes[a].size;
        room = imp_sweep_lattice_axis(sweep, a) < 0 && size > room ? size : room;
    }
    return room;
}

static imp_err add_column(const imp_sweep *sweep, int axis, int column, imp_axis *line) {
    const imp_column *from = &sweep->grid.axes[axis].columns[column];
    if (line->n_columns == IMP_MAX_COLUMNS) {
        return imp_fail(IMP_ERR_INPUT,
                        "too many columns for a refined map; allowed: %d on all axes together",
                        IMP_MAX_COLUMNS);
    }
    imp_column *to = &line->columns[line->n_columns];
    *to = *from;
    to->values = calloc((size_t)line->size, sizeof *to->values);
    if (!to->values) {
        return imp_out_of_memory();
    }
    line->n_columns++;
    for (int64_t i = 0; i < line->size; i++) {
        to->values[i] = from->values[i % sweep->grid.axes[axis].size];
    }
    return IMP_OK;
}

imp_err imp_points_open(const imp_sweep *sweep, imp_sweep *points) {
    *points = *sweep;
    points->refine = (imp_refine_plan){.base = 0};
    points->grid = (imp_grid){.n_axes = 1};
    imp_axis *line = &points->grid.axes[0];
    memcpy(line->name, "point", sizeof "point");
    line->size = (int64_t)room_for_options(sweep);
    imp_err error = IMP_OK;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        for (int c = 0; !error && c < sweep->grid.axes[a].n_columns; c++) {
            error = add_column(sweep, a, c, line);
        }
    }
    if (error) {
        imp_points_close(points);
    }
    return error;
}

void imp_points_set(const imp_sweep *sweep, const imp_point *point, size_t n, imp_sweep *points) {
    assert(n <= IMP_POINTS_AT_ONCE);
    int to = 0;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        for (int c = 0; c < sweep->grid.axes[a].n_columns; c++, to++) {
            for (size_t i = 0; i < n; i++) {
                points->grid.axes[0].columns[to].values[i] =
                    imp_point_value(sweep, a, c, &point[i]);
            }
        }
    }
}

void imp_points_close(imp_sweep *points) {
    imp_grid_free(&points->grid);
}
