/* A file in memory against an array of bytes, and stored on the disk. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "store/image.h"
#include "support/folder.h"
#include "support/random.h"
#include "support/suite.h"

enum { BYTES = 200000, WRITES = 400 };

/* Writes of random lengths at random places, also over pages and over each other. */
static void write_at_random(random_source *source, imp_image *image, unsigned char *expected) {
    static unsigned char piece[40000];
    for (int i = 0; i < WRITES; i++) {
        size_t n = random_bits(source) % (i % 3 ? 40 : sizeof piece);
        size_t offset = random_bits(source) % (BYTES - n);
        for (size_t k = 0; k < n; k++) {
            piece[k] = (unsigned char)random_bits(source);
        }
        imp_image_write(image, (int64_t)offset, n, piece);
        memcpy(expected + offset, piece, n);
    }
}

static void random_writes_read_back(void) {
    static unsigned char expected[BYTES], found[BYTES];
    random_source source = {11};
    imp_image image = {.n = 0};
    write_at_random(&source, &image, expected);
    CHECK(!image.failed, "memory ran out");
    for (int i = 0; i < WRITES; i++) {
        size_t n = random_bits(&source) % 50000, offset = random_bits(&source) % (BYTES - n);
        imp_image_read(&image, (int64_t)offset, n, found);
        CHECK(memcmp(found, expected + offset, n) == 0, "%zu bytes at %zu differ", n, offset);
    }
    imp_image_free(&image);
}

static void places_never_written_are_zero_and_use_no_memory(void) {
    enum { FAR = 1 << 30 };
    const unsigned char one = 1;
    unsigned char found[3] = {9, 9, 9};
    imp_image image = {.n = 0};
    imp_image_write(&image, (int64_t)FAR * 1000, 1, &one);
    imp_image_read(&image, (int64_t)FAR * 1000 - 1, 3, found);
    CHECK(found[0] == 0 && found[1] == 1 && found[2] == 0, "%d %d %d", found[0], found[1],
          found[2]);
    imp_image_read(&image, FAR, 3, found);
    CHECK(found[0] == 0 && found[1] == 0 && found[2] == 0, "an empty place is not 0");
    CHECK(image.n == 1, "%zu pages instead of 1", image.n);
    imp_image_free(&image);
}

static void the_stored_file_has_the_same_bytes(void) {
    static unsigned char expected[BYTES], found[BYTES];
    random_source source = {12};
    imp_image image = {.n = 0};
    folder own = folder_new();
    file_name file = folder_file(&own, "image");
    memset(expected, 0, sizeof expected);
    write_at_random(&source, &image, expected);
    int descriptor = open(file.path, O_RDWR | O_CREAT, 0600);
    CHECK(ftruncate(descriptor, BYTES) == 0, "no room");
    CHECK(imp_image_store(&image, descriptor, file.path) == IMP_OK, "%s", imp_last_error());
    CHECK(pread(descriptor, found, BYTES, 0) == BYTES, "the file is short");
    CHECK(memcmp(found, expected, BYTES) == 0, "the file differs");
    close(descriptor);
    imp_image_free(&image);
    folder_remove(&own);
}

static void a_file_that_cannot_be_written_is_an_error(void) {
    imp_image image = {.n = 0};
    folder own = folder_new();
    file_name file = folder_file(&own, "image");
    close(open(file.path, O_RDWR | O_CREAT, 0600));
    int descriptor = open(file.path, O_RDONLY);
    imp_image_write(&image, 5, 3, "abc");
    CHECK(imp_image_store(&image, descriptor, file.path) == IMP_ERR_IO, "no error");
    CHECK(strstr(imp_last_error(), file.path), "%s", imp_last_error());
    close(descriptor);
    imp_image_free(&image);
    folder_remove(&own);
}

SUITE("image", random_writes_read_back, places_never_written_are_zero_and_use_no_memory,
      the_stored_file_has_the_same_bytes, a_file_that_cannot_be_written_is_an_error)
