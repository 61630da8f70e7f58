/* A contact of the linear law with restitution below 1: what its files share. */
#ifndef IMP_MODELS_COMPLIANT_BILINEAR_IMPL_H
#define IMP_MODELS_COMPLIANT_BILINEAR_IMPL_H

#include "models/compliant/pieces.h"

typedef struct contact {
    imp_compliant_problem loading, unloading;
    modes *loading_modes, *unloading_modes;
    double e, greatest; /* coefficient; greatest indentation so far */
    bool unloads;       /* on the unloading side; the state is in the units of its side */
    int64_t budget;
} contact;

static inline const imp_compliant_problem *side_of(const contact *k) {
    return k->unloads ? &k->unloading : &k->loading;
}

/* The instant of greatest indentation so far: the spring turns to its steep side. From here on the
 * normal impulse and work are summed anew: at a small coefficient they would be lost in a sum with
 * those before. */
static inline void turn(contact *k, state *now) {
    now->greatest = (peak){.delta = now->delta,
                           .p_n = now->greatest.p_n + now->p_n,
                           .time = now->time,
                           .work = now->greatest.work + now->work};
    now->p_n = now->work = 0;
    k->greatest = now->delta;
    k->unloads = true;
    now->delta *= k->e;
    now->v_n = 0;
    now->v_t *= k->e;
    now->p_t /= k->e;
    now->time /= k->e;
    now->greatest.time /= k->e;
}

/* Back on the loading line, at the greatest indentation so far. */
static inline void reload(contact *k, state *now) {
    k->unloads = false;
    now->delta = k->greatest;
    now->v_t /= k->e;
    now->p_t *= k->e;
    now->time *= k->e;
    now->greatest.time *= k->e;
}

static inline linear_path path_of(const contact *k, const state *start) {
    double e = k->unloads ? k->e : 1;
    return (linear_path){
        .problem = side_of(k), .start = *start, .e = e, .set = (1 - e) * (1 + e) * k->greatest};
}

/* A stick, to its end. *s: direction of the slip before, 0 at the start; on return the direction of
 * the slip that follows. */
phase_end imp_bilinear_constrained_stick(contact *k, state *now, double *s);
phase_end imp_bilinear_free_stick(contact *k, state *now, double *s);

#endif
