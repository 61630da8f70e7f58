#include "models/beam/mode_cache.h"

#include <petscsys.h>
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
    return (size_t)modes->n * (size_t)modes->n * sizeof *modes->shape;
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

static bool same_mesh(const imp_beam_mesh *a, const imp_beam_mesh *b) {
    return a->boundary == b->boundary && a->elements == b->elements && a->pin == b->pin;
}

PetscErrorCode imp_beam_mode_cache_find(imp_beam_mode_cache *cache, const imp_beam_mesh *mesh,
                                        const imp_beam_modes **modes) {
    imp_beam_modes *made = NULL;
    PetscFunctionBeginUser;
    *modes = NULL;
    for (int i = cache->n - 1; i >= 0; i--) {
        imp_beam_modes *kept = cache->kept[(cache->first + i) % MOST_KEPT];
        if (same_mesh(&kept->mesh, mesh)) {
            *modes = kept;
            PetscFunctionReturn(0);
        }
    }
    PetscCall(imp_beam_modes_create(mesh, &made));
    if (!made) {
        PetscFunctionReturn(0);
    }
    while (cache->n > 0 && (cache->n == MOST_KEPT || cache->bytes + size_of(made) > most_bytes)) {
        drop_oldest(cache);
    }
    cache->kept[(cache->first + cache->n++) % MOST_KEPT] = made;
    cache->bytes += size_of(made);
    *modes = made;
    PetscFunctionReturn(0);
}
