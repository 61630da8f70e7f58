/* Mass and stiffness of a beam's finite elements, Hermite cubics, in 32 digits. */
#ifndef IMP_MODELS_BEAM_ELEMENTS_H
#define IMP_MODELS_BEAM_ELEMENTS_H

#include "models/beam/mesh.h"
#include "num/wide.h"

enum {
    IMP_BEAM_SIDE = 3, /* freedoms farther apart share no element */
    IMP_BEAM_LOWER = IMP_BEAM_SIDE + 1
};

/* A symmetric band matrix: [i][d] is the value at row i and column i - d. */
typedef imp_wide imp_beam_band[IMP_BEAM_LOWER];

typedef struct imp_beam_elements {
    int n; /* freedoms that are not held */
    imp_beam_band *mass, *stiffness;
} imp_beam_elements;

/* Assembles the elements between the nodes over the n freedoms listed in `list`. False: out of
 * memory. */
bool imp_beam_elements_make(const imp_beam_mesh *mesh, const double *node, int n, const int *list,
                            imp_beam_elements *elements);
void imp_beam_elements_free(imp_beam_elements *elements);

#endif
