/* impactsweep models [THEORY] [--markdown|--json] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"

typedef enum form { PLAIN, MARKDOWN, JSON } form;

/* Names of the options (of any choice) under which a parameter applies; "" for always. */
static void applies_to(const imp_theory *theory, const imp_parameter *parameter, imp_text *text) {
    for (int p = 0; p < theory->n_parameters; p++) {
        if (strcmp(theory->parameters[p]->name, parameter->name) == 0) {
            return;
        }
    }
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            for (int p = 0; p < option->n_parameters; p++) {
                if (strcmp(option->parameters[p]->name, parameter->name) == 0) {
                    imp_text_print(text, "%s%s", text->length ? " " : "", option->name);
                }
            }
        }
    }
}

/* Names of the modes in which an output is undefined. */
static void undefined_in(const imp_theory *theory, const imp_output *output, imp_text *text) {
    for (int m = 0; m < theory->n_modes; m++) {
        if (output->undefined_in >> theory->modes[m].code & 1) {
            imp_text_print(text, "%s%s", text->length ? " " : "", theory->modes[m].name);
        }
    }
}

static const char *kind_name(imp_kind kind) {
    static const char *const names[] = {
        [IMP_REAL] = "real", [IMP_CATEGORY] = "category", [IMP_SEQUENCE] = "sequence"};
    return names[kind];
}

/* "real", or "real x 4 (root_number)" for an output of several values. */
static void kind_text(const imp_output *output, imp_text *text) {
    imp_text_print(text, "%s", kind_name(output->kind));
    if (output->dimension) {
        imp_text_print(text, " x %d (%s)", output->length, output->dimension);
    }
}

/* ---- text ---- */

static void start_table(form f, const char *title, const char *const *heads, int n) {
    if (f == PLAIN) {
        printf("\n%s\n", title);
        return;
    }
    printf("\n### %s\n\n|", title);
    for (int i = 0; i < n; i++) {
        printf(" %s |", heads[i]);
    }
    printf("\n|");
    for (int i = 0; i < n; i++) {
        printf(" --- |");
    }
    printf("\n");
}

static void print_row(form f, const char *const *cells, int n) {
    static const int widths[] = {24, 8, 34, 9, 0, 0};
    if (f == MARKDOWN) {
        printf("| `%s` |", cells[0]);
    } else {
        printf("  %-*s", widths[0], cells[0]);
    }
    for (int i = 1; i < n; i++) {
        if (f == MARKDOWN) {
            printf(" %s |", cells[i]);
        } else {
            printf(" %-*s", i < n - 1 ? widths[i] : 0, cells[i]);
        }
    }
    printf("\n");
}

static void print_parameters(form f, const imp_theory *theory) {
    static const char *const heads[] = {"parameter", "unit", "range", "default", "meaning"};
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(theory, all);
    start_table(f, "Parameters", heads, 5);
    for (int i = 0; i < n; i++) {
        char range[64], fallback[32] = "";
        imp_text where = {0}, meaning = {0};
        imp_range_text(all[i], sizeof range, range);
        if (!isnan(all[i]->fallback)) {
            snprintf(fallback, sizeof fallback, "%g", all[i]->fallback);
        }
        applies_to(theory, all[i], &where);
        imp_text_print(&meaning, "%s%s%s%s%s%s", all[i]->meaning,
                       all[i]->stands_for ? "; given instead of " : "",
                       all[i]->stands_for ? all[i]->stands_for : "", where.length ? " (" : "",
                       imp_text_get(&where), where.length ? ")" : "");
        const char *cells[] = {all[i]->name, all[i]->unit, range, fallback, imp_text_get(&meaning)};
        print_row(f, cells, 5);
        imp_text_free(&where);
        imp_text_free(&meaning);
    }
}

