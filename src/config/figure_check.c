/* The names in a figure, against the axes and outputs of the sweep. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/keys.h"
#include "config/figure_impl.h"
#include "config/names.h"
#include "config/range.h"
#include "config/units.h"
#include "solve/units.h"

/* The verdict on a name in a figure; IS_GONE: --set removed it. */
typedef enum found { IS_GOOD, IS_GONE, IS_WRONG } found;

static const imp_axis *find_axis(const imp_draft *draft, const char *name) {
    for (int a = 0; a < draft->sweep.grid.n_axes; a++) {
        if (strcmp(draft->sweep.grid.axes[a].name, name) == 0) {
            return &draft->sweep.grid.axes[a];
        }
    }
    return NULL;
}

static bool is_stored(const imp_draft *draft, int output) {
    return draft->all_outputs || draft->is_wanted[output];
}

/* Whether an axis of this name was wrong in itself, and left out. */
static bool is_lost(const imp_draft *draft, const imp_slot *slot, const char *name) {
    int axis, column;
    return (slot->use == IMP_SWEPT || slot->use == IMP_MEANT) &&
           !imp_grid_find(&draft->sweep.grid, name, &axis, &column);
}

static size_t list_axes(const imp_draft *draft, const char **names) {
    size_t n = 0;
    for (int a = 0; a < draft->sweep.grid.n_axes; a++) {
        names[n++] = draft->sweep.grid.axes[a].name;
    }
    for (int p = 0; p < draft->n_parameters; p++) {
        names[n] = draft->parameter[p]->name;
        n += is_lost(draft, &draft->parameters[p], names[n]);
    }
    for (int c = 0; c < draft->sweep.theory->n_choices; c++) {
        names[n] = draft->sweep.theory->choices[c].name;
        n += is_lost(draft, &draft->choices[c], names[n]);
    }
    return n;
}

/* Lists the columns of tables, whose axes have names of their own. */
static size_t list_columns(const imp_grid *grid, const char **names) {
    size_t n = 0;
    for (int a = 0; a < grid->n_axes; a++) {
        for (int c = 0; c < grid->axes[a].n_columns; c++) {
            names[n] = grid->axes[a].columns[c].name;
            n += strcmp(names[n], grid->axes[a].name) != 0;
        }
    }
    return n;
}

/* Lists every axis, column and output that may be named. */
static size_t list_names(const imp_draft *draft, unsigned allowed, const char **names) {
    size_t n = allowed & IMP_FIGURE_AXIS ? list_axes(draft, names) : 0;
    n += allowed & IMP_FIGURE_COLUMN ? list_columns(&draft->sweep.grid, names + n) : 0;
    const imp_theory *theory = draft->sweep.theory;
    for (int o = 0; o < theory->n_outputs; o++) {
        const char *dimension = theory->outputs[o].dimension;
        bool seen = false;
        for (size_t i = 0; dimension && i < n; i++) {
            seen = seen || strcmp(names[i], dimension) == 0;
        }
        if (allowed & IMP_FIGURE_AXIS && dimension && !seen && is_stored(draft, o)) {
            names[n++] = dimension;
        }
        if (allowed & IMP_FIGURE_OUTPUT && is_stored(draft, o)) {
            names[n++] = theory->outputs[o].name;
        }
    }
    return n;
}

static const char *called(unsigned allowed) {
    allowed &= ~(unsigned)IMP_FIGURE_COLUMN;
    return allowed == IMP_FIGURE_AXIS     ? "axis"
           : allowed == IMP_FIGURE_OUTPUT ? "output"
                                          : "axis or output";
}

/* Reports why a name is neither an axis nor a stored output. */
static found refuse(imp_draft *draft, const imp_figure_item *item) {
    const char *names[IMP_MAX_AXES * (1 + IMP_MAX_COLUMNS) + IMP_MAX_PARAMETERS + IMP_MAX_CHOICES +
                      2 * IMP_MAX_OUTPUTS + 1];
    const char *name = item->name;
    const imp_slot *slot = imp_draft_slot(draft, imp_draft_find(draft, name));
    int axis, column, output = imp_theory_output(draft->sweep.theory, name);
    if (slot && slot->use == IMP_FIXED && slot->key.kind == IMP_FROM_OVERRIDE) {
        return IS_GONE;
    }
    if ((draft->incomplete || draft->searchless || !draft->sweep.grid.n_axes) && output < 0) {
        return IS_WRONG; /* its axis may be the wrong one, which has been reported */
    }
    if (slot && imp_grid_find(&draft->sweep.grid, name, &axis, &column)) {
        imp_draft_error(draft, item->name_place, "'%s' is a column of the axis '%s'; name the axis",
                        name, draft->sweep.grid.axes[axis].name);
    } else if (slot && slot->use == IMP_SWEPT) {
        return IS_WRONG;
    } else if (slot) {
        imp_draft_error(draft, item->name_place, "'%s' is on no axis of this sweep", name);
    } else if (output >= 0 && item->key->names & IMP_FIGURE_OUTPUT) {
        imp_draft_error(draft, item->name_place,
                        "the output '%s' is not stored; add it to 'outputs'", name);
    } else {
        size_t n = list_names(draft, item->key->names, names);
        imp_report_unknown(draft->report, item->name_place, called(item->key->names), name,
                           " in the figure", names, n);
    }
    return IS_WRONG;
}

