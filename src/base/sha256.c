#include "base/sha256.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = sizeof((imp_sha256 *)0)->block, LENGTH_AT = BLOCK - 8, ROUNDS = 64 };

/* The first 32 bits behind the point of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, int bits) {
    return x >> bits | x << (32 - bits);
}

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t next_word(const uint32_t *w) {
    uint32_t a = w[-15], b = w[-2];
    return w[-16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[-7] +
           (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
}

static void take_block(uint32_t state[8], const unsigned char *block) {
    uint32_t w[ROUNDS], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
                        f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < ROUNDS; i++) {
        w[i] = i < 16 ? big_endian(block + 4 * i) : next_word(w + i);
        uint32_t one = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) +
                       constants[i] + w[i];
        uint32_t two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one;
        d = c, c = b, b = a, a = one + two;
    }
    const uint32_t sum[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) {
        state[i] += sum[i];
    }
}

/* The first 32 bits behind the point of the square roots of the first 8 primes. */
imp_sha256 imp_sha256_begin(void) {
    return (imp_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                  0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void imp_sha256_add(imp_sha256 *hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    while (length > 0) {
        size_t held = hash->length % BLOCK, n = BLOCK - held < length ? BLOCK - held : length;
        if (n == BLOCK) {
            take_block(hash->state, at);
        } else {
            memcpy(hash->block + held, at, n);
        }
        hash->length += n;
        if (n < BLOCK && held + n == BLOCK) {
            take_block(hash->state, hash->block);
        }
        at += n;
        length -= n;
    }
}

/* A bit, zeros up to the end of a block, and there the length in bits. */
void imp_sha256_end(imp_sha256 *hash, char digest[65]) {
    const unsigned char padding[BLOCK] = {0x80};
    unsigned char bits[8];
    for (int i = 0; i < 8; i++) {
        bits[i] = (unsigned char)(8 * hash->length >> (56 - 8 * i));
    }
    size_t held = hash->length % BLOCK;
    imp_sha256_add(hash, padding, (held < LENGTH_AT ? LENGTH_AT : BLOCK + LENGTH_AT) - held);
    imp_sha256_add(hash, bits, sizeof bits);
    for (int i = 0; i < 8; i++) {
        snprintf(digest + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
    }
}

void imp_sha256_of(const void *bytes, size_t length, char digest[65]) {
    imp_sha256 hash = imp_sha256_begin();
    imp_sha256_add(&hash, bytes, length);
    imp_sha256_end(&hash, digest);
}
