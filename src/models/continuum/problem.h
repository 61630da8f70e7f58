/* The problem of a contact between elastic bodies, and its result.
 *
 * Everything is scaled: B by b22, velocities by |v_n(0)|, the normal force to delta^1.5. With
 * mobility m = mu eta the tangential displacement that the contact has taken up is m zeta, and
 * |zeta| <= delta. The contact is a stack of shells w in (0, delta), each with a density h(w) in
 * [-1, 1] relative to full slip, that of the circle of radius sqrt(w R):
 *
 *   zeta = int_0^delta h dw,  G = int_0^delta 1.5 sqrt(w) h dw,
 *   forces on the body (-mu G, delta^1.5)
 *
 * and with w = d delta / dt = -v_n, u = v_t / m
 *
 *   dw/dt = -delta^1.5 + mu c G,  du/dt = (c / m) delta^1.5 - (a / eta) G
 *
 * Where nothing slips dG/dt = 1.5 sqrt(delta) u. Where shells outside c slip in direction s,
 * s (zeta - Z(c)) = delta - c with Z(c) = int_0^c h dw, and G = H(c) + s (delta^1.5 - c^1.5) with
 * H(c) = int_0^c 1.5 sqrt(w) h dw. Where shells grew without slip Z and H at c are zeta and G of
 * the instant at which delta was c: what friction frees runs the motion backward.
 *
 * Sources: N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38
 * (1976) 101; J. Jaeger, New Solutions in Contact Mechanics, WIT Press 2005 (superposition of
 * annuli). */
#ifndef IMP_MODELS_CONTINUUM_PROBLEM_H
#define IMP_MODELS_CONTINUUM_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/first.h"
#include "impact.h"
#include "models/phase_rows.h"

/* Codes of the output `mode`: those of the theory `compliant`; stored in files, append only. */
typedef enum imp_continuum_mode {
    IMP_CONTINUUM_NONE,
    IMP_CONTINUUM_GROSS_STICK,
    IMP_CONTINUUM_STICK_SLIP,
    IMP_CONTINUUM_REVERSED,
    IMP_CONTINUUM_SAME,
    IMP_CONTINUUM_GROSS_SLIP,
    IMP_CONTINUUM_STICK_SLIP_STICK_SLIP,
    IMP_CONTINUUM_MULTIPLE,
    IMP_CONTINUUM_WEDGE
} imp_continuum_mode;

/* Slip phases with a loss of their own; the last one also holds the losses of all later ones. */
enum { IMP_CONTINUUM_SLIPS = 8 };

typedef struct imp_continuum_problem {
    double a, c;        /* b11 / b22, b12 / b22 */
    double determinant; /* a - c^2; not read when constrained */
    double mu, eta;     /* friction, >= 0; stiffness ratio */
    double v_t;         /* velocity ratio */
    bool constrained;   /* a = c^2 and v_t = -c by construction */
    double tolerance;
    int64_t budget;         /* steps of the series */
    bool want_peaks;        /* the greatest forces */
    imp_observer *observer; /* sees imp_continuum_piece and no events; NULL: none */
} imp_continuum_problem;

/* The greatest size of a force so far, and its time. */
typedef struct imp_continuum_peak {
    double size, time;
} imp_continuum_peak;

typedef struct imp_continuum_result {
    imp_outcome outcome;
    imp_continuum_mode mode;
    uint64_t sequence;
    double v_t, v_n; /* at separation; wedge: not set, nor are the members that follow */
    double p_t, p_n; /* impulses */
    double p_n_turn; /* at the greatest indentation */
    double duration, t_turn;
    double work_turn;   /* of the normal force up to the greatest indentation */
    double work_t_turn; /* of the tangential force up to there */
    double work_t;      /* in all */
    double slip_loss[IMP_CONTINUUM_SLIPS];
    int slips; /* entries of slip_loss in use */
    imp_continuum_peak normal, tangential;
    double loss;    /* energy lost to friction; always set */
    double trapped; /* wedge: elastic energy at the first rest; otherwise 0 */
    double initial; /* energy that the contact could dissipate at most; always set */
    double balance; /* of energy, relative; always set */
} imp_continuum_result;

/* The contact at an instant, in the scaled units of the problem. */
typedef struct imp_continuum_moment {
    double time, taken_up, delta; /* taken_up: tangential displacement of the contact */
    double f_t, f_n;              /* forces on the body */
    double v_t, v_n;
    double p_t, p_n; /* impulses since first touch */
    double slip;     /* velocity of the contact's centre over the plane */
    double stuck;    /* radius of the circle that does not slip over the contact's */
    double loss;     /* energy lost to friction since first touch */
} imp_continuum_moment;

/* A step of a phase. */
typedef struct imp_continuum_piece {
    imp_phase_span span;
    const void *motion;
    imp_continuum_moment (*at)(const struct imp_continuum_piece *piece, double time);
} imp_continuum_piece;
IMP_FIRST(imp_continuum_piece, span);

/* Room for one contact that is solved by itself (contact.h). */
typedef struct imp_continuum_work imp_continuum_work;

imp_continuum_result imp_continuum_solve(const imp_continuum_problem *problem,
                                         imp_continuum_work *work);

/* ---- history.c ---- */

extern const imp_history imp_continuum_history;

/* Gives the rows of a contact to the recorder, up to a failure if there is one. */
imp_outcome imp_continuum_record(imp_continuum_problem problem, const imp_contact_units *units,
                                 imp_continuum_work *work, imp_recorder *recorder);

#endif
