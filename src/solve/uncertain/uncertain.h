/* Uncertain parameters are a theory made of a theory: a cell draws values of the parameters that
 * are uncertain, lets the theory solve each draw, and gives what is probable: shares of the values
 * of a category, means, quantiles, extremes. Grid, scheduler and map treat it like any theory. */
#ifndef IMP_SOLVE_UNCERTAIN_UNCERTAIN_H
#define IMP_SOLVE_UNCERTAIN_UNCERTAIN_H

#include "base/text.h"
#include "models/signature.h"
#include "num/distribution.h"
#include "solve/follow.h"

enum {
    IMP_MAX_UNCERTAIN = 16,
    IMP_MAX_OF = 12,
    IMP_MAX_QUANTILES = 16,
    IMP_MOST_REPLICATES = 1024,
    IMP_MOST_DRAWS = 1 << 30, /* in a cell */
    IMP_MOST_KEPT = 1 << 22   /* numbers that a cell keeps for its quantiles */
};

/* Raised when draws or statistics change. */
enum { IMP_UNCERTAIN_VERSION = 1 };

/* `outcome` in the list of outputs, which is no output of the theory. */
enum { IMP_OF_OUTCOME = -1 };

typedef enum imp_design { IMP_SOBOL, IMP_LATIN, IMP_RANDOM, IMP_DESIGNS } imp_design;
extern const char *const imp_design_names[IMP_DESIGNS];

/* The way in which a drawn number makes a value: the value itself; added to the value of the cell;
 * added to 1 and multiplied by the value of the cell. */
typedef enum imp_scatter { IMP_REPLACES, IMP_ADDED, IMP_RELATIVE } imp_scatter;

typedef struct imp_uncertain_parameter {
    const imp_parameter *parameter;
    imp_distribution distribution; /* of the drawn number, unless `joint` */
    imp_scatter scatter;
    bool truncate;       /* cut off where values would leave the range of the parameter */
    bool correlated;     /* has a row in `factor` */
    int dimension;       /* of the unit cube; columns of one table share theirs */
    const double *joint; /* values of a table, of which each draw takes a row; NULL: drawn alone */
    int64_t rows;
} imp_uncertain_parameter;

typedef struct imp_uncertain_plan {
    const imp_theory *theory;
    imp_uncertain_parameter parameter[IMP_MAX_UNCERTAIN];
    int n_parameters, n_dimensions;
    /* Of correlated parameters: normal numbers are a lower triangle times independent ones. */
    double factor[IMP_MAX_UNCERTAIN][IMP_MAX_UNCERTAIN];
    imp_design design;
    int64_t points; /* of a replicate, or groups of points with `sensitivity` */
    int replicates; /* independent randomisations in each cell */
    uint64_t seed;
    bool independent;   /* other draws in each cell */
    bool sensitivity;   /* Saltelli's design, and indices of Sobol */
    bool give[2];       /* the least, the greatest value instead of statistics; see pursuit.c */
    bool by_replicate;  /* the cells are replicates, by a parameter `replicate` */
    int of[IMP_MAX_OF]; /* outputs of the theory, or IMP_OF_OUTCOME */
    int n_of;
    double quantile[IMP_MAX_QUANTILES]; /* probabilities in (0, 1) */
    int n_quantiles;
    double *values; /* of the tables; the theory that is made of the plan frees them */
} imp_uncertain_plan;

typedef struct imp_uncertain imp_uncertain;

/* Whether the cells search for extremes instead of counting draws. */
bool imp_uncertain_gives(const imp_uncertain_plan *plan);

/* Points that differ from each other in a group of the design: 1, or parameters + 2. */
int imp_uncertain_group(const imp_uncertain_plan *plan);

/* Draws of a cell, and of one of its replicates. */
int64_t imp_uncertain_draws(const imp_uncertain_plan *plan);
int64_t imp_uncertain_replicate_draws(const imp_uncertain_plan *plan);

/* The uncertain parameter that replaces the value of a parameter; NULL: none does. */
const imp_parameter *imp_uncertain_by(const imp_uncertain_plan *plan,
                                      const imp_parameter *parameter);

/* The least and the greatest number that can be drawn for parameter k, whatever its range; the
 * value that a drawn number makes. centre: the value of the cell. */
void imp_uncertain_ends(const imp_uncertain_plan *plan, int k, double *least, double *greatest);
double imp_uncertain_value(const imp_uncertain_parameter *parameter, double centre, double drawn);

/* The number of outputs that the plan makes; more than IMP_MAX_OUTPUTS cannot be made. */
int imp_uncertain_count_outputs(const imp_uncertain_plan *plan);

/* Makes the theory; the plan is copied, and its tables become property of the theory. The caller
 * frees it with imp_uncertain_free, which accepts NULL. NULL: memory is out. */
imp_uncertain *imp_uncertain_make(const imp_uncertain_plan *plan);
void imp_uncertain_free(imp_uncertain **uncertain);

/* As imp_reduced_follow: parameters that follow uncertain ones. */
void imp_uncertain_follow(imp_uncertain *uncertain, const imp_follower *followers, int n);

const imp_theory *imp_uncertain_theory(const imp_uncertain *uncertain);
const imp_uncertain_plan *imp_uncertain_plan_of(const imp_uncertain *uncertain); /* NULL: NULL */

/* The number of an uncertain parameter by its name; -1: there is none. Accepts NULL. */
int imp_uncertain_find(const imp_uncertain_plan *plan, const char *name);

/* Whether an output of the theory is a share of the draws, which takes steps of one draw. */
bool imp_uncertain_is_share(const imp_uncertain *uncertain, int output);

/* The name of the parameter that numbers the cells of a plan by replicate. */
extern const imp_parameter imp_parameter_replicate;

/* Appends everything on which results depend, with digests of tables; numbers have so many digits,
 * 17 for every bit. */
void imp_uncertain_print(const imp_uncertain *uncertain, int digits, imp_text *text);

/* Appends a shorter form for the title of a figure. */
void imp_uncertain_print_title(const imp_uncertain *uncertain, imp_text *text);

#endif
