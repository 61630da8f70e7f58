/* The motions of free modes. Compiled once for each width; see num/lanes/lanes.h. Sums over modes
 * have eight parts, whatever the width. */
#include "models/beam/flight.h"
#include "models/beam/parts_lanes.h"
#include "num/lanes/trigonometry.h"

/* sinh(x)/x - 1 for small x. */
CODE real sinh_series(real x) {
    real z = x * x;
    return z * (1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880))));
}

/* The two basic solutions of overdamped modes. */
CODE void creep(const imp_beam_flying *f, int j, real t, real *c, real *s) {
    const double small = 0.1;
    real a = imp_lanes_load(f->a + j), w = imp_lanes_load(f->w + j);
    real slow = fade(-imp_lanes_load(f->slow + j) * t), fast = fade(-(a + w) * t), x = w * t;
    *c = 0.5 * (slow + fast);
    *s = pick(x < small, fade(-a * t) * t * (1 + sinh_series(x)), (slow - fast) / (2 * w));
}

/* What damping leaves of the cosine and the sine of a swing; overdamped modes have their own. */
CODE void damp(const imp_beam_flying *f, int j, real a, real t, truth creeps, real *c, real *s) {
    real decay = fade(-a * t);
    *c *= decay;
    *s *= decay;
    if (any(creeps)) {
        real slow_c, slow_s;
        creep(f, j, t, &slow_c, &slow_s);
        put(creeps, c, slow_c);
        put(creeps, s, slow_s);
    }
}

IMP_IN_LANES(imp_beam_fly, (imp_beam_flying * f, int n, bool damped, bool bounds, double time,
                            imp_beam_flight_sums *sums)) {
    real t = number(time);
    row depth = none(), speed = none(), swing = none(), bend = none();
    for (int group = 0; group < n; group += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int j = group + p * IMP_LANES;
            real a = imp_lanes_load(f->a + j), w = imp_lanes_load(f->w + j), sine, c, s;
            real lambda = imp_lanes_load(f->lambda + j), b = imp_lanes_load(f->shape + j);
            real q = imp_lanes_load(f->place0 + j), v = imp_lanes_load(f->rate0 + j);
            truth creeps = imp_lanes_load(f->creeps + j) != 0;
            /* Overdamped modes do not turn. */
            imp_lanes_sine(pick(creeps, number(0), w * t), &sine, &c);
            s = pick(w > 0, sine * imp_lanes_load(f->over_w + j), t);
            if (damped) {
                damp(f, j, a, t, creeps, &c, &s);
            }
            real place = q * c + (v + a * q) * s, rate = v * c - (a * v + lambda * q) * s;
            imp_lanes_store(f->place + j, place);
            imp_lanes_store(f->rate + j, rate);
            depth.part[p] -= b * place;
            speed.part[p] -= b * rate;
            if (bounds) {
                real size = root_of(rate * rate + lambda * place * place);
                swing.part[p] += imp_lanes_load(f->swing + j) * size;
                bend.part[p] += imp_lanes_load(f->bend + j) * size;
            }
        }
    }
    sums->depth = total(&depth);
    sums->rate = total(&speed);
    if (bounds) {
        sums->swing = total(&swing);
        sums->bend = total(&bend);
    }
}
