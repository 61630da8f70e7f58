/* The law `dashpot`: a spring and a dashpot side by side along each direction, a slider in series
 * with the tangential pair. Scaled as in problem.h, with n the normal and t the tangential damping:
 *
 *   normal force   F = delta + n delta'
 *   pull           T = u + t u', minus the tangential force
 *   stick          u' = v_t, |T| <= mu |F|
 *   slip           T = s mu |F|, slip speed s (v_t - u') >= 0
 *
 * Every phase is linear with constant coefficients: stick has the two motions of a quartic, slip
 * one motion and the relaxation of u. So each is known in closed form, and only the instants at
 * which phases end are searched, by steps that a bound of the second derivative makes safe.
 *
 * Most cells are solved in lanes, by the same steps (dashpot_lanes.c); this is the code for those
 * that lanes leave, and for observers.
 *
 * dashpot.c follows a contact from phase to phase, dashpot_stick.c and dashpot_slip.c know the
 * phases, dashpot_motion.c finds the motions of stick, dashpot_sights.c what falls to 0 in them. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_IMPL_H
#define IMP_MODELS_COMPLIANT_DASHPOT_IMPL_H

#include "models/compliant/account_impl.h"
#include "models/compliant/state_impl.h"
#include "num/damped.h"

/* How what ends a phase begins: above 0; at 0, which it leaves; at 0 because it ended the phase
 * before, on its other side: then it rises, and where its rate is about 0 that is rounding. */
typedef enum dashpot_root { ABOVE, AT_ROOT, HALTED } dashpot_root;

typedef struct dashpot_contact {
    const imp_compliant_problem *p;
    imp_compliant_dashpot_factors *roots;
    state now;         /* its loss: friction and the tangential dashpot together */
    double s;          /* direction of the last slip, or of the next; 0 at the start in stick */
    double u_rate;     /* at the end of a slip, or where one begins */
    double side;       /* sign of F; -1 only where the contact ends by elongation */
    bool turns_over;   /* F is 0: it has just changed its sign */
    bool on_face;      /* a slip begins on a steep face: there the pull says what F is */
    double face_force; /* that */
    dashpot_root slip; /* how its speed begins */
    bool along_rim;    /* its speed stays 0 to the end of the contact */
    double normal_loss, tangential_loss; /* the second only for accounts */
    int64_t budget;
} dashpot_contact;

/* ---- motions of stick ---- */

enum { ALONG_T, ALONG_N }; /* u and -delta */

/* The two motions of stick, each with its share of the elongations and of their rates, around the
 * place at which a constrained body may rest. */
typedef struct dashpot_motion {
    imp_damped d[2];
    double x[2][2], v[2][2]; /* motion, direction */
    double rest[2];
    bool cancels; /* the shares are much larger than their sum */
} dashpot_motion;

/* known: the roots of the last problem, which those of this one replace. */
dashpot_motion imp_compliant_dashpot_motion(const imp_compliant_problem *p, const state *now,
                                            imp_compliant_dashpot_factors *known);

/* A sum of elongations and rates as it moves: of each motion the value and its rate at the
 * start. */
typedef struct dashpot_sight {
    double value[2], rate[2], constant;
} dashpot_sight;

dashpot_sight imp_compliant_dashpot_sight(const dashpot_motion *m, const double of_x[2],
                                          const double of_v[2]);
dashpot_sight imp_compliant_dashpot_rate(const dashpot_motion *m, const dashpot_sight *sight);
dashpot_sight imp_compliant_dashpot_sum(double a, const dashpot_sight *x, double b,
                                        const dashpot_sight *y);
double imp_compliant_dashpot_value(const dashpot_motion *m, const dashpot_sight *sight,
                                   double time);

/* The first of several sights to fall to 0 after `from`, at most until `limit`. which: -1: none
 * does. */
typedef struct dashpot_fall {
    double time;
    int which;
    bool spent; /* of the budget nothing is left */
} dashpot_fall;

enum { DASHPOT_SIGHTS = 3 };

dashpot_fall imp_compliant_dashpot_first_fall(const dashpot_motion *m, const dashpot_sight *sights,
                                              const dashpot_root *root, int n, double from,
                                              double limit, int64_t *budget);

/* The positive step within which f + f1 h - bend h^2 / 2 does not fall to 0. */
static inline double imp_compliant_dashpot_step(double f, double f1, double bend) {
    double root = sqrt(f1 * f1 + 2 * bend * f);
    return f1 > 0 ? (f1 + root) / bend : 2 * f / (root - f1);
}

/* Whether Newton's method finds the root nearby: nothing bends the function back before it. */
static inline bool imp_compliant_dashpot_is_near(double f, double f1, double bend) {
    return f1 < 0 && 2 * bend * f <= 0.3 * f1 * f1;
}

/* ---- phases ---- */

static inline double imp_compliant_dashpot_force(const dashpot_contact *k) {
    double force = k->on_face ? k->face_force : k->now.delta - k->p->damping * k->now.v_n;
    return k->turns_over ? 0 : force;
}

/* Where stick and slip meet the pull is on a face of the cone. The elongation follows from it,
 * except where a strong dashpot has nearly all of it. */
static inline void imp_compliant_dashpot_put_on_face(dashpot_contact *k, double pull) {
    double held = k->p->drag * k->now.v_t;
    k->now.u = fabs(held) > 4 * fabs(k->now.u) ? k->now.u : pull - held;
}

/* When the normal force, which moves as d says, vanishes. Where the roots lie apart the indentation
 * and its rate (speed) say it without the cancellation in the force of a strong dashpot. force and
 * rate: of the force; not negative while it presses. */
double imp_compliant_dashpot_flat(const imp_damped *d, double delta, double speed, double force,
                                  double rate);

phase_end imp_compliant_dashpot_stick(dashpot_contact *k);
phase_end imp_compliant_dashpot_slip(dashpot_contact *k);

#endif
