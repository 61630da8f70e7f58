/* Shared by the files of uncertain parameters. Private to this folder. */
#ifndef IMP_SOLVE_UNCERTAIN_UNCERTAIN_IMPL_H
#define IMP_SOLVE_UNCERTAIN_UNCERTAIN_IMPL_H

#include "base/first.h"
#include "num/sample.h"
#include "solve/reduced.h"
#include "solve/solver.h"
#include "solve/uncertain/uncertain.h"

typedef enum imp_statistic {
#define STATISTIC(symbol, of, length, name, unit, meaning, value) IMP_STATISTIC_##symbol,
#include "solve/uncertain/statistics.def"
    IMP_STATISTICS
} imp_statistic;

typedef enum imp_statistic_of {
    IMP_OF_CATEGORY,
    IMP_OF_REAL,
    IMP_OF_SEQUENCE,
    IMP_OF_CELL
} imp_statistic_of;

typedef enum imp_statistic_length {
    IMP_LENGTH_ONE,
    IMP_LENGTH_EACH,
    IMP_LENGTH_VALUES,
    IMP_LENGTH_FEW,
    IMP_LENGTH_PARAMETERS,
    IMP_LENGTH_QUANTILES,
    IMP_LENGTH_BINS,
    IMP_LENGTH_PAIRS
} imp_statistic_length;

enum { IMP_FEW = 8, IMP_BINS = 16, IMP_MOST_CODES = 64, IMP_MOST_DISTINCT = 256 };

/* The source of an output of the theory. */
typedef struct imp_statistic_source {
    imp_statistic statistic;
    int of;    /* index in plan.of; -1: of the cell */
    int value; /* of IMP_LENGTH_EACH: index of the category's value */
} imp_statistic_source;

struct imp_uncertain {
    imp_theory theory; /* callbacks cast it back */
    imp_uncertain_plan plan;
    imp_reduced lists;
    imp_output outputs[IMP_MAX_OUTPUTS];
    imp_statistic_source source[IMP_MAX_OUTPUTS];
    imp_text text[IMP_MAX_OUTPUTS]; /* name, meaning and label, each with its end mark */
    /* Along each dimension: its name, the names of its members, and the texts behind them. */
    char dimension[IMP_MAX_OF][2][80];
    const char *values[IMP_MAX_OF][IMP_MOST_CODES], **pairs[IMP_MAX_OF];
    const char *parameters[IMP_MAX_UNCERTAIN], *quantiles[IMP_MAX_QUANTILES];
    char quantile_text[IMP_MAX_QUANTILES][32];
    char *pair_text[IMP_MAX_OF];
};
IMP_FIRST(struct imp_uncertain, theory);

/* ---- outputs.c ---- */

/* Adds all outputs; false if memory is out. */
bool imp_uncertain_add_outputs(imp_uncertain *u);
void imp_uncertain_free_outputs(imp_uncertain *u);

/* The codes of an output under `of`; of `outcome` those of outcomes. */
const imp_mode *imp_uncertain_codes(const imp_uncertain_plan *plan, int of, int *n);
imp_statistic_of imp_uncertain_kind(const imp_uncertain_plan *plan, int of);
const char *imp_uncertain_name(const imp_uncertain_plan *plan, int of);

/* ---- draws.c ---- */

