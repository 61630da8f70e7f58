#include <math.h>

#include "models/beam/collocation_run.h"

enum { N = IMP_BEAM_POINTS };

const imp_beam_length *imp_beam_use_length(imp_beam_run *r, int index) {
    const imp_beam_length *length = imp_beam_tables_length(r->tables, r->points, index);
    if (!length) {
        r->memory = false;
    } else if (!r->known[index]) {
        imp_beam_sum_pushed(r->tables, length, r->shape, r->matrix[index]);
        r->known[index] = true;
    }
    return length;
}

imp_beam_force_series imp_beam_force_series_of(const imp_beam_points *points, imp_beam_manner kind,
                                               const double *force) {
    static const double factorial[N] = {1, 1, 2, 6, 24, 120, 720, 5040};
    imp_beam_force_series s = {.kind = kind};
    for (int b = 0; b < N; b++) {
        imp_wide sum = imp_wide_of(0);
        for (int i = 0; i < N; i++) {
            imp_wide c = kind == IMP_BEAM_REGULAR ? points->basis[i][b]
                                                  : points->edge[kind].coefficient[b][i];
            sum = imp_wide_add_product(sum, c, imp_wide_of(force[i]));
        }
        s.c[b] = kind == IMP_BEAM_REGULAR ? sum.high / factorial[b] : sum.high;
    }
    return s;
}

/* x^1.5, 2.5, ... of an edge, and one more power. */
static double edge_power(double x, int b) {
    static const int twice[N] = {3, 5, 7, 8, 9, 10, 11, 12};
    double root = sqrt(x), power = 1;
    for (int n = 0; n < twice[b]; n++) {
        power *= root;
    }
    return power;
}

double imp_beam_force_at(const imp_beam_force_series *s, double x) {
    double sum = 0, distance = s->kind == IMP_BEAM_BREAKS ? 1 - x : x;
    for (int b = N - 1; b >= 0; b--) {
        sum = s->kind == IMP_BEAM_REGULAR ? sum * x + s->c[b]
                                          : sum + s->c[b] * edge_power(distance, b);
    }
    return sum;
}

/* Integral from 0 to the distance x from where the powers begin. */
static double integral_to(const imp_beam_force_series *s, double x) {
    double sum = 0;
    for (int b = N - 1; b >= 0; b--) {
        sum = s->kind == IMP_BEAM_REGULAR
                  ? (sum + s->c[b] / (b + 1)) * x
                  : sum + s->c[b] * edge_power(x, b) * x / (imp_beam_exponent[b] + 1);
    }
    return sum;
}

double imp_beam_impulse_to(const imp_beam_force_series *s, double length, double x) {
    double part =
        s->kind == IMP_BEAM_BREAKS ? integral_to(s, 1) - integral_to(s, 1 - x) : integral_to(s, x);
    return length * part;
}
