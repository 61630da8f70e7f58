#include "cmd/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { AT_ONCE = 1 << 18, LABELS = 256 };

/* ---- the size of the blocks ---- */

static void count_blocks(const imp_variable *grid, imp_page_cells *c) {
    c->n = 1;
    c->reduced = false;
    for (int a = 0; a < grid->rank; a++) {
        c->extents[a] = (grid->extents[a] - 1) / c->stride[a] + 1;
        c->n *= c->extents[a];
        c->reduced = c->reduced || c->stride[a] > 1;
    }
}

/* The axis with the most blocks among the ranges, whose neighbours are alike; -1: none has two. */
static int longest_range(const imp_catalog *catalog, const imp_variable *grid,
                         const imp_page_cells *c) {
    int longest = -1;
    for (int a = 0; a < grid->rank; a++) {
        const imp_variable *axis = imp_catalog_find(catalog, grid->dimensions[a]);
        bool range = axis && axis->spacing[0];
        if (range && c->extents[a] > 1 && (longest < 0 || c->extents[a] > c->extents[longest])) {
            longest = a;
        }
    }
    return longest;
}

static void choose_strides(const imp_catalog *catalog, const imp_variable *grid, int64_t most,
                           imp_page_cells *c) {
    int axis = 0;
    for (int a = 0; a < IMP_MAX_RANK; a++) {
        c->stride[a] = 1;
    }
    count_blocks(grid, c);
    while (c->n > most && (axis = longest_range(catalog, grid, c)) >= 0) {
        c->stride[axis]++;
        count_blocks(grid, c);
    }
}

/* ---- one cell for each block ---- */

/* The category that labels cells: the mode, else the first output with one code per cell. */
static const imp_variable *category_of(const imp_catalog *catalog) {
    const imp_variable *mode = imp_catalog_find(catalog, "mode");
    for (const imp_variable *v = NULL; !mode && (v = imp_catalog_next(catalog, v)) != NULL;) {
        mode = imp_catalog_is_flag(catalog, v) ? v : NULL;
    }
    return mode && mode->role == IMP_IS_OUTPUT && imp_catalog_length(catalog, mode) == 1 ? mode
                                                                                         : NULL;
}

static unsigned char label_of(double outcome, double code) {
    double label = outcome == IMP_SOLVED ? code : outcome + 128;
    return label >= 0 && label < LABELS ? (unsigned char)label : LABELS - 1;
}

/* The label of every cell, and the number of cells with each. */
static imp_err read_labels(const imp_catalog *catalog, unsigned char *labels,
                           int64_t counts[LABELS]) {
    const imp_variable *grid = imp_catalog_grid(catalog), *category = category_of(catalog);
    double *outcomes = calloc(2 * AT_ONCE, sizeof *outcomes), *codes = outcomes + AT_ONCE;
    imp_err error = outcomes ? IMP_OK : imp_out_of_memory();
    memset(counts, 0, LABELS * sizeof *counts);
    for (int64_t first = 0; !error && first < grid->size; first += AT_ONCE) {
        int64_t n = grid->size - first < AT_ONCE ? grid->size - first : AT_ONCE;
        error = imp_catalog_read(catalog, grid, first, n, outcomes);
        if (!error && category) {
            error = imp_catalog_read(catalog, category, first, n, codes);
        }
        for (int64_t i = 0; !error && i < n; i++) {
            labels[first + i] = label_of(outcomes[i], codes[i]);
            counts[labels[first + i]]++;
        }
    }
    free(outcomes);
    return error;
}

/* The block of a cell, and whether the cell is in its middle. */
static int64_t block_of(const imp_variable *grid, const imp_page_cells *c, int64_t cell,
                        bool *middle) {
    int64_t block = 0, blocks = 1;
    *middle = true;
    for (int a = grid->rank - 1; a >= 0; a--) {
        int64_t index = cell % grid->extents[a], stride = c->stride[a];
        int64_t width = grid->extents[a] - index / stride * stride;
        cell /= grid->extents[a];
        block += index / stride * blocks;
        blocks *= c->extents[a];
        *middle = *middle && index % stride == (width < stride ? width : stride) / 2;
    }
    return block;
}

