#include "models/beam/tables.h"

#include <stdlib.h>
#include <string.h>

#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS, MOTION = IMP_BEAM_MOTION };

/* ---- making and freeing ---- */

void imp_beam_tables_destroy(imp_beam_tables **tables) {
    for (int l = 0; *tables && l < IMP_BEAM_LENGTHS; l++) {
        free((*tables)->length[l]);
    }
    free(*tables);
    *tables = NULL;
}

/* One series: the terms of q, from the first two. */
static void fill_series(imp_beam_tables *t, int j, double first, double second, double *row,
                        double *term) {
    double unit = t->reach, now = first, next = second;
    for (int m = 0; m < TERMS; m++) {
        row[m * t->places + j] = term[j * TERMS + m] = now;
        double after = -(t->damping[j] * unit * (m + 1) * next + t->lambda[j] * unit * unit * now) /
                       ((m + 1.0) * (m + 2.0));
        now = next;
        next = after;
    }
}

imp_beam_tables *imp_beam_tables_create(const imp_beam_problem *problem) {
    const double turns = 3, longest = 1;
    int places = (problem->n + IMP_BEAM_GROUP - 1) / IMP_BEAM_GROUP * IMP_BEAM_GROUP;
    size_t size = (size_t)TERMS * (size_t)places;
    imp_beam_tables *t = calloc(1, sizeof *t + 4 * size * sizeof(double));
    if (!t) {
        return NULL;
    }
    t->n = problem->n;
    t->places = places;
    t->damped = problem->damped;
    for (int j = 0; j < t->n; j++) {
        t->lambda[j] = problem->lambda[j];
        t->damping[j] = problem->damping[j];
        t->fastest = imp_larger(t->fastest, problem->omega[j] + problem->damping[j]);
    }
    t->reach = t->fastest > turns / longest ? turns / t->fastest : longest;
    t->place_row = t->values;
    t->speed_row = t->place_row + size;
    t->place_term = t->speed_row + size;
    t->speed_term = t->place_term + size;
    for (int j = 0; j < t->n; j++) {
        fill_series(t, j, 1, 0, t->place_row, t->place_term);
        fill_series(t, j, 0, t->reach, t->speed_row, t->speed_term);
    }
    return t;
}

bool imp_beam_tables_serve(const imp_beam_tables *tables, const imp_beam_problem *problem) {
    size_t size = (size_t)problem->n * sizeof(double);
    return tables->n == problem->n && tables->damped == problem->damped &&
           memcmp(tables->lambda, problem->lambda, size) == 0 &&
           memcmp(tables->damping, problem->damping, size) == 0;
}

/* ---- steps of one length ---- */

imp_beam_part imp_beam_respond_within(const imp_beam_points *points, double lambda, double damping,
                                      double step, double place) {
    double t = place * step;
    imp_wide time = imp_wide_product(place, step), power[N], power_rate[N];
    imp_wide squared = imp_wide_multiply(time, time);
    imp_beam_response r =
        imp_beam_respond(points->over, imp_wide_multiply(imp_wide_of(lambda), squared),
                         imp_wide_multiply(imp_wide_of(damping), time));
    imp_beam_part p = {.place = r.place.high,
                       .place_rate = r.place_rate.high / t,
                       .speed = r.speed.high * t,
                       .speed_rate = r.speed_rate.high};
    imp_wide scale = imp_wide_of(1);
    for (int n = 0; n < N; n++) {
        power[n] = imp_wide_multiply(scale, r.rise[n + 1]);
        power_rate[n] = imp_wide_multiply(scale, r.rise[n]);
        scale = imp_wide_multiply(scale, imp_wide_of(place));
    }
    for (int i = 0; i < N; i++) {
        imp_wide sum = imp_wide_of(0), rate = sum;
        for (int n = 0; n < N; n++) {
            sum = imp_wide_add_product(sum, points->basis[i][n], power[n]);
            rate = imp_wide_add_product(rate, points->basis[i][n], power_rate[n]);
        }
        p.force[i] = sum.high * t * t;
        p.force_rate[i] = rate.high * t;
    }
    return p;
}

/* Adds weight times the square of a sum with these factors of q, q' and the forces. */
static void add_square(double square[MOTION][MOTION], double weight, const double *factor) {
    for (int a = 0; a < MOTION; a++) {
        for (int b = 0; b < MOTION; b++) {
            square[a][b] += weight * factor[a] * factor[b];
        }
    }
}

/* The loss of a step too short for oscillations, from the rates at the places. */
static void lose_shortly(const imp_beam_points *points, double lambda, double damping, double step,
                         double square[MOTION][MOTION]) {
    for (int k = 0; k < N; k++) {
        imp_beam_part p = imp_beam_respond_within(points, lambda, damping, step, points->place[k]);
        double factor[MOTION] = {p.place_rate, p.speed_rate};
        memcpy(factor + 2, p.force_rate, sizeof p.force_rate);
        add_square(square, damping * step * points->weight[k], factor);
    }
}

/* The motion at the beginning of the first or second half of a step, as sums of that of the step:
 * `of` has a row for q, q' and each force. */
