#include "grid/grid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/exponential.h"

void imp_grid_free(imp_grid *grid) {
    for (int a = 0; a < grid->n_axes; a++) {
        for (int c = 0; c < grid->axes[a].n_columns; c++) {
            free(grid->axes[a].columns[c].values);
        }
    }
    *grid = (imp_grid){.n_axes = 0};
}

int imp_axis_given(const imp_axis *axis) {
    int given = 0;
    while (given < axis->n_columns && !axis->columns[given].formula[0]) {
        given++;
    }
    return given;
}

/* The product of the sizes of all axes, or (outer) of those that are not refined. */
static int64_t count_cells(const imp_grid *grid, bool outer) {
    const int64_t limit = INT64_C(1) << 62;
    int64_t cells = 1;
    for (int a = 0; a < grid->n_axes; a++) {
        if (outer && grid->axes[a].refined) {
            continue;
        }
        if (cells > 0 &&
            grid->axes[a].size > limit / cells) { /* 0: an axis that could not be read */
            return -1;
        }
        cells *= grid->axes[a].size;
    }
    return cells;
}

int64_t imp_grid_cells(const imp_grid *grid) {
    return count_cells(grid, false);
}

int64_t imp_grid_outer_cells(const imp_grid *grid) {
    return count_cells(grid, true);
}

int64_t imp_grid_stride(const imp_grid *grid, int axis) {
    assert(axis >= 0 && axis < grid->n_axes);
    int64_t stride = 1;
    for (int a = axis + 1; a < grid->n_axes; a++) {
        stride *= grid->axes[a].size;
    }
    return stride;
}

/* The fastest axis runs through its values. */
static void fill_running(const double *along, int64_t size, int64_t index, size_t n,
                         double *values) {
    for (size_t i = 0; i < n;) {
        size_t run = (uint64_t)(size - index) < n - i ? (size_t)(size - index) : n - i;
        memcpy(values + i, along + index, run * sizeof *values);
        i += run;
        index = 0;
    }
}

void imp_grid_fill(const imp_grid *grid, int axis, int column, int64_t first, size_t n,
                   double *values) {
    assert(axis >= 0 && axis < grid->n_axes && first >= 0);
    assert(column >= 0 && column < grid->axes[axis].n_columns);
    const double *along = grid->axes[axis].columns[column].values;
    int64_t stride = imp_grid_stride(grid, axis), size = grid->axes[axis].size;
    int64_t index = first / stride % size, left = stride - first % stride;
    if (stride == 1) {
        fill_running(along, size, index, n, values);
        return;
    }
    for (size_t i = 0; i < n;) {
        size_t run = (uint64_t)left < n - i ? (size_t)left : n - i;
        double value = along[index]; /* in a register, as `values` might overlap `along` */
        for (size_t end = i + run; i < end; i++) {
            values[i] = value;
        }
        left = stride;
        index = index + 1 < size ? index + 1 : 0;
    }
}

bool imp_grid_find(const imp_grid *grid, const char *name, int *axis, int *column) {
    for (int a = 0; a < grid->n_axes; a++) {
        for (int c = 0; c < grid->axes[a].n_columns; c++) {
            if (strcmp(grid->axes[a].columns[c].name, name) == 0) {
                *axis = a;
                *column = c;
                return true;
            }
        }
    }
    return false;
}

int64_t imp_box_of(int rank, const int64_t *extents, int64_t first, int64_t n, int64_t *start,
                   int64_t *count) {
    assert(rank >= 0 && first >= 0 && n >= 1);
    int64_t rest = first, box = 1;
    for (int a = rank - 1; a >= 0; a--) {
        start[a] = rest % extents[a];
        rest /= extents[a];
        count[a] = 1;
    }
    for (int a = rank - 1; a >= 0; a--) {
        int64_t room = extents[a] - start[a], fits = n / box;
        count[a] = fits < room ? fits : room;
        box *= count[a];
        if (count[a] < extents[a]) {
            break; /* a slower axis can only advance over whole rows */
        }
    }
    return box;
}

double imp_spaced_value(double from, double to, double part, bool logarithmic) {
    assert(part >= 0 && part <= 1);
    assert(!logarithmic || (from > 0) == (to > 0));
    if (part == 0 || part == 1) {
        return part == 0 ? from : to;
    }
    return logarithmic ? from * imp_power(to / from, part) : from * (1 - part) + to * part;
}

void imp_spaced_values(double from, double to, int64_t n, bool logarithmic, double *values) {
    assert(n >= 1);
    for (int64_t i = 0; i < n; i++) {
        double part = n > 1 ? (double)i / (double)(n - 1) : 0;
        values[i] = imp_spaced_value(from, to, part, logarithmic);
    }
}
