/* impactsweep info FILE [--json] [--digest] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/constants.h"
#include "base/error.h"
#include "cmd/cmd.h"
#include "cmd/info_impl.h"
#include "store/history_file.h"
#include "store/lock.h"
#include "store/map.h"

/* Adds the codes to a census; if outcomes are given, only those of cells that are not pending. */
static void count_codes(const double *codes, const double *outcomes, int64_t n, census *counted) {
    for (int64_t i = 0; i < n; i++) {
        if (!outcomes || outcomes[i] != IMP_PENDING) {
            counted->counts[codes[i] >= 0 && codes[i] < 127 ? (int)codes[i] : 127]++;
        }
    }
}

static imp_err count_flags(contents *c) {
    imp_err error = IMP_OK;
    for (int i = 0; !error && i < imp_catalog_count(c->catalog); i++) {
        const imp_variable *v = imp_catalog_at(c->catalog, i);
        if (imp_catalog_is_flag(c->catalog, v) && c->n_flags < IMP_MAX_OUTPUTS) {
            flag_census *f = &c->flags[c->n_flags++];
            f->variable = v;
            error = imp_catalog_census(c->catalog, v, f->counted.counts);
        }
    }
    return error;
}

int64_t imp_info_pending(const contents *c) {
    return c->outcomes.counts[IMP_PENDING];
}

/* Counts again, in one pass, outcomes and codes of only the cells that are marked as done, because
 * values reach the file before their marks. */
static imp_err count_marked(contents *c) {
    enum { AT_ONCE = 1 << 16 };
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    double *outcomes = malloc(2 * AT_ONCE * sizeof *outcomes), *codes = outcomes + AT_ONCE;
    imp_err error = outcomes ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
    census *counted[IMP_MAX_OUTPUTS + 1] = {&c->modes};
    const imp_variable *variables[IMP_MAX_OUTPUTS + 1] = {c->mode};
    for (int f = 0; f < c->n_flags; f++) {
        counted[f + 1] = &c->flags[f].counted;
        variables[f + 1] = c->flags[f].variable;
    }
    for (int v = 0; v <= c->n_flags; v++) {
        *counted[v] = (census){{0}};
    }
    c->outcomes = (census){{0}};
    for (int64_t first = 0; !error && first < grid->size; first += AT_ONCE) {
        int64_t n = grid->size - first < AT_ONCE ? grid->size - first : AT_ONCE;
        error = imp_catalog_read(c->catalog, grid, first, n, outcomes);
        count_codes(outcomes, NULL, n, &c->outcomes);
        for (int v = 0; !error && v <= c->n_flags; v++) {
            if (variables[v] && variables[v]->kind == IMP_CATEGORY) {
                error = imp_catalog_read(c->catalog, variables[v], first, n, codes);
                count_codes(codes, outcomes, n, counted[v]);
            }
        }
    }
    free(outcomes);
    return error;
}

/* Notes the process that writes the file, if there is one. */
static void note_writer(const char *path, contents *c) {
    c->busy = imp_lock_refuse(path) != IMP_OK;
    if (c->busy) {
        const char *what = strstr(imp_last_error(), ": ");
        snprintf(c->writer, sizeof c->writer, "%s", what ? what + 2 : imp_last_error());
    }
}

/* Counts outcomes, modes and flags of a map. */
static imp_err count_cells(const char *path, contents *c) {
    c->mode = imp_catalog_find(c->catalog, "mode");
    imp_err error =
        imp_catalog_census(c->catalog, imp_catalog_grid(c->catalog), c->outcomes.counts);
    if (!error && c->mode && c->mode->kind == IMP_CATEGORY) {
        error = imp_catalog_census(c->catalog, c->mode, c->modes.counts);
    }
    error = error ? error : count_flags(c);
    if (!error && imp_info_pending(c) > 0) {
        error = count_marked(c);
        note_writer(path, c);
    }
    return error;
}

imp_err imp_info_open(const char *path, bool digest, contents *c) {
    *c = (contents){.is_history = imp_history_file_is(path)};
    imp_err error = c->is_history ? imp_catalog_open_history(path, &c->catalog)
                                  : imp_catalog_open(path, &c->catalog);
    if (!error) {
        error = c->is_history ? count_flags(c) : count_cells(path, c);
    }
    if (!error && digest) {
        error = imp_catalog_digest(c->catalog, c->digest);
    }
    return error;
}

bool imp_info_is_given(const imp_variable *v) {
    return v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN || v->role == IMP_IS_FIXED;
}

