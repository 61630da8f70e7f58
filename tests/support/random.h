/* Random numbers that are the same on every machine: the seed is part of the test. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

typedef struct random_source {
    uint64_t state; /* any seed */
} random_source;

uint64_t random_bits(random_source *source);

/* Uniform in [low, high). */
double random_between(random_source *source, double low, double high);

/* Uniform in the logarithm; low > 0. */
double random_log(random_source *source, double low, double high);

/* 0 .. n-1. */
int random_index(random_source *source, int n);

#endif
