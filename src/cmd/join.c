/* impactsweep join FILE PART... [--force] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "cmd/bundle.h"
#include "cmd/cmd.h"
#include "solve/block.h"
#include "store/catalog.h"
#include "store/fingerprint.h"
#include "store/map.h"
#include "store/verify.h"

enum { AT_ONCE = 1 << 16, MAX_OVERRIDES = 64 };

/* Reads the whole sweep again from the config in the part. */
static imp_err read_whole(const imp_catalog *part, bool guest, imp_sweep *sweep) {
    imp_recorded recorded = {.config_path = imp_catalog_words(part, "config_path"),
                             .config = imp_catalog_words(part, "config"),
                             .tables = imp_catalog_words(part, "tables")};
    imp_loader loader = imp_recorded_reader(&recorded);
    loader.no_guests = !guest;
    imp_text messages = {0};
    const char *overrides[MAX_OVERRIDES];
    int n = 0;
    char *words = strdup(imp_catalog_words(part, "overrides"));
    for (char *word = words ? strtok(words, "\n") : NULL; word && n < MAX_OVERRIDES;
         word = strtok(NULL, "\n")) {
        overrides[n++] = word;
    }
    imp_err error = imp_config_read(&loader, recorded.config_path, overrides, n, sweep, &messages);
    if (error == IMP_ERR_INPUT) {
        error = imp_fail(error, "the config in the part cannot be read%s:\n%s",
                         guest ? "" : " (a guest is only started with --guest)",
                         imp_text_get(&messages));
    }
    free(words);
    imp_text_free(&messages);
    return error;
}

/* Refuses a part of another sweep. */
static imp_err check_same_sweep(const char *path, const imp_sweep *whole, const imp_sweep *other) {
    imp_text one = {0}, two = {0}, differences = {0};
    imp_fingerprint(whole, &one);
    imp_fingerprint(other, &two);
    imp_fingerprint_compare(imp_text_get(&one), imp_text_get(&two), &differences);
    imp_err error = differences.length == 0
                        ? IMP_OK
                        : imp_fail(IMP_ERR_INPUT,
                                   "%s: belongs to another sweep than the first file (called 'the "
                                   "file' here; this one: 'the config'):\n%s",
                                   path, imp_text_get(&differences));
    imp_text_free(&one);
    imp_text_free(&two);
    imp_text_free(&differences);
    return error;
}

/* Checks that a file is the part of this sweep that it claims to be. Its cells are *first ..
 * *first+*count-1 of the whole. */
static imp_err check_part(const char *path, const imp_catalog *catalog, bool guest,
                          const imp_sweep *whole, int *part, int *parts, int64_t *first,
                          int64_t *count) {
    imp_sweep expected;
    int64_t from, to;
    imp_catalog_part(catalog, part, parts);
    if (*parts < 1 || *part < 1 || *part > *parts) {
        return imp_fail(IMP_ERR_INPUT, "%s: is not a part of a map", path);
    }
    imp_err error = read_whole(catalog, guest, &expected);
    if (error) {
        return error;
    }
    error = check_same_sweep(path, whole, &expected);
    error = error ? error : imp_sweep_take_part(&expected, *part, *parts);
    error = error ? error : imp_verify(catalog, &expected, NULL);
    imp_sweep_free(&expected);
    int64_t size = whole->grid.n_axes > 0 ? whole->grid.axes[0].size : 1;
    int64_t stride = whole->grid.n_axes > 0 ? imp_grid_stride(&whole->grid, 0) : 1;
    imp_part_of(size, *part, *parts, &from, &to);
    *first = from * stride;
    *count = (to - from) * stride;
    return error;
}

/* Copies values and outcomes of a part. *pending: cells that it lacks. */
static imp_err copy_part(const imp_catalog *catalog, const imp_sweep *whole, imp_map *map,
                         int64_t first, int64_t count, int64_t *pending) {
    size_t longest = 1;
    for (int o = 0; o < whole->n_outputs; o++) {
        size_t length = imp_output_length(&whole->theory->outputs[whole->outputs[o]]);
        longest = length > longest ? length : longest;
    }
    double *values = malloc(AT_ONCE * longest * sizeof *values);
    imp_layout layout = imp_layout_of(whole);
    unsigned char *block = malloc(imp_block_size(&layout, AT_ONCE));
    imp_err error = values && block ? IMP_OK : imp_out_of_memory();
    for (int64_t done = 0; !error && done < count; done += AT_ONCE) {
        size_t n = count - done < AT_ONCE ? (size_t)(count - done) : AT_ONCE;
        for (int o = 0; !error && o < whole->n_outputs; o++) {
            int output = whole->outputs[o];
            const imp_variable *v = imp_catalog_find(catalog, whole->theory->outputs[output].name);
            int64_t length = (int64_t)imp_output_length(&whole->theory->outputs[output]);
            error = imp_catalog_read(catalog, v, done * length, (int64_t)n * length, values);
            imp_block_put(whole, output, values, n, block + imp_block_offset(&layout, n, o));
        }
        unsigned char *outcomes = block + imp_block_offset(&layout, n, layout.n_outputs);
        error =
            error ? error
                  : imp_catalog_read(catalog, imp_catalog_grid(catalog), done, (int64_t)n, values);
        for (size_t i = 0; !error && i < n; i++) {
            outcomes[i] = (unsigned char)values[i];
            *pending += outcomes[i] == IMP_PENDING;
        }
        error = error ? error : imp_map_write(map, first + done, n, block);
    }
    free(values);
    free(block);
    return error;
}

