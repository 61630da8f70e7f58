/* The nested dyadic lattice of a refinement.
 *
 * A node is named by its key: one position per axis, a whole number of units 0 .. 2^bits. The
 * number of bits depends on the number of axes alone, not on the depth. So a node has one key, and
 * values of the same bits, at every level: the values of a grid with 2^level + 1 evenly spaced
 * points. Keys of n nodes are n * n_axes positions, node by node. */
#ifndef IMP_REFINE_LATTICE_H
#define IMP_REFINE_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMP_REFINE_AXES = 4 };

/* A refined axis. */
typedef struct imp_lattice_axis {
    double from, to;  /* differ; finite; in degrees if `degrees`, else SI */
    bool logarithmic; /* from and to have one sign and are not 0 */
    bool degrees;     /* spaced in degrees, then turned into radians */
} imp_lattice_axis;

typedef struct imp_lattice {
    imp_lattice_axis axis[IMP_REFINE_AXES];
    int n_axes; /* 1 .. IMP_REFINE_AXES */
} imp_lattice;

/* The finest level: 31 for one or two axes, 21 for three, 16 for four. */
int imp_lattice_bits(int n_axes);

/* The value, SI, at a position in units. Positions of nodes are whole numbers; positions of points
 * of a boundary need not be. */
double imp_lattice_value(const imp_lattice *lattice, int axis, double position);

/* Whether values mirror the lattice: an odd number of axes falls. What turns left, or
 * counterclockwise, in units turns right, or clockwise, in values then. */
bool imp_lattice_is_mirrored(const imp_lattice *lattice);

/* A set of keys, numbered 0, 1, .. in the order of addition. */
typedef struct imp_key_set {
    int n_axes;
    uint32_t *keys;  /* n * n_axes positions */
    uint32_t *slots; /* open addressing: number + 1, 0 is empty; n_slots is a power of 2 */
    size_t n, n_slots, room;
} imp_key_set;

#define IMP_KEY_NONE UINT32_MAX

/* The empty set, which owns nothing, and its end. */
imp_key_set imp_key_set_of(int n_axes);
void imp_key_set_free(imp_key_set *set);

/* The number of a key, IMP_KEY_NONE if it is not in the set. */
uint32_t imp_key_set_find(const imp_key_set *set, const uint32_t *key);

/* The number of a key, which is added if it is new; IMP_KEY_NONE when memory is out or 2^32 - 2
 * keys are in the set, which is unchanged then. */
uint32_t imp_key_set_add(imp_key_set *set, const uint32_t *key);

#endif
