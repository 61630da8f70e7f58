/* The functions of num beside those of libm, in nanoseconds: many at once, and each waiting for the
 * last; and those that kernels call in lanes, per number. */
#include <math.h>
#include <stdio.h>

#include "bench/measure.h"
#include "bench/sums.h"
#include "num/exponential.h"
#include "num/larger.h"
#include "num/lanes/trigonometry.h"

enum { VALUES = 4096, CALLS = 1 << 20, RUNS = 9 };

static double places[VALUES]; /* between .001 and 3 */

typedef double function(double x);

/* The least of some runs, per call. */
static double many_at_once(function *f) {
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        volatile double sink;
        double sum = 0, start = measure_processor();
        for (int i = 0; i < CALLS; i++) {
            sum += f(places[i % VALUES]);
        }
        sink = sum;
        (void)sink;
        least = imp_smaller(measure_processor() - start, least);
    }
    return least / CALLS * 1e9;
}

static double one_after_another(function *f) {
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        volatile double sink;
        double last = 0, start = measure_processor();
        for (int i = 0; i < CALLS; i++) {
            last = f(places[i % VALUES] + last * 1e-300);
        }
        sink = last;
        (void)sink;
        least = imp_smaller(measure_processor() - start, least);
    }
    return least / CALLS * 1e9;
}

static double sum_of_hyperbola(imp_hyperbola both) {
    return both.sine + both.cosine;
}

static double sum_of_sincos(imp_sincos both) {
    return both.sine + both.cosine;
}

#define PAIR(name, own, theirs)                                                                    \
    static double own_##name(double x) {                                                           \
        return own;                                                                                \
    }                                                                                              \
    static double libm_##name(double x) {                                                          \
        return theirs;                                                                             \
    }

PAIR(two_thirds, imp_two_thirds(x), cbrt(x *x))
PAIR(two_fifths, imp_two_fifths(x), pow(x, 0.4))
PAIR(power, imp_power(x, 2.3), pow(x, 2.3))
PAIR(exp, imp_exp(x), exp(x))
PAIR(log, imp_log(x), log(x))
PAIR(atanh, imp_atanh(x / 4), atanh(x / 4))
PAIR(hyperbola, sum_of_hyperbola(imp_cosine_sine_hyperbolic(x)), sinh(x) + cosh(x))
PAIR(sincos, sum_of_sincos(imp_sine_cosine(x)), sin(x) + cos(x))
PAIR(half_turn, imp_lanes_half_turn(x, 1.5 - x), atan2(x, 1.5 - x))
PAIR(larger, imp_larger(x, 1.5), fmax(x, 1.5))

/* The least of some runs, per number. */
static double in_lanes(bench_sum *add) {
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        volatile double sink;
        double sum, start = measure_processor();
        add(places, VALUES, CALLS, &sum);
        sink = sum;
        (void)sink;
        least = imp_smaller(measure_processor() - start, least);
    }
    return least / CALLS * 1e9;
}

typedef struct row {
    const char *name;
    function *own, *libm;
    bench_sum *lanes;
} row;

#define ROW(name, lanes)                                                                           \
    { #name, own_##name, libm_##name, lanes }

static void print_row(const row *r) {
    double own = many_at_once(r->own), libm = many_at_once(r->libm);
    double own_chain = one_after_another(r->own), libm_chain = one_after_another(r->libm);
    printf("%-12s %14.2f %8.2f %8.2f %14.2f %8.2f %8.2f", r->name, own, libm, own / libm, own_chain,
           libm_chain, own_chain / libm_chain);
    if (r->lanes) {
        double lanes = in_lanes(r->lanes);
        printf(" %14.2f %8.2f", lanes, lanes / libm);
    }
    printf("\n");
}

int main(void) {
    static const row rows[] = {ROW(two_thirds, bench_sum_two_thirds),
                               ROW(two_fifths, NULL),
                               ROW(power, bench_sum_power),
                               ROW(exp, NULL),
                               ROW(log, NULL),
                               ROW(atanh, NULL),
                               ROW(hyperbola, NULL),
                               ROW(sincos, bench_sum_sincos),
                               ROW(half_turn, bench_sum_half_turn),
                               ROW(larger, NULL)};
    for (int i = 0; i < VALUES; i++) {
        places[i] = 1e-3 + 3 * fmod(i * 0.61803398874989485, 1);
    }
    printf("%-12s %32s %32s %23s\n", "", "many at once: own, libm, ratio",
           "in a chain: own, libm, ratio", "in lanes: own, ratio");
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        print_row(&rows[r]);
    }
    return 0;
}
