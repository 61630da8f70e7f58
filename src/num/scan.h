/* Searches a function of one number over an interval: for changes of its category, for places where
 * it has a given value, for its largest value. The function may have kinks and jumps, and need not
 * be defined everywhere.
 *
 * The interval is sampled. Wherever two neighbours differ in their code, the change is bisected; a
 * third code that shows up on the way is followed too. Between two changes is one piece, in which
 * roots are bracketed and extremes refined. A pair of changes between two samples is found if a
 * measured quantity (a witness) has an extremum there: the search follows it until the code changes
 * or the extremum is reached.
 *
 * Results depend on the function and the interval only. */
#ifndef IMP_NUM_SCAN_H
#define IMP_NUM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum { IMP_WITNESSES = 2 };

/* The function at one point. */
typedef struct imp_probe {
    double x;
    int code;                      /* < 0: the function has no value here */
    double value;                  /* may be NaN */
    double witness[IMP_WITNESSES]; /* may be NaN */
} imp_probe;

/* The function: fills in n probes whose x is set, n at most IMP_PROBES_AT_ONCE. */
enum { IMP_PROBES_AT_ONCE = 256 };
typedef struct imp_line {
    void (*measure)(void *context, size_t n, imp_probe *probes);
    void *context;
    double from, to; /* from < to */
    int samples;     /* at least 2 */
    bool logarithmic;
    double tolerance; /* width of brackets; 0: neighbouring doubles */
} imp_line;

/* Probes in ascending order; `gap[i]`: the code changes between probes i and i+1. Owned: imp_scan_free. */
typedef struct imp_scan {
    imp_line line;
    imp_probe *probe;
    bool *gap;
    int n;
    bool overflow; /* there are more changes than room for them */
    imp_probe *sample;
    int n_samples, room;
} imp_scan;

/* Makes room for lines of at most `samples` samples. False if memory is out; imp_scan_free in any
 * case. */
bool imp_scan_open(imp_scan *scan, int samples);
void imp_scan_free(imp_scan *scan);

/* Looks at a line. aim: the number that `value` is searched for, whose passages are sought between
 * samples too, or NaN. */
void imp_scan_look(imp_scan *scan, const imp_line *line, double aim);

/* A change between two neighbouring probes. */
typedef struct imp_crossing {
    imp_probe below, above;
    bool jump; /* the value does not pass through the number but leaps over it */
} imp_crossing;

/* The changes between inside and outside, ascending, among probes that have a code. A gap without
 * codes that is narrower than the spacing of the samples may be part of a bracket, a wider gap may
 * not. Writes at most `most`; returns how many there are. */
int imp_scan_boundaries(const imp_scan *scan,
                        bool (*inside)(const void *context, const imp_probe *), const void *context,
                        imp_crossing *found, int most);

/* Where the value becomes as large as `aim`, or smaller again, ascending. Writes at most `most`;
 * returns how many there are. */
int imp_scan_targets(imp_scan *scan, double aim, imp_crossing *found, int most);

/* The probe with the largest value (sign 1) or the smallest (sign -1), refined. False if there is
 * no value anywhere. below, above: the probes beside it if it is at a change of code, otherwise the
 * same probe. */
bool imp_scan_extreme(imp_scan *scan, double sign, imp_probe *best, imp_probe *below,
                      imp_probe *above);

/* Whether two points lie between the same two samples: others may have been missed. */
bool imp_scan_crowded(const imp_scan *scan, double one, double other);

#endif
