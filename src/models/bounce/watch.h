/* What an observer of a cell sees: imp_bounce_piece and imp_bounce_shown. */
#ifndef IMP_MODELS_BOUNCE_WATCH_H
#define IMP_MODELS_BOUNCE_WATCH_H

#include "models/bounce/state.h"

/* Codes of phases and events of histories; stored in files, append only. */
enum { IMP_BOUNCE_FLIGHT = 1, IMP_BOUNCE_STICK, IMP_BOUNCE_SLIP, IMP_BOUNCE_FLAT };
enum {
    IMP_BOUNCE_IMPACT = 1,
    IMP_BOUNCE_STICKS,
    IMP_BOUNCE_SLIPS,
    IMP_BOUNCE_LIFTS_OFF,
    IMP_BOUNCE_LIES_FLAT,
    IMP_BOUNCE_ENDS
};

/* A stretch of one phase. */
typedef struct imp_bounce_piece {
    int phase;
    double start, duration;
    /* Changes a copy of the cell into what it is `within` after the start. */
    void (*at)(const struct imp_bounce_piece *piece, double within, imp_bounce_cell *now);
    const imp_bounce_cell *cell; /* at the start; of a pivot, where it began */
    const void *more;
} imp_bounce_piece;

/* An event: the cell after it; of an impact, also its point and speed of approach, and its impulses
 * over the mass. */
typedef struct imp_bounce_shown {
    const imp_bounce_cell *cell;
    int number;
    double speed, normal, tangential;
} imp_bounce_shown;

static inline void imp_bounce_show_piece(const imp_bounce_cell *c, const imp_bounce_piece *piece) {
    if (c->p.observer) {
        c->p.observer->see_piece(c->p.observer, piece);
    }
}

/* An event that is no impact. */
void imp_bounce_show_event(const imp_bounce_cell *c, int event, int phase);

/* Keeps the cell for imp_bounce_show_glide. */
static inline void imp_bounce_keep(const imp_bounce_cell *c, imp_bounce_cell *before) {
    if (c->p.observer) {
        *before = *c;
    }
}

/* A stretch from one state of the cell to the present one, with constant acceleration. */
void imp_bounce_show_glide(const imp_bounce_cell *c, const imp_bounce_cell *before, int phase);

#endif
