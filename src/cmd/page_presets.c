/* The configs of the project as views of a page: the theory, its inputs, and the ranges of two
 * axes. */
#include <stdlib.h>
#include <string.h>

#include "cmd/page.h"
#include "config/config.h"

/* A config in memory; it has no tables. */
static const char *load(void *context, const char *path, char **bytes, size_t *length) {
    const imp_page_config *config = context;
    bool own = strcmp(path, config->name) == 0;
    *length = config->text.length;
    *bytes = own ? malloc(*length + 1) : NULL;
    if (*bytes) {
        memcpy(*bytes, config->text.bytes, *length + 1);
    }
    return *bytes ? NULL : own ? imp_load_no_memory : "no file";
}

/* Whether a page can show a sweep: two ranges of parameters, or one, from which nothing follows. */
static bool is_shown(const imp_sweep *sweep) {
    bool range = false, follows = sweep->n_followers > 0;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        range = range || axis->spacing;
        for (int c = 0; c < axis->n_columns; c++) {
            follows = follows || axis->columns[c].formula[0];
        }
    }
    return range && !follows && !sweep->search && !sweep->theory->needs_petsc &&
           !sweep->theory->hidden;
}

static json_t *inputs_of(const imp_sweep *sweep) {
    json_t *inputs = json_object();
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        int option = sweep->chosen[c] >= 0 ? sweep->chosen[c] : choice->fallback;
        option = option >= 0 ? option : 0;
        json_object_set_new(inputs, choice->name, json_string(choice->options[option]->name));
    }
    for (int f = 0; f < sweep->n_fixed; f++) {
        if (sweep->fixed[f].given) {
            json_object_set_new(inputs, sweep->fixed[f].parameter->name,
                                json_real(sweep->fixed[f].value));
        }
    }
    return inputs;
}

/* Adds the ranges of the axes, the first two as those of the picture; other axes give their middle
 * value. */
static void add_axes(const imp_sweep *sweep, json_t *view, json_t *inputs) {
    static const char *const sides[] = {"x", "y"};
    json_t *ranges = json_object();
    int side = 0;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        const imp_column *column = &axis->columns[0];
        if (axis->spacing && side < 2) {
            json_object_set_new(view, sides[side++], json_string(column->name));
            json_object_set_new(ranges, column->name,
                                json_pack("{s:f, s:f, s:b}", "low", column->values[0], "high",
                                          column->values[axis->size - 1], "log",
                                          strcmp(axis->spacing, "log") == 0));
        } else if (axis->n_columns == 1 && column->choice >= 0) {
            const imp_choice *choice = &sweep->theory->choices[column->choice];
            const imp_option *option = choice->options[(int)column->values[0]];
            json_object_set_new(inputs, choice->name, json_string(option->name));
        } else if (axis->n_columns == 1) {
            json_object_set_new(inputs, column->name, json_real(column->values[axis->size / 2]));
        }
    }
    if (side == 1) {
        json_object_set_new(view, "y", json_null());
    }
    json_object_set_new(view, "ranges", ranges);
}

/* The first sentence of the comment with which a config begins. */
static json_t *title_of(const imp_page_config *config) {
    imp_text title = {0};
    const char *at = (const char *)config->text.bytes;
    while (*at == '#') {
        at += strspn(at, "# ");
        size_t length = strcspn(at, "\n");
        imp_text_print(&title, "%s%.*s", title.length ? " " : "", (int)length, at);
        at += length + (at[length] == '\n');
    }
    const char *end = strstr(imp_text_get(&title), ". ");
    size_t length = end ? (size_t)(end - imp_text_get(&title)) + 1 : title.length;
    json_t *text = json_stringn(imp_text_get(&title), length);
    imp_text_free(&title);
    return text;
}

static json_t *preset_of(const imp_page_config *config, const imp_sweep *sweep) {
    json_t *view = json_object(), *inputs = inputs_of(sweep);
    const char *field = sweep->theory->outputs[sweep->outputs[0]].name;
    json_object_set_new(view, "theory", json_string(sweep->theory->name));
    json_object_set_new(view, "field", json_string(field));
    add_axes(sweep, view, inputs);
    json_object_set_new(view, "inputs", inputs);
    return json_pack("{s:s, s:o, s:o}", "name", config->name, "title", title_of(config), "view",
                     view);
}

json_t *imp_page_presets(void) {
    json_t *presets = json_array();
    for (const imp_page_config *config = imp_page_configs; config->name; config++) {
        imp_loader loader = {load, (void *)(uintptr_t)config};
        imp_sweep sweep = {.theory = NULL};
        imp_text messages = {0};
        if (!imp_config_read(&loader, config->name, NULL, 0, &sweep, &messages)) {
            if (is_shown(&sweep)) {
                json_array_append_new(presets, preset_of(config, &sweep));
            }
            imp_sweep_free(&sweep);
        }
        imp_text_free(&messages);
    }
    return presets;
}
