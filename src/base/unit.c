#include "base/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"

enum { MOST_DEPTH = 4, MOST_POWER = 8 };

typedef struct unit {
    const char *name;
    imp_measure measure;
    bool prefixed; /* takes prefixes */
} unit;

static const unit units[] = {
    {"g", {1, -3, {1}}, true},
    {"m", {1, 0, {0, 1}}, true},
    {"s", {1, 0, {0, 0, 1}}, true},
    {"rad", {1, 0, {0, 0, 0, 1}}, true},
    {"N", {1, 0, {1, 1, -2}}, true},
    {"Pa", {1, 0, {1, -1, -2}}, true},
    {"J", {1, 0, {1, 2, -2}}, true},
    {"lb", {0.45359237, 0, {1}}, false},
    {"in", {0.0254, 0, {0, 1}}, false},
    {"ft", {0.3048, 0, {0, 1}}, false},
    {"deg", {IMP_RADIANS_PER_DEGREE, 0, {0, 0, 0, 1}}, false},
    {"rpm", {IMP_PI / 30, 0, {0, 0, -1, 1}}, false},
};

static const struct {
    const char *name;
    int tens;
} prefixes[] = {{"", 0},   {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6},
                {"m", -3}, {"c", -2}, {"k", 3},  {"M", 6},         {"G", 9}};

typedef struct reader {
    const char *at;
    int depth;
    bool failed;
} reader;

static imp_measure read_product(reader *r);

static imp_measure fail(reader *r) {
    r->failed = true;
    return (imp_measure){.factor = 1};
}

/* A name is as long as its letters, which are those of Greek too. */
static size_t name_length(const char *text) {
    size_t n = 0;
    while (isalpha((unsigned char)text[n]) || (unsigned char)text[n] >= 0x80) {
        n++;
    }
    return n;
}

static imp_measure read_name(reader *r) {
    size_t n = name_length(r->at);
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t own = strlen(units[u].name);
        for (size_t p = 0; p < (units[u].prefixed ? sizeof prefixes / sizeof *prefixes : 1); p++) {
            size_t before = strlen(prefixes[p].name);
            if (n == before + own && memcmp(r->at, prefixes[p].name, before) == 0 &&
                memcmp(r->at + before, units[u].name, own) == 0) {
                imp_measure found = units[u].measure;
                found.tens += prefixes[p].tens;
                r->at += n;
                return found;
            }
        }
    }
    return fail(r);
}

/* The exponent after "^", 1 without one. */
static double read_exponent(reader *r) {
    if (*r->at != '^') {
        return 1;
    }
    const char *start = r->at + 1 + (r->at[1] == '-');
    size_t digits = strspn(start, "0123456789.");
    double power = digits > 0 && digits < 4 ? strtod(r->at + 1, NULL) : NAN;
    bool half = fabs(power) <= MOST_POWER && 2 * power == floor(2 * power);
    r->failed = r->failed || !half;
    r->at = start + digits;
    return half ? power : 1;
}

static imp_measure raised(imp_measure measure, double power) {
    double factor = measure.factor, size = fabs(power);
    double whole = size == floor(size) ? 1 : sqrt(factor);
    for (; size >= 1; size--) {
        whole *= factor;
    }
    measure.factor = power < 0 ? 1 / whole : whole;
    measure.tens *= power;
    for (int d = 0; d < IMP_N_DIMENSIONS; d++) {
        measure.power[d] *= power;
    }
    return measure;
}

static imp_measure read_factor(reader *r) {
    imp_measure found;
    if (*r->at == '(' && r->depth < MOST_DEPTH) {
        r->at++;
        r->depth++;
        found = read_product(r);
        r->depth--;
        r->failed = r->failed || *r->at != ')';
        r->at += *r->at == ')';
    } else if (*r->at == '1') {
        r->at++;
        found = (imp_measure){.factor = 1};
    } else {
        found = read_name(r);
    }
    return raised(found, read_exponent(r));
}

/* Factors that follow one another, with a blank, * or / between two. */
static imp_measure read_product(reader *r) {
    imp_measure product = read_factor(r);
    while (!r->failed && *r->at && *r->at != ')') {
        double sign = *r->at == '/' ? -1 : 1;
        if (!strchr("/* ", *r->at)) {
            return fail(r);
        }
        r->at++;
        imp_measure next = raised(read_factor(r), sign);
        product.factor *= next.factor;
        product.tens += next.tens;
        for (int d = 0; d < IMP_N_DIMENSIONS; d++) {
            product.power[d] += next.power[d];
        }
    }
    return product;
}

bool imp_measure_read(const char *text, imp_measure *measure) {
    reader r = {.at = text};
    *measure = *text ? read_product(&r) : (imp_measure){.factor = 1};
    bool good = !r.failed && *r.at == 0;
    *measure = good ? *measure : (imp_measure){.factor = 1};
    return good;
}

bool imp_measure_alike(const imp_measure *a, const imp_measure *b) {
    bool alike = true;
    for (int d = 0; d < IMP_N_DIMENSIONS; d++) {
        alike = alike && a->power[d] == b->power[d];
    }
    return alike;
}
