/* The values that a cell draws for its uncertain parameters. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/larger.h"
#include "solve/uncertain/uncertain_impl.h"

enum { MOST_CELLS_KEEP = 1 << 20 }; /* numbers drawn once for all cells */

static int dimensions_of(const imp_uncertain_plan *plan) {
    return plan->sensitivity ? 2 * plan->n_dimensions : plan->n_dimensions;
}

/* ---- points of the unit cube ---- */

static void seed(imp_draws *d, uint64_t number) {
    const imp_uncertain_plan *plan = d->plan;
    uint64_t own = imp_sample_seed(plan->seed ^ d->cell_seed, number);
    if (d->seeded && own == d->seed) {
        return;
    }
    d->seed = own;
    d->seeded = true;
    for (int k = 0; k < dimensions_of(plan); k++) {
        if (plan->design == IMP_LATIN) {
            imp_sample_latin(k, own, plan->points, d->latin + k * plan->points);
        } else if (plan->design == IMP_SOBOL) {
            d->sobol[k] = imp_sobol_coordinate(k, own);
        }
    }
}

static void fill(const imp_draws *d, int dimension, int64_t first, int64_t n, double *values) {
    switch (d->plan->design) {
    case IMP_LATIN:
        memcpy(values, d->latin + dimension * d->plan->points + first, (size_t)n * sizeof *values);
        break;
    case IMP_SOBOL:
        imp_sobol_fill(&d->sobol[dimension], first, n, values);
        break;
    default:
        imp_sample_random(dimension, d->seed, first, n, values);
    }
}

/* Fills in the coordinates of draws first .. first+n-1 of the replicate at hand. In a group of
 * Saltelli's design the first point is a, the last b; between them a with one coordinate of b. */
static void fill_cube(imp_draws *d, int64_t first, int n) {
    const imp_uncertain_plan *plan = d->plan;
    int group = imp_uncertain_group(plan);
    double points[2][IMP_BATCH];
    for (int k = 0; k < plan->n_dimensions; k++) {
        if (group == 1) {
            fill(d, k, first, n, d->unit[k]);
            continue;
        }
        assert(first % group == 0 && n % group == 0);
        for (int side = 0; side < 2; side++) {
            fill(d, k + side * plan->n_dimensions, first / group, n / group, points[side]);
        }
        for (int i = 0; i < n; i++) {
            int within = i % group;
            bool of_b = within == group - 1 || within == k + 1;
            d->unit[k][i] = points[of_b][i / group];
        }
    }
}

/* ---- numbers drawn ---- */

static double joint(const imp_uncertain_parameter *p, double u) {
    int64_t row = (int64_t)(u * (double)p->rows);
    return p->joint[row < p->rows ? row : p->rows - 1];
}

/* A correlated normal number, given those before it. */
static double correlated(const imp_draws *d, int k, double u, double *z) {
    const imp_uncertain_parameter *p = &d->plan->parameter[k];
    const double *factor = d->plan->factor[k];
    double given = 0;
    for (int j = 0; j < k; j++) {
        given += factor[j] * z[j];
    }
    if (!d->bounded[k]) {
        z[k] = imp_normal_quantile(u);
    } else {
        double own = p->distribution.b * factor[k];
        double middle = p->distribution.a + p->distribution.b * given;
        imp_distribution left = {
            .kind = IMP_NORMAL, .a = middle, .b = own, .low = d->low[k], .high = d->high[k]};
        imp_truncation cut = imp_distribution_cut(&left);
        double x = cut.to > cut.from ? imp_distribution_quantile(&left, &cut, u) : middle;
        z[k] = (x - middle) / own;
    }
    return p->distribution.a + p->distribution.b * (given + factor[k] * z[k]);
}

static void draw(imp_draws *d, int n, double *const *drawn) {
    const imp_uncertain_plan *plan = d->plan;
    for (int k = 0; k < plan->n_parameters; k++) {
        const imp_uncertain_parameter *p = &plan->parameter[k];
        const double *u = d->unit[p->dimension];
        for (int i = 0; i < n && !p->correlated; i++) {
            drawn[k][i] = p->joint ? joint(p, u[i])
                                   : imp_distribution_quantile(&d->here[k], &d->here_cut[k], u[i]);
        }
    }
    for (int i = 0; i < n; i++) {
        double z[IMP_MAX_UNCERTAIN] = {0};
        for (int k = 0; k < plan->n_parameters; k++) {
            const imp_uncertain_parameter *p = &plan->parameter[k];
            if (p->correlated) {
                drawn[k][i] = correlated(d, k, d->unit[p->dimension][i], z);
            }
        }
    }
}

