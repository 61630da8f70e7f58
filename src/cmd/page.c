#include "cmd/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "cmd/cmd.h"
#include "models/describe.h"

static const char first_line[] = "<!doctype html><!-- impactsweep page -->\n";

void imp_page_open(const char *title, imp_page *page) {
    *page = (imp_page){.title = title, .about = json_object()};
    json_object_set_new(page->about, "program", json_string(IMP_VERSION));
}

void imp_page_free(imp_page *page) {
    json_decref(page->about);
    imp_text_free(&page->numbers);
    page->about = NULL;
}

json_t *imp_page_theory(const imp_theory *theory) {
    imp_json json = {.depth = 0};
    imp_models_json(&json, theory);
    json_t *value = json_loads(imp_text_get(&json.text), 0, NULL);
    imp_text_free(&json.text);
    return value;
}

/* ---- numbers ---- */

static const struct {
    const char *name;
    size_t width;
} types[] = {[IMP_PAGE_F8] = {"f8", 8},
             [IMP_PAGE_F4] = {"f4", 4},
             [IMP_PAGE_I1] = {"i1", 1},
             [IMP_PAGE_U2] = {"u2", 2},
             [IMP_PAGE_U4] = {"u4", 4}};

size_t imp_page_width(imp_page_type type) {
    return types[type].width;
}

/* Whole numbers are within the range of their type; -1 is all bits. */
static uint64_t bits_of(imp_page_type type, double value) {
    uint64_t wide;
    uint32_t narrow;
    float single = (float)value;
    memcpy(&wide, &value, sizeof wide);
    memcpy(&narrow, &single, sizeof narrow);
    return type == IMP_PAGE_F8 ? wide : type == IMP_PAGE_F4 ? narrow : (uint64_t)(int64_t)value;
}

json_t *imp_page_add(imp_page *page, imp_page_type type, const double *values, int64_t n) {
    static const char zeros[8];
    size_t width = types[type].width;
    imp_text_append(&page->numbers, zeros, (8 - page->numbers.length % 8) % 8);
    json_t *place = json_pack("{s:s, s:I, s:I}", "type", types[type].name, "at",
                              (json_int_t)page->numbers.length, "size", (json_int_t)n);
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        uint64_t bits = bits_of(type, values[i]);
        for (size_t b = 0; b < width; b++) {
            bytes[b] = (unsigned char)(bits >> 8 * b);
        }
        imp_text_append(&page->numbers, bytes, width);
    }
    return place;
}

/* ---- text ---- */

static void print_base64(const unsigned char *bytes, size_t n, FILE *to) {
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t three = (uint32_t)bytes[i] << 16 | (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                         (i + 2 < n ? bytes[i + 2] : 0);
        putc(digit[three >> 18], to);
        putc(digit[three >> 12 & 63], to);
        putc(i + 1 < n ? digit[three >> 6 & 63] : '=', to);
        putc(i + 2 < n ? digit[three & 63] : '=', to);
    }
}

/* The hash by which the content security policy knows a script or style of the page. */
static void print_hash(const imp_page_asset *asset, FILE *to) {
    char hex[65];
    unsigned char bytes[32];
    imp_sha256 hash = imp_sha256_begin();
    imp_sha256_add(&hash, asset->bytes, asset->length);
    imp_sha256_end(&hash, hex);
    for (size_t b = 0; b < sizeof bytes; b++) {
        char pair[3] = {hex[2 * b], hex[2 * b + 1], 0};
        bytes[b] = (unsigned char)strtoul(pair, NULL, 16);
    }
    fputs(" 'sha256-", to);
    print_base64(bytes, sizeof bytes, to);
    fputs("'", to);
}

static void print_asset(const imp_page_asset *asset, FILE *to) {
    fwrite(asset->bytes, 1, asset->length, to);
}

/* Only what the program carries can run in the page, and nothing reaches the network. */
static void print_policy(FILE *to) {
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src",
          to);
    print_hash(&imp_page_script, to);
    fputs(" 'wasm-unsafe-eval'; worker-src blob:; style-src", to);
    print_hash(&imp_page_style, to);
    fputs("; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n", to);
}

static int print_escaped(const char *piece, size_t length, void *to) {
    for (size_t i = 0; i < length; i++) {
        if (strchr("<>&", piece[i])) {
            fprintf(to, "\\u%04x", (unsigned)piece[i]);
        } else {
            putc(piece[i], to);
        }
    }
    return ferror((FILE *)to) ? -1 : 0;
}

static void print_block(const char *name, const unsigned char *bytes, size_t n, FILE *to) {
    fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", name);
    print_base64(bytes, n, to);
    fputs("</script>\n", to);
}

static void print_data(const imp_page *page, FILE *to) {
    fputs("<script type=\"application/json\" id=\"about-data\">", to);
    json_dump_callback(page->about, print_escaped, to, JSON_COMPACT | JSON_ENSURE_ASCII);
    fputs("</script>\n<script type=\"application/json\" id=\"looks\">", to);
    print_asset(&imp_page_looks, to);
    fputs("</script>\n", to);
    print_block("numbers", (const unsigned char *)imp_text_get(&page->numbers),
                page->numbers.length, to);
    print_block("module", imp_page_module.bytes, imp_page_module.length, to);
}

imp_err imp_page_print(const void *what, FILE *to) {
    const imp_page *page = what;
    if (page->numbers.failed || !page->about) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    fputs(first_line, to);
    fputs("<html lang=\"en\"><head><meta charset=\"utf-8\">\n", to);
    print_policy(to);
    fprintf(to,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>%s</title>\n<style>",
            page->title);
    print_asset(&imp_page_style, to);
    fputs("</style></head>\n", to);
    print_asset(&imp_page_body, to);
    print_data(page, to);
    fputs("<script type=\"module\">", to);
    print_asset(&imp_page_script, to);
    fputs("</script>\n</body></html>\n", to);
    return ferror(to) ? imp_fail(IMP_ERR_IO, "could not write the page: %s", strerror(errno))
                      : IMP_OK;
}

bool imp_page_starts(const char *line) {
    return strcmp(line, first_line) == 0;
}
