#include "models/describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/signature.h"
#include "num/alike.h"

const char *imp_mode_common(const imp_theory *theory, const imp_mode *mode) {
    for (int a = 0; a < theory->n_agreements; a++) {
        if (strcmp(theory->agreements[a].mode, mode->name) == 0) {
            return theory->agreements[a].common;
        }
    }
    return mode->name;
}

const char *imp_code_name(const imp_mode *modes, int n, int code) {
    for (int i = 0; i < n; i++) {
        if (modes[i].code == code) {
            return modes[i].name;
        }
    }
    return NULL;
}

static const char *category_name(const imp_theory *theory, int output, int code) {
    int n;
    const imp_mode *categories = imp_output_categories(theory, &theory->outputs[output], &n);
    const char *name = imp_code_name(categories, n, code);
    return name ? name : code == 0 ? "none" : "?";
}

void imp_output_text(const imp_theory *theory, int output, double value, int digits, size_t size,
                     char *text) {
    switch (theory->outputs[output].kind) {
    case IMP_CATEGORY:
        snprintf(text, size, "%s", category_name(theory, output, (int)value));
        break;
    case IMP_SEQUENCE:
        imp_sequence_text((uint64_t)value, size, text);
        break;
    default:
        snprintf(text, size, isfinite(value) ? "%.*g" : "-", digits, value + 0.0 /* no -0 */);
    }
}

static bool is_same_definition(const imp_parameter *a, const imp_parameter *b) {
    return a == b || (strcmp(a->unit, b->unit) == 0 && strcmp(a->meaning, b->meaning) == 0 &&
                      a->low == b->low && a->high == b->high && a->low_open == b->low_open &&
                      a->high_open == b->high_open && imp_is_same(a->fallback, b->fallback));
}

int imp_models_definitions(const imp_theory *theory, const char *name,
                           const imp_parameter *found[IMP_MAX_PARAMETERS]) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    int n = 0, all = imp_theory_variants(theory, name, variants);
    for (int v = 0; v < all; v++) {
        bool known = false;
        for (int i = 0; i < n; i++) {
            known = known || is_same_definition(found[i], variants[v]);
        }
        if (!known && n < IMP_MAX_PARAMETERS) {
            found[n++] = variants[v];
        }
    }
    return n;
}

void imp_models_applies_to(const imp_theory *theory, const imp_parameter *definition, bool any,
                           imp_text *text) {
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            const imp_option *option = theory->choices[c].options[o];
            const imp_parameter *own = imp_option_parameter(option, definition->name);
            if (own && (any || is_same_definition(definition, own))) {
                imp_text_print(text, "%s%s", text->length ? " " : "", option->name);
            }
        }
    }
}

void imp_models_undefined_in(const imp_theory *theory, const imp_output *output, imp_text *text) {
    for (int m = 0; m < theory->n_modes; m++) {
        if (output->undefined_in >> theory->modes[m].code & 1) {
            imp_text_print(text, "%s%s", text->length ? " " : "", theory->modes[m].name);
        }
    }
}

const char *imp_models_kind(imp_kind kind) {
    static const char *const names[] = {
        [IMP_REAL] = "real", [IMP_CATEGORY] = "category", [IMP_SEQUENCE] = "sequence"};
    return names[kind];
}

/* ---- JSON ---- */

/* Opens an object that a name, a unit (NULL: none) and a meaning begin. */
static void begin_named(imp_json *json, const char *name, const char *unit, const char *meaning) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", name);
    if (unit) {
        imp_json_string(json, "unit", unit);
    }
    imp_json_string(json, "meaning", meaning);
}

/* The object of a parameter, left open, as this definition has it or with all of its options. */
static void begin_definition(imp_json *json, const imp_theory *theory,
                             const imp_parameter *parameter, bool any) {
    imp_text where = {0};
    imp_models_applies_to(theory, parameter, any, &where);
    begin_named(json, parameter->name, parameter->unit, parameter->meaning);
    imp_json_number(json, "low", parameter->low);
    imp_json_number(json, "high", parameter->high);
    imp_json_truth(json, "low_open", parameter->low_open);
    imp_json_truth(json, "high_open", parameter->high_open);
    imp_json_number(json, "default", parameter->fallback);
    imp_json_number(json, "example", parameter->example);
    imp_json_string(json, "stands_for", parameter->stands_for);
    imp_json_string(json, "applies_to", imp_text_get(&where));
    json->text.failed |= where.failed;
    imp_text_free(&where);
}

/* One object for each name; where options differ in the definition it has all of them. */
static void add_parameter(imp_json *json, const imp_theory *theory,
                          const imp_parameter *parameter) {
    const imp_parameter *variant[IMP_MAX_PARAMETERS];
    int n = imp_models_definitions(theory, parameter->name, variant);
    begin_definition(json, theory, parameter, true);
    if (n > 1) {
        imp_json_list(json, "variants");
        for (int v = 0; v < n; v++) {
            begin_definition(json, theory, variant[v], false);
            imp_json_end_object(json);
        }
        imp_json_end_list(json);
    }
    imp_json_end_object(json);
}

