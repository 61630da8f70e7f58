/* Slip of a rigid body in space in another form than the product's: direction phi and speed s,
 *     dphi/dtau = g(phi),  ds/dtau = s f(phi),  dp/dtau = s,
 * in long double, by extrapolated midpoint steps. No speed is too small for this form: slip halts
 * where the direction tends to one with f < 0, and nowhere else. Nothing of the product is used. */
#ifndef TESTS_SUPPORT_SLIP_H
#define TESTS_SUPPORT_SLIP_H

#include <stdbool.h>

typedef long double real;

typedef struct slip_body {
    real b11, b12, b13, b22, b23, b33, mu, fastest;
    bool held;       /* the pendulum: its tip only moves at right angles to the link */
    real v3_1, v3_2; /* its normal velocity over those along axes 1 and 2 */
} slip_body;

/* Places in the state; C, S: cosine and sine of phi. Impulses and work count from first touch, and
 * anew from the end of compression. */
enum { PHI, C, S, SPEED, P, P1, P2, V3, WORK, STATE };

typedef enum slip_rule { NEWTON, POISSON, ENERGETIC, BY_IMPULSE } slip_rule;
typedef enum slip_ending { OPEN, SEPARATES, WEDGES, NEVER, UNDECIDED } slip_ending;

typedef struct slip_contact {
    slip_body x;
    slip_rule which;
    real e, impulse; /* of the whole contact, by that law */
    real y[STATE];
    real v1, v2; /* of slip in a straight line, or 0 */
    bool compressed, halted;
    real pc, p1, p2, work; /* at the end of compression */
    real halt, turn, start;
    slip_ending ends;
} slip_contact;

/* Follows a contact that begins with v3 = -1 and slips with v1, v2, to its end. Set: x, which, and
 * e or impulse, v1, v2. Returns the mode in the product's words. */
const char *slip_follow(slip_contact *contact);

#endif
