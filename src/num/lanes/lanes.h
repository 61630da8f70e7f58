/* Several doubles that are computed together, one in each lane of a register. Code in lanes is
 * compiled once for each number of lanes, IMP_LANES: files *_lanes.c for 2, 4 and 8 (add_kernels of
 * CMakeLists.txt), because gcc takes a vector that is wider than a register apart into single
 * numbers wherever it is compared; and other files for 1, where a lane is a plain double, by code
 * that follows one cell, as a history does. In each lane operations are those of a double,
 * correctly rounded and in the same order: bits depend neither on the width nor on the
 * neighbours. */
#ifndef IMP_NUM_LANES_LANES_H
#define IMP_NUM_LANES_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef IMP_LANES
#define IMP_LANES 1
#endif
#if IMP_LANES > 2
#include <immintrin.h>
#elif IMP_LANES == 2 && defined __SSE2__
#include <emmintrin.h>
#endif

/* The head of name_8 and so on, a function that IMP_EACH_WIDTH (width.h) calls. */
#define IMP_OF_WIDTH_(name, lanes) name##_##lanes
#define IMP_OF_WIDTH(name, lanes) IMP_OF_WIDTH_(name, lanes)
#define IMP_IN_LANES(name, parameters)                                                             \
    void IMP_OF_WIDTH(name, IMP_LANES) parameters;                                                 \
    void IMP_OF_WIDTH(name, IMP_LANES) parameters

/* Everything is inlined: a caller outside may not have the registers. */
#define IMP_LANE_CODE static inline __attribute__((always_inline))

#if IMP_LANES == 1

typedef double imp_lanes;
typedef int imp_lane_mask; /* 0 or 1 */
typedef uint64_t imp_lane_bits;

IMP_LANE_CODE imp_lanes imp_lanes_of(double x) {
    return x;
}

IMP_LANE_CODE imp_lane_mask imp_lanes_all(bool truth) {
    return truth;
}

IMP_LANE_CODE imp_lane_mask imp_lanes_not(imp_lane_mask mask) {
    return !mask;
}

IMP_LANE_CODE imp_lanes imp_lanes_pick(imp_lane_mask mask, imp_lanes a, imp_lanes b) {
    return mask ? a : b;
}

IMP_LANE_CODE imp_lanes imp_lanes_abs(imp_lanes x) {
    return fabs(x);
}

IMP_LANE_CODE imp_lanes imp_lanes_sqrt(imp_lanes x) {
    return sqrt(x);
}

IMP_LANE_CODE unsigned imp_lanes_where(imp_lane_mask mask) {
    return (unsigned)mask;
}

IMP_LANE_CODE double imp_lanes_get(imp_lanes x, int lane) {
    (void)lane;
    return x;
}

IMP_LANE_CODE void imp_lanes_set(imp_lanes *x, int lane, double value) {
    (void)lane;
    *x = value;
}

#else

typedef double imp_lanes __attribute__((vector_size(8 * IMP_LANES)));
/* All bits set in the lanes where something is true, none in the others; comparisons give such. */
typedef int64_t imp_lane_mask __attribute__((vector_size(8 * IMP_LANES)));
typedef uint64_t imp_lane_bits __attribute__((vector_size(8 * IMP_LANES)));

IMP_LANE_CODE imp_lanes imp_lanes_of(double x) {
    return x - (imp_lanes){0};
}

IMP_LANE_CODE imp_lane_mask imp_lanes_all(bool truth) {
    return -(int64_t)truth - (imp_lane_mask){0};
}

IMP_LANE_CODE imp_lane_mask imp_lanes_not(imp_lane_mask mask) {
    return ~mask;
}

/* a where the mask is true, b elsewhere. */
IMP_LANE_CODE imp_lanes imp_lanes_pick(imp_lane_mask mask, imp_lanes a, imp_lanes b) {
#if IMP_LANES == 4
    return (imp_lanes)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
    return (imp_lanes)((mask & (imp_lane_mask)a) | (~mask & (imp_lane_mask)b));
#endif
}

IMP_LANE_CODE imp_lanes imp_lanes_abs(imp_lanes x) {
    return (imp_lanes)((imp_lane_mask)x & INT64_MAX);
}

IMP_LANE_CODE imp_lanes imp_lanes_sqrt(imp_lanes x) {
#if IMP_LANES == 8
    return (imp_lanes)_mm512_sqrt_pd((__m512d)x);
#elif IMP_LANES == 4
    return (imp_lanes)_mm256_sqrt_pd((__m256d)x);
#elif defined __SSE2__
    return (imp_lanes)_mm_sqrt_pd((__m128d)x);
#else
    return (imp_lanes){sqrt(x[0]), sqrt(x[1])};
#endif
}

/* Bit k: whether the mask is true in lane k. */
IMP_LANE_CODE unsigned imp_lanes_where(imp_lane_mask mask) {
#if IMP_LANES == 8
    return (unsigned)_mm512_movepi64_mask((__m512i)mask);
#elif IMP_LANES == 4
    return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined __SSE2__
    return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2));
#endif
}

/* One lane of x. */
IMP_LANE_CODE double imp_lanes_get(imp_lanes x, int lane) {
    return x[lane];
}

IMP_LANE_CODE void imp_lanes_set(imp_lanes *x, int lane, double value) {
    (*x)[lane] = value;
}

#endif

/* The bits of doubles as whole numbers, and back. */
IMP_LANE_CODE imp_lane_bits imp_lanes_bits(imp_lanes x) {
    imp_lane_bits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

IMP_LANE_CODE imp_lanes imp_lanes_of_bits(imp_lane_bits bits) {
    imp_lanes x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* IMP_LANES values from an array, and to it. */
IMP_LANE_CODE imp_lanes imp_lanes_load(const double *values) {
    imp_lanes x;
    memcpy(&x, values, sizeof x);
    return x;
}

IMP_LANE_CODE void imp_lanes_store(double *values, imp_lanes x) {
    memcpy(values, &x, sizeof x);
}

/* As imp_larger and imp_smaller of num/larger.h: b where the two are equal or one is no number. The
 * instructions of x86 do just that. */
IMP_LANE_CODE imp_lanes imp_lanes_larger(imp_lanes a, imp_lanes b) {
#if IMP_LANES == 8
    return (imp_lanes)_mm512_max_pd((__m512d)a, (__m512d)b);
#elif IMP_LANES == 4
    return (imp_lanes)_mm256_max_pd((__m256d)a, (__m256d)b);
#elif IMP_LANES == 2 && defined __SSE2__
    return (imp_lanes)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return imp_lanes_pick(a > b, a, b);
#endif
}

IMP_LANE_CODE imp_lanes imp_lanes_smaller(imp_lanes a, imp_lanes b) {
#if IMP_LANES == 8
    return (imp_lanes)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif IMP_LANES == 4
    return (imp_lanes)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif IMP_LANES == 2 && defined __SSE2__
    return (imp_lanes)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return imp_lanes_pick(a < b, a, b);
#endif
}

#endif
