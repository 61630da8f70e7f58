/* A function that is scanned, and scans that must not run out of memory. */
#ifndef SCANS_H
#define SCANS_H

#include <math.h>

#include "num/scan.h"
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

static inline imp_interval interval_of(subject *subjects, double from, double to, int samples,
                                       double tolerance) {
    return (imp_interval){.measure = measure,
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

static inline void look(imp_scan *scan, const imp_interval *interval, double aim) {
    CHECK(imp_scan_look(scan, interval, 1, aim), "memory");
}

static inline int targets(imp_scan *scan, double aim, imp_crossing *found, int most) {
    int count;
    CHECK(imp_scan_targets(scan, aim, found, most, &count), "memory");
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

#endif
