/* Motions of damped oscillators, z'' + p z' + q z = 0: swinging, critical, creeping, growing (q
 * < 0) and drifting (q = 0), with the limits where roots meet. Every function is smooth in p and
 * q, and none divides by the difference of roots that may be equal. */
#ifndef IMP_NUM_DAMPED_H
#define IMP_NUM_DAMPED_H

#include <stdbool.h>

/* The roots of s^2 + p s + q: -p / 2 +- i size where they swing, otherwise slow >= fast. */
typedef struct imp_damped {
    double p, q; /* p >= 0 where q >= 0 */
    bool swings;
    double size;
    double slow, fast;     /* swings: the real part, twice */
    double over_p, over_q; /* 1/p and 1/q, of use where p >= 0 and q > 0 */
} imp_damped;

imp_damped imp_damped_of(double p, double q);

/* At a time: the motions that begin with z, z' = 1, 0 (`rest`) and 0, 1 (`push`), and the rate
 * of the second. So z = rest z0 + push z0' and z' = -q push z0 + rate z0'. */
typedef struct imp_damped_now {
    double rest, push, rate;
} imp_damped_now;

imp_damped_now imp_damped_at(const imp_damped *d, double time);

/* The integral of exp(-rate (time - t)) push(t) from 0 to time, rate >= 0: what a quantity that
 * relaxes at this rate keeps of a push. now: at this time. */
double imp_damped_kept(const imp_damped *d, double rate, double time, const imp_damped_now *now);

/* The first time after 0 at which the motion from z >= 0 falls to 0; infinite if it never does.
 * Of a motion from z = 0 the return. */
double imp_damped_fall(const imp_damped *d, double z, double rate);

/* A bound of |z| for all times from 0 to `span`, for the motion from z and its rate. Where the
 * motion grows, span must not exceed 1 / slow. */
double imp_damped_bound(const imp_damped *d, double z, double rate, double span);

#endif
