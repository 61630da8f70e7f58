#include "cmd/info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tables.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/value.h"

/* The facts on their way to a reader: each is fetched once, and then written as JSON or printed. */
typedef struct facts {
    const imp_contents *contents;
    const imp_catalog *catalog;
    imp_json *json; /* NULL: text */
} facts;

/* ---- attributes ---- */

/* The word for an attribute in the text; NULL: the text leaves it out. */
typedef struct attribute {
    const char *name, *word;
} attribute;

/* Whether an attribute tells of the machine that computed the map. */
static bool is_of_machine(const char *name) {
    static const char *const names[] = {"host", "processor", "compiler", "libraries",
                                        "config_path"};
    return imp_word_number(name, names, IMP_COUNT(names)) >= 0;
}

static void say_attribute(const facts *f, const attribute *a) {
    const char *text = imp_catalog_text(f->catalog, a->name);
    if (text && f->json) {
        imp_json_string(f->json, a->name, text);
    } else if (text && a->word) {
        imp_say(stdout, "%-14s %s\n", a->word, text);
    }
}

static void say_attributes(const facts *f, bool stranger) {
    static const attribute attributes[] = {{"title", "title"},
                                           {"search", "search"},
                                           {"uncertain", "uncertain"},
                                           {"figure", NULL},
                                           {"theory", NULL},
                                           {"program_version", "version"},
                                           {"source_revision", "revision"},
                                           {"libraries", NULL},
                                           {"compiler", NULL},
                                           {"created", "created"},
                                           {"host", "host"},
                                           {"processor", NULL},
                                           {"config_path", NULL},
                                           {"overrides", NULL},
                                           {"residual_identity", NULL},
                                           {"outcome", NULL}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!stranger || !is_of_machine(attributes[i].name)) {
            say_attribute(f, &attributes[i]);
        }
    }
}

/* The lines of the attribute, "springs: compliant body=rod law=linear". */
static void say_cases(const facts *f) {
    const char *cases = imp_catalog_text(f->catalog, "cases");
    if (!cases) {
        return;
    }
    imp_json_begin_frame(f->json, "cases", false);
    for (size_t length; *cases; cases += length + (cases[length] == '\n')) {
        imp_text line = {0};
        length = strcspn(cases, "\n");
        imp_text_append(&line, cases, length);
        char *colon = line.bytes ? strstr(line.bytes, ": ") : NULL;
        if (colon && f->json) {
            *colon = 0;
            imp_json_string(f->json, line.bytes, colon + 2);
        } else if (!f->json) {
            imp_say(stdout, "%-14s %s\n", "case", imp_text_get(&line));
        }
        imp_text_free(&line);
    }
    imp_json_end_frame(f->json, false);
}

/* ---- parameters and outputs ---- */

static bool is_given(const imp_variable *v) {
    return v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN || v->role == IMP_IS_FIXED;
}

static bool find_ends(const facts *f, const imp_variable *v, double ends[2]) {
    return imp_catalog_read(f->catalog, v, 0, 1, &ends[0]) == IMP_OK &&
           imp_catalog_read(f->catalog, v, v->size - 1, 1, &ends[1]) == IMP_OK;
}

static void add_value(imp_json *json, const char *name, const imp_variable *v, double value) {
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (flag) {
        imp_json_string(json, name, flag);
    } else {
        imp_json_number(json, name, value);
    }
}

static const char *or_null(const char *text) {
    return text[0] ? text : NULL;
}

static void add_axis(imp_json *json, const imp_variable *v, const double ends[2]) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", v->name);
    imp_json_string(json, "dimension", v->dimensions[0]);
    imp_json_whole(json, "size", v->size);
    imp_json_string(json, "unit", v->unit);
    add_value(json, "from", v, ends[0]);
    add_value(json, "to", v, ends[1]);
    imp_json_string(json, "spacing", or_null(v->spacing));
    imp_json_string(json, "distribution", or_null(v->distribution));
    imp_json_end_object(json);
}

static void print_axis(const imp_variable *v, const char *first, const char *last) {
    printf("%-14s %-22s %s values, ", v->role == IMP_IS_AXIS ? "axis" : "column", v->name,
           imp_count(v->size).text);
    if (v->distribution[0] && !v->formula[0]) {
        printf("%s\n", v->distribution);
    } else {
        const char *what = v->formula[0] ? v->formula : v->spacing;
        printf("%s to %s%s%s\n", first, last, v->formula[0] ? ", = " : *what ? ", " : "", what);
    }
}

static void say_axis(const facts *f, const imp_variable *v) {
    double ends[2];
    if (!is_given(v) || v->rank == 0 || !find_ends(f, v, ends)) {
        return;
    }
    if (f->json) {
        add_axis(f->json, v, ends);
    } else {
        print_axis(v, imp_shown_value(v, ends[0], 8).text, imp_shown_value(v, ends[1], 8).text);
    }
}

