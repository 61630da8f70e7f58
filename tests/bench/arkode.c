/* Stick under hertz from first touch to its end: SUNDIALS ARKODE (explicit Runge-Kutta with root
 * finding) against the whole contact in the program. Measured once, to choose an integrator; not
 * part of the build:
 *
 *     cc -O3 -march=x86-64-v2 -Iinclude -Isrc -Itests tests/bench/arkode.c \
 *        build/release/libimpact.a -lsundials_arkode -lsundials_nvecserial -lm -o /tmp/arkode &&
 *     /tmp/arkode
 *
 * Debian: libsundials-dev. Prints, for each order and tolerance, microseconds per cell and the
 * error of the instant at which stick ends, against the tightest of them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include "bench/measure.h"
#include "models/compliant/problem.h"

enum { CELLS = 2000 };

static imp_compliant_problem problems[CELLS];
static double tight[CELLS], found[CELLS];

static double uniform(double low, double high) {
    return low + (high - low) * rand() / (RAND_MAX + 1.0);
}

static void draw(void) {
    for (int i = 0; i < CELLS; i++) {
        double a = uniform(0.5, 4), c = uniform(-0.8, 0.8) * sqrt(a), mu = uniform(0.3, 1.5);
        problems[i] = (imp_compliant_problem){.a = a,
                                              .c = c,
                                              .determinant = a - c * c,
                                              .mu = mu,
                                              .v_t = uniform(-0.95, 0.95) * cbrt(mu * mu),
                                              .budget = 1000000};
    }
}

static int rates(realtype t, N_Vector y, N_Vector rate, void *data) {
    (void)t;
    const imp_compliant_problem *p = data;
    const double *x = N_VGetArrayPointer(y);
    double *r = N_VGetArrayPointer(rate), d = x[1] > 0 ? x[1] : 0;
    double f_n = d * sqrt(d), f_t = -x[0] * sqrt(fabs(x[0]));
    r[0] = x[2];
    r[1] = -x[3];
    r[2] = p->a * f_t + p->c * f_n;
    r[3] = p->c * f_t + f_n;
    return 0;
}

static int margins(realtype t, N_Vector y, realtype *value, void *data) {
    (void)t;
    const imp_compliant_problem *p = data;
    const double *x = N_VGetArrayPointer(y);
    double reach = cbrt(p->mu * p->mu) * x[1];
    value[0] = reach + x[0];
    value[1] = reach - x[0];
    return 0;
}

static double by_arkode(int order, double tolerance, SUNContext context) {
    N_Vector y = N_VNew_Serial(4, context);
    double *x = N_VGetArrayPointer(y), start = measure_processor();
    void *ark = ERKStepCreate(rates, 0, y, context);
    ERKStepRootInit(ark, 2, margins);
    ERKStepSetOrder(ark, order);
    ERKStepSetMaxNumSteps(ark, 100000);
    for (int i = 0; i < CELLS; i++) {
        x[0] = x[1] = 0;
        x[2] = problems[i].v_t;
        x[3] = -1;
        ERKStepReInit(ark, rates, 0, y);
        ERKStepRootInit(ark, 2, margins);
        ERKStepSStolerances(ark, tolerance, tolerance);
        ERKStepSetUserData(ark, &problems[i]);
        ERKStepEvolve(ark, 100, y, &found[i], ARK_NORMAL);
    }
    double took = measure_processor() - start;
    ERKStepFree(&ark);
    N_VDestroy(y);
    return took / CELLS * 1e6;
}

/* The first phase of a contact in the program. */
typedef struct first_phase {
    imp_observer observer;
    double duration;
} first_phase;

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    ((first_phase *)observer)->duration += piece->span.number == 0 ? piece->span.duration : 0;
}

static double by_program(void) {
    imp_compliant_memory memory = {.loading = {.a = 0}};
    double start = measure_processor();
    for (int i = 0; i < CELLS; i++) {
        found[i] = imp_compliant_hertz_solve(&problems[i], &memory).v_n;
    }
    double took = measure_processor() - start;
    for (int i = 0; i < CELLS; i++) {
        first_phase first = {.observer = {.see_piece = see_piece}};
        imp_compliant_problem p = problems[i];
        p.observer = &first.observer;
        imp_compliant_hertz_solve(&p, &memory);
        found[i] = first.duration;
    }
    return took / CELLS * 1e6;
}

static void print(const char *name, double tolerance, double time) {
    double worst = 0, sum = 0;
    for (int i = 0; i < CELLS; i++) {
        double error = fabs(found[i] - tight[i]) / tight[i];
        worst = fmax(worst, error);
        sum += log10(error + 1e-17);
    }
    printf("%-28s %7.0e %9.2f us, error: typical %.1e, largest %.1e\n", name, tolerance, time,
           pow(10, sum / CELLS), worst);
}

int main(void) {
    SUNContext context;
    SUNContext_Create(NULL, &context);
    draw();
    by_arkode(8, 1e-14, context);
    for (int i = 0; i < CELLS; i++) {
        tight[i] = found[i];
    }
    for (int order = 4; order <= 8; order++) {
        for (double tolerance = 1e-8; tolerance > 0.5e-13; tolerance /= 100) {
            char name[40];
            snprintf(name, sizeof name, "ARKODE, order %d", order);
            double time = by_arkode(order, tolerance, context);
            print(name, tolerance, time);
        }
    }
    double least = by_program();
    for (int run = 0; run < 5; run++) {
        least = fmin(least, by_program());
    }
    print("the program, whole contact", 1e-12, least);
    SUNContext_Free(&context);
    return 0;
}
