/* Uncertain parameters of a theory made for the test: shares, means and indices in closed form,
 * correlation, ranges, failures, and the order statistics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/theory.h"
#include "num/sample.h"
#include "solve/solver.h"
#include "solve/uncertain/uncertain_impl.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- the theory: numbers x1 .. x12 in, a few functions of them out ---- */

enum { X = 12, MODE = 0, ISHIGAMI, SUM, PRODUCT, ROOT, N_OUTPUTS };

#define NUMBER(n)                                                                                  \
    {                                                                                              \
        .name = "x" #n, .unit = "1", .meaning = "a number", .low = -100, .high = 100,              \
        .fallback = 0, .example = 0.5                                                              \
    }
static const imp_parameter numbers[X] = {NUMBER(1), NUMBER(2),  NUMBER(3),  NUMBER(4),
                                         NUMBER(5), NUMBER(6),  NUMBER(7),  NUMBER(8),
                                         NUMBER(9), NUMBER(10), NUMBER(11), NUMBER(12)};
static const imp_parameter *const parameters[X] = {
    &numbers[0], &numbers[1], &numbers[2], &numbers[3], &numbers[4],  &numbers[5],
    &numbers[6], &numbers[7], &numbers[8], &numbers[9], &numbers[10], &numbers[11]};
static const imp_mode modes[] = {{1, "low", "x1 < x2"}, {2, "high", "otherwise"}};
static const imp_output outputs[N_OUTPUTS] = {
    [MODE] = {.name = "mode", .unit = "1", .meaning = "the mode", .kind = IMP_CATEGORY},
    [ISHIGAMI] = {.name = "ishigami", .unit = "1", .meaning = "the function of Ishigami"},
    [SUM] = {.name = "sum", .unit = "1", .meaning = "the sum"},
    [PRODUCT] = {.name = "product", .unit = "1", .meaning = "x1 x2"},
    [ROOT] = {.name = "root", .unit = "1", .meaning = "root of x1", .undefined_when = "x1 < 0"}};

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    (void)instance;
    for (size_t i = 0; i < n; i++) {
        double x[X], sum = 0;
        for (int k = 0; k < X; k++) {
            x[k] = in[k][i];
            sum += x[k];
        }
        outcome[i] = x[11] > 50 ? IMP_BUDGET : IMP_SOLVED;
        imp_put(out, MODE, i, x[0] < x[1] ? 1 : 2);
        imp_put(out, ISHIGAMI, i,
                sin(x[0]) + 7 * sin(x[1]) * sin(x[1]) + 0.1 * pow(x[2], 4) * sin(x[0]));
        imp_put(out, SUM, i, sum);
        imp_put(out, PRODUCT, i, x[0] * x[1]);
        imp_put(out, ROOT, i, sqrt(x[0]));
    }
    return IMP_OK;
}

static const imp_theory theory = {.name = "numbers",
                                  .title = "functions of numbers",
                                  .source = "this test",
                                  .residual = "none",
                                  .results_version = 1,
                                  .parameters = parameters,
                                  .n_parameters = X,
                                  .outputs = outputs,
                                  .n_outputs = N_OUTPUTS,
                                  .modes = modes,
                                  .n_modes = 2,
                                  .budget = INT64_MAX,
                                  .solve = solve};

/* ---- one cell of it ---- */

typedef struct cell {
    imp_uncertain *uncertain;
    imp_solver *solver;
    double *value[IMP_MAX_OUTPUTS];
} cell;

static imp_uncertain_plan plan_of(int64_t points, int replicates, uint64_t seed) {
    return (imp_uncertain_plan){.theory = &theory,
                                .points = points,
                                .replicates = replicates,
                                .seed = seed,
                                .of = {MODE},
                                .n_of = 1};
}

static void add(imp_uncertain_plan *plan, int x, imp_distribution_kind kind, double a, double b) {
    imp_distribution d = {kind, a, b, -INFINITY, INFINITY};
    plan->parameter[plan->n_parameters++] = (imp_uncertain_parameter){
        .parameter = &numbers[x - 1], .distribution = d, .dimension = plan->n_dimensions++};
}

