/* x^(2/3), of a double or in lanes. Defined before: REAL, its bits as unsigned whole numbers BITS
 * and a third of these THIRD, the name of a function NAME, how it is declared CODE_OF_POWER. */

/* (1 - r)^(-1/3) - 1; the first term left out is 35/243 r^4. */
CODE_OF_POWER REAL NAME(third_series)(REAL r) {
    return r * (1.0 / 3 + r * (2.0 / 9 + r * (14.0 / 81)));
}

/* x: 0 or normal; error below 1.3 units in the last place. */
CODE_OF_POWER REAL NAME(two_thirds)(REAL x) {
    /* x^(-1/3) within 3.5 percent: the bits of a number are about its logarithm. */
    BITS bits;
    REAL t;
    memcpy(&bits, &x, sizeof bits);
    bits = (UINT64_C(0x553ee9) << 40) - THIRD(bits);
    memcpy(&t, &bits, sizeof t);
    t += t * NAME(third_series)(1 - x * t * t * t);
    REAL power = x * t;
    return power + power * NAME(third_series)(1 - power * t * t);
}

#undef REAL
#undef BITS
#undef THIRD
#undef NAME
#undef CODE_OF_POWER
