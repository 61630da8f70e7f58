/* Powers and their kin in lanes: imp_lanes_power has the bits of imp_power, imp_lanes_atanh those
 * of imp_atanh. */
#ifndef IMP_NUM_LANES_EXPONENTIAL_H
#define IMP_NUM_LANES_EXPONENTIAL_H

#include <float.h>
#include <stddef.h>

#include "num/exponential.h"
#include "num/exponential_tables.h"
#include "num/lanes/words.h"

#if IMP_LANES == 1

CODE real imp_lanes_power(real x, real y) {
    return imp_power(x, y);
}

CODE real imp_lanes_atanh(real x) {
    return imp_atanh(x);
}

#else

typedef uint64_t imp_lane_words __attribute__((vector_size(8 * IMP_LANES)));

/* Of a table of rows of doubles, the number at this place of a row, another row in each lane. */
CODE real imp_lanes_look_up(const double *table, size_t row, size_t place, imp_lane_words which) {
    real found = {0};
    for (int lane = 0; lane < IMP_LANES; lane++) {
        found[lane] = table[which[lane] * row + place];
    }
    return found;
}

#define LOOK_UP(table, type, part, member)                                                         \
    imp_lanes_look_up((const double *)(table), sizeof(type) / sizeof(double),                      \
                      offsetof(type, member) / sizeof(double), part)
#define REAL real
#define BITS imp_lane_words
#define BITS_OF(x) ((imp_lane_words)(x))
#define OF_BITS(bits) ((real)(bits))
#define LOG_PART(part, member) LOOK_UP(imp_log_parts, imp_log_part, part, member)
#define EXP_PART(part, member) LOOK_UP(imp_exp_parts, imp_exp_part, part, member)
#define FIRST_DIGITS(x) ((real)((imp_lane_words)(x) & ~UINT64_C(0x7ffffff)))
#define NAME(x) imp_lanes_##x
#define CODE_OF_POWER CODE
#include "num/exponential_impl.h"
#undef LOOK_UP

/* x^y for x >= 0 and finite y. */
CODE real imp_lanes_power(real x, real y) {
    imp_lanes_long_number product = imp_lanes_times(imp_lanes_log_long(x, 0), y);
    real power = imp_lanes_exp_long(product.first, product.rest);
    truth usual = (x >= DBL_MIN) & (x < INFINITY) & (size_of(product.first) < 680);
    unsigned others = imp_lanes_where(not(usual));
    for (int lane = 0; others >> lane; lane++) {
        if (others >> lane & 1) {
            power[lane] = imp_power(x[lane], y[lane]);
        }
    }
    return power;
}

/* Inverse hyperbolic tangent of x in [0, 1]. */
CODE real imp_lanes_atanh(real x) {
    real shift = 2 * x / (1 - x), sum = 1 + shift, lost = shift - (sum - 1);
    real angle = 0.5 * (imp_lanes_log_near(sum, 0) + lost / sum);
    unsigned others = imp_lanes_where(not((sum >= 1) & (sum < INFINITY)));
    for (int lane = 0; others && lane < IMP_LANES; lane++) {
        if (others >> lane & 1) {
            angle[lane] = imp_atanh(x[lane]);
        }
    }
    return angle;
}

#endif

#endif
