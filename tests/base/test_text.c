/* The growing string, the nearest name, the last error and the text of a sequence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "support/random.h"
#include "support/suite.h"

static void growing(void) {
    imp_text text = {0};
    CHECK(strcmp(imp_text_get(&text), "") == 0, "an empty text is '%s'", imp_text_get(&text));
    char expected[30000] = "";
    size_t length = 0;
    for (int i = 0; i < 2000; i++) {
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%d,%s", i, "ab");
        imp_text_print(&text, "%d,", i);
        imp_text_append(&text, "abc", 2);
        CHECK(text.length == length, "length %zu instead of %zu", text.length, length);
    }
    CHECK(!text.failed && strcmp(imp_text_get(&text), expected) == 0, "the text has changed");
    imp_text_append(&text, NULL, 0);
    CHECK(text.length == length, "nothing appended adds something");
    imp_text_free(&text);
    CHECK(text.length == 0 && strcmp(imp_text_get(&text), "") == 0, "a freed text is not empty");
    imp_text_free(&text);
}

/* The final 0 is there even where memory was used before. */
static void ended_by_zero(void) {
    for (size_t length = 1; length < 60; length++) {
        char *used = malloc(64);
        imp_text text = {0};
        memset(used, 'x', 64);
        free(used);
        for (size_t i = 0; i < length; i++) {
            imp_text_append(&text, "y", 1);
            CHECK(strlen(imp_text_get(&text)) == i + 1, "%zu characters", text.length);
        }
        imp_text_free(&text);
    }
}

static void bytes_of_any_value(void) {
    imp_text text = {0};
    imp_text_append(&text, "a\0b", 3);
    imp_text_print(&text, "%s", "c");
    CHECK(text.length == 4 && memcmp(imp_text_get(&text), "a\0bc", 5) == 0, "length %zu",
          text.length);
    imp_text_free(&text);
}

static const char *const names[] = {
    "angle",        "velocity_ratio", "friction", "stiffness_ratio", "inertia_coupling",
    "normal_speed", "mass",           "body"};

static void check_nearest(const char *word, const char *expected) {
    const char *found = imp_nearest(word, names, SUITE_COUNT(names));
    bool same = found == expected || (found && expected && strcmp(found, expected) == 0);
    CHECK(same, "'%s': found '%s' instead of '%s'", word, found ? found : "nothing",
          expected ? expected : "nothing");
}

static void did_you_mean(void) {
    check_nearest("friction", "friction");
    check_nearest("fricton", "friction");
    check_nearest("frcition", "friction");
    check_nearest("firction", "friction");
    check_nearest("frictional", "friction");
    check_nearest("mas", "mass");
    check_nearest("bdoy", "body");
    check_nearest("stifness_ration", "stiffness_ratio");
    check_nearest("velocity_ratoi", "velocity_ratio");
    check_nearest("colour", NULL);
    check_nearest("xyz", NULL);
    check_nearest("masxyz", NULL);
    check_nearest("", NULL);
    check_nearest("a_word_far_longer_than_any_name_that_anybody_would_ever_give_to_a_parameter",
                  NULL);
    CHECK(!imp_nearest("friction", names, 0), "found among no names");
}

/* A name with any single typing error leads back to that name. */
static void one_edit(void) {
    random_source source = {12};
    for (int i = 0; i < 5000; i++) {
        const char *name = names[random_index(&source, SUITE_COUNT(names))];
        size_t n = strlen(name), at = (size_t)random_index(&source, (int)n - 1);
        char word[64];
        switch (random_index(&source, 4)) {
        case 0: /* one too many */
            snprintf(word, sizeof word, "%.*sz%s", (int)at, name, name + at);
            break;
        case 1: /* one missing */
            snprintf(word, sizeof word, "%.*s%s", (int)at, name, name + at + 1);
            break;
        case 2: /* a wrong one */
            snprintf(word, sizeof word, "%.*sq%s", (int)at, name, name + at + 1);
            break;
        default: /* two exchanged */
            snprintf(word, sizeof word, "%.*s%c%c%s", (int)at, name, name[at + 1], name[at],
                     name + at + 2);
        }
        check_nearest(word, name);
    }
}

static void last_error(void) {
    CHECK(imp_fail(IMP_ERR_IO, "cannot %s %d", "read", 7) == IMP_ERR_IO, "the code is lost");
    CHECK(strcmp(imp_last_error(), "cannot read 7") == 0, "the message is '%s'", imp_last_error());
    char longest[20000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    imp_fail(IMP_ERR_INPUT, "%s", longest);
    CHECK(strlen(imp_last_error()) == 8191, "%zu characters", strlen(imp_last_error()));
}

static void check_sequence(uint64_t sequence, const char *expected) {
    char text[256], few[8];
    memset(text, 'x', sizeof text); /* nothing of what was there may be left */
    memset(few, 'x', sizeof few);
    size_t length = imp_sequence_text(sequence, sizeof text, text);
    CHECK(strcmp(text, expected) == 0 && length == strlen(expected), "'%s' instead of '%s'", text,
          expected);
    length = imp_sequence_text(sequence, sizeof few, few);
    CHECK(length == strlen(expected) && strncmp(few, expected, sizeof few - 1) == 0 &&
              strlen(few) == (length < 7 ? length : 7),
          "cut to '%s', length %zu, of '%s'", few, length, expected);
    CHECK(imp_sequence_text(sequence, 0, NULL) == length, "length without room");
}

static void sequences(void) {
    check_sequence(0, "");
    check_sequence(1, "stick");
    check_sequence(2, "slip-");
    check_sequence(2 | 1 << 2 | 3 << 4, "slip- stick slip+");
    const uint64_t wide = IMP_SEQUENCE_WIDE;
    check_sequence(wide, "");
    check_sequence(wide | 2, "slip-");
    check_sequence(wide | 1 | 5 << 3 | 4 << 6 | 2 << 9, "stick partial+ partial- slip-");
    uint64_t most = wide;
    char partials[256] = "";
    for (int i = 0; i < IMP_SEQUENCE_WIDE_PHASES; i++) {
        most |= (uint64_t)(i % 2 ? 5 : 4) << (3 * i);
        strcat(partials, i % 2 ? "partial+ " : "partial- ");
    }
    strcat(partials, "...");
    check_sequence(most, partials);
    CHECK((uint64_t)(double)most == most, "a full wide sequence is not exact in a double");
    uint64_t full = 0;
    char expected[256] = "";
    for (int i = 0; i < IMP_SEQUENCE_PHASES; i++) {
        full |= (uint64_t)(i % 2 ? 3 : 1) << (2 * i);
        strcat(expected, i % 2 ? "slip+ " : "stick ");
    }
    strcat(expected, "...");
    check_sequence(full, expected);
    CHECK((uint64_t)(double)full == full, "a full sequence is not exact in a double");
    const uint64_t points = IMP_SEQUENCE_OF_POINTS;
    check_sequence(points, "");
    check_sequence(points | 1, "");
    check_sequence(points | 1 << 3 | 1, "2");
    check_sequence(points | 1 << 6 | 7 << 3, "1 8");
}

SUITE("text", growing, bytes_of_any_value, ended_by_zero, did_you_mean, one_edit, last_error,
      sequences)
