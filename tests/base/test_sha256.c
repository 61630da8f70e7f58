/* SHA-256 against the published examples, whatever the pieces are that the bytes come in. */
#include <string.h>

#include "base/sha256.h"
#include "support/random.h"
#include "support/suite.h"

/* FIPS 180-4, examples of NIST; the last is a million letters a. */
static const struct {
    const char *text;
    int times;
    const char *digest;
} examples[] = {
    {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
     "qrsmnopqrstnopqrstu",
     1, "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 15625,
     "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void published(void) {
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        char digest[65];
        imp_sha256 hash = imp_sha256_begin();
        for (int i = 0; i < examples[e].times; i++) {
            imp_sha256_add(&hash, examples[e].text, strlen(examples[e].text));
        }
        imp_sha256_end(&hash, digest);
        CHECK(strcmp(digest, examples[e].digest) == 0, "example %zu: %s", e, digest);
    }
}

static void pieces(void) {
    enum { LENGTH = 1000 };
    char bytes[LENGTH], whole[65], digest[65];
    random_source random = {1};
    for (int i = 0; i < LENGTH; i++) {
        bytes[i] = (char)random_index(&random, 256);
    }
    for (size_t length = 0; length < LENGTH; length++) {
        imp_sha256 once = imp_sha256_begin(), parts = imp_sha256_begin();
        imp_sha256_add(&once, bytes, length);
        imp_sha256_end(&once, whole);
        for (size_t at = 0; at < length;) {
            size_t n = (size_t)random_index(&random, 150);
            n = n < length - at ? n : length - at;
            imp_sha256_add(&parts, bytes + at, n);
            at += n;
        }
        imp_sha256_end(&parts, digest);
        CHECK(strcmp(digest, whole) == 0, "%zu bytes: %s", length, digest);
    }
}

SUITE("sha256", published, pieces)