static void say_fixed(const facts *f, const imp_variable *v) {
    double ends[2];
    if (!is_given(v) || v->rank > 0 || !find_ends(f, v, ends)) {
        return;
    }
    if (f->json) {
        add_value(f->json, v->name, v, ends[0]);
    } else {
        imp_value_words value = {"in every cell"};
        value = isnan(ends[0]) ? value : imp_shown_value(v, ends[0], 8);
        printf("%-14s %-22s %s%s%s\n", "fixed", v->name, value.text, v->formula[0] ? ", = " : "",
               v->formula);
    }
}

/* In the text a formula stands behind the value. */
static void say_formula(const facts *f, const imp_variable *v) {
    if (f->json && v->formula[0] && is_given(v)) {
        imp_json_string(f->json, v->name, v->formula);
    }
}

static void say_output(const facts *f, const imp_variable *v) {
    bool bare = strcmp(v->unit, "1") == 0 || v->kind == IMP_CATEGORY;
    if (v->role == IMP_IS_OUTPUT && f->json) {
        imp_json_string(f->json, NULL, v->name);
    } else if (v->role == IMP_IS_OUTPUT) {
        printf("%-14s %-*s%s%s\n", "output", bare ? 0 : 22, v->name, bare ? "" : " ",
               bare ? "" : v->unit);
    }
}

/* Lists are of values, others of members. */
static const struct {
    const char *name;
    bool list;
    void (*say)(const facts *, const imp_variable *);
} parts[] = {{"axes", true, say_axis},
             {"fixed", false, say_fixed},
             {"formulas", false, say_formula},
             {"outputs", true, say_output}};

static void say_variables(const facts *f) {
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        imp_json_begin_frame(f->json, parts[p].name, parts[p].list);
        for (const imp_variable *v = NULL; (v = imp_catalog_next(f->catalog, v)) != NULL;) {
            parts[p].say(f, v);
        }
        imp_json_end_frame(f->json, parts[p].list);
    }
}

/* ---- categories ---- */

/* In a damaged map several codes may have one name, or none: JSON has their sum under the first. */
static void add_count(imp_json *json, const imp_variable *v, const imp_census *counted, int code) {
    char number[16];
    const char *flag = imp_variable_flag(v, code);
    int64_t sum = 0;
    for (int other = v->role == IMP_IS_OUTPUT; other < 128; other++) {
        const char *same = imp_variable_flag(v, other);
        bool is_same = other == code || (flag && same && strcmp(flag, same) == 0);
        if (is_same && counted->counts[other] > 0 && other < code) {
            return;
        }
        sum += is_same ? counted->counts[other] : 0;
    }
    snprintf(number, sizeof number, "%d", code);
    imp_json_whole(json, flag ? flag : number, sum);
}

/* name: in JSON; word: in the text. */
static void say_census(const facts *f, const char *name, const char *word, const imp_variable *v,
                       const imp_census *counted) {
    imp_json_begin_frame(f->json, name, false);
    for (int code = v->role == IMP_IS_OUTPUT; code < 128; code++) { /* 0 of an output: none */
        const char *flag = imp_variable_flag(v, code);
        if (counted->counts[code] > 0 && f->json) {
            add_count(f->json, v, counted, code);
        } else if (counted->counts[code] > 0) {
            printf("%-14s %-26s %15s  %6.2f %%\n", word, flag ? flag : "?",
                   imp_count(counted->counts[code]).text,
                   100 * (double)counted->counts[code] / (double)v->size);
        }
    }
    imp_json_end_frame(f->json, false);
}

static void say_categories(const facts *f) {
    imp_json_begin_frame(f->json, "categories", false);
    for (int i = 0; i < f->contents->n_flags; i++) {
        const imp_flag_census *flag = &f->contents->flags[i];
        say_census(f, flag->variable->name, flag->variable->name, flag->variable, &flag->counted);
    }
    imp_json_end_frame(f->json, false);
}

/* ---- cells ---- */

static void add_progress(imp_json *json, const imp_contents *c, int64_t cells, int64_t done) {
    bool has_grid = imp_catalog_has_grid(c->catalog); /* otherwise the outcomes belong to points */
    if (has_grid) {
        imp_json_whole(json, "cells", cells);
    }
    imp_json_whole(json, "done", done);
    imp_json_truth(json, "complete", has_grid && done == cells);
    if (c->busy) {
        imp_json_string(json, "writer", c->writer);
    }
}

