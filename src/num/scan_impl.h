/* Pursuits, and what else the files of a scan share. */
#ifndef IMP_NUM_SCAN_IMPL_H
#define IMP_NUM_SCAN_IMPL_H

#include "num/scan.h"

enum { IMP_SCAN_GOLDEN_STEPS = 64, IMP_SCAN_BISECTIONS = 2200 };

/* The quantity that is followed: a witness, or the distance of the value from the aim. */
typedef struct imp_scan_follow {
    int witness; /* -1: the value */
    double aim, sign;
} imp_scan_follow;

/* Looks for one thing on a line, from point to point. Many pursuits advance together. */
typedef struct imp_pursuit {
    int line;
    double x;            /* where the line is measured next */
    imp_probe low, high; /* the ends of a bracket, or the two points inside a golden section */
    imp_probe top;       /* the high end of a bracket when it was opened */
    imp_probe found;     /* what it has met */
    bool ended, met;
    bool touched; /* `found` is at the aim, and nothing was met */
    int step;
    double tolerance; /* when the bracket or the section is narrow enough */
    double edge;      /* the tolerance where one end of the bracket has no value */

    double a, b; /* the ends of a golden section */
    bool at_low; /* the point to measure is `low` */

    imp_scan_follow follow;
    const imp_probe *around; /* a probe of the surroundings */

    double leap;    /* a passage with a larger change of the value is a leap */
    double slack;   /* a value that differs from the aim by no more is at it */
    bool above_aim; /* the passage is between the aim and above, otherwise between it and below */
    bool changes_code;
} imp_pursuit;

/* Sets x; false: the pursuit has ended. */
typedef bool imp_pursuit_next(imp_pursuit *pursuit);
/* Takes what was measured at x. */
typedef void imp_pursuit_take(imp_pursuit *pursuit, const imp_probe *probe);

/* Adds a pursuit of its own copy to the scan's. Without memory scan->failed is set. */
void imp_scan_add(imp_scan *scan, const imp_pursuit *pursuit);

/* Leads all pursuits of the scan to their ends. */
void imp_scan_pursue(imp_scan *scan, bool witnesses, imp_pursuit_next *next,
                     imp_pursuit_take *take);

/* Next of a golden section of a..b in at most `steps` steps; keep_low: the part a..high goes on. */
bool imp_golden_next(imp_pursuit *pursuit, int steps, bool keep_low);
void imp_golden_take(imp_pursuit *pursuit, const imp_probe *probe);

/* Next and take of a change of the code between `low` and `high`, which is narrowed to the
 * tolerance (or to neighbouring doubles); ends at a third code, which is then `found`, and at a
 * dear probe in a gap. Codes without a value count as one. imp_bracket, whose ends are numbers,
 * does not fit here: both probes are results. */
bool imp_narrow_next(imp_pursuit *pursuit);
void imp_narrow_take(imp_pursuit *pursuit, const imp_probe *probe);

/* The spacing of samples at a place. */
double imp_scan_spacing(const imp_scan_interval *interval, double x);

/* The point between two others; either of them when there is no double between. */
static inline double imp_scan_middle(double a, double b) {
    return a + (b - a) / 2;
}

#endif