static void choose_cells(const imp_variable *grid, const unsigned char *labels,
                         const int64_t counts[LABELS], imp_page_cells *c) {
    for (int64_t b = 0; b < c->n; b++) {
        c->cell[b] = -1;
    }
    for (int64_t i = 0; i < grid->size; i++) {
        bool middle;
        int64_t block = block_of(grid, c, i, &middle);
        int64_t *chosen = &c->cell[block], here = counts[labels[i]];
        int64_t there = *chosen < 0 ? INT64_MAX : counts[labels[*chosen]];
        if (here < there || (here == there && middle)) {
            *chosen = i;
        }
    }
}

/* Sorts the blocks by their cells, which are marked for that. */
static void sort_cells(const imp_variable *grid, unsigned char *marks, imp_page_cells *c) {
    bool middle;
    int64_t n = 0;
    memset(marks, 0, (size_t)grid->size);
    for (int64_t b = 0; b < c->n; b++) {
        marks[c->cell[b]] = 1;
    }
    for (int64_t i = 0; i < grid->size; i++) {
        if (marks[i]) {
            c->order[n++] = block_of(grid, c, i, &middle);
        }
    }
}

static imp_err reduce(const imp_catalog *catalog, const imp_variable *grid, imp_page_cells *c) {
    int64_t counts[LABELS];
    unsigned char *labels = malloc((size_t)grid->size);
    c->cell = malloc((size_t)c->n * sizeof *c->cell);
    c->order = malloc((size_t)c->n * sizeof *c->order);
    imp_err error = labels && c->cell && c->order ? IMP_OK : imp_out_of_memory();
    error = error ? error : read_labels(catalog, labels, counts);
    if (!error) {
        choose_cells(grid, labels, counts, c);
        sort_cells(grid, labels, c);
    }
    free(labels);
    return error;
}

imp_err imp_page_cells_choose(const imp_catalog *catalog, int64_t most, imp_page_cells *cells) {
    const imp_variable *grid = imp_catalog_grid(catalog);
    *cells = (imp_page_cells){.n = 0};
    choose_strides(catalog, grid, most, cells);
    return cells->reduced ? reduce(catalog, grid, cells) : IMP_OK;
}

/* Steps of the golden ratio within each interval of cells avoid the period of an axis. */
imp_err imp_page_cells_sample(const imp_catalog *catalog, int64_t most, imp_page_cells *cells) {
    int64_t size = imp_catalog_grid(catalog)->size, n = size < most ? size : most;
    *cells = (imp_page_cells){.n = n,
                              .reduced = true,
                              .cell = malloc((size_t)n * sizeof *cells->cell),
                              .order = malloc((size_t)n * sizeof *cells->order)};
    for (int64_t k = 0; cells->cell && cells->order && k < n; k++) {
        double turn = 0.6180339887498949 * (double)k;
        double within = turn - (double)(int64_t)turn;
        int64_t end = (k + 1) * (size / n) + (k + 1) * (size % n) / n;
        int64_t start = k * (size / n) + k * (size % n) / n;
        cells->cell[k] = start + (int64_t)(within * (double)(end - start));
        cells->order[k] = k;
    }
    return cells->cell && cells->order ? IMP_OK : imp_out_of_memory();
}

void imp_page_cells_free(imp_page_cells *cells) {
    free(cells->cell);
    free(cells->order);
    cells->cell = cells->order = NULL;
}

/* ---- values ---- */

imp_err imp_page_cells_read(const imp_page_cells *c, const imp_catalog *catalog,
                            const imp_variable *v, double *values) {
    int64_t length = imp_catalog_length(catalog, v);
    if (!c->reduced) {
        return imp_catalog_read(catalog, v, 0, c->n * length, values);
    }
    int64_t cells = AT_ONCE / length + 1, next = 0, size = v->size / length;
    double *read = malloc((size_t)(cells * length) * sizeof *read);
    imp_err error = read ? IMP_OK : imp_out_of_memory();
    for (int64_t first = 0; !error && first < size; first += cells) {
        int64_t n = size - first < cells ? size - first : cells;
        if (next == c->n || c->cell[c->order[next]] >= first + n) {
            continue;
        }
        error = imp_catalog_read(catalog, v, first * length, n * length, read);
        for (; !error && next < c->n && c->cell[c->order[next]] < first + n; next++) {
            int64_t block = c->order[next];
            memcpy(values + block * length, read + (c->cell[block] - first) * length,
                   (size_t)length * sizeof *values);
        }
    }
    free(read);
    return error;
}