/* Draws of one workspace, with those that all cells share if they are few enough. */
typedef struct imp_draws {
    const imp_uncertain_plan *plan;
    int64_t replicate_draws;
    double least[IMP_MAX_UNCERTAIN], most[IMP_MAX_UNCERTAIN]; /* of the parameters, both inside */
    imp_distribution own[IMP_MAX_UNCERTAIN]; /* of the drawn numbers, without regard to a cell */
    imp_truncation cut[IMP_MAX_UNCERTAIN];
    bool movable[IMP_MAX_UNCERTAIN]; /* each cell cuts its distribution off at another place */
    double *kept;                    /* numbers drawn, by parameter and draw; NULL: too many */
    double *latin; /* of a Latin hypercube of the replicate at hand: by dimension and point */
    imp_sobol sobol[2 * IMP_MAX_UNCERTAIN];
    uint64_t seed; /* of the replicate at hand */
    bool seeded;
    double unit[2 * IMP_MAX_UNCERTAIN][IMP_BATCH]; /* points of the unit cube */
    /* The cell at hand. */
    uint64_t cell_seed, first_replicate;
    double centre[IMP_MAX_UNCERTAIN]; /* about which a parameter scatters */
    bool bounded[IMP_MAX_UNCERTAIN];  /* the range of the parameter cuts its distribution off */
    imp_distribution here[IMP_MAX_UNCERTAIN]; /* the distribution that is left, and its cut */
    imp_truncation here_cut[IMP_MAX_UNCERTAIN];
    double low[IMP_MAX_UNCERTAIN], high[IMP_MAX_UNCERTAIN]; /* ends for the drawn number */
    double drawn[IMP_MAX_UNCERTAIN][IMP_BATCH];
    double value[IMP_MAX_UNCERTAIN][IMP_BATCH];
} imp_draws;

/* variant: the uncertain parameters with the ranges of the cells. False: memory is out. */
bool imp_draws_open(imp_draws *draws, const imp_uncertain_plan *plan,
                    const imp_parameter *const *variant);
void imp_draws_close(imp_draws *draws);

/* Begins a cell. centre[n_parameters]: the values about which parameters scatter; hash: of all
 * inputs of the cell; replicate: the first one. */
void imp_draws_begin(imp_draws *draws, const double *centre, uint64_t hash, uint64_t replicate);

/* The values of draws first .. first+n-1 of a replicate of the cell, n <= IMP_BATCH: for each
 * parameter a column, which holds until the next call. */
void imp_draws_take(imp_draws *draws, int replicate, int64_t first, int n,
                    const double *column[IMP_MAX_UNCERTAIN]);

/* ---- pursuit.c ---- */

enum { IMP_MOST_STARTS = 8, IMP_MOST_PLACES = IMP_MOST_STARTS * (1 + 2 * IMP_MAX_UNCERTAIN) };

/* A place of the unit cube, and the value of an output there; NaN: it has none. */
typedef struct imp_summit_place {
    double t[IMP_MAX_UNCERTAIN], value;
} imp_summit_place;

typedef struct imp_compass {
    /* Measures the values of n places; false: a failure, or a stop. */
    bool (*measure)(void *context, int n, imp_summit_place *place);
    void *context;
    int n_axes, n_starts; /* 1 .. IMP_MOST_STARTS */
    imp_summit_place start[IMP_MOST_STARTS];
    double sign;             /* 1: the greatest value, -1: the least */
    imp_summit_place *place; /* room for IMP_MOST_PLACES, too much for a small stack */
} imp_compass;

/* The best place that is reached from any start. */
imp_summit_place imp_pursue(const imp_compass *pursuit);

/* ---- tally.c: what a cell has seen so far ---- */

/* Indices of one quantity, for one parameter: sums over groups of the differences between the
 * mixed and the first point, of their squares, and of their products with the last point. */
typedef struct imp_index_sums {
    double difference, square, product;
} imp_index_sums;

/* Sums over groups, of one replicate and one quantity. */
typedef struct imp_group_sums {
    int64_t n;
    double both, squares; /* of the first and last points, and of their squares */
    imp_index_sums of[IMP_MAX_UNCERTAIN];
} imp_group_sums;

/* What the kept values of an output say. */
typedef struct imp_value_spread {
    bool known; /* it has been found for this cell */
    double quantile[IMP_MAX_QUANTILES], error[IMP_MAX_QUANTILES], bin[IMP_BINS];
} imp_value_spread;

typedef struct imp_spread_room imp_spread_room;

