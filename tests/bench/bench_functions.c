/* The functions of num beside those of libm, in nanoseconds: many at once, and each waiting for the last; and those that
 * kernels call in lanes, per number, where a register holds eight. */
#include <math.h>
#include <stdio.h>

#include "bench/measure.h"
#include "num/exponential.h"
#include "num/lane_width.h"
#include "num/larger.h"
#include "num/trigonometry.h"

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
PAIR(half_turn, imp_half_turn(x, 1.5 - x), atan2(x, 1.5 - x))
PAIR(larger, imp_larger(x, 1.5), fmax(x, 1.5))

typedef double sum_in_lanes(void);

#if IMP_WIDE_LANES

#define IMP_LANES 8
#include "num/lanes_begin.h"

#include "num/exponential_lanes.h"
#include "num/lane_trigonometry.h"
#include "num/two_thirds_lanes.h"

CODE real sum_of_sines(real x) {
    real sine, cosine;
    imp_lanes_sine(x, &sine, &cosine);
    return sine + cosine;
}

#define IN_LANES(name, function)                                                                   \
    static double lanes_##name(void) {                                                             \
        real sum = number(0);                                                                      \
        for (int i = 0; i < CALLS; i += IMP_LANES) {                                               \
            real x = imp_lanes_load(places + i % VALUES);                                          \
            sum += function;                                                                       \
        }                                                                                          \
        return sum[0];                                                                             \
    }

IN_LANES(two_thirds, imp_lanes_two_thirds(x))
IN_LANES(power, imp_lanes_power(x, number(2.3)))
IN_LANES(sincos, sum_of_sines(x))
IN_LANES(half_turn, imp_lanes_half_turn(x, 1.5 - x))

#include "num/lanes_end.h"

#endif

/* The least of some runs, per number. */
static double in_lanes(sum_in_lanes *sum) {
    double least = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        volatile double sink;
        double start = measure_processor();
        sink = sum();
        (void)sink;
        least = imp_smaller(measure_processor() - start, least);
    }
    return least / CALLS * 1e9;
}

typedef struct row {
    const char *name;
    function *own, *libm;
    sum_in_lanes *lanes;
} row;

#if IMP_WIDE_LANES
#define LANES(name) lanes_##name
#else
#define LANES(name) NULL
#endif
#define ROW(name, lanes)                                                                           \
    { #name, own_##name, libm_##name, lanes }

static void print_row(const row *r) {
    double own = many_at_once(r->own), libm = many_at_once(r->libm);
    double own_chain = one_after_another(r->own), libm_chain = one_after_another(r->libm);
    printf("%-12s %14.2f %8.2f %8.2f %14.2f %8.2f %8.2f", r->name, own, libm, own / libm, own_chain,
           libm_chain, own_chain / libm_chain);
    if (r->lanes && imp_lane_width() == 8) {
        double lanes = in_lanes(r->lanes);
        printf(" %14.2f %8.2f", lanes, lanes / libm);
    }
    printf("\n");
}

int main(void) {
    static const row rows[] = {ROW(two_thirds, LANES(two_thirds)),
                               ROW(two_fifths, NULL),
                               ROW(power, LANES(power)),
                               ROW(exp, NULL),
                               ROW(log, NULL),
                               ROW(atanh, NULL),
                               ROW(hyperbola, NULL),
                               ROW(sincos, LANES(sincos)),
                               ROW(half_turn, LANES(half_turn)),
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
