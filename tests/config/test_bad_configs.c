/* Bad configs and words: the exact messages. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bad_configs.h"
#include "support/reading.h"
#include "support/suite.h"

/* Expects messages that are written as in bad_configs.h. */
static void expect_brief(const char *name, reading r, const char *brief) {
    imp_text whole = {0};
    while (*brief) {
        int length = (int)strcspn(brief, "\n"), place = 0;
        sscanf(brief, "%*u:%*u: %n", &place);
        imp_text_print(&whole, "%s%.*s%s%.*s\n", place ? "x.yaml:" : "", place, brief,
                       place ? "error: " : "", length - place, brief + place);
        brief += length + (brief[length] == '\n');
    }
    expect_messages(name, r, imp_text_get(&whole));
    imp_text_free(&whole);
}

static void bad_texts(void) {
    for (int i = 0; i < SUITE_COUNT(bad_configs); i++) {
        expect_brief(bad_configs[i].name, read_text(bad_configs[i].text), bad_configs[i].expected);
    }
    for (int i = 0; i < SUITE_COUNT(bad_overrides); i++) {
        const struct bad_override *bad = &bad_overrides[i];
        expect_brief(bad->name, read_file((text_file){"x.yaml", bad->text, 0}, &bad->override, 1),
                     bad->expected);
    }
}

static void binary_config(void) {
    static const char text[] = "model: compliant\nfixed: \0";
    expect_messages("zero byte", read_file((text_file){"x.yaml", text, sizeof text - 1}, NULL, 0),
                    "x.yaml:2:8: error: byte 0x00 is not text, UTF-8 text is expected\n");
    static const char wide[] = "\xff\xfem\0o\0";
    expect_messages("UTF-16", read_file((text_file){"x.yaml", wide, sizeof wide - 1}, NULL, 0),
                    "x.yaml:1:1: error: byte 0xff is not text, UTF-8 text is expected\n");
}

static void missing_config(void) {
    text_file other = {"other.yaml", "", 0};
    expect_messages("missing", read_path("x.yaml", other, NULL, 0),
                    "x.yaml:1:1: error: cannot read the config: No such file or directory\n");
}

static void huge_config(void) {
    size_t limit = (size_t)64 << 20;
    char *text = malloc(limit + 2);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, ' ', limit + 1);
    text[limit + 1] = 0;
    expect_messages("64 MiB + 1", read_file((text_file){"x.yaml", text, limit + 1}, NULL, 0),
                    "x.yaml:1:1: error: the file is larger than the 64 MiB that are allowed\n");
    free(text);
}

/* n times a word, after some text; the caller frees. */
static char *repeated(const char *before, const char *word, int n) {
    imp_text text = {0};
    imp_text_print(&text, "%s", before);
    for (int i = 0; i < n; i++) {
        imp_text_print(&text, "%s", word);
    }
    CU_ASSERT_PTR_NOT_NULL_FATAL(text.bytes);
    return text.bytes;
}

static void expect_too_deep(const char *before, const char *word, const char *expected) {
    char *text = repeated(before, word, 100000);
    expect_messages(word, read_text(text), expected);
    free(text);
}

static void deep_configs(void) {
    expect_too_deep("", "[",
                    "x.yaml:1:17: error: nested too deeply, at most 16 levels are allowed\n");
    expect_too_deep(
        "a: ", "{b: ", "x.yaml:1:64: error: nested too deeply, at most 16 levels are allowed\n");
    expect_too_deep("", "- ",
                    "x.yaml:1:33: error: nested too deeply, at most 16 levels are allowed\n");
}

static void many_errors(void) {
    char *text =
        repeated(PENDULUM NO_FRICTION "axes:\n  - {param: friction, values: [", "\n      1x,", 150);
    imp_text whole = {0}, expected = {0};
    imp_text_print(&whole, "%s]}\n", text);
    for (int line = 0; line < 100; line++) {
        imp_text_print(&expected, "x.yaml:%d:7: error: friction: '1x' is not a number\n", line + 6);
    }
    imp_text_print(&expected, "50 more errors are not shown\n");
    expect_messages("many", read_text(imp_text_get(&whole)), imp_text_get(&expected));
    imp_text_free(&whole);
    imp_text_free(&expected);
    free(text);
}