/* ---- ranges ---- */

double imp_uncertain_value(const imp_uncertain_parameter *p, double centre, double drawn) {
    return p->scatter == IMP_REPLACES ? drawn
           : p->scatter == IMP_ADDED  ? centre + drawn
                                      : centre * (1 + drawn);
}

/* The drawn number that makes a value. */
static double drawn_for(const imp_uncertain_parameter *p, double centre, double value) {
    return p->scatter == IMP_REPLACES ? value
           : p->scatter == IMP_ADDED  ? value - centre
                                      : value / centre - 1;
}

static void find_ends(const imp_uncertain_plan *plan, int k, const imp_distribution *d,
                      const imp_truncation *cut, double *least, double *greatest) {
    const imp_uncertain_parameter *p = &plan->parameter[k];
    const double nearest = IMP_SAMPLE_LEAST / 2;
    if (p->correlated) {
        double sum = 0;
        for (int j = 0; j <= k; j++) {
            sum += fabs(plan->factor[k][j]);
        }
        double most = -imp_normal_quantile(nearest) * sum * p->distribution.b;
        *least = p->distribution.a - most;
        *greatest = p->distribution.a + most;
        return;
    }
    *least = imp_distribution_quantile(d, cut, nearest);
    *greatest = imp_distribution_quantile(d, cut, 1 - nearest);
}

void imp_uncertain_ends(const imp_uncertain_plan *plan, int k, double *least, double *greatest) {
    const imp_distribution *d = &plan->parameter[k].distribution;
    imp_truncation cut = imp_distribution_cut(d);
    find_ends(plan, k, d, &cut, least, greatest);
}

/* Cuts the distribution off where a value would leave the range of the parameter. */
static void bound(imp_draws *d, int k) {
    const imp_uncertain_parameter *p = &d->plan->parameter[k];
    double centre = d->centre[k], least, greatest;
    find_ends(d->plan, k, &d->own[k], &d->cut[k], &least, &greatest);
    double one = imp_uncertain_value(p, centre, least),
           other = imp_uncertain_value(p, centre, greatest);
    bool inside =
        one >= d->least[k] && one <= d->most[k] && other >= d->least[k] && other <= d->most[k];
    if (inside || (p->scatter == IMP_RELATIVE && centre == 0)) {
        return;
    }
    double low = drawn_for(p, centre, d->least[k]), high = drawn_for(p, centre, d->most[k]);
    d->low[k] = imp_larger(imp_smaller(low, high), p->distribution.low);
    d->high[k] = imp_smaller(imp_larger(low, high), p->distribution.high);
    d->bounded[k] = true;
    if (p->correlated) {
        return;
    }
    imp_distribution *here = &d->here[k];
    if (here->kind == IMP_UNIFORM) {
        here->a = imp_larger(here->a, d->low[k]);
        here->b = imp_smaller(here->b, d->high[k]);
    } else {
        here->low = d->low[k];
        here->high = d->high[k];
    }
    d->here_cut[k] = imp_distribution_cut(here);
}

/* ---- opening ---- */

static void forget_bounds(imp_draws *d) {
    for (int k = 0; k < d->plan->n_parameters; k++) {
        d->bounded[k] = false;
        d->here[k] = d->own[k];
        d->here_cut[k] = d->cut[k];
    }
}

/* Draws for all cells at once. */
static void keep_draws(imp_draws *d) {
    const imp_uncertain_plan *plan = d->plan;
    int64_t all = imp_uncertain_draws(plan);
    int group = imp_uncertain_group(plan), batch = IMP_BATCH / group * group;
    forget_bounds(d);
    for (int r = 0; r < plan->replicates; r++) {
        seed(d, (uint64_t)r);
        for (int64_t first = 0; first < d->replicate_draws; first += batch) {
            double *drawn[IMP_MAX_UNCERTAIN];
            int64_t left = d->replicate_draws - first;
            int n = left < batch ? (int)left : batch;
            for (int k = 0; k < plan->n_parameters; k++) {
                drawn[k] = d->kept + k * all + r * d->replicate_draws + first;
            }
            fill_cube(d, first, n);
            draw(d, n, drawn);
        }
    }
}

