/* A function that is scanned, and scans that must not run out of memory. */
#ifndef SCANS_H
#define SCANS_H

#include <math.h>

#include "num/scan.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* A function of one number, with a parameter. */
typedef struct subject {
    void (*at)(double parameter, imp_probe *probe);
    double parameter;
    int calls;
} subject;

static inline void measure(void *context, bool witnesses, size_t n, imp_probe *probes) {
    (void)witnesses;
    subject *subjects = context;
    for (size_t i = 0; i < n; i++) {
        subject *s = &subjects[probes[i].line];
        probes[i] = (imp_probe){
            .x = probes[i].x, .line = probes[i].line, .value = NAN, .witness = {NAN, NAN}};
        s->at(s->parameter, &probes[i]);
        s->calls++;
    }
}

static inline imp_scan_interval interval_of(subject *subjects, double from, double to, int samples,
                                            double tolerance) {
    return (imp_scan_interval){.measure = measure,
                               .context = subjects,
                               .from = from,
                               .to = to,
                               .samples = samples,
                               .tolerance = tolerance};
}

static inline imp_scan scan_open(int lines, int samples) {
    imp_scan scan;
    CHECK(imp_scan_open(&scan, lines, samples), "memory");
    return scan;
}

static inline void look(imp_scan *scan, const imp_scan_interval *interval, double aim) {
    CHECK(imp_scan_look(scan, interval, 1, aim), "memory");
}

static inline int targets(imp_scan *scan, double aim, imp_scan_crossing *found, int most) {
    int count;
    CHECK(imp_scan_targets(scan, aim, false, found, most, &count), "memory");
    return count;
}

static inline imp_summit extreme(imp_scan *scan, double sign) {
    imp_summit summit;
    CHECK(imp_scan_extremes(scan, sign, &summit), "memory");
    return summit;
}

static inline bool is_one(const void *context, const imp_probe *probe) {
    (void)context;
    return probe->code == 1;
}

/* ---- functions that are scanned ---- */

/* Code 1 where sin x > parameter, with sin x as a witness. */
static inline void above_level(double level, imp_probe *probe) {
    probe->witness[0] = sin(probe->x);
    probe->code = probe->witness[0] > level;
}

/* Codes 0 | 1 | 2 with a sliver of code 1 between 0 and 2: the change from 0 to 2 is followed, and
 * the third code is met on the way. Below 0.2 the function has no code. */
static inline void sliver(double width, imp_probe *probe) {
    probe->code = probe->x < 0.2 ? -2 : probe->x < 0.7 ? 0 : probe->x < 0.7 + width ? 1 : 2;
}

/* Code 0 up to 0.5, then no code over a width, then code 1. */
static inline void holed(double width, imp_probe *probe) {
    probe->code = probe->x < 0.5 ? 0 : probe->x < 0.5 + width ? -4 : 1;
}

/* No value below 0.5, for one reason or another; code 1 above. In a rim of this width above 0.5
 * every other place takes long and has no value. */
static inline void half(double rim, imp_probe *probe) {
    random_source source = {(uint64_t)(probe->x * 1e15)};
    bool first = random_index(&source, 2) == 0;
    probe->dear = probe->x >= 0.5 && probe->x < 0.5 + rim && first;
    probe->code = probe->dear ? -6 : probe->x >= 0.5 ? 1 : first ? -3 : -7;
}

/* A code that changes at every double: the scan stops when its room is full. */
static inline void noise(double parameter, imp_probe *probe) {
    random_source source = {(uint64_t)(probe->x * 1e9 + parameter)};
    probe->code = random_index(&source, 40);
}

static inline void cubic(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->value = (x - 1) * (x - 2) * (x - 2 - parameter) + 5;
}

/* Rises through 0 at 0.5 (slope 1), has a kink at 1 and a jump from 0.5 + p to -0.5 at 2, where the
 * code changes or not, then a hole, then -1. */
static inline void broken(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->code = x < 1 ? 0 : x < 2 || parameter > 0 ? 1 : 2;
    probe->value = x < 1 ? x - 0.5 : x < 2 ? 0.5 : x < 3 ? -0.5 + (x - 2) * 0.1 : -1;
    if (x > 2.5 && x < 2.8) {
        probe->value = NAN;
        probe->code = 3;
    }
}

/* Over 0 by jumps of a few thousandths. */
static inline void small_jump(double parameter, imp_probe *probe) {
    probe->value = probe->x - 0.5 + (probe->x < 0.5 ? -parameter : parameter);
}

/* Two hills, a kink and a jump; which of them is the highest depends on the parameter. */
static inline void hills(double parameter, imp_probe *probe) {
    double x = probe->x;
    probe->value = x < 1   ? 1 - (x - 0.437) * (x - 0.437)
                   : x < 2 ? 1.1 - fabs(x - 1.618) + parameter * 0.2
                           : 0.9 + 0.05 * (x - 2);
    probe->code = x < 1 ? 0 : x < 2 ? 1 : 2;
    if (parameter < 0 && x < 1) {
        probe->value += 0.5;
    }
    if (parameter > 1 && x >= 2) {
        probe->value += 2 - 0.3 * (x - 2);
    }
}

static inline void wavy(double parameter, imp_probe *probe) {
    probe->value = sin(parameter * probe->x) + 0.1 * probe->x;
}

static inline void nothing(double parameter, imp_probe *probe) {
    (void)parameter;
    probe->code = -3;
}

#endif
