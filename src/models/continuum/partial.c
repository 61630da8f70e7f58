/* Stick of the whole contact, and slip of its outer shells. */
#include "models/continuum/contact.h"

/* Adds work and loss of the series, which are in units of mu m, to the result. */
static void close_account(imp_continuum_contact *contact) {
    double unit = contact->problem->mu * contact->mobility;
    imp_continuum_note_energy(contact, unit * contact->v[LOSS], unit * contact->v[WORK]);
    contact->v[LOSS] = contact->v[WORK] = 0;
    contact->v_t = contact->mobility * contact->v[DRIFT];
}

static bool push(imp_continuum_contact *contact, imp_continuum_layer layer) {
    if (contact->n_layers == IMP_CONTINUUM_LAYERS) {
        return false;
    }
    contact->layers[contact->n_layers++] = layer;
    return true;
}

/* ---- stick ---- */

imp_continuum_next imp_continuum_begin_stick(imp_continuum_contact *contact) {
    contact->bottom = contact->v[INNER] = contact->v[ROOT];
    imp_continuum_note_phase(contact, IMP_STICK);
    contact->wait = FOR_STICK;
    return WAITS;
}

imp_continuum_next imp_continuum_stick_goes_on(imp_continuum_contact *contact,
                                               const imp_continuum_block *block, int lane) {
    double *v = contact->v, stop = block->stop[lane];
    imp_continuum_take_step(contact, block, lane, WORK);
    if (stop == GO_ON) {
        return WAITS;
    }
    contact->direction = stop == FORTH ? 1 : -1;
    v[DRIFT] = contact->direction * v[RATE];
    contact->onset = true;
    close_account(contact);
    bool room = push(contact, (imp_continuum_layer){.bottom = contact->bottom,
                                                    .top = v[ROOT],
                                                    .rate = v[RATE],
                                                    .drift = v[DRIFT],
                                                    .force = v[FORCE]});
    return room ? TO_PARTIAL : LOST;
}

/* ---- partial slip ---- */

/* Enters a layer. */
static void enter(imp_continuum_contact *contact, const imp_continuum_layer *layer) {
    double *v = contact->v;
    v[INNER] = layer->top;
    v[S_RATE] = layer->rate;
    v[S_DRIFT] = layer->drift;
    v[S_FORCE] = layer->force;
}

/* Cuts a layer off at `top`, where the slip ends. */
static void cut(const imp_continuum_contact *contact, imp_continuum_layer *layer, double top) {
    const double *v = contact->v;
    if (layer->slipped == 0) {
        layer->rate = v[S_RATE];
        layer->drift = v[S_DRIFT];
        layer->force = v[S_FORCE];
    }
    layer->top = top;
}

/* Slip in this direction ends; the shells that slipped form a new layer above the rest of this
 * one. */
static imp_continuum_next end_slip(imp_continuum_contact *contact, imp_continuum_layer *layer) {
    double *v = contact->v, s = contact->direction;
    cut(contact, layer, v[INNER]);
    v[DRIFT] = s * v[RATE];
    close_account(contact);
    if (contact->problem->constrained) {
        return WEDGED;
    }
    bool room = push(
        contact,
        (imp_continuum_layer){.slipped = s, .bottom = v[INNER], .top = v[ROOT], .force = v[FORCE]});
    contact->direction = v[RATE] > 0 ? s : -s;
    return !room ? LOST : v[RATE] > 0 ? TO_STICK : TO_PARTIAL;
}

/* The shells that slipped have left the contact; the stuck shells now at its edge slip the other
 * way. Where they leave at once, rounding hides in which direction they slip. */
static imp_continuum_next turn_slip(imp_continuum_contact *contact, imp_continuum_layer *layer) {
    if (contact->turned == contact->v[TIME]) {
        return LOST;
    }
    contact->turned = contact->v[TIME];
    cut(contact, layer, contact->v[ROOT]);
    close_account(contact);
    contact->direction = -contact->direction;
    return TO_PARTIAL;
}

/* Removes layers that already slipped in this direction: they slip as one with the shells above. */
static void merge(imp_continuum_contact *contact) {
    const imp_continuum_layer *layers = contact->layers;
    int n = contact->n_layers;
    while (n > 0 && (layers[n - 1].slipped == contact->direction ||
                     !(layers[n - 1].bottom < layers[n - 1].top))) {
        n--;
    }
    contact->n_layers = n;
}

static void wait_over(imp_continuum_contact *contact, const imp_continuum_layer *layer) {
    contact->wait = layer->slipped != 0 ? FOR_SLIPPED : contact->onset ? FOR_ONSET : FOR_STUCK;
}

/* Slip goes on over the outermost layer, or of all shells. */
static imp_continuum_next next_layer(imp_continuum_contact *contact) {
    if (contact->n_layers == 0) {
        contact->v[INNER] = 0;
        return TO_GROSS;
    }
    const imp_continuum_layer *layer = &contact->layers[contact->n_layers - 1];
    enter(contact, layer);
    wait_over(contact, layer);
    return WAITS;
}

imp_continuum_next imp_continuum_begin_partial(imp_continuum_contact *contact) {
    merge(contact);
    if (contact->n_layers > 0) {
        imp_continuum_note_phase(contact,
                                 contact->direction < 0 ? IMP_PARTIAL_BACK : IMP_PARTIAL_FORTH);
    }
    return next_layer(contact);
}

imp_continuum_next imp_continuum_partial_goes_on(imp_continuum_contact *contact,
                                                 const imp_continuum_block *block, int lane) {
    imp_continuum_layer *layer = &contact->layers[contact->n_layers - 1];
    imp_continuum_take_step(contact, block, lane, layer->slipped == 0 ? S_FORCE : WORK);
    contact->onset = false;
    switch ((imp_continuum_stop)block->stop[lane]) {
    case BOTTOM:
        contact->n_layers--;
        merge(contact);
        close_account(contact);
        return next_layer(contact);
    case TURN:
        return end_slip(contact, layer);
    case EDGE:
        return turn_slip(contact, layer);
    default:
        wait_over(contact, layer);
        return WAITS;
    }
}
