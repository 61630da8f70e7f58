/* Random free bodies of the theory `compliant` under the law `linear`, and their inverse mass and
 * energy, which are computed here without the product. */
#ifndef TESTS_SUPPORT_PLANE_H
#define TESTS_SUPPORT_PLANE_H

#include "support/batch.h"
#include "support/random.h"

/* B of a cell. */
typedef struct plane_inertia {
    double b11, b12, b22;
} plane_inertia;

plane_inertia plane_inertia_of(const batch *b, size_t i);

/* v . B^-1 v / 2. */
double plane_energy(plane_inertia b, double v_t, double v_n);

/* n cells of any free body with random friction, stiffness_ratio and velocity_ratio. */
batch plane_draw_common(const char *choices, size_t n, random_source *source);

/* The same with random parameters of the body; the seed is each body's own. */
batch plane_draw_general(size_t n);
batch plane_draw_matrix(size_t n);
/* Angles up to those at which the axis lies in the plane. */
batch plane_draw_capsule(size_t n);
/* offset_n has either sign: a body may hang below its contact. */
batch plane_draw_lamina(size_t n);

#endif
