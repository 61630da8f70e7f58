/* The way back over the kicks of a collision. Compiled once for each width; see num/lanes/lanes.h.
 * Sums over modes have eight parts, whatever the width. */
#include "models/beam/sensitivity.h"
#include "num/lanes/exponential.h"
#include "num/lanes/trigonometry.h"
#include "num/lanes/words.h"

enum { GROUP = 8, PARTS = GROUP / IMP_LANES };

CODE double total(const real *part) {
    double v[GROUP];
    for (int p = 0; p < PARTS; p++) {
        imp_lanes_store(v + p * IMP_LANES, part[p]);
    }
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}

/* Sum of squares of `value` times `weight`. */
CODE double squares(const double *value, const double *weight, int n) {
    real sum[PARTS];
    for (int p = 0; p < PARTS; p++) {
        sum[p] = number(0);
    }
    for (int j = 0; j < n; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            real x = imp_lanes_load(value + j + p * IMP_LANES);
            x *= weight ? imp_lanes_load(weight + j + p * IMP_LANES) : number(1);
            sum[p] += x * x;
        }
    }
    return total(sum);
}

/* By how much the slope of the indentation's impulse grows in a kick. */
CODE double growth(const imp_beam_slopes *s, double slope) {
    real sum[PARTS];
    for (int p = 0; p < PARTS; p++) {
        sum[p] = number(0);
    }
    for (int j = 0; j < s->n; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int at = j + p * IMP_LANES;
            sum[p] += imp_lanes_load(s->shape + at) * imp_lanes_load(s->speed + at);
        }
    }
    return slope * (1 + total(sum));
}

/* Sets the free motion over a time; approximate for overdamped modes. */
CODE void set_time(imp_beam_slopes *s, double time) {
    const double far = -600;
    real t = number(time);
    s->time = time;
    for (int j = 0; j < s->n; j += IMP_LANES) {
        real w = imp_lanes_load(s->omega + j), sine, cosine;
        imp_lanes_sine(w * t, &sine, &cosine);
        if (s->damped) {
            real rest = -0.5 * imp_lanes_load(s->damping + j) * t;
            real fade = pick(rest < far, number(0),
                             imp_lanes_exp_long(larger(number(far), rest), number(0)));
            sine *= fade;
            cosine *= fade;
        }
        imp_lanes_store(s->cosine + j, cosine);
        imp_lanes_store(s->swing + j, w * sine);
        imp_lanes_store(s->drift + j, pick(w > 0, sine / w, t));
    }
}

/* Goes back from after a kick to before it, and over the free motion before it. */
CODE void undo(imp_beam_slopes *s, double change) {
    real t = number(s->time), kicked = number(change);
    for (int j = 0; j < s->n; j += IMP_LANES) {
        real cosine = imp_lanes_load(s->cosine + j);
        real place = imp_lanes_load(s->place + j) - imp_lanes_load(s->shape + j) * kicked;
        real speed = imp_lanes_load(s->speed + j);
        real back = cosine * place - imp_lanes_load(s->swing + j) * speed;
        speed = cosine * speed + imp_lanes_load(s->drift + j) * place;
        imp_lanes_store(s->place + j, back);
        imp_lanes_store(s->speed + j, speed);
        real turned = t * imp_lanes_load(s->size + j) *
                      (size_of(back) + imp_lanes_load(s->omega + j) * size_of(speed));
        imp_lanes_store(s->turned + j, imp_lanes_load(s->turned + j) + turned);
    }
}

IMP_IN_LANES(imp_beam_go_back, (imp_beam_slopes * s)) {
    s->steps = 0;
    s->time = -1;
    for (size_t k = s->kicks->n; k > 0; k--) {
        const imp_beam_kick *kick = &s->kicks->kick[k - 1];
        s->steps +=
            squares(s->place, s->place_error, s->n) + squares(s->speed, s->speed_error, s->n);
        if (kick->time < s->time || kick->time > s->time) {
            set_time(s, kick->time);
        }
        undo(s, growth(s, kick->slope));
    }
    s->modes = squares(s->turned, NULL, s->n);
}
