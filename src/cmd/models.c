/* impactsweep models [THEORY] [--markdown|--json] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "config/config.h"
#include "models/describe.h"

typedef enum form { PLAIN, MARKDOWN, JSON } form;

/* "real", or "real x 4 (root_number)" for an output of several values. */
static void kind_text(const imp_output *output, imp_text *text) {
    imp_text_print(text, "%s", imp_models_kind(output->kind));
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

/* Appends words that are separated by blanks, with commas between them; nothing if there are
 * none. */
static void append_list(imp_text *text, const char *before, const imp_text *words,
                        const char *after) {
    const char *at = imp_text_get(words);
    for (int i = 0; *at; i++) {
        size_t length = strcspn(at, " ");
        imp_text_print(text, "%s%.*s", i ? ", " : before, (int)length, at);
        at += length + (at[length] == ' ');
    }
    imp_text_print(text, "%s", words->length ? after : "");
}

static void print_parameter(form f, const imp_theory *theory, const imp_parameter *parameter) {
    imp_few_words range = imp_range(parameter), fallback = {""};
    imp_text where = {0}, meaning = {0};
    if (!isnan(parameter->fallback)) {
        fallback = imp_number(parameter, parameter->fallback);
    }
    imp_models_applies_to(theory, parameter, false, &where);
    imp_text_print(&meaning, "%s%s%s", parameter->meaning,
                   !parameter->stands_for ? ""
                   : parameter->beside    ? "; given instead of or beside "
                                          : "; given instead of ",
                   parameter->stands_for ? parameter->stands_for : "");
    append_list(&meaning, " (", &where, ")");
    const char *cells[] = {parameter->name, parameter->unit, range.text, fallback.text,
                           imp_text_get(&meaning)};
    print_row(f, cells, 5);
    imp_text_free(&where);
    imp_text_free(&meaning);
}

/* A row for each name, or several where options differ in the definition. */
static void print_parameters(form f, const imp_theory *theory) {
    static const char *const heads[] = {"parameter", "unit", "range", "default", "meaning"};
    const imp_parameter *all[IMP_MAX_PARAMETERS], *definition[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(theory, all);
    start_table(f, "Parameters", heads, 5);
    for (int i = 0; i < n; i++) {
        int n_definitions = imp_models_definitions(theory, all[i]->name, definition);
        for (int k = 0; k < n_definitions; k++) {
            print_parameter(f, theory, definition[k]);
        }
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
        imp_models_undefined_in(theory, output, &undefined);
        kind_text(output, &kind);
        imp_text_print(&meaning, "%s", output->meaning);
        append_list(&meaning, " (undefined in mode ", &undefined, "");
        if (output->undefined_when) {
            imp_text_print(&meaning, "%s when %s", undefined.length ? ", and" : " (undefined",
                           output->undefined_when);
        }
        imp_text_print(&meaning, undefined.length || output->undefined_when ? ")" : "");
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

/* The condition under which outputs have SI units. */
static void print_units(form f, const imp_theory *theory) {
    const char *quote = f == MARKDOWN ? "`" : "";
    if (theory->n_unit_parameters == 0) {
        return;
    }
    printf(f == MARKDOWN ? "\nOutputs have SI units if " : "outputs have SI units if ");
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        const char *between = u == 0 ? "" : u + 1 < theory->n_unit_parameters ? ", " : " and ";
        printf("%s%s%s%s", between, quote, theory->unit_parameters[u], quote);
    }
    printf(" %s given, as far as they apply; otherwise their unit is 1%s\n",
           theory->n_unit_parameters == 1   ? "is"
           : theory->n_unit_parameters == 2 ? "are both"
                                            : "are all",
           f == MARKDOWN ? "." : "");
}

/* The columns, phases and events that `trace` writes. */
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

/* ---- the command ---- */

static int unknown_theory(const char *name) {
    const char *names[64];
    size_t n = 0;
    for (const imp_theory *theory = NULL;
         n < 64 && (theory = imp_theory_offered(theory)) != NULL;) {
        names[n++] = theory->name;
    }
    imp_few_words hint = imp_hint(name, names, n);
    return imp_usage_error("there is no theory '%s'%s", name,
                           hint.text[0] ? hint.text : "; see impactsweep models");
}

static bool is_among(const imp_option *option, const imp_option *const *list, int n) {
    for (int i = 0; i < n; i++) {
        if (strcmp(option->name, list[i]->name) == 0) {
            return true;
        }
    }
    return false;
}

/* Prints every body, and the theories that have it. */
static void print_bodies(void) {
    enum { MOST = 64 };
    const imp_option *bodies[MOST];
    int n = 0;
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        int c = imp_theory_choice(theory, "body");
        for (int o = 0; c >= 0 && o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            if (n < MOST && !is_among(option, bodies, n)) {
                bodies[n++] = option;
            }
        }
    }
    int width = 0;
    for (int b = 0; b < n; b++) {
        int length = (int)strlen(bodies[b]->meaning);
        width = length > width ? length : width;
    }
    printf("\nbodies, and the theories that have them\n");
    for (int b = 0; b < n; b++) {
        printf("%-18s %-*s", bodies[b]->name, width, bodies[b]->meaning);
        for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
            int c = imp_theory_choice(theory, "body");
            bool takes = c >= 0 && imp_choice_option(&theory->choices[c], bodies[b]->name) >= 0;
            printf("%s%s", takes ? " " : "", takes ? theory->name : "");
        }
        printf("\n");
    }
}

/* Appends the theories with a mode of this common name, each with the name that it has for it, and
 * returns their number. */
static int print_agreeing(form f, const char *common, imp_text *text) {
    const char *own = f == MARKDOWN ? " (`%s`)" : " (%s)";
    int found = 0;
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        for (int m = 0; m < theory->n_modes; m++) {
            const imp_mode *mode = &theory->modes[m];
            if (strcmp(imp_mode_common(theory, mode), common) == 0) {
                imp_text_print(text, "%s%s", found++ > 0 ? ", " : "", theory->name);
                imp_text_print(text, strcmp(mode->name, common) != 0 ? own : "", mode->name);
            }
        }
    }
    return found;
}

