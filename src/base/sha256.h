/* SHA-256 (FIPS 180-4). Needs no memory, so that it cannot fail. */
#ifndef IMP_BASE_SHA256_H
#define IMP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

/* A digest of bytes that come in pieces; begin with imp_sha256_begin. */
typedef struct imp_sha256 {
    uint32_t state[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
} imp_sha256;

imp_sha256 imp_sha256_begin(void);
void imp_sha256_add(imp_sha256 *hash, const void *bytes, size_t length);

/* 64 hexadecimal digits and a final 0. */
void imp_sha256_end(imp_sha256 *hash, char digest[65]);

/* The digest of bytes that come in one piece. */
void imp_sha256_of(const void *bytes, size_t length, char digest[65]);

#endif
