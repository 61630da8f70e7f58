/* Keeps the modes of the latest meshes, at most 256 MB. */
#ifndef IMP_MODELS_BEAM_MODE_CACHE_H
#define IMP_MODELS_BEAM_MODE_CACHE_H

#include "models/beam/modes.h"

typedef struct imp_beam_mode_cache imp_beam_mode_cache;

/* Returns NULL if memory is out. The caller owns the cache. */
imp_beam_mode_cache *imp_beam_mode_cache_create(void);
void imp_beam_mode_cache_destroy(imp_beam_mode_cache **cache);

/* The modes of a mesh, owned by the cache and valid until the next call. *modes is NULL if the mesh
 * cannot be made. Errors: those of imp_beam_modes_create. */
PetscErrorCode imp_beam_mode_cache_find(imp_beam_mode_cache *cache, const imp_beam_mesh *mesh,
                                        const imp_beam_modes **modes);

#endif
