#include "models/beam/flight.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "models/beam/sums.h"
#include "num/trigonometry.h"

/* ---- exact motion ---- */

void imp_beam_flight_prepare(imp_beam_flight *flight, const imp_beam_problem *problem) {
    flight->problem = problem;
    for (int j = 0; j < problem->n; j++) {
        double a = problem->damping[j] / 2;
        double discriminant = (problem->omega[j] - a) * (problem->omega[j] + a);
        flight->motion[j] = (imp_beam_motion){a, sqrt(fabs(discriminant)), discriminant < 0};
    }
}

void imp_beam_flight_start(imp_beam_flight *flight, const double *state) {
    size_t size = (2 * (size_t)flight->problem->n + 2) * sizeof *state;
    memcpy(flight->start, state, size);
    memcpy(flight->now, state, size);
    flight->time = 0;
}

/* The two basic solutions C and S of a mode. */
typedef struct basis {
    double c, s;
} basis;

static basis creeping(const imp_beam_motion *m, double lambda, double t) {
    double slow = m->w + m->a > 0 ? lambda / (m->w + m->a) : 0;
    double head = exp(-slow * t), drop = expm1(-2 * m->w * t);
    return (basis){head * (1 + drop / 2), -head * drop / (2 * m->w)};
}

static basis swinging(const imp_beam_motion *m, double t) {
    double decay = m->a > 0 ? exp(-m->a * t) : 1;
    if (m->w == 0) {
        return (basis){decay, decay * t};
    }
    imp_sincos turn = imp_sine_cosine(m->w * t);
    return (basis){decay * turn.cosine, decay * turn.sine / m->w};
}

void imp_beam_flight_move(imp_beam_flight *flight, double time) {
    const imp_beam_problem *problem = flight->problem;
    int n = problem->n;
    for (int j = 0; j < n; j++) {
        const imp_beam_motion *m = &flight->motion[j];
        double lambda = problem->lambda[j], q = flight->start[j], v = flight->start[n + j];
        basis b = m->creeps ? creeping(m, lambda, time) : swinging(m, time);
        flight->now[j] = q * b.c + (v + m->a * q) * b.s;
        flight->now[n + j] = v * b.c - (m->a * v + lambda * q) * b.s;
    }
    flight->time = time;
}

/* Integrals of C^2, C S and S^2 from 0 to t. */
typedef struct squares {
    double cc, cs, ss;
} squares;

static squares squares_swinging(const imp_beam_motion *m, double t) {
    double complex rate = 2 * m->a - 2 * m->w * _Complex_I;
    double complex turning = (1 - cexp(-rate * t)) / rate;
    double mean = -expm1(-2 * m->a * t) / (2 * m->a);
    return (squares){(mean + creal(turning)) / 2, cimag(turning) / (2 * m->w),
                     (mean - creal(turning)) / (2 * m->w * m->w)};
}

static double integral_of_decay(double rate, double t) {
    return rate > 0 ? -expm1(-rate * t) / rate : t;
}

static squares squares_creeping(const imp_beam_motion *m, double lambda, double t) {
    double fast = integral_of_decay(2 * (m->a + m->w), t);
    double slow = integral_of_decay(2 * lambda / (m->w + m->a), t);
    double both = integral_of_decay(2 * m->a, t);
    return (squares){(slow + 2 * both + fast) / 4, (slow - fast) / (4 * m->w),
                     (slow - 2 * both + fast) / (4 * m->w * m->w)};
}

static double dissipated_by_mode(const imp_beam_flight *flight, int j, double t) {
    const imp_beam_problem *problem = flight->problem;
    const imp_beam_motion *m = &flight->motion[j];
    double lambda = problem->lambda[j], q = flight->start[j], v = flight->start[problem->n + j];
    if (m->a == 0) {
        return 0;
    }
    if (m->w < 1e-3 * m->a) {
        /* Near critical damping the integrals cancel; the energy that the mode has lost does
         * not. */
        basis b = m->creeps ? creeping(m, lambda, t) : swinging(m, t);
        double q1 = q * b.c + (v + m->a * q) * b.s, v1 = v * b.c - (m->a * v + lambda * q) * b.s;
        return (v * v + lambda * q * q - v1 * v1 - lambda * q1 * q1) / 2;
    }
    squares s = m->creeps ? squares_creeping(m, lambda, t) : squares_swinging(m, t);
    double b = m->a * v + lambda * q;
    return 2 * m->a * (v * v * s.cc - 2 * v * b * s.cs + b * b * s.ss);
}

double imp_beam_flight_dissipated(const imp_beam_flight *flight, double time) {
    double sum = 0;
    for (int j = 0; flight->problem->damped && j < flight->problem->n; j++) {
        sum += dissipated_by_mode(flight, j, time);
    }
    return sum;
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
    double t = log(-u / s) / g;
    return -u * expm1(-g * t) / g + s * t;
}

bool imp_beam_flight_is_over(const imp_beam_flight *flight) {
    const imp_beam_problem *problem = flight->problem;
    const double *q = flight->now, *v = flight->now + problem->n;
    double gap = 0, beam = 0, striker = 0, swing = 0;
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
    if (!parts || !(gap > 0)) {
        return false;
    }
    for (int j = problem->rigid; j < problem->beam; j++) {
        double size = v[j] * v[j] + problem->lambda[j] * q[j] * q[j];
        swing += fabs(problem->shape[j]) * sqrt(size) / problem->omega[j];
    }
    return gap > swing;
}

imp_beam_flight_end imp_beam_flight_search(imp_beam_flight *flight, int64_t *left,
                                           double *closeness) {
    const imp_beam_problem *problem = flight->problem;
    const double touch = 1e-13 * problem->approach;
    const double least = 1e-10 * problem->contact_time;
    double bound = imp_beam_curve_bound(problem, flight->now);
    double parting = imp_beam_indentation_rate(problem, flight->now);
    *closeness = fmin(*closeness, imp_beam_closeness(problem, parting, 0, 0));
    while (!imp_beam_flight_is_over(flight)) {
        *left -= imp_beam_work(problem);
        if (*left < 0) {
            return IMP_BEAM_LOST;
        }
        double gap = fmax(0, -imp_beam_indentation(problem, flight->now));
        double rate = -imp_beam_indentation_rate(problem, flight->now);
        double close = imp_beam_closeness(problem, rate, gap, bound);
        *closeness = fmin(*closeness, close);
        if (bound == 0 && rate > 0) {
            return IMP_BEAM_OVER; /* rigid bodies that part */
        }
        /* The gap stays open for at least this long. */
        double step = bound > 0 ? (rate + close * problem->approach) / bound : -gap / rate;
        if (!isfinite(step)) {
            return IMP_BEAM_LOST;
        }
        imp_beam_flight_move(flight, flight->time + fmax(step, least));
        double after = -imp_beam_indentation(problem, flight->now);
        if (after <= touch && imp_beam_indentation_rate(problem, flight->now) > 0) {
            return IMP_BEAM_CONTACT;
        }
        if (problem->damped) {
            bound = imp_beam_curve_bound(problem, flight->now);
        }
    }
    return IMP_BEAM_OVER;
}