bool imp_info_first_and_last(const contents *c, const imp_variable *v, double ends[2]) {
    return imp_catalog_read(c->catalog, v, 0, 1, &ends[0]) == IMP_OK &&
           imp_catalog_read(c->catalog, v, v->size - 1, 1, &ends[1]) == IMP_OK;
}

static void value_text(const imp_variable *v, double value, size_t size, char *text) {
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (flag) {
        snprintf(text, size, "%s", flag);
    } else if (strcmp(v->unit, "rad") == 0) {
        snprintf(text, size, "%.8g deg", value * IMP_DEGREES_PER_RADIAN);
    } else {
        bool bare = strcmp(v->unit, "1") == 0;
        snprintf(text, size, "%.8g%s%s", value, bare ? "" : " ", bare ? "" : v->unit);
    }
}

/* ---- sessions ---- */

/* Session `index`; false if there was none. */
bool imp_info_session(const contents *c, int64_t index, session *s) {
    const struct {
        const char *name;
        double *value;
    } fields[] = {{"start", &s->start},
                  {"end", &s->end},
                  {"seconds", &s->seconds},
                  {"ranks", &s->ranks},
                  {"job", &s->job}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const imp_variable *v = imp_catalog_run(c->catalog, fields[i].name);
        if (!v || index >= v->size ||
            imp_catalog_read(c->catalog, v, index, 1, fields[i].value) != IMP_OK) {
            return false;
        }
    }
    return s->start > 0;
}

