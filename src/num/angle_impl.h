/* The angle of a vector in the first quadrant, for numbers of type REAL. PICK(mask, a, b): a where
 * the mask is true, b elsewhere. NAME(x): the name of a function x. Included once for each type. */

/* Angle of the vector (x, y), x >= 0 and y >= 0, not both 0: 0 to pi/2. Relative error below
 * 5e-16. */
ANGLE_CODE REAL NAME(angle)(REAL y, REAL x) {
    /* Turned back by 0, 45 or 90 degrees the tangent is at most tan(22.5 deg) in size. */
    const double limit = 0.41421356237309503;
    const REAL none = {0};
    REAL turned =
        PICK(y > limit * x, PICK(limit * y > x, none + IMP_PI / 2, none + IMP_PI / 4), none);
    REAL above = PICK(y > limit * x, PICK(limit * y > x, -x, y - x), y);
    REAL below = PICK(y > limit * x, PICK(limit * y > x, y, y + x), x);
    REAL z = above / below, u = z * z, u2 = u * u, u4 = u2 * u2;
    /* atan(z)/z by interpolation at the Chebyshev nodes of u in [0, 0.1716]; error 1.3e-18. */
    REAL a =
        (1 - u * 0x1.555555555552fp-2) + u2 * (0x1.9999999994656p-3 - u * 0x1.24924922593d1p-3);
    REAL b = (0x1.c71c70cb492c4p-4 - u * 0x1.745cf64894f5fp-4) +
             u2 * (0x1.3b10f097ffd10p-4 - u * 0x1.10ea18e041aa8p-4);
    REAL c = (0x1.def9aedb3ab13p-5 - u * 0x1.9c78a5c178b3ep-5) +
             u2 * (0x1.370013502ce8bp-5 - u * 0x1.23b2f43074332p-6);
    return turned + z * (a + u4 * (b + u4 * c));
}

#undef REAL
#undef PICK
#undef NAME
#undef ANGLE_CODE
