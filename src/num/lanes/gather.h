/* Structures of doubles from the lanes of a register, and to them. */
#ifndef IMP_NUM_LANES_GATHER_H
#define IMP_NUM_LANES_GATHER_H

#include <stddef.h>
#include <string.h>

#include "num/lanes/words.h"

/* A number at the same offset from each base. Lane by lane: a register that is loaded from what has
 * just been stored, in parts, waits for the parts to reach memory. */
CODE real load(const void *const *base, size_t offset) {
    real x = number(0);
    for (int lane = 0; lane < IMP_LANES; lane++) {
        double value;
        memcpy(&value, (const char *)base[lane] + offset, sizeof value);
        imp_lanes_set(&x, lane, value);
    }
    return x;
}

CODE void load_members(const void *const *base, size_t offset, size_t members, real *to) {
    for (size_t k = 0; k < members; k++) {
        to[k] = load(base, offset + k * sizeof(double));
    }
}

/* For a structure of lanes whose members are loaded or stored in the order of a structure of
 * doubles, from its member START on: its members are checked with LANES, DOUBLES and START
 * defined. */
#define IMP_SAME_PLACE(member) IMP_SAME_PLACES(member, member)
#define IMP_SAME_PLACES(of_lanes, of_doubles)                                                      \
    _Static_assert(offsetof(LANES, of_lanes) * sizeof(double) ==                                   \
                       (offsetof(DOUBLES, of_doubles) - offsetof(DOUBLES, START)) * sizeof(real),  \
                   "a member has another place in lanes");

/* To the first members of a structure. */
CODE void store_members(const real *from, int lane, size_t members, double *to) {
    const double *values = (const double *)from + lane;
    for (size_t k = 0; k < members; k++) {
        to[k] = values[k * IMP_LANES];
    }
}

/* Lanes without a structure repeat the first. */
CODE void fill(void *const *given, int n, const void **filled) {
    for (int lane = 0; lane < IMP_LANES; lane++) {
        filled[lane] = given[lane < n ? lane : 0];
    }
}

#endif
