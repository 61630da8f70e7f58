/* The grid: cell numbers against nested loops, limits of 64-bit counts, values of an axis. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/grid.h"
#include "support/random.h"
#include "support/suite.h"

/* An axis whose column c has the values 1000 c + index. The grid owns them. */
static void add_axis(imp_grid *grid, const char *name, int64_t size, int n_columns) {
    imp_axis *axis = &grid->axes[grid->n_axes++];
    strcpy(axis->name, name);
    axis->size = size;
    axis->n_columns = n_columns;
    for (int c = 0; c < n_columns; c++) {
        strcpy(axis->columns[c].name, name);
        axis->columns[c].name[strlen(name)] = (char)('0' + c);
        axis->columns[c].choice = -1;
        axis->columns[c].values = malloc((size_t)size * sizeof(double));
        for (int64_t i = 0; i < size; i++) {
            axis->columns[c].values[i] = 1000 * c + (double)i;
        }
    }
}

static imp_grid some_grid(const int64_t *sizes, int n) {
    static const char *const axis_names[IMP_MAX_AXES] = {"a", "b", "c", "d", "e", "f"};
    imp_grid grid = {.n_axes = 0};
    for (int a = 0; a < n; a++) {
        add_axis(&grid, axis_names[a], sizes[a], 1 + a % 2);
    }
    return grid;
}

/* Where a cell lies on each axis: the last axis is the fastest. */
static void locate(const imp_grid *grid, int64_t cell, int64_t *index) {
    for (int a = grid->n_axes - 1; a >= 0; a--) {
        index[a] = cell % grid->axes[a].size;
        cell /= grid->axes[a].size;
    }
}

/* Counts like an odometer. */
static void check_locate(const imp_grid *grid) {
    int64_t counter[IMP_MAX_AXES] = {0}, cells = imp_grid_cells(grid);
    for (int64_t cell = 0; cell < cells; cell++) {
        int64_t index[IMP_MAX_AXES] = {-1, -1, -1, -1, -1, -1}, again = 0;
        locate(grid, cell, index);
        for (int a = 0; a < grid->n_axes; a++) {
            CHECK(index[a] == counter[a], "axis %d of cell %lld: %lld instead of %lld", a,
                  (long long)cell, (long long)index[a], (long long)counter[a]);
            again += counter[a] * imp_grid_stride(grid, a);
        }
        CHECK(again == cell, "strides lead to %lld instead of %lld", (long long)again,
              (long long)cell);
        for (int a = grid->n_axes - 1; a >= 0 && ++counter[a] == grid->axes[a].size; a--) {
            counter[a] = 0;
        }
    }
}

/* Values of any interval are those of its cells. */
static void check_fill(const imp_grid *grid, random_source *source) {
    enum { MOST = 5000 };
    static double values[MOST + 1];
    int cells = (int)imp_grid_cells(grid);
    for (int k = 0; k < 200; k++) {
        int first = random_index(source, cells), n = random_index(source, cells - first + 1);
        int a = random_index(source, grid->n_axes);
        int column = random_index(source, grid->axes[a].n_columns);
        n = n < MOST ? n : MOST;
        values[n] = -7;
        imp_grid_fill(grid, a, column, first, (size_t)n, values);
        for (int i = 0; i < n; i++) {
            int64_t index[IMP_MAX_AXES];
            locate(grid, first + i, index);
            CHECK(values[i] == 1000 * column + (double)index[a], "cell %d on axis %d: %g",
                  first + i, a, values[i]);
        }
        CHECK(values[n] == -7, "a value is written past the end");
    }
}

static void cells_and_values(void) {
    static const int64_t sizes[][IMP_MAX_AXES] = {
        {1}, {7}, {3, 5}, {1, 4, 1}, {4, 1, 3, 2}, {2, 3, 1, 4, 5}, {2, 3, 2, 3, 2, 3}, {40, 60}};
    static const int axes[] = {1, 1, 2, 3, 4, 5, 6, 2};
    random_source source = {91};
    for (int k = 0; k < SUITE_COUNT(axes); k++) {
        imp_grid grid = some_grid(sizes[k], axes[k]);
        int64_t cells = 1;
        for (int a = 0; a < axes[k]; a++) {
            cells *= sizes[k][a];
        }
        CHECK(imp_grid_cells(&grid) == cells, "%lld cells", (long long)imp_grid_cells(&grid));
        check_locate(&grid);
        check_fill(&grid, &source);
        imp_grid_free(&grid);
        CHECK(grid.n_axes == 0, "a freed grid has axes");
        imp_grid_free(&grid);
    }
}

static void no_axes(void) {
    imp_grid grid = {.n_axes = 0};
    int axis, column;
    CHECK(imp_grid_cells(&grid) == 1, "%lld cells", (long long)imp_grid_cells(&grid));
    CHECK(!imp_grid_find(&grid, "a", &axis, &column), "found on no axis");
    imp_grid_free(&grid);
}

