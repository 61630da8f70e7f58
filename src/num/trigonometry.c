#include "num/trigonometry.h"

#include <string.h>

/* 2/pi after the binary point, and 64 zeros before it. Bit 63 + j has the weight 2^-j. */
static const uint32_t two_over_pi[] = {
    0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
    0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
    0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
    0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
    0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

/* 32 bits of it. */
static uint64_t bits_from(int place) {
    const uint32_t *word = two_over_pi + place / 32;
    return (((uint64_t)word[0] << 32 | word[1]) >> (32 - place % 32)) & UINT32_MAX;
}

/* x times 2/pi modulo 4, x = m 2^e: of 2/pi only 192 bits count (Payne and Hanek 1983). Those
 * before them are multiples of 4, and those behind less than 2^-137. The first has the weight 2 in
 * the product, whose two highest bits are the quadrant. */
static double reduce_far(double x, int64_t *turn) {
    enum { PARTS = 6 };
    uint64_t bits, part[PARTS], before = 0, carry = 0;
    memcpy(&bits, &x, sizeof bits);
    uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    int start = (int)(bits >> 52 & 2047) - 1075 + 62;
    for (int k = 0; k < PARTS; k++) { /* from the lowest */
        uint64_t factor = bits_from(start + 32 * (PARTS - 1 - k));
        uint64_t low = factor * (m & UINT32_MAX), high = before * (m >> 32);
        uint64_t sum = carry + (low & UINT32_MAX) + (high & UINT32_MAX);
        part[k] = sum & UINT32_MAX;
        carry = (sum >> 32) + (low >> 32) + (high >> 32);
        before = factor;
    }
    /* The fraction of a quadrant, from -1/2 to 1/2, in two parts. */
    uint64_t first = part[5] << 34 | part[4] << 2 | part[3] >> 30;
    uint64_t second = part[3] << 34 | part[2] << 2 | part[1] >> 30;
    double fraction = (double)(int64_t)first * 0x1p-64 + (double)second * 0x1p-128;
    int64_t quadrant = (int64_t)(part[5] >> 30) + (int64_t)(first >> 63);
    *turn = x < 0 ? -quadrant : quadrant;
    return (x < 0 ? -fraction : fraction) * (IMP_PI / 2);
}

imp_pair_reduced imp_reduce_far(imp_pair x) {
    imp_pair_reduced reduced = imp_pair_reduce(x);
    for (int lane = 0; lane < 2; lane++) {
        if (!(fabs(x[lane]) < INFINITY)) {
            reduced.rest[lane] = NAN;
        } else if (fabs(x[lane]) > 1e5) {
            int64_t turn;
            reduced.rest[lane] = reduce_far(x[lane], &turn);
            reduced.turn[lane] = turn;
        }
    }
    return reduced;
}