typedef struct joining {
    imp_sweep whole;
    imp_catalog *from; /* the first part */
    imp_map *map;
    const char *output;
    imp_map_policy policy;
    bool guest; /* the guest of the sweep may be started */
    int parts;
    bool *seen; /* by part, from 1 */
    int64_t pending;
} joining;

/* The first part determines the whole. */
static imp_err begin(joining *j, const char *path) {
    int part;
    imp_err error = imp_catalog_open(path, &j->from);
    if (error) {
        return error;
    }
    imp_catalog_part(j->from, &part, &j->parts);
    j->seen = calloc((size_t)j->parts + 1, sizeof *j->seen);
    return j->seen ? read_whole(j->from, j->guest, &j->whole) : imp_out_of_memory();
}

/* Checks that a part fits and is not given twice. All parts are checked before anything is
 * written. */
static imp_err check(joining *j, const char *path, int parts, int part) {
    if (parts != j->parts || j->seen[part]) {
        return imp_fail(IMP_ERR_INPUT, "%s: is part %d of %d, %s", path, part, parts,
                        parts != j->parts ? "the first file is from another number of parts"
                                          : "which is given twice");
    }
    j->seen[part] = true;
    return IMP_OK;
}

static imp_err visit(joining *j, const char *path, bool copying) {
    imp_catalog *catalog;
    int part = 0, parts = 0;
    int64_t first = 0, count = 0;
    imp_err error = imp_catalog_open(path, &catalog);
    if (error) {
        return error;
    }
    error = j->from ? IMP_OK : begin(j, path);
    error = error ? error
                  : check_part(path, catalog, j->guest, &j->whole, &part, &parts, &first, &count);
    if (!error) {
        error = copying ? copy_part(catalog, &j->whole, j->map, first, count, &j->pending)
                        : check(j, path, parts, part);
    }
    imp_catalog_close(&catalog);
    return error;
}

static imp_err create(joining *j) {
    double seconds;
    imp_provenance provenance = {
        .config_path = imp_catalog_words(j->from, "config_path"),
        .config = imp_catalog_words(j->from, "config"),
        .tables = imp_catalog_words(j->from, "tables"),
        .overrides = imp_catalog_words(j->from, "overrides"),
        .command = "impactsweep join",
        .libraries = imp_libraries(),
    };
    return imp_map_open(j->output, &j->whole, &provenance, j->policy, (imp_checkpoint){0}, NULL,
                        &j->map, &seconds);
}

/* Reports whether the map is complete. Cells of parts that were not named are pending. */
static int report(const joining *j) {
    int missing = 0;
    for (int part = 1; part <= j->parts; part++) {
        missing += !j->seen[part];
    }
    if (missing == 0 && j->pending == 0) {
        imp_say(stdout, "%s is complete\n", j->output);
        return IMP_EXIT_OK;
    }
    imp_say(stderr,
            "impactsweep: %d of %d parts are missing, %lld cells of the others are pending; "
            "run --resume completes %s\n",
            missing, j->parts, (long long)j->pending, j->output);
    return IMP_EXIT_STOPPED;
}

static imp_err join(joining *j, char *const *paths, int n) {
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < n; i++) {
        error = imp_is_same_file(paths[i], j->output)
                    ? imp_fail(IMP_ERR_INPUT, "%s: is both a part and the output", paths[i])
                    : visit(j, paths[i], false);
    }
    error = error ? error : create(j);
    for (int i = 0; !error && i < n; i++) {
        error = visit(j, paths[i], true);
    }
    return error ? error : imp_map_finish(j->map);
}

typedef struct request {
    bool force, guest;
} request;

static const imp_switch switches[] = {
    IMP_FLAG("force", force, "replace FILE"),
    IMP_FLAG(
        "guest", guest,
        "of maps of a guest: start the command that the parts record, to compare its description"),
};

static int join_parts(int argc, char **argv) {
    request r = {0};
    int n;
    signal(SIGPIPE,
           SIG_IGN); /* the map must be finished even if a reader of the output goes away */
    int code = imp_read_switches(&imp_command_join, argc, argv, &r, &n);
    joining j = {
        .policy = r.force ? IMP_MAP_REPLACE : IMP_MAP_NEW, .guest = r.guest, .output = argv[1]};
    code = code ? code : imp_follow_link(&j.output);
    if (code) {
        return code;
    }
    imp_session session = {.start = imp_seconds_utc(), .ranks = 1};
    imp_err error = join(&j, argv + 2, n - 1);
    code = error ? imp_exit(error) : report(&j);
    session.end = imp_seconds_utc();
    if (!error && imp_map_note_session(j.map, &session, code == IMP_EXIT_OK)) {
        code = imp_exit(IMP_ERR_IO);
    }
    if (error && j.map) {
        remove(j.output);
    }
    imp_err closed = imp_map_close(&j.map);
    code = closed && !error ? imp_exit(closed) : code;
    imp_sweep_free(&j.whole);
    imp_catalog_close(&j.from);
    free(j.seen);
    return code;
}

const imp_command imp_command_join = {
    .name = "join",
    .words = "FILE PART... [--force] [--guest]",
    .summary = "join the parts of a map that run --part made",
    .example = "run configs/pendulum-friction.yaml --part 1/2 -o first.h5\n"
               "run configs/pendulum-friction.yaml --part 2/2 -o second.h5\n"
               "join whole.h5 first.h5 second.h5",
    IMP_SWITCHES,
    .fewest = 2,
    .most = -1,
    .needed = "the map to write, or its parts, are missing",
    .makes_map = true,
    .run = join_parts,
};
