#include "models/beam/modes.h"

#include <stdlib.h>

#include "base/error.h"
#include "models/beam/refine.h"

/* Rigid modes are known exactly; with them lambda = 0 and damping is diagonal. */
static void set_rigid(imp_beam_modes *modes) {
    for (int j = 0; j < modes->rigid; j++) {
        modes->lambda[j] = 0;
        double slope =
            imp_beam_rigid_mode(&modes->mesh, j, 1) - imp_beam_rigid_mode(&modes->mesh, j, 0);
        for (int i = 0; i < modes->n; i++) {
            double at = modes->node[modes->free[i] / 2];
            modes->shape[(size_t)j * (size_t)modes->n + (size_t)i] =
                modes->free[i] % 2 ? slope : imp_beam_rigid_mode(&modes->mesh, j, at);
        }
    }
}

/* The flexible modes. *converged: whether all were found. */
static imp_err find_flexible(imp_beam_modes *modes, bool *converged) {
    imp_bracket *bracket = malloc((size_t)modes->count * sizeof *bracket);
    imp_beam_refinement *refinement = imp_beam_refinement_create(&modes->elements);
    bool memory = bracket && refinement &&
                  imp_beam_spectrum(&modes->elements, modes->rigid, modes->count, bracket);
    *converged = true;
    for (int j = modes->rigid; memory && *converged && j < modes->count; j++) {
        *converged = imp_beam_refine(refinement, &bracket[j], &modes->lambda[j],
                                     modes->shape + (size_t)j * (size_t)modes->n);
    }
    imp_beam_refinement_destroy(&refinement);
    free(bracket);
    return memory ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
}

void imp_beam_modes_destroy(imp_beam_modes **modes) {
    imp_beam_modes *gone = *modes;
    if (gone) {
        free(gone->free);
        free(gone->node);
        free(gone->lambda);
        free(gone->shape);
        imp_beam_elements_free(&gone->elements);
        free(gone);
    }
    *modes = NULL;
}

/* Fills modes whose mesh, nodes and freedoms are known. */
static imp_err compute(imp_beam_modes *modes, bool *converged) {
    size_t n = (size_t)modes->n, count = (size_t)modes->count;
    modes->lambda = calloc(count, sizeof *modes->lambda);
    modes->shape = calloc(count * n, sizeof *modes->shape);
    bool memory = imp_beam_elements_make(&modes->mesh, modes->node, modes->n, modes->free,
                                         &modes->elements) &&
                  modes->lambda && modes->shape;
    if (!memory) {
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    set_rigid(modes);
    return find_flexible(modes, converged);
}

imp_err imp_beam_modes_create(const imp_beam_mesh *mesh, int count, imp_beam_modes **made,
                              imp_outcome *outcome) {
    size_t nodes = (size_t)mesh->elements + 1;
    imp_beam_modes *modes = calloc(1, sizeof *modes);
    *made = NULL;
    if (modes) {
        modes->mesh = *mesh;
        modes->rigid = mesh->boundary == IMP_BEAM_FREE ? 2 : mesh->boundary == IMP_BEAM_PINNED;
        modes->node = calloc(nodes, sizeof *modes->node);
        modes->free = calloc(2 * nodes, sizeof *modes->free);
    }
    if (!modes || !modes->node || !modes->free) {
        imp_beam_modes_destroy(&modes);
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    int pinned = imp_beam_place_nodes(mesh, modes->node);
    bool converged = true;
    imp_err error = IMP_OK;
    if (pinned >= 0) {
        modes->n = imp_beam_list_free(mesh, pinned, modes->free);
        count = count > modes->rigid ? count : modes->rigid;
        modes->count = count < modes->n ? count : modes->n;
        error = compute(modes, &converged);
    }
    *outcome = pinned < 0 ? IMP_OUTSIDE : converged ? IMP_SOLVED : IMP_NO_CONVERGENCE;
    if (error || *outcome != IMP_SOLVED) {
        imp_beam_modes_destroy(&modes);
    }
    *made = modes;
    return error;
}

void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value) {
    int first;
    double weight[4];
    imp_beam_weights(&modes->mesh, modes->node, position, &first, weight);
    for (int j = 0; j < modes->count; j++) {
        value[j] = 0;
    }
    for (int i = 0; i < modes->n; i++) {
        int corner = modes->free[i] - first;
        for (int j = 0; corner >= 0 && corner < 4 && j < modes->count; j++) {
            value[j] += weight[corner] * modes->shape[(size_t)j * (size_t)modes->n + (size_t)i];
        }
    }
    for (int j = 0; j < modes->rigid; j++) {
        value[j] = imp_beam_rigid_mode(&modes->mesh, j, position);
    }
}
