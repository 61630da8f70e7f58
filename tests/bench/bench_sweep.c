/* The cost of a sweep beyond its cells: the theory `null` on one rank against a bare loop over its kernel, in turn,
 * at 1 us and at 0.1 us per cell. The argument is the path of impactsweep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"
#include "impact.h"

enum { RUNS = 5, BATCH = 1 << 16 };

/* The kernel alone, on columns that are filled once. */
static double bare(double cost, long cells) {
    static double x[BATCH], y[BATCH], costs[BATCH], mode[BATCH], value[BATCH];
    static uint8_t outcome[BATCH];
    imp_solver *solver;
    if (imp_open("null", "fault=none", &solver)) {
        exit(1);
    }
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    for (int i = 0; i < BATCH; i++) {
        x[i] = i;
        y[i] = 0.5 * i;
        costs[i] = cost;
    }
    in[imp_input(solver, "x")] = x;
    in[imp_input(solver, "y")] = y;
    in[imp_input(solver, "cost")] = costs;
    out[imp_output_index(solver, "mode")] = mode;
    out[imp_output_index(solver, "value")] = value;
    double start = measure_wall();
    for (long done = 0; done < cells; done += BATCH) {
        imp_solve(solver, BATCH, in, out, outcome);
    }
    double seconds = measure_wall() - start;
    imp_close(&solver);
    return seconds;
}

/* Seconds that `run` reports for its cells, without creation and last sync. */
static double sweep(const char *program, double cost, long cells, double *creating,
                    double *syncing) {
    char command[1024], line[1024];
    FILE *config = fopen("bench_sweep.yaml", "w");
    fprintf(config,
            "model: 'null'\naxes:\n  - {param: x, from: 0, to: 65535, points: 65536}\n"
            "  - {param: y, from: 0, to: 1, points: %ld}\nfixed: {cost: %g}\n"
            "outputs: [mode, value]\n",
            cells / BATCH, cost);
    fclose(config);
    snprintf(command, sizeof command,
             "%s run bench_sweep.yaml -o bench_sweep.h5 --force --progress none", program);
    FILE *output = popen(command, "r");
    double seconds = 0;
    while (fgets(line, sizeof line, output)) {
        char *at = strstr(line, "cells computed in ");
        char *created = strstr(line, "creating the file ");
        char *synced = strstr(line, "last sync ");
        if (at && created && synced) {
            seconds = atof(at + strlen("cells computed in "));
            *creating = atof(created + strlen("creating the file "));
            *syncing = atof(synced + strlen("last sync "));
        }
    }
    pclose(output);
    remove("bench_sweep.yaml");
    remove("bench_sweep.h5");
    return seconds;
}

static void measure(const char *program, double cost, long cells) {
    double ratios[RUNS], overhead[RUNS], creating = 0, syncing = 0;
    cells -= cells % BATCH;
    for (int run = 0; run < RUNS; run++) {
        double alone = bare(cost, cells);
        double whole = sweep(program, cost, cells, &creating, &syncing);
        ratios[run] = whole / alone;
        overhead[run] = (whole - alone) / (double)cells;
    }
    double ratio = measure_median(ratios, RUNS), beyond = measure_median(overhead, RUNS);
    double bytes = 1 + 8 + 1; /* mode, value, outcome */
    printf("%g us per cell, %ld cells: sweep over bare loop %.3f (%.3f to %.3f); beyond the "
           "kernel %.1f ns per cell, %.2f GB/s; creation %.2f s, last sync %.2f s\n",
           cost * 1e6, cells, ratio, ratios[0], ratios[RUNS - 1], 1e9 * beyond,
           bytes / beyond / 1e9, creating, syncing);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: bench_sweep PATH_OF_IMPACTSWEEP\n");
        return 2;
    }
    measure(argv[1], 1e-6, 4000000);
    measure(argv[1], 1e-7, 40000000);
    return 0;
}
