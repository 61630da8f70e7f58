/* Replays the inputs that the fuzzer kept, reads inputs of many megabytes, which must not take
 * long, and shows that the check itself finds faults. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "config/document.h"
#include "hostile/fuzz_config.c"
#include "support/suite.h"

enum { MEGABYTE = 1 << 20, MOST_MEGABYTES = 2048, MOST_SECONDS = 100, LEAST_INPUTS = 100 };

/* Time of the processor, as the machine may have other things to do. An input takes a few seconds;
 * one that is read in a time that grows as the square of its length takes hours. */
static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static double megabytes_used(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static void expect_good(const char *name, const char *bytes, size_t length) {
    double start = seconds();
    const char *fault = hostile_fault_of_input((const unsigned char *)bytes, length);
    double taken = seconds() - start;
    CHECK(!fault, "%s: %s", name, fault);
    CHECK(taken < MOST_SECONDS, "%s: took %.1f s", name, taken);
    CHECK(megabytes_used() < MOST_MEGABYTES, "%s: used %.0f MB", name, megabytes_used());
}

/* ---- the corpus ---- */

static void corpus(void) {
    char path[4400];
    const char *folder =
        TEST_CORPUS; /* from CMake, as __FILE__ may be relative to the build folder */
    DIR *files = opendir(folder);
    int n = 0;
    for (struct dirent *entry; files && (entry = readdir(files)) != NULL;) {
        char *bytes;
        size_t length;
        if (entry->d_name[0] == '.') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        const char *reason = imp_file_loader.load(NULL, path, &bytes, &length);
        CHECK(!reason, "%s: %s", path, reason);
        if (!reason) {
            expect_good(entry->d_name, bytes, length);
            n++;
        }
        free(bytes);
    }
    CHECK(n >= LEAST_INPUTS, "only %d inputs in %s", n, folder);
    if (files) {
        closedir(files);
    }
}

/* ---- large inputs: head, a piece again and again, tail ---- */

#define FIXED "model: compliant\nchoose: {body: pendulum}\nfixed: {angle: 0.5}\n"
#define TABLE FIXED "axes: [{table: t.csv, name: case}]\n" HOSTILE_SEPARATOR

static const struct {
    const char *name, *head, *piece, *tail;
} large[] = {
    {"brackets", "model: ", "[", ""},
    {"mappings", "", "{a: ", ""},
    {"dashes", "", "- ", ""},
    {"question marks", "", "? ", ""},
    {"aliases", "model: compliant\nfixed: &a [", "*a,", "]"},
    {"anchors", "model: compliant\nfixed: [", "&a 1,", "]"},
    {"directives", "", "%TAG !a! b\n", "--- {}\n"},
    {"unknown directives", "", "%A\n", "--- {}\n"},
    {"documents", "", "---\n", ""},
    {"remarks", "", "#\n", FIXED},
    {"blanks", "model: \"", " ", "\""},
    {"line ends", "model: \"", "\n", "\""},
    {"a word", "model: ", "a", ""},
    {"a folded text", "model: >\n", " a\n", ""},
    {"digits", "model: compliant\nfixed: {angle: 0.", "1", "}"},
    {"an exponent", "model: compliant\nfixed: {angle: 1e", "9", "}"},
    {"values", FIXED "axes: [{param: friction, values: [", "1,", "2]}]\n"},
    {"lists of nothing", FIXED "outputs: [", "[],", "]\n"},
    {"unknown keys", FIXED, "a: 1\n", ""},
    {"axes", FIXED "axes: [", "{param: friction},", "]\n"},
    {"outputs", FIXED "outputs: [", "mode,", "]\n"},
    {"columns", TABLE, ",", "\n1\n"},
    {"fields", TABLE "friction\n", ",", "\n"},
    {"rows", TABLE "friction\n", "1\n", ""},
    {"wrong rows", TABLE "friction\n", "x\n", ""},
    {"blanks in a table", TABLE "friction\n", " ", "1\n"},
    {"remarks in a table", TABLE, "#\n", "friction\n1\n"},
};

static void large_inputs(void) {
    enum { LENGTH = 16 * MEGABYTE };
    char *bytes = malloc(LENGTH + 1024);
    for (int i = 0; bytes && i < SUITE_COUNT(large); i++) {
        size_t n = strlen(large[i].piece), at = strlen(large[i].head);
        memcpy(bytes, large[i].head, at);
        for (; at < LENGTH; at += n) {
            memcpy(bytes + at, large[i].piece, n);
        }
        memcpy(bytes + at, large[i].tail, strlen(large[i].tail));
        expect_good(large[i].name, bytes, at + strlen(large[i].tail));
    }
    free(bytes);
}

/* Handles are all different, so that none can be found fast. */
static void different_directives(void) {
    imp_text text = {0};
    for (int i = 0; i < 200000; i++) {
        imp_text_print(&text, "%%TAG !a%d! b\n", i);
    }
    imp_text_print(&text, "--- {model: compliant}\n");
    expect_good("different directives", imp_text_get(&text), text.length);
    imp_text_free(&text);
}

static void largest_axis(void) {
    static const char *const points[] = {"268435457", "9223372036854775807", "9223372036854775808",
                                         "1e9", "-1"};
    for (int i = 0; i < SUITE_COUNT(points); i++) {
        imp_text text = {0};
        imp_text_print(&text, FIXED "axes: [{param: friction, from: 0, to: 1, points: %s}]\n",
                       points[i]);
        expect_good(points[i], imp_text_get(&text), text.length);
        imp_text_free(&text);
    }
}

/* Reads a config from a file; the caller frees the messages. */
static imp_text messages_of(const char *text) {
    char path[] = "/tmp/impact_hostile_XXXXXX";
    int file = mkstemp(path);
    size_t length = strlen(text);
    CHECK(file >= 0 && write(file, text, length) == (ssize_t)length, "could not write %s", path);
    imp_text messages = {0};
    imp_sweep sweep;
    imp_config_read(&imp_file_loader, path, NULL, 0, &sweep, &messages);
    imp_sweep_free(&sweep);
    close(file);
    unlink(path);
    return messages;
}

static void expect_refusal(const char *text, const char *message) {
    imp_text messages = messages_of(text);
    CHECK(strstr(imp_text_get(&messages), message), "'%.40s': %s instead of %s", text,
          imp_text_get(&messages), message);
    imp_text_free(&messages);
}

/* Directives, which libyaml would take for ever to read, are refused before, after any end of a
 * line. */
static void refusals(void) {
    static const char directives[] =
        ":1: error: directives are not supported, leave the line out\n";
    expect_refusal("%TAG !a! b\n--- {}\n", directives);
    expect_refusal("# x\n%A\n", directives);
    expect_refusal("# x\r%A\n", ": error: directives are not supported, leave the line out\n");
    expect_refusal("\xEF\xBB\xBF%A\n",
                   ": error: directives are not supported, leave the line out\n");
    expect_refusal("# x\xC2\x85%A\n",
                   ": error: directives are not supported, leave the line out\n");
    expect_refusal("# x\xE2\x80\xA8%A\n",
                   ": error: directives are not supported, leave the line out\n");
    expect_refusal("# 50 %\n #%\nmodl: 50 %\n", "unknown key 'modl'");
    imp_text list = {0};
    imp_text_print(&list, FIXED "axes: [{param: friction, values: [");
    for (int i = 0; i <= IMP_MAX_EVENTS; i++) {
        imp_text_print(&list, "%d,", i);
    }
    imp_text_print(&list, "]}]\n");
    expect_refusal(imp_text_get(&list), "put long lists in a table");
    imp_text_free(&list);
}

/* A file of 4 GiB that takes no room on the disk, and one without end. */
static void files_without_end(void) {
    char path[] = "/tmp/impact_hostile_XXXXXX";
    int file = mkstemp(path);
    const char *const paths[] = {path, "/dev/zero"};
    CHECK(file >= 0 && ftruncate(file, (off_t)4 << 30) == 0, "no file of 4 GiB");
    for (int i = 0; i < SUITE_COUNT(paths); i++) {
        imp_text messages = {0};
        imp_sweep sweep;
        double start = seconds();
        imp_err error = imp_config_read(&imp_file_loader, paths[i], NULL, 0, &sweep, &messages);
        CHECK(error == IMP_ERR_INPUT && strstr(imp_text_get(&messages), "larger than 64 MiB"),
              "%s: %s", paths[i], imp_text_get(&messages));
        CHECK(seconds() - start < MOST_SECONDS, "%s: took long", paths[i]);
        imp_text_free(&messages);
    }
    CHECK(megabytes_used() < MOST_MEGABYTES, "used %.0f MB", megabytes_used());
    close(file);
    unlink(path);
}

/* ---- the check ---- */

static imp_sweep good_sweep(void) {
    static const char *const words[] = {"body=pendulum", "angle=0.5", "friction=0.3",
                                        "stiffness_ratio=1.21"};
    imp_text messages = {0};
    imp_sweep sweep;
    imp_err error = imp_config_words("compliant", words, SUITE_COUNT(words), &sweep, &messages);
    CHECK(!error, "%s", imp_text_get(&messages));
    imp_text_free(&messages);
    return sweep;
}

static void expect_fault(imp_err error, const imp_sweep *sweep, const char *text,
                         const char *what) {
    imp_text messages = {0};
    imp_text_print(&messages, "%s", text);
    CHECK(hostile_fault_of_result(error, sweep, &messages), "%s is not found", what);
    imp_text_free(&messages);
}

static void faults_of_messages(void) {
    const imp_sweep none = {.theory = NULL};
    imp_sweep good = good_sweep();
    expect_fault(IMP_OK, &good, "x: error: y\n", "a good result with messages");
    expect_fault(IMP_OK, &none, "", "a good result without a theory");
    expect_fault(IMP_ERR_INPUT, &none, "", "a bad result without messages");
    expect_fault(IMP_ERR_MEMORY, &none, "x: error: y\n", "a failure of memory");
    expect_fault(IMP_ERR_INPUT, &good, "x: error: y\n", "a sweep of bad input");
    expect_fault(IMP_ERR_INPUT, &none, "x: error: y", "a line without end");
    expect_fault(IMP_ERR_INPUT, &none, "x: warning: y\n", "a line without 'error:'");
    expect_fault(IMP_ERR_INPUT, &none, "x: error: y\tz\n", "a control character");
    expect_fault(IMP_ERR_INPUT, &none, "3 more errors are not shown\nx: error: y\n",
                 "a count that is not last");
    imp_sweep_free(&good);
}

static void faults_of_sweeps(void) {
    imp_sweep good = good_sweep(), bad = good;
    bad.fixed[0].value = NAN;
    expect_fault(IMP_OK, &bad, "", "a value outside its range");
    bad = good;
    bad.fixed[1] = bad.fixed[0];
    expect_fault(IMP_OK, &bad, "", "a value given twice");
    bad = good;
    bad.n_fixed--;
    expect_fault(IMP_OK, &bad, "", "a missing value");
    bad = good;
    bad.chosen[0] = -1;
    expect_fault(IMP_OK, &bad, "", "a missing choice");
    bad = good;
    bad.outputs[0] = bad.outputs[1];
    expect_fault(IMP_OK, &bad, "", "an output listed twice");
    bad = good;
    bad.grid.n_axes = 1;
    expect_fault(IMP_OK, &bad, "", "an axis without values");
    imp_sweep_free(&good);
}

SUITE("corpus", corpus, large_inputs, different_directives, largest_axis, files_without_end,
      faults_of_messages, faults_of_sweeps, refusals)
