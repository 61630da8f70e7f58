/* impactsweep check CONFIG [--set key=value]... */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cmd/cmd.h"
#include "config/config.h"
#include "solve/block.h"
#include "solve/evaluator.h"

enum { SAMPLES = 64 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds per cell, from at most SAMPLES cells spread over the grid, or as many as fit in 0.2 s. One
 * cell after another, so that a slow one is noticed; a second pass, if the first was quick, times
 * them without the cold start. */
static imp_err estimate(const imp_sweep *sweep, double *seconds) {
    const double most = 0.2;
    int64_t cells = imp_grid_cells(&sweep->grid), samples = cells < SAMPLES ? cells : SAMPLES;
    imp_evaluator *evaluator;
    imp_layout layout = imp_layout_of(sweep);
    void *block = malloc(imp_block_size(&layout, 1));
    imp_err error = imp_evaluator_open(sweep, &evaluator);
    double begin = now();
    bool again = true;
    for (int pass = 0; !error && block && pass < 2 && again; pass++) {
        double start = now();
        int64_t done = 0;
        while (!error && done < samples && now() - begin < most) {
            error = imp_evaluate(evaluator, cells / samples * done, 1, block, 1, 0);
            done++;
        }
        *seconds = (now() - start) / (double)(done > 0 ? done : 1);
        again = now() - begin < most / 20;
    }
    free(block);
    imp_evaluator_close(&evaluator);
    return error;
}

static void print_axes(const imp_sweep *sweep) {
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        char size[32];
        imp_count_text(axis->size, size);
        printf("axis %-17s %s values of", axis->name, size);
        for (int c = 0; c < axis->n_columns; c++) {
            const imp_column *column = &axis->columns[c];
            double first = column->values[0], last = column->values[axis->size - 1];
            printf("%s %s", c ? "," : "", column->name);
            if (column->choice < 0) {
                printf(" (%.6g to %.6g)", first, last);
            }
        }
        printf("\n");
    }
}

static void print_sweep(const imp_sweep *sweep) {
    char cells[32], time[32];
    const imp_theory *theory = sweep->theory;
    int64_t n = imp_grid_cells(&sweep->grid);
    imp_count_text(n, cells);
    printf("%-22s %s\n", "model", theory->name);
    for (int c = 0; c < theory->n_choices; c++) {
        if (sweep->chosen[c] >= 0) {
            printf("%-22s %s\n", theory->choices[c].name,
                   theory->choices[c].options[sweep->chosen[c]]->name);
        }
    }
    print_axes(sweep);
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_fixed *fixed = &sweep->fixed[f];
        printf("%-22s %.12g%s%s%s\n", fixed->parameter->name, fixed->value,
               fixed->parameter->unit[0] == '1' ? "" : " ",
               fixed->parameter->unit[0] == '1' ? "" : fixed->parameter->unit,
               fixed->given ? "" : " (default)");
    }
    printf("%-22s %d\n", "outputs", sweep->n_outputs);
    printf("%-22s %s\n", "cells", cells);
    printf("%-22s %.4g MB\n", "file", (double)n * (double)imp_sweep_cell_size(sweep) / 1e6 + 0.02);
    double seconds = 0;
    if (theory->needs_petsc) {
        /* It would start MPI, which not every login node allows. */
        printf("%-22s not estimated: the cells need PETSc\n", "time");
    } else if (estimate(sweep, &seconds) == IMP_OK) {
        imp_seconds_text(seconds * (double)n, sizeof time, time);
        printf("%-22s %.3g us per cell, %s on one core\n", "time", 1e6 * seconds, time);
    }
}

static const imp_switch switches[] = {
    {"set", 0, "key=value", "set a parameter, a choice or a setting; may be repeated",
     imp_take_override, 0},
};

static int check(int argc, char **argv) {
    imp_overrides overrides = {.n = 0};
    int n;
    int code = imp_read_switches(&imp_command_check, argc, argv, &overrides, &n);
    if (code) {
        return code;
    }
    imp_sweep sweep;
    imp_text messages = {0};
    imp_err error =
        imp_config_read(&imp_file_loader, argv[1], overrides.words, overrides.n, &sweep, &messages);
    if (error == IMP_ERR_INPUT) {
        fputs(imp_text_get(&messages), stderr);
    } else if (!error) {
        print_sweep(&sweep);
        imp_sweep_free(&sweep);
    }
    imp_text_free(&messages);
    return error == IMP_ERR_INPUT ? IMP_EXIT_INPUT : imp_exit(error);
}

const imp_command imp_command_check = {
    .name = "check",
    .words = "CONFIG [--set key=value]...",
    .summary = "validate a config; cells, bytes, time; writes nothing",
    .example = "check configs/rod-oblique.yaml --set stiffness_ratio=2.5",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = 1,
    .needed = "which config?",
    .run = check,
};
