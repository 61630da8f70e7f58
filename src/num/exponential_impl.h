/* Logarithm and exponential with more digits than a double has, of a double or in lanes. Defined
 * before: REAL, its bits as unsigned whole numbers BITS, BITS_OF(x) and OF_BITS(bits) from one to
 * the other, LOG_PART(part, member) and EXP_PART(part, member) of the tables, FIRST_DIGITS(x), the
 * name of a function or type NAME, how a function is declared CODE_OF_POWER. */

/* ---- logarithm ---- */

/* x, normal, is 2^k z with z in a part. 1 + r = z inverse exactly; start + low are log(1/inverse)
 * and k log(2). */
typedef struct NAME(parted) {
    REAL r, start, low;
} NAME(parted);

CODE_OF_POWER NAME(parted) NAME(parted_of)(REAL x, double shift) {
    /* log(2); the first a multiple of 2^-42: its product with an exponent, and the sum with `high`,
     * are exact. */
    const double high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45;
    const uint64_t lowest = UINT64_C(0x3fe6a55000000000), two_to_52 = UINT64_C(0x4330000000000000);
    BITS bits = BITS_OF(x), above = bits - lowest;
    BITS part = above >> (52 - IMP_LOG_PARTS_LOG2) & ((1 << IMP_LOG_PARTS_LOG2) - 1);
    REAL z = OF_BITS(bits - (above & ~UINT64_C(0) << 52));
    /* 2048 more than k, a whole number of 12 bits, as the last digits of 2^52 and itself. */
    BITS whole = (above ^ UINT64_C(1) << 63) >> 52;
    REAL k = OF_BITS(whole | two_to_52) - (0x1p52 + 2048 + shift);
    return (NAME(parted)){.r = (z - LOG_PART(part, middle)) * LOG_PART(part, inverse) +
                               LOG_PART(part, offset),
                          .start = k * high + LOG_PART(part, high),
                          .low = k * low + LOG_PART(part, low)};
}

/* sum + log(1 + r) - r + r^2/2 by interpolation at Chebyshev nodes of r, without the terms from r^7
 * on, which are `seventh` r^7: the error is below 2^-72 r where `seventh` is imp_seventh_start + r
 * imp_seventh_slope, and below 2^-61 r where it is imp_seventh_start. */
CODE_OF_POWER REAL NAME(add_log_series)(REAL sum, REAL r, REAL r2, REAL seventh) {
    REAL a = 0x1.5555555555555p-2 + r * -0x1p-2, r3 = r * r2;
    REAL b = 0x1.9999999973914p-3 + r * -0x1.55555555331aap-3;
    return (sum + r3 * a) + r3 * r2 * (b + r2 * seventh);
}

/* log(2^-shift x), x normal. */
CODE_OF_POWER REAL NAME(log_near)(REAL x, double shift) {
    NAME(parted) p = NAME(parted_of)(x, shift);
    REAL r = p.r, r2 = r * r, straight = p.start + r;
    REAL low = (p.low - 0.5 * r2) + ((p.start - straight) + r);
    const REAL none = {0};
    return straight + NAME(add_log_series)(low, r, r2, none + imp_seventh_start);
}

/* first + rest; of `first` only the first half of its digits is there, and `rest` is below 2^-24 of
 * it. */
typedef struct NAME(long_number) {
    REAL first, rest;
} NAME(long_number);

/* log(2^-shift x), x normal, with a relative error below 2^-68. */
CODE_OF_POWER NAME(long_number) NAME(log_long)(REAL x, double shift) {
    NAME(parted) p = NAME(parted_of)(x, shift);
    REAL r = p.r, r2 = r * r, r_high = FIRST_DIGITS(r), straight = p.start + r;
    REAL first = FIRST_DIGITS(straight + r2 * (r * (1.0 / 3) - 0.5));
    REAL low = (p.low - 0.5 * (r - r_high) * (r + r_high)) + ((p.start - straight) + r);
    REAL rest = NAME(add_log_series)(low, r, r2, imp_seventh_start + r * imp_seventh_slope);
    return (NAME(long_number)){first, rest + ((straight - first) - 0.5 * r_high * r_high)};
}

CODE_OF_POWER NAME(long_number) NAME(times)(NAME(long_number) log_x, REAL y) {
    REAL y_first = FIRST_DIGITS(y), y_rest = y - y_first;
    return (NAME(long_number)){y_first * log_x.first, y_rest * log_x.first + y * log_x.rest};
}

/* ---- exponential ---- */

/* e^(x + low) = 2^(steps / 128 rounded down) value e^(tail + r), value and tail those of a part. */
typedef struct NAME(grown) {
    BITS steps;
    REAL value, tail, r;
} NAME(grown);

CODE_OF_POWER NAME(grown) NAME(grown_of)(REAL x, REAL low) {
    /* log(2)/128; the first a multiple of 2^-38, whose product with a number of steps is exact. */
    const double step_high = 0x1.62e42ffp-8, step_low = -0x1.718432a1b0e26p-42,
                 steps_per_unit = 0x1.71547652b82fep+7;
    /* Adding 1.5 * 2^52 rounds to a whole number, which then stands in the lowest bits. */
    const double round = 0x1.8p52;
    REAL shifted = x * steps_per_unit + round, steps = shifted - round;
    BITS whole = BITS_OF(shifted) - UINT64_C(0x4338000000000000);
    BITS part = whole & ((1 << IMP_EXP_PARTS_LOG2) - 1);
    return (NAME(grown)){whole, EXP_PART(part, value), EXP_PART(part, tail),
                         (x - steps * step_high) + (low - steps * step_low)};
}

/* scale e^(tail + r), |r| < .0028; the first term left out is below 6e-19. */
CODE_OF_POWER REAL NAME(grow)(const NAME(grown) * g, REAL scale) {
    REAL r = g->r, square = r * r, scaled = scale * square;
    REAL start = scale * (g->tail + r) + scaled * (0.5 + r * (1.0 / 6));
    return scale + (start + scaled * square * (1.0 / 24 + r * (1.0 / 120)));
}

/* e^(x + low), |x| < 680, low below 2^-23 of x, or of 1. */
CODE_OF_POWER REAL NAME(exp_long)(REAL x, REAL low) {
    NAME(grown) g = NAME(grown_of)(x, low);
    return NAME(grow)(&g, OF_BITS(BITS_OF(g.value) + (g.steps >> IMP_EXP_PARTS_LOG2 << 52)));
}

#undef REAL
#undef BITS
#undef BITS_OF
#undef OF_BITS
#undef LOG_PART
#undef EXP_PART
#undef FIRST_DIGITS
#undef NAME
#undef CODE_OF_POWER
