/* Impact in space through one normal and two equal tangential linear springs with Coulomb friction;
 * law `dashpot`: each spring with a dashpot at its side.
 *
 * Units: mass, |v3(0)| and the normal stiffness while loading are 1, so time is in sqrt(mass /
 * stiffness). The friction circle is |u| <= kappa w with u the elongation of the tangential springs
 * and w the compression of the normal one along its present line; while unloading that line is
 * steeper by 1/e^2 (Stronge's bilinear spring). Stick is linear: Taylor series, and where it lasts
 * for long see leap.c; slip: see slip_step.h.
 *
 * With dashpots the normal force is F = w - damping v3, and the pull of the tangential pair is k u
 * + drag u', k = 1 / stiffness ratio. In stick u' = v_t and |pull| <= mu |F|; in slip the pull is
 * mu |F| e, e being the direction of v_t - u', the slip. So e is the direction of k u + drag v_t,
 * too.
 */
#ifndef IMP_MODELS_COMPLIANT3D_CONTACT_H
#define IMP_MODELS_COMPLIANT3D_CONTACT_H

#include <stdint.h>

#include "base/first.h"
#include "bodies/spatial/body3d.h"
#include "models/phase_rows.h"
#include "impact.h"

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_compliant3d_mode {
    IMP_COMPLIANT3D_NONE,
    IMP_COMPLIANT3D_GROSS_STICK,
    IMP_COMPLIANT3D_STICK_SLIP,
    IMP_COMPLIANT3D_SLIP_STICK_SLIP,
    IMP_COMPLIANT3D_GROSS_SLIP,
    IMP_COMPLIANT3D_STICK_SLIP_STICK_SLIP,
    IMP_COMPLIANT3D_MULTIPLE,
    IMP_COMPLIANT3D_WEDGE
} imp_compliant3d_mode;

typedef struct imp_compliant3d_problem {
    const imp_spatial_contact *contact;
    double friction, stiffness_ratio, restitution; /* restitution: the energetic coefficient, > 0 */
    double damping, drag;   /* of the normal and each tangential dashpot; then restitution is 1 */
    bool by_elongation;     /* with damping: the contact ends where w is 0, not the force */
    int64_t budget;         /* steps */
    imp_observer *observer; /* sees imp_compliant3d_piece and no events; NULL: none */
} imp_compliant3d_problem;

/* The contact at an instant. Impulses, work and loss count from first touch. */
typedef struct imp_compliant3d_instant {
    double time, u1, u2, delta; /* elongations; indentation */
    double f1, f2, f3;          /* forces on the body */
    double v1, v2, v3, slip;    /* slip: speed */
    double p1, p2, p3;
    double work, friction_loss,
        spring_loss;           /* work: of the normal force; spring: and its dashpot */
    double tangential_loss;    /* in the dashpots */
    double stored_t, stored_n; /* energies that the springs give back */
} imp_compliant3d_instant;

/* A step of a phase. */
typedef struct imp_compliant3d_piece {
    imp_phase_span span; /* of phases IMP_STICK, IMP_SLIP_FORTH */
    const void *motion;
    imp_compliant3d_instant (*at)(const struct imp_compliant3d_piece *piece,
                                  double time); /* since the start */
} imp_compliant3d_piece;
IMP_FIRST(imp_compliant3d_piece, span);

typedef struct imp_compliant3d_result {
    imp_outcome outcome;
    imp_compliant3d_mode mode;
    uint64_t sequence; /* IMP_STICK, IMP_SLIP_FORTH */
    double v1, v2, v3; /* at separation; wedge: not set, nor are the members that follow */
    double p1, p2, p3;
    double p_turn, t_turn;              /* at the greatest indentation */
    double work_approach, work_rebound; /* of the normal force, before and after */
    double duration;
    double loss; /* to friction, in the normal spring, in dashpots and what stays in springs that
                       have separated; always set */
    /* Its parts with dashpots; of a body that wedges, trapped is what the springs keep. */
    double friction_loss, normal_loss, tangential_loss, trapped;
    double balance; /* energy: (kept + lost - initial) / initial; always set */
} imp_compliant3d_result;

imp_compliant3d_result imp_compliant3d_solve(const imp_compliant3d_problem *problem);

/* ---- history.c ---- */

extern const imp_history imp_compliant3d_history;

/* Solves the problem, and gives its history to the recorder. Returns the outcome of the cell. */
imp_outcome imp_compliant3d_record(imp_compliant3d_problem problem, const imp_contact_units *units,
                                   imp_recorder *recorder);

#endif