/* Whether no theory before this one has a mode of this common name. */
static bool is_first(const imp_theory *theory, const char *common) {
    for (const imp_theory *before = NULL; (before = imp_theory_offered(before)) != theory;) {
        for (int m = 0; m < before->n_modes; m++) {
            if (strcmp(imp_mode_common(before, &before->modes[m]), common) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* Prints the modes that several theories have, by their common names. */
static void print_agreements(form f) {
    static const char *const heads[] = {"mode", "theories, and the names that they have for it"};
    start_table(f, "Modes that mean the same", heads, 2);
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        for (int m = 0; m < theory->n_modes; m++) {
            const char *common = imp_mode_common(theory, &theory->modes[m]);
            imp_text theories = {0};
            if (is_first(theory, common) && print_agreeing(f, common, &theories) > 1) {
                print_row(f, (const char *const[]){common, imp_text_get(&theories)}, 2);
            }
            imp_text_free(&theories);
        }
    }
}

static int print_all(form f) {
    if (f == MARKDOWN) {
        printf("# Theories\n\nWritten by `impactsweep models --markdown`.\n");
        print_agreements(f);
    }
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        if (f == MARKDOWN) {
            print_theory(f, theory);
        } else {
            printf("%-14s %s\n", theory->name, theory->title);
        }
    }
    if (f == PLAIN) {
        print_agreements(f);
        print_bodies();
    }
    return IMP_EXIT_OK;
}

/* Of one theory, or of all. */
static int print_json(const imp_theory *theory) {
    imp_json json = {.depth = 0};
    if (theory) {
        imp_models_json(&json, NULL, theory);
    } else {
        imp_models_json_of_all(&json, NULL);
    }
    return imp_print_json(&json);
}

typedef struct request {
    bool markdown, json;
} request;

static const imp_switch switches[] = {
    IMP_FLAG("markdown", markdown, "print the reference page of the theories"),
    IMP_FLAG("json", json, "print the tables as JSON"),
};

/* A theory of the registry, or a guest that the words behind its name call. */
static int find_theory(char **words, int n, const imp_theory **theory, imp_owned **owned) {
    const char *name = n > 0 ? words[0] : NULL;
    *theory = name ? imp_theory_find(name) : NULL;
    if (name && strncmp(name, "guest", 5) == 0) {
        imp_text messages = {0};
        imp_err error =
            imp_config_guest(name, (const char *const *)words + 1, n - 1, theory, owned, &messages);
        return imp_exit_reader(error, &messages);
    }
    if (n > 1) {
        return imp_usage_error("models: '%s' is too much, one THEORY is allowed", words[1]);
    }
    return name && !*theory ? unknown_theory(name) : IMP_EXIT_OK;
}

static int models(int argc, char **argv) {
    request r = {.json = false};
    int n;
    int code = imp_read_switches(&imp_command_models, argc, argv, &r, &n);
    if (code) {
        return code;
    }
    form f = r.json ? JSON : r.markdown ? MARKDOWN : PLAIN;
    const imp_theory *theory;
    imp_owned *owned = NULL;
    code = find_theory(argv + 1, n, &theory, &owned);
    if (!code && f == JSON) {
        code = print_json(theory);
    } else if (!code && theory) {
        print_theory(f, theory);
    } else if (!code) {
        code = print_all(f);
    }
    imp_owned_end(&owned);
    return code;
}

const imp_command imp_command_models = {
    .name = "models",
    .words = "[THEORY | guest command=...] [--markdown|--json]",
    .summary = "list theories, their parameters, outputs and modes",
    .example = "models compliant",
    IMP_SWITCHES,
    .most = -1,
    .run = models,
};
