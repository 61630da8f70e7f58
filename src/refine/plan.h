/* The plan of a refinement: the block `refine` of a config. */
#ifndef IMP_REFINE_PLAN_H
#define IMP_REFINE_PLAN_H

#include "refine/lattice.h"

enum { IMP_MAX_RULES = 8 };

/* Rules by which nodes differ. A node that was not solved differs under every rule from solved
 * nodes and from nodes with another outcome. NaN, an undefined output, is a value of its own. */
typedef enum imp_rule_kind {
    IMP_RULE_VALUE,  /* a category, a sequence or a whole number: when the values differ */
    IMP_RULE_LEVEL,  /* a real output: when value < number holds for only one of them */
    IMP_RULE_JUMP,   /* a real output: when the values are more than `number` apart */
    IMP_RULE_OUTCOME /* never: only the outcome counts, values are ignored */
} imp_rule_kind;

typedef struct imp_rule {
    imp_rule_kind kind;
    int output;    /* index of a stored output with one value per cell; -1: the outcome */
    double number; /* of a level, finite; of a jump, > 0 */
} imp_rule;

/* Whether labels have the value of the output by which the rule judges. */
bool imp_rule_labels(const imp_rule *rule);

typedef struct imp_refine_plan {
    imp_lattice lattice;
    int base;  /* level of the first cells, 2^base per axis: 1 .. 20, at most `depth` */
    int depth; /* level of the smallest cells: at most imp_lattice_bits */
    /* Width of a bracket and error of a chord, as a part of the range; 0: cells only. */
    double boundary;
    int first; /* level of the largest cells that chords may divide; 0: 6 with two axes, else 5 */
    int unprobed; /* chords of cells of at most so many brackets have no probes; 0: of one */
    imp_rule rules[IMP_MAX_RULES];
    int n_rules;      /* at least 1 */
    int64_t budget;   /* most points, not counting the audit, at least those of the base; 0: no
                         limit */
    int64_t audit;    /* random points that are solved at the end */
    bool bands;       /* strips may cross a cell (two axes); shares are not made then */
    bool filaments;   /* strips narrower than the smallest cells are followed (two axes) */
    double tolerance; /* of events along an outer axis, as a part of its range; 0: they lie between
                         its values */
    int lines; /* with filaments: on so many lines strips are looked for that no corner of a cell
                       sees; the first four are the edges of the range */
} imp_refine_plan;

/* Default level of the first cells: 6 for one or two axes, 5 for three, 3 for four. */
int imp_refine_default_base(int n_axes);

/* The corners of the first cells: 2^base + 1 along each axis. */
int64_t imp_refine_base_points(const imp_refine_plan *plan, int n_axes);

/* The smallest `boundary` that the lattice can hold, and the width of a bracket in units. */
double imp_refine_least_boundary(int n_axes);
uint32_t imp_refine_width(const imp_refine_plan *plan);

#endif
