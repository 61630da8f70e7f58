/* The sums of step.h. Compiled once for each width; see num/lanes/lanes.h. Sums over modes have
 * eight parts, whatever the width. */
#include "models/beam/parts_lanes.h"
#include "models/beam/step.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS, CHAINS = N / 2 };
_Static_assert((int)N == (int)GROUP, "a row has the places of a step, or a group of modes");

CODE row load(const double *values) {
    row r;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] = imp_lanes_load(values + p * IMP_LANES);
    }
    return r;
}

CODE void add(row *sum, double factor, const double *values) {
    real f = number(factor);
    for (int p = 0; p < PARTS; p++) {
        sum->part[p] += f * imp_lanes_load(values + p * IMP_LANES);
    }
}

IMP_IN_LANES(imp_beam_sum_pushed, (const imp_beam_tables *t, const imp_beam_length *length,
                                   const double *shape, double matrix[N][N])) {
    for (int i = 0; i < N; i++) {
        row sum = none();
        for (int j = 0; j < t->n; j++) {
            add(&sum, shape[j] * shape[j], length->pushed + (j * N + i) * N);
        }
        store(matrix[i], &sum);
    }
}

/* Adds the motion of mode j without force. */
CODE void add_free(const imp_beam_length *length, const double *shape, const imp_beam_motions *now,
                   int j, row *places, row *rates) {
    add(places, -shape[j] * now->place[j], length->inside + 2 * j * N);
    add(rates, -shape[j] * now->rate[j], length->inside + (2 * j + 1) * N);
}

IMP_IN_LANES(imp_beam_sum_free, (const imp_beam_tables *t, const imp_beam_length *length,
                                 const double *shape, const imp_beam_motions *now, double *free)) {
    row places[2] = {none(), none()}, rates[2] = {none(), none()}; /* of even and odd modes */
    for (int j = 0; j < t->n - 1; j += 2) {
        add_free(length, shape, now, j, &places[0], &rates[0]);
        add_free(length, shape, now, j + 1, &places[1], &rates[1]);
    }
    if (t->n % 2 != 0) {
        add_free(length, shape, now, t->n - 1, &places[0], &rates[0]);
    }
    for (int p = 0; p < PARTS; p++) {
        places[0].part[p] += places[1].part[p];
        rates[0].part[p] += rates[1].part[p];
        places[0].part[p] += rates[0].part[p];
    }
    store(free, &places[0]);
}

IMP_IN_LANES(imp_beam_extend, (const double (*guess)[N], const double *before, double *force)) {
    row sum = none();
    for (int i = 0; i < N; i++) {
        add(&sum, before[i], guess[i]);
    }
    for (int p = 0; p < PARTS; p++) {
        imp_lanes_store(force + p * IMP_LANES, positive_part(sum.part[p]));
    }
}

/* The indentation that forces take away. */
CODE row pushed_by(const imp_beam_step *step, const row *force) {
    double known[N];
    row sum[CHAINS]; /* because additions wait for each other */
    store(known, force);
    for (int c = 0; c < CHAINS; c++) {
        sum[c] = none();
        add(&sum[c], known[c], step->matrix[c]);
        add(&sum[c], known[c + CHAINS], step->matrix[c + CHAINS]);
    }
    for (int p = 0; p < PARTS; p++) {
        sum[0].part[p] = (sum[0].part[p] + sum[1].part[p]) + (sum[2].part[p] + sum[3].part[p]);
    }
    return sum[0];
}

IMP_IN_LANES(imp_beam_iterate, (imp_beam_step * step, int most)) {
    real stiffness = number(step->stiffness), settled = number(step->settled);
    row free = load(step->free), force = load(step->force), depth = none(), change, slope;
    step->converged = false;
    for (int round = 0; round < most && !step->converged; round++) {
        bool moves = false;
        row pushed = pushed_by(step, &force);
        for (int p = 0; p < PARTS; p++) {
            depth.part[p] = free.part[p] - pushed.part[p];
            real positive = positive_part(depth.part[p]), root = root_of(positive);
            change.part[p] = stiffness * (positive * root) - force.part[p];
            slope.part[p] = 1.5 * stiffness * root;
        }
        /* The next change, to first order; the one after will be smaller by the same ratio. */
        row pushed_more = pushed_by(step, &change);
        for (int p = 0; p < PARTS; p++) {
            real next = slope.part[p] * pushed_more.part[p], size = size_of(change.part[p]);
            moves |= any(not(next * next <= settled * larger(settled, size)));
            force.part[p] += change.part[p] - next;
        }
        step->converged = !moves;
    }
    store(step->force, &force);
    store(step->depth, &depth);
}

/* The sum of products. */
CODE double product(const double *weight, const row *of) {
    row sum = load(weight);
    for (int p = 0; p < PARTS; p++) {
        sum.part[p] *= of->part[p];
    }
    return total(&sum);
}

