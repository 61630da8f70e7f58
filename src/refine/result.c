#include "refine/result.h"

#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

void imp_refine_result_free(imp_refine_result *result) {
    free(result->cells);
    free(result->crossings);
    free(result->path);
    free(result->boundaries);
    free(result->triangles);
    free(result->junctions);
    free(result->filaments);
    free(result->shares);
    *result = (imp_refine_result){.n_cells = 0};
}

static imp_err add_cells(const imp_refinement *r, imp_refine_result *result) {
    int level = r->levels.reached;
    const imp_key_set *cells = &r->levels.level[level < 0 ? 0 : level].mixed;
    result->cells = calloc(cells->n + 1, sizeof *result->cells);
    if (!result->cells) {
        return imp_out_of_memory();
    }
    for (size_t i = 0; i < cells->n; i++) {
        imp_cell cell = imp_cell_of(cells, i, level);
        memcpy(result->cells[i].low, cell.low, sizeof cell.low);
        result->cells[i].level = (uint8_t)level;
    }
    result->n_cells = (int64_t)cells->n;
    return IMP_OK;
}

imp_err imp_refine_result_of(const imp_refinement *refinement, imp_refine_result *result) {
    const imp_refinement *r = refinement;
    *result = (imp_refine_result){.n_cells = 0};
    imp_err error = add_cells(r, result);
    if (!error && r->plan.boundary > 0) {
        error = imp_result_boundaries(r, result);
        error = error ? error : imp_result_junctions(r, result);
    }
    error = error ? error : imp_result_filaments(r, result);
    error = error || r->plan.bands ? error : imp_result_shares(r, result);
    if (error) {
        imp_refine_result_free(result);
        return error;
    }
    imp_result_audit(r, result);
    return IMP_OK;
}