static void print_progress(const imp_contents *c, int64_t cells, int64_t done) {
    printf("%-14s %s of %s, %.2f %%%s\n", "done", imp_count(done).text,
           imp_things(cells, "cell", "cells").text, 100 * (double)done / (double)cells,
           done < cells ? "" : ", complete");
    if (c->busy) {
        printf("%-14s %s; counts are of the cells that are marked as done\n", "state", c->writer);
    }
}

static void say_cells(const facts *f) {
    const imp_contents *c = f->contents;
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    int64_t done = grid->size - imp_contents_pending(c);
    if (f->json) {
        add_progress(f->json, c, grid->size, done);
    } else {
        print_progress(c, grid->size, done);
    }
    say_census(f, "outcomes", "outcome", grid, &c->outcomes);
    if (c->mode) {
        say_census(f, "modes", "mode", c->mode, &c->modes);
    }
}

static void say_rows(const facts *f) {
    static const attribute outcome = {"outcome", "outcome"};
    const imp_variable *cell = imp_catalog_find(f->catalog, "cell");
    double ends[2];
    imp_few_words cells = {"one cell"};
    int64_t n = imp_catalog_grid(f->catalog)->size;
    if (f->json) {
        imp_json_whole(f->json, "rows", n);
        return;
    }
    if (cell && find_ends(f, cell, ends)) {
        cells = imp_things((int64_t)ends[1], "cell", "cells");
    }
    printf("%-14s %s, samples and events of %s\n", "rows", imp_count(n).text, cells.text);
    say_attribute(f, &outcome);
}

/* ---- sessions ---- */

static void print_session(const imp_past_session *s) {
    printf("%-14s %s to %s, %s, %s of computing", "session", imp_moment(s->start).text,
           s->end > 0 ? imp_moment(s->end).text : "?",
           imp_things((int64_t)s->ranks, "rank", "ranks").text, imp_duration(s->seconds).text);
    printf(s->job > 0 ? ", job %.0f\n" : "\n", s->job);
}

static void add_whole(imp_json *json, const char *name, double value) {
    if (fabs(value) < 0x1p53) {
        imp_json_whole(json, name, (int64_t)value);
    } else {
        imp_json_string(json, name, NULL);
    }
}

static void add_session(imp_json *json, const imp_past_session *s) {
    imp_json_object(json, NULL);
    imp_json_number(json, "start", s->start);
    imp_json_number(json, "end", s->end);
    imp_json_number(json, "seconds", s->seconds);
    add_whole(json, "ranks", s->ranks);
    add_whole(json, "job", s->job);
    imp_json_end_object(json);
}

static void say_sessions(const facts *f) {
    imp_past_session s;
    imp_json_begin_frame(f->json, "sessions", true);
    for (int64_t i = 0; imp_past_session_at(f->contents, i, &s); i++) {
        if (f->json) {
            add_session(f->json, &s);
        } else {
            print_session(&s);
        }
    }
    imp_json_end_frame(f->json, true);
}

/* ---- all of it ---- */

/* A stranger learns the name of the file, but not where it is. */
static void say_file(const facts *f, const char *path, bool stranger) {
    const char *name = stranger ? strrchr(path, '/') : NULL;
    path = name ? name + 1 : path;
    if (f->json) {
        imp_json_string(f->json, "file", path);
    } else {
        imp_say(stdout, "%-14s %s\n", f->contents->is_history ? "history" : "file", path);
    }
    say_attributes(f, stranger);
    say_cases(f);
    say_variables(f);
}

static imp_err say_map(const facts *f) {
    if (f->json || imp_catalog_has_grid(f->catalog)) { /* the text counts points as such */
        say_cells(f);
    }
    return imp_catalog_is_refined(f->catalog) ? imp_info_refined(f->contents, f->json)
                                              : imp_info_space(f->contents, f->json);
}

static void say_digest(const facts *f) {
    const char *digest = f->contents->digest;
    if (digest[0] && f->json) {
        imp_json_string(f->json, "digest", digest);
    } else if (digest[0]) {
        printf("%-14s %s\n", "digest", digest);
    }
}

imp_err imp_info_facts(const imp_contents *contents, const char *path, const char *name,
                       imp_info_reader reader) {
    const facts f = {.contents = contents, .catalog = contents->catalog, .json = reader.json};
    imp_err error = IMP_OK;
    imp_json_begin_frame(f.json, name, false);
    say_file(&f, path, reader.stranger);
    if (!f.json) {
        say_sessions(&f);
    }
    if (contents->is_history) {
        say_rows(&f);
    } else {
        error = say_map(&f);
    }
    say_categories(&f);
    if (f.json && !reader.stranger) {
        say_sessions(&f);
    }
    say_digest(&f);
    imp_json_end_frame(f.json, false);
    return error;
}
