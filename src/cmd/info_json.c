/* The output of `info` as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/info_impl.h"
#include "store/map.h"

/* JSON is UTF-8, and so are maps; invalid text of a damaged map becomes ASCII with '?'. */
static json_t *json_text(const char *text) {
    json_t *string = json_string(text);
    char *plain = string ? NULL : strdup(text);
    for (char *at = plain; at && *at; at++) {
        *at = (unsigned char)*at < 0x80 ? *at : '?';
    }
    string = plain ? json_string(plain) : string;
    free(plain);
    return string;
}

/* null for "". */
static json_t *json_optional(const char *text) {
    return text[0] ? json_text(text) : json_null();
}

static json_t *json_whole(double value) {
    return fabs(value) < 0x1p53 ? json_integer((json_int_t)value) : json_null();
}

/* In a damaged map several codes may have one name, or none. */
static json_t *json_census(const imp_variable *v, const census *counted) {
    json_t *object = json_object();
    for (int code = 0; code < 128; code++) {
        char number[16];
        const char *flag = imp_variable_flag(v, code);
        bool is_none = code == 0 && v->role == IMP_IS_OUTPUT;
        if (counted->counts[code] > 0 && !is_none) {
            snprintf(number, sizeof number, "%d", code);
            json_t *same = json_object_get(object, flag ? flag : number);
            json_object_set_new(object, flag ? flag : number,
                                json_integer(counted->counts[code] + json_integer_value(same)));
        }
    }
    return object;
}

static json_t *json_value(const imp_variable *v, double value) {
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    return flag ? json_text(flag) : imp_json_real(value);
}

/* {parameter that follows others: its formula}. */
static json_t *json_formulas(const contents *c) {
    json_t *object = json_object();
    for (int i = 0; i < imp_catalog_count(c->catalog); i++) {
        const imp_variable *v = imp_catalog_at(c->catalog, i);
        if (v->formula[0] && imp_info_is_given(v)) {
            json_object_set_new(object, v->name, json_text(v->formula));
        }
    }
    return object;
}

static json_t *json_variables(const contents *c, json_t *fixed, json_t *outputs) {
    json_t *axes = json_array();
    for (int i = 0; i < imp_catalog_count(c->catalog); i++) {
        const imp_variable *v = imp_catalog_at(c->catalog, i);
        double ends[2];
        if (v->role == IMP_IS_OUTPUT) {
            json_array_append_new(outputs, json_text(v->name));
        } else if (!imp_info_is_given(v) || !imp_info_first_and_last(c, v, ends)) {
            continue;
        } else if (v->rank == 0) {
            json_object_set_new(fixed, v->name, json_value(v, ends[0]));
        } else {
            json_array_append_new(
                axes,
                json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "name", json_text(v->name),
                          "dimension", json_text(v->dimensions[0]), "size", (json_int_t)v->size,
                          "unit", json_text(v->unit), "from", json_value(v, ends[0]), "to",
                          json_value(v, ends[1]), "spacing", json_optional(v->spacing),
                          "distribution", json_optional(v->distribution)));
        }
    }
    return axes;
}

static json_t *json_sessions(const contents *c) {
    json_t *list = json_array();
    session s;
    for (int64_t i = 0; i < IMP_MAX_SESSIONS && imp_info_session(c, i, &s); i++) {
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o, s:o}", "start",
                                              imp_json_real(s.start), "end", imp_json_real(s.end),
                                              "seconds", imp_json_real(s.seconds), "ranks",
                                              json_whole(s.ranks), "job", json_whole(s.job)));
    }
    return list;
}

/* Adds the progress of a map and the outcomes of its cells. */
static void add_cells(json_t *object, const contents *c) {
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    bool has_grid = imp_catalog_has_grid(c->catalog); /* otherwise the outcomes belong to points */
    if (has_grid) {
        json_object_set_new(object, "cells", json_integer(grid->size));
    }
    json_object_set_new(object, "done", json_integer(grid->size - imp_info_pending(c)));
    json_object_set_new(object, "complete", json_boolean(has_grid && imp_info_pending(c) == 0));
    if (c->busy) {
        json_object_set_new(object, "writer", json_text(c->writer));
    }
    json_object_set_new(object, "outcomes", json_census(grid, &c->outcomes));
    if (c->mode) {
        json_object_set_new(object, "modes", json_census(c->mode, &c->modes));
    }
}

static void add_attributes(json_t *object, const contents *c) {
    static const char *const attributes[] = {"title",           "search",
                                             "figure",          "theory",
                                             "program_version", "source_revision",
                                             "libraries",       "compiler",
                                             "created",         "host",
                                             "processor",       "config_path",
                                             "overrides",       "residual_identity",
                                             "outcome"};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        imp_text text = {0};
        if (imp_catalog_text(c->catalog, attributes[i], &text)) {
            json_object_set_new(object, attributes[i], json_text(imp_text_get(&text)));
        }
        imp_text_free(&text);
    }
}

imp_err imp_info_json(const char *path, const contents *c, json_t **made) {
    *made = NULL;
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    json_t *object = json_object(), *fixed = json_object(), *outputs = json_array();
    json_object_set_new(object, "file", json_text(path));
    add_attributes(object, c);
    json_object_set_new(object, "axes", json_variables(c, fixed, outputs));
    json_object_set_new(object, "fixed", fixed);
    json_object_set_new(object, "formulas", json_formulas(c));
    json_object_set_new(object, "outputs", outputs);
    if (c->is_history) {
        json_object_set_new(object, "rows", json_integer(grid->size));
    } else {
        add_cells(object, c);
    }
    imp_err error = imp_catalog_is_refined(c->catalog) ? imp_info_add_refined(c, object) : IMP_OK;
    if (error) {
        json_decref(object);
        return error;
    }
    json_t *categories = json_object();
    for (int i = 0; i < c->n_flags; i++) {
        json_object_set_new(categories, c->flags[i].variable->name,
                            json_census(c->flags[i].variable, &c->flags[i].counted));
    }
    json_object_set_new(object, "categories", categories);
    json_object_set_new(object, "sessions", json_sessions(c));
    if (c->digest[0]) {
        json_object_set_new(object, "digest", json_string(c->digest));
    }
    *made = object;
    return IMP_OK;
}

int imp_info_print_json(const char *path, const contents *c) {
    json_t *object;
    imp_err error = imp_info_json(path, c, &object);
    return error ? imp_exit(error) : imp_print_json(object);
}