static void print_choices(form f, const imp_theory *theory) {
    static const char *const heads[] = {"option", "meaning"};
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        imp_text title = {0};
        imp_text_print(&title, "Choice `%s`: %s%s%s", choice->name, choice->meaning,
                       choice->fallback >= 0 ? ", default " : "",
                       choice->fallback >= 0 ? choice->options[choice->fallback]->name : "");
        start_table(f, imp_text_get(&title), heads, 2);
        imp_text_free(&title);
        for (int o = 0; o < choice->n_options; o++) {
            const char *cells[] = {choice->options[o]->name, choice->options[o]->meaning};
            print_row(f, cells, 2);
        }
    }
}

static void print_outputs(form f, const imp_theory *theory) {
    static const char *const heads[] = {"output", "unit", "kind", "meaning"};
    start_table(f, "Outputs", heads, 4);
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        imp_text undefined = {0}, meaning = {0}, kind = {0};
        undefined_in(theory, output, &undefined);
        kind_text(output, &kind);
        imp_text_print(&meaning, "%s%s%s%s", output->meaning,
                       undefined.length ? " (undefined in mode " : "", imp_text_get(&undefined),
                       undefined.length ? ")" : "");
        if (output->undefined_when) {
            imp_text_print(&meaning, " (undefined when %s)", output->undefined_when);
        }
        const char *cells[] = {output->name, output->unit, imp_text_get(&kind),
                               imp_text_get(&meaning)};
        print_row(f, cells, 4);
        imp_text_free(&kind);
        imp_text_free(&undefined);
        imp_text_free(&meaning);
    }
}

static void print_codes(form f, const char *title, const char *head, const imp_mode *modes, int n) {
    const char *const heads[] = {head, "code", "meaning"};
    start_table(f, title, heads, 3);
    for (int m = 0; m < n; m++) {
        char code[16];
        snprintf(code, sizeof code, "%d", modes[m].code);
        const char *cells[] = {modes[m].name, code, modes[m].meaning};
        print_row(f, cells, 3);
    }
}

/* The modes, and the codes of each category that has its own. */
static void print_categories(form f, const imp_theory *theory) {
    print_codes(f, "Modes", "mode", theory->modes, theory->n_modes);
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        if (output->categories) {
            char title[80];
            snprintf(title, sizeof title, "Codes of `%s`", output->name);
            print_codes(f, title, "name", output->categories, output->n_categories);
        }
    }
}

/* When outputs bear their units. */
static void print_units(form f, const imp_theory *theory) {
    const char *quote = f == MARKDOWN ? "`" : "";
    if (theory->n_unit_parameters == 0) {
        return;
    }
    printf(f == MARKDOWN ? "\nOutputs bear their units when " : "outputs bear their units when ");
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        const char *between = u == 0 ? "" : u + 1 < theory->n_unit_parameters ? ", " : " and ";
        printf("%s%s%s%s", between, quote, theory->unit_parameters[u], quote);
    }
    printf(" are all given, as far as they apply%s\n", f == MARKDOWN ? "." : "");
}

/* What `trace` writes. */
static void print_history(form f, const imp_history *history) {
    static const char *const heads[] = {"column", "unit", "meaning"};
    start_table(f, "History: columns of `trace`", heads, 3);
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        const char *cells[] = {column->name, column->unit, column->meaning};
        print_row(f, cells, 3);
    }
    print_codes(f, "History: phases", "phase", history->phases, history->n_phases);
    print_codes(f, "History: events", "event", history->events, history->n_events);
}

static void print_theory(form f, const imp_theory *theory) {
    printf(f == MARKDOWN ? "\n## `%s`: %s\n\nSource: %s.\n\n`residual`: %s.\n"
                         : "%s: %s\nsource: %s\nresidual: %s\n",
           theory->name, theory->title, theory->source, theory->residual);
    if (theory->symbols) {
        printf(f == MARKDOWN ? "\nSymbols: %s.\n" : "symbols: %s\n", theory->symbols);
    }
    print_units(f, theory);
    print_choices(f, theory);
    print_parameters(f, theory);
    print_outputs(f, theory);
    print_categories(f, theory);
    if (theory->history) {
        print_history(f, theory->history);
    }
}