IMP_IN_LANES(imp_beam_sum_step,
             (const imp_beam_points *points, const imp_beam_step *step, imp_beam_step_sums *sums)) {
    row force = load(step->force), depth = load(step->depth), root;
    for (int p = 0; p < PARTS; p++) {
        root.part[p] = root_of(positive_part(depth.part[p]));
    }
    sums->first = product(points->first, &force);
    sums->last = product(points->last, &force);
    sums->impulse = product(points->weight, &force);
    sums->roots = product(points->weight, &root);
    sums->least = sums->most = step->depth[0];
    for (int k = 1; k < N; k++) {
        double d = step->depth[k];
        sums->least = d < sums->least ? d : sums->least;
        sums->most = d > sums->most ? d : sums->most;
    }
}

/* The motion of the modes from j on at the end of a step. */
CODE void end_modes(const imp_beam_tables *t, const imp_beam_length *length, int j, real b,
                    const imp_beam_motions *now, const double *force, real *place, real *rate) {
    const double *end = length->end + j;
    real q = imp_lanes_load(now->place + j), v = imp_lanes_load(now->rate + j);
    real pushed = number(0), pushed_rate = number(0);
    for (int i = 0; i < N; i++) {
        real f = number(force[i]);
        pushed += f * imp_lanes_load(end + (IMP_BEAM_PLACE_OF_FORCE + i) * t->places);
        pushed_rate += f * imp_lanes_load(end + (IMP_BEAM_RATE_OF_FORCE + i) * t->places);
    }
    *place = q * imp_lanes_load(end + IMP_BEAM_PLACE_OF_PLACE * t->places) +
             v * imp_lanes_load(end + IMP_BEAM_PLACE_OF_RATE * t->places) + b * pushed;
    *rate = q * imp_lanes_load(end + IMP_BEAM_RATE_OF_PLACE * t->places) +
            v * imp_lanes_load(end + IMP_BEAM_RATE_OF_RATE * t->places) + b * pushed_rate;
}

IMP_IN_LANES(imp_beam_end_step,
             (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
              const imp_beam_motions *now, const double *force, imp_beam_motions *next,
              double *depth, double *depth_rate)) {
    row places = none(), rates = none();
    for (int j = 0; j < t->places; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int at = j + p * IMP_LANES;
            real b = imp_lanes_load(shape + at), place, rate;
            end_modes(t, length, at, b, now, force, &place, &rate);
            imp_lanes_store(next->place + at, place);
            imp_lanes_store(next->rate + at, rate);
            places.part[p] -= b * place;
            rates.part[p] -= b * rate;
        }
    }
    *depth = total(&places);
    *depth_rate = total(&rates);
}

IMP_IN_LANES(imp_beam_sum_contact, (const imp_beam_tables *t, const double *shape,
                                    const imp_beam_motions *now, double *depth, double *rate)) {
    row places = none(), rates = none();
    for (int j = 0; j < t->places; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int at = j + p * IMP_LANES;
            real b = imp_lanes_load(shape + at);
            places.part[p] -= b * imp_lanes_load(now->place + at);
            rates.part[p] -= b * imp_lanes_load(now->rate + at);
        }
    }
    *depth = total(&places);
    *rate = total(&rates);
}

IMP_IN_LANES(imp_beam_sum_loss,
             (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
              const imp_beam_motions *now, const double *force, double *loss)) {
    row lost = none();
    for (int j = 0; j < t->places; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            int at = j + p * IMP_LANES;
            const double *term = length->loss + at;
            real b = imp_lanes_load(shape + at), motion[IMP_BEAM_MOTION];
            motion[0] = imp_lanes_load(now->place + at);
            motion[1] = imp_lanes_load(now->rate + at);
            for (int i = 0; i < N; i++) {
                motion[2 + i] = b * force[i];
            }
            for (int a = 0; a < IMP_BEAM_MOTION; a++) {
                real sum = number(0);
                for (int c = a; c < IMP_BEAM_MOTION; c++, term += t->places) {
                    sum += motion[c] * imp_lanes_load(term);
                }
                lost.part[p] += motion[a] * sum;
            }
        }
    }
    *loss = total(&lost);
}

/* ---- first and last steps ---- */

IMP_IN_LANES(imp_beam_sum_series, (const imp_beam_tables *t, const double *shape,
                                   const imp_beam_motions *now, double *series)) {
    real sum[TERMS / IMP_LANES];
    for (int m = 0; m < TERMS / IMP_LANES; m++) {
        sum[m] = number(0);
    }
    for (int j = 0; j < t->n; j++) {
        real place = number(-shape[j] * now->place[j]), rate = number(-shape[j] * now->rate[j]);
        const double *of_place = t->place_term + j * TERMS, *of_speed = t->speed_term + j * TERMS;
        for (int m = 0; m < TERMS / IMP_LANES; m++) {
            sum[m] += place * imp_lanes_load(of_place + m * IMP_LANES) +
                      rate * imp_lanes_load(of_speed + m * IMP_LANES);
        }
    }
    for (int m = 0; m < TERMS / IMP_LANES; m++) {
        imp_lanes_store(series + m * IMP_LANES, sum[m]);
    }
}