static void time_text(double seconds, size_t size, char *text) {
    time_t whole = (time_t)seconds;
    struct tm utc;
    snprintf(text, size, "?");
    if (isfinite(seconds) && fabs(seconds) < 1e11 && gmtime_r(&whole, &utc)) {
        strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
}

/* ---- text ---- */

static void print_attribute(const contents *c, const char *label, const char *name) {
    imp_text text = {0};
    if (imp_catalog_text(c->catalog, name, &text)) {
        imp_say(stdout, "%-14s %s\n", label, imp_text_get(&text));
    }
    imp_text_free(&text);
}

/* The values of a parameter, and the formula from which they follow. */
static void print_formula(const imp_variable *v, const char *values) {
    printf("%s%s%s\n", values, v->formula[0] ? ", = " : "", v->formula);
}

static void print_variables(const contents *c) {
    for (int i = 0; i < imp_catalog_count(c->catalog); i++) {
        const imp_variable *v = imp_catalog_at(c->catalog, i);
        double ends[2];
        char first[80], last[80], size[32];
        if (!imp_info_is_given(v) || !imp_info_first_and_last(c, v, ends)) {
            continue;
        }
        value_text(v, ends[0], sizeof first, first);
        value_text(v, ends[1], sizeof last, last);
        imp_count_text(v->size, size);
        if (v->rank == 0) {
            printf("%-14s %-22s ", "fixed", v->name);
            print_formula(v, isnan(ends[0]) ? "in every cell" : first);
        } else {
            printf("%-14s %-22s %s values, ", v->role == IMP_IS_AXIS ? "axis" : "column", v->name,
                   size);
            if (v->formula[0]) {
                char range[200];
                snprintf(range, sizeof range, "%s to %s", first, last);
                print_formula(v, range);
            } else if (v->distribution[0]) {
                printf("%s\n", v->distribution);
            } else {
                printf("%s to %s%s%s\n", first, last, v->spacing[0] ? ", " : "", v->spacing);
            }
        }
    }
    for (int i = 0; i < imp_catalog_count(c->catalog); i++) {
        const imp_variable *v = imp_catalog_at(c->catalog, i);
        if (v->role == IMP_IS_OUTPUT) {
            bool bare = strcmp(v->unit, "1") == 0 || v->kind == IMP_CATEGORY;
            printf("%-14s %-*s%s%s\n", "output", bare ? 0 : 22, v->name, bare ? "" : " ",
                   bare ? "" : v->unit);
        }
    }
}

static void print_census(const char *label, const imp_variable *v, const census *counted) {
    for (int code = 0; code < 128; code++) {
        char text[32];
        const char *flag = imp_variable_flag(v, code);
        if (counted->counts[code] == 0 || (code == 0 && v->role == IMP_IS_OUTPUT)) {
            continue;
        }
        imp_count_text(counted->counts[code], text);
        printf("%-14s %-26s %15s  %6.2f %%\n", label, flag ? flag : "?", text,
               100 * (double)counted->counts[code] / (double)v->size);
    }
}

static void print_sessions(const contents *c) {
    session s;
    for (int64_t i = 0; i < IMP_MAX_SESSIONS && imp_info_session(c, i, &s); i++) {
        char start[32], end[32], seconds[32], ranks[64];
        time_text(s.start, sizeof start, start);
        time_text(s.end, sizeof end, end);
        imp_seconds_text(s.seconds, sizeof seconds, seconds);
        printf("%-14s %s to %s, %s, %s of computing", "session", start, s.end > 0 ? end : "?",
               imp_things_text((int64_t)s.ranks, "rank", "ranks", ranks), seconds);
        printf(s.job > 0 ? ", job %.0f\n" : "\n", s.job);
    }
}

static void print_cells(const contents *c) {
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    char cells[64], done[32];
    imp_things_text(grid->size, "cell", "cells", cells);
    imp_count_text(grid->size - imp_info_pending(c), done);
    printf("%-14s %s of %s, %.2f %%%s\n", "done", done, cells,
           100 * (double)(grid->size - imp_info_pending(c)) / (double)grid->size,
           imp_info_pending(c) ? "" : ", complete");
    if (c->busy) {
        printf("%-14s %s; counts are of the cells that are marked as done\n", "state", c->writer);
    }
    print_census("outcome", grid, &c->outcomes);
    if (c->mode) {
        print_census("mode", c->mode, &c->modes);
    }
}

static void print_rows(const contents *c) {
    char rows[32];
    const imp_variable *cell = imp_catalog_find(c->catalog, "cell");
    double ends[2];
    imp_count_text(imp_catalog_grid(c->catalog)->size, rows);
    if (cell && imp_info_first_and_last(c, cell, ends)) {
        char cells[64];
        printf("%-14s %s, samples and events of %s\n", "rows", rows,
               imp_things_text((int64_t)ends[1], "cell", "cells", cells));
    } else {
        printf("%-14s %s, samples and events of one cell\n", "rows", rows);
    }
    print_attribute(c, "outcome", "outcome");
}

/* While it is refined a map has no cells, but points. */
static imp_err print_map(const contents *c) {
    if (imp_catalog_has_grid(c->catalog)) {
        print_cells(c);
    }
    return imp_catalog_is_refined(c->catalog) ? imp_info_print_refined(c) : IMP_OK;
}

static int print_text(const char *path, const contents *c) {
    imp_err error = IMP_OK;
    imp_say(stdout, "%-14s %s\n", c->is_history ? "history" : "file", path);
    print_attribute(c, "title", "title");
    print_attribute(c, "search", "search");
    print_attribute(c, "version", "program_version");
    print_attribute(c, "revision", "source_revision");
    print_attribute(c, "created", "created");
    print_attribute(c, "host", "host");
    print_variables(c);
    if (c->is_history) {
        print_rows(c);
    } else {
        print_sessions(c);
        error = print_map(c);
    }
    for (int i = 0; i < c->n_flags; i++) {
        print_census(c->flags[i].variable->name, c->flags[i].variable, &c->flags[i].counted);
    }
    if (c->digest[0]) {
        printf("%-14s %s\n", "digest", c->digest);
    }
    return imp_exit(error);
}

typedef struct request {
    bool json, digest;
} request;

static const imp_switch switches[] = {
    {"json", 0, NULL, "print one JSON object", imp_take_flag, offsetof(request, json)},
    {"digest", 0, NULL,
     "also print the SHA-256 of everything but the sessions: equal maps have equal digests",
     imp_take_flag, offsetof(request, digest)},
};

static int info(int argc, char **argv) {
    request r = {.json = false};
    int n;
    int code = imp_read_switches(&imp_command_info, argc, argv, &r, &n);
    if (code) {
        return code;
    }
    const char *path = argv[1];
    contents c;
    imp_err error = imp_info_open(path, r.digest, &c);
    code = error ? imp_exit(error) : r.json ? imp_info_print_json(path, &c) : print_text(path, &c);
    if (code == IMP_EXIT_OK) {
        code = imp_exit(imp_catalog_judge(c.catalog));
    }
    imp_catalog_close(&c.catalog);
    return code;
}

const imp_command imp_command_info = {
    .name = "info",
    .words = "FILE [--json] [--digest]",
    .summary = "show the contents and progress of a map, or the contents of a history",
    .example = "info map.h5 --digest",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .fewest = 1,
    .most = 1,
    .needed = "the file is missing",
    .reads_map = true,
    .run = info,
};
