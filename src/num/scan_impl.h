/* Constants and steps that the files of a scan share. */
#ifndef IMP_NUM_SCAN_IMPL_H
#define IMP_NUM_SCAN_IMPL_H

#include "num/scan.h"

enum { IMP_SCAN_GOLDEN_STEPS = 64, IMP_SCAN_BISECTIONS = 2200 };

static const double imp_scan_golden = 0.61803398874989485;

static inline imp_probe imp_scan_probe(const imp_scan *scan, double x) {
    imp_probe probe = {.x = x};
    scan->line.measure(scan->line.context, 1, &probe);
    return probe;
}

/* The point between two others; either of them when there is no double between. */
static inline double imp_scan_middle(double a, double b) {
    return a + (b - a) / 2;
}

/* Narrows a change down to the tolerance (or to neighbouring doubles); stops at a third code.
 * imp_bracket, whose ends are numbers, does not fit here: both probes are results. */
bool imp_scan_narrow(const imp_scan *scan, double tolerance, imp_probe *low, imp_probe *high,
                     imp_probe *third);

#endif
