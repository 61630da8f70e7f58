/* Checks of the law `dashpot` on any number of random cells: closed forms, energy account; and the
 * cells of the tests that integrate the motion themselves. */
#ifndef TESTS_SUPPORT_DASHPOTS_H
#define TESTS_SUPPORT_DASHPOTS_H

#include "support/batch.h"

/* Restitution and duration of a normal impact by n damping ratios, of free and of guided points, in
 * slip (friction 0) and in stick (friction 1), by both ends of contact. */
void dashpots_check_closed(size_t n);

/* The account of n random cells of every body. */
void dashpots_check_energy(size_t n);

/* n random cells of every body with damping ratios of 1e-8 to 1e8, and n with friction of 1e-3 to
 * 1e9: all are solved, with their account. */
void dashpots_check_extremes(size_t n);

/* Random cells: every parameter about its example, ratios of damping up to 1.5. */
void dashpots_draw(const batch *b, random_source *source);

/* The value of a cell, of a list the sum. */
double dashpots_value(const batch *b, const char *output, size_t i);

typedef enum dashpots_body { DASHPOTS_SPHERE, DASHPOTS_GENERAL, DASHPOTS_PENDULUM } dashpots_body;

/* A contact in SI units, with nothing of the product but the table of its parameters: B, and
 * stiffness and damping along the plane (1) and normal to it (3). */
typedef struct dashpots_contact {
    double b11, b12, b22, k1, k3, c1, c3, friction;
    bool by_elongation;
    double v_t, v_n; /* at the start */
    double energy;   /* that the contact could dissipate */
} dashpots_contact;

dashpots_contact dashpots_contact_of(const batch *b, size_t i, dashpots_body body);

/* The first phase: 0 is stick, 1 and -1 are slips along t and against it. */
int dashpots_first_phase(const dashpots_contact *c);

/* The end of a contact, in SI units. */
typedef struct dashpots_end {
    double v_t, v_n, normal_impulse, tangential_impulse, duration, compression_time;
    double normal_loss, tangential_loss, slip_loss, trapped_energy;
} dashpots_end;

/* Compares an end with the outputs of a cell. tolerance: relative to the initial normal velocity,
 * the normal impulse, the duration and the energy. */
void dashpots_compare(const batch *b, size_t i, const dashpots_contact *c, const dashpots_end *end,
                      double tolerance);

#endif
