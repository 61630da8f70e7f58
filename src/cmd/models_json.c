/* A theory as JSON, and words that the text of `models` uses too. */
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/models_impl.h"

void imp_models_applies_to(const imp_theory *theory, const imp_parameter *parameter,
                           imp_text *text) {
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
        imp_models_applies_to(theory, all[i], &where);
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
    imp_models_undefined_in(theory, output, &undefined);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", output->name, "unit",
                               output->unit, "kind", imp_models_kind(output->kind), "meaning",
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

json_t *imp_models_json(const imp_theory *theory) {
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