static void halve(const imp_beam_tables *t, const imp_beam_points *points,
                  const imp_beam_length *half, int j, int second, double of[MOTION][MOTION]) {
    memset(of, 0, MOTION * sizeof *of);
    for (int k = 0; k < N; k++) {
        memcpy(of[2 + k] + 2, points->half[second][k], sizeof points->half[second][k]);
    }
    of[0][0] = of[1][1] = 1;
    for (int row = 0; second && row < 2; row++) {
        of[row][0] =
            half->end[(row ? IMP_BEAM_RATE_OF_PLACE : IMP_BEAM_PLACE_OF_PLACE) * t->places + j];
        of[row][1] =
            half->end[(row ? IMP_BEAM_RATE_OF_RATE : IMP_BEAM_PLACE_OF_RATE) * t->places + j];
        int first = row ? IMP_BEAM_RATE_OF_FORCE : IMP_BEAM_PLACE_OF_FORCE;
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                sum += half->end[(first + k) * t->places + j] * points->half[0][k][i];
            }
            of[row][2 + i] = sum;
        }
    }
}

/* Adds the loss of a half step, as a sum of products of the motion of the whole one. */
static void add_half(const imp_beam_tables *t, const imp_beam_length *half, int j,
                     double of[MOTION][MOTION], double square[MOTION][MOTION]) {
    double own[MOTION][MOTION], product[MOTION][MOTION];
    int row = 0;
    for (int a = 0; a < MOTION; a++) {
        for (int b = a; b < MOTION; b++, row++) {
            double value = half->loss[row * t->places + j];
            own[a][b] = own[b][a] = a == b ? value : value / 2;
        }
    }
    for (int a = 0; a < MOTION; a++) {
        for (int b = 0; b < MOTION; b++) {
            product[a][b] = 0;
            for (int c = 0; c < MOTION; c++) {
                product[a][b] += own[a][c] * of[c][b];
            }
        }
    }
    for (int a = 0; a < MOTION; a++) {
        for (int b = 0; b < MOTION; b++) {
            for (int c = 0; c < MOTION; c++) {
                square[a][b] += of[c][a] * product[c][b];
            }
        }
    }
}

/* half: steps of half the length; NULL: this one is short. */
static void fill_loss(const imp_beam_tables *t, const imp_beam_points *points,
                      imp_beam_length *length, const imp_beam_length *half) {
    for (int j = 0; j < t->n; j++) {
        double square[MOTION][MOTION] = {{0}}, of[MOTION][MOTION];
        for (int second = 0; half && second < 2; second++) {
            halve(t, points, half, j, second, of);
            add_half(t, half, j, of, square);
        }
        if (!half) {
            lose_shortly(points, t->lambda[j], t->damping[j], length->step, square);
        }
        int row = 0;
        for (int a = 0; a < MOTION; a++) {
            for (int b = a; b < MOTION; b++, row++) {
                length->loss[row * t->places + j] = a == b ? square[a][a] : 2 * square[a][b];
            }
        }
    }
}

static void fill_motion(const imp_beam_tables *t, const imp_beam_points *points,
                        imp_beam_length *length) {
    for (int j = 0; j < t->n; j++) {
        double lambda = t->lambda[j], damping = t->damping[j], *end = length->end + j;
        for (int k = 0; k < N; k++) {
            imp_beam_part p =
                imp_beam_respond_within(points, lambda, damping, length->step, points->place[k]);
            length->inside[(2 * j) * N + k] = p.place;
            length->inside[(2 * j + 1) * N + k] = p.speed;
            for (int i = 0; i < N; i++) {
                length->pushed[(j * N + i) * N + k] = p.force[i];
            }
        }
        imp_beam_part p = imp_beam_respond_within(points, lambda, damping, length->step, 1);
        end[IMP_BEAM_PLACE_OF_PLACE * t->places] = p.place;
        end[IMP_BEAM_RATE_OF_PLACE * t->places] = p.place_rate;
        end[IMP_BEAM_PLACE_OF_RATE * t->places] = p.speed;
        end[IMP_BEAM_RATE_OF_RATE * t->places] = p.speed_rate;
        for (int i = 0; i < N; i++) {
            end[(IMP_BEAM_PLACE_OF_FORCE + i) * t->places] = p.force[i];
            end[(IMP_BEAM_RATE_OF_FORCE + i) * t->places] = p.force_rate[i];
        }
    }
}

const imp_beam_length *imp_beam_tables_length(imp_beam_tables *t, const imp_beam_points *points,
                                              int index) {
    const double shortly = 0.5;
    if (t->length[index]) {
        return t->length[index];
    }
    double step = IMP_BEAM_LONGEST;
    for (int l = 0; l < index; l++) {
        step /= 2;
    }
    const imp_beam_length *half = NULL;
    if (t->damped && t->fastest * step > shortly && index + 1 < IMP_BEAM_LENGTHS) {
        half = imp_beam_tables_length(t, points, index + 1);
        if (!half) {
            return NULL;
        }
    }
    size_t inside = 2 * (size_t)t->n * N, pushed = (size_t)t->n * N * N;
    size_t end = IMP_BEAM_END_ROWS * (size_t)t->places, loss = IMP_BEAM_SQUARES * (size_t)t->places;
    size_t size = inside + pushed + end + (t->damped ? loss : 0);
    imp_beam_length *made = calloc(1, sizeof *made + size * sizeof(double));
    if (!made) {
        return NULL;
    }
    made->step = step;
    made->inside = made->values;
    made->pushed = made->inside + inside;
    made->end = made->pushed + pushed;
    made->loss = t->damped ? made->end + end : NULL;
    fill_motion(t, points, made);
    if (t->damped) {
        fill_loss(t, points, made, half);
    }
    return t->length[index] = made;
}
