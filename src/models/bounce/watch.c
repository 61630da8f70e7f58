#include "models/bounce/watch.h"

void imp_bounce_show_event(const imp_bounce_cell *c, int event, int phase) {
    if (c->p.observer) {
        imp_bounce_shown shown = {.cell = c};
        c->p.observer->see_event(c->p.observer, event, phase, &shown);
    }
}

static void glide_at(const imp_bounce_piece *piece, double within, imp_bounce_cell *now) {
    const imp_bounce_motion *end = &((const imp_bounce_cell *)piece->more)->m;
    imp_bounce_motion *m = &now->m;
    double before = imp_bounce_energy(now), part = within / piece->duration;
    double gained = (end->velocity_t - m->velocity_t) * part, spun = (end->spin - m->spin) * part;
    m->time += within;
    m->x += (m->velocity_t + gained / 2) * within;
    m->alpha += (m->spin + spun / 2) * within;
    m->velocity_t += gained;
    m->spin += spun;
    imp_bounce_set_pose(now);
    imp_bounce_ground(now, m->base, 0);
    now->tally.friction_loss += before - imp_bounce_energy(now);
}

void imp_bounce_show_glide(const imp_bounce_cell *c, const imp_bounce_cell *before, int phase) {
    if (c->p.observer && c->m.time > before->m.time) {
        imp_bounce_piece piece = {.phase = phase,
                                  .start = before->m.time,
                                  .duration = c->m.time - before->m.time,
                                  .at = glide_at,
                                  .cell = before,
                                  .more = c};
        imp_bounce_show_piece(c, &piece);
    }
}
