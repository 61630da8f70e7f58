/* Structures of doubles from the lanes of a register, and to them. Both have their members from one
 * list, a macro of the type of a member:
 *
 *     #define IMP_THEORY_STATE(NUMBER) \
 *         NUMBER u, v;                 \
 *         NUMBER work;
 *     struct {IMP_THEORY_STATE(double)}, struct {IMP_THEORY_STATE(real)}
 *
 * So the order of the members is the same in both, whatever it is, and they are moved by number. */
#ifndef IMP_NUM_LANES_GATHER_H
#define IMP_NUM_LANES_GATHER_H

#include <stddef.h>
#include <string.h>

#include "num/lanes/words.h"

/* A number at the same offset from each base. It is set lane by lane: a register that is loaded as
 * a whole, when its parts have just been stored, waits until they have reached memory. */
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

/* Checked when compiled: a structure of lanes has as many members as one of `size` bytes of
 * doubles. */
#define IMP_SAME_MEMBERS(lanes, size)                                                              \
    _Static_assert(sizeof(lanes) == IMP_LANES * (size), "a list of members for both structures")

/* Loads a structure of lanes from the member of a `type` in each lane that has the same list. */
#define IMP_LOAD_MEMBERS(base, type, member, to)                                                   \
    do {                                                                                           \
        IMP_SAME_MEMBERS(*(to), sizeof((type *)0)->member);                                        \
        load_members(base, offsetof(type, member), sizeof *(to) / sizeof(real), (real *)(to));     \
    } while (0)

CODE void store_members(const real *from, int lane, size_t members, double *to) {
    const double *values = (const double *)from + lane;
    for (size_t k = 0; k < members; k++) {
        to[k] = values[k * IMP_LANES];
    }
}

/* Stores a lane of a structure of lanes in one of doubles that has the same list. */
#define IMP_STORE_MEMBERS(from, lane, to)                                                          \
    do {                                                                                           \
        IMP_SAME_MEMBERS(*(from), sizeof *(to));                                                   \
        store_members((const real *)(from), lane, sizeof *(from) / sizeof(real), (double *)(to));  \
    } while (0)

/* Columns are arrays of as many doubles as there are cells, one for each member: a structure of the
 * same list, too. */
CODE void load_columns(const double *columns, size_t cells, size_t members, real *to) {
    for (size_t k = 0; k < members; k++) {
        to[k] = imp_lanes_load(columns + k * cells);
    }
}

CODE void store_columns(const real *from, size_t cells, size_t members, double *columns) {
    for (size_t k = 0; k < members; k++) {
        imp_lanes_store(columns + k * cells, from[k]);
    }
}

/* Loads and stores the members of the cells from i on. */
#define IMP_LOAD_COLUMNS(columns, cells, i, to)                                                    \
    do {                                                                                           \
        IMP_SAME_MEMBERS(*(to), sizeof *(columns) / (cells));                                      \
        load_columns((const double *)(columns) + (i), cells, sizeof *(to) / sizeof(real),          \
                     (real *)(to));                                                                \
    } while (0)
#define IMP_STORE_COLUMNS(from, cells, i, columns)                                                 \
    do {                                                                                           \
        IMP_SAME_MEMBERS(*(from), sizeof *(columns) / (cells));                                    \
        store_columns((const real *)(from), cells, sizeof *(from) / sizeof(real),                  \
                      (double *)(columns) + (i));                                                  \
    } while (0)

/* Lanes without a structure repeat the first. */
CODE void fill(void *const *given, int n, const void **filled) {
    for (int lane = 0; lane < IMP_LANES; lane++) {
        filled[lane] = given[lane < n ? lane : 0];
    }
}

#endif
