/* Trees of numbers, each of which is the parent of itself or of others: those of one tree belong
 * together. */
#ifndef IMP_REFINE_FOREST_H
#define IMP_REFINE_FOREST_H

#include <stdint.h>

static inline uint32_t imp_forest_root(uint32_t *parent, uint32_t number) {
    while (parent[number] != number) {
        parent[number] = parent[parent[number]];
        number = parent[number];
    }
    return number;
}

/* Joins the trees of two numbers. The root of a tree is its least number, which is returned. */
static inline uint32_t imp_forest_join(uint32_t *parent, uint32_t one, uint32_t other) {
    uint32_t a = imp_forest_root(parent, one), b = imp_forest_root(parent, other);
    parent[a < b ? b : a] = a < b ? a : b;
    return a < b ? a : b;
}

#endif
