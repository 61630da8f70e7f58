/* The way back over the kicks of a collision. Compiled once for each width; see num/lanes/lanes.h.
 * Sums over modes have eight parts, whatever the width. */
#include "models/beam/parts_lanes.h"
#include "models/beam/sensitivity.h"
#include "num/lanes/trigonometry.h"

/* Adds the squares of `value` times `weight`. */
CODE void add_squares(const double *value, const double *weight, int n, row *sum) {
    for (int j = 0; j < n; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            real x = imp_lanes_load(value + j + p * IMP_LANES);
            x *= weight ? imp_lanes_load(weight + j + p * IMP_LANES) : number(1);
            sum->part[p] += x * x;
        }
    }
}

/* By how much the slope of the indentation's impulse grows in a kick. */
CODE double growth(const imp_beam_slopes *s, double slope) {
    row sum = none();
    for (int j = 0; j < s->n; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int at = j + p * IMP_LANES;
            sum.part[p] += imp_lanes_load(s->shape + at) * imp_lanes_load(s->speed + at);
        }
    }
    return slope * (1 + total(&sum));
}

/* The free motion over a time; approximate for overdamped modes. */
CODE void make_turn(const imp_beam_slopes *s, double time, imp_beam_turn *made) {
    real t = number(time);
    made->time = time;
    for (int j = 0; j < s->n; j += IMP_LANES) {
        real w = imp_lanes_load(s->omega + j), sine, cosine;
        imp_lanes_sine(w * t, &sine, &cosine);
        if (s->damped) {
            real left = fade(-0.5 * imp_lanes_load(s->damping + j) * t);
            sine *= left;
            cosine *= left;
        }
        imp_lanes_store(made->cosine + j, cosine);
        imp_lanes_store(made->swing + j, w * sine);
        imp_lanes_store(made->drift + j, pick(w > 0, sine / w, t));
    }
}

/* The free motion over a time, which may be known. */
CODE const imp_beam_turn *find_turn(imp_beam_slopes *s, double time) {
    for (int i = 0; i < IMP_BEAM_KEPT_TURNS; i++) {
        if (s->kept[i].time == time) {
            return &s->kept[i];
        }
    }
    imp_beam_turn *made = &s->kept[s->next];
    s->next = (s->next + 1) % IMP_BEAM_KEPT_TURNS;
    make_turn(s, time, made);
    return made;
}

/* Goes back from after a kick to before it, and over the free motion before it. */
CODE void undo(imp_beam_slopes *s, const imp_beam_turn *free, double change) {
    real t = number(free->time), kicked = number(change);
    for (int j = 0; j < s->n; j += IMP_LANES) {
        real cosine = imp_lanes_load(free->cosine + j);
        real place = imp_lanes_load(s->place + j) - imp_lanes_load(s->shape + j) * kicked;
        real speed = imp_lanes_load(s->speed + j);
        real back = cosine * place - imp_lanes_load(free->swing + j) * speed;
        speed = cosine * speed + imp_lanes_load(free->drift + j) * place;
        imp_lanes_store(s->place + j, back);
        imp_lanes_store(s->speed + j, speed);
        real turned = t * imp_lanes_load(s->size + j) *
                      (size_of(back) + imp_lanes_load(s->omega + j) * size_of(speed));
        imp_lanes_store(s->turned + j, imp_lanes_load(s->turned + j) + turned);
    }
}

IMP_IN_LANES(imp_beam_go_back, (imp_beam_slopes * s)) {
    row steps = none(), modes = none();
    s->next = 0;
    for (int i = 0; i < IMP_BEAM_KEPT_TURNS; i++) {
        s->kept[i].time = -1;
    }
    for (size_t k = s->kicks->n; k > 0; k--) {
        const imp_beam_kick *kick = &s->kicks->kick[k - 1];
        add_squares(s->place, s->place_error, s->n, &steps);
        add_squares(s->speed, s->speed_error, s->n, &steps);
        undo(s, find_turn(s, kick->time), growth(s, kick->slope));
    }
    add_squares(s->turned, NULL, s->n, &modes);
    s->steps = total(&steps);
    s->modes = total(&modes);
}
