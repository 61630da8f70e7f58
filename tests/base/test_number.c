/* Numbers as users write them: what is read, bit by bit, and what is refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

typedef struct reading {
    const char *text;
    double value;
    imp_unit unit;
} reading;

static const reading numbers[] = {
    {"0", 0, IMP_UNIT_NONE},    {"-0.0", -0.0, IMP_UNIT_NONE},       {"12", 12, IMP_UNIT_NONE},
    {"+3", 3, IMP_UNIT_NONE},   {"-1.5e-3", -0.0015, IMP_UNIT_NONE}, {"2.", 2, IMP_UNIT_NONE},
    {".5", 0.5, IMP_UNIT_NONE}, {"1E5", 1e5, IMP_UNIT_NONE},         {"1e+05", 1e5, IMP_UNIT_NONE},
    {"007", 7, IMP_UNIT_NONE},  {"1e300", 1e300, IMP_UNIT_NONE},     {"0.1", 0.1, IMP_UNIT_NONE},
};

static const reading angles[] = {
    {"30deg", 30, IMP_UNIT_DEGREE},    {"30 deg", 30, IMP_UNIT_DEGREE},
    {"-1e1deg", -10, IMP_UNIT_DEGREE}, {"0.1 rad", 0.1, IMP_UNIT_SI},
    {".5rad", 0.5, IMP_UNIT_SI},       {"0.25", 0.25, IMP_UNIT_NONE},
};

static void check_reading(const reading *expected, const char *si) {
    imp_quantity quantity = {NAN, IMP_UNIT_NONE};
    const char *wrong = imp_read_quantity(expected->text, si, &quantity);
    CHECK(!wrong, "'%s' %s", expected->text, wrong);
    CHECK(batch_same(quantity.value, expected->value), "'%s' is read as %.17g", expected->text,
          quantity.value);
    CHECK(quantity.unit == expected->unit, "'%s' has unit %d", expected->text, (int)quantity.unit);
}

static void accepted(void) {
    for (int i = 0; i < SUITE_COUNT(numbers); i++) {
        check_reading(&numbers[i], "1");
        check_reading(&numbers[i], "rad");
    }
    for (int i = 0; i < SUITE_COUNT(angles); i++) {
        check_reading(&angles[i], "rad");
    }
}

static void refused(void) {
    static const char *const texts[] = {
        "",         " ",         "abc",     "12abc",     "nan",      "NaN",
        "-nan",     "inf",       "-inf",    "INF",       "infinity", "0x10",
        "0x1p3",    "0X1",       "1e",      "1e+",       "e5",       ".",
        "-",        "+",         ".e5",     "1.2.3",     "--1",      "+-1",
        "- 1",      "1 2",       "1,5",     "1_000",     "1d5",      "1f",
        "1\n",      "1\t",       "1%",      "1 kg",      "deg",      "rad",
        "1degree",  "1 DEG",     "1degdeg", "1 deg rad", "1e5.0",    "1e1e1",
        "\xd9\xa1", "1\xc2\xb0", "1e999",   "-1e999",    "1e309",    "1e99999999999999999999"};
    for (int i = 0; i < SUITE_COUNT(texts); i++) {
        imp_quantity quantity;
        const char *plain = imp_read_quantity(texts[i], "1", &quantity);
        const char *angle = imp_read_quantity(texts[i], "rad", &quantity);
        CHECK(plain && plain[0], "'%s' is taken for a number", texts[i]);
        CHECK(angle && angle[0], "'%s' is taken for an angle", texts[i]);
    }
}

static void units_of_angles_only(void) {
    static const char *const texts[] = {"30deg", "30 deg", "1rad", "1e-3 rad"};
    for (int i = 0; i < SUITE_COUNT(texts); i++) {
        imp_quantity quantity;
        CHECK(imp_read_quantity(texts[i], "1", &quantity), "'%s' where no angle is", texts[i]);
    }
}

static const struct {
    const char *text, *si, *same;
    double value;
} in_si[] = {
    {"19.4 mm", "m", "0.0194", 0},
    {"19.4mm", "m", "0.0194", 0},
    {"-3.1e2 um", "m", "-3.1e-4", 0},
    {"7 \xc2\xb5m", "m", "7e-6", 0},
    {"7 \xce\xbcm", "m", "7e-6", 0},
    {"2.5 cm", "m", "0.025", 0},
    {"0.1 km", "m", "100", 0},
    {"0.1 kg", "kg", "0.1", 0},
    {"37 g", "kg", "0.037", 0},
    {"2 lb", "kg", NULL, 2 * 0.45359237},
    {"3 in", "m", NULL, 0.0762},
    {"12 mm/s", "m/s", "0.012", 0},
    {"3 ms", "s", "0.003", 0},
    {"4.7 N/mm", "N/m", "4700", 0},
    {"1.1 kN/m", "N/m", "1100", 0},
    {"210 GPa", "Pa", "210e9", 0},
    {"7.85 g/cm^3", "kg/m^3", "7850", 0},
    {"3 mm^4", "m^4", "3e-12", 0},
    {"5 1/g", "1/kg", "5e3", 0},
    {"2 N/mm^1.5", "N/m^1.5", NULL, 2e4 * 3.1622776601683795},
    {"9 kg/(m s)", "kg/(m s)", "9", 0},
    {"9 Pa s", "kg/(m s)", "9", 0},
    {"90 deg/s", "rad/s", NULL, 1.5707963267948966},
    {"30 rpm", "rad/s", NULL, 3.141592653589793},
    {"8 s/mm", "s/m", "8000", 0},
    {"8 1/s", "1/s", "8", 0},
    {"8/s", "1/s", "8", 0},
    {"8 /ms", "1/s", "8000", 0},
    {"3/(m s)", "1/(m s)", "3", 0},
};

/* The decimal point moves in the text, so that every bit is that of the number in SI. */
static void units(void) {
    for (int i = 0; i < SUITE_COUNT(in_si); i++) {
        imp_quantity read = {NAN, IMP_UNIT_NONE}, plain = {in_si[i].value, IMP_UNIT_NONE};
        const char *wrong = imp_read_quantity(in_si[i].text, in_si[i].si, &read);
        CHECK(!wrong && read.unit == IMP_UNIT_SI, "'%s' %s", in_si[i].text, wrong ? wrong : "");
        if (in_si[i].same) {
            imp_read_quantity(in_si[i].same, in_si[i].si, &plain);
            CHECK(batch_same(read.value, plain.value), "'%s' is read as %.17g", in_si[i].text,
                  read.value);
        }
        CHECK_NEAR(read.value, plain.value, 4e-16 * fabs(plain.value), "value in SI");
    }
}

