/* Random cells of the theory `compliant` over the box in which none may fail, and checks of any
 * cell of it. */
#ifndef TESTS_SUPPORT_CONTACTS_H
#define TESTS_SUPPORT_CONTACTS_H

#include "support/batch.h"
#include "support/random.h"

/* Fills every cell: friction to 2, |velocity_ratio| to 20, stiffness_ratio .01 to 10, inertia
 * coupling to .95, energetic restitution .1 to 1, damping to 2 in every second cell, any angle;
 * each as far as the range of the parameter reaches. A cell in which the body does not exist is
 * drawn again. */
void contacts_draw(const batch *b, random_source *source);

/* Calls `visit` with the name of every body of the theory, and whether the body is free: then the
 * velocity of its contact point is a parameter of its own. */
void contacts_every_body(void (*visit)(const char *body, bool free, void *context), void *context);

/* Solves n cells of every body under every law in that box, and checks that each is solved with a
 * residual of at most 1e-8. */
void contacts_check_box(int n, uint64_t seed);

/* Checks that a cell is solved, separated unless it wedges, and in balance. */
void contacts_check_sound(const batch *b, size_t i, double residual);

#endif