static void two_overrides(void) {
    static const char *const overrides[] = {"friction=1", "friction=2", "precision=float32",
                                            "precision=float64", "body=rod"};
    expect_messages("overrides", read_file((text_file){"x.yaml", PENDULUM REST, 0}, overrides, 4),
                    "--set friction=2: error: duplicate key 'friction'\n"
                    "--set precision=float64: error: duplicate key 'precision'\n");
    expect_messages("no model", read_file((text_file){"x.yaml", "model: x\n", 0}, overrides, 5),
                    "x.yaml:1:8: error: unknown theory 'x', allowed: <theories>, guest\n"
                    "--set precision=float64: error: duplicate key 'precision'\n");
}

/* Whether every line of the messages has the promised form. */
static bool is_well_formed(const char *messages) {
    bool good = *messages != 0;
    for (const char *line = messages; good && *line;) {
        int end = 0;
        unsigned row, column;
        good = sscanf(line, "%*[^: ]:%u:%u: error: %*[^\n]%n", &row, &column, &end) == 2 &&
               end > 0 && row > 0 && column > 0;
        line = strchr(line, '\n');
        good = good && line;
        line += good;
    }
    return good;
}

static const char everything[] =
    "# A config with every form\n"
    "model: compliant\n"
    "choose: {law: linear}\n"
    "axes:\n"
    "  - {table: good/cases.csv, name: case}\n"
    "  - {param: stiffness_ratio, from: 0.5, to: 2, points: 3, spacing: log}\n"
    "  - {param: mass, values: [1, 2.5, 4]}\n"
    "fixed: {velocity_ratio: -1}\n"
    "outputs: [residual, mode]\n"
    "precision: float32\n";

static void every_form(void) {
    reading r = expect_good(read_text(everything));
    CU_ASSERT_EQUAL(imp_grid_cells(&r.sweep.grid), 27);
    CU_ASSERT_EQUAL(r.sweep.n_outputs, 2);
    reading_free(&r);
}

/* A damaged config is still good, or has messages; sanitizers find other faults. */
static void expect_sane(const char *text, size_t length, int *n_bad) {
    reading r = read_file((text_file){"x.yaml", text, length}, NULL, 0);
    CU_ASSERT(r.error == IMP_OK || r.error == IMP_ERR_INPUT);
    if (r.error) {
        bool good = is_well_formed(imp_text_get(&r.messages)) && reading_is_empty(&r.sweep);
        if (!good) {
            fprintf(stderr, "damaged config:\n%s\n%s", text, imp_text_get(&r.messages));
        }
        CU_ASSERT(good);
    }
    *n_bad += r.error != IMP_OK;
    reading_free(&r);
}

static void damaged_configs(void) {
    static const char bytes[] = "{}[]:,-&*!|>'\"%@`# \n\t0aZ~?\x80\xc3";
    int length = (int)sizeof everything - 1, n_bad = 0;
    char text[sizeof everything];
    for (int cut = 1; cut < length; cut++) {
        memcpy(text, everything, sizeof everything);
        text[cut] = 0;
        expect_sane(text, (size_t)cut, &n_bad);
    }
    uint64_t state = 1;
    for (int i = 0; i < 5000; i++) {
        memcpy(text, everything, sizeof everything);
        for (int k = 0; k <= i % 3; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text[(state >> 33) % (unsigned)length] = bytes[(state >> 20) % (sizeof bytes - 1)];
        }
        expect_sane(text, (size_t)length, &n_bad);
    }
    CU_ASSERT(n_bad > 2500);
    CU_ASSERT(n_bad < 5000 + length);
}

/* ---- words ---- */

