/* A beam that strikes a Hertz contact, in scaled form: lengths per beam length l, times per 1/S,
 * masses per mu l, forces per E J/l^2, with S = sqrt(E J/mu)/l^2.
 *
 * Modal form: q_j'' + d_j q_j' + lambda_j q_j = B_j P, P = k rho^1.5 where rho > 0, and rho = -sum
 * B_j q_j is the approach of striker and beam. Modes are numbered: rigid modes of the beam (lambda
 * = 0), flexible ones, and last a striker of finite mass m, whose own motion is one more mode with
 * lambda = d = 0 and B = -1/sqrt(m). A fixed striker is not a mode.
 *
 * Source: J. Appl. Mech. 91 (2024) 011011. */
#ifndef IMP_MODELS_BEAM_BEAM_H
#define IMP_MODELS_BEAM_BEAM_H

#include "impact.h"

/* The scale of rates, in the words of the meanings of outputs. */
#define IMP_BEAM_S_VALUE "sqrt(modulus second_moment / mass_per_length) / length^2"
#define IMP_BEAM_S "S = " IMP_BEAM_S_VALUE

enum {
    IMP_BEAM_MOST_ELEMENTS = 256,
    IMP_BEAM_MOST_MODES = 200,
    IMP_BEAM_MOST_NODES = IMP_BEAM_MOST_ELEMENTS + 1,
    /* Every mode of the largest mesh and a striker: the unreduced system. */
    IMP_BEAM_MOST_FREEDOMS = 2 * IMP_BEAM_MOST_NODES + 1,
    /* Displacement and velocity of each mode, impulse, dissipated energy. */
    IMP_BEAM_MOST_STATE = 2 * IMP_BEAM_MOST_FREEDOMS + 2,
    IMP_BEAM_GROUP = 8, /* modes that are computed together; places behind the last are 0 */
    IMP_BEAM_MOST_GROUPED =
        (IMP_BEAM_MOST_FREEDOMS + IMP_BEAM_GROUP - 1) / IMP_BEAM_GROUP * IMP_BEAM_GROUP,
    IMP_BEAM_SUB_IMPACTS = 16, /* intervals that are listed; more are only counted */
    IMP_BEAM_MODE_ENERGIES = 4
};

/* Codes are the order of the options. */
typedef enum imp_beam_boundary {
    IMP_BEAM_PINNED,
    IMP_BEAM_FREE,
    IMP_BEAM_CLAMPED,
    IMP_BEAM_PINNED_PINNED
} imp_beam_boundary;

typedef enum imp_beam_scheme {
    IMP_BEAM_MODAL, /* TSRK or TSARKIMEX, by imp_beam_choose_scheme */
    IMP_BEAM_RK8,
    IMP_BEAM_RK5,
    IMP_BEAM_ARKIMEX,
    IMP_BEAM_FULL,
    IMP_BEAM_NEWMARK,
    IMP_BEAM_COLLOCATION
} imp_beam_scheme;

/* One collision to solve. */
typedef struct imp_beam_problem {
    int n;     /* modes, the striker included */
    int rigid; /* rigid modes of the beam, the first ones */
    int beam;  /* modes of the beam; n - beam is 1 with a striker of finite mass, otherwise 0 */
    double lambda[IMP_BEAM_MOST_FREEDOMS], damping[IMP_BEAM_MOST_FREEDOMS];
    double omega[IMP_BEAM_MOST_FREEDOMS]; /* sqrt(lambda) */
    double shape[IMP_BEAM_MOST_FREEDOMS]; /* B_j */
    double speed[IMP_BEAM_MOST_FREEDOMS]; /* initial q_j' */
    /* Errors of q_j and q_j' that have equal weight, each over the speed at which mode j would have
     * the whole energy. */
    double place_error[IMP_BEAM_MOST_FREEDOMS], speed_error[IMP_BEAM_MOST_FREEDOMS];
    bool damped;           /* any damping is not 0 */
    double external;       /* gamma_e: damping of every mode of the beam */
    double internal;       /* gamma_i */
    double stiffness;      /* k */
    double mass;           /* m of the striker, infinite if fixed */
    double approach;       /* V0 > 0 */
    double effective_mass; /* m_eff */
    double contact_time;   /* T = (m_eff^2/(k^2 V0))^(1/5) */
    double energy;         /* initial kinetic energy */
    double mode_error;     /* relative, of lambda and shape */
    double tolerance;      /* relative, of the integration, as the user asked for it */
} imp_beam_problem;

#endif
