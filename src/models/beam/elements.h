/* Mass and stiffness of a beam's finite elements, Hermite cubics, in 32 digits. */
#ifndef IMP_MODELS_BEAM_ELEMENTS_H
#define IMP_MODELS_BEAM_ELEMENTS_H

#include "num/wide.h"
#include "models/beam/beam.h"

/* ---- mesh.c: nodes and freedoms ---- */

/* The quantities on which the shapes and frequencies of modes depend. */
typedef struct imp_beam_mesh {
    imp_beam_boundary boundary;
    int elements;
    double pin; /* position of the pin, 0..1; 0 where there is none */
} imp_beam_mesh;

/* Writes node[elements + 1], evenly spaced on either side of the pin. Returns the node of the pin,
 * -1 if there are too few elements or one would be too short. */
int imp_beam_place_nodes(const imp_beam_mesh *mesh, double *node);

/* Writes the freedoms that are not held, ascending; `pinned` is the node of the pin. Returns their
 * number. Freedoms of node i are its displacement 2i and its slope 2i+1. */
int imp_beam_list_free(const imp_beam_mesh *mesh, int pinned, int *list);

/* Cubic weights of the four freedoms of the element that holds a position in 0..1; `first` is the
 * first of the four. */
void imp_beam_weights(const imp_beam_mesh *mesh, const double *node, double position, int *first,
                      double weight[4]);

/* Value at a position of the rigid motions of unit norm: (x - pin)/sqrt(J); 1 and sqrt(12)(x -
 * 1/2). */
double imp_beam_rigid_mode(const imp_beam_mesh *mesh, int number, double position);

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
