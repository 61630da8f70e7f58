/* The configs of the project as views of a page: the theory, its inputs, and the ranges of two
 * axes. */
#include <stdlib.h>
#include <string.h>

#include "cmd/page.h"
#include "config/config.h"
#include "models/signature.h"

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

/* The option of a choice: the first one of its axis, the chosen one, or the default. */
static int option_of(const imp_sweep *sweep, int choice) {
    int fallback = sweep->theory->choices[choice].fallback;
    int option = sweep->chosen[choice] >= 0 ? sweep->chosen[choice] : fallback;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        if (axis->n_columns == 1 && axis->columns[0].choice == choice) {
            option = (int)axis->columns[0].values[0];
        }
    }
    return option >= 0 ? option : 0;
}

/* Whether a page can show a sweep: two ranges of parameters, or one, from which nothing follows, by
 * solvers that pages have. */
static bool is_shown(const imp_sweep *sweep) {
    int chosen[IMP_MAX_CHOICES];
    bool range = false, follows = sweep->n_followers > 0;
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        chosen[c] = option_of(sweep, c);
    }
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        range = range || axis->spacing;
        for (int c = 0; c < axis->n_columns; c++) {
            follows = follows || axis->columns[c].formula[0];
        }
    }
    return range && !follows && !sweep->search && !sweep->uncertain && !sweep->theory->hidden &&
           !imp_theory_needs_petsc(sweep->theory, chosen);
}

/* The axis on one side of the picture, x or y: the first or second range; NULL: there is none. */
static const imp_axis *side_of(const imp_sweep *sweep, int side) {
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        if (axis->spacing && side-- == 0) {
            return axis;
        }
    }
    return NULL;
}

static bool is_side(const imp_sweep *sweep, const imp_axis *axis) {
    return axis == side_of(sweep, 0) || axis == side_of(sweep, 1);
}

/* What is the same in the whole picture; axes that it does not show have their middle value. */
static void add_inputs(imp_json *json, const imp_sweep *sweep) {
    imp_json_object(json, "inputs");
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        imp_json_string(json, choice->name, choice->options[option_of(sweep, c)]->name);
    }
    for (int f = 0; f < sweep->n_fixed; f++) {
        if (sweep->fixed[f].given) {
            imp_json_number(json, sweep->fixed[f].parameter->name, sweep->fixed[f].value);
        }
    }
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        const imp_column *column = &axis->columns[0];
        if (!is_side(sweep, axis) && axis->n_columns == 1 && column->choice < 0) {
            imp_json_number(json, column->name, column->values[axis->size / 2]);
        }
    }
    imp_json_end_object(json);
}

static void add_sides(imp_json *json, const imp_sweep *sweep) {
    const imp_axis *const sides[] = {side_of(sweep, 0), side_of(sweep, 1)};
    imp_json_string(json, "x", sides[0]->columns[0].name);
    imp_json_string(json, "y", sides[1] ? sides[1]->columns[0].name : NULL);
    imp_json_object(json, "ranges");
    for (int side = 0; side < 2 && sides[side]; side++) {
        const imp_column *column = &sides[side]->columns[0];
        imp_json_object(json, column->name);
        imp_json_number(json, "low", column->values[0]);
        imp_json_number(json, "high", column->values[sides[side]->size - 1]);
        imp_json_truth(json, "log", strcmp(sides[side]->spacing, "log") == 0);
        imp_json_end_object(json);
    }
    imp_json_end_object(json);
}

/* Adds the first sentence of the comment with which a config begins. */
static void add_title(imp_json *json, const imp_page_config *config) {
    imp_text title = {0};
    const char *at = (const char *)config->text.bytes;
    while (*at == '#') {
        at += strspn(at, "# ");
        size_t length = strcspn(at, "\n");
        imp_text_print(&title, "%s%.*s", title.length ? " " : "", (int)length, at);
        at += length + (at[length] == '\n');
    }
    char *end = title.bytes ? strstr(title.bytes, ". ") : NULL;
    if (end) {
        end[1] = 0;
    }
    imp_json_string(json, "title", imp_text_get(&title));
    imp_text_free(&title);
}

static void add_preset(imp_json *json, const imp_page_config *config, const imp_sweep *sweep) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", config->name);
    add_title(json, config);
    imp_json_object(json, "view");
    imp_json_string(json, "theory", sweep->theory->name);
    imp_json_string(json, "field", sweep->theory->outputs[sweep->outputs[0]].name);
    add_sides(json, sweep);
    add_inputs(json, sweep);
    imp_json_end_object(json);
    imp_json_end_object(json);
}

void imp_page_add_presets(imp_page *page) {
    imp_json_list(&page->about, "presets");
    for (const imp_page_config *config = imp_page_configs; config->name; config++) {
        imp_loader loader = {load, (void *)(uintptr_t)config, .no_guests = true};
        imp_sweep sweep = {.theory = NULL};
        imp_text messages = {0};
        if (!imp_config_read(&loader, config->name, NULL, 0, &sweep, &messages)) {
            if (is_shown(&sweep)) {
                add_preset(&page->about, config, &sweep);
            }
            imp_sweep_free(&sweep);
        }
        imp_text_free(&messages);
    }
    imp_json_end_list(&page->about);
}