/* The parameters that are certain are 0, but for `centre`, the value of x1 if it is kept. */
static cell cell_of(const imp_uncertain_plan *plan, double centre) {
    cell c = {.uncertain = imp_uncertain_make(plan)};
    const imp_theory *made = imp_uncertain_theory(c.uncertain);
    int chosen[IMP_MAX_CHOICES] = {0};
    imp_signature signature = imp_signature_of(made, chosen);
    CHECK(imp_solver_open(&signature, &c.solver) == IMP_OK, "it opens");
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    uint8_t outcome = IMP_PENDING;
    int x1 = imp_input(c.solver, "x1");
    if (x1 >= 0) {
        in[x1] = &centre;
    }
    for (int o = 0; o < made->n_outputs; o++) {
        c.value[o] = calloc(imp_output_length(&made->outputs[o]), sizeof *c.value[o]);
    }
    CHECK(imp_solve(c.solver, 1, in, c.value, &outcome) == IMP_OK && outcome == IMP_SOLVED,
          "it solves: outcome %d", outcome);
    return c;
}

static double get(const cell *c, const char *name, int k) {
    int o = imp_theory_output(imp_uncertain_theory(c->uncertain), name);
    CHECK(o >= 0, "there is an output %s", name);
    return o < 0 ? NAN : c->value[o][k];
}

static void end(cell *c) {
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        free(c->value[o]);
    }
    imp_close(&c->solver);
    imp_uncertain_free(&c->uncertain);
}

/* ---- statistics ---- */

/* Ishigami and Homma 1990, a = 7, b = .1: variance 13.844588, first order .3139 .4424 0, total
 * .5576 .4424 .2437. */
static void ishigami(void) {
    imp_uncertain_plan plan = plan_of(1 << 14, 8, 1);
    const double first[] = {0.313905191147811, 0.442411144790041, 0},
                 total[] = {0.557588855209959, 0.442411144790041, 0.243683664062148};
    for (int x = 1; x <= 3; x++) {
        add(&plan, x, IMP_UNIFORM, -pi, pi);
    }
    plan.sensitivity = true;
    plan.of[0] = ISHIGAMI;
    cell c = cell_of(&plan, 0);
    for (int k = 0; k < 3; k++) {
        double error = get(&c, "ishigami_first_order_error", k);
        CHECK_NEAR(get(&c, "ishigami_first_order", k), first[k], 5 * error + 1e-4, "first %d", k);
        CHECK(error > 0 && error < 0.02, "error %g", error);
        error = get(&c, "ishigami_total_order_error", k);
        CHECK_NEAR(get(&c, "ishigami_total_order", k), total[k], 5 * error + 1e-4, "total %d", k);
    }
    CHECK_NEAR(get(&c, "ishigami_mean", 0), 3.5, 1e-2, "mean");
    CHECK_NEAR(get(&c, "ishigami_deviation", 0), sqrt(13.844587940719254), 1e-2, "deviation");
    end(&c);
}

/* Twelve uniform numbers: mean and variance of their sum, a share of one half. */
static void twelve_parameters(void) {
    imp_uncertain_plan plan = plan_of(1 << 15, 8, 3);
    for (int x = 1; x <= X; x++) {
        add(&plan, x, IMP_UNIFORM, -0.5, 0.5);
    }
    plan.of[plan.n_of++] = SUM;
    plan.n_quantiles = 1;
    plan.quantile[0] = 0.5;
    cell c = cell_of(&plan, 0);
    CHECK_NEAR(get(&c, "sum_mean", 0), 0, 5 * get(&c, "sum_mean_error", 0), "mean");
    CHECK_NEAR(get(&c, "sum_deviation", 0), 1, 1e-3, "deviation");
    CHECK_NEAR(get(&c, "sum_quantile", 0), 0, 5 * get(&c, "sum_quantile_error", 0) + 1e-6,
               "median");
    CHECK_NEAR(get(&c, "share_of_low", 0), 0.5, 5 * get(&c, "mode_share_error", 0) + 1e-9, "share");
    double least = 0;
    for (int k = 0; k < X; k++) {
        least += get(&c, "sum_least_at", k);
    }
    CHECK_NEAR(get(&c, "sum_least", 0), least, 1e-12, "the least sum is that of its draw");
    end(&c);
}

