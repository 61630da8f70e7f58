#include "cmd/run_report.h"

#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "solve/points.h"
#include "store/catalog.h"

static int64_t failed_cells(const imp_tally *tally) {
    int64_t failed = 0;
    for (int i = IMP_SOLVED + 1; i < IMP_OUTCOME_COUNT; i++) {
        failed += i == IMP_OUTSIDE ? 0 : tally->outcomes[i];
    }
    return failed;
}

static void print_modes_seen(const imp_theory *theory, const imp_tally *tally) {
    const char *separator = ", modes: ";
    for (int code = 1; code < 64; code++) {
        if (tally->modes[code] > 0) {
            const char *name = imp_mode_name(theory, code);
            fprintf(stderr, "%s%s", separator, name ? name : "?");
            separator = " ";
        }
    }
}

/* In lines the modes follow; a bar is printed over the last one. */
static void end_progress(const imp_run_view *v, const imp_tally *tally) {
    if (!v->bar) {
        print_modes_seen(v->sweep->theory, tally);
    }
    fputs(v->bar ? "   " : "\n", stderr);
    fflush(stderr);
}

/* The number of points of a refinement is not known before its end. */
void imp_run_print_progress(void *context, const imp_tally *tally) {
    const imp_run_view *v = context;
    char bar[31] = "..............................";
    imp_few_words done = imp_count(tally->done), cells = imp_count(tally->cells), left = {"?"};
    imp_few_words failed = imp_count(failed_cells(tally));
    double part = (double)tally->done / (double)tally->cells;
    double rate =
        tally->elapsed > 0 ? (double)(tally->done - tally->done_before) / tally->elapsed : 0;
    if (tally->left > 0 || tally->done == tally->cells) {
        left = imp_duration(tally->left);
    }
    if (imp_sweep_is_refined(v->sweep)) {
        fprintf(stderr, "%s%s of %s points asked for so far, %.3g points/s, %s failed",
                v->bar ? "\r" : "", done.text, cells.text, rate, failed.text);
    } else if (v->bar) {
        memset(bar, '#', (size_t)(part * 30));
        fprintf(stderr, "\r[%s] %5.1f %%  %.3g cells/s  %s left  %s failed", bar, 100 * part, rate,
                left.text, failed.text);
    } else {
        fprintf(stderr, "%5.1f %%  %s of %s cells, %.3g cells/s, %s left, %s failed", 100 * part,
                done.text, cells.text, rate, left.text, failed.text);
    }
    end_progress(v, tally);
}

void imp_run_print_line(void *context, const char *line) {
    (void)context;
    fputs(line, stderr);
}

static void print_census_line(const char *kind, const char *name, int64_t count, int64_t cells) {
    printf("%-14s %-26s %15s  %6.2f %%\n", kind, name, imp_count(count).text,
           100 * (double)count / (double)cells);
}

void imp_run_print_census(const imp_sweep *sweep, const imp_tally *tally, int ranks,
                          double creating, double syncing) {
    const imp_theory *theory = sweep->theory;
    const char *cell = imp_sweep_is_refined(sweep) ? "point" : "cell";
    for (int i = 0; i < IMP_OUTCOME_COUNT; i++) {
        int64_t n = i == IMP_PENDING ? tally->cells - tally->done : tally->outcomes[i];
        if (n > 0) {
            print_census_line("outcome", imp_outcome_name(i), n, tally->cells);
        }
    }
    for (int code = 1; code < 64; code++) {
        const char *name = imp_mode_name(theory, code);
        if (tally->modes[code] > 0) {
            print_census_line("mode", name ? name : "?", tally->modes[code], tally->cells);
        }
    }
    int64_t computed = tally->done - tally->done_before;
    printf("%s %s%s computed in %s", imp_count(computed).text, cell, computed == 1 ? "" : "s",
           imp_duration(tally->elapsed).text);
    if (computed > 0) {
        printf(", %.3g us of one core per %s, %d of %d rank%s, %lld chunk%s",
               1e6 * tally->computing / (double)computed, cell, tally->ranks_that_solved, ranks,
               ranks == 1 ? "" : "s", (long long)tally->chunks, tally->chunks == 1 ? "" : "s");
    }
    printf("; creating the file %.3g s, last sync %.3g s\n", creating, syncing);
}

imp_err imp_run_print_flags(const char *path, const imp_sweep *sweep) {
    imp_catalog *catalog = NULL;
    imp_err error = IMP_OK;
    for (int o = 0; !error && o < sweep->n_outputs; o++) {
        const imp_output *output = &sweep->theory->outputs[sweep->outputs[o]];
        if (!output->categories || output->dimension) {
            continue;
        }
        int64_t counts[128];
        error = catalog ? IMP_OK : imp_catalog_open(path, &catalog);
        const imp_variable *v = error ? NULL : imp_catalog_find(catalog, output->name);
        error = error || !v ? error : imp_catalog_census(catalog, v, counts);
        for (int k = 0; !error && v && k < output->n_categories; k++) {
            const imp_mode *category = &output->categories[k];
            if (counts[category->code] > 0) {
                print_census_line(output->name, category->name, counts[category->code], v->size);
            }
        }
    }
    imp_catalog_close(&catalog);
    return error;
}
