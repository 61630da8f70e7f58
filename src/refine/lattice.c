#include "refine/lattice.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "grid/grid.h"
#include "refine/generator_impl.h"

int imp_lattice_bits(int n_axes) {
    assert(n_axes >= 1 && n_axes <= IMP_REFINE_AXES);
    static const int bits[IMP_REFINE_AXES + 1] = {0, 31, 31, 21, 16};
    return bits[n_axes];
}

double imp_lattice_value(const imp_lattice *lattice, int axis, double position) {
    assert(axis >= 0 && axis < lattice->n_axes);
    const imp_lattice_axis *a = &lattice->axis[axis];
    double part = position / (double)(UINT64_C(1) << imp_lattice_bits(lattice->n_axes));
    double value = imp_spaced_value(a->from, a->to, part, a->logarithmic);
    return a->degrees ? imp_quantity_si((imp_quantity){value, IMP_UNIT_DEGREE}) : value;
}

bool imp_lattice_is_mirrored(const imp_lattice *lattice) {
    bool mirrored = false;
    for (int a = 0; a < lattice->n_axes; a++) {
        mirrored ^= lattice->axis[a].to < lattice->axis[a].from;
    }
    return mirrored;
}

/* ---- sets of keys ---- */

imp_key_set imp_key_set_of(int n_axes) {
    return (imp_key_set){.n_axes = n_axes};
}

void imp_key_set_free(imp_key_set *set) {
    free(set->keys);
    free(set->slots);
    *set = imp_key_set_of(set->n_axes);
}

/* Positions of coarse nodes end in zeros, so every bit must reach the low ones: the finish of
 * splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t hash_of(const uint32_t *key, int n_axes) {
    uint64_t hash = 0;
    for (int a = 0; a < n_axes; a += 2) {
        uint64_t next = a + 1 < n_axes ? key[a + 1] : 0;
        hash = mix(hash + UINT64_C(0x9e3779b97f4a7c15) + ((uint64_t)key[a] << 32 | next));
    }
    return hash;
}

static bool same(const uint32_t *one, const uint32_t *other, int n_axes) {
    for (int a = 0; a < n_axes; a++) {
        if (one[a] != other[a]) {
            return false;
        }
    }
    return true;
}

/* The slot of a key, or the empty slot where it belongs. */
static size_t slot_of(const imp_key_set *set, const uint32_t *key) {
    size_t slot = hash_of(key, set->n_axes) & (set->n_slots - 1);
    while (
        set->slots[slot] &&
        !same(set->keys + (size_t)(set->slots[slot] - 1) * (size_t)set->n_axes, key, set->n_axes)) {
        slot = (slot + 1) & (set->n_slots - 1);
    }
    return slot;
}

uint32_t imp_key_set_find(const imp_key_set *set, const uint32_t *key) {
    uint32_t number = set->n ? set->slots[slot_of(set, key)] : 0;
    return number ? number - 1 : IMP_KEY_NONE;
}

/* Doubles the slots, which stay at most half full. */
static bool grow_slots(imp_key_set *set) {
    size_t n_slots = set->n_slots ? 2 * set->n_slots : 64;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (!slots) {
        return false;
    }
    free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    for (size_t i = 0; i < set->n; i++) {
        set->slots[slot_of(set, set->keys + i * (size_t)set->n_axes)] = (uint32_t)i + 1;
    }
    return true;
}

static bool grow_keys(imp_key_set *set) {
    size_t room = set->room ? set->room + set->room / 2 : 32;
    uint32_t *keys = realloc(set->keys, room * (size_t)set->n_axes * sizeof *keys);
    if (keys) {
        set->keys = keys;
        set->room = room;
    }
    return keys != NULL;
}

uint32_t imp_key_set_add(imp_key_set *set, const uint32_t *key) {
    if ((2 * set->n >= set->n_slots && !grow_slots(set)) ||
        (set->n == set->room && !grow_keys(set))) {
        return IMP_KEY_NONE;
    }
    size_t slot = slot_of(set, key);
    if (set->slots[slot]) {
        return set->slots[slot] - 1;
    }
    if (set->n == IMP_KEY_NONE - 1) {
        return IMP_KEY_NONE;
    }
    memcpy(set->keys + set->n * (size_t)set->n_axes, key, (size_t)set->n_axes * sizeof *key);
    set->slots[slot] = (uint32_t)++set->n;
    return (uint32_t)set->n - 1;
}

void imp_key_set_cut(imp_key_set *set, size_t n) {
    if (n < set->n) {
        set->n = n;
        memset(set->slots, 0, set->n_slots * sizeof *set->slots);
        for (size_t i = 0; i < n; i++) {
            set->slots[slot_of(set, set->keys + i * (size_t)set->n_axes)] = (uint32_t)i + 1;
        }
    }
}
