#include "models/beam/elements.h"

#include <stdlib.h>

/* Stiffness and mass of one element of length h. */
static void element(double h, imp_wide k[4][4], imp_wide m[4][4]) {
    /* Factors of powers of h: K h^3 and 420 M/h; a slope adds one `power` of h. */
    static const double stiffness[4][4] = {
        {12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}};
    static const double mass[4][4] = {
        {156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}};
    imp_wide power[3] = {imp_wide_of(1), imp_wide_of(h), imp_wide_product(h, h)};
    imp_wide stiff = imp_wide_divide(power[0], imp_wide_multiply(power[2], power[1]));
    imp_wide heavy = imp_wide_divide(power[1], imp_wide_of(420));
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            imp_wide length = power[i % 2 + j % 2];
            k[i][j] = imp_wide_multiply(imp_wide_of(stiffness[i][j]), stiff);
            k[i][j] = imp_wide_multiply(k[i][j], length);
            m[i][j] = imp_wide_multiply(imp_wide_of(mass[i][j]), heavy);
            m[i][j] = imp_wide_multiply(m[i][j], length);
        }
    }
}

/* row[f]: row of freedom f, -1 if it is held. */
static void add_element(imp_beam_elements *elements, double length, const int row[4]) {
    imp_wide k[4][4], m[4][4];
    element(length, k, m);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            if (row[i] >= 0 && row[j] >= 0) {
                imp_wide *stiffness = &elements->stiffness[row[i]][row[i] - row[j]];
                imp_wide *mass = &elements->mass[row[i]][row[i] - row[j]];
                *stiffness = imp_wide_add(*stiffness, k[i][j]);
                *mass = imp_wide_add(*mass, m[i][j]);
            }
        }
    }
}

bool imp_beam_elements_make(const imp_beam_mesh *mesh, const double *node, int n, const int *list,
                            imp_beam_elements *elements) {
    int row[2 * IMP_BEAM_MOST_NODES];
    elements->n = n;
    elements->mass = calloc((size_t)n, sizeof *elements->mass);
    elements->stiffness = calloc((size_t)n, sizeof *elements->stiffness);
    if (!elements->mass || !elements->stiffness) {
        return false;
    }
    for (int f = 0; f < 2 * IMP_BEAM_MOST_NODES; f++) {
        row[f] = -1;
    }
    for (int i = 0; i < n; i++) {
        row[list[i]] = i;
    }
    for (int e = 0; e < mesh->elements; e++) {
        add_element(elements, node[e + 1] - node[e], row + 2 * e);
    }
    return true;
}

void imp_beam_elements_free(imp_beam_elements *elements) {
    free(elements->mass);
    free(elements->stiffness);
    *elements = (imp_beam_elements){.n = 0};
}
