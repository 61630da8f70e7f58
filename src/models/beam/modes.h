/* Natural modes of a beam's finite elements. */
#ifndef IMP_MODELS_BEAM_MODES_H
#define IMP_MODELS_BEAM_MODES_H

#include "impact.h"
#include "models/beam/elements.h"

/* Modes of one mesh, normalised by the mass matrix, in the order of their frequencies; rigid ones
 * are exact. Freedoms of node i are its displacement 2i and its slope 2i+1, whether free or held.
 * Each is exact to the last digit. */
typedef struct imp_beam_modes {
    imp_beam_mesh mesh;
    int rigid;      /* 2 free, 1 pinned, otherwise 0 */
    int n;          /* freedoms that are not held */
    int count;      /* modes, the slowest ones */
    int *free;      /* [n] the freedoms that are not held, ascending */
    double *node;   /* [elements + 1] positions, 0..1 */
    double *lambda; /* [count] */
    double *shape;  /* [count][n] value of mode j at free[i]: shape[j * n + i] */
    imp_beam_elements elements;
} imp_beam_modes;

/* Makes the `count` slowest modes, or all if there are fewer. On success the caller owns *modes.
 * *modes is NULL, and *outcome says why, if the mesh cannot be made: the pin is so near to an end
 * that its element would be shorter than a hundredth of the others (a pin exactly at the end is
 * allowed), or there are more spans than elements; or if a mode does not converge.
 * IMP_ERR_MEMORY. */
imp_err imp_beam_modes_create(const imp_beam_mesh *mesh, int count, imp_beam_modes **modes,
                              imp_outcome *outcome);
void imp_beam_modes_destroy(imp_beam_modes **modes);

/* Value of every mode at a position: value[count]. */
void imp_beam_modes_at(const imp_beam_modes *modes, double position, double *value);

/* ---- mode_cache.c ---- */

/* Keeps the modes of the latest meshes, at most 256 MB. */
typedef struct imp_beam_mode_cache imp_beam_mode_cache;

/* Returns NULL if memory is out. The caller owns the cache. */
imp_beam_mode_cache *imp_beam_mode_cache_create(void);
void imp_beam_mode_cache_destroy(imp_beam_mode_cache **cache);

/* The modes of a mesh, at least `count` if it has so many, owned by the cache and valid until the
 * next call. *modes and *outcome: as by imp_beam_modes_create. IMP_ERR_MEMORY. */
imp_err imp_beam_mode_cache_find(imp_beam_mode_cache *cache, const imp_beam_mesh *mesh, int count,
                                 const imp_beam_modes **modes, imp_outcome *outcome);

#endif
