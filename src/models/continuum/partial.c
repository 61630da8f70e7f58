/* Stick of the whole contact, and slip of its outer shells. */
#include <math.h>

#include "models/continuum/contact.h"
#include "num/larger.h"

/* Variables that limit the length of a step. */
static const int of_stick[] = {ROOT, RATE, DRIFT, FORCE};
static const int of_partial[] = {ROOT, RATE, DRIFT, FORCE, INNER, S_RATE, S_DRIFT};

/* Begins a step in the present state of the contact. */
static void begin(const imp_continuum_contact *contact, imp_continuum_step *step) {
    for (int i = 0; i < N_VARIABLES; i++) {
        step->c[i][0] = contact->v[i];
    }
}

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

/* The lambda at which a step reaches the limit of friction, infinite if it does not; *side: of the
 * limit. */
static double limit_in(const imp_continuum_step *step, double stride, double *side) {
    imp_series forth, back;
    for (int k = 0; k <= IMP_CONTINUUM_ORDER; k++) {
        forth[k] = step->c[DRIFT][k] - step->c[RATE][k];
        back[k] = -step->c[DRIFT][k] - step->c[RATE][k];
    }
    double one = imp_continuum_first_rise(forth, stride);
    double other = imp_continuum_first_rise(back, imp_smaller(one, stride));
    *side = one <= other ? 1 : -1;
    return imp_smaller(other, one);
}

imp_continuum_end imp_continuum_stick_phase(imp_continuum_contact *contact) {
    imp_continuum_step step;
    double *v = contact->v, bottom = v[ROOT];
    imp_continuum_note_phase(contact, IMP_STICK);
    for (;;) {
        v[INNER] = v[ROOT];
        begin(contact, &step);
        imp_continuum_stick(&step, &contact->body);
        double stride = imp_continuum_stride(&step, of_stick, 4, contact->tolerance), side;
        double limit = limit_in(&step, stride, &side);
        if (--contact->budget <= 0 || !(stride > 0)) {
            return contact->budget <= 0 ? OUT_OF_BUDGET : LOST;
        }
        imp_continuum_take_step(contact, &step, imp_smaller(stride, limit));
        if (limit <= stride) {
            contact->direction = side;
            break;
        }
    }
    v[DRIFT] = contact->direction * v[RATE];
    v[INNER] = v[ROOT];
    contact->onset = true;
    close_account(contact);
    bool room = push(contact, (imp_continuum_layer){.bottom = bottom,
                                                    .top = v[ROOT],
                                                    .rate = v[RATE],
                                                    .drift = v[DRIFT],
                                                    .force = v[FORCE]});
    return room ? TO_PARTIAL : LOST;
}

/* ---- partial slip ---- */

/* BOTTOM: slip has reached the bottom of the layer; TURN: the outermost stuck shell falls below the
 * limit of friction; EDGE: all shells that slipped have left the contact. */
typedef enum stop { GO_ON, BOTTOM, TURN, EDGE, NO_BUDGET, NO_WAY } stop;

/* How a step ends, and where. */
static stop stop_in(const imp_continuum_step *step, double bottom, double stride, double *lambda) {
    imp_series down, out;
    for (int k = 0; k <= IMP_CONTINUUM_ORDER; k++) {
        down[k] = (k == 0 ? bottom : 0) - step->c[INNER][k];
        out[k] = step->c[INNER][k] - step->c[ROOT][k];
    }
    const struct {
        stop kind;
        const double *rising;
    } ways[] = {{BOTTOM, down}, {TURN, step->gap}, {EDGE, out}};
    stop kind = GO_ON;
    *lambda = stride;
    for (int i = 0; i < 3; i++) {
        double at = imp_continuum_first_rise(ways[i].rising, *lambda);
        if (at <= *lambda) {
            *lambda = at;
            kind = ways[i].kind;
        }
    }
    return kind;
}

/* Slip that spreads inward through one layer. */
static stop eat(imp_continuum_contact *contact, const imp_continuum_layer *layer) {
    imp_continuum_step step;
    double s = contact->direction;
    bool stuck = layer->slipped == 0;
    int variables = stuck ? 7 : 5;
    for (;;) {
        begin(contact, &step);
        if (stuck) {
            imp_continuum_over_stuck(&step, &contact->body, s, contact->onset);
        } else {
            imp_continuum_over_slipped(&step, &contact->body, s);
        }
        contact->onset = false;
        double stride = imp_continuum_stride(&step, of_partial, variables, contact->tolerance);
        if (--contact->budget <= 0 || !(stride > 0)) {
            return contact->budget <= 0 ? NO_BUDGET : NO_WAY;
        }
        double lambda;
        stop end = stop_in(&step, layer->bottom, stride, &lambda);
        imp_continuum_take_step(contact, &step, lambda);
        if (end != GO_ON) {
            return end;
        }
    }
}

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
static imp_continuum_end end_slip(imp_continuum_contact *contact, imp_continuum_layer *layer) {
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
 * way. */
static imp_continuum_end turn_slip(imp_continuum_contact *contact, imp_continuum_layer *layer) {
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

imp_continuum_end imp_continuum_partial_phase(imp_continuum_contact *contact) {
    merge(contact);
    if (contact->n_layers > 0) {
        imp_continuum_note_phase(contact,
                                 contact->direction < 0 ? IMP_PARTIAL_BACK : IMP_PARTIAL_FORTH);
    }
    while (contact->n_layers > 0) {
        imp_continuum_layer *layer = &contact->layers[contact->n_layers - 1];
        enter(contact, layer);
        stop at = eat(contact, layer);
        if (at == NO_BUDGET || at == NO_WAY) {
            return at == NO_BUDGET ? OUT_OF_BUDGET : LOST;
        }
        if (at == TURN || at == EDGE) {
            return at == TURN ? end_slip(contact, layer) : turn_slip(contact, layer);
        }
        contact->n_layers--;
        merge(contact);
        close_account(contact);
    }
    contact->v[INNER] = 0;
    return TO_GROSS;
}
