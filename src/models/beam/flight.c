#include "models/beam/flight.h"

#include <math.h>
#include <string.h>

#include "models/beam/sums.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/lanes/width.h"
#include "num/trigonometry.h"

IMP_EACH_WIDTH(imp_beam_fly,
               (imp_beam_flying * flying, int n, bool damped, bool bounds, double time,
                imp_beam_flight_sums *sums),
               imp_lane_width(), (flying, n, damped, bounds, time, sums))

/* ---- exact motion ---- */

void imp_beam_flight_prepare(imp_beam_flight *flight, const imp_beam_problem *problem) {
    imp_beam_flying *f = &flight->flying;
    flight->problem = problem;
    /* Behind the last mode stand zeros. */
    size_t groups = ((size_t)problem->n + IMP_BEAM_GROUP - 1) / IMP_BEAM_GROUP;
    double *const column[] = {f->a,    f->w,      f->lambda, f->creeps, f->slow, f->shape, f->swing,
                              f->bend, f->place0, f->rate0,  f->place,  f->rate, f->over_w};
    for (size_t c = 0; c < sizeof column / sizeof *column; c++) {
        memset(column[c], 0, groups * IMP_BEAM_GROUP * sizeof *column[c]);
    }
    for (int j = 0; j < problem->n; j++) {
        double a = problem->damping[j] / 2, omega = problem->omega[j];
        double discriminant = (omega - a) * (omega + a), size = fabs(problem->shape[j]);
        f->a[j] = a;
        f->w[j] = sqrt(fabs(discriminant));
        f->over_w[j] = f->w[j] > 0 ? 1 / f->w[j] : 0;
        f->lambda[j] = problem->lambda[j];
        f->creeps[j] = discriminant < 0;
        f->slow[j] = discriminant < 0 ? problem->lambda[j] / (f->w[j] + a) : 0;
        f->shape[j] = problem->shape[j];
        f->swing[j] = j >= problem->rigid && j < problem->beam ? size / omega : 0;
        f->bend[j] = size * (problem->damping[j] + omega);
    }
}

void imp_beam_flight_start(imp_beam_flight *flight, const double *state) {
    size_t n = (size_t)flight->problem->n;
    memcpy(flight->start, state, (2 * n + 2) * sizeof *state);
    memcpy(flight->now, state, (2 * n + 2) * sizeof *state);
    memcpy(flight->flying.place0, state, n * sizeof *state);
    memcpy(flight->flying.rate0, state + n, n * sizeof *state);
    flight->time = 0;
}

/* Moves to a time, but not yet the state. */
static void fly_to(imp_beam_flight *flight, double time) {
    bool damped = flight->problem->damped;
    imp_beam_fly(&flight->flying, flight->problem->n, damped, damped || time == 0, time,
                 &flight->sums);
    flight->time = time;
}

static void set_now(imp_beam_flight *flight) {
    size_t n = (size_t)flight->problem->n;
    memcpy(flight->now, flight->flying.place, n * sizeof *flight->now);
    memcpy(flight->now + n, flight->flying.rate, n * sizeof *flight->now);
}

void imp_beam_flight_move(imp_beam_flight *flight, double time) {
    fly_to(flight, time);
    set_now(flight);
}

/* 1 - e^-x, x >= 0. */
static double lost_by(double x) {
    const double far = 80;
    return x > far ? 1 : 2 * imp_exp(-x / 2) * imp_cosine_sine_hyperbolic(x / 2).sine;
}

/* Integrals of C^2, C S and S^2 from 0 to t. */
typedef struct squares {
    double cc, cs, ss;
} squares;

/* exp(-2 a t) turns by 2 w t. */
static squares squares_swinging(double a, double w, double t) {
    imp_sincos turn = imp_sine_cosine(2 * w * t);
    double fade = imp_exp(-2 * a * t), size = 4 * (a * a + w * w);
    double real = 1 - fade * turn.cosine, imaginary = -fade * turn.sine;
    /* (1 - e^((-2 a + 2 i w) t)) / (2 a - 2 i w) */
    double even = (2 * a * real - 2 * w * imaginary) / size;
    double odd = (2 * a * imaginary + 2 * w * real) / size;
    double mean = lost_by(2 * a * t) / (2 * a);
    return (squares){
        .cc = (mean + even) / 2, .cs = odd / (2 * w), .ss = (mean - even) / (2 * w * w)};
}

static double integral_of_decay(double rate, double t) {
    return rate > 0 ? lost_by(rate * t) / rate : t;
}

static squares squares_creeping(double a, double w, double lambda, double t) {
    double fast = integral_of_decay(2 * (a + w), t);
    double slow = integral_of_decay(2 * lambda / (w + a), t);
    double both = integral_of_decay(2 * a, t);
    return (squares){.cc = (slow + 2 * both + fast) / 4,
                     .cs = (slow - fast) / (4 * w),
                     .ss = (slow - 2 * both + fast) / (4 * w * w)};
}

