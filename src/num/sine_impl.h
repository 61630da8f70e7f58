/* Sine and cosine, for vectors of doubles of any length: REAL, and BITS of the same length.
 * NAME(x): the name of a function x. Included once for each type. */

/* Taylor series; on [-pi/4, pi/4] the first term left out is below 5e-17. */
SINE_CODE REAL NAME(sine_series)(REAL r) {
    REAL z = r * r, z2 = z * z;
    REAL low = (z * (1.0 / 120.0) - 1.0 / 6.0) + z2 * (z * (1.0 / 362880.0) - 1.0 / 5040.0);
    REAL high = (z * (1.0 / 6227020800.0) - 1.0 / 39916800.0) - z2 * (1.0 / 1307674368000.0);
    return r + r * z * (low + z2 * z2 * high);
}

SINE_CODE REAL NAME(cosine_series)(REAL r) {
    REAL z = r * r, z2 = z * z;
    REAL low = (1.0 / 24.0 - z * (1.0 / 720.0)) + z2 * (1.0 / 40320.0 - z * (1.0 / 3628800.0));
    REAL high = (1.0 / 479001600.0 - z * (1.0 / 87178291200.0)) + z2 * (1.0 / 20922789888000.0);
    /* The last sum restores the digits that 1 - z/2 rounds off. */
    REAL half = 0.5 * z, head = 1.0 - half;
    return head + ((1.0 - head) - half + z2 * (low + z2 * z2 * high));
}

/* x = turn * pi/2 + rest; only the lowest bits of turn are used. */
typedef struct NAME(reduced) {
    REAL rest;
    BITS turn;
} NAME(reduced);

/* |x| at most 1e5. */
SINE_CODE NAME(reduced) NAME(reduce)(REAL x) {
    /* Adding 1.5 * 2^52 rounds to a whole number and puts it into the lowest bits. */
    const double round = 0x1.8p52;
    /* pi/2 in three parts, the first two of 33 bits: their products with the quadrant are exact. */
    const double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;
    REAL shifted = x * 0x1.45f306dc9c883p-1 + round;
    REAL quadrant = shifted - round;
    return (NAME(reduced)){((x - quadrant * first) - quadrant * second) - quadrant * third,
                           (BITS)shifted};
}

SINE_CODE void NAME(sine_cosine_of)(NAME(reduced) reduced, REAL *sine_there, REAL *cosine_there) {
    BITS sine = (BITS)NAME(sine_series)(reduced.rest);
    BITS cosine = (BITS)NAME(cosine_series)(reduced.rest);
    BITS turn = reduced.turn;
    BITS swap = -(turn & 1);
    BITS sine_sign = (turn & 2) << 62, cosine_sign = ((turn + 1) & 2) << 62;
    *sine_there = (REAL)(((swap & cosine) | (~swap & sine)) ^ sine_sign);
    *cosine_there = (REAL)(((swap & sine) | (~swap & cosine)) ^ cosine_sign);
}

#undef REAL
#undef BITS
#undef NAME
#undef SINE_CODE
