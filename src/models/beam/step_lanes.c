/* The sums of step.h. Compiled once for each width; see num/lanes/lanes.h. Sums over modes have
 * eight parts, whatever the width. */
#include "models/beam/step.h"
#include "num/lanes/words.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS, GROUP = IMP_BEAM_AT_ONCE };
enum { CHAINS = N / 2 };
enum { PARTS = N / IMP_LANES }; /* registers of a row of places, and of a group of modes */

typedef struct row {
    real part[PARTS];
} row;

CODE row load(const double *values) {
    row r;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] = imp_lanes_load(values + p * IMP_LANES);
    }
    return r;
}

CODE void store(double *values, const row *r) {
    for (int p = 0; p < PARTS; p++) {
        imp_lanes_store(values + p * IMP_LANES, r->part[p]);
    }
}

CODE row none(void) {
    row r;
    for (int p = 0; p < PARTS; p++) {
        r.part[p] = number(0);
    }
    return r;
}

CODE void add(row *sum, double factor, const double *values) {
    real f = number(factor);
    for (int p = 0; p < PARTS; p++) {
        sum->part[p] += f * imp_lanes_load(values + p * IMP_LANES);
    }
}

CODE double total(const row *r) {
    double v[N];
    store(v, r);
    return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
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

IMP_IN_LANES(imp_beam_sum_free, (const imp_beam_tables *t, const imp_beam_length *length,
                                 const double *shape, const imp_beam_motions *now, double *free)) {
    row places = none(), rates = none();
    for (int j = 0; j < t->n; j++) {
        add(&places, -shape[j] * now->place[j], length->inside + 2 * j * N);
        add(&rates, -shape[j] * now->rate[j], length->inside + (2 * j + 1) * N);
    }
    for (int p = 0; p < PARTS; p++) {
        places.part[p] += rates.part[p];
    }
    store(free, &places);
}

IMP_IN_LANES(imp_beam_iterate, (imp_beam_step * step, int most)) {
    real stiffness = number(step->stiffness), settled = number(step->settled);
    row free = load(step->free), force = load(step->force), depth = none();
    step->converged = false;
    for (int round = 0; round < most && !step->converged; round++) {
        double known[N];
        bool moves = false;
        store(known, &force);
        row sum[CHAINS]; /* because additions wait for each other */
        for (int c = 0; c < CHAINS; c++) {
            sum[c] = none();
            add(&sum[c], known[c], step->matrix[c]);
            add(&sum[c], known[c + CHAINS], step->matrix[c + CHAINS]);
        }
        for (int p = 0; p < PARTS; p++) {
            depth.part[p] = free.part[p] -
                            ((sum[0].part[p] + sum[1].part[p]) + (sum[2].part[p] + sum[3].part[p]));
            real positive = positive_part(depth.part[p]);
            real next = stiffness * (positive * root_of(positive));
            moves |= any(not(size_of(next - force.part[p]) <= settled));
            force.part[p] = next;
        }
        step->converged = !moves;
    }
    store(step->force, &force);
    store(step->depth, &depth);
}

IMP_IN_LANES(imp_beam_end_step,
             (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
              const imp_beam_motions *now, const double *force, imp_beam_motions *next)) {
    const double *end = length->end;
    for (int j = 0; j < t->places; j += IMP_LANES) {
        real b = imp_lanes_load(shape + j), q = imp_lanes_load(now->place + j);
        real v = imp_lanes_load(now->rate + j), place = number(0), rate = number(0);
        for (int i = 0; i < N; i++) {
            real f = number(force[i]);
            place += f * imp_lanes_load(end + (IMP_BEAM_PLACE_OF_FORCE + i) * t->places + j);
            rate += f * imp_lanes_load(end + (IMP_BEAM_RATE_OF_FORCE + i) * t->places + j);
        }
        real free = q * imp_lanes_load(end + IMP_BEAM_PLACE_OF_PLACE * t->places + j) +
                    v * imp_lanes_load(end + IMP_BEAM_PLACE_OF_RATE * t->places + j);
        real free_rate = q * imp_lanes_load(end + IMP_BEAM_RATE_OF_PLACE * t->places + j) +
                         v * imp_lanes_load(end + IMP_BEAM_RATE_OF_RATE * t->places + j);
        imp_lanes_store(next->place + j, free + b * place);
        imp_lanes_store(next->rate + j, free_rate + b * rate);
    }
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
              const double *power, int terms, double length, imp_beam_step *step)) {
    double factor[TERMS];
    row free = none();
    for (int m = 0; m < terms; m++) {
        factor[m] = answer[m] * power[m] * length;
        add(&free, series[m] * power[m], edge->power[m]);
    }
    store(step->free, &free);
    for (int i = 0; i < N; i++) {
        row sum = none();
        for (int m = 1; m < terms; m++) {
            add(&sum, factor[m], edge->integral[m][i]);
        }
        store(step->matrix[i], &sum);
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

IMP_IN_LANES(imp_beam_end_edge, (const imp_beam_tables *t, const double *shape,
                                 const imp_beam_motions *now, double length, const double *powers,
                                 const double *moment, int terms, imp_beam_motions *next)) {
    for (int j = 0; j < t->places; j += IMP_LANES) {
        real c = number(0), s = c, pushed = c, pushed_rate = c;
        for (int m = 0; m < terms; m++) {
            real of_place = imp_lanes_load(t->place_row + m * t->places + j);
            real of_speed = imp_lanes_load(t->speed_row + m * t->places + j);
            c += powers[m] * of_place;
            s += powers[m] * of_speed;
            pushed += moment[m] * of_speed;
            pushed_rate += moment[m] * of_place;
        }
        real lambda = imp_lanes_load(t->lambda + j), damping = imp_lanes_load(t->damping + j);
        real q = imp_lanes_load(now->place + j), v = imp_lanes_load(now->rate + j);
        real push = imp_lanes_load(shape + j) * number(length);
        real place = c * q + s * v + push * pushed;
        real rate =
            (c - damping * s) * v - lambda * s * q + push * (pushed_rate - damping * pushed);
        imp_lanes_store(next->place + j, place);
        imp_lanes_store(next->rate + j, rate);
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
