/* impactsweep check CONFIG [--set key=value]... [--ranks N] [--figure] */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/estimate.h"
#include "config/config.h"
#include "config/range.h"
#include "models/signature.h"
#include "solve/points.h"
#include "solve/units.h"

/* Lists of values up to this length are printed whole. */
enum { FEW = 6 };

typedef struct request {
    imp_overrides overrides;
    int64_t ranks; /* 0: as many as the machine has cores */
    bool figure;   /* print only the figure of the config */
} request;

/* A range, from its first value to its last one. */
static void print_range(const imp_axis *axis, const imp_column *column,
                        const imp_parameter *parameter, imp_text *text) {
    double first = column->values[0], last = column->values[axis->size - 1];
    imp_print_value(text, parameter, first);
    imp_text_print(text, " to ");
    imp_print_value(text, parameter, last);
    imp_text_print(text, ", %s%s", axis->spacing,
                   last < first ? ", falling: 'from' is above 'to'" : "");
}

/* The span of values that were listed, in any order. */
static void print_span(const imp_axis *axis, const imp_column *column,
                       const imp_parameter *parameter, imp_text *text) {
    double least = column->values[0], greatest = column->values[0];
    for (int64_t i = 1; i < axis->size; i++) {
        least = fmin(least, column->values[i]);
        greatest = fmax(greatest, column->values[i]);
    }
    imp_text_print(text, "between ");
    imp_print_value(text, parameter, least);
    imp_text_print(text, " and ");
    imp_print_value(text, parameter, greatest);
}

static void print_column(const imp_sweep *sweep, const imp_axis *axis, const imp_column *column,
                         imp_text *text) {
    char unit[IMP_UNIT_TEXT];
    const imp_parameter *variants[IMP_MAX_VARIANTS], *parameter = NULL;
    imp_parameter shown;
    if (column->choice < 0 && imp_theory_variants(sweep->theory, column->name, variants) > 0) {
        shown = imp_sweep_shown_parameter(sweep, variants[0], unit);
        parameter = &shown;
    }
    if (column->distribution[0]) {
        imp_text_print(text, "%s", column->distribution);
        return;
    }
    if (column->formula[0]) {
        imp_text_print(text, "= %s", column->formula);
        return;
    }
    if (parameter && axis->spacing) {
        print_range(axis, column, parameter, text);
        return;
    }
    if (parameter && axis->size > FEW) {
        print_span(axis, column, parameter, text);
        return;
    }
    for (int64_t i = 0; i < axis->size && i <= FEW; i++) {
        imp_text_print(text, i ? ", " : "");
        if (i == FEW) {
            imp_text_print(text, "...");
        } else if (parameter) {
            imp_print_value(text, parameter, column->values[i]);
        } else {
            const imp_choice *choice = &sweep->theory->choices[column->choice];
            imp_text_print(text, "%s", choice->options[(int)column->values[i]]->name);
        }
    }
}

/* An axis of one column in one line; the columns of a table or a sample below it. */
static void print_axis(const imp_sweep *sweep, const imp_axis *axis) {
    imp_few_words size = imp_count(axis->size);
    bool several = axis->sample || strcmp(axis->name, axis->columns[0].name) != 0;
    if (axis->sample) {
        printf("axis %-17s %s points of a %s sample, seed %lld\n", axis->name, size.text,
               axis->sample, (long long)axis->seed);
    } else if (several) {
        printf("axis %-17s %s rows of a table\n", axis->name, size.text);
    }
    for (int c = 0; c < axis->n_columns; c++) {
        imp_text text = {0};
        print_column(sweep, axis, &axis->columns[c], &text);
        if (several || c > 0) {
            printf("  column %-13s %s\n", axis->columns[c].name, imp_text_get(&text));
        } else {
            printf("axis %-17s %s%s: %s\n", axis->name, axis->refined ? "refined" : size.text,
                   axis->refined     ? ""
                   : axis->size == 1 ? " value"
                                     : " values",
                   imp_text_get(&text));
        }
        imp_text_free(&text);
    }
}

/* Prints a text behind its name, and frees it. */
static void print_line(const char *name, imp_text *text) {
    printf("%-22s %s\n", name, imp_text_get(text));
    imp_text_free(text);
}

static void print_search(const imp_sweep *sweep) {
    const imp_search_plan *plan = sweep->search ? imp_search_plan_of(sweep->search) : NULL;
    imp_text text = {0};
    if (plan) {
        imp_search_print_title(sweep->search, &text);
        print_line("search", &text);
    }
    for (int k = 0; plan && k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        imp_text ends = {0};
        imp_print_value(&ends, over->parameter, over->from);
        imp_text_print(&ends, " to ");
        imp_print_value(&ends, over->parameter, over->to);
        printf("  over %-15s %s, %d samples, %s\n", over->parameter->name, imp_text_get(&ends),
               over->samples, over->logarithmic ? "log" : "linear");
        imp_text_free(&ends);
    }
}

static void print_uncertain(const imp_uncertain *uncertain) {
    imp_text text = {0};
    if (uncertain) {
        imp_uncertain_print(uncertain, 7, &text);
        print_line("uncertain", &text);
    }
}