/* ---- JSON ---- */

static json_t *json_text(imp_text *text) {
    json_t *value = json_string(imp_text_get(text));
    imp_text_free(text);
    return value;
}

static json_t *json_parameters(const imp_theory *theory) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(theory, all);
    json_t *list = json_array();
    for (int i = 0; i < n; i++) {
        imp_text where = {0};
        applies_to(theory, all[i], &where);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:b, s:o, s:f, s:s?, s:o}", "name",
                            all[i]->name, "unit", all[i]->unit, "meaning", all[i]->meaning, "low",
                            imp_json_real(all[i]->low), "high", imp_json_real(all[i]->high),
                            "low_open", all[i]->low_open, "high_open", all[i]->high_open, "default",
                            imp_json_real(all[i]->fallback), "example", all[i]->example,
                            "stands_for", all[i]->stands_for, "applies_to", json_text(&where)));
    }
    return list;
}

static json_t *json_choices(const imp_theory *theory) {
    json_t *list = json_array();
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        json_t *options = json_array();
        for (int o = 0; o < choice->n_options; o++) {
            json_array_append_new(options, json_pack("{s:s, s:s}", "name", choice->options[o]->name,
                                                     "meaning", choice->options[o]->meaning));
        }
        const char *fallback =
            choice->fallback >= 0 ? choice->options[choice->fallback]->name : NULL;
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s?, s:o}", "name", choice->name, "meaning",
                                        choice->meaning, "default", fallback, "options", options));
    }
    return list;
}

static json_t *json_codes(const imp_mode *modes, int n) {
    json_t *list = json_array();
    for (int m = 0; m < n; m++) {
        json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "name", modes[m].name, "code",
                                              modes[m].code, "meaning", modes[m].meaning));
    }
    return list;
}

static json_t *json_output(const imp_theory *theory, const imp_output *output) {
    imp_text undefined = {0};
    undefined_in(theory, output, &undefined);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", output->name, "unit",
                               output->unit, "kind", kind_name(output->kind), "meaning",
                               output->meaning, "undefined_in", json_text(&undefined));
    if (output->undefined_when) {
        json_object_set_new(object, "undefined_when", json_string(output->undefined_when));
    }
    if (output->dimension) {
        json_object_set_new(object, "dimension", json_string(output->dimension));
        json_object_set_new(object, "length", json_integer(output->length));
    }
    if (output->categories) {
        json_object_set_new(object, "codes", json_codes(output->categories, output->n_categories));
    }
    return object;
}

static json_t *json_history(const imp_history *history) {
    json_t *columns = json_array();
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        json_array_append_new(columns, json_pack("{s:s, s:s, s:s}", "name", column->name, "unit",
                                                 column->unit, "meaning", column->meaning));
    }
    return json_pack("{s:o, s:o, s:o}", "columns", columns, "phases",
                     json_codes(history->phases, history->n_phases), "events",
                     json_codes(history->events, history->n_events));
}

static json_t *json_theory(const imp_theory *theory) {
    json_t *outputs = json_array(), *units = json_array();
    for (int o = 0; o < theory->n_outputs; o++) {
        json_array_append_new(outputs, json_output(theory, &theory->outputs[o]));
    }
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        json_array_append_new(units, json_string(theory->unit_parameters[u]));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:i, s:o, s:o, s:o, s:o, s:o, s:o*}", "name",
                     theory->name, "title", theory->title, "source", theory->source, "residual",
                     theory->residual, "symbols", theory->symbols, "results_version",
                     theory->results_version, "unit_parameters", units, "choices",
                     json_choices(theory), "parameters", json_parameters(theory), "outputs",
                     outputs, "modes", json_codes(theory->modes, theory->n_modes), "history",
                     theory->history ? json_history(theory->history) : NULL);
}