static void units_of_other_quantities(void) {
    static const struct {
        const char *text, *si, *says;
    } lines[] = {
        {"3 mm", "kg", "another quantity"},
        {"3 deg", "m", "another quantity"},
        {"3 m/s", "m", "another quantity"},
        {"3 mm", "1", "where none is allowed"},
        {"3 N/m^1.5", "N/m", "another quantity"},
        {"3 kg", "rad", "deg or rad"},
        {"3 furlong", "m", "optional unit"},
        {"3 m^", "m", "optional unit"},
        {"3 m^1.3", "m", "optional unit"},
        {"3 m/", "m", "optional unit"},
        {"3/", "1/s", "optional unit"},
        {"3/2", "1/s", "optional unit"},
        {"3//s", "1/s", "optional unit"},
        {"3/((((((((((((((((((((((((((((((((((((((((s))))))))))))))))))))))))))))))))))))))))",
         "1/s", "optional unit"},
        {"3 m(/s)", "m/s", "optional unit"},
        {"3 m*(/s)", "m/s", "optional unit"},
        {"3/2", "1", "is not a number"},
        {"3/m", "m", "another quantity"},
        {"3 (m", "m", "optional unit"},
        {"3 m)", "m", "optional unit"},
        {"3 ((((((m))))))", "m", "optional unit"},
        {"3 m^99", "m", "optional unit"},
        {"1e308 km", "m", "too large"},
        {"inf", "m", "not finite"},
        {"-Infinity", "1", "not finite"},
        {"mm", "m", "optional unit"},
    };
    for (int i = 0; i < SUITE_COUNT(lines); i++) {
        imp_quantity quantity;
        const char *wrong = imp_read_quantity(lines[i].text, lines[i].si, &quantity);
        CHECK(wrong && strstr(wrong, lines[i].says), "'%s' in %s: %s", lines[i].text, lines[i].si,
              wrong ? wrong : "accepted");
    }
}

static void si_units(void) {
    CHECK_NEAR(imp_quantity_si((imp_quantity){180, IMP_UNIT_DEGREE}), acos(-1.0), 0, "180 deg");
    CHECK_NEAR(imp_quantity_si((imp_quantity){-90, IMP_UNIT_DEGREE}), -acos(0.0), 0, "-90 deg");
    CHECK_NEAR(imp_quantity_si((imp_quantity){30, IMP_UNIT_DEGREE}), asin(0.5), 2e-16, "30 deg");
    CHECK_NEAR(imp_quantity_si((imp_quantity){1.25, IMP_UNIT_SI}), 1.25, 0, "1.25 rad");
    CHECK_NEAR(imp_quantity_si((imp_quantity){1.25, IMP_UNIT_NONE}), 1.25, 0, "1.25");
}

/* 17 digits are every bit of a double. */
static void round_trip(void) {
    random_source source = {11};
    for (int i = 0; i < 20000; i++) {
        double value = random_between(&source, -1, 1) * random_log(&source, 1e-300, 1e300);
        char text[64];
        snprintf(text, sizeof text, "%.17g", value);
        reading expected = {text, value, IMP_UNIT_NONE};
        check_reading(&expected, "1");
    }
}

static void counts(void) {
    static const struct {
        const char *text;
        int64_t count;
    } right[] = {
        {"0", 0}, {"1", 1}, {"0010", 10}, {"800", 800}, {"9223372036854775807", INT64_MAX}};
    static const char *const wrong[] = {"",
                                        "-1",
                                        "+1",
                                        "1.0",
                                        "1e3",
                                        " 1",
                                        "1 ",
                                        "abc",
                                        "1k",
                                        "0x10",
                                        "1,000",
                                        "nan",
                                        "9223372036854775808",
                                        "99999999999999999999999"};
    for (int i = 0; i < SUITE_COUNT(right); i++) {
        int64_t count = -1;
        const char *message = imp_read_count(right[i].text, &count);
        CHECK(!message && count == right[i].count, "'%s' is read as %lld", right[i].text,
              (long long)count);
    }
    for (int i = 0; i < SUITE_COUNT(wrong); i++) {
        int64_t count = -1;
        const char *message = imp_read_count(wrong[i], &count);
        CHECK(message && message[0], "'%s' is taken for %lld", wrong[i], (long long)count);
    }
}

SUITE("number", accepted, refused, units_of_angles_only, units, units_of_other_quantities, si_units,
      round_trip, counts)