static void add_parameters(imp_json *json, const imp_theory *theory) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(theory, all);
    imp_json_list(json, "parameters");
    for (int i = 0; i < n; i++) {
        add_parameter(json, theory, all[i]);
    }
    imp_json_end_list(json);
}

static void add_choice(imp_json *json, const imp_choice *choice) {
    bool chosen = choice->fallback >= 0;
    begin_named(json, choice->name, NULL, choice->meaning);
    imp_json_string(json, "default", chosen ? choice->options[choice->fallback]->name : NULL);
    imp_json_list(json, "options");
    for (int o = 0; o < choice->n_options; o++) {
        begin_named(json, choice->options[o]->name, NULL, choice->options[o]->meaning);
        if (choice->options[o]->without_petsc) {
            imp_json_string(json, "without_petsc", choice->options[o]->without_petsc);
        }
        imp_json_end_object(json);
    }
    imp_json_end_list(json);
    imp_json_end_object(json);
}

static void add_codes(imp_json *json, const char *name, const imp_mode *modes, int n) {
    imp_json_list(json, name);
    for (int m = 0; m < n; m++) {
        imp_json_object(json, NULL);
        imp_json_string(json, "name", modes[m].name);
        imp_json_whole(json, "code", modes[m].code);
        imp_json_string(json, "meaning", modes[m].meaning);
        imp_json_end_object(json);
    }
    imp_json_end_list(json);
}

static void add_output(imp_json *json, const imp_theory *theory, const imp_output *output) {
    imp_text undefined = {0};
    imp_models_undefined_in(theory, output, &undefined);
    imp_json_object(json, NULL);
    imp_json_string(json, "name", output->name);
    imp_json_string(json, "unit", output->unit);
    imp_json_string(json, "kind", imp_models_kind(output->kind));
    imp_json_string(json, "meaning", output->meaning);
    imp_json_string(json, "undefined_in", imp_text_get(&undefined));
    if (output->undefined_when) {
        imp_json_string(json, "undefined_when", output->undefined_when);
    }
    if (output->dimension) {
        imp_json_string(json, "dimension", output->dimension);
        imp_json_whole(json, "length", output->length);
    }
    if (output->categories) {
        add_codes(json, "codes", output->categories, output->n_categories);
    }
    imp_json_end_object(json);
    json->text.failed |= undefined.failed;
    imp_text_free(&undefined);
}

static void add_history(imp_json *json, const imp_history *history) {
    imp_json_object(json, "history");
    imp_json_list(json, "columns");
    for (int c = 0; c < history->n_columns; c++) {
        const imp_output *column = &history->columns[c];
        begin_named(json, column->name, column->unit, column->meaning);
        imp_json_end_object(json);
    }
    imp_json_end_list(json);
    add_codes(json, "phases", history->phases, history->n_phases);
    add_codes(json, "events", history->events, history->n_events);
    imp_json_end_object(json);
}

/* The members that are lists. */
static void add_lists(imp_json *json, const imp_theory *theory) {
    imp_json_list(json, "unit_parameters");
    for (int u = 0; u < theory->n_unit_parameters; u++) {
        imp_json_string(json, NULL, theory->unit_parameters[u]);
    }
    imp_json_end_list(json);
    imp_json_list(json, "choices");
    for (int c = 0; c < theory->n_choices; c++) {
        add_choice(json, &theory->choices[c]);
    }
    imp_json_end_list(json);
    add_parameters(json, theory);
    imp_json_list(json, "outputs");
    for (int o = 0; o < theory->n_outputs; o++) {
        add_output(json, theory, &theory->outputs[o]);
    }
    imp_json_end_list(json);
    add_codes(json, "modes", theory->modes, theory->n_modes);
    imp_json_object(json, "common_names");
    for (int a = 0; a < theory->n_agreements; a++) {
        imp_json_string(json, theory->agreements[a].mode, theory->agreements[a].common);
    }
    imp_json_end_object(json);
}

void imp_models_json(imp_json *json, const char *name, const imp_theory *theory) {
    imp_json_object(json, name);
    imp_json_string(json, "name", theory->name);
    imp_json_string(json, "title", theory->title);
    imp_json_string(json, "source", theory->source);
    imp_json_string(json, "residual", theory->residual);
    imp_json_string(json, "symbols", theory->symbols);
    imp_json_whole(json, "results_version", theory->results_version);
    add_lists(json, theory);
    if (theory->history) {
        add_history(json, theory->history);
    }
    imp_json_end_object(json);
}

void imp_models_json_of_all(imp_json *json, const char *name) {
    imp_json_list(json, name);
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        imp_models_json(json, NULL, theory);
    }
    imp_json_end_list(json);
}
