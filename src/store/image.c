#include "store/image.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/disk.h"

enum { PAGE = 1 << 14 };

/* The index of a page, or the index at which it has to be inserted. */
static size_t place_of(const imp_image *image, int64_t number) {
    size_t low = 0, high = image->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (image->pages[middle].number < number) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static unsigned char *find_page(const imp_image *image, int64_t number) {
    size_t at = place_of(image, number);
    return at < image->n && image->pages[at].number == number ? image->pages[at].bytes : NULL;
}

/* Adds a page of zeros. NULL: out of memory. */
static unsigned char *add_page(imp_image *image, int64_t number) {
    if (image->n == image->room) {
        size_t room = image->room ? 2 * image->room : 64;
        imp_image_page *more = realloc(image->pages, room * sizeof *more);
        if (!more) {
            return NULL;
        }
        image->pages = more;
        image->room = room;
    }
    unsigned char *bytes = calloc(PAGE, 1);
    if (bytes) {
        size_t at = place_of(image, number);
        memmove(image->pages + at + 1, image->pages + at, (image->n - at) * sizeof *image->pages);
        image->pages[at] = (imp_image_page){number, bytes};
        image->n++;
    }
    return bytes;
}

/* The number of those n bytes from `offset` on that are in the same page; *place: the first one in
 * this page. */
static size_t part_of(int64_t offset, size_t n, size_t *place) {
    *place = (size_t)(offset % PAGE);
    return n < PAGE - *place ? n : PAGE - *place;
}

void imp_image_write(imp_image *image, int64_t offset, size_t n, const void *bytes) {
    assert(offset >= 0);
    const unsigned char *from = bytes;
    image->size = image->size > offset + (int64_t)n ? image->size : offset + (int64_t)n;
    while (n > 0) {
        size_t place, part = part_of(offset, n, &place);
        unsigned char *page = find_page(image, offset / PAGE);
        page = page ? page : add_page(image, offset / PAGE);
        if (page) {
            memcpy(page + place, from, part);
        }
        image->failed = image->failed || !page;
        offset += (int64_t)part;
        from += part;
        n -= part;
    }
}

void imp_image_read(const imp_image *image, int64_t offset, size_t n, void *bytes) {
    assert(offset >= 0);
    unsigned char *to = bytes;
    while (n > 0) {
        size_t place, part = part_of(offset, n, &place);
        const unsigned char *page = find_page(image, offset / PAGE);
        if (page) {
            memcpy(to, page + place, part);
        } else {
            memset(to, 0, part);
        }
        offset += (int64_t)part;
        to += part;
        n -= part;
    }
}

/* The number of bytes of a page before the end of the file. */
static size_t length_of(const imp_image *image, const imp_image_page *page) {
    int64_t left = image->size - page->number * PAGE;
    return left < 0 ? 0 : left < PAGE ? (size_t)left : PAGE;
}

static imp_err compare_page(const imp_image *image, const imp_image_page *page, int descriptor,
                            const char *path) {
    unsigned char read[PAGE];
    size_t length = length_of(image, page);
    imp_err error = imp_disk_read(descriptor, path, read, length, page->number * PAGE);
    return error || memcmp(read, page->bytes, length) == 0
               ? error
               : imp_fail(IMP_ERR_IO, "%s: the disk returned other bytes than were written", path);
}

imp_err imp_image_store(const imp_image *image, int descriptor, const char *path) {
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < image->n; i++) {
        const imp_image_page *page = &image->pages[i];
        error = imp_disk_write(descriptor, path, page->bytes, length_of(image, page),
                               page->number * PAGE);
    }
    error = error ? error : imp_disk_sync(descriptor, path);
    for (size_t i = 0; !error && i < image->n; i++) {
        error = compare_page(image, &image->pages[i], descriptor, path);
    }
    return error;
}

void imp_image_free(imp_image *image) {
    for (size_t i = 0; i < image->n; i++) {
        free(image->pages[i].bytes);
    }
    free(image->pages);
    *image = (imp_image){.n = 0};
}
