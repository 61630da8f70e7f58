#include "models/beam/modes.h"

#include <stdlib.h>

enum { MOST_KEPT = 4096 };
static const size_t most_bytes = (size_t)256 << 20;

/* A ring of the latest meshes, the oldest at `first`. */
struct imp_beam_mode_cache {
    imp_beam_modes *kept[MOST_KEPT];
    int first, n;
    size_t bytes; /* of their shapes, nearly all that they need */
};

imp_beam_mode_cache *imp_beam_mode_cache_create(void) {
    return calloc(1, sizeof(imp_beam_mode_cache));
}

static size_t size_of(const imp_beam_modes *modes) {
    return (size_t)modes->count * (size_t)modes->n * sizeof *modes->shape;
}

static void drop_oldest(imp_beam_mode_cache *cache) {
    imp_beam_modes **oldest = &cache->kept[cache->first];
    cache->bytes -= size_of(*oldest);
    cache->first = (cache->first + 1) % MOST_KEPT;
    cache->n--;
    imp_beam_modes_destroy(oldest);
}

void imp_beam_mode_cache_destroy(imp_beam_mode_cache **cache) {
    while (*cache && (*cache)->n > 0) {
        drop_oldest(*cache);
    }
    free(*cache);
    *cache = NULL;
}

static bool serves(const imp_beam_modes *kept, const imp_beam_mesh *mesh, int count) {
    const imp_beam_mesh *has = &kept->mesh;
    return has->boundary == mesh->boundary && has->elements == mesh->elements &&
           has->pin == mesh->pin && (kept->count >= count || kept->count == kept->n);
}

imp_err imp_beam_mode_cache_find(imp_beam_mode_cache *cache, const imp_beam_mesh *mesh, int count,
                                 const imp_beam_modes **modes, imp_outcome *outcome) {
    for (int i = cache->n - 1; i >= 0; i--) {
        imp_beam_modes *kept = cache->kept[(cache->first + i) % MOST_KEPT];
        if (serves(kept, mesh, count)) {
            *modes = kept;
            *outcome = IMP_SOLVED;
            return IMP_OK;
        }
    }
    imp_beam_modes *made;
    imp_err error = imp_beam_modes_create(mesh, count, &made, outcome);
    *modes = made;
    if (!made) {
        return error;
    }
    while (cache->n > 0 && (cache->n == MOST_KEPT || cache->bytes + size_of(made) > most_bytes)) {
        drop_oldest(cache);
    }
    cache->kept[(cache->first + cache->n++) % MOST_KEPT] = made;
    cache->bytes += size_of(made);
    return IMP_OK;
}
