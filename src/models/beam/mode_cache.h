/* Keeps the modes of the latest meshes, at most 256 MB. */
#ifndef IMP_MODELS_BEAM_MODE_CACHE_H
#define IMP_MODELS_BEAM_MODE_CACHE_H

#include "models/beam/modes.h"

typedef struct imp_beam_mode_cache imp_beam_mode_cache;

/* Returns NULL if memory is out. The caller owns the cache. */
imp_beam_mode_cache *imp_beam_mode_cache_create(void);
void imp_beam_mode_cache_destroy(imp_beam_mode_cache **cache);

/* The modes of a mesh, at least `count` if it has so many, owned by the cache and valid until the
 * next call. *modes and *outcome: as by imp_beam_modes_create. IMP_ERR_MEMORY. */
imp_err imp_beam_mode_cache_find(imp_beam_mode_cache *cache, const imp_beam_mesh *mesh, int count,
                                 const imp_beam_modes **modes, imp_outcome *outcome);

#endif