/* `now` is at t. */
static double dissipated_by_mode(const imp_beam_flight *flight, int j, double t) {
    const imp_beam_flying *f = &flight->flying;
    double a = f->a[j], w = f->w[j], lambda = f->lambda[j], q = f->place0[j], v = f->rate0[j];
    if (a == 0) {
        return 0;
    }
    if (w < 1e-3 * a) {
        /* Near critical damping the integrals cancel; the energy that the mode has lost does
         * not. */
        double q1 = f->place[j], v1 = f->rate[j];
        return (v * v + lambda * q * q - v1 * v1 - lambda * q1 * q1) / 2;
    }
    squares s = f->creeps[j] != 0 ? squares_creeping(a, w, lambda, t) : squares_swinging(a, w, t);
    double b = a * v + lambda * q;
    return 2 * a * (v * v * s.cc - 2 * v * b * s.cs + b * b * s.ss);
}

double imp_beam_flight_dissipated(const imp_beam_flight *flight) {
    double sum = 0;
    for (int j = 0; flight->problem->damped && j < flight->problem->n; j++) {
        sum += dissipated_by_mode(flight, j, flight->time);
    }
    return sum;
}

bool imp_beam_flight_turns(const imp_beam_flight *flight, double *after) {
    const imp_beam_problem *p = flight->problem;
    double before = imp_beam_relative_velocity(p, flight->start + p->n);
    if (!(before > 0) || !(imp_beam_relative_velocity(p, flight->now + p->n) <= 0)) {
        return false;
    }
    double striker = p->n > p->beam ? -p->shape[p->beam] * flight->start[p->n + p->beam] : 0;
    *after = -imp_log(striker / (striker - before)) / p->external;
    return true;
}

/* ---- whether contact returns ---- */

/* Least value over t >= 0 of u (1 - exp(-g t))/g + s t, the change of the rigid gap: the beam opens
 * it at the speed u, which decays, and the striker at the steady speed s. */
static double least_opening(double u, double s, double g) {
    if (g == 0) {
        return u + s >= 0 ? 0 : -INFINITY;
    }
    if (s < 0) {
        return -INFINITY;
    }
    if (u + s >= 0) {
        return 0;
    }
    if (s == 0) {
        return u / g;
    }
    double t = imp_log(-u / s) / g;
    return u * lost_by(g * t) / g + s * t;
}

static bool is_over(const imp_beam_flight *flight) {
    const imp_beam_problem *problem = flight->problem;
    const double *q = flight->flying.place, *v = flight->flying.rate;
    double gap = 0, beam = 0, striker = 0;
    for (int j = 0; j < problem->rigid; j++) {
        gap += problem->shape[j] * q[j];
        beam += problem->shape[j] * v[j];
    }
    for (int j = problem->beam; j < problem->n; j++) {
        gap += problem->shape[j] * q[j];
        striker += problem->shape[j] * v[j];
    }
    bool parts = problem->external > 0 || beam + striker > 0;
    gap += least_opening(beam, striker, problem->external);
    return parts && gap > 0 && gap > flight->sums.swing;
}

bool imp_beam_flight_is_over(imp_beam_flight *flight) {
    imp_beam_flight_move(flight, flight->time);
    return is_over(flight);
}

imp_beam_flight_end imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                           double *closeness) {
    const imp_beam_problem *problem = flight->problem;
    const double touch = 1e-13 * problem->approach;
    const double least = 1e-10 * problem->contact_time;
    const imp_beam_flight_sums *sums = &flight->sums;
    fly_to(flight, 0);
    double close = imp_beam_closeness(problem, sums->rate, 0, 0);
    *closeness = imp_smaller(*closeness, close);
    while (!is_over(flight)) {
        *left -= imp_beam_work(problem);
        if (*left < 0) {
            return IMP_BEAM_LOST;
        }
        double gap = imp_larger(0, -sums->depth), rate = -sums->rate, bound = sums->bend;
        close = imp_beam_closeness(problem, rate, gap, bound);
        *closeness = imp_smaller(*closeness, close);
        if (bound == 0 && rate > 0) {
            return IMP_BEAM_OVER; /* rigid bodies that part */
        }
        /* The gap stays open for at least this long. */
        double step = bound > 0 ? (rate + close * problem->approach) / bound : -gap / rate;
        if (!(fabs(step) < INFINITY)) {
            return IMP_BEAM_LOST;
        }
        fly_to(flight, flight->time + imp_larger(least, step));
        if (-sums->depth <= touch && sums->rate > 0) {
            set_now(flight);
            return IMP_BEAM_CONTACT;
        }
    }
    return IMP_BEAM_OVER;
}
