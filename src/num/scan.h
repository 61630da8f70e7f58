/* Searches functions of one number over an interval: for changes of their category, for places
 * where they have a given value, for their largest value. They may have kinks and jumps, and need
 * not be defined everywhere. Many functions over the same interval (lines) are searched together,
 * so that they can be measured in batches.
 *
 * The interval is sampled. Wherever two neighbours differ in their code, the change is bisected; a
 * third code that shows up on the way is followed too. Between two changes is one piece, in which
 * roots are bracketed and extremes refined. Places without a value form a gap, whatever the reason,
 * and nothing is looked for between two of them. A pair of changes between two samples is found if
 * a measured quantity (a witness) has an extremum there: the search follows it until the code
 * changes or the extremum is reached.
 *
 * Results of a line depend on its function and the interval only, not on the other lines. */
#ifndef IMP_NUM_SCAN_H
#define IMP_NUM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

enum { IMP_WITNESSES = 2 };

/* A line at one point. */
typedef struct imp_probe {
    double x;
    double value;                  /* may be NaN */
    double witness[IMP_WITNESSES]; /* may be NaN */
    int line;
    int code; /* < 0: the function has no value here */
    /* It has none, and this took long to learn: the edge of a gap is not followed further. */
    bool dear;
    bool gap; /* the code changes between this probe and the next one */
} imp_probe;

/* What lines that are searched together have in common. */
enum { IMP_PROBES_AT_ONCE = 256 };
typedef struct imp_scan_interval {
    /* Fills in code and value of n probes whose x and line are set, and the witnesses if asked to;
     * n is at most IMP_PROBES_AT_ONCE. */
    void (*measure)(void *context, bool witnesses, size_t n, imp_probe *probes);
    void *context;
    double from, to; /* from < to */
    int samples;     /* at least 2 */
    bool logarithmic;
    /* Neighbours in a batch of samples are those of different lines at one place. */
    bool side_by_side;
    double tolerance; /* width of brackets; 0: neighbouring doubles */
    int counted;      /* a code: imp_line.counted says how many samples have it */
} imp_scan_interval;

/* Probes of one line, ascending. */
typedef struct imp_line {
    imp_probe *probe;
    int n;
    bool overflow;        /* there are more changes than room for them */
    int counted;          /* samples with the code of the interval that is counted */
    int sorted, reserved; /* probes in order; places for changes that are still being narrowed */
} imp_line;

/* Owned: imp_scan_free. */
typedef struct imp_scan {
    imp_scan_interval interval;
    imp_line *line;
    int n;    /* lines */
    int room; /* probes of a line */
    imp_probe *probes, *spare;
    struct imp_pursuit *pursuit; /* see scan_impl.h */
    int n_pursuits, pursuit_room;
    bool failed; /* memory ran out */
} imp_scan;

/* Makes room for `lines` lines of at most `samples` samples. False if memory is out; imp_scan_free
 * in any case. */
bool imp_scan_open(imp_scan *scan, int lines, int samples);
void imp_scan_free(imp_scan *scan);

/* Looks at n lines. aim: the number that `value` is searched for, whose passages are sought between
 * samples too, or NaN. False if memory is out; so do those below. */
bool imp_scan_look(imp_scan *scan, const imp_scan_interval *interval, int n, double aim);

/* A change between two neighbouring probes. */
typedef struct imp_scan_crossing {
    imp_probe below, above;
    bool jump; /* the value does not pass through the number but leaps over it */
} imp_scan_crossing;

/* The changes of a line between inside and outside, ascending, among probes that have a code. A gap
 * without codes that is narrower than the spacing of the samples may be part of a bracket, a wider
 * gap may not. Writes at most `most`; returns how many there are. */
int imp_scan_boundaries(const imp_scan *scan, int line,
                        bool (*inside)(const void *context, const imp_probe *), const void *context,
                        imp_scan_crossing *found, int most);

/* Where the values come to `aim` or leave it, ascending: places where they pass through it or leap
 * over it, both ends of a stretch at the aim, also where there are no values beyond it (there
 * `below` and `above` are one probe), and twice a place that they only touch. A stretch that they
 * pass through or that ends without values is one place where it is as narrow as rounding has it,
 * and with `steps`, of values that have steps alone. Writes at most `most` of line k from
 * found[k * most] on, and how many there are to count[k]. */
bool imp_scan_targets(imp_scan *scan, double aim, bool steps, imp_scan_crossing *found, int most,
                      int *count);

/* Where a line is largest or smallest. */
typedef struct imp_summit {
    imp_probe best;
    imp_probe below,
        above;   /* the probes beside it if it is at a change of code, otherwise itself */
    bool exists; /* false: there is no value anywhere */
} imp_summit;

/* The largest values (sign 1) or the smallest (sign -1), refined: one summit for each line. */
bool imp_scan_extremes(imp_scan *scan, double sign, imp_summit *summits);

/* Whether two points lie between the same two samples: others may have been missed. */
bool imp_scan_crowded(const imp_scan *scan, double one, double other);

#endif
