/* Sums of functions of num in lanes, for bench_functions. */
#ifndef BENCH_SUMS_H
#define BENCH_SUMS_H

/* The sum over `calls` places, n of them again and again; both are multiples of the lanes of every
 * processor. */
typedef void bench_sum(const double *places, int n, int calls, double *sum);
bench_sum bench_sum_two_thirds, bench_sum_power, bench_sum_sincos, bench_sum_half_turn;

#endif