static const struct bad_word {
    const char *name, *theory, *words[6], *expected;
} bad_words[] = {
    {"theory",
     "complient",
     {"x=1"},
     "error: unknown theory 'complient' (did you mean 'compliant'?)\n"},
    {"unknown keys",
     "compliant",
     {"body=pendulum", "frction=1", "angle=1", "stiffness_ratio=1", "outputs=mode",
      "precision=float32"},
     "argument 2: error: unknown parameter or choice 'frction' (did you mean 'friction'?)\n"
     "argument 5: error: unknown parameter or choice 'outputs', allowed: body, law, " ALL_PARAMETERS
     "\n"
     "argument 6: error: unknown parameter or choice 'precision', allowed: body, "
     "law, " ALL_PARAMETERS "\n"},
    {"form",
     "compliant",
     {"body=pendulum", "friction", "=1", "angle=1", "stiffness_ratio=1"},
     "argument 2: error: 'friction' is not of the form key=value\n"
     "argument 3: error: '=1' is not of the form key=value\n"
     "error: missing parameter 'friction' (range [0, inf), no default)\n"},
    {"duplicates",
     "compliant",
     {"body=pendulum", "friction=1", "angle=1", "body=rod", "stiffness_ratio=1", "friction=1"},
     "argument 4: error: duplicate key 'body'\nargument 6: error: duplicate key 'friction'\n"},
    {"values",
     "compliant",
     {"body=pendulum", "friction=12abc", "angle=0", "stiffness_ratio=", "law=hooke"},
     "argument 2: error: friction: '12abc' is not a number\n"
     "argument 4: error: stiffness_ratio: '' is not a number\n"
     "argument 5: error: unknown option 'hooke' of 'law', allowed: <laws>\n"},
    {"decimal comma",
     "compliant",
     {"body=pendulum", "friction=1,21", "angle=0,5", "stiffness_ratio=1"},
     "argument 2: error: friction: '1,21' is not a number: write a decimal point, not a comma\n"
     "argument 3: error: angle: '0,5' is not a number: write a decimal point, not a comma\n"},
    {"ranges",
     "compliant",
     {"body=pendulum", "friction=-1", "angle=0", "stiffness_ratio=1"},
     "argument 2: error: 'friction' is -1, outside its range [0, inf)\n"
     "argument 3: error: 'angle' is 0 rad (0 deg), outside its range (0, 1.570796) rad = "
     "(0, 90) deg\n"},
    {"does not apply",
     "compliant",
     {"friction=1", "angle=1", "stiffness_ratio=1", "b12=1", "body=pendulum"},
     "argument 4: error: 'b12' does not apply to body=pendulum; it applies to body=matrix\n"},
    {"nothing", "compliant", {NULL}, "error: missing choice 'body', allowed: <bodies>\n"},
    {"two ways to say the same",
     "compliant",
     {"body=pendulum", "friction=1", "poisson_ratio=0.3", "angle=1", "stiffness_ratio=1"},
     "argument 3: error: 'poisson_ratio' and 'stiffness_ratio' set the same value, give one of "
     "them\n"},
    {"missing",
     "compliant",
     {"body=sphere", "friction=1"},
     "error: missing parameter 'stiffness_ratio' (range (0, inf), no default), or 'poisson_ratio' "
     "in "
     "its place (range [0, 0.5])\n"
     "error: missing parameter 'velocity_ratio' (range (-inf, inf), no default)\n"},
};

static void wrong_words(void) {
    for (size_t i = 0; i < sizeof bad_words / sizeof *bad_words; i++) {
        const struct bad_word *bad = &bad_words[i];
        int n = 0;
        while (n < 6 && bad->words[n]) {
            n++;
        }
        expect_messages(bad->name, read_words(bad->theory, bad->words, n), bad->expected);
    }
}

SUITE("bad_configs", bad_texts, binary_config, missing_config, huge_config, deep_configs,
      many_errors, two_overrides, damaged_configs, every_form, wrong_words)
