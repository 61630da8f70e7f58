/* Values as JSON: layout, escapes, and numbers that read back to the same bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

static void check(imp_json *json, const char *expected) {
    const char *found = imp_text_get(&json->text);
    CHECK(!json->text.failed && strcmp(found, expected) == 0, "%s instead of %s", found, expected);
    imp_text_free(&json->text);
}

static void layout(void) {
    imp_json json = {.depth = 0};
    imp_json_object(&json, NULL);
    imp_json_list(&json, "empty");
    imp_json_end_list(&json);
    imp_json_list(&json, "list");
    imp_json_whole(&json, NULL, -7);
    imp_json_object(&json, NULL);
    imp_json_end_object(&json);
    imp_json_end_list(&json);
    imp_json_truth(&json, "truth", true);
    imp_json_string(&json, "none", NULL);
    imp_json_end_object(&json);
    check(&json, "{\n  \"empty\": [],\n  \"list\": [\n    -7,\n    {}\n  ],\n  \"truth\": true,\n"
                 "  \"none\": null\n}");
}

static void escapes(void) {
    imp_json json = {.depth = 0};
    imp_json_string(&json, NULL, "\"\\/\b\f\n\r\t\x01\x1f\x7f\xc3\xa4</script>");
    check(&json, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F\x7f\xc3\xa4</script>\"");
}

static void compact(void) {
    imp_json json = {.compact = true};
    imp_json_object(&json, NULL);
    imp_json_list(&json, "list");
    imp_json_whole(&json, NULL, 1);
    imp_json_string(&json, NULL, "a: b, c");
    imp_json_number(&json, NULL, NAN);
    imp_json_end_list(&json);
    imp_json_string(&json, "none", NULL);
    imp_json_number(&json, "infinite", INFINITY);
    imp_json_truth(&json, "truth", false);
    imp_json_end_object(&json);
    check(&json, "{\"list\":[1,\"a: b, c\",null],\"truth\":false}");
}

/* One wrong byte is enough: nobody knows what the others mean. */
static void other_encodings(void) {
    static const struct {
        const char *text, *expected;
    } rows[] = {{"gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80", "\"gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80\""},
                {"gr\xFC\xDF", "\"gr??\""},
                {"\xC3\xBC and \xFC", "\"?? and ?\""},
                {"cut \xE2\x82", "\"cut ??\""},
                {"overlong \xC0\xAF", "\"overlong ??\""},
                {"surrogate \xED\xA0\x80", "\"surrogate ???\""}};
    for (size_t i = 0; i < SUITE_COUNT(rows); i++) {
        imp_json json = {.depth = 0};
        imp_json_string(&json, NULL, rows[i].text);
        check(&json, rows[i].expected);
    }
}

static void forms_of_numbers(void) {
    static const struct {
        double value;
        const char *expected;
    } rows[] = {{0, "0.0"},       {-0.0, "-0.0"},
                {3, "3.0"},       {0.5, "0.5"},
                {1e17, "1e17"},   {-2.5e-7, "-2.4999999999999999e-7"},
                {NAN, "null"},    {-INFINITY, "null"},
                {1e100, "1e100"}, {1e300, "1.0000000000000001e300"}};
    for (size_t i = 0; i < SUITE_COUNT(rows); i++) {
        imp_json json = {.depth = 0};
        imp_json_number(&json, NULL, rows[i].value);
        check(&json, rows[i].expected);
    }
}

static void numbers_read_back(void) {
    random_source source = {5};
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = random_bits(&source);
        double value;
        memcpy(&value, &bits, sizeof value);
        imp_json json = {.depth = 0};
        imp_json_number(&json, NULL, value);
        double read = strtod(imp_text_get(&json.text), NULL);
        CHECK(!isfinite(value) || batch_same(read, value), "%a became %a", value, read);
        imp_text_free(&json.text);
    }
}

SUITE("json", layout, escapes, compact, other_encodings, forms_of_numbers, numbers_read_back)