IMP_IN_LANES(imp_beam_sum_answer, (const imp_beam_tables *t, const double *shape, double *answer)) {
    real sum[TERMS / IMP_LANES];
    for (int m = 0; m < TERMS / IMP_LANES; m++) {
        sum[m] = number(0);
    }
    for (int j = 0; j < t->n; j++) {
        real square = number(shape[j] * shape[j]);
        for (int m = 0; m < TERMS / IMP_LANES; m++) {
            sum[m] += square * imp_lanes_load(t->speed_term + j * TERMS + m * IMP_LANES);
        }
    }
    for (int m = 0; m < TERMS / IMP_LANES; m++) {
        imp_lanes_store(answer + m * IMP_LANES, sum[m]);
    }
}

IMP_IN_LANES(imp_beam_sum_edge,
             (const imp_beam_edge *edge, const double *series, const double *answer,
              const double *power, int terms, double length, double matrix[N][N], double *free)) {
    row sum[N], plain = none();
    for (int i = 0; i < N; i++) {
        sum[i] = none();
    }
    add(&plain, series[0] * power[0], edge->power[0]);
    for (int m = 1; m < terms; m++) {
        double factor = answer[m] * power[m] * length;
        add(&plain, series[m] * power[m], edge->power[m]);
        for (int i = 0; i < N; i++) {
            add(&sum[i], factor, edge->integral[m][i]);
        }
    }
    store(free, &plain);
    for (int i = 0; i < N; i++) {
        store(matrix[i], &sum[i]);
    }
}

IMP_IN_LANES(imp_beam_sum_moments,
             (const double (*integral)[TERMS], const double *force, double *moment)) {
    for (int m = 0; m < TERMS; m += IMP_LANES) {
        real sum = number(0);
        for (int i = 0; i < N; i++) {
            sum += number(force[i]) * imp_lanes_load(integral[i] + m);
        }
        imp_lanes_store(moment + m, sum);
    }
}

/* Sums of the series of some modes: the free motions, and what the force adds to q and to C. */
typedef struct moved {
    real c, s, pushed, pushed_rate;
} moved;

CODE void add_term(const imp_beam_tables *t, int j, int m, const double *powers,
                   const double *moment, moved *to) {
    real of_place = imp_lanes_load(t->place_row + m * t->places + j);
    real of_speed = imp_lanes_load(t->speed_row + m * t->places + j);
    to->c += powers[m] * of_place;
    to->s += powers[m] * of_speed;
    to->pushed += moment[m] * of_speed;
    to->pushed_rate += moment[m] * of_place;
}

IMP_IN_LANES(imp_beam_end_edge, (const imp_beam_tables *t, const double *shape,
                                 const imp_beam_motions *now, double length, const double *powers,
                                 const double *moment, int terms, imp_beam_motions *next)) {
    const moved zero = {
        .c = number(0), .s = number(0), .pushed = number(0), .pushed_rate = number(0)};
    for (int j = 0; j < t->places; j += IMP_LANES) {
        moved even = zero, odd = zero;
        for (int m = 0; m < terms - 1; m += 2) {
            add_term(t, j, m, powers, moment, &even);
            add_term(t, j, m + 1, powers, moment, &odd);
        }
        if (terms % 2 != 0) {
            add_term(t, j, terms - 1, powers, moment, &even);
        }
        real c = even.c + odd.c, s = even.s + odd.s, pushed = even.pushed + odd.pushed;
        real lambda = imp_lanes_load(t->lambda + j), damping = imp_lanes_load(t->damping + j);
        real q = imp_lanes_load(now->place + j), v = imp_lanes_load(now->rate + j);
        real push = imp_lanes_load(shape + j) * number(length);
        real pushed_rate = even.pushed_rate + odd.pushed_rate - damping * pushed;
        imp_lanes_store(next->place + j, c * q + s * v + push * pushed);
        imp_lanes_store(next->rate + j,
                        (c - damping * s) * v - lambda * s * q + push * pushed_rate);
    }
}

IMP_IN_LANES(imp_beam_sum_power,
             (const imp_beam_tables *t, const imp_beam_motions *now, double *power)) {
    row sum = none();
    for (int j = 0; j < t->places; j += GROUP) {
        for (int p = 0; p < PARTS; p++) {
            real v = imp_lanes_load(now->rate + j + p * IMP_LANES);
            sum.part[p] += imp_lanes_load(t->damping + j + p * IMP_LANES) * v * v;
        }
    }
    *power = total(&sum);
}
