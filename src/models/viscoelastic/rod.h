/* A plane body that strikes a viscoelastic surface with a point of its own, its tip, and turns
 * while it does.
 *
 * Scaled by the body's mass, by a length (that of a rod) and by |v_n(0)|. th is the angle of the
 * lever from the normal, with the tip at lever (-sin th, -cos th) from the mass centre, so th =
 * -angle; w = dth/dt.
 *
 * Source: the simulation in Brach 1993 (Int. J. Impact Engng 13). There L in eq. 18 is half the
 * length; the sign in eq. 19 is corrected here, so that damping dissipates. */
#ifndef IMP_MODELS_VISCOELASTIC_ROD_H
#define IMP_MODELS_VISCOELASTIC_ROD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/first.h"
#include "impact.h"
#include "models/phase_rows.h"
#include "models/viscoelastic/block.h"
#include "num/bracket.h"

/* Codes of the output `mode`; stored in files, append only. */
typedef enum imp_viscoelastic_mode {
    IMP_VISCOELASTIC_NONE,
    IMP_VISCOELASTIC_SLIP,
    IMP_VISCOELASTIC_SLIP_STICK,
    IMP_VISCOELASTIC_SLIP_REVERSED,
    IMP_VISCOELASTIC_STICK
} imp_viscoelastic_mode;

typedef struct imp_viscoelastic_problem {
    IMP_VISCOELASTIC_LAW(double)
    bool ends;      /* a rod, whose other end may reach the surface */
    double angle;   /* th at first contact, rad */
    double v_t;     /* initial tangential velocity of the tip */
    double spin;    /* initial w */
    bool latched;   /* stick is kept to the end; otherwise it breaks at the cone of friction */
    int64_t budget; /* evaluations of the forces */
    imp_observer *observer; /* sees imp_viscoelastic_piece and no events; NULL: none */
} imp_viscoelastic_problem;

/* The contact at an instant. Impulses and works count from first touch. */
typedef struct imp_viscoelastic_instant {
    double time, depth, angle, w; /* angle: th; w: its rate */
    double f_t, f_n;              /* forces on the rod */
    double tip_t, tip_n;
    double p_t, p_n, work_t, work_n;
    double kinetic; /* energy of the whole rod */
} imp_viscoelastic_instant;

/* A step of a phase. */
typedef struct imp_viscoelastic_piece {
    imp_phase_span span;
    const void *motion;
    imp_viscoelastic_instant (*at)(const struct imp_viscoelastic_piece *piece,
                                   double time); /* since the start */
} imp_viscoelastic_piece;
IMP_FIRST(imp_viscoelastic_piece, span);

typedef struct imp_viscoelastic_result {
    imp_outcome outcome;
    imp_viscoelastic_mode mode;
    uint64_t sequence;
    double duration, compression_time;
    double angle;                     /* th at separation */
    double v_t, v_n, w;               /* of the mass centre; angular velocity */
    double tip_t, tip_n;              /* velocity of the tip */
    double p_t, p_n, p_n_compression; /* impulses; the last until the greatest penetration */
    double penetration;               /* the greatest */
    double work_c, work_r,
        work_t;     /* of the normal force before and after the greatest penetration; of friction */
    double initial; /* kinetic energy */
    double change;  /* of the kinetic energy */
    double balance; /* of the works and the change */
} imp_viscoelastic_result;

/* Slip speeds, and their rates of change, at both ends of a part of a step. */
typedef struct imp_viscoelastic_dip {
    double low_speed, low_rate, high_speed, high_rate;
} imp_viscoelastic_dip;

/* The search for the first event in a step. */
typedef struct imp_viscoelastic_search {
    enum {
        IMP_VISCOELASTIC_STEPS,
        IMP_VISCOELASTIC_LOCATES,
        IMP_VISCOELASTIC_FETCHES
    } purpose;                            /* of the point asked for */
    double length;                        /* of the step */
    double stop[IMP_VISCOELASTIC_EVENTS]; /* distances at its end */
    int which, trials;
    bool open;  /* the event `which` is being located */
    bool sinks; /* the least slip speed in the step is being located: the tip may halt before */
    bool bare;  /* the event may lie at the step's start: no point before it is known yet */
    imp_viscoelastic_dip dip; /* of the bracket in `chord` while the search sinks */
    imp_chord chord;
    double left;     /* distance at the last trial */
    double rest;     /* slip speed below which a tip that started at rest has not slipped yet */
    double end_slip; /* direction that a tip at rest would take at the step's end */
    double end_rate; /* of change of the slip speed at the step's end */
    double side;     /* sign of the tangential force at which a stick breaks; 0: either */
    double end_side; /* sign of the tangential force at the step's end */
    imp_viscoelastic_event first; /* so far, after a step of length `found` */
    double found;
} imp_viscoelastic_search;

/* A contact that has begun, in a lane of a block. The problem must live as long. */
typedef struct imp_viscoelastic_march {
    const imp_viscoelastic_problem *problem;
    imp_viscoelastic_block *block;
    int lane;
    bool touches;    /* false at first contact without spin, where no force acts yet: the ratio of
                        the forces counts */
    double v_n;      /* of the mass centre at first contact */
    double rounding; /* of the tip's velocity: a tip that slips more slowly is at rest */
    int64_t left;    /* of the budget */
    uint64_t sequence;
    int phases;
    imp_viscoelastic_search search;
    imp_viscoelastic_result result; /* filled in as it becomes known */
} imp_viscoelastic_march;

/* Begins a contact in a lane, whose former contact is over. */
void imp_viscoelastic_begin(imp_viscoelastic_march *march, const imp_viscoelastic_problem *problem,
                            imp_viscoelastic_block *block, int lane);

/* Goes on after a round of the block; returns false once the contact is over. */
bool imp_viscoelastic_go_on(imp_viscoelastic_march *march);

/* One contact by itself. */
imp_viscoelastic_result imp_viscoelastic_solve(const imp_viscoelastic_problem *problem);

/* ---- events.c ---- */

/* Asks for the point after a part of the step. */
void imp_viscoelastic_ask(imp_viscoelastic_march *march, double length, bool fetches);

/* Begins to look for the first event in the step at hand; end_slip: the direction that a tip at
 * rest would take at its end. */
void imp_viscoelastic_open_search(imp_viscoelastic_march *march, double end_slip);

/* Takes the point that was asked for. */
void imp_viscoelastic_note_trial(imp_viscoelastic_march *march);

/* Goes on to look; returns whether it asks for another point. */
bool imp_viscoelastic_seeks(imp_viscoelastic_march *march);

/* ---- history.c ---- */

extern const imp_history imp_viscoelastic_history;

/* Solves the problem, and gives its history to the recorder. Returns the outcome of the cell. */
imp_outcome imp_viscoelastic_record(imp_viscoelastic_problem problem,
                                    const imp_contact_units *units, imp_recorder *recorder);

#endif