/* Numbers of cells beyond 32 and up to 62 bits; no values are needed. */
static void large_counts(void) {
    imp_grid grid = {.n_axes = 3};
    grid.axes[0].size = INT64_C(1) << 20;
    grid.axes[1].size = INT64_C(1) << 21;
    grid.axes[2].size = INT64_C(1) << 21;
    CHECK(imp_grid_cells(&grid) == INT64_C(1) << 62, "2^62 cells");
    CHECK(imp_grid_stride(&grid, 0) == INT64_C(1) << 42, "stride of the slowest axis");
    CHECK(imp_grid_stride(&grid, 2) == 1, "stride of the fastest axis");
    int64_t index[IMP_MAX_AXES];
    locate(&grid, (INT64_C(1) << 62) - 1, index);
    CHECK(index[0] == (1 << 20) - 1 && index[1] == (1 << 21) - 1 && index[2] == (1 << 21) - 1,
          "the last of 2^62 cells");
    grid.axes[0].size++;
    CHECK(imp_grid_cells(&grid) == -1, "more than 2^62 cells");
    grid.axes[0].size = grid.axes[1].size = grid.axes[2].size = INT64_MAX;
    CHECK(imp_grid_cells(&grid) == -1, "2^189 cells");
    grid.n_axes = 1;
    grid.axes[0].size = (INT64_C(1) << 62) + 1;
    CHECK(imp_grid_cells(&grid) == -1, "one axis with 2^62+1 values");
}

static void find_by_name(void) {
    static const int64_t sizes[] = {2, 3, 4};
    imp_grid grid = some_grid(sizes, 3);
    int axis = -1, column = -1;
    CHECK(imp_grid_find(&grid, "b1", &axis, &column) && axis == 1 && column == 1, "%d %d", axis,
          column);
    CHECK(imp_grid_find(&grid, "c0", &axis, &column) && axis == 2 && column == 0, "%d %d", axis,
          column);
    CHECK(!imp_grid_find(&grid, "b", &axis, &column), "the axis itself is not a parameter");
    CHECK(!imp_grid_find(&grid, "c1", &axis, &column), "an unknown name");
    imp_grid_free(&grid);
}

/* Boxes that are taken one after the other cover an interval, each cell once and in order. */
static void boxes(void) {
    static const int64_t sizes[] = {4, 3, 5};
    random_source source = {92};
    for (int k = 0; k < 2000; k++) {
        int64_t first = random_index(&source, 60), n = 1 + random_index(&source, 60 - (int)first);
        int64_t at = first, end = first + n;
        int number = 0;
        while (at < end) {
            int64_t start[3], count[3], left = end - at;
            int64_t box = imp_box_of(3, sizes, at, left, start, count);
            CHECK(box >= 1 && box <= left, "box of %lld in %lld", (long long)box, (long long)left);
            CHECK(box == count[0] * count[1] * count[2], "%lld cells", (long long)box);
            CHECK((start[0] * 3 + start[1]) * 5 + start[2] == at, "starts elsewhere");
            for (int a = 0; a < 3; a++) {
                CHECK(start[a] >= 0 && start[a] + count[a] <= sizes[a], "leaves axis %d", a);
            }
            /* In C order a box is contiguous if only its slowest long side is cut. */
            bool rows = count[2] == 5 || (count[0] == 1 && count[1] == 1);
            bool planes = count[1] == 3 || count[0] == 1;
            CHECK(rows && planes, "not contiguous: %lld %lld %lld", (long long)count[0],
                  (long long)count[1], (long long)count[2]);
            at += box > 0 ? box : left;
            number++;
        }
        CHECK(at == end && number <= 5, "%d boxes end at %lld", number, (long long)at);
    }
}

static void spaced(void) {
    static const double ends[][2] = {{0, 1},      {0.1, 89.9}, {-3, 7},        {5, -5},
                                     {1e-3, 1.5}, {0.3, 0.3},  {1e-300, 1e300}};
    static const int64_t numbers[] = {1, 2, 3, 10, 881};
    double values[881];
    for (int k = 0; k < SUITE_COUNT(ends) * SUITE_COUNT(numbers); k++) {
        double from = ends[k % SUITE_COUNT(ends)][0], to = ends[k % SUITE_COUNT(ends)][1];
        int64_t n = numbers[k / SUITE_COUNT(ends)];
        imp_spaced_values(from, to, n, false, values);
        CHECK(values[0] == from && (n == 1 || values[n - 1] == to), "ends of %g to %g", from, to);
        for (int64_t i = 0; i < n && n > 1; i++) {
            double exact = (double)(from + ((long double)to - from) * i / (n - 1));
            CHECK_NEAR(values[i], exact, 4e-16 * (fabs(from) + fabs(to)), "value %lld of %g to %g",
                       (long long)i, from, to);
            CHECK(i == 0 || from == to || (values[i] > values[i - 1]) == (to > from),
                  "order of %g to %g", from, to);
        }
    }
}

static void logarithmic(void) {
    static const double ends[][2] = {{0.001, 1.5},  {1, 1e6}, {10, 0.1},
                                     {-0.01, -100}, {2, 2},   {1e-150, 1e150}};
    static const int64_t numbers[] = {1, 2, 3, 10, 881};
    double values[881];
    for (int k = 0; k < SUITE_COUNT(ends) * SUITE_COUNT(numbers); k++) {
        double from = ends[k % SUITE_COUNT(ends)][0], to = ends[k % SUITE_COUNT(ends)][1];
        int64_t n = numbers[k / SUITE_COUNT(ends)];
        imp_spaced_values(from, to, n, true, values);
        CHECK(values[0] == from && (n == 1 || values[n - 1] == to), "ends of %g to %g", from, to);
        for (int64_t i = 0; i < n && n > 1; i++) {
            long double exact = from * powl((long double)to / from, (long double)i / (n - 1));
            CHECK_NEAR((double)(values[i] / exact), 1, 3e-13, "value %lld of %g to %g",
                       (long long)i, from, to);
        }
    }
}

SUITE("grid", cells_and_values, no_axes, large_counts, find_by_name, boxes, spaced, logarithmic)
