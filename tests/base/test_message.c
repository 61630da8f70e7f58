/* Messages that quote words and files: nothing in them steers a terminal, begins a line or goes on
 * for ever. */
#include <CUnit/CUnit.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/message.h"
#include "support/suite.h"

static char text[8192];

__attribute__((format(printf, 1, 2))) static const char *message(const char *format, ...) {
    va_list values;
    va_start(values, format);
    imp_message(text, sizeof text, format, values);
    va_end(values);
    return text;
}

/* Every conversion gives what printf gives. */
#define AS_PRINTF(...)                                                                             \
    do {                                                                                           \
        char wanted[512];                                                                          \
        snprintf(wanted, sizeof wanted, __VA_ARGS__);                                              \
        CU_ASSERT_STRING_EQUAL(message(__VA_ARGS__), wanted);                                      \
    } while (0)

static void conversions(void) {
    AS_PRINTF("plain, 100 %%");
    AS_PRINTF("%d %5d|%-5d|%05d|%+d", 7, 7, 7, 7, 7);
    AS_PRINTF("%ld %lld %zu %jd %u %x %016llx", 1L << 40, 1LL << 60, (size_t)12, (intmax_t)-9,
              4000000000U, 255U, 0xABCDEF0123456789ULL);
    AS_PRINTF("%g %.17g %8.3f|%-8.2e|%.*g", 0.1, 0.1, 3.14159, 31415.9, 3, 2.0 / 3);
    AS_PRINTF("%s, %10s|%-10s|%.3s|%.*s %c%c", "one", "two", "three", "four", 2, "five", 'a', 'b');
    AS_PRINTF("%f", 1e300);
}

static void controls(void) {
    CU_ASSERT_STRING_EQUAL(message("%s: no", "a\x1b[31mb\tc\nd\x7f"), "a?[31mb?c?d?: no");
    CU_ASSERT_STRING_EQUAL(message("'%s'.", "\r-\a"), "'?-?'.");
    CU_ASSERT_STRING_EQUAL(message("a%cb\n", '\x1b'), "a?b\n");
    /* U+009B is the beginning of a terminal code, too; bytes that are not UTF-8 may be one. */
    CU_ASSERT_STRING_EQUAL(message("%s", "x\xc2\x9by\x9bz\xff\xc3"), "x?y?z??");
    CU_ASSERT_STRING_EQUAL(message("%s", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"),
                           "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    CU_ASSERT_STRING_EQUAL(message("differs:\n%s", "one\n\x1btwo"), "differs:\none\n?two");
}

static void lengths(void) {
    enum { MANY = 100000 };
    char *many = malloc(MANY + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(many);
    memset(many, 'a', MANY);
    many[MANY] = 0;
    const char *said = message("unexpected '%s'; usage", many);
    CU_ASSERT_EQUAL(strlen(said), strlen("unexpected '...'; usage") + IMP_LONGEST_WORD);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "aaa...'; usage"));
    said = message("%s: No such file", many);
    CU_ASSERT(strlen(said) < IMP_LONGEST_TEXT + 40);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "a ... a"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "a: No such file"));
    /* A character of two bytes is not parted. */
    memcpy(many + IMP_LONGEST_WORD - 1, "\xc3\xa4", 2);
    said = message("'%s'", many);
    CU_ASSERT_EQUAL(strlen(said), IMP_LONGEST_WORD + 4);
    CU_ASSERT_PTR_NULL(strchr(said, '?'));
    CU_ASSERT_EQUAL(strlen(imp_show(many).text), IMP_LONGEST_WORD + 2);
    free(many);
}

static void little_room(void) {
    char small[8];
    va_list none;
    memset(&none, 0, sizeof none);
    imp_message(small, sizeof small, "longer than that", none);
    CU_ASSERT_STRING_EQUAL(small, "longer ");
    CU_ASSERT_EQUAL(imp_fail(IMP_ERR_INPUT, "%s: no\x01", "\x1b"), IMP_ERR_INPUT);
    CU_ASSERT_STRING_EQUAL(imp_last_error(), "?: no\x01");
}

SUITE("message", conversions, controls, lengths, little_room)