/* The output of a name, or that with the quantiles of it, which figures of bands draw. */
static int find_output(const imp_theory *theory, const char *name) {
    int output = imp_theory_output(theory, name);
    imp_text quantile = {0};
    imp_text_print(&quantile, "%s_quantile", name);
    output = output < 0 ? imp_theory_output(theory, imp_text_get(&quantile)) : output;
    imp_text_free(&quantile);
    return output;
}

static found check_name(imp_draft *draft, const imp_figure_item *item) {
    const imp_theory *theory = draft->sweep.theory;
    unsigned allowed = item->key->names;
    int output = find_output(theory, item->name);
    int axis, column;
    bool is_axis = find_axis(draft, item->name) || imp_dimension_length(theory, item->name) > 0 ||
                   (allowed & IMP_FIGURE_COLUMN &&
                    imp_grid_find(&draft->sweep.grid, item->name, &axis, &column));
    bool good = (allowed & IMP_FIGURE_AXIS && is_axis) ||
                (allowed & IMP_FIGURE_OUTPUT && output >= 0 && is_stored(draft, output));
    return good ? IS_GOOD : refuse(draft, item);
}

/* Finds the ends of an axis of one parameter, whether or not it is laid out yet. */
static bool find_ends(const imp_draft *draft, const imp_axis *axis, double ends[2]) {
    const imp_origin *origin = &draft->origins[axis - draft->sweep.grid.axes][0];
    if (origin->lay_out) {
        double from = imp_quantity_si(origin->from), to = imp_quantity_si(origin->to);
        ends[0] = fmin(from, to);
        ends[1] = fmax(from, to);
        return axis->size > 0;
    }
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (int64_t i = 0; axis->columns[0].values && i < axis->size; i++) {
        ends[0] = fmin(ends[0], axis->columns[0].values[i]);
        ends[1] = fmax(ends[1], axis->columns[0].values[i]);
    }
    return ends[0] <= ends[1];
}

static bool is_replaced(const imp_draft *draft, const imp_axis *axis) {
    return draft->origins[axis - draft->sweep.grid.axes][0].override != NULL;
}

/* A point of an axis of one parameter must be between its ends. */
static found check_value(imp_draft *draft, const imp_figure_item *item, const imp_axis *axis,
                         int parameter) {
    double ends[2];
    imp_quantity quantity;
    if (!imp_draft_number(draft, parameter, item->place, item->text, &quantity) ||
        !find_ends(draft, axis, ends)) {
        return IS_WRONG;
    }
    double value = imp_quantity_si(quantity), room = 1e-9 * fmax(fabs(ends[0]), fabs(ends[1]));
    if (value >= ends[0] - room && value <= ends[1] + room) {
        return IS_GOOD;
    }
    if (is_replaced(draft, axis)) {
        imp_units_forget(draft->report, item->name);
        return IS_GONE;
    }
    char unit[IMP_UNIT_TEXT];
    imp_parameter shown =
        imp_sweep_shown_parameter(&draft->sweep, draft->parameter[parameter], unit);
    imp_text range = {0};
    imp_print_value(&range, &shown, ends[0]);
    imp_text_print(&range, " to ");
    imp_print_value(&range, &shown, ends[1]);
    imp_draft_error(draft, item->place, "%s: %s is outside the axis, which runs from %s",
                    item->name, imp_show(item->text).text, imp_text_get(&range));
    imp_text_free(&range);
    return IS_WRONG;
}

static found check_option(imp_draft *draft, const imp_figure_item *item, const imp_axis *axis,
                          int choice) {
    int option = imp_draft_option(draft, choice, item->place, item->text);
    for (int64_t i = 0; option >= 0 && i < axis->size; i++) {
        if ((int)axis->columns[0].values[i] == option) {
            return IS_GOOD;
        }
    }
    if (option >= 0 && !is_replaced(draft, axis)) {
        imp_draft_error(draft, item->place, "%s: '%s' is not on the axis", item->name, item->text);
    }
    return option >= 0 && is_replaced(draft, axis) ? IS_GONE : IS_WRONG;
}

