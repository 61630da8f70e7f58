/* Between this and lanes_end.h the compiler may use the instructions of a processor whose registers hold IMP_LANES
 * lanes; defined before: 4 or 8. Vectors are written as such, and gcc, which fuses multiplications with additions
 * where it makes vectors of single numbers, is to make none. */
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined __clang__ && IMP_LANES == 8
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq"))), apply_to = function)
#elif defined __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("no-tree-slp-vectorize")
#if IMP_LANES == 8
#pragma GCC target("avx512f,avx512dq")
#else
#pragma GCC target("avx2")
#endif
#endif