/* ---- the command ---- */

static int unknown_theory(const char *name) {
    const char *names[64];
    size_t n = 0;
    for (int i = 0; imp_theory_at(i) && n < 64; i++) {
        if (!imp_theory_at(i)->hidden) {
            names[n++] = imp_theory_at(i)->name;
        }
    }
    const char *nearest = imp_nearest(name, names, n);
    return nearest ? imp_usage_error("there is no theory '%s' (did you mean '%s'?)", name, nearest)
                   : imp_usage_error("there is no theory '%s'; see impactsweep models", name);
}

static bool is_among(const imp_option *option, const imp_option *const *list, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(option->name, list[i]->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Every body, and the theories that take it. */
static void print_bodies(void) {
    enum { MOST = 64 };
    const imp_option *bodies[MOST];
    int n = 0;
    for (int i = 0; imp_theory_at(i); i++) {
        const imp_theory *theory = imp_theory_at(i);
        int c = theory->hidden ? -1 : imp_theory_choice(theory, "body");
        for (int o = 0; c >= 0 && o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            if (n < MOST && !is_among(option, bodies, n)) {
                bodies[n++] = option;
            }
        }
    }
    printf("\nbodies, and the theories that take them\n");
    for (int b = 0; b < n; b++) {
        printf("%-18s %-52s", bodies[b]->name, bodies[b]->meaning);
        for (int i = 0; imp_theory_at(i); i++) {
            const imp_theory *theory = imp_theory_at(i);
            int c = theory->hidden ? -1 : imp_theory_choice(theory, "body");
            bool takes = c >= 0 && imp_choice_option(&theory->choices[c], bodies[b]->name) >= 0;
            printf("%s%s", takes ? " " : "", takes ? theory->name : "");
        }
        printf("\n");
    }
}

static int print_all(form f) {
    json_t *list = f == JSON ? json_array() : NULL;
    if (f == MARKDOWN) {
        printf("# Theories\n\nWritten by `impactsweep models --markdown`.\n");
    }
    for (int i = 0; imp_theory_at(i); i++) {
        const imp_theory *theory = imp_theory_at(i);
        if (theory->hidden) {
            continue;
        }
        if (f == JSON) {
            json_array_append_new(list, json_theory(theory));
        } else if (f == MARKDOWN) {
            print_theory(f, theory);
        } else {
            printf("%-14s %s\n", theory->name, theory->title);
        }
    }
    if (f == PLAIN) {
        print_bodies();
    }
    return f == JSON ? imp_print_json(list) : IMP_EXIT_OK;
}

typedef struct request {
    bool markdown, json;
} request;

static const imp_switch switches[] = {
    {"markdown", 0, NULL, "the reference page of the theories", imp_take_flag,
     offsetof(request, markdown)},
    {"json", 0, NULL, "everything as JSON", imp_take_flag, offsetof(request, json)},
};

static int models(int argc, char **argv) {
    request r = {.json = false};
    int n;
    int code = imp_read_switches(&imp_command_models, argc, argv, &r, &n);
    if (code) {
        return code;
    }
    form f = r.json ? JSON : r.markdown ? MARKDOWN : PLAIN;
    const char *name = n > 0 ? argv[1] : NULL;
    if (!name) {
        return print_all(f);
    }
    const imp_theory *theory = imp_theory_find(name);
    if (!theory) {
        return unknown_theory(name);
    }
    if (f == JSON) {
        return imp_print_json(json_theory(theory));
    }
    print_theory(f, theory);
    return IMP_EXIT_OK;
}

const imp_command imp_command_models = {
    .name = "models",
    .words = "[THEORY] [--markdown|--json]",
    .summary = "theories, their parameters, outputs and modes",
    .example = "models compliant",
    .switches = switches,
    .n_switches = sizeof switches / sizeof *switches,
    .most = 1,
    .run = models,
};
