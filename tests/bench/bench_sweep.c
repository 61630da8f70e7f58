/* The cost of a sweep beyond its cells: the theory `null` on one rank against a bare loop over its
 * kernel, in turn, at 1 us and at 0.1 us per cell and for cells that cost nothing; beside it a bare
 * write of the same bytes. The argument is the path of impactsweep. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"
#include "impact.h"
#include "store/disk.h"

/* Bytes of a cell: mode, value, outcome. */
enum { RUNS = 5, BATCH = 1 << 16, OUTPUTS = 2, MODE_BYTES = 1, VALUE_BYTES = 8, CELL_BYTES = 10 };

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

/* ---- the same bytes without a sweep ---- */

static void must(bool good) {
    if (!good) {
        perror("bench_sweep");
        exit(1);
    }
}

/* A file as of a new map: its space is written, but not in the cache. */
static int new_file(long bytes) {
    enum { PIECE = 4 << 20 };
    char *piece = imp_disk_buffer_new(PIECE);
    int file = open("bench_sweep.bin", O_RDWR | O_CREAT | O_TRUNC, 0666);
    must(piece && file >= 0 && unlink("bench_sweep.bin") == 0);
    memset(piece, 1, PIECE);
    imp_disk_pass_cache(file, true);
    for (long at = 0; at < bytes; at += PIECE) {
        must(imp_disk_write(file, "bench_sweep.bin", piece, PIECE, at) == IMP_OK);
    }
    imp_disk_pass_cache(file, false);
    imp_disk_buffer_free(piece, PIECE);
    must(fsync(file) == 0);
    return file;
}

/* Seconds in which modes and values are written in blocks and synced, and then the marks. As in a
 * sweep the disk begins every 32 MB, and a sync comes after 256 MB. */
static double bare_write(long cells) {
    enum { AT_ONCE = 409600, BEGUN = 32 << 20, SYNCED = 256 << 20 };
    static char block[AT_ONCE * VALUE_BYTES];
    const char *path = "bench_sweep.bin";
    int file = new_file(cells * CELL_BYTES);
    long begun = 0, synced = 0, written;
    double seconds = 0;
    for (long first = 0; first < cells; first += AT_ONCE) {
        long n = first + AT_ONCE < cells ? AT_ONCE : cells - first, end = first + n;
        memset(block, (int)first, sizeof block); /* as if they had just been computed */
        double start = measure_wall();
        must(!imp_disk_write(file, path, block, (size_t)n, first) &&
             !imp_disk_write(file, path, block, (size_t)n * VALUE_BYTES,
                             cells + first * VALUE_BYTES));
        written = end * (MODE_BYTES + VALUE_BYTES);
        if (written - begun >= BEGUN) {
            imp_disk_begin_sync(file);
            begun = written;
        }
        if (written - synced >= SYNCED || end == cells) {
            long marked = synced / (MODE_BYTES + VALUE_BYTES);
            must(!imp_disk_sync_values(file, path));
            for (long at = marked; at < end; at += n) {
                n = at + AT_ONCE < end ? AT_ONCE : end - at;
                must(!imp_disk_write(file, path, block, (size_t)n, (CELL_BYTES - 1) * cells + at));
            }
            synced = written;
        }
        seconds += measure_wall() - start;
    }
    close(file);
    return seconds;
}

static void measure(const char *program, double cost, long cells) {
    const double dearest =
        2e-7; /* beside dearer cells nanoseconds are lost in the speed of the processor */
    double ratios[RUNS], beyond[RUNS], written[RUNS], creating = 0, syncing = 0;
    cells -= cells % BATCH;
    for (int run = 0; run < RUNS; run++) {
        double alone = bare(cost, cells);
        double whole = sweep(program, cost, cells, &creating, &syncing);
        ratios[run] = whole / alone;
        beyond[run] = 1e9 * (whole - alone) / (double)cells;
        written[run] = 1e9 * bare_write(cells) / (double)cells;
    }
    double ratio = measure_median(ratios, RUNS), middle = measure_median(beyond, RUNS);
    double bytes = measure_median(written, RUNS);
    printf("%g us per cell, %ld cells: ", cost * 1e6, cells);
    if (cost > dearest) {
        printf("sweep over bare loop %.3f (%.3f to %.3f)\n", ratio, ratios[0], ratios[RUNS - 1]);
        return;
    }
    printf("beyond the kernel %.1f ns per cell (%.1f to %.1f), %.1f ns per cell and output; a bare "
           "write of the "
           "same bytes %.1f ns per cell (%.1f to %.1f); creation %.2f s, last sync %.2f s\n",
           middle, beyond[0], beyond[RUNS - 1], middle / OUTPUTS, bytes, written[0],
           written[RUNS - 1], creating, syncing);
}

int main(int argc, char **argv) {
    imp_disk_open_standard();
    if (argc != 2) {
        fprintf(stderr, "usage: bench_sweep PATH_OF_IMPACTSWEEP\n");
        return 2;
    }
    measure(argv[1], 1e-6, 4000000);
    measure(argv[1], 1e-7, 40000000);
    measure(argv[1], 0, 40000000);
    return 0;
}
