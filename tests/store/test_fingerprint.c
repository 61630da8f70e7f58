/* Fingerprints: equal for sweeps that give the same map, and a line for each difference. */
#include "store/fingerprint.h"

#include <string.h>

#include "support/reading.h"
#include "support/suite.h"

#define HEAD "model: compliant\nchoose: {body: pendulum}\n"
#define AXES "axes: [{param: angle, from: 1 deg, to: 89 deg, points: 9}]\n"
#define REST "outputs: [mode, energy_loss]\n"

static void expect_differences(const char *file, const char *config, const char *expected) {
    reading one = expect_good(read_text(file)), other = expect_good(read_text(config));
    imp_text a = {0}, b = {0}, differences = {0};
    imp_fingerprint(&one.sweep, &a);
    imp_fingerprint(&other.sweep, &b);
    imp_fingerprint_compare(imp_text_get(&a), imp_text_get(&b), &differences);
    CHECK(strcmp(imp_text_get(&differences), expected) == 0, "%s instead of %s",
          imp_text_get(&differences), expected);
    imp_text_free(&a);
    imp_text_free(&b);
    imp_text_free(&differences);
    reading_free(&one);
    reading_free(&other);
}

static void what_changes_no_result_is_not_in_it(void) {
    expect_differences(HEAD AXES "fixed: {friction: 0.3, stiffness_ratio: 1.21}\n" REST,
                       "# another text\n" HEAD
                       "fixed: {stiffness_ratio: 1.21, friction: 3e-1, mass: 1}\n" REST AXES
                       "figure: {as: lines}\n",
                       "");
}

static void each_difference_is_a_line(void) {
    expect_differences(HEAD AXES "fixed: {friction: 0.3, stiffness_ratio: 1.21}\n" REST,
                       HEAD AXES "fixed: {friction: 0.4, stiffness_ratio: 1.25}\n" REST
                                 "precision: float32\n",
                       "  friction: the file has 0.29999999999999999, the config "
                       "0.40000000000000002\n"
                       "  stiffness_ratio: the file has 1.21, the config 1.25\n"
                       "  precision: the file has float64, the config float32\n");
}

static void what_only_one_has_is_named(void) {
    imp_text differences = {0};
    imp_fingerprint_compare("a\t1\nb\t2\n", "b\t2\nc\t3\n", &differences);
    CHECK(strcmp(imp_text_get(&differences), "  a: the file has 1, the config nothing\n"
                                             "  c: the file has nothing, the config 3\n") == 0,
          "%s", imp_text_get(&differences));
    imp_text_free(&differences);
}

/* A key that begins another key is not mistaken for it. */
static void keys_are_whole(void) {
    imp_text differences = {0};
    imp_fingerprint_compare("mass\t2\nmass_2\t1\n", "mass_2\t1\nmass\t2\n", &differences);
    CHECK(differences.length == 0, "%s", imp_text_get(&differences));
    imp_text_free(&differences);
}

SUITE("fingerprint", what_changes_no_result_is_not_in_it, each_difference_is_a_line,
      what_only_one_has_is_named, keys_are_whole)
