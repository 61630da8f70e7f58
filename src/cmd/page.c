#include "cmd/page.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "base/utf8.h"

void imp_page_open(const char *title, imp_page *page) {
    *page = (imp_page){.title = title, .about = {.compact = true}};
    imp_json_object(&page->about, NULL);
    imp_json_string(&page->about, "program", IMP_VERSION);
}

void imp_page_free(imp_page *page) {
    imp_text_free(&page->about.text);
    imp_text_free(&page->numbers);
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

void imp_page_add(imp_page *page, const char *name, imp_page_type type, const double *values,
                  int64_t n) {
    static const char zeros[8];
    size_t width = types[type].width;
    imp_text_append(&page->numbers, zeros, (8 - page->numbers.length % 8) % 8);
    imp_json_object(&page->about, name);
    imp_json_string(&page->about, "type", types[type].name);
    imp_json_whole(&page->about, "at", (int64_t)page->numbers.length);
    imp_json_whole(&page->about, "size", n);
    imp_json_end_object(&page->about);
    for (int64_t i = 0; i < n; i++) {
        unsigned char bytes[8];
        uint64_t bits = bits_of(type, values[i]);
        for (size_t b = 0; b < width; b++) {
            bytes[b] = (unsigned char)(bits >> 8 * b);
        }
        imp_text_append(&page->numbers, bytes, width);
    }
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
    imp_sha256_of(asset->bytes, asset->length, hex);
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

static void print_escape(unsigned unit, FILE *to) {
    fprintf(to, "\\u%04x", unit);
}

/* JSON in ASCII alone, without the characters that end or begin an element of the page. */
static void print_escaped(const imp_text *json, FILE *to) {
    const char *text = imp_text_get(json);
    for (size_t i = 0, length; i < json->length; i += length) {
        const unsigned char *at = (const unsigned char *)text + i;
        length = imp_utf8_length(text + i, json->length - i);
        unsigned code = length == 1 ? *at : *at & (0x7Fu >> length);
        for (size_t k = 1; k < length; k++) {
            code = code << 6 | (at[k] & 0x3Fu);
        }
        if (code > 0xFFFF) {
            print_escape(0xD800 + ((code - 0x10000) >> 10), to);
            print_escape(0xDC00 + ((code - 0x10000) & 0x3FF), to);
        } else if (length > 1 || strchr("<>&", *at)) {
            print_escape(code, to);
        } else {
            putc(*at, to);
        }
    }
}

/* Base 85: five characters from '(' on for four bytes, and '~' for '<', which could begin an
 * element. What follows the last byte is not printed. */
static void print_base85(const unsigned char *bytes, size_t n, FILE *to) {
    for (size_t i = 0; i < n; i += 4) {
        uint32_t four = 0;
        char digits[5];
        for (size_t b = i; b < i + 4; b++) {
            four = four << 8 | (b < n ? bytes[b] : 0);
        }
        for (int k = 4; k >= 0; k--) {
            char digit = (char)('(' + four % 85);
            digits[k] = digit == '<' ? '~' : digit;
            four /= 85;
        }
        fwrite(digits, 1, n - i < 4 ? n - i + 1 : 5, to);
    }
}

static void print_block(const char *name, const unsigned char *bytes, size_t n, FILE *to) {
    fprintf(to, "<script type=\"application/octet-stream\" id=\"%s\">", name);
    print_base85(bytes, n, to);
    fputs("</script>\n", to);
}

static void print_data(const imp_page *page, FILE *to) {
    fputs("<script type=\"application/json\" id=\"about-data\">", to);
    print_escaped(&page->about.text, to);
    fputs("</script>\n<script type=\"application/json\" id=\"looks\">", to);
    print_asset(&imp_page_looks, to);
    fputs("</script>\n", to);
    print_block("numbers", (const unsigned char *)imp_text_get(&page->numbers),
                page->numbers.length, to);
    print_block("module", imp_page_module.bytes, imp_page_module.length, to);
}

imp_err imp_page_print(const void *what, FILE *to) {
    const imp_page *page = what;
    if (page->numbers.failed || page->about.text.failed) {
        return imp_out_of_memory();
    }
    fputs("<!doctype html><!-- impactsweep page -->\n"
          "<html lang=\"en\"><head><meta charset=\"utf-8\">\n",
          to);
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
    return IMP_OK;
}