/* Correlated normals: the mean of a product is the covariance. */
static void correlation(void) {
    for (int design = 0; design < IMP_DESIGNS; design++) {
        imp_uncertain_plan plan = plan_of(1 << 13, 16, 5);
        plan.design = (imp_design)design;
        add(&plan, 1, IMP_NORMAL, 0, 2);
        add(&plan, 2, IMP_NORMAL, 0, 3);
        const double rho = -0.7;
        plan.parameter[0].correlated = plan.parameter[1].correlated = true;
        plan.factor[0][0] = 1;
        plan.factor[1][0] = rho;
        plan.factor[1][1] = sqrt(1 - rho * rho);
        plan.of[0] = PRODUCT;
        cell c = cell_of(&plan, 0);
        double error = get(&c, "product_mean_error", 0);
        CHECK_NEAR(get(&c, "product_mean", 0), rho * 6, 5 * error, "covariance");
        CHECK(error < 0.1, "error %g", error);
        end(&c);
    }
}

/* A distribution that is cut off where values would leave the range: 100 -+ |z| of a normal
 * number. */
static void truncation(void) {
    imp_uncertain_plan plan = plan_of(1 << 12, 8, 7);
    add(&plan, 1, IMP_NORMAL, 0, 1);
    plan.parameter[0].scatter = IMP_ADDED;
    plan.parameter[0].truncate = true;
    plan.of[0] = SUM;
    plan.of[plan.n_of++] = ROOT;
    cell c = cell_of(&plan, 100);
    CHECK_NEAR(get(&c, "sum_mean", 0), 100 - sqrt(2 / pi), 1e-3, "mean of a half normal");
    CHECK(get(&c, "sum_greatest", 0) <= 100, "no value leaves the range");
    CHECK(get(&c, "failed_share", 0) == 0, "none fails");
    end(&c);
    c = cell_of(&plan, 0);
    CHECK_NEAR(get(&c, "sum_mean", 0), 0, 1e-3, "in the middle nothing is cut off");
    CHECK_NEAR(get(&c, "root_defined_share", 0), 0.5, 1e-2, "roots of negative numbers");
    end(&c);
    plan.parameter[0].truncate = false;
    c = cell_of(&plan, 100);
    CHECK_NEAR(get(&c, "failed_share", 0), 0.5, 1e-2, "values outside the range fail");
    CHECK_NEAR(get(&c, "sum_mean", 0), 100 - sqrt(2 / pi), 1e-2, "and are left out");
    end(&c);
}

static void certainties(void) {
    imp_uncertain_plan plan = plan_of(1000, 8, 9);
    add(&plan, 1, IMP_UNIFORM, 1, 2);
    plan.of[plan.n_of++] = IMP_OF_OUTCOME;
    plan.of[plan.n_of++] = SUM;
    cell c = cell_of(&plan, 0);
    CHECK(get(&c, "share_of_high", 0) == 1 && get(&c, "share_of_low", 0) == 0, "shares");
    CHECK(get(&c, "mode_share_error", 1) == 0, "all replicates agree");
    CHECK_NEAR(get(&c, "mode_share_bound", 1), 1 - pow(0.05, 1. / 8000), 1e-15, "bound");
    CHECK(get(&c, "mode", 0) == 2 && get(&c, "mode_certainty", 0) == 1, "the only mode");
    CHECK(get(&c, "mode_first_draw", 1) == 0 && isnan(get(&c, "mode_first_draw", 0)), "draws");
    end(&c);
    add(&plan, 12, IMP_UNIFORM, 60, 61); /* every draw fails */
    c = cell_of(&plan, 0);
    CHECK(get(&c, "most_probable_outcome", 0) == IMP_BUDGET, "the outcome of all");
    CHECK(get(&c, "failed_share", 0) == 1 && get(&c, "share_of_outcome_budget", 0) == 1, "failed");
    CHECK(get(&c, "mode", 0) == 0 && get(&c, "mode_certainty", 0) == 0, "no mode");
    CHECK(get(&c, "share_of_high", 0) == 0 && isnan(get(&c, "sum_mean", 0)), "nothing else");
    CHECK(isnan(get(&c, "sum_least_draw", 0)) && isnan(get(&c, "sum_deviation", 0)), "nothing");
    end(&c);
}