/* Rows of a table or sample count from 0, values of a list from 1. */
static found check_number(imp_draft *draft, const imp_figure_item *item, int64_t low,
                          int64_t high) {
    int64_t number;
    const char *wrong = imp_read_count(item->text, &number);
    if (!wrong && number >= low && number <= high) {
        return IS_GOOD;
    }
    imp_draft_error(draft, item->place, "%s: '%s' is not a number from %lld to %lld", item->name,
                    imp_show(item->text).text, (long long)low, (long long)high);
    return IS_WRONG;
}

static found check_point(imp_draft *draft, const imp_figure_item *item) {
    const imp_axis *axis = find_axis(draft, item->name);
    if (!axis) {
        return check_number(draft, item, 1, imp_dimension_length(draft->sweep.theory, item->name));
    }
    imp_named named = imp_draft_find(draft, axis->name);
    if (named.choice >= 0) {
        return check_option(draft, item, axis, named.choice);
    }
    return named.parameter >= 0 ? check_value(draft, item, axis, named.parameter)
                                : check_number(draft, item, 0, axis->size - 1);
}

/* Limits are in the unit of the axis or output. */
static found check_limits(imp_draft *draft, const imp_figure_item *item) {
    const char *colon = strchr(item->text, ':');
    char *low = strndup(item->text, (size_t)(colon - item->text));
    imp_quantity ends[2] = {{0, IMP_UNIT_NONE}, {0, IMP_UNIT_NONE}};
    imp_named named = imp_draft_find(draft, item->name);
    int output = imp_theory_output(draft->sweep.theory, item->name);
    const imp_theory *theory = draft->sweep.theory;
    const imp_parameter *of = named.parameter >= 0 ? draft->parameter[named.parameter] : NULL;
    const char *text[] = {low ? low : "", colon + 1};
    found result = IS_GOOD;
    for (int i = 0; i < 2; i++) {
        const char *wrong =
            of ? imp_units_read(draft->report, theory, of, item->place, text[i], &ends[i])
               : imp_read_quantity(text[i], output >= 0 ? theory->outputs[output].unit : "1",
                                   &ends[i]);
        if (wrong) {
            imp_draft_error(draft, item->place, "%s: '%s' %s", item->name, imp_show(text[i]).text,
                            wrong);
            result = IS_WRONG;
        }
    }
    if (result == IS_GOOD && imp_quantity_si(ends[0]) >= imp_quantity_si(ends[1])) {
        imp_draft_error(draft, item->place, "%s: the lower limit is not below the upper one",
                        item->name);
        result = IS_WRONG;
    }
    free(low);
    return result;
}

static found check_item(imp_draft *draft, const imp_figure_item *item) {
    found result = item->name ? check_name(draft, item) : IS_GOOD;
    if (result == IS_GOOD && item->key->value == IMP_FIGURE_POINTS) {
        return check_point(draft, item);
    }
    if (result == IS_GOOD && item->key->value == IMP_FIGURE_RANGES) {
        return check_limits(draft, item);
    }
    return result;
}

/* "font-size=9", "slice=friction=0.3". */
static void print_item(const imp_figure_item *item, imp_text *text) {
    for (const char *at = item->key->name; *at; at++) {
        imp_text_append(text, *at == '_' ? "-" : at, 1);
    }
    imp_text_print(text, "=%s%s%s\n", item->name ? item->name : "",
                   item->name && item->text ? "=" : "", item->text ? item->text : "");
}

/* Whether an earlier item of the same key has the same name. */
static bool is_repeated(const struct imp_figure *figure, int i) {
    const imp_figure_item *item = &figure->items[i];
    for (int k = 0; item->name && k < i; k++) {
        const imp_figure_item *other = &figure->items[k];
        if (other->key == item->key && strcmp(other->name, item->name) == 0) {
            return true;
        }
    }
    return false;
}

void imp_figure_resolve(imp_draft *draft) {
    imp_text text = {0};
    bool known = draft->report->total == 0;
    const struct imp_figure *figure = draft->figure;
    for (int i = 0; figure && i < figure->n; i++) {
        const imp_figure_item *item = &figure->items[i];
        if (is_repeated(figure, i)) {
            imp_draft_error(draft, item->name_place, "'%s' is named twice under '%s'", item->name,
                            item->key->name);
        } else if (check_item(draft, item) == IS_GOOD) {
            print_item(item, &text);
        }
    }
    if (text.failed) {
        imp_report_memory(draft->report);
    }
    if (known) {
        imp_units_check(draft);
    }
    draft->sweep.figure = figure ? strdup(imp_text_get(&text)) : NULL;
    imp_text_free(&text);
}
