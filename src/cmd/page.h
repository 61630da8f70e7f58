/* A page for a browser, in one file that needs nothing else: its contents as JSON, its numbers as
 * one block of bytes, and the files of src/page, which the program carries. */
#ifndef IMP_CMD_PAGE_H
#define IMP_CMD_PAGE_H

#include <stdio.h>

#include "base/json.h"
#include "store/catalog.h"

typedef struct imp_page {
    const char *title;
    imp_json about;   /* the contents, an object, which the owner ends before the page is written */
    imp_text numbers; /* all arrays, one after another, each at a multiple of 8 bytes */
} imp_page;

/* Call imp_page_free in any case. */
void imp_page_open(const char *title, imp_page *page);
void imp_page_free(imp_page *page);

/* The types of arrays, little-endian: float64, float32, and whole numbers of 1, 2 and 4 bytes. */
typedef enum imp_page_type {
    IMP_PAGE_F8,
    IMP_PAGE_F4,
    IMP_PAGE_I1,
    IMP_PAGE_U2,
    IMP_PAGE_U4
} imp_page_type;

/* Bytes of one number. */
size_t imp_page_width(imp_page_type type);

/* Appends an array, and to the contents a member of this name, an object {type, at, size} by which
 * the page finds the array. */
void imp_page_add(imp_page *page, const char *name, imp_page_type type, const double *values,
                  int64_t n);

/* Writes a page, an imp_page, as HTML. Text of a map appears in it as JSON alone, without any
 * "<". */
imp_err imp_page_print(const void *page, FILE *to);

/* page_map.c: adds a map, reduced to at most so many bytes of numbers. */
imp_err imp_page_add_map(imp_page *page, const imp_catalog *catalog, int64_t most_bytes);

/* page_presets.c: adds what explore shows of every config that a page can solve: a list of objects
 * {name, title, view}. */
void imp_page_add_presets(imp_page *page);

/* Adds the boundaries and junctions of a refined map. */
imp_err imp_page_add_found(imp_page *page, const imp_catalog *catalog);

/* The files of src/page, which CMake joins into a file of C. The module of the solver is empty if
 * the program was built without it. */
typedef struct imp_page_asset {
    const unsigned char *bytes;
    size_t length;
} imp_page_asset;

/* The configs of the project, texts that end with a 0; the last one has no name. */
typedef struct imp_page_config {
    const char *name;
    imp_page_asset text;
} imp_page_config;
extern const imp_page_config imp_page_configs[];

extern const imp_page_asset imp_page_body, imp_page_style, imp_page_script, imp_page_looks,
    imp_page_module;

typedef struct imp_page_cells {
    int64_t n;                     /* cells of the page */
    int64_t extents[IMP_MAX_RANK]; /* of the blocks, in the order of the axes */
    int64_t stride[IMP_MAX_RANK];  /* cells of a block along each axis */
    bool reduced;
    int64_t *cell;  /* if reduced: the number of the cell that stands for each block */
    int64_t *order; /* if reduced: the numbers of the blocks, by ascending cell */
} imp_page_cells;

/* Chooses at most `most` cells, if ranges suffice for this: one of the rarest mode, or failure, in
 * each block, so that a thin region stays visible. Call imp_page_cells_free in any case.
 * IMP_ERR_IO, IMP_ERR_MEMORY. */
imp_err imp_page_cells_choose(const imp_catalog *catalog, int64_t most, imp_page_cells *cells);

/* Takes at most `most` cells, evenly over the map. IMP_ERR_MEMORY. */
imp_err imp_page_cells_sample(const imp_catalog *catalog, int64_t most, imp_page_cells *cells);

void imp_page_cells_free(imp_page_cells *cells);

/* Reads an output, `length` values per cell, for the cells of the page. values[n * length]. */
imp_err imp_page_cells_read(const imp_page_cells *cells, const imp_catalog *catalog,
                            const imp_variable *variable, double *values);

#endif