static void print_cases(const imp_cases *cases) {
    for (int c = 0; c < imp_cases_count(cases); c++) {
        const imp_case *one = imp_cases_at(cases, c);
        imp_text words = {0};
        imp_cases_print(cases, c, &words);
        printf("case %-17s %s\n", one->name, imp_text_get(&words));
        imp_text_free(&words);
    }
}

/* forecast: of a refined sweep; NULL for others. */
static void print_size(const imp_sweep *sweep, const imp_forecast *forecast) {
    int64_t n = imp_grid_cells(&sweep->grid);
    if (forecast) {
        imp_print_refinement(sweep, forecast);
        printf("%-22s about %.3g MB, %zu bytes of it for each point\n", "file",
               forecast->bytes / 1e6, imp_sweep_point_size(sweep));
    } else {
        printf("%-22s %s\n", "cells", imp_count(n).text);
        printf("%-22s %.4g MB\n", "file",
               (double)n * (double)imp_sweep_cell_size(sweep) / 1e6 + 0.02);
    }
}

static void print_sweep(const imp_sweep *sweep, const imp_forecast *forecast) {
    const imp_theory *theory = sweep->theory;
    if (sweep->cases) {
        print_cases(sweep->cases);
    } else {
        printf("%-22s %s\n", "model", theory->name);
    }
    print_search(sweep);
    print_uncertain(sweep->uncertain);
    imp_print_choices(sweep);
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        print_axis(sweep, &sweep->grid.axes[a]);
    }
    imp_print_fixed(sweep);
    printf("%-22s %d\n", "outputs", sweep->n_outputs);
    print_size(sweep, forecast);
}

/* Ranks share the cells, and rank 0 computes too. */
static imp_err print_time(const imp_sweep *sweep, const imp_forecast *forecast, int64_t ranks) {
    double seconds = forecast ? forecast->seconds : 0;
    int64_t n = forecast ? forecast->n : imp_grid_cells(&sweep->grid);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    fflush(stdout); /* the theory may start MPI */
    imp_err error = forecast ? IMP_OK : imp_estimate(sweep, &seconds);
    if (error) {
        return error;
    }
    int64_t shared = ranks > 0 ? ranks : cores > 1 ? cores : 1;
    bool limited;
    printf("%-22s %.3g us per %s, %s on 1 rank", "time", 1e6 * seconds, forecast ? "point" : "cell",
           imp_duration(imp_estimate_run(sweep, seconds, n, 1, &limited)).text);
    if (shared > 1) {
        printf(", %s on %lld%s",
               imp_duration(imp_estimate_run(sweep, seconds, n, shared, &limited)).text,
               (long long)shared, ranks > 0 ? "" : " (the cores of this machine)");
    }
    printf("%s\n", limited ? ", because rank 0 is the limit" : "");
    return IMP_OK;
}

static imp_err report(const imp_sweep *sweep, int64_t ranks) {
    imp_forecast forecast;
    imp_forecast *of = imp_sweep_is_refined(sweep) ? &forecast : NULL;
    imp_err error = of ? imp_forecast_refinement(sweep, of) : IMP_OK;
    print_sweep(sweep, of);
    error = error ? error : print_time(sweep, of, ranks);
    imp_say_guests(sweep); /* of those cells that gave the time */
    return error;
}

static const imp_switch switches[] = {
    IMP_SWITCH_SET,
    IMP_SWITCH("ranks", "N",
               "estimate the time on N ranks (default: as many as this machine has cores)",
               imp_take_count, ranks),
    IMP_FLAG(
        "figure", figure,
        "print only the figure of the config, as options of postprocess/plot.py, one per line"),
};

static int check(int argc, char **argv) {
    request r = {.ranks = 0};
    int n;
    int code = imp_read_switches(&imp_command_check, argc, argv, &r, &n);
    if (code) {
        return code;
    }
    imp_sweep sweep;
    imp_text messages = {0};
    imp_err error = imp_config_read(&imp_file_loader, argv[1], r.overrides.words, r.overrides.n,
                                    &sweep, &messages);
    if (error == IMP_ERR_INPUT) {
        fputs(imp_text_get(&messages), stderr);
        code = IMP_EXIT_INPUT;
    } else if (!error && r.figure) {
        printf("%s", sweep.figure ? sweep.figure : "");
    } else {
        fputs(imp_text_get(&messages), stderr); /* warnings */
        code = imp_exit(error ? error : report(&sweep, r.ranks));
    }
    imp_sweep_free(&sweep);
    imp_text_free(&messages);
    return code;
}

const imp_command imp_command_check = {
    .name = "check",
    .words = "CONFIG [--set key=value]... [--ranks N] [--figure]",
    .summary = "validate a config; print its cells, bytes and estimated time; write nothing",
    .example = "check configs/rod-oblique.yaml --set stiffness_ratio=2.5",
    IMP_SWITCHES,
    .fewest = 1,
    .most = 1,
    .needed = "the config is missing",
    .run = check,
};