/* One output under `of`. */
typedef struct imp_draw_tally {
    imp_statistic_of kind;
    int n_values;
    const double *given; /* the batch at hand */
    int64_t *count;      /* [replicate][IMP_MOST_CODES]; [replicate] of a real output */
    int64_t first[IMP_MOST_CODES];
    /* Of replicates that are cells: the values of the parameters in the first draw with each code,
     * NULL where they are not wanted; changes along lines, and the number of these. */
    double (*first_at)[IMP_MAX_UNCERTAIN];
    int64_t changes[IMP_MAX_UNCERTAIN], lines[IMP_MAX_UNCERTAIN];
    double *sum, square; /* of a real output less pivot: of each replicate; of squares in all */
    double pivot;
    bool begun; /* pivot is set */
    double least, greatest, *at[2];
    /* With `give`: the least and the greatest of the first replicates, t: the values of the
     * parameters; at last the first one of each is the extreme that was found. */
    imp_summit_place best[2][IMP_MOST_STARTS];
    int n_best[2];
    int64_t draw[2];        /* of the least and the greatest */
    double *kept;           /* defined values in order; NULL: no quantiles are wanted */
    int64_t n_kept, *end;   /* their number; the end of each replicate */
    imp_group_sums *groups; /* [replicate][n_values], NULL: no indices are wanted */
    uint64_t sequence[IMP_MOST_DISTINCT];
    int64_t frequency[IMP_MOST_DISTINCT];
    int n_distinct;
    imp_value_spread spread;
} imp_draw_tally;

typedef struct imp_draw_tallies {
    const imp_uncertain_plan *plan;
    imp_draw_tally of[IMP_MAX_OF];
    int64_t *failed;       /* by replicate */
    double factor;         /* Student's t */
    imp_spread_room *room; /* NULL: no values are kept */
} imp_draw_tallies;

/* quantiles: whether they are wanted. False: memory is out. */
bool imp_tallies_open(imp_draw_tallies *tallies, const imp_uncertain_plan *plan, bool quantiles);
void imp_tallies_close(imp_draw_tallies *tallies);
void imp_tallies_begin(imp_draw_tallies *tallies);

/* Counts n draws of a replicate, from number `first` of it; value[of]: the results; column: the
 * values of the uncertain parameters. */
void imp_tallies_add(imp_draw_tallies *tallies, int replicate, int64_t first, int n,
                     const double *const *value, const uint8_t *outcome,
                     const double *const *column);
void imp_tallies_end_replicate(imp_draw_tallies *tallies, int replicate);

/* Writes the n values of a statistic. */
void imp_tallies_put(imp_draw_tallies *tallies, const imp_statistic_source *source, int n,
                     double *to);

/* ---- indices.c ---- */

/* Adds the groups of a batch to the sums of a quantity. */
void imp_groups_add(const imp_uncertain_plan *plan, imp_draw_tally *tally, int replicate, int n,
                    const uint8_t *outcome);

/* The index and its standard error. which: 0 first order, 1 total. */
double imp_groups_index(const imp_draw_tallies *tallies, const imp_draw_tally *tally, int value,
                        int parameter, int which, bool error);

/* ---- quantile.c ---- */

/* The least and the greatest of n >= 1 values. */
void imp_find_ends(const double *values, int64_t n, double *low, double *high);

/* The value number `rank`, from 0, of n values in ascending order; they are reordered. */
double imp_select(double *values, int64_t n, int64_t rank);

/* ---- spread.c ---- */

/* Rooms for the values of a cell; draws: the most of them. NULL: memory is out. */
imp_spread_room *imp_spread_open(const imp_uncertain_plan *plan, size_t draws);
void imp_spread_close(imp_spread_room **room);

/* Finds the quantiles, their errors and the histogram of a real output. draws: of the cell. */
void imp_spread_of(imp_spread_room *room, const imp_uncertain_plan *plan,
                   const imp_draw_tally *tally, int64_t draws, imp_value_spread *spread);

/* ---- cell.c ---- */

imp_err imp_uncertain_cell_open(imp_instance *instance);
void imp_uncertain_cell_close(imp_instance *instance);
imp_err imp_uncertain_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                                 double *const *out, uint8_t *outcome);

#endif