/* The distribution of a parameter, cut off once and for all where no cell can move it. */
static void take_distribution(imp_draws *d, int k, const imp_parameter *of) {
    const imp_uncertain_parameter *p = &d->plan->parameter[k];
    d->least[k] = of->low_open ? nextafter(of->low, INFINITY) : of->low;
    d->most[k] = of->high_open ? nextafter(of->high, -INFINITY) : of->high;
    d->own[k] = p->distribution;
    d->cut[k] = imp_distribution_cut(&d->own[k]);
    d->movable[k] = p->truncate && !p->joint && (p->scatter != IMP_REPLACES || p->correlated);
    if (p->truncate && !p->joint && !d->movable[k]) {
        d->here[k] = d->own[k];
        d->here_cut[k] = d->cut[k];
        bound(d, k);
        d->own[k] = d->here[k];
        d->cut[k] = d->here_cut[k];
    }
}

bool imp_draws_open(imp_draws *d, const imp_uncertain_plan *plan,
                    const imp_parameter *const *variant) {
    *d = (imp_draws){.plan = plan, .replicate_draws = imp_uncertain_replicate_draws(plan)};
    for (int k = 0; k < plan->n_parameters; k++) {
        take_distribution(d, k, variant[k]);
    }
    if (plan->design == IMP_LATIN) {
        d->latin = malloc((size_t)plan->points * (size_t)dimensions_of(plan) * sizeof *d->latin);
        if (!d->latin) {
            return false;
        }
    }
    int64_t all = imp_uncertain_draws(plan) * plan->n_parameters;
    if (!plan->independent && !plan->by_replicate && all <= MOST_CELLS_KEEP) {
        d->kept = malloc((size_t)all * sizeof *d->kept);
        if (!d->kept) {
            return false;
        }
        keep_draws(d);
    }
    return true;
}

void imp_draws_close(imp_draws *d) {
    free(d->kept);
    free(d->latin);
    d->kept = d->latin = NULL;
}

/* ---- a cell ---- */

void imp_draws_begin(imp_draws *d, const double *centre, uint64_t hash, uint64_t replicate) {
    const imp_uncertain_plan *plan = d->plan;
    forget_bounds(d);
    d->cell_seed = plan->independent ? hash : 0;
    for (int k = 0; k < plan->n_parameters; k++) {
        d->centre[k] = centre[k];
        if (d->movable[k]) {
            bound(d, k);
        }
    }
    d->first_replicate = replicate;
}

/* Makes values of drawn numbers. */
static const double *make(imp_draws *d, int k, int n, const double *drawn) {
    const imp_uncertain_parameter *p = &d->plan->parameter[k];
    double least = d->least[k], most = d->most[k];
    if (p->scatter == IMP_REPLACES && !d->bounded[k]) {
        return drawn;
    }
    for (int i = 0; i < n; i++) {
        d->value[k][i] = imp_uncertain_value(p, d->centre[k], drawn[i]);
    }
    for (int i = 0; d->bounded[k] && i < n; i++) { /* rounding at the ends */
        double value = d->value[k][i];
        d->value[k][i] = value < least ? least : value > most ? most : value;
    }
    return d->value[k];
}

static bool is_bounded(const imp_draws *d) {
    bool any = false;
    for (int k = 0; k < d->plan->n_parameters; k++) {
        any |= d->bounded[k];
    }
    return any;
}

void imp_draws_take(imp_draws *d, int replicate, int64_t first, int n,
                    const double *column[IMP_MAX_UNCERTAIN]) {
    const imp_uncertain_plan *plan = d->plan;
    bool kept = d->kept && !is_bounded(d);
    double *drawn[IMP_MAX_UNCERTAIN];
    for (int k = 0; k < plan->n_parameters; k++) {
        drawn[k] = d->drawn[k];
    }
    if (!kept) {
        seed(d, d->first_replicate + (uint64_t)replicate);
        fill_cube(d, first, n);
        draw(d, n, drawn);
    }
    int64_t all = imp_uncertain_draws(plan), at = replicate * d->replicate_draws + first;
    for (int k = 0; k < plan->n_parameters; k++) {
        column[k] = make(d, k, n, kept ? d->kept + k * all + at : drawn[k]);
    }
}