/* Joint draws take whole rows of their table, each equally often. */
static void tables(void) {
    enum { ROWS = 5, N = 1 << 12 };
    imp_uncertain_plan plan = plan_of(N, 1, 11);
    plan.values = malloc(2 * ROWS * sizeof *plan.values);
    double mean = 0;
    for (int row = 0; row < ROWS; row++) {
        plan.values[row] = row;
        plan.values[ROWS + row] = row * row - 3;
        mean += row * (row * row - 3) / (double)ROWS;
    }
    for (int x = 0; x < 2; x++) {
        plan.parameter[x] = (imp_uncertain_parameter){
            .parameter = &numbers[x], .joint = plan.values + x * ROWS, .rows = ROWS};
    }
    plan.n_parameters = 2;
    plan.n_dimensions = 1;
    plan.of[0] = PRODUCT;
    cell c = cell_of(&plan, 0);
    CHECK_NEAR(get(&c, "product_mean", 0), mean, 1e-2, "mean of the rows");
    CHECK(get(&c, "product_greatest", 0) == 4 * 13, "greatest");
    CHECK(isnan(get(&c, "product_mean_error", 0)), "one replicate has no error");
    end(&c);
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static double some_number(random_source *source, int kind) {
    double u = random_between(source, 0, 1);
    switch (kind) {
    case 0:
        return u;
    case 1:
        return floor(5 * u);
    case 2:
        return exp(700 * (2 * u - 1));
    case 3:
        return 1 + 1e-15 * floor(10 * u);
    case 4:
        return u < 0.5 ? -1.7e308 : 1.7e308 * u;
    default:
        return u < 0.9 ? 0.25 : 5e-324 * floor(100 * u);
    }
}

static void order_statistics(void) {
    enum { MOST = 5000 };
    static double values[MOST], sorted[MOST], scratch[MOST];
    random_source source = {13};
    for (int round = 0; round < 600; round++) {
        int n = 1 + (int)random_between(&source, 0, round % 3 ? 70 : MOST - 1);
        for (int i = 0; i < n; i++) {
            values[i] = sorted[i] = some_number(&source, round % 6);
        }
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        int rank = (int)random_between(&source, 0, n);
        memcpy(scratch, values, (size_t)n * sizeof *scratch);
        CHECK(imp_select(scratch, n, rank) == sorted[rank], "rank %d of %d, kind %d", rank, n,
              round % 6);
    }
}

/* Student's t: tables of 97.5 % quantiles. */
static void student(void) {
    const struct {
        int freedom;
        double quantile;
    } known[] = {{1, 12.706204736174705},  {2, 4.302652729749464}, {3, 3.182446305283710},
                 {7, 2.364624251592785},   {8, 2.306004135204166}, {30, 2.042272456301238},
                 {100, 1.983971518523552}, {1023, 1.9622856196474}};
    for (int i = 0; i < SUITE_COUNT(known); i++) {
        CHECK_NEAR(imp_student_quantile(known[i].freedom, 0.95), known[i].quantile,
                   1e-9 * known[i].quantile, "%d degrees of freedom", known[i].freedom);
    }
}

/* Any stretch of a sequence is that part of the whole. */
static void stretches(void) {
    enum { N = 3000 };
    double whole[N], part[N];
    for (int dimension = 0; dimension < IMP_SAMPLE_DIMENSIONS; dimension += 5) {
        imp_sobol coordinate = imp_sobol_coordinate(dimension, 17);
        imp_sample_sobol(dimension, 17, N, whole);
        imp_sobol_fill(&coordinate, 1000, 1500, part);
        CHECK(memcmp(part, whole + 1000, 1500 * sizeof *part) == 0, "dimension %d", dimension);
        imp_sample_random(dimension, 17, 0, N, whole);
        imp_sample_random(dimension, 17, 700, 1500, part);
        CHECK(memcmp(part, whole + 700, 1500 * sizeof *part) == 0, "dimension %d", dimension);
        double mean = 0;
        for (int i = 0; i < N; i++) {
            mean += whole[i] / N;
        }
        CHECK_NEAR(mean, 0.5, 0.03, "mean of random numbers");
    }
}

SUITE("uncertain", ishigami, twelve_parameters, correlation, truncation, certainties, tables,
      student, order_statistics, stretches)
